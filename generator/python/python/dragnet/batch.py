"""The tables of many boards."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from dragnet_probe import DragnetError, Open, Table

from . import _native
from .boards import BoardLike, Nodes, RulesLike, board_of, native_board, native_rules, rules_of
from .progress import ProgressLike
from .solving import Favour, generate

__all__ = ["Job", "Made", "generate_all"]


@dataclass(frozen=True)
class Job:
    """A board of a batch with rules of its own. What is ``None`` is as for the whole batch."""

    board: BoardLike
    """The board, as :func:`dragnet.solve` takes it."""
    rules: RulesLike | None = None
    """The rules."""
    officers: int | None = None
    """Another number of officers than the rules say."""
    exits: Iterable[Any] = ()
    """More exits, as cells, vertices or nodes."""
    directed: bool | None = None
    """Whether edges of a matrix, of pairs or of a list lead one way."""


@dataclass(frozen=True)
class Made:
    """A table of a batch that was made, kept or not made."""

    name: str
    """The name of the table."""
    path: Path
    """The file of the table."""
    status: Literal["made", "kept", "failed"]
    """Whether it was made now, was there already, or could not be made."""
    seconds: float
    """The time that was spent on it."""
    error: Exception | None = None
    """The exception for a table that could not be made."""
    nodes: Nodes | None = None
    """The nodes of a graph of NetworkX."""

    def open(self) -> Table:
        """Opens the table. Raises the error of a table that could not be made."""
        if self.error is not None:
            raise self.error
        return Open.path(self.path).pursuit().with_nodes(self.nodes)


def generate_all(
    boards: Mapping[str, BoardLike | Job],
    folder: str | PathLike[str],
    rules: RulesLike | None = None,
    *,
    officers: int | None = None,
    favour: Favour = "size",
    force: bool = False,
    threads: int = 0,
    memory: int | None = None,
    progress: ProgressLike = False,
) -> list[Made]:
    """Makes the tables of many boards in a folder, one after another, and tells what became of each.

    ``boards`` has the name of each table, without ``.dtb``, with its board or a :class:`Job`. A table that is
    there already, of the same board and rules, is kept unless ``force`` is true; another file of that name is
    replaced. A board that cannot be solved costs its own table only. Ctrl-C ends the batch, and the same call
    goes on from there. The other arguments are those of :func:`dragnet.generate`.
    """
    return [
        _made(
            name,
            Path(folder, f"{name}.dtb"),
            job if isinstance(job, Job) else Job(job),
            rules,
            officers,
            force,
            {"favour": favour, "threads": threads, "memory": memory, "progress": progress},
        )
        for name, job in boards.items()
    ]


def _made(
    name: str,
    path: Path,
    job: Job,
    rules: RulesLike | None,
    officers: int | None,
    force: bool,
    settings: dict[str, Any],
) -> Made:
    began = time.monotonic()
    job = replace(
        job,
        rules=rules if job.rules is None else job.rules,
        officers=officers if job.officers is None else job.officers,
        exits=list(job.exits),
    )
    status: Literal["made", "kept", "failed"] = "kept"
    error = nodes = None
    try:
        native, nodes = native_board(job.board, job.exits, directed=job.directed, rules=job.rules)
        if force or not _is_table_of(path, native, job):
            path.parent.mkdir(parents=True, exist_ok=True)
            generate(
                job.board,
                path,
                job.rules,
                officers=job.officers,
                exits=job.exits,
                directed=job.directed,
                **settings,
            )
            status = "made"
    except (TypeError, ValueError, OSError, MemoryError) as raised:
        status, error = "failed", raised
    return Made(name, path, status, time.monotonic() - began, error, nodes)


def _is_table_of(path: Path, native: _native.Board, job: Job) -> bool:
    """Returns whether the file at ``path`` is the table of the board and the rules."""
    try:
        table = Open.path(path).pursuit()
    except (OSError, DragnetError):
        return False
    try:
        own, _ = board_of(table)
        own_rules = native_rules(rules_of(table), None, own.is_graph)
    except ValueError:
        return False
    return own == native and own_rules == native_rules(job.rules, job.officers, native.is_graph)
