"""What tables answer: tuples with names."""

from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ._native import Value

__all__ = [
    "Cell",
    "Cells",
    "Counts",
    "GameCounts",
    "GameLongest",
    "GameValue",
    "GameValues",
    "Line",
    "Longest",
    "Move",
    "Outcome",
    "Result",
    "Side",
    "Values",
]

Cell: TypeAlias = tuple[int, int]
"""Row and column, both from 0, row 0 on top."""

Cells: TypeAlias = tuple[Cell, ...]
"""The cells of several officers, in reading order."""

Side: TypeAlias = Literal["police", "thief"]
"""Whose piece, whose turn."""

Outcome: TypeAlias = Literal["police", "thief", "draw"]
"""Who wins."""


Result: TypeAlias = Literal["won", "lost", "drawn"]
"""How a position of a game by numbers ends for the player who is to move in it."""


class Move(NamedTuple):
    """A move, and the value of the position after it."""

    side: Side
    """Who moves."""
    to: Cell | Cells
    """Where to; the piece's own cell if it passes. Where all officers stand then, if there are several."""
    outcome: Outcome
    """Who wins after the move."""
    dtw: int | None
    """In how many plies, counted after the move; None for a draw."""


class Line(NamedTuple):
    """Optimal play from a position to the end."""

    value: Value
    """The value of the position where it begins."""
    moves: list[Move]
    """The moves; as many as the value's DTW, if it is no draw."""
    end: Literal["caught", "escaped", "arrived", "stuck", "repetition"]
    """How it ends: "arrived" with an officer on an exit, where that wins; a draw when a position occurs
    again."""


class Values(NamedTuple):
    """The values of many positions: two arrays of one shape."""

    outcome: NDArray[np.int8]
    """``DRAW``, ``POLICE`` or ``THIEF`` (0, 1, 2); ``WALL`` (-1) where nobody can stand."""
    dtw: NDArray[np.int32]
    """Plies; -1 for draws and walls."""


class Counts(NamedTuple):
    """How many positions each outcome has."""

    police: int
    thief: int
    draw: int


class Longest(NamedTuple):
    """The longest win of each side in plies; 0 if it wins no position."""

    police: int
    thief: int


class GameValue(NamedTuple):
    """The value of a position of a game by numbers, for the player who is to move in it."""

    result: Result
    """How it ends."""
    dtw: int | None
    """In how many plies; None for a draw."""


class GameValues(NamedTuple):
    """The values of many positions of a game by numbers: two arrays of one shape."""

    result: NDArray[np.int8]
    """``DRAWN``, ``WON`` or ``LOST`` (0, 1, 2), for the player to move; the words are ``RESULTS``."""
    dtw: NDArray[np.int32]
    """Plies; -1 for draws."""


class GameCounts(NamedTuple):
    """How many positions end in which way for the player to move."""

    won: int
    lost: int
    drawn: int


class GameLongest(NamedTuple):
    """The greatest distance of a won and of a lost position in plies; 0 if there is none."""

    won: int
    lost: int
