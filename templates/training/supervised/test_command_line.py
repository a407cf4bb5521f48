def test_bad_combinations(flags: list[str], capsys, tmp_path: Path):
    """Values that are right alone and wrong for this data."""
    run_dir = f"--run_dir={tmp_path / 'run'}"
    line = refuse(["train", *flags, "--batch_size=1000000", run_dir], capsys)
    assert "batch_size 1000000 is larger than the" in line
    line = refuse(["train", *flags, "--batch_size=9", "--accumulation_steps=2", run_dir], capsys)
    assert "batch_size 9 is not a multiple of accumulation_steps 2" in line
    assert not (tmp_path / "run").exists()


def test_debug_preset_trains_eagerly(flags: list[str], capsys, tmp_path: Path, monkeypatch):
    """``configs/debug.yaml`` takes one batch, and a print in the step prints at every step."""
    depend = f"{PACKAGE}.engine.finite.ops.depend"
    monkeypatch.setattr(depend, lambda loss, _: print("in the step") or loss)
    preset = f"--config={SOURCE.parent / 'configs' / 'debug.yaml'}"
    own = [flag for flag in flags if flag.startswith(("--dataset.", "--device", "--precision"))]
    main(["train", *own, preset, "--epochs=2", f"--run_dir={tmp_path / 'run'}", "--quiet"])
    assert capsys.readouterr().out.splitlines()[:-1] == ["in the step"] * 2
