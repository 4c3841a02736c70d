"""Asks Dragnet tables: who wins a position of policeman against thief, in how many plies, with which move.

>>> table = Table.open("formats/tests/golden/v1-size.dtb")
>>> table.value(police=(0, 0), thief=(0, 5), turn="police")
Value('police', 9)

Cells are ``(row, column)`` from 0, row 0 on top. Distances (DTW) are plies, single moves of one side: the
winner takes the quickest way, the loser the slowest. A draw has none.
"""

from ._native import DRAW, OUTCOMES, POLICE, THIEF, WALL, Table, Tablebase, Value, __version__
from .errors import DamagedTableError, DragnetError, MissingTableError, PositionError
from .results import Cell, Counts, Line, Longest, Move, Outcome, Side, Values
from .rules import Movement, Rules

__all__ = [
    "DRAW",
    "OUTCOMES",
    "POLICE",
    "THIEF",
    "WALL",
    "Cell",
    "Counts",
    "DamagedTableError",
    "DragnetError",
    "Line",
    "Longest",
    "MissingTableError",
    "Move",
    "Movement",
    "Outcome",
    "PositionError",
    "Rules",
    "Side",
    "Table",
    "Tablebase",
    "Value",
    "Values",
    "__version__",
]
