"""The exceptions that only tables can raise.

Files that cannot be read raise an ``OSError`` (``FileNotFoundError``, ``PermissionError`` ...) with its
``errno`` and ``filename``. Arguments of a wrong type raise a ``TypeError``, other invalid arguments a
``ValueError``.
"""

__all__ = [
    "DamagedTableError",
    "DragnetError",
    "MissingTableError",
    "NotKeptError",
    "PositionError",
    "TooMuchWorkError",
    "WrongTableError",
]


class DragnetError(Exception):
    """The base class of the exceptions that only tables can raise."""


class DamagedTableError(DragnetError):
    """The bytes are not a table, are damaged, or were changed while the table was open."""


class WrongTableError(DragnetError):
    """The table is of another kind: :class:`~dragnet_probe.Table` opens pursuit tables,
    :class:`~dragnet_probe.GameTable` game tables and :class:`~dragnet_probe.PartialTable` partial tables.
    """


class NotKeptError(DragnetError):
    """A :class:`~dragnet_probe.PartialTable` does not keep what was asked for.

    >>> try:
    ...     partial.best_move((0, 8), (0, 12), "police")
    ... except NotKeptError as error:
    ...     print(str(error).partition(": ")[2].partition(":")[0])
    asked for the moves of the police, and the table keeps who wins
    """


class PositionError(DragnetError, ValueError):
    """The position does not exist: a piece stands off the board or on a wall, the number of officers is not
    the table's, or no position has the given number.

    >>> try:
    ...     table.values([[0, 0, 3, 4, POLICE], [0, 0, 3, 3, POLICE]])
    ... except PositionError as error:
    ...     print(error.index, "-", error)
    1 - position 1 of those asked (from 0): the thief's cell 3,3 is a wall; expected an open cell
    """

    index: int | None
    """The index of the position in a batch, the first of several; None if only one was asked."""

    def __init__(self, message: str, index: int | None = None) -> None:
        super().__init__(message)
        self.index = index


class TooMuchWorkError(DragnetError):
    """The question needs more work than a table may ask for: the position has too many moves, say."""


class MissingTableError(DragnetError, LookupError):
    """A :class:`~dragnet_probe.Tablebase` has no table for the board and the rules."""
