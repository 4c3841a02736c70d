"""The rules of a game, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["Movement", "Rules"]

MoveSet: TypeAlias = Literal["king", "orthogonal", "diagonal", "knight"] | tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Movement:
    """How one side moves."""

    moves: MoveSet
    """Its steps: the name of a set, or the (rows down, columns right) of each."""
    may_pass: bool = True
    """Whether it may stay where it is."""


@dataclass(frozen=True)
class Rules:
    """How a game is played. Without arguments the classic game.

    >>> Rules() == Rules.classic()
    True
    >>> Rules(thief=Movement("knight"), wrap="both").wrap
    'both'
    """

    police: Movement = Movement("king")
    """How the police officer moves."""
    thief: Movement = Movement("orthogonal")
    """How the thief moves."""
    corner_cutting: bool = True
    """Whether a diagonal step may pass between a wall and another cell, or between two walls."""
    wrap: Literal["none", "horizontal", "vertical", "both"] = "none"
    """Which opposite edges of the board are joined."""
    stuck: Literal["loses", "wins"] = "loses"
    """What becomes of the side to move that has no move."""
    officers: int = 1
    """Police officers on the board; tables exist for one so far."""
    team: Literal["all", "one"] = "all"
    """How many officers move in one turn."""

    @staticmethod
    def classic() -> Rules:
        """Officer like a king, thief in row and column, either may pass, corners may be cut."""
        return Rules()

    @staticmethod
    def chase() -> Rules:
        """Both like a king without cutting corners, either may pass."""
        return Rules(thief=Movement("king"), corner_cutting=False)
