"""Games that a program gives, beside a solver of their definition."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import dragnet_probe
import pytest

import dragnet
from dragnet import Game

Teams = tuple[Any, ...]


class RandomGame:
    """A small game with random places, moves and ends, on cells (layer, row, column)."""

    def __init__(self, seed: int) -> None:
        lot = random.Random(seed)
        self.rows, self.columns = lot.randint(1, 3), lot.randint(1, 3)
        self.worlds = lot.choice([1, 1, 2, 3])
        self.officers: dict[str, int] = lot.choice(
            [{"guard": 1}, {"guard": 1}, {"guard": 2}, {"guard": 1, "dog": 1}, {"dog": 1, "guard": 2}, {}]
        )
        self.team, self.stuck = lot.choice(["all", "one"]), lot.choice(["loses", "wins"])
        of_kinds = {kind: ["up", "down"][: lot.randint(1, 2)] for kind in self.officers}
        self.of_kinds, self.thief_layers = of_kinds, ["here", "there"][: lot.randint(1, 2)]
        # The kind of each layer of officers.
        self.kinds = [kind for kind, layers in of_kinds.items() for _ in layers]
        self.layers = [[layer for layers in of_kinds.values() for layer in layers], self.thief_layers]
        self.places = []
        for kinds in (self.kinds, ["thief"] * len(self.thief_layers)):
            found = []
            for kind in dict.fromkeys(kinds):
                cells = [
                    (layer, row, column)
                    for layer in range(len(kinds))
                    if kinds[layer] == kind
                    for row in range(self.rows)
                    for column in range(self.columns)
                ]
                found += lot.sample(cells, lot.randint(1, min(4 if len(self.officers) > 1 else 6, len(cells))))
            self.places.append(sorted(found))
        everywhere = [[(w, cell) for w in range(self.worlds) for cell in places] for places in self.places]
        # If several officers move in a turn, all moves from a world lead to one world.
        after = [lot.randrange(self.worlds) for _ in range(self.worlds)]
        self.moves: list[dict[Any, list[Any]]] = []
        for side, places in enumerate(everywhere):
            self.moves.append({})
            for world, cell in places:
                there = [place for place in places if side == 1 or self.kind(place[1]) == self.kind(cell)]
                leads = lot.sample(there, lot.randint(0, min(4, len(there))))
                if side == 0 and self.team == "all" and sum(self.officers.values()) > 1:
                    leads = [(after[world], to) for _, to in leads]
                self.moves[side][world, cell] = leads
        some = [place for place in everywhere[0] if lot.random() < 0.1]
        self.arrivals, self.escapes = some, [place for place in everywhere[1] if lot.random() < 0.15]
        self.captures: dict[Any, list[Any]] | None = None
        if lot.random() < 0.6:
            most = min(2, len(self.places[1]))
            self.captures = {
                place: lot.sample(self.places[1], lot.randint(0, most)) for place in everywhere[0]
            }

    def given(self, lot: random.Random) -> Game:
        """Returns the game as a program gives it: in functions or in mappings."""
        officer_moves, thief_moves = self.moves
        by_function = lot.random() < 0.5

        def leads(table: dict[Any, list[Any]]) -> Any:
            return (lambda world, cell: table[world, cell]) if by_function else table

        return Game(
            rows=self.rows,
            columns=self.columns,
            worlds=self.worlds,
            officers=self.officers,
            team=self.team,  # type: ignore[arg-type]
            stuck=self.stuck,  # type: ignore[arg-type]
            officer_layers=self.of_kinds,
            thief_layers=self.thief_layers,
            officer_places=lot.sample(self.places[0], len(self.places[0])),
            thief_places=self.places[1],
            officer_moves=leads(officer_moves),
            thief_moves=leads(thief_moves),
            captures=None if self.captures is None else leads(self.captures),
            escapes=self.escapes,
            arrivals=self.arrivals,
        )

    def kind(self, cell: Any) -> str:
        return self.kinds[cell[0]]

    def teams(self) -> list[Teams]:
        def of_kind(kind: str) -> list[Teams]:
            cells = [cell for cell in self.places[0] if self.kind(cell) == kind]
            return list(combinations_with_replacement(cells, self.officers[kind]))

        return [sum(parts, ()) for parts in product(*map(of_kind, self.officers))]

    def positions(self) -> Iterator[tuple[int, Teams, Any, str]]:
        for world in range(self.worlds):
            for team in self.teams():
                for thief in self.places[1]:
                    yield world, team, thief, "police"
                    yield world, team, thief, "thief"

    def winner(self, world: int, team: Teams, thief: Any) -> str | None:
        if self.captures is None:
            first = 0 if len(self.officers) == 1 and self.layers[0] == self.layers[1] else 1
            captured = any(officer[first:] == thief[first:] for officer in team)
        else:
            captured = any(thief in self.captures[world, officer] for officer in team)
        if captured:
            return "police"
        if (world, thief) in self.escapes:
            return "thief"
        return "police" if any((world, officer) in self.arrivals for officer in team) else None

    def successors(self, world: int, team: Teams, thief: Any, turn: str) -> set[tuple[int, Teams, Any, str]]:
        if turn == "thief":
            return {(after, team, to, "police") for after, to in self.moves[1][world, thief]}
        if self.team == "one":
            return {
                (after, tuple(sorted((*team[:officer], to, *team[officer + 1 :]))), thief, "thief")
                for officer, at in enumerate(team)
                for after, to in self.moves[0][world, at]
            }
        moved: set[tuple[int, Teams]] = {(world, ())}
        for at in team:
            steps = self.moves[0][world, at]
            moved = {(after, (*cells, to)) for _, cells in moved for after, to in steps}
        return {(after, tuple(sorted(cells)), thief, "thief") for after, cells in moved}

    def solve(self) -> dict[Any, tuple[str, int]]:
        """Returns winner and plies of each position that is no draw: level by level, by the definition."""
        other = {"police": "thief", "thief": "police"}
        values: dict[Any, tuple[str, int]] = {}
        open_ones = {}
        for position in self.positions():
            winner, turn = self.winner(*position[:3]), position[3]
            after = self.successors(*position) if winner is None else set()
            if winner is None and not after:
                winner = turn if self.stuck == "wins" else other[turn]
            if winner is not None:
                values[position] = winner, 0
            else:
                open_ones[position] = after
        plies = 0
        while True:
            plies += 1
            found = {}
            for position, after in open_ones.items():
                turn = position[3]
                known = [values.get(to, ("draw", 0))[0] for to in after]
                if turn in known:
                    found[position] = turn, plies
                elif all(winner == other[turn] for winner in known):
                    found[position] = other[turn], plies
            if not found:
                return values
            values |= found
            for position in found:
                del open_ones[position]


@pytest.mark.parametrize("seed", range(60))
def test_tables_have_the_values_of_the_definition(seed: int) -> None:
    drawn = RandomGame(seed)
    table = dragnet.solve(drawn.given(random.Random(seed)), favour="size" if seed % 2 else "speed")
    dragnet.verify(table)
    assert (table.worlds, table.officers, table.team, table.stuck) == (
        drawn.worlds,
        sum(drawn.officers.values()),
        drawn.team,
        drawn.stuck,
    )
    assert [table.officer_layers, table.thief_layers] == [len(layers) for layers in drawn.layers]

    def cell(place: Any) -> tuple[int, int]:
        layer, row, column = place
        return layer * drawn.rows + row, column

    values = drawn.solve()
    for position in drawn.positions():
        world, team, thief, turn = position
        asked: Any = ([cell(officer) for officer in team], cell(thief), turn)
        expected = values.get(position, ("draw", None))
        found = table.value(*asked, world=world)
        assert (found.outcome, found.dtw) == expected, position
        assert table.winner(*asked, world=world) == drawn.winner(world, team, thief)
        moves = {(move.world, *move.cells) for move in table.moves(*asked, world=world)}
        after = drawn.successors(*position) if drawn.winner(world, team, thief) is None else set()
        assert moves == {
            (to[0], *sorted(map(cell, to[1]))) if turn == "police" else (to[0], cell(to[2])) for to in after
        }


def test_a_game_says_its_names_layers_and_text(tmp_path: Path) -> None:
    given: dict[str, Any] = {
        "rows": 2,
        "columns": 2,
        "officer_layers": ["east", "west"],
        "officer_places": [("east", 0, 0), ("west", 0, 1), (1, 0, 1)],
        "thief_places": [(1, 0), (1, 1), (0, 1)],
        "officer_moves": {("east", 0, 0): [("west", 0, 1)], (1, 0, 1): [("east", 0, 0)]},
        "thief_moves": {(1, 0): [(1, 1)], (1, 1): [(1, 0), (0, 1)], (0, 1): [(0, 1)]},
        "captures": lambda world, cell: [(0, 1)] if cell[0] == "west" else [],
        "source": "a fence",
        "undecided": "thief",
        "officers": {"guard": 1},
        "thief": "fox",
        "points": lambda row, column: (10 * column + 5 * row, 9 * row),
    }
    table = dragnet.generate(Game(**given), tmp_path / "fence.dtb")
    dragnet.verify(table)
    assert (table.source, table.undecided, table.officer_layers) == ("a fence", "thief", 2)
    assert table.teams()[:, 0].tolist() == [[0, 0], [2, 1]]
    assert table.winner((2, 1), (0, 1), "police") == "police"
    assert table.digest == dragnet.solve(Game(**given)).digest
    assert dragnet.memory_needed(Game(**given)) > 0
    assert b"guard" in table.to_bytes() and b"fox" in table.to_bytes()
    # By default an officer captures the thief on his row and column, whichever way he looks.
    table = dragnet.solve(Game(**{**given, "captures": None}))
    assert table.winner((2, 1), (0, 1), "police") == "police"
    assert table.winner((0, 0), (0, 1), "police") is None
    # A name that two kinds give a layer does not tell which one, and the name of a kind is its first layer.
    kinds = {**given, "officers": {"guard": 1, "dog": 1}, "officer_layers": {"dog": ["lie", "east"]}}
    named = {**kinds, "officer_places": [("guard", 0, 0), ("dog", 0, 1)], "officer_moves": {}, "captures": None}
    assert dragnet.solve(Game(**named)).teams().tolist() == [[[0, 0], [2, 1]]]
    floors = {**given, "thief_layers": ["east", "west"], "captures": None}
    assert dragnet.solve(Game(**floors)).winner((2, 1), (0, 1), "police") is None


RIGHT: dict[str, Any] = {
    "rows": 1,
    "columns": 3,
    "worlds": 2,
    "officer_places": [(0, 0), (0, 1)],
    "thief_places": [(0, 1), (0, 2)],
    "officer_moves": lambda world, cell: [(0, 0)],
    "thief_moves": lambda world, cell: [(1, (0, 2))],
}


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"rows": 0}, ValueError, "rows: expected a number from 1 to 65535, found 0"),
        ({"worlds": 0}, ValueError, "worlds: expected"),
        ({"officers": 7}, ValueError, "officers: expected a number from 1 to 6 of officer, found 7"),
        ({"officers": {"guard": 0}}, ValueError, "officers: expected a number from 1 to 6 of guard, found 0"),
        ({"officers": {"guard": 4, "dog": 3}}, ValueError, "officers"),
        (
            {"officers": {"a": 1, "b": 1}, "officer_layers": ["up", "down"]},
            TypeError,
            "officer_layers: expected a mapping from kinds",
        ),
        (
            {"officer_layers": {"dog": ["up"]}},
            ValueError,
            r"officer_layers: expected kinds of \['officer'\], found 'dog'",
        ),
        (
            {"officers": {"guard": 1, "dog": 1}, "officer_places": [("guard", 0, 0), ("dog", 0, 0)]},
            ValueError,
            "officer_moves of .*'dog', 0, 0.* expected a cell of a dog, found",
        ),
        (
            {"officers": {"a": 1, "b": 1}, "officer_layers": {"a": ["x"], "b": ["x"]}}
            | {"officer_places": [("x", 0, 0)]},
            TypeError,
            "officer_places: expected a cell",
        ),
        ({"rows": "3"}, TypeError, "integer"),
        ({"officer_places": []}, ValueError, "officer_places: expected a cell or more, found none"),
        ({"thief_places": [(0, 3)]}, ValueError, "thief_places: expected a cell of a board of 1 rows"),
        ({"thief_places": [5]}, TypeError, r"thief_places: expected a cell \(row, column\).*found 5"),
        ({"thief_places": [("up", 0, 1)]}, TypeError, "thief_places: expected a cell"),
        ({"thief_places": [(1, 0, 1)]}, ValueError, "1 layers, found"),
        (
            {"officer_moves": lambda world, cell: [(0, 2)]},
            ValueError,
            r"officer_moves of \(0, 0\) in world 0: expected a place of the officer, found \(0, 2\)",
        ),
        ({"officer_moves": {(0, 2): []}}, ValueError, "a key of officer_moves: expected a place of the off"),
        ({"thief_moves": {(0, 1): [(2, (0, 1))]}}, ValueError, "expected a world from 0 to 1, found"),
        ({"captures": {(0, 0): [(0, (0, 1))]}}, ValueError, "expected a cell without a world"),
        ({"captures": {(0, 0): [(0, 0)]}}, ValueError, r"captures of \(0, 0\) in world 0: expected a place"),
        ({"escapes": [(0, 0)]}, ValueError, "escapes: expected a place of the thief"),
        ({"escapes": [(7, (0, 1))]}, ValueError, "escapes: expected a world"),
        ({"team": "both"}, ValueError, "team: .*both"),
        ({"stuck": "draws"}, ValueError, "stuck: .*draws"),
        ({"undecided": "nobody"}, ValueError, "undecided: .*nobody"),
        ({"worlds": 2**22}, ValueError, "squares"),
        (
            {"officers": 2, "officer_moves": lambda world, cell: [(cell[1], cell)]},
            ValueError,
            "expected the moves of officers from world 0 to lead to one world",
        ),
    ],
)
def test_parts_that_do_not_fit_are_refused(
    change: dict[str, Any], error: type[Exception], words: str
) -> None:
    dragnet.verify(dragnet.solve(Game(**RIGHT)))
    with pytest.raises(error, match=words):
        Game(**{**RIGHT, **change})


def test_a_game_stands_alone() -> None:
    game = Game(**RIGHT)
    more: Any
    for more in ({"rules": "chase"}, {"officers": 2}, {"exits": [(0, 0)]}, {"directed": True}):
        with pytest.raises(TypeError, match="expected a Game alone"):
            dragnet.solve(game, **more)
    with pytest.raises(MemoryError):
        dragnet.solve(game, memory=1)
    assert isinstance(dragnet.solve(game), dragnet_probe.Table)
