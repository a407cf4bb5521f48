"""PyTorch, eager or with ``torch.compile``, fed by a DataLoader."""

from collections.abc import Callable

import numpy as np
import torch
from torch import nn
from torch.nn import functional
from torch.utils.data import DataLoader, TensorDataset

from ..cases import HEADS, LATENT, LEARNING_RATE, Case
from .gan_feed import epoch_arrays, middle_and_reach


class Block(nn.Module):
    """Attention and two dense layers, pre-norm."""

    def __init__(self, width: int):
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width, bias=False)
        self.value = nn.Linear(width, width)
        self.out = nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Map (batch, tokens, width) to the same shape."""
        y = self.norm1(x)
        q, k, v = (
            f(y).unflatten(-1, (HEADS, -1)).transpose(1, 2)
            for f in (self.query, self.key, self.value)
        )
        y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).flatten(2))
        y = self.up(self.norm2(x))
        return x + self.down(y * torch.sigmoid(1.702 * y))


class GPT(nn.Module):
    """A small transformer."""

    def __init__(self, case: Case):
        super().__init__()
        self.embedding = nn.Parameter(torch.empty(case.outputs, case.width))
        self.position = nn.Parameter(torch.empty(case.shape[0], case.width))
        self.blocks = nn.Sequential(*[Block(case.width) for _ in range(case.depth)])
        self.norm = nn.LayerNorm(case.width)
        self.head = nn.Linear(case.width, case.outputs, bias=False)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Map (batch, length) to logits (batch, outputs, length)."""
        x = self.blocks(functional.embedding(tokens, self.embedding) + self.position)
        return self.head(self.norm(x)).transpose(1, 2)


def perceptron(widths: list[int], activation: nn.Module) -> nn.Sequential:
    """Make dense layers."""
    layers: list[nn.Module] = []
    for n, m in zip(widths, widths[1:]):
        layers += [nn.Linear(n, m), activation]
    return nn.Sequential(*layers[:-1])


def set_weights(networks: list[nn.Module], arrays: dict[str, np.ndarray]) -> None:
    """Give the networks the case's first weights."""
    weights = [arrays[name] for name in sorted(arrays) if name.startswith("w")]
    parameters = [parameter for network in networks for parameter in network.parameters()]
    with torch.no_grad():
        for parameter, weight in zip(parameters, weights, strict=True):
            parameter.copy_(torch.from_numpy(weight))


def create(case: Case, arrays: dict[str, np.ndarray]) -> nn.Module:
    """Make the network with the case's first weights."""
    if case.network == "cnn":
        channels, side, _ = case.shape
        pool = nn.MaxPool2d(2, 2, ceil_mode=True)
        network = nn.Sequential(
            nn.Conv2d(channels, case.width, 3, padding=1),
            nn.ReLU(),
            pool,
            nn.Conv2d(case.width, 2 * case.width, 3, padding=1),
            nn.ReLU(),
            pool,
            nn.Flatten(),
            nn.Linear(2 * case.width * (-(-side // 4)) ** 2, case.outputs),
        )
    elif case.network == "gpt":
        network = GPT(case)
    else:
        widths = [int(np.prod(case.shape)), *[case.width] * case.depth, case.outputs]
        network = perceptron(widths, nn.ReLU())
    set_weights([network], arrays)
    return network


def prepare_gan(
    case: Case, arrays: dict[str, np.ndarray], compiled: bool
) -> Callable[[int], float]:
    """Make the alternating step of two networks under the non-saturating loss."""
    hidden = [case.width] * case.depth
    dense = perceptron([LATENT, *hidden, *case.shape], nn.ReLU())
    discriminator = perceptron([*case.shape, *hidden, 1], nn.LeakyReLU(0.2))
    set_weights([dense, discriminator], arrays)
    betas = (case.beta1, 0.999)
    optimizer_g = torch.optim.Adam(dense.parameters(), LEARNING_RATE, betas)
    optimizer_d = torch.optim.Adam(discriminator.parameters(), LEARNING_RATE, betas)
    data = arrays["data"]
    middle, reach = middle_and_reach(data)

    def generator(latent: torch.Tensor) -> torch.Tensor:
        return middle + reach * torch.tanh(dense(latent))

    def discriminator_loss(real: torch.Tensor, latent: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            fake = generator(latent)
        return (
            functional.softplus(-discriminator(real)) + functional.softplus(discriminator(fake))
        ).mean()

    def generator_loss(latent: torch.Tensor) -> torch.Tensor:
        return functional.softplus(-discriminator(generator(latent))).mean()

    if compiled:
        discriminator_loss = torch.compile(discriminator_loss)
        generator_loss = torch.compile(generator_loss)

    def epoch(number: int) -> float:
        reals, latents = epoch_arrays(case, data, number)
        losses = []
        for real, latent in zip(torch.from_numpy(reals), torch.from_numpy(latents)):
            optimizer_d.zero_grad()
            loss = discriminator_loss(real, latent[0])
            loss.backward()
            optimizer_d.step()
            optimizer_g.zero_grad()
            generator_loss(latent[1]).backward()
            optimizer_g.step()
            losses.append(loss.detach())
        return float(torch.stack(losses).mean())

    return epoch


def prepare(
    case: Case,
    arrays: dict[str, np.ndarray],
    compiled: bool = False,
    workers: int = 0,
    threads: int = 2,
) -> Callable[[int], float]:
    """Make the step."""
    torch.set_num_threads(threads)
    if case.network == "gan":
        return prepare_gan(case, arrays, compiled)
    if case.network == "ppo":
        from .pytorch_ppo import prepare_ppo

        return prepare_ppo(case, compiled)
    network = create(case, arrays)
    loss_fn: nn.Module = nn.MSELoss() if case.outputs == 1 else nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(network.parameters(), LEARNING_RATE)
    label = arrays["label"] if case.outputs == 1 else arrays["label"].astype(np.int64)
    rows = TensorDataset(torch.from_numpy(arrays["data"]), torch.from_numpy(label))

    def forward(data: torch.Tensor, label: torch.Tensor) -> torch.Tensor:
        return loss_fn(network(data), label)

    forward_fn = torch.compile(forward) if compiled else forward

    def epoch(number: int) -> float:
        loader = DataLoader(
            rows, case.batch_size, sampler=case.order(number).ravel().tolist(), num_workers=workers
        )
        losses = []
        for data, label in loader:
            optimizer.zero_grad()
            loss = forward_fn(data, label)
            loss.backward()
            optimizer.step()
            losses.append(loss.detach())
        return float(torch.stack(losses).mean())

    return epoch
