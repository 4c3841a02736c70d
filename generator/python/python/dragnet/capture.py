"""Cops and robbers: how many officers catch the thief, and how soon."""

from __future__ import annotations

from typing import NamedTuple

from . import _native
from .boards import BoardLike, RulesLike, native_board, native_rules
from .progress import ProgressLike, reporting

__all__ = ["Cops", "cops"]

MOST = 6


class Cops(NamedTuple):
    """The cop number of a graph, and its capture time with so many officers."""

    number: int
    """The fewest officers that catch the thief wherever he begins."""
    moves: int
    """The capture time: turns of the police until the thief is caught, with best placements and best play."""
    placement: tuple[int, ...] | tuple[tuple[int, int], ...]
    """The first of the best placements: vertices of a graph, or cells of a board."""
    placements: int
    """The number of best placements, where officers are distinguishable."""


def cops(
    graph: BoardLike,
    rules: RulesLike | None = None,
    *,
    most: int = MOST,
    progress: ProgressLike = False,
) -> Cops | None:
    """Returns the cop number and the capture time of a graph, or ``None`` if ``most`` officers are too few.

    The police places its officers, then the thief chooses his vertex; the police moves first. The arguments
    are those of :func:`dragnet.solve`; a board must have no exits.

    >>> cycle = [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2), (3, 0), (0, 3)]
    >>> cops((cycle, 4))
    Cops(number=2, moves=1, placement=(0, 1), placements=12)
    """
    if not 1 <= most <= MOST:
        raise ValueError(f"expected most to be 1 to {MOST}, found {most}")
    native, is_graph = native_board(graph)
    for officers in range(1, most + 1):
        named = native_rules(rules, officers, is_graph)
        with reporting(progress) as report:
            found = _native.capture(native, named, report)
        if found is not None:
            moves, cells, placements = found
            placement = tuple(column for _, column in cells) if is_graph else tuple(cells)
            return Cops(officers, moves, placement, placements)
    return None
