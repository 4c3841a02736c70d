"""Cops and robbers: how many officers catch the thief, and how soon."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from operator import length_hint
from typing import Any, NamedTuple, overload

from . import _native
from .boards import (
    BoardLike,
    GraphLike,
    Nodes,
    RulesLike,
    is_array,
    is_board_or_graph,
    native_board,
    native_rules,
    unclear,
)
from .progress import ProgressLike, reporting

__all__ = ["Cops", "cops"]

_TOGETHER = 1 << 12
"""The graphs of a list that the native part goes through at once."""


class Cops(NamedTuple):
    """The cop number of a graph, and its capture time with so many officers."""

    number: int
    """The fewest officers that catch the thief wherever he begins."""
    moves: int
    """The capture time: turns of the police until the thief is caught, with best placements and best play."""
    placement: tuple[Any, ...]
    """The first of the best placements: vertices or nodes of a graph, or cells of a board."""
    placements: int | None
    """The number of best placements, where officers are distinguishable; None if it is 2^64 or more."""


@overload
def cops(
    graph: list[Any] | Iterator[Any],
    rules: RulesLike | None = None,
    *,
    bound: int = 6,
    least: int = 1,
    directed: bool | None = None,
    lazy: bool = False,
    active: bool = False,
    speed: int | None = None,
    threads: int = 0,
    memory: int | None = None,
    progress: ProgressLike = False,
) -> list[Cops | None]: ...
@overload
def cops(
    graph: BoardLike | GraphLike,
    rules: RulesLike | None = None,
    *,
    bound: int = 6,
    least: int = 1,
    directed: bool | None = None,
    lazy: bool = False,
    active: bool = False,
    speed: int | None = None,
    threads: int = 0,
    memory: int | None = None,
    progress: ProgressLike = False,
) -> Cops | None: ...
def cops(
    graph: Any,
    rules: RulesLike | None = None,
    *,
    bound: int = 6,
    least: int = 1,
    directed: bool | None = None,
    lazy: bool = False,
    active: bool = False,
    speed: int | None = None,
    threads: int = 0,
    memory: int | None = None,
    progress: ProgressLike = False,
) -> Cops | list[Cops | None] | None:
    """Returns the cop number and the capture time of a graph, or ``None`` if ``bound`` officers are too few.

    The police places its officers, then the thief chooses his vertex; the police moves first. graph, rules,
    directed and progress are those of :func:`dragnet.solve`; a board must have no exits, and an array is one
    only if its rules are named. bound: up to 255. least: the search begins with so many officers, for the
    capture times of more than are needed.

    lazy: only one officer moves in a turn. active: no piece may stay. speed: the most steps that the thief
    takes in a turn, 1 to 255; officers do not block his way. These three change the rules.

    memory: the most bytes that a search may take; one with many officers takes a lot. Raises MemoryError,
    which says how many officers are known to be too few, before the first search that would take more.

    Of many graphs, in a list or any other iterable, it returns a list. There a ``str`` is a line of graph6,
    sparse6 or digraph6, so that an open file of such lines is an iterable of graphs. threads: how many of
    them are searched at once, 0 for one per processor.

    >>> cops(([(0, 1), (1, 2), (2, 3), (3, 0)], 4))
    Cops(number=2, moves=1, placement=(0, 1), placements=12)
    >>> cops(([(0, 1), (1, 2), (2, 3), (3, 0)], 4), speed=2).number
    2
    >>> cops(([], 8), bound=8).number
    8
    >>> [found.number for found in cops(["IheA@GUAo", "Bw"])]
    [3, 1]
    """
    if not 1 <= least <= bound <= _native.MOST_OFFICERS:
        raise ValueError(
            f"expected least and bound to be 1 to {_native.MOST_OFFICERS}, and least not above bound, "
            f"found {least} and {bound}"
        )
    if speed is not None and not 1 <= speed <= 255:
        raise ValueError(f"expected speed to be 1 to 255, found {speed}")
    search = (least, bound, bool(lazy), bool(active), speed, memory)

    def native_of(one: Any) -> tuple[_native.Board, Nodes | None]:
        if rules is None and is_array(one):
            raise unclear(one)
        return native_board(one, directed=directed, rules=rules)

    if is_board_or_graph(graph):
        native, nodes = native_of(graph)
        named = native_rules(rules, None, native.is_graph)
        with reporting(progress) as report:
            (found,) = _native.captures([native], None, named, search, 1, report)
        return _named(found, nodes)
    if isinstance(graph, Mapping) or not isinstance(graph, Iterable):
        raise TypeError(f"expected a graph or graphs, found {type(graph).__name__}")
    named = native_rules(rules, None, True)
    results: list[Cops | None] = []
    several = iter(graph)
    total = length_hint(graph)
    with reporting(progress) as report:
        while some := list(islice(several, _TOGETHER)):
            first = len(results)
            graphs: list[_native.Board | str | bytes] = []
            nodes_of: dict[int, Nodes | None] = {}
            for number, one in enumerate(some, first):
                if isinstance(one, (str, bytes)):
                    graphs.append(one)
                    continue
                try:
                    native, nodes_of[number] = native_of(one)
                    if rules is None and not native.is_graph:
                        raise ValueError("expected a graph, found a board: name the rules of boards")
                except (TypeError, ValueError) as error:
                    raise type(error)(f"graph {number} of those given (from 0): {error}") from None
                graphs.append(native)
            listed = _native.captures(graphs, first, named, search, threads, None)
            results += [_named(found, nodes_of.get(number)) for number, found in enumerate(listed, first)]
            if report is not None:
                report("graphs", len(results), max(total, len(results)), 0)
    return results


def _named(found: tuple[int, int, tuple[Any, ...], int | None] | None, nodes: Nodes | None) -> Cops | None:
    if found is None:
        return None
    if nodes is None:
        return Cops(*found)
    number, moves, placement, placements = found
    return Cops(number, moves, tuple(nodes[vertex] for vertex in placement), placements)
