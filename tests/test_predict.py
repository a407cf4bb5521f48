"""A run predicts what it is tested on, wherever it is and whatever became of its table."""

import json
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score, mean_absolute_error

from .test_trains import package


@pytest.mark.parametrize(
    "task", ["classification", pytest.param("regression", marks=pytest.mark.slow)]
)
def test_prediction_has_the_metric_of_the_evaluation(task: str, render, tmp_path: Path):
    """The run is moved, its table gone; new rows are the tested ones, in other order and columns."""
    rng = np.random.default_rng(0)
    part = np.repeat(["train", "validation", "test"], [300, 100, 100])
    table = pd.DataFrame(
        {
            "id": [f"p{i}" for i in range(500)],
            "x": rng.standard_normal(500),
            "c": rng.choice(["u", "v", "w"], 500),
            "z": np.where(rng.random(500) < 0.1, np.nan, rng.standard_normal(500)),
            "part": part,
        }
    )
    number = 5e4 + 1e3 * (table.x + (table.c == "u"))
    table["y"] = number if task == "regression" else np.where(number > 5e4, "high", "low")
    table.to_csv(tmp_path / "data.csv", index=False)

    project, run = render(task=task, dataset="csv", network="mlp"), tmp_path / "moved"
    flags = ["--dataset.id=id", "--dataset.split=part", "--epochs=2", "--quiet"]
    flags += [f"--dataset.path={tmp_path / 'data.csv'}", f"--run_dir={tmp_path / 'run'}"]
    package(project, "train", *flags)
    expected = json.loads(
        package(project, "evaluate", "--json", f"--checkpoint={tmp_path / 'run'}")
    )
    shutil.move(tmp_path / "run", run)
    (tmp_path / "data.csv").unlink()

    new = table[part == "test"][::-1].assign(more=1)
    new[["z", "more", "c", "id", "x"]].to_csv(tmp_path / "new.csv", index=False)
    files = [f"--input={tmp_path / 'new.csv'}", f"--output={tmp_path / 'out.csv'}"]
    package(project, "predict", f"--checkpoint={run}", *files)
    found = pd.read_csv(tmp_path / "out.csv")
    assert found["row"].tolist() == new["id"].tolist()
    if task == "regression":
        error = mean_absolute_error(new["y"], found["prediction"])
        assert error == pytest.approx(expected["mae"], rel=1e-6)
    else:
        assert accuracy_score(new["y"], found["class"]) == expected["accuracy"]
        np.testing.assert_allclose(found["p(high)"] + found["p(low)"], 1, atol=1e-6)
