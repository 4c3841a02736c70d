"""Types of the native part."""

from collections.abc import Sequence
from os import PathLike

from .boards import Board, Rows
from .progress import Report

__version__: str

def solve(board: Board, rules: str, favour: str, threads: int, report: Report | None) -> bytes: ...
def generate(
    board: Board, rules: str, path: str | PathLike[str], favour: str, threads: int, report: Report | None
) -> None: ...
def memory_needed(board: Board, rules: str, favour: str, threads: int) -> int: ...
def digest_by_counters(board: Board, rules: str, threads: int, report: Report | None) -> int: ...
def solve_game(
    graph: Rows,
    name: str,
    stuck_wins: bool,
    labels: tuple[Sequence[int], Sequence[int], Sequence[int]],
    favour: str,
    threads: int,
    report: Report | None,
) -> bytes: ...
def capture(
    board: Board, rules: str, report: Report | None
) -> tuple[int, list[tuple[int, int]], int] | None: ...
