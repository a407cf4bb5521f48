"""A text file: small files whose right rows, or right refusals, were worked out by hand."""

from pathlib import Path

import numpy as np
import pytest

from package.config import Config
from package.data import load
from package.engine.errors import InputError
from package.engine.rows import Dataset


def read(path: Path, content: bytes, length: int = 3) -> Dataset:
    """Load ``content`` from a file at ``path``."""
    path.write_bytes(content)
    config = Config()
    config.dataset.path = str(path)
    config.dataset.length, config.dataset.stride = length, 1
    return load(config)


def refusal(path: Path, content: bytes) -> str:
    """Load ``content``, which must be refused, and return the message."""
    with pytest.raises(InputError) as caught:
        read(path, content)
    return str(caught.value)


def test_rows_are_bytes(tmp_path: Path):
    """By hand: 12 bytes in rows of 3; the last 3 are tested, the 3 before them validated."""
    dataset = read(tmp_path / "a.txt", "a语b语c\n01".encode())
    assert (dataset.shape, dataset.outputs) == ((3,), 256)
    assert dataset.train.data[0].tolist() == [0x61, 0xE8, 0xAF]
    assert dataset.train.data[-1].tolist() == [0xAF, 0xAD, 0x62]
    assert dataset.train.label[-1].tolist() == [0xAD, 0x62, 0xE8]
    assert dataset.validation.label.tolist() == [[0xAF, 0xAD, 0x63]]
    assert dataset.test.label.tolist() == [[0x0A, 0x30, 0x31]]


def test_byte_order_mark_does_not_count(tmp_path: Path):
    """By hand: the same bytes with the mark of Windows editors and without it."""
    dataset = read(tmp_path / "a.txt", b"\xef\xbb\xbfabcdefghij")
    assert bytes(dataset.train.data[0].tolist()) == b"abc"


def test_line_ends_stay(tmp_path: Path):
    """By hand: a carriage return is a byte like any other."""
    assert bytes(read(tmp_path / "a.txt", b"a\r\nbcdefghi").train.data[0].tolist()) == b"a\r\n"


@pytest.mark.parametrize("name, why", [("a.txt", "name a file"), ("", "holds no text: name")])
def test_missing_text(tmp_path: Path, name: str, why: str):
    """The line names the path and the flag; a hidden file in a folder does not count."""
    (tmp_path / ".hidden").write_text("not for you")
    config = Config()
    config.dataset.path = str(tmp_path / name)
    with pytest.raises(InputError, match=rf"{why}.* with --dataset.path") as caught:
        load(config)
    assert str(tmp_path / name) in str(caught.value)


def test_files_of_a_folder_follow_each_other(tmp_path: Path):
    """By hand: in the order of their paths, each without its byte-order mark."""
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c.txt").write_bytes(b"ghijkl")
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbfabcdef")
    config = Config()
    config.dataset.path, config.dataset.length = str(tmp_path), 3
    config.dataset.stride = 3
    dataset = load(config)
    assert bytes(np.ravel(dataset.train.data)) == b"abc"
    assert bytes(dataset.test.label.ravel()) == b"jkl"
    assert f"2 files in {tmp_path}: a.txt, {Path('b') / 'c.txt'}" in dataset.found


def test_bad_byte_is_found_anywhere(tmp_path: Path, monkeypatch):
    """By hand: blocks of 4 bytes, in one of which a character is cut; the bad byte is at 9."""
    monkeypatch.setitem(load.__globals__, "BLOCK", 4)
    text = "abc狐defg".encode()
    assert len(read(tmp_path / "a.txt", text).train.data) == 1
    assert "UTF-8 at byte 9, 0xff" in refusal(tmp_path / "a.txt", text[:9] + b"\xff")
    assert "UTF-8 at byte 8, 0xe7" in refusal(tmp_path / "a.txt", b"abcdefgh" + text[3:5])


def test_too_little_text(tmp_path: Path):
    """By hand: rows of 3 need 3 times 3 bytes and one; an empty file has none."""
    path = tmp_path / "a.txt"
    assert len(read(path, b"0123456789").train.data) == 1
    assert refusal(path, b"012345678").startswith(f"{path}: a text of 9 bytes is too short")
    assert refusal(path, b"").startswith(f"{path}: a text of 0 bytes is too short")


def test_other_encodings_are_refused(tmp_path: Path):
    """By hand: Latin-1's é is no UTF-8, at byte 3; UTF-16 starts with 0xff."""
    path = tmp_path / "a.txt"
    assert f"{path} is not UTF-8 at byte 3, 0xe9" in refusal(path, b"caf\xe9 and more of it")
    assert "at byte 0, 0xff" in refusal(path, "more of it".encode("utf-16"))


def test_run_knows_its_text_wherever_it_is(tmp_path: Path):
    """By hand: the same bytes in another file; another text is said to be one."""
    run = read(tmp_path / "a.txt", b"first\nsecond\nthird\nfourth\n")
    config = Config()
    config.dataset.path, config.dataset.length = str(tmp_path / "b.txt"), 3
    (tmp_path / "b.txt").write_bytes(b"first\nsecond\nthird\nfourth\n")
    again = load(config, run.kept)
    assert np.array_equal(again.test.data, run.test.data)
    assert again.remarks == []
    (tmp_path / "b.txt").write_bytes(b"something else\n")
    assert f"{tmp_path / 'b.txt'} has 1 line," in load(config, run.kept).remarks[0]
