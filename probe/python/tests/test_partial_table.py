"""Partial tables, each beside the pursuit table from which it was made."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT

from dragnet_probe import (
    Cell,
    DamagedTableError,
    DragnetError,
    GameTable,
    Keep,
    NotKeptError,
    PartialTable,
    PositionError,
    Side,
    Table,
    WrongTableError,
)

GOLDEN = ROOT / "formats/tests/golden"
OUTCOMES = GOLDEN / "v2-outcomes.dtb"
SIDES: tuple[Side, Side] = ("police", "thief")


def positions(table: Table) -> Iterator[tuple[tuple[Cell, ...], Cell]]:
    """Yields the cells of the officers and of the thief of every position."""
    cells: list[Cell] = [(row, col) for row, col in table.cells.tolist()]
    for team in table.teams().tolist():
        for thief in cells:
            yield tuple((row, col) for row, col in team), thief


@pytest.mark.parametrize(
    ("name", "keeps", "size"),
    [
        ("v2-outcomes", "outcome", (2, 18)),
        ("v2-moves-police", "moves-of-police", (2, 9)),
        ("v2-moves-thief", "moves-of-thief", (1, 11)),
    ],
)
def test_each_table_says_what_it_keeps(name: str, keeps: Keep, size: tuple[int, int]) -> None:
    path = GOLDEN / f"{name}.dtb"
    for table in (PartialTable.open(path), PartialTable.from_bytes(path.read_bytes())):
        assert table.keeps == keeps
        assert (table.height, table.width) == size
        assert table.file_bytes == path.stat().st_size
        table.check_sums()


@pytest.mark.parametrize("kind", ["open", "bytes", "bytearray"])
def test_kept_outcomes_are_those_of_the_pursuit_table(kind: str) -> None:
    full = Table.open(GOLDEN / "v2-size.dtb")
    whole = OUTCOMES.read_bytes()
    opened = {
        "open": lambda: PartialTable.open(OUTCOMES),
        "bytes": lambda: PartialTable.from_bytes(whole),
        "bytearray": lambda: PartialTable.from_bytes(memoryview(bytearray(whole))),
    }
    partial = opened[kind]()
    assert (partial.board_text, partial.source, partial.officers) == (full.board_text, full.source, 1)
    for police, thief in positions(full):
        for turn in SIDES:
            assert partial.outcome(police, thief, turn) == full.value(police, thief, turn).outcome


@pytest.mark.parametrize(
    ("name", "source", "turn"),
    [("v2-moves-police", "v2-team", "police"), ("v2-moves-thief", "v2-cops", "thief")],
)
def test_kept_moves_are_best_moves_of_the_pursuit_table(name: str, source: str, turn: Side) -> None:
    partial = PartialTable.open(GOLDEN / f"{name}.dtb")
    full = Table.open(GOLDEN / f"{source}.dtb")
    moved = ended = 0
    for police, thief in positions(full):
        kept = partial.best_move(police, thief, turn)
        moves = full.moves(police, thief, turn)
        if kept is None:
            assert moves == []
            ended += 1
            continue
        best = [move.to for move in moves if (move.outcome, move.dtw) == (moves[0].outcome, moves[0].dtw)]
        assert kept.to in best and kept.world == 0
        moved += 1
    assert moved > 100 and ended > 10


def test_what_is_not_kept_has_an_error_of_its_own() -> None:
    outcomes = PartialTable.open(OUTCOMES)
    with pytest.raises(NotKeptError, match=r"v2-outcomes.dtb: .*keeps who wins") as caught:
        outcomes.best_move((0, 8), (0, 12), "police")
    assert isinstance(caught.value, DragnetError)
    moves = PartialTable.open(GOLDEN / "v2-moves-police.dtb")
    officers = [(0, 0), (0, 6)]
    with pytest.raises(NotKeptError, match="keeps the moves of the police"):
        moves.best_move(officers, (1, 8), "thief")
    with pytest.raises(NotKeptError, match="asked for who wins"):
        moves.outcome(officers, (1, 8), "police")


def test_tables_of_another_kind_are_refused() -> None:
    with pytest.raises(WrongTableError, match="v2-size"):
        PartialTable.open(GOLDEN / "v2-size.dtb")
    with pytest.raises(WrongTableError, match="v2-graph"):
        PartialTable.open(GOLDEN / "v2-graph.dtb")
    with pytest.raises(WrongTableError, match="partial table"):
        Table.open(OUTCOMES)
    with pytest.raises(WrongTableError, match="partial table"):
        GameTable.open(OUTCOMES)


def test_invalid_arguments_raise_their_exceptions(tmp_path: Path) -> None:
    partial = PartialTable.open(OUTCOMES)
    with pytest.raises(PositionError, match="the thief's cell 0,2 is a wall"):
        partial.outcome((0, 0), (0, 2), "police")
    with pytest.raises(PositionError, match="expected"):
        partial.outcome([(0, 0), (0, 1)], (0, 0), "police")
    with pytest.raises(ValueError, match="expected"):
        partial.outcome((0, 0), (0, 1), "nobody")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="access"):
        PartialTable.open(OUTCOMES, access="twice")  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        PartialTable.open(tmp_path / "none.dtb")
    with pytest.raises(DamagedTableError):
        PartialTable.from_bytes(b"")
    with pytest.raises(TypeError, match="expected bytes"):
        PartialTable.from_bytes("text")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(partial)


def test_every_flipped_bit_of_a_partial_table_is_found() -> None:
    whole = OUTCOMES.read_bytes()
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << (place % 8)
        with pytest.raises(DragnetError):
            PartialTable.from_bytes(damaged).check_sums()
