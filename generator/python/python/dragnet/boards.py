"""Boards, graphs and rules as the native part takes them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from operator import index
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from dragnet_probe import Rules, Table
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Board",
    "BoardLike",
    "GraphLike",
    "Rows",
    "RulesLike",
    "board_of",
    "native_board",
    "native_rules",
    "rows_of",
]

Rows: TypeAlias = tuple[NDArray[np.uint32], NDArray[np.uint32]]
"""Where the successors of each vertex begin, one more at the end, and all successors."""

Board: TypeAlias = str | tuple[Rows, Sequence[int]]
"""A board as the native part takes it: text, or a graph and its exits."""

GraphLike: TypeAlias = Any
"""A NetworkX graph, a square SciPy sparse matrix, or ``(edges, vertices)`` with an (n, 2) array of edges."""

BoardLike: TypeAlias = str | PathLike[str] | ArrayLike | GraphLike
"""A board as text, the path of a board in the text form, an array of squares (0 wall, 1 open, 2 exit) like
``Table.board``, or a graph."""

RulesLike: TypeAlias = Rules | Literal["classic", "chase", "cops"]

_SQUARES = np.frombuffer(b"#.E", dtype=np.uint8)
_PRESETS = {"classic": Rules.classic, "chase": Rules.chase, "cops": Rules.cops}


def rows_of(graph: GraphLike) -> Rows | None:
    """Returns the rows of a graph: where the successors of each vertex begin, and all successors.

    ``None`` if the argument is none of the kinds of graphs.
    """
    if hasattr(graph, "tocsr"):
        matrix = graph.tocsr()
        if matrix.shape[0] != matrix.shape[1]:
            raise ValueError(f"expected a square matrix, found the shape {matrix.shape}")
        return _unsigned(matrix.indptr), _unsigned(matrix.indices)
    if hasattr(graph, "adjacency") and hasattr(graph, "is_directed"):
        numbers = {node: number for number, node in enumerate(graph.nodes)}
        successors = [[numbers[to] for to in neighbours] for _, neighbours in graph.adjacency()]
        return _joined(successors)
    if isinstance(graph, tuple) and len(graph) == 2 and np.ndim(graph[1]) == 0:
        edges, vertices = np.asarray(graph[0], dtype=np.int64).reshape(-1, 2), int(graph[1])
        if edges.size and (edges.min() < 0 or edges.max() >= vertices):
            raise ValueError(f"expected edges between vertices 0 to {vertices - 1}, found {edges.max()}")
        order = np.argsort(edges[:, 0], kind="stable")
        starts = np.zeros(vertices + 1, dtype=np.int64)
        np.cumsum(np.bincount(edges[:, 0], minlength=vertices), out=starts[1:])
        return _unsigned(starts), _unsigned(edges[order, 1])
    return None


def native_board(board: BoardLike, exits: Iterable[Any] = ()) -> tuple[Board, bool]:
    """Returns a board as the native part takes it, and whether it is a graph.

    ``exits`` are more exits: cells of a board of squares, or vertices of a graph.
    """
    rows = rows_of(board)
    if rows is not None:
        nodes = {node: number for number, node in enumerate(getattr(board, "nodes", ()))}
        return (rows, [nodes.get(exit, exit) for exit in exits]), True
    if isinstance(board, PathLike):
        board = Path(board).read_text(encoding="utf-8")
    if not isinstance(board, str):
        squares = np.asarray(board)
        if squares.ndim != 2 or squares.size == 0:
            raise ValueError(
                f"expected a board as an array with 2 dimensions, found the shape {squares.shape}"
            )
        if squares.min() < 0 or squares.max() > 2:
            raise ValueError("expected squares 0 (wall), 1 (open) or 2 (exit)")
        board = "\n".join(row.tobytes().decode() for row in _SQUARES[squares.astype(np.intp)])
    lines = [list(line) for line in board.splitlines()]
    for row, column in exits:
        if not (0 <= row < len(lines) and 0 <= column < len(lines[row])):
            raise ValueError(f"expected an exit on the board, found the cell {row},{column}")
        lines[row][column] = "E"
    return "\n".join("".join(line) for line in lines), False


def board_of(table: Table) -> tuple[BoardLike, list[Any]]:
    """Returns the board of a table, and its exits if the board is a graph."""
    if table.edges is None:
        return table.board, []
    return (table.edges, table.width), np.flatnonzero(table.board[0] == 2).tolist()


def native_rules(rules: RulesLike | None, officers: int | None, is_graph: bool) -> str:
    """Returns rules as JSON with the keys of a rules file."""
    if rules is None:
        rules = "cops" if is_graph else "classic"
    if isinstance(rules, str):
        if rules not in _PRESETS:
            raise ValueError(f"expected rules {', '.join(_PRESETS)}, found {rules!r}")
        rules = _PRESETS[rules]()
    keys = asdict(rules)
    for side in ("police", "thief"):
        if not isinstance(keys[side]["moves"], str):
            keys[side]["moves"] = {"offsets": keys[side]["moves"]}
    if officers is not None:
        keys["officers"] = index(officers)
    return json.dumps(keys)


def _joined(successors: list[list[int]]) -> Rows:
    starts = np.zeros(len(successors) + 1, dtype=np.uint32)
    np.cumsum([len(row) for row in successors], out=starts[1:])
    targets = [to for row in successors for to in row]
    return starts, np.asarray(targets, dtype=np.uint32)


def _unsigned(numbers: NDArray[Any]) -> NDArray[np.uint32]:
    if numbers.size and numbers.max() > np.iinfo(np.uint32).max:
        raise ValueError("expected a graph of less than 2^32 edges")
    return np.ascontiguousarray(numbers, dtype=np.uint32)
