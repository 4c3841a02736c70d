"""Asks Dragnet tables: who wins a position of police against thief, in how many plies, with which move.

>>> table = Table.open("formats/tests/golden/v1-size.dtb")
>>> table.value(police=(0, 0), thief=(0, 5), turn="police")
Value('police', 9)

A :class:`GameTable` is of any other game whose positions are numbers, such as one that is a graph of them.

Cells are ``(row, column)`` from 0, row 0 on top; where a board is a graph, vertex v is ``(0, v)``.
Distances (DTW) are plies, single moves of one side: the winner takes the quickest way, the loser the
slowest. A draw has none.
"""

from ._native import (
    DRAW,
    DRAWN,
    LOST,
    OUTCOMES,
    POLICE,
    RESULTS,
    THIEF,
    WALL,
    WON,
    GameTable,
    Table,
    Tablebase,
    Value,
    __version__,
)
from .errors import DamagedTableError, DragnetError, MissingTableError, PositionError, WrongTableError
from .results import (
    Cell,
    Cells,
    Counts,
    GameCounts,
    GameLongest,
    GameValue,
    GameValues,
    Line,
    Longest,
    Move,
    Outcome,
    Result,
    Side,
    Values,
)
from .rules import Movement, Rules

__all__ = [
    "DRAW",
    "DRAWN",
    "LOST",
    "OUTCOMES",
    "POLICE",
    "RESULTS",
    "THIEF",
    "WALL",
    "WON",
    "Cell",
    "Cells",
    "Counts",
    "DamagedTableError",
    "DragnetError",
    "GameCounts",
    "GameLongest",
    "GameTable",
    "GameValue",
    "GameValues",
    "Line",
    "Longest",
    "MissingTableError",
    "Move",
    "Movement",
    "Outcome",
    "PositionError",
    "Result",
    "Rules",
    "Side",
    "Table",
    "Tablebase",
    "Value",
    "Values",
    "WrongTableError",
    "__version__",
]
