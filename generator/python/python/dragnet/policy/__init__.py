r"""Policies: what a side gets against another one that moves in a fixed way, and what that way is worth.

>>> ground = Ground("P...E\n.###.\n..T..\n")
>>> patrol = Patrol([(0, 0), (1, 0), (2, 0), (1, 0)])
>>> reply = best_reply(ground, police=patrol)
>>> reply.value(police=(0, 0), thief=(2, 2), turn="police")
Value('thief', 8)
>>> reply.worth().outcomes_lost
26

One side, the *fixed* one, follows a policy: a :class:`Patrol`, a :class:`Greedy` chase, a list of moves
(:class:`ListedMoves`), a :class:`RandomWalk`, an :class:`Opponent` of a strength, arrays of probabilities
(:class:`MoveWeights`), or a function of yours, which may remember something (:class:`WithMemory`). The *free*
side plays the best reply: :func:`best_reply` has exact values if the policy leaves nothing to chance, else
:func:`odds` has bounds. Both compare the policy with perfect play.

A *place* is where all pieces of one side stand: a cell, or several officers' cells. Places are numbered in
the order of ``Table.cells`` and ``Table.teams()``. A *post* is a place of the fixed side together with what
the policy remembers, such as the step of a patrol. Arrays of positions have the police on the first axis and
the thief on the second: for the fixed side its posts, for the free side its places.
"""

from .ground import Ground
from .interval import Interval, Intervals
from .kinds import Greedy, ListedMoves, MoveWeights, Opponent, Patrol, Policy, RandomWalk, WithMemory
from .prospects import Odds, Prospect, Prospects, odds
from .replies import BestReply, best_reply
from .worth import ChanceWorth, Losses, OddsShare, PlyLoss, WorseOdds, WorseStart, Worth

__all__ = [
    "BestReply",
    "ChanceWorth",
    "Greedy",
    "Ground",
    "Interval",
    "Intervals",
    "ListedMoves",
    "Losses",
    "MoveWeights",
    "Odds",
    "OddsShare",
    "Opponent",
    "Patrol",
    "PlyLoss",
    "Policy",
    "Prospect",
    "Prospects",
    "RandomWalk",
    "WithMemory",
    "WorseOdds",
    "WorseStart",
    "Worth",
    "best_reply",
    "odds",
]
