"""Boards, graphs and rules as the native part takes them."""

from __future__ import annotations

import json
import warnings
from collections.abc import Hashable, Iterable, Iterator, Mapping
from operator import index
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from dragnet_probe import Table
from numpy.typing import ArrayLike, NDArray

from . import _native

__all__ = [
    "BoardLike",
    "GraphLike",
    "Nodes",
    "RulesLike",
    "board_of",
    "is_array",
    "is_board_or_graph",
    "native_board",
    "native_graph",
    "native_rules",
    "numbers_of",
    "rules_of",
    "unclear",
]

Nodes: TypeAlias = tuple[Hashable, ...]
"""The nodes of a graph of NetworkX, in the order of their numbers."""

GraphLike: TypeAlias = Any
"""A graph:

- one of NetworkX, whose edges lead one way if it is directed, or both ways;
- a square sparse matrix of SciPy, whose entry (v, w) is an edge from v to w unless it is 0;
- ``(pairs, vertices)``, an (n, 2) array, list or set of edges and the number of vertices;
- the path of a file, with one line of graph6, sparse6 or digraph6 if its name ends with .g6, .s6 or .d6, or
  else a list of edges;
- the bytes of a line of graph6, sparse6 or digraph6.

Edges of matrices, pairs and lists lead both ways where pieces move on the graph, and one way for
``solve_game``, unless ``directed`` says otherwise. A dense matrix is no graph:
``scipy.sparse.csr_array(matrix)`` makes one of it."""

BoardLike: TypeAlias = str | PathLike[str] | ArrayLike | GraphLike
"""A board, or a graph on which pieces move. A ``str`` with a line break, or of nothing but the characters of
boards (``# * . E P T`` and blanks), is a board as text; any other is a path. A file may hold a board or a
graph. An array is a board of squares (0 wall, 1 open, 2 exit) like ``Table.board``; where it could as well be
the matrix or the pairs of a graph, its rules must be named, as in "classic".

No board has doors here: ``dragnet generate --doors`` on the command line makes their tables, which
``dragnet_probe`` opens. A :class:`dragnet.Game` can have worlds in their place."""

RulesLike: TypeAlias = str | Mapping[str, Any]
"""Rules: the name of a preset, "classic", "chase" or "cops"; the text of a rules file; or a mapping with some
of its keys, as in ``{"thief": {"moves": "knight", "may_pass": False}, "wrap": "both"}``. The command
``dragnet help rules`` lists the keys with their defaults."""

_SIX = (".g6", ".s6", ".d6")


def native_graph(
    graph: GraphLike, directed: bool | None, memory: int | None
) -> tuple[_native.Graph, Nodes | None] | None:
    """Returns a graph as the native part takes it, and its nodes if it is of NetworkX.

    ``None`` if the argument is of no kind of graphs. ``memory`` is the most bytes that a game on the graph
    may take; edges then lead one way unless something else is said. It is ``None`` for a graph on which
    pieces move, whose edges lead both ways.
    """
    one_way = memory is not None if directed is None else directed
    if hasattr(graph, "tocsr"):
        return _of_matrix(graph, directed, one_way, memory), None
    if hasattr(graph, "adjacency") and hasattr(graph, "is_directed"):
        _refuse_directed(directed, "a graph of NetworkX")
        nodes = tuple(graph.nodes)
        numbers = {node: number for number, node in enumerate(nodes)}
        ends = (numbers[node] for edge in graph.edges() for node in edge)
        pairs = np.fromiter(ends, dtype=np.int64).reshape(-1, 2)
        return _native.Graph.of_pairs(pairs, len(nodes), graph.is_directed(), memory), nodes
    if _is_pairs(graph):
        pairs, vertices = _pairs_of(graph[0]), graph[1]
        if not hasattr(vertices, "__index__") or not 0 <= index(vertices) < 2**64:
            raise ValueError(f"expected a number of vertices, found {vertices}")
        return _native.Graph.of_pairs(pairs, index(vertices), one_way, memory), None
    is_file = isinstance(graph, PathLike) or (isinstance(graph, str) and not _is_drawn(graph))
    if is_file or isinstance(graph, bytes):
        six = not is_file or fspath(graph).endswith(_SIX)
        if six:
            _refuse_directed(directed, "graph6, sparse6 or digraph6")
        text = _read(graph) if is_file else graph
        if six and b"\n" in text.strip():
            where = f"{fspath(graph)}: " if is_file else ""
            raise ValueError(
                f"{where}expected one graph, found several lines: dragnet.cops takes an open file, or a list"
            )
        path = graph if is_file else None
        found, told = _in_file(path, lambda: _native.Graph.of_text(text, six, one_way, memory))
        return found, _told(path, told, found.vertices)
    return None


