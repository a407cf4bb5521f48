{%% if cookiecutter.task == "language_model" %%}
{%% include "task/language_model/test_text.py" %%}
{%% else %%}
def test_every_row_is_in_one_split():
    """Together the three splits are 0 .. rows - 1, 15 % of them held out twice."""
    train, validation, test = batches.split_rows(100, seed=0)
    assert (len(train), len(validation), len(test)) == (70, 15, 15)
    assert sorted([*train, *validation, *test]) == list(range(100))


def test_three_rows_are_enough():
    """One row a split is the least; two rows are refused."""
    assert [len(split) for split in batches.split_rows(3, seed=0)] == [1, 1, 1]
    with pytest.raises(InputError, match="2 rows"):
        batches.split_rows(2, seed=0)


def test_seed_decides_the_split():
    """The same seed gives the same split, another one another."""
    first, again, other = (batches.split_rows(100, seed)[0] for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
{%% endif %%}


def test_first_rows_keep_their_labels():
    """The first four rows are 0 .. 3, data and labels."""
    first = ROWS.first(4)
    assert first.data[:, 0].tolist() == first.label.tolist() == [0, 1, 2, 3]
    assert len(ROWS.first(None).data) == 10


def test_batch_larger_than_the_data_is_refused():
    """It would be an epoch without a step."""
    with pytest.raises(InputError, match="batch_size 11 is larger than the 10"):
        batches.steps_per_epoch(10, 11)
