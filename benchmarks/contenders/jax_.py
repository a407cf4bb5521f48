"""JAX: a compiled step for each batch, or the whole epoch in one ``lax.scan``."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np

from ..cases import HEADS, LEARNING_RATE, Case
from .gan_feed import epoch_arrays, middle_and_reach


def forward(case: Case, weights: list[jax.Array], data: jax.Array) -> jax.Array:
    """Map rows to logits."""
    if case.network == "gpt":
        return gpt(case, weights, data)
    pairs = list(zip(weights[::2], weights[1::2]))
    x = data
    if case.network == "cnn":
        for kernel, bias in pairs[:2]:
            x = jax.lax.conv(x, kernel, (1, 1), "SAME") + bias[:, None, None]
            x = jax.lax.reduce_window(
                jax.nn.relu(x), -jnp.inf, jax.lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "SAME"
            )
        pairs = pairs[2:]
    x = x.reshape(len(x), -1)
    for weight, bias in pairs[:-1]:
        x = jax.nn.relu(x @ weight.T + bias)
    weight, bias = pairs[-1]
    return x @ weight.T + bias


def normalize(x: jax.Array, gamma: jax.Array, beta: jax.Array) -> jax.Array:
    """Normalise the last axis."""
    return gamma * jax.nn.standardize(x, epsilon=1e-5) + beta


def gpt(case: Case, weights: list[jax.Array], tokens: jax.Array) -> jax.Array:
    """Map (batch, length) to logits (batch, length, outputs)."""
    embedding, position, *rest = weights
    x = embedding[tokens] + position
    for _ in range(case.depth):
        (g1, b1, qw, qb, kw, vw, vb, ow, ob, g2, b2, uw, ub, dw, db), rest = rest[:15], rest[15:]
        y = normalize(x, g1, b1)
        q, k, v = (
            z.reshape(*z.shape[:2], HEADS, -1) for z in (y @ qw.T + qb, y @ kw.T, y @ vw.T + vb)
        )
        y = jax.nn.dot_product_attention(q, k, v, is_causal=True)
        x = x + y.reshape(x.shape) @ ow.T + ob
        y = normalize(x, g2, b2) @ uw.T + ub
        x = x + (y * jax.nn.sigmoid(1.702 * y)) @ dw.T + db
    gamma, beta, head = rest
    return normalize(x, gamma, beta) @ head.T


def adam(state, grads, beta1: float):
    """Update weights, (weights, mean, square, t), once."""
    weights, mean, square, t = state
    t = t + 1
    mean = [beta1 * m + (1 - beta1) * g for m, g in zip(mean, grads)]
    square = [0.999 * v + 0.001 * g * g for v, g in zip(square, grads)]
    weights = [
        w - LEARNING_RATE * (m / (1 - beta1**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8)
        for w, m, v in zip(weights, mean, square)
    ]
    return weights, mean, square, t


def start(weights: list[jax.Array]):
    """Make the state of ``adam``."""
    zeros, more = ([jnp.zeros_like(w) for w in weights] for _ in range(2))
    return weights, zeros, more, jnp.zeros((), jnp.float32)


def prepare(
    case: Case, arrays: dict[str, np.ndarray], scan: bool = False
) -> Callable[[int], float]:
    """Compile nothing yet: the first epoch does."""

    weights = [jnp.asarray(arrays[name]) for name in sorted(arrays) if name.startswith("w")]
    if case.network == "gan":
        step, state = gan(case, weights, arrays["data"])
    else:
        step, state = supervised(case, weights)
    one = jax.jit(step, donate_argnums=0)
    many = jax.jit(lambda state, batches: jax.lax.scan(step, state, batches), donate_argnums=0)

    def epoch(number: int) -> float:
        nonlocal state
        if case.network == "gan":
            batches = epoch_arrays(case, arrays["data"], number)
        else:
            order = case.order(number)
            batches = arrays["data"][order], arrays["label"][order]
        if scan:
            state, losses = many(state, batches)
            return float(losses.mean())
        kept = []
        for batch in zip(*batches):
            state, loss = one(state, batch)
            kept.append(loss)
        return float(jnp.stack(kept).mean())

    return epoch


def supervised(case: Case, weights: list[jax.Array]):
    """Make the step of one network, and its first state."""

    def loss_fn(weights, data, label):
        logits = forward(case, weights, data)
        if case.outputs == 1:
            return jnp.mean((logits - label) ** 2)
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), label[..., None], -1))

    def step(state, batch):
        loss, grads = jax.value_and_grad(loss_fn)(state[0], *batch)
        return adam(state, grads, case.beta1), loss

    return step, start(weights)


def gan(case: Case, weights: list[jax.Array], data: np.ndarray):
    """Make the alternating step of two networks, and their first states."""
    half = 2 * (case.depth + 1)
    middle, reach = middle_and_reach(data)

    def network(weights, x, slope):
        for weight, bias in zip(weights[:-2:2], weights[1:-2:2]):
            x = x @ weight.T + bias
            x = jnp.maximum(x, slope * x)
        return x @ weights[-2].T + weights[-1]

    def generate(weights, latent):
        return middle + reach * jnp.tanh(network(weights, latent, 0.0))

    def discriminator_loss(discriminator, generator, real, latent):
        fake = generate(generator, latent)
        logits = network(discriminator, real, 0.2), network(discriminator, fake, 0.2)
        return jnp.mean(jax.nn.softplus(-logits[0]) + jax.nn.softplus(logits[1]))

    def generator_loss(generator, discriminator, latent):
        return jnp.mean(jax.nn.softplus(-network(discriminator, generate(generator, latent), 0.2)))

    def step(state, batch):
        generator, discriminator = state
        real, latent = batch
        loss, grads = jax.value_and_grad(discriminator_loss)(
            discriminator[0], generator[0], real, latent[0]
        )
        discriminator = adam(discriminator, grads, case.beta1)
        grads = jax.grad(generator_loss)(generator[0], discriminator[0], latent[1])
        return (adam(generator, grads, case.beta1), discriminator), loss

    return step, (start(weights[:half]), start(weights[half:]))