def native_board(
    board: BoardLike,
    exits: Iterable[Any] = (),
    *,
    directed: bool | None = None,
    rules: RulesLike | None = None,
) -> tuple[_native.Board, Nodes | None]:
    """Returns a board as the native part takes it, and the nodes of a graph of NetworkX.

    ``exits`` are more exits: cells of a board of squares, or vertices or nodes of a graph. Rules or exits
    tell that an array is a board.
    """
    exits = list(exits)
    nodes = None
    if isinstance(board, str) and _is_drawn(board):
        native = _native.Board.of_text(board.encode())
    elif isinstance(board, (str, PathLike)) and not fspath(board).endswith(_SIX):
        text = _read(board)
        native, told = _in_file(board, lambda: _native.Board.of_file(text, bool(directed)))
        nodes = _told(board, told, native.vertices)
    elif (found := native_graph(board, directed, memory=None)) is not None:
        native, nodes = _native.Board.of_graph(found[0]), found[1]
    else:
        native = _native.Board.of_squares(_squares(board, is_named=rules is not None or bool(exits)))
    if not native.is_graph:
        _refuse_directed(directed, "a board of squares")
        cells = [(index(row), index(column)) for row, column in exits]
    else:
        cells = [(0, number) for number in numbers_of(nodes, exits, "exits")]
    return (native.with_exits(cells) if cells else native), nodes


def is_board_or_graph(thing: object) -> bool:
    """Returns whether something is one board or graph, and not several."""
    is_graph = hasattr(thing, "tocsr") or hasattr(thing, "adjacency") or _is_pairs(thing)
    return is_graph or isinstance(thing, (str, bytes, PathLike)) or is_array(thing)


def is_array(thing: object) -> bool:
    """Returns whether something is an array, or rows of numbers."""
    if isinstance(thing, (list, tuple)) and thing and not _is_pairs(thing):
        row = thing[0]
        return isinstance(row, (list, tuple)) and len(row) > 0 and isinstance(row[0], (int, float, np.number))
    return hasattr(thing, "__array__") and not hasattr(thing, "tocsr") and not hasattr(thing, "adjacency")


def numbers_of(nodes: Nodes | None, named: Iterable[Any], what: str) -> list[int]:
    """Returns the numbers of vertices, which are named by their nodes if they have any."""
    if nodes is None:
        return [index(vertex) for vertex in named]
    numbers = {node: number for number, node in enumerate(nodes)}
    found = []
    for node in named:
        if not isinstance(node, Hashable) or node not in numbers:
            raise ValueError(f"expected nodes of the graph as {what}, found {node!r}")
        found.append(numbers[node])
    return found


def board_of(table: Table) -> tuple[_native.Board, Nodes | None]:
    """Returns the board of a table as the native part takes it, and the nodes of the table."""
    return _native.Board.of_source(table.source), table.nodes


def rules_of(table: Table) -> dict[str, Any]:
    """Returns the rules by which a table was made, with all keys of a rules file.

    Raises ValueError if the table is of a board with doors, or of a game that a program gave.

    >>> import dragnet
    >>> rules = rules_of(dragnet.solve("..E", "chase"))
    >>> rules["thief"]["moves"], rules["corner_cutting"]
    ('king', False)
    """
    rules: dict[str, Any] = json.loads(_native.rules_of(table.source))
    return rules


def native_rules(rules: RulesLike | None, officers: int | None, is_graph: bool) -> str:
    """Returns rules as JSON with all keys of a rules file."""
    if rules is None:
        rules = "cops" if is_graph else "classic"
    given = rules if isinstance(rules, str) else json.dumps(dict(rules))
    return _native.full_rules(given, None if officers is None else index(officers))


def unclear(thing: Any) -> ValueError:
    """Returns the exception for an array that may be a board or a graph."""
    return ValueError(
        f"expected a board or a graph, and an array of the shape {np.shape(thing)} may be either: name the "
        "rules of a board, as in 'classic'; a graph is scipy.sparse.csr_array(matrix), (pairs, vertices) or "
        "one of NetworkX"
    )


def _of_matrix(matrix: Any, directed: bool | None, one_way: bool, memory: int | None) -> _native.Graph:
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"expected a square matrix, found the shape {matrix.shape}")
    entries = matrix.tocsr().tocoo(copy=False)
    rows, columns = entries.row, entries.col
    if not np.isfinite(entries.data).all():
        wrong = np.flatnonzero(~np.isfinite(entries.data))[0]
        place = f"row {rows[wrong]}, column {columns[wrong]}"
        raise ValueError(f"expected numbers in the matrix of a graph, found {entries.data[wrong]} at {place}")
    if not (is_edge := entries.data != 0).all():
        rows, columns = rows[is_edge], columns[is_edge]
    pairs = np.empty((len(rows), 2), dtype=np.int64)
    pairs[:, 0], pairs[:, 1] = rows, columns
    if directed is None and not one_way:
        _warn_of_one_way(pairs[:, 0], pairs[:, 1], matrix.shape[0])
    return _native.Graph.of_pairs(pairs, matrix.shape[0], one_way, memory)


