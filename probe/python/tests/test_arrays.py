"""Arrays of values compared with single probes, and invalid arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dragnet_probe import DRAW, OUTCOMES, POLICE, THIEF, WALL, Open, PositionError, Table, Values

SIDES: Any = {POLICE: "police", THIEF: "thief"}
INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i2", ">u4", ">i8"]


def everything(table: Table) -> NDArray[np.int64]:
    """Returns all positions of a table."""
    cells = table.cells.tolist()
    teams = table.teams().reshape(-1, 2 * table.officers).tolist()
    return np.array([(*p, *t, turn) for p in teams for t in cells for turn in (POLICE, THIEF)])


def check(table: Table, positions: NDArray[Any], values: Values) -> None:
    """Checks that every value is the one of a single probe."""
    assert values.outcome.dtype == np.int8 and values.dtw.dtype == np.int32
    assert values.outcome.shape == values.dtw.shape == (len(positions),)
    for (*police, tr, tc, turn), outcome, dtw in zip(positions.tolist(), *values, strict=True):
        officers = list(zip(police[::2], police[1::2], strict=True))
        value = table.value(officers, (tr, tc), SIDES[turn])
        assert OUTCOMES[outcome] == value.outcome
        assert dtw == (-1 if value.dtw is None else value.dtw)


def test_batches_equal_single_probes(golden: Path) -> None:
    table = Open.path(golden).pursuit()
    positions = everything(table)
    rng = np.random.default_rng(0)
    for batch in (positions, rng.permutation(positions), positions[rng.integers(0, len(positions), 3000)]):
        check(table, batch, table.values(batch))
        police, thief, turn = officers(table, batch[:, :-3]), batch[:, -3:-1], batch[:, -1]
        check(table, batch, table.values(police=police, thief=thief, turn=turn))


def officers(table: Table, columns: NDArray[Any]) -> NDArray[Any]:
    """Returns the officers' columns in the shape of the argument police."""
    several = table.officers > 1
    return columns.reshape(len(columns), -1, 2) if several else columns


def test_rows_and_all_values_equal_batches(golden: Path) -> None:
    table = Open.path(golden).pursuit()
    sides: Any = ("police", "thief")
    for turn in sides:
        whole = table.all_values(turn)
        teams = table.teams()
        assert whole.outcome.shape == whole.dtw.shape == (len(teams), len(table.cells))
        for number, police in enumerate(teams):
            rows = [(table.row(police=police, turn=turn), whole.outcome[number], whole.dtw[number])]
            if len(police) == 1:
                row = table.row(thief=police[0], turn=turn)
                rows += [(row, whole.outcome[:, number], whole.dtw[:, number])]
            for row, outcome, dtw in rows:
                assert row.outcome.shape == table.board.shape
                assert np.array_equal(row.outcome[table.board > 0], outcome)
                assert np.array_equal(row.dtw[table.board > 0], dtw)
                assert (row.outcome[table.board == 0] == WALL).all() and (
                    row.dtw[table.board == 0] == -1
                ).all()
        codes = np.array([POLICE, THIEF, DRAW])
        assert tuple((whole.outcome[..., None] == codes).sum(axis=(0, 1))) == table.counts[turn]
        place, thief = np.indices(whole.dtw.shape).reshape(2, -1)
        places = officers(table, teams[place].reshape(len(place), -1))
        values = table.values(police=places, thief=table.cells[thief], turn=turn)
        assert np.array_equal(values.outcome, whole.outcome.ravel())
        assert np.array_equal(values.dtw, whole.dtw.ravel())


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_may_have_any_type_and_layout(table: Table, dtype: str) -> None:
    positions = everything(table).astype(dtype)
    check(table, positions, table.values(positions))
    for odd in (positions[::-3], np.asfortranarray(positions), np.repeat(positions, 2, axis=1)[:, ::2]):
        assert not odd.flags.c_contiguous
        check(table, odd, table.values(odd))
    wide = np.concatenate([positions, positions], axis=1)
    values = table.values(police=wide[::2, 5:7], thief=wide[::2, 2:4], turn=wide[::2, 9])
    check(table, positions[::2], values)
    positions.setflags(write=False)
    check(table, positions, table.values(positions))


def test_one_for_all(table: Table) -> None:
    row = table.row(police=(0, 0), turn="thief").dtw[table.board > 0]
    for police in ((0, 0), [0, 0], np.zeros(2, dtype=int)):
        assert np.array_equal(table.values(police=police, thief=table.cells, turn="thief").dtw, row)
    turns = [POLICE, THIEF]
    assert table.values(police=(0, 0), thief=(3, 4), turn=turns).dtw.tolist() == [4, 3]
    assert table.values(np.empty((0, 5), dtype=int)).dtw.shape == (0,)
    assert table.values(police=np.empty((0, 2), dtype=int), thief=(0, 0), turn="police").dtw.shape == (0,)


