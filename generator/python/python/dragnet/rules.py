"""The rules of a pursuit game, as data."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any, Literal, TypeAlias, TypeVar

from dragnet_probe import Table

from . import _native

__all__ = ["Movement", "Rules", "rules_of"]

MoveSet: TypeAlias = (
    Literal["king", "orthogonal", "diagonal", "knight", "edges"] | tuple[tuple[int, int], ...]
)


@dataclass(frozen=True)
class Movement:
    """The movement of one side."""

    moves: MoveSet
    """The steps: the name of a move set, or a tuple of (rows down, columns right) offsets. "edges" on a
    graph, and only there."""
    may_pass: bool = True
    """Whether a piece may stay on its cell."""
    steps: int = 1
    """The most steps of a turn. Pieces do not block each other, and only the last cell counts: stepping over
    the thief is no capture, and stepping over an exit is no escape."""
    reach: int = 1
    """The most times that a step may be repeated in its direction, over open cells. A king's step with a
    reach of 7 is a queen's move on a chess board."""


@dataclass(frozen=True)
class Rules:
    """The rules of a pursuit game; the classic rules by default.

    >>> Rules() == Rules.classic()
    True
    >>> Rules(thief=Movement("knight"), wrap="both").wrap
    'both'
    """

    police: Movement = Movement("king")
    """The movement of each police officer."""
    thief: Movement = Movement("orthogonal")
    """The movement of the thief."""
    corner_cutting: bool = True
    """Whether a diagonal step may pass the corner of a wall."""
    wrap: Literal["none", "horizontal", "vertical", "both"] = "none"
    """The pairs of opposite board edges that are joined."""
    stuck: Literal["loses", "wins"] = "loses"
    """Whether a side to move that has no move loses or wins."""
    officers: int = 1
    """The number of police officers, 1 to 6."""
    team: Literal["all", "one"] = "all"
    """Whether all officers move in a turn of the police, or one of them."""
    police_on_exit: Literal["allowed", "barred", "wins"] = "allowed"
    """Whether officers may step on exits, may not, or win there unless the thief is on an exit too."""
    undecided: Literal["draw", "police", "thief"] = "draw"
    """The side that is said to win a draw. Values do not depend on it: a draw is always a draw."""

    @staticmethod
    def classic() -> Rules:
        """Returns the classic rules: king moves for the officer, orthogonal moves for the thief."""
        return Rules()

    @staticmethod
    def chase() -> Rules:
        """Returns the rules of a chase: king moves for both sides, no corner cutting."""
        return Rules(thief=Movement("king"), corner_cutting=False)

    @staticmethod
    def cops() -> Rules:
        """Returns the rules of cops and robbers: moves along the edges of a graph for both sides."""
        return Rules(police=Movement("edges"), thief=Movement("edges"))


_Keyed = TypeVar("_Keyed", Movement, Rules)


def rules_of(table: Table) -> Rules:
    """Returns the rules by which a table was made, from its source.

    Raises ValueError if the table is of a board with doors, or of a game that a program gave, or if its rules
    have keys that Rules does not have.

    >>> import dragnet
    >>> rules_of(dragnet.solve("..E", "chase")) == Rules.chase()
    True
    """
    keys: dict[str, Any] = json.loads(_native.rules_of(table.source))
    for side in ("police", "thief"):
        moves = keys[side]["moves"]
        if not isinstance(moves, str):
            moves = tuple((rows, columns) for rows, columns in moves["offsets"])
        keys[side] = _known(Movement, {**keys[side], "moves": moves})
    return _known(Rules, keys)


def _known(kind: type[_Keyed], keys: dict[str, Any]) -> _Keyed:
    """Returns an object with these keys, if it has all of them."""
    known = [field.name for field in fields(kind)]
    for key, value in keys.items():
        if key not in known:
            raise ValueError(f"expected rules with the keys {', '.join(known)}; found {key} = {value!r}")
    return kind(**keys)
