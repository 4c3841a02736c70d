"""Answers from Dragnet tables: who wins a position of police against thief, in how many plies, and how.

>>> table = Open.path("formats/tests/golden/v2-size.dtb").pursuit()
>>> table.value(police=(0, 0), thief=(0, 5), turn="police")
Value('police', 9)

An :class:`Open` says where a table is, and opens it. A :class:`Table` is a pursuit table. A
:class:`GameTable` has the values of any other game whose positions are numbered. A :class:`PartialTable`
keeps a part of what a pursuit table knows. A :class:`Tablebase` finds pursuit tables in folders.

Cells are ``(row, column)`` from 0, with row 0 at the top; vertex v of a graph is the cell ``(0, v)``.
Distances (DTW, distance to win) count plies if the winner wins as quickly and the loser loses as slowly as
possible. A ply is one turn of one side. A draw has no distance.

Some names are types for annotations: ``Side`` is "police" or "thief", ``Outcome`` one of them or "draw",
``Result`` "won", "lost" or "drawn" for the player to move, ``Keep`` what a partial table keeps, ``Cell`` a
row and a column, and ``Cells`` the cells of several officers.
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
    Open,
    Opponent,
    PartialTable,
    Table,
    Tablebase,
    Value,
    __version__,
    cache_statistics,
    calibrate,
    review,
    set_cache_limit,
)
from .errors import (
    DamagedTableError,
    DragnetError,
    MissingTableError,
    NotKeptError,
    PositionError,
    TooMuchWorkError,
    WrongTableError,
)
from .opponents import Calibration, Review, ReviewedMove, Strength
from .results import (
    CacheStatistics,
    Cell,
    Cells,
    Counts,
    GameCounts,
    GameLongest,
    GameValue,
    GameValues,
    Keep,
    KeptMove,
    Line,
    Longest,
    Move,
    Outcome,
    Result,
    Side,
    Team,
    Values,
)

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
    "CacheStatistics",
    "Calibration",
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
    "Keep",
    "KeptMove",
    "Line",
    "Longest",
    "MissingTableError",
    "Move",
    "NotKeptError",
    "Open",
    "Opponent",
    "Outcome",
    "PartialTable",
    "PositionError",
    "Result",
    "Review",
    "ReviewedMove",
    "Side",
    "Strength",
    "Table",
    "Tablebase",
    "Team",
    "TooMuchWorkError",
    "Value",
    "Values",
    "WrongTableError",
    "__version__",
    "cache_statistics",
    "calibrate",
    "review",
    "set_cache_limit",
]
