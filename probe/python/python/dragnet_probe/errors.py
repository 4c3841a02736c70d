"""What goes wrong.

Files that cannot be read are Python's own ``OSError`` (``FileNotFoundError``, ``PermissionError`` ...) with
its ``errno`` and ``filename``; arguments of a wrong type are ``TypeError``, of a wrong form ``ValueError``.
The rest is here.
"""

__all__ = ["DamagedTableError", "DragnetError", "MissingTableError", "PositionError", "WrongTableError"]


class DragnetError(Exception):
    """Base of the errors that only tables can have."""


class DamagedTableError(DragnetError):
    """The bytes are no table, or a damaged one. There is no answer from damaged bytes."""


class WrongTableError(DragnetError):
    """The table is of the other kind: a :class:`~dragnet_probe.Table` is of a pursuit game, a
    :class:`~dragnet_probe.GameTable` of another whose positions are numbers.
    """


class PositionError(DragnetError, ValueError):
    """A piece stands off the board or on a wall, there are more or fewer officers than the table has, or no
    position has the number asked for.

    >>> try:
    ...     table.values([[0, 0, 3, 4, POLICE], [0, 0, 3, 3, POLICE]])
    ... except PositionError as error:
    ...     print(error.index, "-", error)
    1 - position 1 of those asked (from 0): the thief's cell 3,3 is a wall; expected an open cell
    """

    index: int | None
    """The first such position's place among those asked, or None if only one was asked."""

    def __init__(self, message: str, index: int | None = None) -> None:
        super().__init__(message)
        self.index = index


class MissingTableError(DragnetError, LookupError):
    """No table of a :class:`~dragnet_probe.Tablebase` is for the board and the rules."""
