"""What is trained: sizes, data and first weights, the same for every contender."""

from dataclasses import dataclass

import numpy as np

LEARNING_RATE = 0.001


@dataclass(frozen=True)
class Case:
    """A network and its data.

    Args:
        network: its kind: ``mlp`` (without hidden layers: linear), ``cnn``, ``gpt``, ``gan``, ``ppo``.
        rows: rows of an epoch, a multiple of ``batch_size``; of ``ppo``: steps of a rollout.
        batch_size: rows of one update.
        shape: of one row.
        outputs: width of the last layer; 1: a regression under the squared error, else classes.
        answers: of the template.
        flags: of the rendered project.
        width: of a hidden layer.
        depth: number of hidden layers.
        beta1: of Adam.
        without: contenders that do not take part.
    """

    network: str
    rows: int
    batch_size: int
    shape: tuple[int, ...]
    outputs: int
    answers: dict[str, str]
    flags: tuple[str, ...] = ()
    width: int = 0
    depth: int = 0
    beta1: float = 0.9
    without: tuple[str, ...] = ()

    @property
    def steps(self) -> int:
        """Batches in an epoch."""
        return self.rows // self.batch_size

    @property
    def updates(self) -> int:
        """Updates in an epoch; of ``ppo`` a rollout is gone through several times."""
        return self.steps * (PASSES if self.network == "ppo" else 1)

    def arrays(self) -> dict[str, np.ndarray]:
        """Draw the rows and the first weights: in the order and layout of ``trainable_params()``."""
        rng = np.random.default_rng(0)
        if self.network == "gpt":
            text = rng.integers(0, 256, (self.rows, self.shape[0] + 1)).astype(np.int32)
            data, label = text[:, :-1], text[:, 1:]
        else:
            data = rng.standard_normal((self.rows, *self.shape), np.float32)
            direction = rng.standard_normal((int(np.prod(self.shape)), self.outputs), np.float32)
            label = data.reshape(self.rows, -1) @ direction / np.sqrt(len(direction))
            if self.outputs > 1:
                label = label.argmax(axis=1).astype(np.int32)
        weights = [self.draw(rng, shape, kind) for shape, kind in self.weights()]
        return {"data": data, "label": label, **{f"w{i:03}": w for i, w in enumerate(weights)}}

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...], kind: str) -> np.ndarray:
        """Make one weight as it starts."""
        if kind == "matrix":
            return (rng.uniform(-1, 1, shape) / np.sqrt(np.prod(shape[1:]))).astype(np.float32)
        return np.full(shape, 1 if kind == "gamma" else 0, np.float32)

    def weights(self) -> list[tuple[tuple[int, ...], str]]:
        """Shapes and kinds of the weights."""
        if self.network == "ppo":
            return []
        if self.network == "gpt":
            return gpt_weights(self.outputs, self.shape[0], self.width, self.depth)
        if self.network == "gan":
            hidden = [self.width] * self.depth
            return dense([LATENT, *hidden, *self.shape]) + dense([*self.shape, *hidden, 1])
        if self.network == "cnn":
            channels, side, _ = self.shape
            places = (-(-side // 4)) ** 2
            matrices = [
                (self.width, channels, 3, 3),
                (2 * self.width, self.width, 3, 3),
                (self.outputs, 2 * self.width * places),
            ]
            return [w for m in matrices for w in ((m, "matrix"), (m[:1], "bias"))]
        return dense([int(np.prod(self.shape)), *[self.width] * self.depth, self.outputs])

    def order(self, epoch: int) -> np.ndarray:
        """Row numbers of an epoch, (steps, batch_size), as the rendered project shuffles them."""
        order = np.random.default_rng((0, epoch)).permutation(self.rows)
        return order.reshape(self.steps, self.batch_size)


def dense(widths: list[int]) -> list[tuple[tuple[int, ...], str]]:
    """Weights of dense layers, each matrix followed by its bias."""
    return [w for n, m in zip(widths, widths[1:]) for w in (((m, n), "matrix"), ((m,), "bias"))]


def gpt_weights(
    tokens: int, length: int, width: int, depth: int
) -> list[tuple[tuple[int, ...], str]]:
    """Weights of a pre-norm transformer."""
    square, vector = ((width, width), "matrix"), ((width,), "bias")
    norm = [((width,), "gamma"), vector]
    attention = [square, vector, square, square, vector, square, vector]
    block = [*norm, *attention, *norm, *dense([width, 4 * width]), *dense([4 * width, width])]
    first = [((tokens, width), "matrix"), ((length, width), "matrix")]
    return [*first, *block * depth, *norm, ((tokens, width), "matrix")]


PASSES = 10
"""over a rollout"""
LATENT = 2
HEADS = 4
REGRESSION = {"task": "regression", "loss": "mse"}
CLASSIFICATION = {"task": "classification"}

CASES = {
    "linear 10-1": Case("mlp", 12_800, 32, (10,), 1, REGRESSION | {"network": "linear"}),
    "mlp 10-32-1": Case(
        "mlp",
        12_800,
        32,
        (10,),
        1,
        REGRESSION | {"network": "mlp"},
        ("--network.width=32", "--network.depth=1"),
        width=32,
        depth=1,
    ),
    "mlp 784-512-512-10": Case(
        "mlp",
        12_800,
        128,
        (784,),
        10,
        CLASSIFICATION | {"network": "mlp", "dataset": "spirals"},
        ("--network.width=512", "--network.depth=2"),
        width=512,
        depth=2,
    ),
    "cnn 1x8x8": Case(
        "cnn", 1_248, 32, (1, 8, 8), 10, CLASSIFICATION | {"network": "cnn"}, width=32
    ),
    "cnn 1x28x28": Case(
        "cnn", 1_280, 64, (1, 28, 28), 10, CLASSIFICATION | {"network": "cnn"}, width=32
    ),
    "gpt 2x64": Case("gpt", 640, 16, (64,), 256, {"task": "language_model"}, width=64, depth=2),
    "gan ring": Case(
        "gan",
        12_800,
        128,
        (2,),
        8,
        {"task": "gan"},
        width=128,
        depth=2,
        beta1=0.5,
        without=("Model.train",),
    ),
    "ppo CartPole": Case(
        "ppo",
        2_048,
        256,
        (4,),
        2,
        {"task": "reinforcement"},
        ("--validate_every=1000000000",),
        without=("tutorial", "Model.train", "JAX jit", "JAX scan"),
    ),
}
