"""Cops and robbers: how many officers catch the thief, and how soon."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from . import _native
from .boards import BoardLike, RulesLike, native_board, native_rules
from .limits import require
from .progress import ProgressLike, reporting

__all__ = ["Cops", "cops"]


class Cops(NamedTuple):
    """The cop number of a graph, and its capture time with so many officers."""

    number: int
    """The fewest officers that catch the thief wherever he begins."""
    moves: int
    """The capture time: turns of the police until the thief is caught, with best placements and best play."""
    placement: tuple[int, ...] | tuple[tuple[int, int], ...]
    """The first of the best placements: vertices of a graph, or cells of a board."""
    placements: int | None
    """The number of best placements, where officers are distinguishable; None if it is 2^64 or more."""


def cops(
    graph: BoardLike,
    rules: RulesLike | None = None,
    *,
    most: int = 6,
    lazy: bool = False,
    active: bool = False,
    speed: int | None = None,
    memory: int | None = None,
    progress: ProgressLike = False,
) -> Cops | None:
    """Returns the cop number and the capture time of a graph, or ``None`` if ``most`` officers are too few.

    The police places its officers, then the thief chooses his vertex; the police moves first. graph, rules
    and progress are those of :func:`dragnet.solve`; a board must have no exits. most: up to 255.

    lazy: only one officer moves in a turn. active: no piece may stay. speed: the most steps that the thief
    takes in a turn, 1 to 255; officers do not block his way. These three change the rules.

    memory: the most bytes that a search may take; one with many officers takes a lot. Raises MemoryError,
    which says how many officers are known to be too few, before the first search that would take more.

    >>> cycle = [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2), (3, 0), (0, 3)]
    >>> cops((cycle, 4))
    Cops(number=2, moves=1, placement=(0, 1), placements=12)
    >>> cops((cycle, 4), speed=2).number
    2
    >>> cops(([], 8), most=8).number
    8
    """
    if not 1 <= most <= _native.MOST_OFFICERS:
        raise ValueError(f"expected most to be 1 to {_native.MOST_OFFICERS}, found {most}")
    if speed is not None and not 1 <= speed <= 255:
        raise ValueError(f"expected speed to be 1 to 255, found {speed}")
    native, is_graph = native_board(graph)
    named = native_rules(rules, None, is_graph)
    for officers in range(1, most + 1):
        search = (officers, bool(lazy), bool(active), speed)
        few = f"it takes more than {_counted(officers - 1)}, and " if officers > 1 else ""
        what = f"{few}the search with {_counted(officers)}"
        require(what, partial(_native.capture_memory_needed, native, named, search), memory)
        with reporting(progress) as report:
            found = _native.capture(native, named, search, report)
        if found is not None:
            moves, cells, placements = found
            placement = tuple(column for _, column in cells) if is_graph else tuple(cells)
            return Cops(officers, moves, placement, placements)
    return None


def _counted(officers: int) -> str:
    return "1 officer" if officers == 1 else f"{officers} officers"
