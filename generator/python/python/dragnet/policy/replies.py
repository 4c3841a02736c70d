"""The best reply to a policy without chance."""

from __future__ import annotations

from typing import Literal

from dragnet_probe import Counts, Line, Move, Side, Value, Values

from .. import _native
from ..progress import ProgressLike, reporting
from .against import BY_OUTCOME, Against, as_value, fixed_side
from .ground import Ground, PiecesLike
from .kinds import Policy, native_policy, require_memory
from .worth import Losses, PlyLoss, WorseStart, Worth

__all__ = ["BestReply", "best_reply"]


class BestReply(Against):
    """The values of all positions against a policy that leaves nothing to chance.

    They say what the free side gets if it plays best, and how soon.
    """

    _game: _native.BestReply

    def value(
        self,
        police: PiecesLike | None = None,
        thief: PiecesLike | None = None,
        turn: Side = "police",
        *,
        post: int | None = None,
    ) -> Value:
        """Returns the value of a position: who wins against the policy, in how many plies.

        Without ``post`` the fixed side is at the first post at which a game may begin at its place.
        """
        return self._value(turn, self._index(police, thief, post))

    def all_values(self, turn: Side) -> Values:
        """Returns the values of all positions with ``turn`` to move.

        The arrays have the police on the first axis and the thief on the second: for the fixed side its
        posts, for the free side its places. They are read-only, and kept for the next call. If the policy
        remembers nothing they have the order of ``Table.all_values``.
        """
        return self._kept("values", turn, lambda: Values(*self._both_turned(self._game.values(turn))))

    def row(
        self,
        *,
        police: PiecesLike | None = None,
        thief: PiecesLike | None = None,
        post: int | None = None,
        turn: Side,
    ) -> Values:
        """Returns the values with one side fixed where it stands and the other one's piece on each cell.

        The arrays have the shape of the board, -1 at walls and beside the route of a patrol.
        """
        return self._grids(self.all_values(turn), self._row(police, thief, post))

    def line(
        self,
        police: PiecesLike | None = None,
        thief: PiecesLike | None = None,
        turn: Side = "police",
        *,
        post: int | None = None,
    ) -> Line:
        """Returns the line of play from a position if the free side plays best.

        The winner takes the quickest way and the loser the slowest, of equals the first in reading order of
        the pieces after the move. A draw is played until a position occurs again.
        """
        at = self._index(police, thief, post)
        value, side, moves = self._value(turn, at), turn, []
        for to_move, *pair in self._game.line(turn, *self._turned_pair(at)):
            at = self._turned_pair(pair)
            after = self._value(to_move, at)
            moves.append(Move(side, self._standing(at)[side], after.outcome, after.dtw))
            side = to_move
        return Line(value, moves, self._end(value, at))

    def _value(self, turn: Side, at: tuple[int, int]) -> Value:
        outcome, dtw = self.all_values(turn)
        return as_value((int(outcome[at]), int(dtw[at])))

    def _end(
        self, value: Value, at: tuple[int, int]
    ) -> Literal["caught", "escaped", "arrived", "stuck", "repetition"]:
        """Returns how a line ends with this index of its last position."""
        if value.outcome == "draw":
            return "repetition"
        police, thief = self._places(at)
        if self.ground.winners()[police, thief] == 0:
            return "stuck"
        if value.outcome == "thief":
            return "escaped"
        officers = self.ground.places("police")[police]
        is_caught = (officers == self.ground.places("thief")[thief]).all(axis=1).any()
        return "caught" if is_caught else "arrived"

    def losses(self, turn: Side) -> Losses:
        """Returns what the policy loses beside perfect play in all positions with ``turn`` to move.

        The arrays have the order of :meth:`all_values`. A draw is as good as the outcome for which the rules
        count it.
        """
        return self._kept("losses", turn, lambda: Losses(*self._both_turned(self._game.losses(turn))))

    def losses_row(
        self,
        *,
        police: PiecesLike | None = None,
        thief: PiecesLike | None = None,
        post: int | None = None,
        turn: Side,
    ) -> Losses:
        """Returns what the policy loses with one side fixed, like :meth:`row`."""
        dropped, plies = self.losses(turn)
        row = self._row(police, thief, post)
        return Losses(self._grid(dropped, row, -1), self._grid(plies, row, -1))

    def worth(self, worst: int = 3) -> Worth:
        """Returns what the policy is worth beside perfect play over all starts, with the worst of them."""
        starts, outcomes, lost, slower, quicker, worse = self._game.worth(worst)
        by_outcome = dict(zip(BY_OUTCOME, (Counts(*row) for row in outcomes), strict=True))
        listed = [
            WorseStart(*self._named(position), as_value(perfect), as_value(value))
            for position, perfect, value in worse
        ]
        return Worth(starts, by_outcome, lost, PlyLoss(*slower), PlyLoss(*quicker), listed)


def best_reply(
    ground: Ground,
    *,
    police: Policy | None = None,
    thief: Policy | None = None,
    threads: int = 0,
    memory: int | None = None,
    progress: ProgressLike = False,
) -> BestReply:
    r"""Solves the game against a policy without chance, of either the police or the thief.

    threads: 0 for one per processor. progress: see :data:`dragnet.progress.ProgressLike`. Raises ValueError
    if the policy makes a move that is not legal, or draws lots: then :func:`odds` says what the other side
    gets.

    memory: the most bytes that perfect play, the game against the policy and the table of an opponent may
    take, each by itself; MemoryError says which of them needs more. The game takes some 24 bytes for each
    pair of a post and a place.

    >>> ground = Ground("....\n.##.\n....\n")
    >>> best_reply(ground, thief=Greedy()).value((0, 0), (2, 3), "police")
    Value('police', 11)
    """
    side, policy = fixed_side(police, thief)
    require_memory(ground, side, policy, False, threads, memory)
    with reporting(progress) as report:
        native = native_policy(ground, side, policy, report)
        return BestReply(ground, side, _native.BestReply(ground.native, side, native, threads, report))
