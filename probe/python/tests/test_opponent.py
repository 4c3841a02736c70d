"""Opponents choose the moves of probe/tests/opponent/vectors.txt, whose first lines say what it holds.

    python test_opponent.py GAMES FOLDER     checks the games of another file, with tables in FOLDER
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

import numpy as np
import pytest

import dragnet_probe
from dragnet_probe import Cell, Cells, Open, Opponent, Side, Strength, Table, calibrate, review

ROOT = Path(__file__).parents[3]
GAMES, TABLES = ROOT / "probe/tests/opponent/vectors.txt", ROOT / "formats/tests/golden"
if __name__ == "__main__":
    GAMES, TABLES = map(Path, sys.argv[1:])
VECTORS = GAMES.read_text().splitlines()


At: TypeAlias = tuple[Cells, Cell, Side]


def records(kind: str) -> Iterator[tuple[str, list[str]]]:
    name = ""
    for line in VECTORS:
        first, rest = line.split(" ", 1)
        if first == "table":
            name = rest
        elif first == kind:
            yield name, [field.strip() for field in rest.replace(":", "|").replace("=", "|").split("|")]


def cells(text: str) -> Cells:
    pairs = (cell.split(",") for cell in text.split("+"))
    return tuple((int(row), int(col)) for row, col in pairs)


def strength(text: str) -> Strength:
    return Strength(*map(int, text.split(",")))


def style(text: str) -> Literal["longest", "trickiest"] | Strength:
    if text == "longest":
        return "longest"
    return "trickiest" if text == "uniform" else strength(text)


def opponent(text: str) -> Opponent:
    numbers, manner, *seed = text.split()
    return Opponent(strength(numbers), style=style(manner), seed=int(seed[0]) if seed else 0)


def side_of(text: str) -> Side:
    return cast(Side, text)


def position(text: str) -> At:
    police, thief, turn = text.split()
    return cells(police), cells(thief)[0], side_of(turn)


def tables() -> dict[str, Table]:
    names = {line.split(" ", 1)[1] for line in VECTORS if line.startswith("table ")}
    return {name: Open.path(TABLES / name).pursuit() for name in names}


def play(table: Table, fields: list[str]) -> list[At]:
    players: dict[Side, Opponent] = {"police": opponent(fields[0]), "thief": opponent(fields[1])}
    game = [position(fields[2])]
    for expected in fields[3].split():
        police, thief, turn = game[-1]
        copy = players[turn].copy()
        move = players[turn].choose(table, police, thief, turn)
        assert move is not None
        assert move.cells == cells(expected), (fields, len(game))
        assert copy.choose(table, police, thief, turn) == move
        assert copy.state == players[turn].state
        after: At = (move.cells, thief, "thief") if turn == "police" else (police, move.cell, "police")
        game.append(after)
    return game


def test_games_and_reviews_go_as_the_page_says() -> None:
    opened, reviews, played = tables(), list(records("review")), 0
    for number, (name, fields) in enumerate(records("game")):
        game = play(opened[name], fields)
        for _, (side, sums, worst) in reviews[2 * number : 2 * number + 2]:
            found = review(opened[name], game, side_of(side))
            numbers = (len(found.moves), found.errors, found.blunders, found.drops, found.plies_lost)
            assert list(map(int, sums.split())) == list(numbers), fields
            assert [move.ply for move in found.worst(3)] == list(map(int, worst.split()))
        played += 1
    assert played > 100


def test_calibrations_find_the_levels_of_the_page() -> None:
    opened, found = tables(), 0
    for name, fields in records("calibrate"):
        side, share, games, seed, manner = fields[0].split()
        level, wins, lowest, highest, reached, *interval = fields[5].split()
        answer = calibrate(
            opened[name],
            [position(text) for text in fields[2:5]],
            side_of(side),
            int(share),
            games=int(games),
            seed=int(seed),
            style=style(manner),
            against=opponent(fields[1]),
        )
        numbers = (answer.level, answer.wins, answer.lowest, answer.highest)
        assert numbers == tuple(map(int, (level, wins, lowest, highest)))
        assert answer.reached == (reached == "reached")
        assert answer.interval == tuple(map(float, interval))
        assert answer.strength == Strength.level(answer.level)
        found += 1
    assert found > 10


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Opponent(cast(Strength, "evil")), "or perfect, found"),
        (lambda: Opponent("easy", style=cast(Strength, "rash")), "expected 'longest', 'trickiest' or a Strength"),
        (lambda: Opponent(Strength.preset("easy")._replace(drop=3)), "expected drop from 0 to 2, found 3"),
        (lambda: Strength.level(1001), "expected the level from 0 to 1000, found 1001"),
        (lambda: Strength.preset("evil"), "expected the name of a strength"),
    ],
)
def test_parameters_out_of_range_are_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


def test_games_that_cannot_be_rated_are_refused() -> None:
    table = tables()["v2-speed.dtb"]
    start: At = (((3, 4),), (2, 2), "police")
    with pytest.raises(ValueError, match="expected at least one start, found none"):
        calibrate(table, [], "police", 500)
    with pytest.raises(ValueError, match="expected the positions of a game, found none"):
        review(table, [], "police")
    with pytest.raises(ValueError, match=r"found position 1 \(from 0\)"):
        review(table, [start, start], "police")
    with pytest.raises(dragnet_probe.PositionError, match="off the board"):
        Opponent("hard").choose(table, (99, 0), (2, 2), "police")
    hard = Opponent("hard", seed=3)
    assert hard.choose(table, (3, 4), (3, 4), "police") is None and hard.state == 3
    hard.restart(9)
    hard.forget()
    assert hard.state == 9


if __name__ == "__main__":
    test_games_and_reviews_go_as_the_page_says()
    test_calibrations_find_the_levels_of_the_page()


def test_an_opponent_takes_a_level_and_names_what_it_does_not_take(table: Table) -> None:
    make: Any = Opponent
    for level in (0, 300, np.int64(1000)):
        by_level, by_strength = make(level, seed=5), make(Strength.level(int(level)), seed=5)
        for _ in range(20):
            asked: Any = (table, (3, 4), (2, 2), "thief")
            assert by_level.choose(*asked) == by_strength.choose(*asked)
    with pytest.raises(ValueError, match="1001"):
        make(1001)
    for wrong in (0.5, None, [300]):
        with pytest.raises(TypeError, match="expected a Strength, the name of one, or a level from 0 to"):
            make(wrong)