@pytest.mark.parametrize(
    "wrong",
    [
        [0, 0, 3, 4, 1],
        [[0, 0, 3, 4]],
        [[[0, 0, 3, 4, 1]]],
        [[0, 0, 3, 4, 0]],
        [[0, 0, 3, 4, 3]],
        [[0, 0, 3, 4, -1]],
        np.empty((0, 4), dtype=int),
    ],
)
def test_wrong_shapes_and_sides_are_refused(table: Table, wrong: Any) -> None:
    with pytest.raises(ValueError, match="expected"):
        table.values(wrong)


@pytest.mark.parametrize(
    "wrong",
    [[], [[0.0, 0, 3, 4, 1]], [["0", "0", "3", "4", "1"]], [[True] * 5], None, "police", object(), {}],
)
def test_wrong_types_are_refused(table: Table, wrong: Any) -> None:
    with pytest.raises(TypeError, match="expected"):
        table.values(wrong)


@pytest.mark.parametrize(
    ("column", "number"), [(0, -1), (0, 4), (1, 5), (1, 65536), (2, 2**40), (2, -(2**63)), (3, 3), (1, 4)]
)
def test_the_error_names_the_first_invalid_position(table: Table, column: int, number: int) -> None:
    positions = everything(table)[:100]
    positions[40:, 2:4] = (3, 4)
    positions[40, column] = number
    positions[41, 0] = -1
    with pytest.raises(PositionError, match="position 40 of those asked") as caught:
        table.values(positions)
    assert caught.value.index == 40


def test_large_numbers_do_not_wrap_around_to_valid_cells(table: Table) -> None:
    for number in (2**16, 2**32, 2**63, 2**64 - 1):
        positions = np.array([[number, 0, 3, 4, 1]], dtype=np.uint64)
        with pytest.raises(PositionError, match="off the board"):
            table.values(positions)


def test_arguments_of_different_lengths_are_refused(table: Table) -> None:
    values: Any = table.values
    cells = table.cells
    with pytest.raises(ValueError, match="as many elements in thief as in police, 15, found 14"):
        values(police=cells, thief=cells[1:], turn="police")
    with pytest.raises(ValueError, match="expected turn in the shape"):
        values(police=cells, thief=cells, turn=[[1]])
    with pytest.raises(ValueError, match="found a single position; call value"):
        values(police=(0, 0), thief=(0, 0), turn="police")
    with pytest.raises(ValueError, match="expected 'police' or 'thief'"):
        values(police=cells, thief=cells, turn="draw")
    for wrong in ({}, {"police": cells}, {"police": cells, "thief": cells}):
        with pytest.raises(TypeError, match="either positions or"):
            values(**wrong)
    with pytest.raises(TypeError, match="either positions or"):
        values(everything(table), turn="police")


def test_teams_of_a_wrong_shape_are_refused(team: Table) -> None:
    right = team.values(police=[(0, 0), (0, 6)], thief=team.cells, turn="police").dtw
    assert np.array_equal(right, team.row(police=[(0, 6), (0, 0)], turn="police").dtw[team.board > 0])
    assert team.values([[0, 0, 0, 6, 1, 8, POLICE], [0, 6, 0, 0, 1, 8, POLICE]]).dtw.tolist() == [1, 1]
    for wrong in ((0, 0), team.cells, np.zeros((3, 3, 2), dtype=int), [[[0, 0, 0, 6]]]):
        with pytest.raises(ValueError, match=r"expected police in the shape \(n, 2, 2\) or \(2, 2\)"):
            team.values(police=wrong, thief=team.cells, turn="police")
    with pytest.raises(ValueError, match=r"in the shape \(n, 7\)"):
        team.values([[0, 0, 3, 4, 1]])
    with pytest.raises(PositionError, match="the police's cell 0,4 is a wall") as caught:
        team.values(police=[[(0, 0), (0, 1)], [(0, 0), (0, 4)]], thief=(0, 0), turn="police")
    assert caught.value.index == 1


def test_all_values_refuses_to_exceed_max_bytes(table: Table) -> None:
    assert table.all_values("police", max_bytes=15 * 15 * 5).dtw.shape == (15, 15)
    with pytest.raises(ValueError, match="max_bytes"):
        table.all_values("police", max_bytes=15 * 15 * 5 - 1)


def test_shared_arrays_are_read_only(table: Table) -> None:
    for array in (table.board, table.cells):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
    assert table.board is table.board
    table.row(police=(0, 0), turn="police").dtw[0, 0] = 7
