"""Game tables."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT, cache_limit

from dragnet_probe import (
    DRAWN,
    LOST,
    RESULTS,
    WON,
    DamagedTableError,
    GameCounts,
    GameLongest,
    GameTable,
    GameValue,
    Open,
    PositionError,
    Result,
    WrongTableError,
)

GAME = ROOT / "formats/tests/golden/v2-graph.dtb"
PURSUIT = ROOT / "formats/tests/golden/v2-size.dtb"


def dumped() -> list[GameValue]:
    """Returns the values in the dump beside the table, which another reader has written."""
    results: dict[str, Result] = {"W": RESULTS[WON], "L": RESULTS[LOST], "D": RESULTS[DRAWN]}
    values = []
    for line in GAME.with_suffix(".txt").read_text().splitlines():
        if line.startswith("positions from"):
            for word in line.partition(":")[2].split():
                values.append(GameValue(results[word[0]], int(word[1:]) if word[1:] else None))
    return values


def test_every_value_is_the_one_in_the_dump() -> None:
    values = dumped()
    whole = GAME.read_bytes()
    tables = [
        Open.path(GAME).game(),
        Open.mapped(GAME).game(),
        Open.whole(GAME).game(),
        Open.bytes(whole).game(),
        Open.bytes(memoryview(bytearray(whole))).game(),
    ]
    with cache_limit(0):
        tables += [Open.path(GAME).game(), Open.mapped(bytes(GAME)).game()]
    for table in tables:
        assert len(table) == table.positions == len(values)
        for position, value in enumerate(values):
            assert table.value(position) == value
        for kind in (np.int64, np.uint64, np.int16, np.uint8):
            result, dtw = table.values(np.arange(len(values)).astype(kind))
            assert [RESULTS[code] for code in result] == [value.result for value in values]
            assert dtw.tolist() == [-1 if value.dtw is None else value.dtw for value in values]
        assert result.dtype == np.int8 and dtw.dtype == np.int32
        table.check_sums()
        results = [value.result for value in values]
        assert table.counts == GameCounts(*(results.count(word) for word in ("won", "lost", "drawn")))
        assert table.longest == GameLongest(31, 30)
        assert (table.name, table.file_bytes) == ("graph", len(whole))
    dump = GAME.with_suffix(".txt").read_text()
    assert f"= 0x{table.digest:016x}" in dump and f"= 0x{table.key:016x}" in dump


def test_best_is_the_successor_that_the_player_would_choose(game: GameTable) -> None:
    # For the opponent: lost sooner, lost later, drawn, won later, won sooner.
    order = [0, 2, 128, 31, 1]
    for first in range(len(order)):
        assert game.best(order[first:]) == order[first]
        assert game.best(np.array(order[first:][::-1])) == order[first]
    assert game.best([64, 65, 0]) == 64
    assert game.best([]) is None


def test_invalid_arguments_raise_their_exceptions(game: GameTable, tmp_path: Path) -> None:
    for number in (131, -1, 2**62, 2**63, 2**64, 10**30, -(10**30)):
        message = f"expected a position from 0 to 130, found {number}"
        with pytest.raises(PositionError, match=message) as caught:
            game.value(number)
        assert caught.value.index is None
    for number in (131, -1, 2**62):
        with pytest.raises(PositionError, match="position 1 of those asked") as caught:
            game.values([3, number])
        assert caught.value.index == 1
        with pytest.raises(PositionError):
            game.best([number])
    with pytest.raises(TypeError, match="expected integers as positions"):
        game.values([0.5])
    with pytest.raises(ValueError, match="in the shape"):
        game.values([[1, 2]])
    with pytest.raises(TypeError):
        game.value("hall")
    with pytest.raises(WrongTableError, match=r"v2-size.*open it as a pursuit table"):
        Open.path(PURSUIT).game()
    with pytest.raises(WrongTableError, match=r"v2-graph.*open it as a game table"):
        Open.path(GAME).pursuit()
    with pytest.raises(FileNotFoundError):
        Open.whole(tmp_path / "none.dtb").game()
    value = game.value(5)
    assert pickle.loads(pickle.dumps(value)) == value


def test_every_flipped_bit_of_a_game_table_is_found(game: GameTable) -> None:
    whole = GAME.read_bytes()
    right = [game.value(position) for position in range(len(game))]
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << (place % 8)
        with pytest.raises(DamagedTableError):
            table = Open.bytes(damaged).game()
            for position in range(0, len(right), 7):
                try:
                    assert table.value(position) == right[position]
                except DamagedTableError:
                    continue
            table.check_sums()
