"""What tables answer: tuples with names."""

from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ._native import Value

__all__ = ["Cell", "Counts", "Line", "Longest", "Move", "Outcome", "Side", "Values"]

Cell: TypeAlias = tuple[int, int]
"""Row and column, both from 0, row 0 on top."""

Side: TypeAlias = Literal["police", "thief"]
"""Whose piece, whose turn."""

Outcome: TypeAlias = Literal["police", "thief", "draw"]
"""Who wins."""


class Move(NamedTuple):
    """A move, and the value of the position after it."""

    side: Side
    """Who moves."""
    to: Cell
    """Where to; the piece's own cell if it passes."""
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
    end: Literal["caught", "escaped", "stuck", "repetition"]
    """How it ends; a draw when a position occurs again."""


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
