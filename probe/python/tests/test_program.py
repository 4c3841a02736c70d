"""Tables that the program generates, compared with the answers of `dragnet probe --stdin`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT, YARD, cache_limit

from dragnet_probe import OUTCOMES, POLICE, THIEF, Open, Table, Tablebase

EXAMPLES = ROOT / "probe/python/examples"
RULES = {
    "classic": "",
    "chase": "corner_cutting = false\n[thief]\nmoves = 'king'\n",
    "torus": "wrap = 'both'\nstuck = 'wins'\n[police]\nmoves = 'knight'\nmay_pass = false\n",
    "steps": "[thief]\nmoves = { offsets = [[0, 1], [1, 0], [-1, -2]] }\nmay_pass = false\n",
    "slides": "police_on_exit = 'wins'\n[police]\nmoves = 'diagonal'\nreach = 3\n"
    "[thief]\nmoves = 'king'\nsteps = 2\n",
    "team": "officers = 2\nteam = 'one'\npolice_on_exit = 'barred'\n",
}


def random_board(seed: int, height: int = 21, width: int = 30) -> str:
    """Returns a board with random walls and a few exits."""
    squares = np.random.default_rng(seed).choice(list(".#E"), (height, width), p=[0.745, 0.25, 0.005])
    return "\n".join("".join(row) for row in squares)


def asked_in_worlds(table: Table, n: int) -> tuple[Any, Any, str]:
    """Returns random positions with their worlds, and the lines that name them."""
    positions, lines = asked(table, n)
    worlds = np.random.default_rng(6).integers(0, table.worlds, n)
    named = [f"{line} {world}\n" for line, world in zip(lines.splitlines(), worlds, strict=True)]
    return positions, worlds, "".join(named)


def asked(table: Table, n: int) -> tuple[Any, str]:
    """Returns random positions, and the lines that name them."""
    rng = np.random.default_rng(5)
    count = table.officers + 1
    pieces = table.cells[rng.integers(0, len(table.cells), (n, count))].reshape(n, 2 * count)
    positions = np.column_stack([pieces, rng.choice([POLICE, THIEF], n)])
    lines = [f"{' '.join(map(str, cells))} {OUTCOMES[turn]}\n" for *cells, turn in positions.tolist()]
    return positions, "".join(lines)


def run(command: list[Any], text: str) -> str:
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("favour", ["speed", "size"])
@pytest.mark.parametrize("name", RULES)
def test_answers_equal_the_programs(
    dragnet: str, make: Callable[..., Path], name: str, favour: str
) -> None:
    board = random_board(len(name), 9, 12) if name == "team" else random_board(len(name))
    path = make(f"{name}-{favour}", board, "--favour", favour, rules=RULES[name])
    with cache_limit(1 << 16):
        table = Open.path(path).pursuit()
    positions, lines = asked(table, 20_000)
    answers = run([dragnet, "probe", path, "--stdin"], lines)
    values = table.values(positions)
    words = [f"{OUTCOMES[code]}\t{'-' if dtw < 0 else dtw}\n" for code, dtw in zip(*values, strict=True)]
    assert "".join(words) == answers
    assert run([sys.executable, EXAMPLES / "answer.py", path], lines) == answers
    for (*police, c, d, turn), outcome in zip(positions[:2000].tolist(), values.outcome, strict=False):
        side: Any = OUTCOMES[turn]
        officers = list(zip(police[::2], police[1::2], strict=True))
        assert table.value(officers, (c, d), side).outcome == OUTCOMES[outcome]
    table.check_sums()
    sides: Any = ("police", "thief")
    for side in sides:
        outcomes = table.all_values(side).outcome
        assert (int((outcomes == POLICE).sum()), int((outcomes == THIEF).sum())) == table.counts[side][:2]


@pytest.mark.parametrize("name", ["doors", "searchlights"])
def test_answers_in_worlds_equal_the_programs(dragnet: str, name: str) -> None:
    path = ROOT / f"formats/tests/golden/v2-{name}.dtb"
    table = Open.path(path).pursuit()
    positions, worlds, lines = asked_in_worlds(table, 2000)
    values = table.values(positions, world=worlds)
    words = [f"{OUTCOMES[code]}\t{'-' if dtw < 0 else dtw}\n" for code, dtw in zip(*values, strict=True)]
    assert run([dragnet, "probe", path, "--stdin"], lines) == "".join(words)
    assert run([sys.executable, EXAMPLES / "answer.py", path], lines) == "".join(words)


def test_the_example_answers_100_000_lines(make: Callable[..., Path], dragnet: str) -> None:
    path = make("yard", YARD)
    _, lines = asked(Open.path(path).pursuit(), 100_000)
    command: list[Any] = [sys.executable, EXAMPLES / "answer.py", path]
    assert run(command, lines) == run([dragnet, "probe", path, "--stdin"], lines)
    assert run(command, "") == ""
    for wrong in (
        "7 1 5\n",
        "7 1 5 10 police 3\n",
        "7 1 5 10 nobody\n",
        "7 -1 5 10 police\n",
        "0 0 5 10 thief\n",
    ):
        failed = subprocess.run(command, input="7 1 5 10 police\n" + wrong, capture_output=True, text=True)
        assert failed.returncode != 0 and "line 2" in failed.stderr and "Traceback" not in failed.stderr


def test_the_example_answers_from_a_game_table() -> None:
    path = ROOT / "formats/tests/golden/v2-graph.dtb"
    game = Open.path(path).game()
    command: list[Any] = [sys.executable, EXAMPLES / "answer.py", path]
    lines = "".join(f"{position}\n" for position in range(len(game)))
    values = [game.value(position) for position in range(len(game))]
    words = [f"{result}\t{'-' if dtw is None else dtw}\n" for result, dtw in values]
    assert run(command, lines) == "".join(words)
    for wrong in ("131\n", "-1\n", "7 1 5 10 police\n", "9" * 30 + "\n"):
        failed = subprocess.run(command, input="31\n" + wrong, capture_output=True, text=True)
        assert failed.returncode != 0 and "line 2" in failed.stderr and "Traceback" not in failed.stderr


def test_the_heat_map_is_drawn(make: Callable[..., Path], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "yard.png"
    run([sys.executable, EXAMPLES / "heat_map.py", make("yard", YARD), "--out", picture], "")
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_tablebase_finds_tables_by_board_and_rules(make: Callable[..., Path]) -> None:
    board = random_board(1)
    paths = [make("classic", board), make("chase", board, rules=RULES["chase"]), make("yard", YARD)]
    tables = Tablebase([path.parent for path in paths], open_tables=1)
    assert len(tables) == 3 and tables.paths == paths
    chase = "rules.corner_cutting = false\nrules.thief.moves = 'king'\n"
    for rules, path in (("", paths[0]), (chase, paths[1])):
        found = tables.table(f"board = '''\n{board}\n'''\n{rules}")
        assert found.digest == Open.path(path).pursuit().digest and found.board_text == board
    assert tables.table(f"board = '''\n{YARD}'''").digest == 0x125BC581306879FA
