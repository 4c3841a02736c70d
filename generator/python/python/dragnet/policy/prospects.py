"""The best reply to a policy with chance."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from dragnet_probe import Side
from numpy.typing import NDArray

from .. import _native
from ..progress import ProgressLike, reporting
from .against import BY_OUTCOME, Against, as_value, fixed_side
from .ground import Ground, PiecesLike
from .interval import Interval, Intervals
from .kinds import Policy, native_policy, require_memory
from .worth import ChanceWorth, OddsShare, WorseOdds

__all__ = ["Odds", "Prospect", "Prospects", "odds"]


class Prospect(NamedTuple):
    """The prospect of the free side in a position.

    The greatest probability of winning and the least probability of losing may belong to different plans.
    What is missing from a sum of 1 is the probability of a game without end.
    """

    win: Interval
    """The greatest probability with which the free side wins."""
    loss: Interval
    """The least probability with which the free side loses."""
    plies: Interval | None
    """The expected plies to an end that is certain: the least if the free side can win with probability 1,
    the greatest if it loses with probability 1 whatever it does. None in all other positions, in which there
    is no such number."""


class Prospects(NamedTuple):
    """The prospects of the free side in many positions, as arrays of the same shape."""

    win: Intervals
    """The greatest probabilities with which the free side wins."""
    loss: Intervals
    """The least probabilities with which the free side loses."""
    plies: Intervals
    """The expected plies to an end that is certain; nan where there is no such number."""


class Odds(Against):
    """The prospects of the free side against a policy with chance in all positions, with sure bounds."""

    _game: _native.Odds

    @property
    def have_met(self) -> bool:
        """Whether all bounds have met as nearly as was asked for."""
        return self._game.have_met

    def value(
        self,
        police: PiecesLike | None = None,
        thief: PiecesLike | None = None,
        turn: Side = "police",
        *,
        post: int | None = None,
    ) -> Prospect:
        """Returns what the free side gets in a position.

        Without ``post`` the fixed side is at the first post at which a game may begin at its place.
        """
        at = self._index(police, thief, post)
        win, loss, plies = (Interval(float(low[at]), float(high[at])) for low, high in self.all_values(turn))
        return Prospect(win, loss, None if np.isnan(plies.low) else plies)

    def all_values(self, turn: Side) -> Prospects:
        """Returns what the free side gets in all positions with ``turn`` to move.

        The arrays have the police on the first axis and the thief on the second: for the fixed side its
        posts, for the free side its places. They are read-only, and kept for the next call.
        """

        def make() -> Prospects:
            # One array has all six numbers, and these are views of it.
            bounds = [self._turned(array) for array in self._game.values(turn)]
            win, loss, plies = (Intervals(*bounds[at : at + 2]) for at in (0, 2, 4))
            return Prospects(win, loss, plies)

        return self._kept("values", turn, make)

    def row(
        self,
        *,
        police: PiecesLike | None = None,
        thief: PiecesLike | None = None,
        post: int | None = None,
        turn: Side,
    ) -> Prospects:
        """Returns what the free side gets with one side fixed and the other one's piece on each cell.

        The arrays have the shape of the board, and nan at walls.
        """
        row = self._row(police, thief, post)
        win, loss, plies = (
            Intervals(self._grid(low, row, np.nan), self._grid(high, row, np.nan))
            for low, high in self.all_values(turn)
        )
        return Prospects(win, loss, plies)

    def losses(self, turn: Side) -> NDArray[np.float64]:
        """Returns the probability, at least, with which the policy does not get what perfect play gets.

        For all positions with ``turn`` to move, in the order of :meth:`all_values`: 0 where perfect play
        loses. A draw is as good as the outcome for which the rules count it.
        """
        return self._kept("losses", turn, lambda: self._turned(self._game.losses(turn)))

    def losses_row(
        self,
        *,
        police: PiecesLike | None = None,
        thief: PiecesLike | None = None,
        post: int | None = None,
        turn: Side,
    ) -> NDArray[np.float64]:
        """Returns what the policy loses with one side fixed, like :meth:`row`."""
        return self._grid(self.losses(turn), self._row(police, thief, post), np.nan)

    def worth(self, worst: int = 3) -> ChanceWorth:
        """Returns what the policy is worth beside perfect play over all starts, with the worst of them."""

        def mean(total: tuple[float, float], count: int) -> Interval | None:
            return Interval(total[0] / count, total[1] / count) if count else None

        starts, shares, worse = self._game.worth(worst)
        by_outcome = {
            outcome: OddsShare(count, mean(win, count), mean(loss, count), certain, mean(plies, certain))
            for outcome, (count, win, loss, certain, plies) in zip(BY_OUTCOME, shares, strict=True)
        }
        listed = [
            WorseOdds(*self._named(position), as_value(perfect), Interval(*win), Interval(*loss), lost)
            for position, perfect, win, loss, lost in worse
        ]
        return ChanceWorth(starts, by_outcome, listed)


def odds(
    ground: Ground,
    *,
    police: Policy | None = None,
    thief: Policy | None = None,
    width: float = 1e-6,
    rounds: int = 100_000,
    threads: int = 0,
    memory: int | None = None,
    progress: ProgressLike = False,
) -> Odds:
    """Bounds what the other side gets against a policy with chance, of either the police or the thief.

    width: how near bounds must come, above 0 and at most 1: of probabilities their difference, of expected
    plies the share of it in them. rounds: the most rounds for each kind of number; bounds that have not met
    then are left as they are. threads: 0 for one per processor. progress: see
    :data:`dragnet.progress.ProgressLike`.

    memory: the most bytes that perfect play, the game against the policy and the table of an opponent may
    take, each by itself; MemoryError says which of them needs more. The game takes some 250 bytes for each
    pair of a post and a place.

    >>> ground = Ground("...E")
    >>> win = odds(ground, thief=RandomWalk()).value((0, 0), (0, 2), "police").win
    >>> win.low <= 2 / 3 <= win.high
    True
    """
    side, policy = fixed_side(police, thief)
    require_memory(ground, side, policy, True, threads, memory)
    with reporting(progress) as report:
        native = native_policy(ground, side, policy, report)
        made = _native.Odds(ground.native, side, native, width, rounds, threads, report)
        return Odds(ground, side, made)
