"""The board of games against policies."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable
from operator import index
from typing import Any, TypeAlias

import numpy as np
from dragnet_probe import Cell, Side, Table, Team
from numpy.typing import NDArray

from .. import _native
from ..boards import BoardLike, RulesLike, board_of, native_board, native_rules, rules_of
from ..limits import require

__all__ = ["Ground", "PiecesLike"]

PiecesLike: TypeAlias = Any
"""Where the pieces of one side stand: a cell ``(row, column)``, on a graph also a vertex, or the node of a
graph of NetworkX; or a sequence with one for each officer."""


class Ground:
    r"""A board under rules, with the moves of both sides between their places.

    board: a ``Table``, whose board and rules are taken, or a board as :func:`dragnet.solve` takes it. The
    other arguments are those of :func:`dragnet.solve`; memory is the most bytes that the moves of both sides
    may take. Perfect play is solved with the first policy that is asked about, and kept.

    >>> ground = Ground("...\n...\n...\n")
    >>> ground.places("thief").shape, ground.place("thief", (2, 2))
    ((9, 1, 2), 8)
    >>> ground.moves("thief", 8).tolist()
    [5, 7, 8]
    """

    def __init__(
        self,
        board: Table | BoardLike,
        rules: RulesLike | None = None,
        *,
        officers: int | None = None,
        exits: Iterable[Any] = (),
        directed: bool | None = None,
        memory: int | None = None,
    ) -> None:
        if isinstance(board, Table):
            rules = rules_of(board) if rules is None else rules
            native, nodes = board_of(board)
        else:
            native, nodes = native_board(board, exits, directed=directed, rules=rules)
        self.is_graph: bool = native.is_graph
        """Whether the board is a graph."""
        self.nodes = nodes
        """The nodes of a graph of NetworkX, of which places are then made; ``None`` for other boards."""
        self._vertices = {node: number for number, node in enumerate(nodes or ())}
        named = native_rules(rules, officers, native.is_graph)
        self.wrap: str = json.loads(named)["wrap"]
        """The edges of the board that are joined, as the rules say."""
        require("the ground", lambda: _native.ground_memory_needed(native, named), memory)
        self.native = _native.Ground(native, named)
        """The native part."""
        self.shape: tuple[int, int] = self.native.shape
        """The height and width of the board."""
        self._places = {side: self.native.places(side) for side in ("police", "thief")}
        self._moves = {side: self.native.moves(side) for side in ("police", "thief")}
        for places in self._places.values():
            places.flags.writeable = False
        for starts, targets in self._moves.values():
            starts.flags.writeable = targets.flags.writeable = False
        self._numbers = {
            side: {tuple(map(tuple, cells)): number for number, cells in enumerate(places.tolist())}
            for side, places in self._places.items()
        }

    def places(self, side: Side) -> NDArray[np.int32]:
        """Returns the cells of a side's pieces at each of its places: an array (places, pieces, 2)."""
        return self._places[side]

    def place(self, side: Side, pieces: PiecesLike) -> int:
        """Returns the number of the place of a side whose pieces stand there.

        Raises ValueError if a cell is not open, or the side has another number of pieces.
        """
        count = self._places[side].shape[1]
        try:
            cells = [self._cell(pieces)] if count == 1 else sorted(map(self._cell, pieces))
        except (TypeError, ValueError):
            cells = []
        number = self._numbers[side].get(tuple(cells))
        if number is None:
            form = "a node" if self.nodes else "a vertex" if self.is_graph else "an open cell (row, column)"
            each = f" of each of {count} officers" if count > 1 else f" of the {side}"
            raise ValueError(f"expected {form}{each}, found {pieces!r}")
        return number

    def pieces(self, side: Side, place: int) -> Any:
        """Returns the cell or node of a side's piece at a place, or the ``Team`` of several officers."""
        cells = self._places[side][place].tolist()
        team = Team(tuple(cell) if self.nodes is None else self.nodes[cell[1]] for cell in cells)
        return team[0] if len(team) == 1 else team

    def _cell(self, piece: Any) -> Cell:
        """Returns the cell of a piece. Raises TypeError or ValueError if it is none."""
        if isinstance(piece, Hashable) and piece in self._vertices:
            return 0, self._vertices[piece]
        if self.is_graph and self.nodes is None and np.ndim(piece) == 0:
            return 0, index(piece)
        if any(isinstance(node, tuple) for node in self._vertices):
            raise ValueError("expected a node")
        row, column = piece
        return index(row), index(column)

    def moves(self, side: Side, place: int) -> NDArray[np.uint32]:
        """Returns the places to which a turn of a side leads from a place, rising; none if it is stuck."""
        starts, targets = self._moves[side]
        return targets[starts[place] : starts[place + 1]]

    def winners(self) -> NDArray[np.int8]:
        """Returns who has won without a move, for each place of the police and of the thief.

        ``POLICE`` or ``THIEF`` (1, 2), and ``DRAW`` (0) where the game goes on.
        """
        return self.native.winners()
