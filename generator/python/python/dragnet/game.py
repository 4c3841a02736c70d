"""Pursuit games that a program gives, place by place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import index
from typing import Any, Literal, TypeAlias

from dragnet_probe import Outcome

from . import _native

__all__ = ["Cell", "Game", "Leads", "Place"]

Cell: TypeAlias = tuple[int, int] | tuple[int | str, int, int]
"""A row and a column from 0, or a layer, by its number or its name, with a row and a column. Without a layer
it is a cell of the first layer. The layers of several kinds of officers are counted one kind after the other,
and the name of a kind stands for its first layer."""

Place: TypeAlias = Cell | tuple[int, Cell]
"""A cell, or a world and a cell."""

Leads: TypeAlias = Callable[[int, Any], Iterable[Any]] | Mapping[Any, Iterable[Any]]
"""Where each place leads: a function of a world and a cell, or a mapping from places. A key without a world
counts for every world for which there is no key with it; a place without a key leads nowhere."""

_MOST_SQUARES = 1 << 22


class Game:
    """A pursuit game of a program's own, which :func:`dragnet.solve` and :func:`dragnet.generate` take.

    It says place by place where pieces stand, how they move and when the game ends, so that any shape of
    board will do: hexagons, a building with floors, a guard who looks in one direction.

    rows, columns: the size of the board. officer_places, thief_places: the cells on which pieces of a side
    may stand, as (row, column). If there is more to a piece than its row and column, such as a floor or a
    direction, its side has layers: officer_layers and thief_layers are their names, and cells are
    (layer, row, column). In the table, row r of layer l is row l * rows + r.

    officers: how many, 0 to 6, who cannot be told apart; or how many of each kind of officers, by its name,
    such as {"guard": 2, "dog": 1}. A kind has layers of its own: officer_layers is then a mapping from names
    of kinds to names of layers, without those that have one layer. An officer moves between cells of his
    kind.

    officer_moves, thief_moves: where a piece may move from a place, see :data:`dragnet.game.Leads`. The cells
    are those of its own side; its own cell is among them if it may stay. captures: the thief's cells that an
    officer on a place captures, by default the officer's own cell: that with his row and column, and with his
    layer if both sides have the same layers. escapes: the places where the thief wins if he is not captured.
    arrivals: the places where an officer wins otherwise.

    team: whether "all" officers move in a turn, or "one" of them.
    stuck: whether a side without a move "loses" or "wins". undecided: the side that is said to win a draw, or
    "draw".

    worlds: the number of worlds, for what changes about the whole board: which doors are open, or the tick of
    a clock. Functions are asked for each world from 0. Moves lead to cells of the same world, or as (world,
    cell) to another one; if all of several officers move, their moves from one world lead to one world.

    thief: what the thief is called. source: any text. points: a function that returns where
    the square in a row and a column is drawn, as integers (right, down) in any unit.

    Raises ValueError or TypeError if the parts do not fit together, with the place where they do not.

    Here a gate at the end of a path is open in every other ply:

    >>> from dragnet import Game, solve
    >>> def step(world, at):
    ...     return [((world + 1) % 2, (0, to)) for to in (at[1] - 1, at[1], at[1] + 1) if 0 <= to < 5]
    >>> path = [(0, column) for column in range(5)]
    >>> gate = Game(rows=1, columns=5, worlds=2, officer_places=path, thief_places=path,
    ...             officer_moves=step, thief_moves=step, escapes=[(1, (0, 4))])
    >>> table = solve(gate)
    >>> [table.value((0, 0), (0, 3), "police", world=world) for world in range(2)]
    [Value('thief', 3), Value('thief', 2)]
    """

    def __init__(
        self,
        *,
        rows: int,
        columns: int,
        officer_places: Iterable[Cell],
        thief_places: Iterable[Cell],
        officer_moves: Leads,
        thief_moves: Leads,
        captures: Leads | None = None,
        escapes: Iterable[Place] = (),
        arrivals: Iterable[Place] = (),
        officers: int | Mapping[str, int] = 1,
        worlds: int = 1,
        team: Literal["all", "one"] = "all",
        stuck: Literal["loses", "wins"] = "loses",
        undecided: Outcome = "draw",
        officer_layers: Sequence[str] | Mapping[str, Sequence[str]] = ("",),
        thief_layers: Sequence[str] = ("",),
        thief: str = "thief",
        source: str = "",
        points: Callable[[int, int], tuple[int, int]] | None = None,
    ) -> None:
        for name, number, most in (
            ("rows", rows, 65535),
            ("columns", columns, 65535),
            ("worlds", worlds, _MOST_SQUARES),
        ):
            if not 1 <= index(number) <= most:
                raise ValueError(f"{name}: expected a number from 1 to {most}, found {number}")
        board = (index(rows), index(columns))
        kinds = _kinds(officers, officer_layers)
        of_officers = _Side("officer", board, worlds, {name: layers for name, _, layers in kinds}, officer_places)
        of_thief = _Side("thief", board, worlds, {thief: list(thief_layers)}, thief_places)
        captured = None
        if captures is not None:
            captured = of_officers.leads("captures", captures, of_thief, changes_world=False)
        elif len(kinds) != 1 or (of_officers.layers, of_officers.numbers) != (of_thief.layers, of_thief.numbers):
            captured = of_officers.meets(of_thief)
        self._native = _native.Game(
            board,
            worlds,
            (team, stuck, undecided, thief),
            [(name, count, len(layers)) for name, count, layers in kinds],
            (
                (
                    of_officers.layers,
                    list(of_officers.numbers),
                    of_officers.leads("officer_moves", officer_moves, of_officers),
                    of_officers.ends("arrivals", arrivals),
                ),
                (
                    of_thief.layers,
                    list(of_thief.numbers),
                    of_thief.leads("thief_moves", thief_moves, of_thief),
                    of_thief.ends("escapes", escapes),
                ),
            ),
            captured,
            source,
            [points(row, column) for row in range(rows) for column in range(columns)] if points else [],
        )

    def plan(self, favour: str) -> _native.Plan:
        """Returns the plan of the table, as the native part takes it."""
        return _native.Plan.of_game(self._native, favour)


def _kinds(
    officers: int | Mapping[str, int], layers: Sequence[str] | Mapping[str, Sequence[str]]
) -> list[tuple[str, int, list[str]]]:
    """Returns the name of each kind of officers, how many there are, and the names of its layers."""
    if not isinstance(officers, Mapping):
        officers = {"officer": officers} if index(officers) else {}
    if not isinstance(layers, Mapping):
        if len(officers) > 1 and tuple(layers) != ("",):
            message = "expected a mapping from kinds of officers to their layers"
            raise TypeError(f"officer_layers: {message}, found {layers!r}")
        layers = dict.fromkeys(officers, layers)
    if unknown := [name for name in layers if name not in officers]:
        raise ValueError(f"officer_layers: expected kinds of {list(officers)}, found {unknown[0]!r}")
    for name, count in officers.items():
        if not 1 <= index(count) <= 6:
            raise ValueError(f"officers: expected a number from 1 to 6 of {name}, found {count}")
    return [(name, index(count), list(layers.get(name, [""]))) for name, count in officers.items()]


class _Side:
    """The places of a side, numbered by the squares of its grid: the layers of all kinds one below the
    other.
    """

    def __init__(
        self,
        side: str,
        board: tuple[int, int],
        worlds: int,
        kinds: Mapping[str, list[str]],
        cells: Iterable[Cell],
    ) -> None:
        self.side, self.board, self.worlds = side, board, worlds
        self.layers = [layer for layers in kinds.values() for layer in layers]
        # The name of the kind of each layer.
        self.kinds = [name for name, layers in kinds.items() for _ in layers]
        squares = len(self.layers) * board[0] * board[1] * worlds
        if not bool(kinds) <= squares <= _MOST_SQUARES:
            found = f"{squares} squares of the {side} in all layers and worlds"
            raise ValueError(f"expected from 1 to {_MOST_SQUARES} squares, found {found}")
        found_cells: dict[int, Any] = {}
        for cell in cells:
            found_cells.setdefault(*self._square(cell, f"{side}_places"))
        if kinds and not found_cells:
            raise ValueError(f"{side}_places: expected a cell or more, found none")
        self.cells = [cell for _, cell in sorted(found_cells.items())]
        self.squares = sorted(found_cells)
        self.numbers = {square: number for number, square in enumerate(self.squares)}

    def _square(self, cell: Any, where: str) -> tuple[int, Any]:
        """Returns the number of the square of a cell, and the cell as a tuple."""
        try:
            *layer, row, column = cell
            row, column = index(row), index(column)
            (named,) = layer or [0]
            at = self._layer(named) if isinstance(named, str) else index(named)
        except (TypeError, ValueError) as error:
            names = f", with a layer of {self.layers}" if len(self.layers) > 1 else ""
            message = f"{where}: expected a cell (row, column) or (layer, row, column){names}, found {cell!r}"
            raise TypeError(message) from error
        rows, columns = self.board
        if not (0 <= at < len(self.layers) and 0 <= row < rows and 0 <= column < columns):
            size = f"{rows} rows, {columns} columns and {len(self.layers)} layers"
            raise ValueError(f"{where}: expected a cell of a board of {size}, found {cell!r}")
        return (at * rows + row) * columns + column, (*layer, row, column)

    def _layer(self, name: str) -> int:
        """Returns the number of the layer of this name, or the first of the kind of this name."""
        found = [at for at, layer in enumerate(self.layers) if layer == name]
        if len(found) > 1:
            raise ValueError(f"expected a name of one layer, found {name!r}")
        return found[0] if found else self.kinds.index(name)

    def kind(self, number: int) -> str:
        """Returns the name of the kind of a place."""
        return self.kinds[self.squares[number] // (self.board[0] * self.board[1])]

    def place(self, given: Any, where: str) -> tuple[int | None, int]:
        """Returns the world of a place, None if it says none, and its number in a world."""
        world, cell = None, given
        if isinstance(given, (tuple, list)) and len(given) == 2 and hasattr(given[1], "__len__"):
            world, cell = index(given[0]), given[1]
            if not 0 <= world < self.worlds:
                raise ValueError(f"{where}: expected a world from 0 to {self.worlds - 1}, found {given!r}")
        number = self.numbers.get(self._square(cell, where)[0])
        if number is None:
            raise ValueError(f"{where}: expected a place of the {self.side}, found {given!r}")
        return world, number

    def meets(self, other: _Side) -> list[list[int]]:
        """Returns the numbers of the other side's places on the cell of each place of each world: in the same
        layer if both sides have the same layers, or else in any.
        """
        alike = len(set(self.kinds)) == 1 and self.layers == other.layers
        squares = self.board[0] * self.board[1] * (len(self.layers) if alike else 1)
        on_square: dict[int, list[int]] = {}
        for square, number in other.numbers.items():
            on_square.setdefault(square % squares, []).append(number)
        return [on_square.get(square % squares, []) for square in self.numbers] * self.worlds

    def leads(self, what: str, given: Leads, to: _Side, *, changes_world: bool = True) -> list[list[int]]:
        """Returns the numbers of the places to which each place of each world leads, rising: world * places +
        place, or the place alone if the world cannot change.
        """
        if isinstance(given, Mapping):
            keys = {self.place(key, f"a key of {what}"): leads for key, leads in given.items()}
        rows = []
        for world in range(self.worlds):
            for at, cell in enumerate(self.cells):
                where = f"{what} of {cell!r} in world {world}"
                if isinstance(given, Mapping):
                    leads = keys.get((world, at), keys.get((None, at), ()))
                else:
                    leads = given(world, cell)
                row = set()
                for lead in leads:
                    after, number = to.place(lead, where)
                    if to is self and self.kind(number) != self.kind(at):
                        raise ValueError(f"{where}: expected a cell of a {self.kind(at)}, found {lead!r}")
                    if changes_world:
                        number += (world if after is None else after) * len(to.cells)
                    elif after is not None:
                        raise ValueError(f"{where}: expected a cell without a world, found {lead!r}")
                    row.add(number)
                rows.append(sorted(row))
        return rows

    def ends(self, what: str, given: Iterable[Place]) -> list[bool]:
        """Returns whether each place of each world is among those given."""
        found = {self.place(place, what) for place in given}
        places = [(world, at) for world in range(self.worlds) for at in range(len(self.cells))]
        return [(world, at) in found or (None, at) in found for world, at in places]
