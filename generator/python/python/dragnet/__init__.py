r"""Solves pursuit games and games on graphs, exactly.

>>> table = solve("..E\n.#.\n...")
>>> table.value(police=(2, 0), thief=(2, 2), turn="police")
Value('police', 3)

:func:`solve` returns the table of a board, a NumPy array or a NetworkX graph, or of a :class:`Game` of your
own, with the value of every position. :func:`solve_game` solves any game on a graph in which two players
move by turns. :func:`cops` tells how many officers catch the thief on a graph. :func:`generate`,
:func:`generate_all` and :func:`verify` make and check files of tables. Tables are those of the package
``dragnet_probe``: see there how to ask them.

The module :mod:`dragnet.policy` tells how a patrol, a chase or any other fixed way to play fares against the
best reply. The module ``dragnet.environments`` has the environment ``dragnet/Pursuit-v0`` for Gymnasium and
``pursuit_aec`` for PettingZoo. They have the table as an exact opponent, and tell what each move has cost.
"""

from . import policy
from ._native import __version__
from .batch import Job, Made, generate_all
from .boards import rules_of
from .capture import Cops, cops
from .game import Game
from .solving import generate, memory_needed, solve, solve_game, verify

__all__ = [
    "Cops",
    "Game",
    "Job",
    "Made",
    "__version__",
    "cops",
    "generate",
    "generate_all",
    "memory_needed",
    "policy",
    "rules_of",
    "solve",
    "solve_game",
    "verify",
]
