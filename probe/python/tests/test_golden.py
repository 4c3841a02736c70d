"""The golden tables compared with the dumps beside them, which another reader has written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from conftest import cache_limit

from dragnet_probe import OUTCOMES, Cell, Cells, Counts, Longest, Open, Tablebase, Value


def dumped(path: Path) -> Iterator[tuple[str, Cells, Cell, Value]]:
    """Yields the positions in a dump: side to move, officers' cells, thief's cell, value."""
    cells: list[tuple[int, int]] = []
    for line in path.read_text().partition("-- Values")[2].splitlines():
        words = line.split()
        if words[:1] == ["cell"]:
            cells = [(int(row), int(col)) for row, col in (word.split(",") for word in words[1:])]
        start = re.match(r"(police|thief)-([\d,+]+):", line)
        if not start:
            continue
        pairs = (cell.split(",") for cell in start[2].split("+"))
        turn, police = start[1], tuple((int(row), int(col)) for row, col in pairs)
        other = {"police": "thief", "thief": "police"}[turn]
        for thief, word in zip(cells, words[1:], strict=True):
            winner: Any = {"W": turn, "L": other, "D": "draw"}[word[0]]
            yield turn, police, thief, Value(winner, int(word[1:]) if word[1:] else None)


def test_every_value_is_the_one_in_the_dump(golden: Path) -> None:
    with golden.open("rb") as file:
        places = [Open.path(golden), Open.whole(golden), Open.bytes(file.read()), Open.mapped(golden)]
    tables = [place.pursuit() for place in places]
    with cache_limit(0):
        tables += [Open.path(golden).pursuit(), Open.mapped(golden).pursuit()]
    values = list(dumped(golden.with_suffix(".txt")))
    for table in tables:
        assert len(values) == table.positions
        for turn, police, thief, value in values:
            side: Any = turn
            assert table.value(police, thief, side) == value
            assert table.row(police=police, turn=side).dtw[thief] == (-1 if value.dtw is None else value.dtw)
        table.check_sums()


def test_properties_agree_with_the_values(golden: Path) -> None:
    table = Open.path(golden).pursuit()
    values = list(dumped(golden.with_suffix(".txt")))
    for turn, counts in table.counts.items():
        outcomes = [value.outcome for side, _, _, value in values if side == turn]
        assert counts == Counts(outcomes.count("police"), outcomes.count("thief"), outcomes.count("draw"))
    longest = [
        max((value.dtw or 0 for *_, value in values if value.outcome == side), default=0)
        for side in ("police", "thief")
    ]
    assert table.longest == Longest(*longest)
    assert f"= 0x{table.digest:016x}" in golden.with_suffix(".txt").read_text()
    assert table.file_bytes == golden.stat().st_size
    assert (table.height, table.width) == table.board.shape
    assert np.array_equal(table.cells, np.argwhere(table.board))
    lines = table.board_text.splitlines()
    assert [["#.E"[square] for square in row] for row in table.board] == [list(line) for line in lines]


def test_tables_are_found_by_their_source(golden: Path) -> None:
    tables = Tablebase([golden.parent], open_tables=1)
    table = Open.path(golden).pursuit()
    assert tables.table(table.source).digest == table.digest
    assert golden in tables.paths and len(tables) == len(tables.paths) and tables.unreadable == []


def test_moves_and_lines_agree_with_the_values(golden: Path) -> None:
    table = Open.path(golden).pursuit()
    other: Any = {"police": "thief", "thief": "police"}
    for turn, police, thief, value in dumped(golden.with_suffix(".txt")):
        side: Any = turn
        moves = table.moves(police, thief, side)
        for move in moves:
            to: Any = move.to
            officers, cell = (to, thief) if side == "police" else (police, to)
            assert table.value(officers, cell, other[side]) == Value(move.outcome, move.dtw)
        line = table.line(police, thief, side)
        assert line.value == value and line.moves[:1] == moves[:1]
        if value.dtw is None:
            assert line.end == "repetition"
        else:
            assert len(line.moves) == value.dtw and line.end != "repetition"
        winner = table.winner(police, thief, side)
        assert winner is None or (value == Value(winner, 0) and moves == [])
        assert value.outcome in OUTCOMES
