"""Tables on boards with doors, beside the same table asked by numbers."""

from __future__ import annotations

import pickle

import pytest
from conftest import ROOT

from dragnet_probe import (
    DamagedTableError,
    DoorPosition,
    DoorTable,
    DragnetError,
    GameTable,
    PositionError,
    WrongTableError,
)

GOLDEN = ROOT / "formats/tests/golden"
PATH = GOLDEN / "v1-doors.dtb"


def test_positions_have_the_values_of_their_numbers(doors: DoorTable) -> None:
    game = GameTable.open(PATH)
    assert game.positions == doors.positions == 768
    for number in range(doors.positions):
        at = doors.position(number)
        assert doors.number(at) == number
        value, expected = doors.value(at), game.value(number)
        assert value.dtw == expected.dtw
        if expected.result == "drawn":
            assert value.outcome == "draw"
        else:
            assert (value.outcome == at.turn) == (expected.result == "won")


def test_the_best_move_is_the_first_and_keeps_the_value(doors: DoorTable) -> None:
    played = 0
    for at in map(doors.position, range(doors.positions)):
        moves, best, value = doors.moves(at), doors.best_move(at), doors.value(at)
        assert best == (moves[0] if moves else None)
        for move in moves:
            after = doors.value(move.after)
            assert (after.outcome, after.dtw) == (move.outcome, move.dtw)
            assert move.after.phase == (at.phase + 1) % doors.phases
        if best is None:
            assert value.dtw == 0
        else:
            played += 1
            assert best.outcome == value.outcome
            assert value.dtw == (None if best.dtw is None else best.dtw + 1)
    assert played > 0


def test_doors_open_by_keys_and_schedules(doors: DoorTable) -> None:
    for at in map(doors.position, range(doors.positions)):
        assert doors.is_open(0, at) == (at.keys == 0)
        assert doors.is_open(1, at) == (at.phase < 2)
        expected = "police" if at.police == at.thief else "thief" if at.thief == (2, 1) else None
        assert doors.winner(at) == expected


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"police": (9, 0)}, "the police's cell 9,0 is off the board"),
        ({"thief": (0, 2)}, "the thief's cell 0,2 is a wall"),
        ({"keys": 2}, "keys from 0 to 1"),
        ({"keys": -1}, "found the keys -1"),
        ({"keys": 2**80}, "keys from 0 to 1"),
        ({"phase": 3}, "a phase below 3"),
    ],
)
def test_positions_that_do_not_exist_are_refused(
    doors: DoorTable, change: dict[str, object], words: str
) -> None:
    wrong = DoorPosition((0, 0), (0, 0), "police")._replace(**change)  # type: ignore[arg-type]
    for ask in (doors.value, doors.moves, doors.best_move, doors.number, doors.winner):
        with pytest.raises(PositionError, match=words):
            ask(wrong)
    with pytest.raises(PositionError, match=words):
        doors.is_open(0, wrong)


def test_wrong_arguments_are_refused(doors: DoorTable) -> None:
    at = DoorPosition((0, 0), (0, 0), "police")
    with pytest.raises(IndexError, match="a door from 0 to 1, found 2"):
        doors.is_open(2, at)
    with pytest.raises(TypeError, match="expected a DoorPosition"):
        doors.value((0, 0))  # type: ignore[arg-type]
    with pytest.raises(PositionError, match="0 to 767"):
        doors.position(768)
    with pytest.raises(TypeError, match="pickled"):
        pickle.dumps(doors)


def test_tables_of_other_games_are_refused() -> None:
    for name in ("v1-graph", "v2-size"):
        with pytest.raises(WrongTableError):
            DoorTable.open(GOLDEN / f"{name}.dtb")
    with pytest.raises(FileNotFoundError):
        DoorTable.open(GOLDEN / "none.dtb")


def test_damage_is_found() -> None:
    whole = bytearray(PATH.read_bytes())
    DoorTable.from_bytes(whole).check_sums()
    whole[-1] ^= 1
    damaged = DoorTable.from_bytes(whole)
    with pytest.raises(DamagedTableError):
        damaged.check_sums()
    with pytest.raises(DragnetError):
        for number in range(damaged.positions):
            damaged.value(damaged.position(number))
