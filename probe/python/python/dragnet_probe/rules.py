"""The rules of a game, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["Movement", "Rules"]

MoveSet: TypeAlias = (
    Literal["king", "orthogonal", "diagonal", "knight", "edges"] | tuple[tuple[int, int], ...]
)


@dataclass(frozen=True)
class Movement:
    """How one side moves."""

    moves: MoveSet
    """Its steps: the name of a set, or the (rows down, columns right) of each. On a graph "edges", and there
    alone."""
    may_pass: bool = True
    """Whether it may stay where it is."""
    steps: int = 1
    """Up to how many steps make a turn. No piece is in the way of another: who is stepped over is not caught,
    and an exit that is left again is no escape."""
    reach: int = 1
    """Up to how many times a step may be taken in its direction: a king's step with a reach of 7 is a queen's
    on a chess board."""


@dataclass(frozen=True)
class Rules:
    """How a game is played. Without arguments the classic game.

    >>> Rules() == Rules.classic()
    True
    >>> Rules(thief=Movement("knight"), wrap="both").wrap
    'both'
    """

    police: Movement = Movement("king")
    """How a police officer moves."""
    thief: Movement = Movement("orthogonal")
    """How the thief moves."""
    corner_cutting: bool = True
    """Whether a diagonal step may pass between a wall and another cell, or between two walls."""
    wrap: Literal["none", "horizontal", "vertical", "both"] = "none"
    """Which opposite edges of the board are joined."""
    stuck: Literal["loses", "wins"] = "loses"
    """What becomes of the side to move that has no move."""
    officers: int = 1
    """Police officers on the board, 1 to 6."""
    team: Literal["all", "one"] = "all"
    """How many officers move in one turn."""
    police_on_exit: Literal["allowed", "barred", "wins"] = "allowed"
    """What exits are to the police: open cells, cells that no officer may step on, or the goal, on which an
    officer has won unless the thief is on one too."""
    undecided: Literal["draw", "police", "thief"] = "draw"
    """Whose win it is if nobody can force one. The values of such positions are draws all the same."""

    @staticmethod
    def classic() -> Rules:
        """Officer like a king, thief in row and column, either may pass, corners may be cut."""
        return Rules()

    @staticmethod
    def chase() -> Rules:
        """Both like a king without cutting corners, either may pass."""
        return Rules(thief=Movement("king"), corner_cutting=False)

    @staticmethod
    def cops() -> Rules:
        """Both along the edges of a graph, all officers in one turn, anybody may stay."""
        return Rules(police=Movement("edges"), thief=Movement("edges"))
