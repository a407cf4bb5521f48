@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--dataset.environment=CartPol-v1"], "the nearest name is CartPole-v1"),
        (["--dataset.environment=FrozenLake-v1"], "observes Discrete(16): use one"),
        (["--batch_size=9999999", "--accumulation_steps=1"], "larger than a rollout"),
        (["--batch_size=9", "--accumulation_steps=2"], "9 is not a multiple"),
        (["--dataset.environments=0"], "environments is 0: input should be greater than 0"),
        (["--dataset.rollout_steps=0"], "rollout_steps is 0: input should be greater than 0"),
        (["--discount=1.5"], "discount is 1.5: input should be less than or equal to 1"),
        (["--gae_lambda=-0.1"], "gae_lambda is -0.1: input should be greater than or equal"),
    ],
)
def test_bad_combinations(arguments: list[str], message: str, capsys, tmp_path: Path):
    """Values that are wrong, or right alone and wrong for this environment; no run is begun."""
    run_dir = f"--run_dir={tmp_path / 'run'}"
    assert message in refuse(["train", *arguments, run_dir], capsys)
    assert not (tmp_path / "run").exists()


def test_debug_preset_trains_eagerly(capsys, tmp_path: Path, monkeypatch):
    """With ``configs/debug.yaml`` a print in the step prints at every step."""
    depend = f"{PACKAGE}.engine.finite.ops.depend"
    monkeypatch.setattr(depend, lambda loss, _: print("in the step") or loss)
    preset = f"--config={SOURCE.parent / 'configs' / 'debug.yaml'}"
    flags = ["--device=CPU", "--precision=float32", "--epochs=2", "--quiet"]
    main(["train", preset, *flags, f"--run_dir={tmp_path / 'run'}"])
    printed = capsys.readouterr().out.splitlines()[:-1]
    assert printed == ["in the step"] * len(printed)
    assert len(printed) in (2, 4, 6, 8), "a few updates in each of two rollouts"
