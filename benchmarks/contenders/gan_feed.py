"""The rows and latents of an epoch of the GAN, as the rendered project draws them."""

import numpy as np

from ..cases import LATENT, Case

STEPS = 100


def epoch_arrays(case: Case, data: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Return real rows (steps, batch, *row) and latents (steps, 2, batch, latent)."""
    rng, latent_rng = np.random.default_rng((0, number)).spawn(2)
    order = rng.permutation(case.rows).reshape(case.steps, case.batch_size)
    latents = [
        latent_rng.standard_normal(
            (min(STEPS, case.steps - i), 2, case.batch_size, LATENT), np.float32
        )
        for i in range(0, case.steps, STEPS)
    ]
    return data[order], np.concatenate(latents)


def middle_and_reach(data: np.ndarray) -> tuple[float, float]:
    """Return what the last tanh of the generator is shifted and stretched by."""
    low, high = float(data.min()), float(data.max())
    return (high + low) / 2, (high - low) / 2
