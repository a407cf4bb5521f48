"""What generated images are judged by."""

import warnings
from collections.abc import Callable

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

from .config import Config
from .engine.errors import InputError
from .engine.rows import Dataset, Split
from .engine.streams import Rows

FEATURES = 64
"""hidden units of the classifier in whose terms images are compared"""
MOST = 10_000
"""rows on which it is trained, and rows that are compared, at most"""


def create_measure(
    config: Config, dataset: Dataset
) -> Callable[[np.ndarray, Rows], dict[str, float]]:
    """Make ``measure(samples, real)`` for images (rows, channels, height, width) of either kind.

    ``frechet`` is the Frechet distance between the features of the two, 0 if they have the same
    mean and covariance. As in M. Heusel et al., *GANs trained by a two time-scale update rule
    converge to a local Nash equilibrium*, 2017, the features are what a trained classifier makes of
    an image; but the classifier is a small one, trained on the dataset's own rows. So the numbers
    of two runs compare if their dataset is the same, and none does with those of papers.
    """
    features = create_features(dataset.train)

    def measure(samples: np.ndarray, real: Rows) -> dict[str, float]:
        return {"frechet": frechet_distance(features(samples), features(np.asarray(real[:MOST])))}

    return measure


def create_features(split: Split) -> Callable[[np.ndarray], np.ndarray]:
    """Train a classifier on a split; return the function from images to its hidden units.

    The same rows give the same features, whatever the run's seed is.

    Raises:
        InputError: the split is empty, as in an evaluation on other data.
    """
    if not len(split.data):
        raise InputError(
            "none of the rows that the run trained on is there: the Frechet distance is taken in "
            "the terms of a classifier of those rows"
        )
    rows, label = split.first(MOST)
    classifier = MLPClassifier((FEATURES,), max_iter=50, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # good features need no more
        classifier.fit(np.asarray(rows).reshape(len(rows), -1), label)
    weight, bias = classifier.coefs_[0], classifier.intercepts_[0]

    def features(images: np.ndarray) -> np.ndarray:
        return np.maximum(images.reshape(len(images), -1) @ weight + bias, 0)

    return features


def frechet_distance(first: np.ndarray, second: np.ndarray) -> float:
    r"""Return the squared Frechet distance between Gaussians with the moments of two sets of rows.

    .. math::
        \lVert \mu_1 - \mu_2 \rVert^2 + \operatorname{tr} \left( \Sigma_1 + \Sigma_2
        - 2 (\Sigma_1^{1/2} \Sigma_2 \Sigma_1^{1/2})^{1/2} \right)

    It is NaN if a row is not finite. D. C. Dowson and B. V. Landau, *The Frechet distance between
    multivariate normal distributions*, 1982.

    Args:
        first: (rows, features).
        second: (rows, features), of as many features and any number of rows.
    """
    first, second = first.astype(np.float64), second.astype(np.float64)
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        return float("nan")
    shift = first.mean(axis=0) - second.mean(axis=0)
    covariances = [covariance(rows) for rows in (first, second)]
    values, vectors = np.linalg.eigh(covariances[0])
    root = vectors * np.sqrt(np.maximum(values, 0)) @ vectors.T
    squares = np.linalg.eigvalsh(root @ covariances[1] @ root)
    spread = sum(np.trace(c) for c in covariances) - 2 * np.sqrt(np.maximum(squares, 0)).sum()
    return float(shift @ shift + spread)


def covariance(rows: np.ndarray) -> np.ndarray:
    """Return the matrix of second moments about the mean, (features, features); 0 for one row."""
    centred = rows - rows.mean(axis=0)
    return centred.T @ centred / len(rows)


def score(metrics: dict[str, float]) -> float:
    """Return what the best weights have the most of: closeness to the real images."""
    return -metrics["frechet"]
