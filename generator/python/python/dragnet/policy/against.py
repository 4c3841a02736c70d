"""The game against a policy, which both kinds of replies share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np
from dragnet_probe import OUTCOMES, WALL, Outcome, Side, Value, Values
from numpy.typing import NDArray

from .ground import Ground, PiecesLike
from .kinds import Policy

__all__ = ["BY_OUTCOME", "Against", "NativeGame", "as_value", "fixed_side"]

Arrays = TypeVar("Arrays")

BY_OUTCOME: tuple[Outcome, Outcome, Outcome] = ("police", "thief", "draw")
"""The order in which the native part counts outcomes."""


class NativeGame(Protocol):
    """The methods that both kinds of replies of the native part have."""

    def posts(self) -> tuple[NDArray[np.uint32], NDArray[np.bool_]]: ...
    def perfect(self, turn: Side) -> tuple[NDArray[np.int8], NDArray[np.int32]]: ...


def fixed_side(police: Policy | None, thief: Policy | None) -> tuple[Side, Policy]:
    """Returns the side that follows a policy, and the policy."""
    if police is not None and thief is None:
        return "police", police
    if thief is not None and police is None:
        return "thief", thief
    raise TypeError("expected a policy of either police or thief, found both or none")


def as_value(numbers: tuple[int, int]) -> Value:
    """Returns the value of an outcome and a distance, which is -1 for a draw."""
    outcome, dtw = numbers
    return Value(OUTCOMES[outcome], None if dtw < 0 else dtw)


class Against:
    """The game against a policy, and perfect play beside it."""

    def __init__(self, ground: Ground, side: Side, game: NativeGame) -> None:
        self.ground = ground
        """The board."""
        self.fixed: Side = side
        """The side that follows the policy."""
        self.free: Side = "thief" if side == "police" else "police"
        """The side that plays as it likes."""
        self.posts, self.starts = game.posts()
        self._game = game
        self._arrays: dict[tuple[str, Side], Any] = {}

    posts: NDArray[np.uint32]
    """The place of each post of the fixed side."""
    starts: NDArray[np.bool_]
    """Whether a game may begin at each post."""

    def post(self, pieces: PiecesLike) -> int:
        """Returns the first post at which a game may begin with the fixed side's pieces there.

        Raises ValueError if there is none, as beside the route of a patrol.
        """
        found = np.flatnonzero(self.starts & (self.posts == self.ground.place(self.fixed, pieces)))
        if not found.size:
            raise ValueError(f"expected the {self.fixed} where its policy can begin, found {pieces!r}")
        return int(found[0])

    def perfect_values(self, turn: Side) -> Values:
        """Returns the values of all positions with ``turn`` to move if both sides play perfectly.

        The arrays have the order of :meth:`all_values`; they are read-only, and kept for the next call.
        """
        return self._kept("perfect", turn, lambda: Values(*self._both_turned(self._game.perfect(turn))))

    def _kept(self, name: str, turn: Side, make: Callable[[], Arrays]) -> Arrays:
        """Returns what ``make`` returns, which is called once."""
        if (name, turn) not in self._arrays:
            self._arrays[name, turn] = make()
        kept: Arrays = self._arrays[name, turn]
        return kept

    def _both_turned(
        self, arrays: tuple[NDArray[np.int8], NDArray[np.int32]]
    ) -> tuple[NDArray[np.int8], NDArray[np.int32]]:
        return self._turned(arrays[0]), self._turned(arrays[1])

    def _turned(self, array: NDArray[Any]) -> NDArray[Any]:
        """Returns a read-only view of an array (posts, places) with the police on the first axis."""
        array = array if self.fixed == "police" else array.T
        array.flags.writeable = False
        return array

    def _index(
        self, police: PiecesLike | None, thief: PiecesLike | None, post: int | None
    ) -> tuple[int, int]:
        """Returns the index of a position in arrays."""
        own, other = (police, thief) if self.fixed == "police" else (thief, police)
        if own is None and post is None:
            raise TypeError(f"expected {self.fixed} or post, found none")
        if other is None:
            raise TypeError(f"expected {self.free}, found none")
        return self._turned_pair((self._post(own, post), self.ground.place(self.free, other)))

    def _post(self, own: PiecesLike | None, post: int | None) -> int:
        if post is None:
            assert own is not None
            return self.post(own)
        if not 0 <= post < len(self.posts):
            raise ValueError(f"expected a post from 0 to {len(self.posts) - 1}, found {post}")
        if own is not None and self.ground.place(self.fixed, own) != self.posts[post]:
            at = self.ground.pieces(self.fixed, int(self.posts[post]))
            raise ValueError(f"expected the {self.fixed} on {at} at post {post}, found {own!r}")
        return post

    def _row(
        self, police: PiecesLike | None, thief: PiecesLike | None, post: int | None
    ) -> tuple[Any, NDArray[np.intp], NDArray[np.intp]]:
        """Returns the index of a row of arrays, and the rows and columns of its cells on the board."""
        own, other = (police, thief) if self.fixed == "police" else (thief, police)
        if (own is None and post is None) == (other is None):
            raise TypeError("expected one side where it stands, found both or none")
        if other is None:
            number, moving = self._post(own, post), self.free
            cells = self.ground.places(self.free)
            every: Any = slice(None)
        else:
            number, moving = self.ground.place(self.free, other), self.fixed
            every, first = self._first_posts()
            cells = self.ground.places(self.fixed)[first]
        if cells.shape[1] > 1:
            raise ValueError(
                f"expected police, the cells of {cells.shape[1]} officers, found thief: only one officer can "
                "be on each cell"
            )
        # The axis along which the fixed piece does not change is that of its side.
        index = (every, number) if moving == "police" else (number, every)
        return index, cells[:, 0, 0].astype(np.intp), cells[:, 0, 1].astype(np.intp)

    def _first_posts(self) -> tuple[NDArray[np.intp], NDArray[np.uint32]]:
        """Returns the first posts at which a game may begin at each place, and these places."""
        starts = np.flatnonzero(self.starts)
        places, first = np.unique(self.posts[starts], return_index=True)
        return starts[first], places

    def _grid(self, array: NDArray[Any], row: Any, elsewhere: Any) -> NDArray[Any]:
        """Returns a row of an array as a board."""
        index, rows, columns = row
        grid = np.full(self.ground.shape, elsewhere, dtype=array.dtype)
        grid[rows, columns] = array[index]
        return grid

    def _grids(self, values: Values, row: Any) -> Values:
        return Values(self._grid(values.outcome, row, WALL), self._grid(values.dtw, row, -1))

    def perfect_row(
        self,
        *,
        police: PiecesLike | None = None,
        thief: PiecesLike | None = None,
        post: int | None = None,
        turn: Side,
    ) -> Values:
        """Returns the values if both sides play perfectly, with one side fixed, like :meth:`row`."""
        return self._grids(self.perfect_values(turn), self._row(police, thief, post))

    def _turned_pair(self, pair: Sequence[int]) -> tuple[int, int]:
        """Returns a pair (post, place) as an index of arrays, or the other way round."""
        first, second = pair
        return (first, second) if self.fixed == "police" else (second, first)

    def _places(self, at: tuple[int, int]) -> tuple[int, int]:
        """Returns the places of the police and of the thief at an index of arrays."""
        post, place = self._turned_pair(at)
        return self._turned_pair((int(self.posts[post]), place))

    def _standing(self, at: tuple[int, int]) -> dict[Side, Any]:
        """Returns where the pieces of both sides stand at an index of arrays."""
        police, thief = self._places(at)
        return {"police": self.ground.pieces("police", police), "thief": self.ground.pieces("thief", thief)}

    def _named(self, position: tuple[Side, int, int]) -> tuple[Any, Any, Side, int]:
        """Returns where the police and the thief stand in a position, the side to move and the post."""
        turn, post, place = position
        standing = self._standing(self._turned_pair((post, place)))
        return standing["police"], standing["thief"], turn, post
