"""The named tuples about opponents and their games."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from ._native import _strength_level, _strength_preset
from .results import Move

__all__ = ["Calibration", "Preset", "Review", "ReviewedMove", "Strength"]

# presets: written by probe/tests/all/opponent_presets.rs
Preset: TypeAlias = Literal["easy", "normal", "hard", "perfect"]
# end of presets
"""The name of a strength, the weakest first."""


class Strength(NamedTuple):
    """How well an opponent plays. Shares and weights are per mille.

    >>> Strength.preset("hard")._replace(errors=150)
    Strength(errors=150, blunders=300, plies=8, drop=1, horizon=1073741823, reaction=0)
    >>> Strength.level(1000) == Strength.preset("perfect")
    True
    """

    errors: int
    """The share of turns in which the opponent errs if there is a tempting error, 0 to 1000."""
    blunders: int
    """The weight of an error that makes the outcome worse, 0 to 1000; one that loses L plies has 4000 / L."""
    plies: int
    """The most plies that an error may lose if it keeps the outcome."""
    drop: int
    """The most steps of the outcome, from win to draw to loss, that an error may cost: 0, 1 or 2."""
    horizon: int
    """The number of plies ahead that the opponent sees the end; 1073741823 is unlimited."""
    reaction: int
    """The rounds after which the opponent takes notice of what the other side does, 0 to 8."""

    @staticmethod
    def preset(name: str) -> Strength:
        """Returns the strength with the name of a :data:`Preset`."""
        return Strength(*_strength_preset(name))

    @staticmethod
    def level(level: int) -> Strength:
        """Returns the strength at a level of the dial, from 0 to 1000, which is perfect."""
        return Strength(*_strength_level(level))


class Calibration(NamedTuple):
    """A strength with the share of games that it wins."""

    level: int
    """The level of the dial."""
    strength: Strength
    """The strength at that level."""
    games: int
    """The games that were played at that level after it was chosen."""
    wins: int
    """The games of these that were won."""
    interval: tuple[float, float]
    """The 95 % confidence interval of the share of wins, from 0 to 1."""
    reached: bool
    """Whether the share of wins is within 100 per mille of the target."""
    lowest: int
    """The least number of wins at any level that was tried, the weakest among them."""
    highest: int
    """The greatest number of wins at any level that was tried, the strongest among them."""


class ReviewedMove(NamedTuple):
    """A move of a game with its cost. At most one of drop and plies is not 0."""

    ply: int
    """The index of the position before the move, from 0."""
    played: Move
    """The move that was made."""
    best: Move
    """The first of the best moves."""
    drop: int
    """The steps of the outcome, from win to draw to loss, that the move lost."""
    plies: int
    """The plies by which the move made a win longer or a loss shorter."""


class Review(NamedTuple):
    """The moves of one side in a game, with what they cost."""

    moves: list[ReviewedMove]
    """The moves of the side, in their order."""
    errors: int
    """The number of moves that were not the best."""
    blunders: int
    """The number of moves that made the outcome worse."""
    drops: int
    """The steps of the outcome that all moves together lost."""
    plies_lost: int
    """The plies that all moves together lost without making the outcome worse."""

    def worst(self, count: int) -> list[ReviewedMove]:
        """Returns the worst moves, the worst first: those that lost the most of the outcome, then the most
        plies, then the earliest. A move that cost nothing is never among them.
        """
        errors = [move for move in self.moves if move.drop or move.plies]
        return sorted(errors, key=lambda move: (-move.drop, -move.plies))[:count]
