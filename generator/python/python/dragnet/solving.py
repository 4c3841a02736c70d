"""Solving, files of tables, checks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any, Literal, TypeAlias

from dragnet_probe import GameTable, Open, Table

from . import _native
from .boards import (
    BoardLike,
    GraphLike,
    Nodes,
    RulesLike,
    native_board,
    native_graph,
    native_rules,
    numbers_of,
)
from .game import Game
from .limits import require
from .progress import ProgressLike, reporting

__all__ = ["Favour", "generate", "memory_needed", "solve", "solve_game", "verify"]

Favour: TypeAlias = Literal["speed", "size"]


def solve(
    board: BoardLike | Game,
    rules: RulesLike | None = None,
    *,
    officers: int | None = None,
    exits: Iterable[Any] = (),
    doors: Iterable[Mapping[str, Any]] = (),
    guards: Iterable[Mapping[str, Any]] = (),
    directed: bool | None = None,
    favour: Favour = "speed",
    threads: int = 0,
    memory: int | None = None,
    progress: ProgressLike = False,
) -> Table:
    """Solves a pursuit game and returns its table.

    board: a board or a graph, see :data:`dragnet.boards.BoardLike`, or a :class:`dragnet.Game`, which stands
    alone: it says rules, officers and exits itself. Vertex number v of a graph is the cell ``(0, v)`` of the
    table; the table of a graph of NetworkX speaks of its nodes instead. directed: whether edges of a matrix,
    of pairs or of a list lead one way; by default they lead both ways.

    rules: by default "classic", and "cops" for a graph. officers: another number of officers than the rules
    say. exits: more exits, as cells, vertices or nodes. doors, guards: those of the board, each a mapping
    with the keys of a file of doors or of guards. threads: 0 for one per processor. memory: the most bytes
    that the solve may take. progress: see :data:`dragnet.progress.ProgressLike`.

    Raises ValueError if the game cannot be played, and MemoryError if the memory does not suffice.

    >>> import numpy as np
    >>> table = solve(np.ones((3, 4), dtype=int), exits=[(0, 0)])
    >>> table.value(police=(2, 3), thief=(0, 1), turn="thief")
    Value('thief', 1)
    """
    plan, nodes = _plan(board, rules, officers, exits, doors, guards, directed, favour)
    require("the solve", lambda: plan.memory_needed(threads), memory)
    with reporting(progress) as report:
        made = _native.solve(plan, threads, report)
    return Open.bytes(made).pursuit().with_nodes(nodes)


def generate(
    board: BoardLike | Game,
    path: str | PathLike[str],
    rules: RulesLike | None = None,
    *,
    officers: int | None = None,
    exits: Iterable[Any] = (),
    doors: Iterable[Mapping[str, Any]] = (),
    guards: Iterable[Mapping[str, Any]] = (),
    directed: bool | None = None,
    favour: Favour = "size",
    threads: int = 0,
    memory: int | None = None,
    progress: ProgressLike = False,
) -> Table:
    """Solves a pursuit game, writes its table as the file ``path``, and opens it.

    A table has its name only when it is whole. A solve that is interrupted goes on from its last checkpoint
    when it is called again. What has no room in ``memory`` bytes waits in files beside the table. The other
    arguments are those of :func:`solve`.
    """
    plan, nodes = _plan(board, rules, officers, exits, doors, guards, directed, favour)
    with reporting(progress) as report:
        _native.generate(plan, path, threads, memory, report)
    return Open.path(path).pursuit().with_nodes(nodes)


def memory_needed(
    board: BoardLike | Game,
    rules: RulesLike | None = None,
    *,
    officers: int | None = None,
    exits: Iterable[Any] = (),
    doors: Iterable[Mapping[str, Any]] = (),
    guards: Iterable[Mapping[str, Any]] = (),
    directed: bool | None = None,
    threads: int = 0,
) -> int:
    """Returns the bytes of memory that :func:`solve` likely takes."""
    return _plan(board, rules, officers, exits, doors, guards, directed, "speed")[0].memory_needed(threads)


def _plan(
    board: BoardLike | Game,
    rules: RulesLike | None,
    officers: int | None,
    exits: Iterable[Any],
    doors: Iterable[Mapping[str, Any]],
    guards: Iterable[Mapping[str, Any]],
    directed: bool | None,
    favour: Favour,
) -> tuple[_native.Plan, Nodes | None]:
    """Returns what is to be made, and the nodes of a graph of NetworkX."""
    if isinstance(board, Game):
        beside = [rules, officers, directed, *exits, *doors, *guards]
        if any(given is not None for given in beside):
            raise TypeError(
                "expected a Game alone, found rules, officers, exits, doors, guards or directed beside it"
            )
        return board.plan(favour), None
    native, nodes = native_board(board, exits, directed=directed, rules=rules)
    said = native_rules(rules, officers, native.is_graph)
    parts = [json.dumps([dict(part) for part in of_kind]) for of_kind in (doors, guards)]
    return _native.Plan.of_board(native, said, parts[0], parts[1], favour), nodes


def verify(
    table: Table, *, threads: int = 0, memory: int | None = None, progress: ProgressLike = False
) -> None:
    """Derives every value of a table again from the values after each move, as ``dragnet verify`` does.

    Checks all sums of the table too, and the counts, longest wins and digest in its header. Only one
    assignment of values agrees with the rules everywhere, so a table that passes is right. Takes about as
    long as the solve, and no memory for positions; fewer threads work within a small ``memory``. Raises
    DragnetError if something is wrong, and MemoryError if one thread has no room.
    """
    with reporting(progress) as report:
        memory = _native.machine_memory() if memory is None else memory
        _native.verify(table.to_bytes(), threads, memory, report)


def solve_game(
    graph: GraphLike,
    *,
    stuck: Literal["loses", "wins"] = "loses",
    won: Iterable[Any] = (),
    lost: Iterable[Any] = (),
    drawn: Iterable[Any] = (),
    name: str = "graph",
    directed: bool | None = None,
    favour: Favour = "speed",
    threads: int = 0,
    memory: int | None = None,
    progress: ProgressLike = False,
) -> GameTable:
    """Solves a game in which two players move by turns along the edges of a graph.

    graph: see :data:`dragnet.boards.GraphLike`. directed: whether edges of a matrix, of pairs or of a list
    lead one way, which is the default. A player without a move loses, or wins with ``stuck="wins"``. won,
    lost, drawn: vertices that are so for the player to move there, whatever their edges; nodes of a graph of
    NetworkX, of which the table then speaks too. memory: the most bytes that the solve may take, by default
    those of the machine; raises MemoryError if they do not suffice.

    >>> table = solve_game(([(0, 1), (1, 2), (2, 0), (1, 3)], 4))
    >>> table.value(1), table.value(0)
    (GameValue(result='won', dtw=1), GameValue(result='lost', dtw=2))
    """
    memory = _native.machine_memory() if memory is None else memory
    found = native_graph(graph, directed, memory)
    if found is None:
        raise TypeError(
            f"expected a graph, found {type(graph).__name__}: a dense matrix goes in as "
            "scipy.sparse.csr_array(matrix)"
        )
    native, nodes = found
    labels = (
        numbers_of(nodes, won, "won"),
        numbers_of(nodes, lost, "lost"),
        numbers_of(nodes, drawn, "drawn"),
    )
    if stuck not in ("loses", "wins"):
        raise ValueError(f"expected stuck 'loses' or 'wins', found {stuck!r}")
    with reporting(progress) as report:
        made = _native.solve_game(native, name, stuck == "wins", labels, favour, threads, memory, report)
    return Open.bytes(made).game().with_nodes(nodes)
