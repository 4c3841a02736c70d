"""The named tuples that tables return."""

from typing import Any, Literal, NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from ._native import Value

__all__ = [
    "CacheStatistics",
    "Cell",
    "Cells",
    "Counts",
    "GameCounts",
    "GameLongest",
    "GameValue",
    "GameValues",
    "Keep",
    "KeptMove",
    "Line",
    "Longest",
    "Move",
    "Outcome",
    "Result",
    "Side",
    "Team",
    "Values",
]

Cell: TypeAlias = tuple[int, int]
"""A row and a column, both from 0, with row 0 at the top."""

Cells: TypeAlias = tuple[Cell, ...]
"""The cells of several officers, in reading order."""

Side: TypeAlias = Literal["police", "thief"]
"""A side, or the side to move."""

Outcome: TypeAlias = Literal["police", "thief", "draw"]
"""The winner, or "draw"."""

Result: TypeAlias = Literal["won", "lost", "drawn"]
"""The result of a position of a game table, for the player to move."""

Keep: TypeAlias = Literal["outcome", "moves-of-police", "moves-of-thief"]
"""The part of a pursuit table that a partial table keeps, in the words of ``dragnet pack --keep``."""


class Team(tuple[Any, ...]):
    """The cells of several officers in reading order, or their nodes."""

    __slots__ = ()


class Move(NamedTuple):
    """A move, with the value of the position after it. On a table with nodes it leads to nodes, not cells."""

    side: Side
    """The side that moves."""
    to: Cell | Cells
    """The cell that the piece moves to, its own cell if it passes. With several officers, a police move has a
    ``Team``, the cells of all officers after the move."""
    outcome: Outcome
    """The outcome of the position after the move."""
    dtw: int | None
    """The distance to win in plies after the move; None for a draw."""
    world: int = 0
    """The world after the move: see ``Table.worlds``."""

    @property
    def cells(self) -> Cells:
        """The cells of all pieces of the side after the move: one, or one for each officer."""
        return self.to if isinstance(self.to, Team) else (cast(Cell, self.to),)

    @property
    def cell(self) -> Cell:
        """The cell that the piece moves to, if the side has one piece.

        Raises ValueError for a move of several officers.
        """
        if isinstance(self.to, Team):
            raise ValueError(f"expected the move of one piece, found one of {len(self.to)}: ask for cells")
        return cast(Cell, self.to)


class KeptMove(NamedTuple):
    """A best move of a partial table, which keeps no values."""

    to: Cell | Cells
    """The cell that the piece moves to, or a ``Team`` for several officers, as in ``Move.to``."""
    world: int = 0
    """The world after the move: see ``Table.worlds``."""


class Line(NamedTuple):
    """Optimal play from a position to the end."""

    value: Value
    """The value of the position at the start."""
    moves: list[Move]
    """The moves; as many as the distance of the value, unless it is a draw."""
    end: Literal["caught", "escaped", "arrived", "stuck", "repetition"]
    """How the line ends: an officer catches the thief, the thief escapes to an exit, an officer arrives at an
    exit where that wins, the side to move is stuck, or a position of a draw occurs again."""


class Values(NamedTuple):
    """The values of many positions, as two arrays of the same shape."""

    outcome: NDArray[np.int8]
    """``DRAW``, ``POLICE`` or ``THIEF`` (0, 1, 2; the words are ``OUTCOMES``), and ``WALL`` (-1) at walls."""
    dtw: NDArray[np.int32]
    """The distances to win in plies; -1 for draws and at walls."""


class CacheStatistics(NamedTuple):
    """The contents of the cache of all tables, and how often it was of use."""

    limit: int
    """The most bytes of memory that the cache may take."""
    reserved: int
    """The bytes that are reserved; the system gives them as they are used."""
    bytes: int
    """The bytes of the blocks that are kept."""
    tables: int
    """The number of open tables."""
    hits: int
    """How often a block was found."""
    misses: int
    """How often a block had to be read or decompressed."""


class Counts(NamedTuple):
    """The number of positions with each outcome."""

    police: int
    thief: int
    draw: int


class Longest(NamedTuple):
    """The longest win of each side in plies; 0 for a side that wins no position."""

    police: int
    thief: int


class GameValue(NamedTuple):
    """The value of a position of a game table, for the player to move."""

    result: Result
    """The result of the position."""
    dtw: int | None
    """The distance to the end in plies; None for a draw."""


class GameValues(NamedTuple):
    """The values of many positions of a game table, as two arrays of the same shape."""

    result: NDArray[np.int8]
    """``DRAWN``, ``WON`` or ``LOST`` (0, 1, 2; their words are in ``RESULTS``), for the player to move."""
    dtw: NDArray[np.int32]
    """The distances to the end in plies; -1 for draws."""


class GameCounts(NamedTuple):
    """The number of positions with each result for the player to move."""

    won: int
    lost: int
    drawn: int


class GameLongest(NamedTuple):
    """The longest distance of a won and of a lost position in plies; 0 if there is no such position."""

    won: int
    lost: int
