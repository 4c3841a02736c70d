"""Damaged and changed files: a table answers right or raises an error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT, cache_limit

from dragnet_probe import (
    DamagedTableError,
    DragnetError,
    GameTable,
    MissingTableError,
    Open,
    Table,
    Tablebase,
)


def test_every_flipped_bit_is_found(golden: Path) -> None:
    whole = golden.read_bytes()
    right = Open.bytes(whole).pursuit()
    sides: Any = ("police", "thief")
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << (place % 8)
        with pytest.raises(DamagedTableError):
            table = Open.bytes(damaged).pursuit()
            for turn in sides:
                try:
                    values = table.all_values(turn)
                except DamagedTableError:
                    continue
                # Damage elsewhere does not prevent an answer.
                assert np.array_equal(values.dtw, right.all_values(turn).dtw)
            table.check_sums()


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_file_that_changes_while_open_gives_errors_or_right_answers(
    golden: Path, tmp_path: Path, overwrite: bool
) -> None:
    whole = golden.read_bytes()
    right = Open.bytes(whole).pursuit()
    path = tmp_path / "changed.dtb"
    cells = [right.teams()[::7], right.cells]
    positions = [(team, thief) for team in cells[0].tolist() for thief in cells[1].tolist()]
    sides: Any = ("police", "thief")
    for kept in range(0, len(whole), len(whole) // 24):
        path.write_bytes(whole)
        with cache_limit(0):
            table = Open.path(path).pursuit()
        assert table.value(*positions[0], "police") == right.value(*positions[0], "police")
        # Opening for writing truncates the file that the table has open.
        path.write_bytes(whole[:kept] + bytes(len(whole) - kept if overwrite else 0))
        failed = 0
        for turn in sides:
            for team, thief in positions:
                try:
                    assert table.value(team, thief, turn) == right.value(team, thief, turn)
                except (DamagedTableError, OSError):
                    failed += 1
        # Sampled positions may all lie before the change.
        assert failed > 0 or kept > 0
        with pytest.raises((DamagedTableError, OSError)):
            table.check_sums()


def test_a_game_table_that_changes_while_open_gives_errors_or_right_answers(
    game: GameTable, tmp_path: Path
) -> None:
    whole = (ROOT / "formats/tests/golden/v2-graph.dtb").read_bytes()
    path = tmp_path / "changed.dtb"
    for kept in range(0, len(whole), 500):
        path.write_bytes(whole)
        with cache_limit(0):
            table = Open.path(path).game()
        path.write_bytes(whole[:kept])
        for position in range(len(game)):
            try:
                assert table.value(position) == game.value(position)
            except (DamagedTableError, OSError):
                continue
        with pytest.raises((DamagedTableError, OSError)):
            table.check_sums()


def test_a_truncated_file_is_refused(golden: Path, tmp_path: Path) -> None:
    whole = golden.read_bytes()
    path = tmp_path / "cut.dtb"
    for length in [0, 1, 7, 27, 100, 511, 512, len(whole) - 1]:
        path.write_bytes(whole[:length])
        for place in (Open.path, Open.mapped, Open.whole):
            with pytest.raises(DamagedTableError, match=r"cut\.dtb"):
                place(path).pursuit()
    path.write_bytes(whole + b"\0")
    with pytest.raises(DamagedTableError, match="follows the table's end"):
        Open.path(path).pursuit()


def test_errors_of_damaged_tables_name_the_file(golden: Path, tmp_path: Path) -> None:
    path = tmp_path / "damaged.dtb"
    table = None
    # Opening reads the moves and ends, which come last, and no values.
    for at in reversed(range(len(golden.read_bytes()))):
        damaged = bytearray(golden.read_bytes())
        damaged[at] ^= 1
        path.write_bytes(damaged)
        try:
            table = Open.path(path).pursuit()
            break
        except DamagedTableError as error:
            assert "damaged.dtb" in str(error)
    assert table is not None
    for ask in (table.check_sums, lambda: table.all_values("thief")):
        with pytest.raises(DamagedTableError, match=r"damaged\.dtb: block \d+ is damaged"):
            ask()


def test_a_tablebase_lists_unreadable_files(tmp_path: Path, table: Table) -> None:
    (tmp_path / "not.dtb").write_text("no table")
    (tmp_path / "other.txt").write_text("not looked at")
    tables = Tablebase(tmp_path)
    assert len(tables) == 0 and tables.paths == []
    (error,) = tables.unreadable
    assert isinstance(error, DamagedTableError) and "not.dtb" in str(error)
    with pytest.raises(MissingTableError, match="one more file cannot be read") as caught:
        tables.table(table.source)
    assert isinstance(caught.value, DragnetError) and isinstance(caught.value, LookupError)
