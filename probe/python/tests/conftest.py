"""Fixtures: the golden tables, and tables that the program generates."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dragnet_probe import GameTable, Open, PartialTable, Table, cache_statistics, set_cache_limit

ROOT = Path(__file__).resolve().parents[3]
# The pursuit tables; each has its dump beside it.
GOLDEN = [ROOT / f"formats/tests/golden/v2-{name}.dtb" for name in ("size", "speed", "team", "cops")]
YARD = """\
#########E##
#..........#
#.###.####.#
#.#......#.#
#.#.####.#.#
#.........T#
#.###.####.#
#P.........#
############
"""


@contextmanager
def cache_limit(limit: int) -> Iterator[None]:
    """Opens tables with another limit of the cache."""
    before = cache_statistics().limit
    set_cache_limit(limit)
    try:
        yield
    finally:
        set_cache_limit(before)


@pytest.fixture(params=GOLDEN, ids=lambda path: path.stem)
def golden(request: pytest.FixtureRequest) -> Path:
    """Each golden pursuit table in turn."""
    path: Path = request.param
    return path


@pytest.fixture(scope="session")
def dragnet() -> str:
    """The path of the program dragnet."""
    program = os.environ.get("DRAGNET")
    if not program:
        pytest.skip("set the environment variable DRAGNET to the path of the program dragnet")
    return str(Path(program).resolve())


@pytest.fixture(scope="session")
def make(dragnet: str, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Returns a function that generates a table for a board in text form and returns its path."""

    def make(name: str, board: str, *options: str, rules: str = "") -> Path:
        folder = tmp_path_factory.mktemp(name)
        (folder / f"{name}.txt").write_text(board)
        if rules:
            (folder / "rules.toml").write_text(rules)
            options += ("--rules", str(folder / "rules.toml"))
        command = [dragnet, "generate", f"{name}.txt", "--out", "tables", *options]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        return folder / "tables" / f"{name}.dtb"

    return make


@pytest.fixture
def table() -> Table:
    """The golden table with walls, an exit and unusual rules."""
    return Open.path(ROOT / "formats/tests/golden/v2-speed.dtb").pursuit()


@pytest.fixture
def game() -> GameTable:
    """The golden game table."""
    return Open.path(ROOT / "formats/tests/golden/v2-graph.dtb").game()


@pytest.fixture
def partial() -> PartialTable:
    """The golden partial table that keeps outcomes."""
    return Open.path(ROOT / "formats/tests/golden/v2-outcomes.dtb").partial()


@pytest.fixture
def team() -> Table:
    """The golden table with two officers on squares."""
    return Open.path(ROOT / "formats/tests/golden/v2-team.dtb").pursuit()