def _warn_of_one_way(rows: NDArray[np.int64], columns: NDArray[np.int64], vertices: int) -> None:
    """Warns of a matrix that is neither symmetric nor one triangle of a symmetric one."""
    if (rows <= columns).all() or (rows >= columns).all():
        return
    if not np.array_equal(np.unique(rows * vertices + columns), np.unique(columns * vertices + rows)):
        warnings.warn(
            "the matrix of a graph is neither symmetric nor one triangle, and its edges are read as leading "
            "both ways: pass directed=True for edges one way, or directed=False",
            stacklevel=6,
        )


def _squares(board: Any, is_named: bool) -> NDArray[np.uint8]:
    squares = np.asarray(board)
    if squares.dtype.kind not in "biuf":
        raise TypeError(f"expected a board or a graph, found {type(board).__name__}")
    if squares.ndim != 2 or squares.size == 0:
        raise ValueError(f"expected a board as an array with 2 dimensions, found the shape {squares.shape}")
    squares = _whole(squares, "squares")
    wrong = np.argwhere((squares < 0) | (squares > 2))
    if wrong.size:
        row, column = wrong[0]
        raise ValueError(
            f"expected squares 0 (wall), 1 (open) or 2 (exit), found {squares[row, column]} at row {row}, "
            f"column {column}; edges of a graph are (pairs, vertices)"
        )
    height, width = squares.shape
    is_matrix = height == width > 1 and not squares.diagonal().any()
    is_pairs = width == 2 and bool((squares[:, 0] != squares[:, 1]).all())
    if not is_named and (is_matrix or is_pairs):
        raise unclear(board)
    return np.ascontiguousarray(squares, dtype=np.uint8)


def _whole(numbers: NDArray[Any], what: str) -> NDArray[np.int64]:
    """Returns numbers as integers. Raises ValueError if one is none, and TypeError for other things."""
    if numbers.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            wrong = np.argwhere(~(np.abs(numbers) < 2**63) | (numbers != np.floor(numbers)))
        if wrong.size:
            at = tuple(wrong[0])
            place = ", ".join(f"{name} {place}" for name, place in zip(("row", "column"), at, strict=False))
            raise ValueError(f"expected whole numbers as {what}, found {numbers[at]} at {place}")
    elif numbers.dtype == np.uint64:
        numbers = np.minimum(numbers, 2**63 - 1)
    elif numbers.dtype.kind not in "biu":
        raise TypeError(f"expected numbers as {what}, found an array of {numbers.dtype}")
    return numbers.astype(np.int64, copy=False)


def _is_pairs(thing: object) -> bool:
    """Returns whether something is (pairs, vertices), right or wrong."""
    if not (isinstance(thing, tuple) and len(thing) == 2):
        return False
    pairs, vertices = thing
    is_list = isinstance(pairs, Iterable) and not isinstance(pairs, (str, bytes, dict))
    return is_list and (hasattr(vertices, "__index__") or isinstance(vertices, float))


def _pairs_of(pairs: Any) -> NDArray[np.int64]:
    # An iterator would be empty when it is asked a second time.
    if isinstance(pairs, Iterator):
        raise TypeError(f"expected pairs of vertices in a list or an array, found {type(pairs).__name__}")
    try:
        array = np.asarray(pairs if hasattr(pairs, "__array__") else list(pairs))
    except ValueError:
        raise ValueError("expected pairs of vertices, found rows of different lengths") from None
    array = array if array.size else np.empty((0, 2), dtype=np.int64)
    if array.ndim != 2:
        raise ValueError(f"expected pairs of vertices, found the shape {array.shape}")
    return np.ascontiguousarray(_whole(array, "pairs of vertices"))


def _is_drawn(text: str) -> bool:
    """Returns whether a text is a board, and not a path."""
    return "\n" in text or set(text) <= set("#*. EPT")


def _refuse_directed(directed: bool | None, found: str) -> None:
    if directed is not None:
        raise ValueError(f"directed is for matrices, pairs and lists of edges, found {found}")


def _read(path: str | PathLike[str]) -> bytes:
    try:
        return Path(path).read_bytes()
    except FileNotFoundError as error:
        hint = "a board as text has line breaks, or nothing but the characters of boards"
        raise FileNotFoundError(error.errno, f"{error.strerror}; {hint}", fspath(path)) from None


def _told(path: Any, told: tuple[int | None, list[str]], vertices: int) -> Nodes | None:
    """Warns of doubts about a text, and returns the nodes of its graph unless they are 0, 1, 2..."""
    first, doubts = told
    for doubt in doubts:
        warnings.warn(f"{fspath(path)}: {doubt}", stacklevel=4)
    return None if first is None else tuple(range(first, first + vertices))


def _in_file(path: Any, read: Any) -> Any:
    """Returns what ``read`` returns. The message of an error begins with the path."""
    try:
        return read()
    except ValueError as error:
        if path is None:
            raise
        raise ValueError(f"{fspath(path)}: {error}") from None
