"""Python's reference, against the standard library itself."""

from pydoc_data.topics import topics

import numpy as np

from package.config import Config
from package.data import load


def test_rows_are_the_topics_in_order():
    """Oracle: the topics, joined here: every training row is the text at its place."""
    config = Config()
    config.dataset.length, config.dataset.stride = 10, 3
    dataset = load(config)
    text = "\n".join(text for _, text in sorted(topics.items())).encode()
    assert (dataset.shape, dataset.outputs) == ((10,), 256)
    for row in (0, 1, 1000, len(dataset.train.data) - 1):
        assert bytes(dataset.train.data[row].tolist()) == text[3 * row : 3 * row + 10]
        assert bytes(dataset.train.label[row].tolist()) == text[3 * row + 1 : 3 * row + 11]
    assert bytes(dataset.test.label[-1].tolist()) == text[-10:]


def test_text_is_large_and_english():
    """Oracle: what the README says, for any version of Python that MindSpore runs on."""
    test = load(Config()).test.label
    assert 40_000 < test.size < 60_000
    assert np.isin(np.frombuffer(b"etaoins", np.uint8), test).all()


def test_run_tests_the_same_bytes_again():
    """Oracle: equality, and nothing to remark."""
    run = load(Config())
    again = load(Config(), run.kept)
    np.testing.assert_array_equal(run.test.data, again.test.data)
    assert again.remarks == []


def test_seed_does_not_change_the_split():
    """Oracle: equality; the last tenth stays the last tenth."""
    other = Config()
    other.seed = 1
    np.testing.assert_array_equal(load(Config()).test.data, load(other).test.data)
