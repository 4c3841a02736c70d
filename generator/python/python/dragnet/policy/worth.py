"""The worth of a policy beside perfect play."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from dragnet_probe import Cell, Cells, Counts, Outcome, Side, Value
from numpy.typing import NDArray

from .interval import Interval

__all__ = ["ChanceWorth", "Losses", "OddsShare", "PlyLoss", "WorseOdds", "WorseStart", "Worth"]


class PlyLoss(NamedTuple):
    """Plies that a policy loses in starts whose outcome stays."""

    starts: int
    """The starts whose outcome stays."""
    plies: int
    """The sum of the plies lost."""

    @property
    def mean(self) -> float | None:
        """The plies that a start loses on average; None if there is no start."""
        return self.plies / self.starts if self.starts else None


class WorseStart(NamedTuple):
    """A start at which a policy loses something."""

    police: Cell | Cells
    """Where the police stands."""
    thief: Cell
    """Where the thief stands."""
    turn: Side
    """The side to move."""
    post: int
    """The post of the fixed side: of a patrol its step."""
    perfect: Value
    """The value if both sides play perfectly."""
    value: Value
    """The value against the policy."""


class Worth(NamedTuple):
    """The losses of the fixed side by its policy, over all starts that are not decided without a move.

    A start *loses an outcome* if the fixed side's win becomes a draw or a loss, or its draw a loss; a draw is
    as good as the outcome for which the rules count it.
    """

    starts: int
    """The number of starts."""
    outcomes: dict[Outcome, Counts]
    """The starts by the outcome of perfect play, and by the outcome against the policy."""
    outcomes_lost: int
    """The starts that lose an outcome."""
    slower_wins: PlyLoss
    """Plies that wins of the fixed side take more, over the starts that it wins either way."""
    quicker_losses: PlyLoss
    """Plies that losses of the fixed side take less, over the starts that it loses either way."""
    worst: list[WorseStart]
    """The starts that lose most, the worst first: those that lose more of the outcome, then more plies."""


class Losses(NamedTuple):
    """The losses of a policy in many positions, as two arrays of the same shape.

    The environments tell the loss of single moves, ``info["regret"]``, in the same words.
    """

    dropped: NDArray[np.int8]
    """The steps by which the outcome is worse for the fixed side: 1 from a win to a draw or from a draw to a
    loss, 2 from a win to a loss."""
    plies: NDArray[np.int32]
    """The plies by which a win comes later or a loss sooner where the outcome stays, else 0."""


class OddsShare(NamedTuple):
    """The odds of the starts with one outcome of perfect play."""

    starts: int
    """The number of starts."""
    win: Interval | None
    """The mean of the greatest probabilities with which the free side wins; None if there is no start."""
    loss: Interval | None
    """The mean of the least probabilities with which the free side loses; None if there is no start."""
    certain: int
    """The starts in which the winner of perfect play wins with probability 1."""
    plies: Interval | None
    """The mean over these of the plies that the fixed side expects to lose: as winner by taking longer, as
    loser by lasting less long. None if there is none."""


class WorseOdds(NamedTuple):
    """A start at which a policy with chance loses something."""

    police: Cell | Cells
    """Where the police stands."""
    thief: Cell
    """Where the thief stands."""
    turn: Side
    """The side to move."""
    post: int
    """The post of the fixed side."""
    perfect: Value
    """The value if both sides play perfectly."""
    win: Interval
    """The greatest probability with which the free side wins."""
    loss: Interval
    """The least probability with which the free side loses."""
    lost: float
    """The probability, at least, with which the fixed side does not get what perfect play gets: its win, or
    its draw. A draw is as good as the outcome for which the rules count it."""


class ChanceWorth(NamedTuple):
    """The losses of the fixed side by a policy with chance, over all starts not decided without a move."""

    starts: int
    """The number of starts."""
    shares: dict[Outcome, OddsShare]
    """The odds of the starts by the outcome of perfect play."""
    worst: list[WorseOdds]
    """The starts that lose most, the worst first."""
