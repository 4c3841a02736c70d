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
    Open,
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
    for table in (Open.path(path).partial(), Open.bytes(path.read_bytes()).partial()):
        assert table.keeps == keeps
        assert (table.height, table.width) == size
        assert table.file_bytes == path.stat().st_size
        table.check_sums()


@pytest.mark.parametrize("kind", ["open", "bytes", "bytearray"])
def test_kept_outcomes_are_those_of_the_pursuit_table(kind: str) -> None:
    full = Open.path(GOLDEN / "v2-size.dtb").pursuit()
    whole = OUTCOMES.read_bytes()
    opened = {
        "open": lambda: Open.path(OUTCOMES).partial(),
        "bytes": lambda: Open.bytes(whole).partial(),
        "bytearray": lambda: Open.bytes(memoryview(bytearray(whole))).partial(),
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
    partial = Open.path(GOLDEN / f"{name}.dtb").partial()
    full = Open.path(GOLDEN / f"{source}.dtb").pursuit()
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
    outcomes = Open.path(OUTCOMES).partial()
    with pytest.raises(NotKeptError, match=r"v2-outcomes.dtb: .*keeps who wins") as caught:
        outcomes.best_move((0, 8), (0, 12), "police")
    assert isinstance(caught.value, DragnetError)
    moves = Open.path(GOLDEN / "v2-moves-police.dtb").partial()
    officers = [(0, 0), (0, 6)]
    with pytest.raises(NotKeptError, match="keeps the moves of the police"):
        moves.best_move(officers, (1, 8), "thief")
    with pytest.raises(NotKeptError, match="asked for who wins"):
        moves.outcome(officers, (1, 8), "police")


def test_tables_of_another_kind_are_refused() -> None:
    with pytest.raises(WrongTableError, match="v2-size"):
        Open.path(GOLDEN / "v2-size.dtb").partial()
    with pytest.raises(WrongTableError, match="v2-graph"):
        Open.path(GOLDEN / "v2-graph.dtb").partial()
    with pytest.raises(WrongTableError, match="partial table"):
        Open.path(OUTCOMES).pursuit()
    with pytest.raises(WrongTableError, match="partial table"):
        Open.path(OUTCOMES).game()
    for name, kind in (("v2-size", Table), ("v2-graph", GameTable), ("v2-outcomes", PartialTable)):
        assert isinstance(Open.path(GOLDEN / f"{name}.dtb").any(), kind)


def test_invalid_arguments_raise_their_exceptions(tmp_path: Path) -> None:
    partial = Open.path(OUTCOMES).partial()
    with pytest.raises(PositionError, match="the thief's cell 0,2 is a wall"):
        partial.outcome((0, 0), (0, 2), "police")
    with pytest.raises(PositionError, match="expected"):
        partial.outcome([(0, 0), (0, 1)], (0, 0), "police")
    with pytest.raises(ValueError, match="expected"):
        partial.outcome((0, 0), (0, 1), "nobody")  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        Open.path(tmp_path / "none.dtb").partial()
    with pytest.raises(DamagedTableError):
        Open.bytes(b"").partial()
    with pytest.raises(TypeError, match="expected bytes"):
        Open.bytes("text").partial()  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(partial)


def test_every_flipped_bit_of_a_partial_table_is_found() -> None:
    whole = OUTCOMES.read_bytes()
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << (place % 8)
        with pytest.raises(DragnetError):
            Open.bytes(damaged).partial().check_sums()
