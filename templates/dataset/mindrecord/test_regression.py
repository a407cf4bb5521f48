

def test_labels_are_in_their_own_unit(table: Path):
    """By hand: labels 1 and 2, whatever their mean and deviation in the training rows are."""
    dataset = read(table)
    _, label = whole(dataset)
    found = np.ravel(label) * dataset.label_unit + dataset.label_mean
    np.testing.assert_allclose(np.sort(found), [1] * 10 + [2] * 10, rtol=1e-6)


def test_label_in_words_is_refused(tmp_path: Path):
    """By hand: the label of the first row is a word."""
    with pytest.raises(InputError, match="the label must be a number"):
        read(write(tmp_path, ["1,2,red", "1,2,3", "1,2,4"]))
