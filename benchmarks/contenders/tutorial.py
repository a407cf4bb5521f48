"""The tutorials' loop: a compiled step for each batch, a dataset iterator, the loss at each step."""

from collections.abc import Callable

import mindspore as ms
import numpy as np
from mindspore import dataset, nn, ops

from ..cases import LATENT, LEARNING_RATE, Case
from .gan_feed import epoch_arrays, middle_and_reach
from .mindspore_networks import create


def prepare(case: Case, arrays: dict[str, np.ndarray]) -> Callable[[int], float]:
    """Compile nothing yet: the first epoch does."""
    ms.set_device("CPU")
    if case.network == "gan":
        return prepare_gan(case, arrays)
    network, loss_fn = create(case, arrays)
    optimizer = nn.Adam(network.trainable_params(), LEARNING_RATE)

    def forward_fn(data, label):
        logits = network(data)
        return loss_fn(logits, label), logits

    grad_fn = ms.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)

    @ms.jit
    def train_step(data, label):
        (loss, _), grads = grad_fn(data, label)
        optimizer(grads)
        return loss

    def epoch(number: int) -> float:
        network.set_train()
        losses = [
            train_step(data, label).asnumpy() for data, label in iterate(case, arrays, number)
        ]
        return float(np.mean(losses))

    return epoch


def prepare_gan(case: Case, arrays: dict[str, np.ndarray]) -> Callable[[int], float]:
    """Two networks, two optimizers, a compiled step for each."""

    def perceptron(widths: list[int], activation: type[nn.Cell], prefix: str) -> nn.Cell:
        layers: list[nn.Cell] = []
        for n, m in zip(widths, widths[1:]):
            layers += [nn.Dense(n, m), activation()]
        network = nn.SequentialCell(layers[:-1])
        network.update_parameters_name(prefix)
        return network

    hidden = [case.width] * case.depth
    dense = perceptron([LATENT, *hidden, *case.shape], nn.ReLU, "generator.")
    discriminator = perceptron([*case.shape, *hidden, 1], nn.LeakyReLU, "discriminator.")
    parameters = [*dense.trainable_params(), *discriminator.trainable_params()]
    for parameter, name in zip(parameters, sorted(n for n in arrays if n.startswith("w"))):
        ops.assign(parameter, ms.Tensor(arrays[name]))
    optimizer_g = nn.Adam(dense.trainable_params(), LEARNING_RATE, case.beta1)
    optimizer_d = nn.Adam(discriminator.trainable_params(), LEARNING_RATE, case.beta1)

    middle, reach = middle_and_reach(arrays["data"])

    def generator(latent):
        return middle + reach * ops.tanh(dense(latent))

    def discriminator_forward(real, latent):
        fake = ops.stop_gradient(generator(latent))
        loss = ops.softplus(-discriminator(real)) + ops.softplus(discriminator(fake))
        return ops.mean(loss)

    def generator_forward(latent):
        return ops.mean(ops.softplus(-discriminator(generator(latent))))

    discriminator_grad = ms.value_and_grad(discriminator_forward, None, optimizer_d.parameters)
    generator_grad = ms.value_and_grad(generator_forward, None, optimizer_g.parameters)

    @ms.jit
    def discriminator_step(real, latent):
        loss, grads = discriminator_grad(real, latent)
        optimizer_d(grads)
        return loss

    @ms.jit
    def generator_step(latent):
        loss, grads = generator_grad(latent)
        optimizer_g(grads)
        return loss

    def epoch(number: int) -> float:
        losses = []
        for real, latent in zip(*epoch_arrays(case, arrays["data"], number)):
            losses.append(discriminator_step(ms.Tensor(real), ms.Tensor(latent[0])).asnumpy())
            generator_step(ms.Tensor(latent[1])).asnumpy()
        return float(np.mean(losses))

    return epoch


def iterate(case: Case, arrays: dict[str, np.ndarray], number: int):
    """Go through the epoch's rows in the case's order."""
    return rows(case, arrays, number).create_tuple_iterator(num_epochs=1)


def rows(case: Case, arrays: dict[str, np.ndarray], number: int) -> dataset.Dataset:
    """Make the epoch's dataset."""
    columns = (arrays["data"], arrays["label"])
    order = [int(row) for row in case.order(number).ravel()]
    source = dataset.NumpySlicesDataset(columns, ["data", "label"], sampler=order)
    return source.batch(case.batch_size)
