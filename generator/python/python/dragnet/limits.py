"""The memory that work may take."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["require"]


def require(what: str, needed: Callable[[], int], memory: int | None) -> None:
    """Raises MemoryError if ``what`` needs more bytes than ``memory``; None is no limit."""
    if memory is not None and (bytes_needed := needed()) > memory:
        raise MemoryError(f"{what} needs {bytes_needed} bytes of memory, and {memory} are allowed")
