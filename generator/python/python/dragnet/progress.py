"""Progress of long work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

__all__ = ["ProgressLike", "Report", "reporting"]

Report: TypeAlias = Callable[[str, int, int, int], object]
"""The function that the native part calls with stage, done, total and level."""

ProgressLike: TypeAlias = bool | Report
"""Whether to show a bar, if tqdm is installed; or what is called some ten times a second with the stage, how
many positions or blocks are done, how many there are, and the level."""


@contextmanager
def reporting(progress: ProgressLike) -> Iterator[Report | None]:
    """Yields what the native part is to call, and closes the bar in the end."""
    if not isinstance(progress, bool):
        yield progress
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        progress = False
    if not progress:
        yield None
        return
    bar = tqdm(total=0, unit_scale=True)

    def show(stage: str, done: int, total: int, level: int) -> None:
        bar.total, bar.n = total, done
        bar.set_description(f"level {level}" if stage == "solving" else stage, refresh=False)
        bar.refresh()

    try:
        yield show
    finally:
        bar.close()
