"""Tables that are kept: bytes, files and pickles."""

from __future__ import annotations

import copy
import os
import pickle
import shutil
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

from dragnet_probe import DamagedTableError, GameTable, Open, Table

GOLDEN = ROOT / "formats/tests/golden"
KEPT: list[tuple[Any, Path]] = [
    (Table, GOLDEN / "v2-size.dtb"),
    (Table, GOLDEN / "v2-speed.dtb"),
    (Table, GOLDEN / "v2-cops.dtb"),
    (GameTable, GOLDEN / "v2-graph.dtb"),
]


@pytest.mark.parametrize(("kind", "path"), KEPT)
def test_a_table_is_kept_byte_for_byte(kind: Any, path: Path, tmp_path: Path) -> None:
    expected = path.read_bytes()
    for place in (Open.path(path), Open.mapped(path), Open.whole(path), Open.bytes(expected)):
        table: Any = place.any()
        assert table.to_bytes() == expected
        table.save(tmp_path / "new" / "kept.dtb")
        assert (tmp_path / "new" / "kept.dtb").read_bytes() == expected
        assert os.listdir(tmp_path / "new") == ["kept.dtb"]
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(table, protocol))
            assert type(again) is kind and again.to_bytes() == expected
    opened: Any = Open.path(path).any()
    assert copy.deepcopy(opened).digest == opened.digest


def test_a_file_stays_as_it_was_when_it_cannot_be_replaced(table: Table, tmp_path: Path) -> None:
    (tmp_path / "folder.dtb").mkdir()
    (tmp_path / "folder.dtb" / "inside").touch()
    with pytest.raises(IsADirectoryError) as raised:
        table.save(tmp_path / "folder.dtb")
    assert raised.value.filename == str(tmp_path / "folder.dtb")
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"):
        table.save(tmp_path / "file" / "kept.dtb")
    assert sorted(os.listdir(tmp_path)) == ["file", "folder.dtb"]


def test_a_link_is_kept_and_its_target_replaced(table: Table, tmp_path: Path) -> None:
    (tmp_path / "target.dtb").write_text("old")
    (tmp_path / "link.dtb").symlink_to("target.dtb")
    table.save(tmp_path / "link.dtb")
    assert (tmp_path / "link.dtb").is_symlink()
    assert Open.path(tmp_path / "target.dtb").pursuit().digest == table.digest


def test_a_file_that_has_changed_is_not_kept(tmp_path: Path) -> None:
    path = shutil.copy(GOLDEN / "v2-size.dtb", tmp_path / "table.dtb")
    table = Open.path(path).pursuit()
    with open(path, "ab") as file:
        file.write(b"more")
    for keep in (table.to_bytes, lambda: table.save(tmp_path / "kept.dtb"), lambda: pickle.dumps(table)):
        with pytest.raises(DamagedTableError, match="changed while it was open"):
            keep()
    assert os.listdir(tmp_path) == ["table.dtb"]
