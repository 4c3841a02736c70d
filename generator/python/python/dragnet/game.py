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
it is a cell of the first layer."""

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

    officer_moves, thief_moves: where a piece may move from a place, see :data:`dragnet.game.Leads`. The cells
    are those of its own side; its own cell is among them if it may stay. captures: the thief's cells that an
    officer on a place captures, by default the officer's own cell: that with his row and column, and with his
    layer if both sides have the same layers. escapes: the places where the thief wins if he is not captured.
    arrivals: the places where an officer wins otherwise.

    officers: 1 to 6, who cannot be told apart. team: whether "all" officers move in a turn, or "one" of them.
    stuck: whether a side without a move "loses" or "wins". undecided: the side that is said to win a draw, or
    "draw".

    worlds: the number of worlds, for what changes about the whole board: which doors are open, or the tick of
    a clock. Functions are asked for each world from 0. Moves lead to cells of the same world, or as (world,
    cell) to another one; if all of several officers move, their moves from one world lead to one world.

    names: what an officer and the thief are called. source: any text. points: a function that returns where
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
        officers: int = 1,
        worlds: int = 1,
        team: Literal["all", "one"] = "all",
        stuck: Literal["loses", "wins"] = "loses",
        undecided: Outcome = "draw",
        officer_layers: Sequence[str] = ("",),
        thief_layers: Sequence[str] = ("",),
        names: tuple[str, str] = ("officer", "thief"),
        source: str = "",
        points: Callable[[int, int], tuple[int, int]] | None = None,
    ) -> None:
        for name, number, most in (
            ("rows", rows, 65535),
            ("columns", columns, 65535),
            ("worlds", worlds, _MOST_SQUARES),
            ("officers", officers, 6),
        ):
            if not 1 <= index(number) <= most:
                raise ValueError(f"{name}: expected a number from 1 to {most}, found {number}")
        board = (index(rows), index(columns))
        officer = _Kind("officer", board, worlds, officer_layers, officer_places)
        thief = _Kind("thief", board, worlds, thief_layers, thief_places)
        captured = None
        if captures is not None:
            captured = officer.leads("captures", captures, thief, changes_world=False)
        elif (officer.layers, officer.numbers) != (thief.layers, thief.numbers):
            captured = officer.meets(thief)
        self._native = _native.Game(
            board,
            worlds,
            officers,
            (team, stuck, undecided),
            (
                (
                    names[0],
                    officer.layers,
                    list(officer.numbers),
                    officer.leads("officer_moves", officer_moves, officer),
                    officer.ends("arrivals", arrivals),
                ),
                (
                    names[1],
                    thief.layers,
                    list(thief.numbers),
                    thief.leads("thief_moves", thief_moves, thief),
                    thief.ends("escapes", escapes),
                ),
            ),
            captured,
            source,
            [points(row, column) for row in range(rows) for column in range(columns)] if points else [],
        )

    def plan(self, favour: str) -> _native.Plan:
        """Returns the plan of the table, as the native part takes it."""
        return _native.Plan.of_game(self._native, favour)


class _Kind:
    """The places of a side, numbered by the squares of its grid, with all layers one below the other."""

    def __init__(
        self, side: str, board: tuple[int, int], worlds: int, layers: Sequence[str], cells: Iterable[Cell]
    ) -> None:
        self.side, self.board, self.worlds, self.layers = side, board, worlds, list(layers)
        squares = len(self.layers) * board[0] * board[1] * worlds
        if not 0 < squares <= _MOST_SQUARES:
            found = f"{squares} squares of the {side} in all layers and worlds"
            raise ValueError(f"expected from 1 to {_MOST_SQUARES} squares, found {found}")
        found_cells: dict[int, Any] = {}
        for cell in cells:
            found_cells.setdefault(*self._square(cell, f"{side}_places"))
        if not found_cells:
            raise ValueError(f"{side}_places: expected a cell or more, found none")
        self.cells = [cell for _, cell in sorted(found_cells.items())]
        self.numbers = {square: number for number, square in enumerate(sorted(found_cells))}

    def _square(self, cell: Any, where: str) -> tuple[int, Any]:
        """Returns the number of the square of a cell, and the cell as a tuple."""
        try:
            *layer, row, column = cell
            row, column = index(row), index(column)
            (named,) = layer or [0]
            at = self.layers.index(named) if isinstance(named, str) else index(named)
        except (TypeError, ValueError) as error:
            names = f", with a layer of {self.layers}" if len(self.layers) > 1 else ""
            message = f"{where}: expected a cell (row, column) or (layer, row, column){names}, found {cell!r}"
            raise TypeError(message) from error
        rows, columns = self.board
        if not (0 <= at < len(self.layers) and 0 <= row < rows and 0 <= column < columns):
            size = f"{rows} rows, {columns} columns and {len(self.layers)} layers"
            raise ValueError(f"{where}: expected a cell of a board of {size}, found {cell!r}")
        return (at * rows + row) * columns + column, (*layer, row, column)

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

    def meets(self, other: _Kind) -> list[list[int]]:
        """Returns the numbers of the other side's places on the cell of each place of each world: in the same
        layer if both sides have the same layers, or else in any.
        """
        squares = self.board[0] * self.board[1] * (len(self.layers) if self.layers == other.layers else 1)
        on_square: dict[int, list[int]] = {}
        for square, number in other.numbers.items():
            on_square.setdefault(square % squares, []).append(number)
        return [on_square.get(square % squares, []) for square in self.numbers] * self.worlds

    def leads(self, what: str, given: Leads, to: _Kind, *, changes_world: bool = True) -> list[list[int]]:
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
