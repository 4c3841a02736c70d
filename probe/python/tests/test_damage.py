"""Damaged files: a table answers right or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dragnet_probe import DamagedTableError, DragnetError, MissingTableError, Table, Tablebase


def test_a_flipped_bit_is_found(golden: Path) -> None:
    whole = golden.read_bytes()
    right = Table.from_bytes(whole)
    sides: Any = ("police", "thief")
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << (place % 8)
        with pytest.raises(DamagedTableError):
            table = Table.from_bytes(damaged)
            for turn in sides:
                try:
                    values = table.all_values(turn)
                except DamagedTableError:
                    continue
                # What is not needed for an answer does not keep it back.
                assert np.array_equal(values.dtw, right.all_values(turn).dtw)
            table.verify()


def test_a_file_that_is_cut_short_is_found(golden: Path, tmp_path: Path) -> None:
    whole = golden.read_bytes()
    path = tmp_path / "cut.dtb"
    for length in [0, 1, 7, 27, 100, 511, 512, len(whole) - 1]:
        path.write_bytes(whole[:length])
        for read in (Table.open, Table.read):
            with pytest.raises(DamagedTableError, match=r"cut\.dtb"):
                read(path)
    path.write_bytes(whole + b"\0")
    with pytest.raises(DamagedTableError, match="follows the table's end"):
        Table.open(path)


def test_damage_is_told_with_the_file(golden: Path, tmp_path: Path) -> None:
    damaged = bytearray(golden.read_bytes())
    damaged[-1] ^= 1
    path = tmp_path / "damaged.dtb"
    path.write_bytes(damaged)
    table = Table.open(path)
    for ask in (table.verify, lambda: table.all_values("thief")):
        with pytest.raises(DamagedTableError, match=r"damaged\.dtb: block \d+ is damaged"):
            ask()


def test_a_tablebase_tells_what_it_cannot_read(tmp_path: Path, table: Table) -> None:
    (tmp_path / "not.dtb").write_text("no table")
    (tmp_path / "other.txt").write_text("not looked at")
    tables = Tablebase(tmp_path)
    assert len(tables) == 0 and tables.paths == []
    (error,) = tables.unreadable
    assert isinstance(error, DamagedTableError) and "not.dtb" in str(error)
    with pytest.raises(MissingTableError, match="one more file cannot be read") as caught:
        tables.table(table.board, table.rules)
    assert isinstance(caught.value, DragnetError) and isinstance(caught.value, LookupError)
