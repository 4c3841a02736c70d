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
many positions or blocks are done, how many there are, and the level. Stages are "solving" and "writing",
"verifying", and for policies "asking", while they are asked for their moves, and "bounding", where the level
is the round."""


@contextmanager
def reporting(progress: ProgressLike) -> Iterator[Report | None]:
    """Yields what the native part is to call, and closes the bar in the end."""
    if not isinstance(progress, bool):
        yield progress
        return
    if progress:
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
        counted = {"solving": f"level {level}", "bounding": f"round {level}"}
        bar.set_description(counted.get(stage, stage), refresh=False)
        bar.refresh()

    try:
        yield show
    finally:
        bar.close()
