"""Solving boards, arrays, graphs and matrices, and making files."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from dragnet_probe import DragnetError, Open
from scipy import sparse

import dragnet
from dragnet import rules_of
from dragnet.policy import Ground

BOARD = "..#.\n.T.E\nP...\n"


def plain_values(board: str) -> dict[tuple[tuple[int, int], tuple[int, int], str], tuple[str, int | None]]:
    """Returns all values under the classic rules, by going through all positions until nothing changes."""
    rows = board.splitlines()
    cells = {(r, c) for r, row in enumerate(rows) for c, square in enumerate(row) if square != "#"}
    exits = {(r, c) for r, c in cells if rows[r][c] == "E"}
    king = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1)]
    steps = {"police": king, "thief": [(r, c) for r, c in king if r == 0 or c == 0]}
    values: dict[tuple[tuple[int, int], tuple[int, int], str], tuple[str, int | None]] = {}
    positions = [(p, t, turn) for p in cells for t in cells for turn in ("police", "thief")]
    for p, t, turn in positions:
        if p == t:
            values[p, t, turn] = ("police", 0)
        elif t in exits:
            values[p, t, turn] = ("thief", 0)
    for level in range(1, 4 * len(positions)):
        new = {}
        for p, t, turn in positions:
            if (p, t, turn) in values:
                continue
            here = p if turn == "police" else t
            targets = [(here[0] + r, here[1] + c) for r, c in steps[turn]]
            other = "thief" if turn == "police" else "police"
            after = [
                values.get((to, t, other) if turn == "police" else (p, to, other))
                for to in targets
                if to in cells
            ]
            if any(value is not None and value == (turn, level - 1) for value in after):
                new[p, t, turn] = (turn, level)
            elif all(value is not None and value[0] == other for value in after):
                assert max(value[1] for value in after if value and value[1] is not None) == level - 1
                new[p, t, turn] = (other, level)
        if not new:
            break
        values.update(new)
    return {position: values.get(position, ("draw", None)) for position in positions}


def test_every_value_of_a_small_board_is_that_of_a_plain_program() -> None:
    table = dragnet.solve(BOARD)
    for (police, thief, turn), (outcome, dtw) in plain_values(BOARD).items():
        value = table.value(police, thief, turn)
        assert (value.outcome, value.dtw) == (outcome, dtw)


def test_text_a_path_and_an_array_are_one_board(tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_text(BOARD)
    table = dragnet.solve(BOARD)
    for board in (path, table.board):
        assert dragnet.solve(board).digest == table.digest
    assert dragnet.solve(BOARD.replace("E", "."), exits=[(1, 3)]).digest == table.digest


def test_rules_may_have_offsets_of_their_own() -> None:
    rules = {"police": {"moves": {"offsets": [[0, 1], [0, -1], [1, 0]]}}, "wrap": "both"}
    table = dragnet.solve("...\n..E\n", rules)
    found = rules_of(table)
    assert found["police"]["moves"] == rules["police"]["moves"] and found["wrap"] == "both"
    assert rules_of(dragnet.solve("...\n..E\n", found)) == found
    dragnet.verify(table)


def test_rules_are_the_keys_or_the_text_of_a_rules_file() -> None:
    keys: dict[str, Any] = {"thief": {"glide": True}, "capture": {"by": "king"}}
    text = "capture = { by = \"king\" }\n[thief]\nglide = true\n"
    board = "..>.\n.#.E\n....\n"
    table = dragnet.solve(board, keys)
    assert table.digest == dragnet.solve(board, text).digest != dragnet.solve(board).digest
    assert dragnet.solve(board, rules_of(table)).digest == table.digest
    # The policies' ground has the one-way square too.
    assert Ground(table).moves("police", 2).tolist() == [2, 3, 6]
    assert dragnet.solve(board, text, officers=2).officers == 2
    wrong: list[tuple[Any, str]] = [
        ("chess", 'expected rules classic, chase, cops, the text of a rules file or a mapping, found "chess"'),
        ("wrop = 1", "unknown field `wrop`"),
        ({"thief": {"moves": "rook"}}, "rook"),
        ({"officers": 7}, "7"),
    ]
    for rules, message in wrong:
        with pytest.raises(ValueError, match=re.escape(message)):
            dragnet.solve(board, rules)
    with pytest.raises(ValueError, match="expected 1 to 6 officers, found 300"):
        dragnet.solve(board, officers=300)


def test_graphs_are_solved_from_networkx_scipy_and_edges() -> None:
    graph = nx.petersen_graph()
    table = dragnet.solve(graph, officers=3)
    matrix = nx.to_scipy_sparse_array(graph)
    edges = np.argwhere(matrix.toarray())
    for other in (matrix, (edges, 10)):
        assert dragnet.solve(other, officers=3).digest == table.digest
    assert dragnet.solve(graph, officers=np.int64(3)).digest == table.digest
    assert table.edges is not None and len(table.edges) == 30


def test_games_on_graphs_have_the_values_of_the_definition() -> None:
    rng = np.random.default_rng(7)
    for _ in range(30):
        matrix = sparse.csr_array(rng.random((12, 12)) < 0.15)
        table = dragnet.solve_game(matrix)
        result, dtw = table.values(np.arange(12))
        for vertex in range(12):
            after = [
                (result[to], dtw[to])
                for to in matrix.indices[matrix.indptr[vertex] : matrix.indptr[vertex + 1]]
            ]
            lost = [d for r, d in after if r == 2]
            if lost:
                assert (result[vertex], dtw[vertex]) == (1, 1 + min(lost))
            elif all(r == 1 for r, _ in after):
                assert (result[vertex], dtw[vertex]) == (2, 1 + max((d for _, d in after), default=-1))
            else:
                assert result[vertex] == 0
    labelled = dragnet.solve_game(([(0, 1)], 3), stuck="wins", lost=[1])
    assert [labelled.value(vertex).result for vertex in range(3)] == ["won", "lost", "won"]


def test_files_are_made_kept_and_verified(tmp_path: Path) -> None:
    boards = {"one": BOARD, "two": "...\n..E\n"}
    first = dragnet.generate_all(boards, tmp_path / "new")
    assert [(made.name, made.status) for made in first] == [("one", "made"), ("two", "made")]
    changed = first[0].path.stat().st_mtime_ns
    again = dragnet.generate_all(boards, tmp_path / "new")
    assert [made.status for made in again] == ["kept", "kept"]
    assert first[0].path.stat().st_mtime_ns == changed
    forced = dragnet.generate_all(boards, tmp_path / "new", force=True)
    assert [made.status for made in forced] == ["made", "made"]
    assert first[0].path.stat().st_mtime_ns != changed
    other = dragnet.generate_all({"one": boards["two"]}, tmp_path / "new")
    assert other[0].status == "made" and other[0].open().digest == again[1].open().digest
    for made in again:
        dragnet.verify(made.open())
    dragnet.verify(dragnet.solve(nx.cycle_graph(5), officers=2))
    damaged = bytearray(again[1].path.read_bytes())
    damaged[-1] ^= 1
    with pytest.raises(DragnetError):
        dragnet.verify(Open.bytes(damaged).pursuit())


def test_boards_of_a_batch_have_rules_of_their_own_and_fail_alone(tmp_path: Path) -> None:
    boards = {
        "classic": "...E",
        "bad": "..?\n",
        "pair": dragnet.Job("...", officers=2),
        "ring": dragnet.Job(nx.cycle_graph(5), "cops", exits=[2]),
        "large": np.ones((160, 160)),
        "chase": dragnet.Job("...", "chase", exits=[(0, 0)]),
    }
    made = {made.name: made for made in dragnet.generate_all(boards, tmp_path, memory=1 << 24)}
    assert [one.status for one in made.values()] == ["made", "failed", "made", "made", "failed", "made"]
    assert made["pair"].open().officers == 2
    assert rules_of(made["classic"].open()) == rules_of(dragnet.solve("..E", "classic"))
    assert made["ring"].open().board[0].tolist() == [1, 1, 2, 1, 1]
    assert made["chase"].open().board_text == "E.."
    with pytest.raises(ValueError, match="line 1, column 3"):
        made["bad"].open()
    with pytest.raises(MemoryError):
        made["large"].open()
    kept = dragnet.generate_all(boards, tmp_path, memory=1 << 24)
    assert [one.status for one in kept] == ["kept", "failed", "kept", "kept", "failed", "kept"]
    moved = boards | {"ring": dragnet.Job(nx.cycle_graph(5), "cops", exits=[3])}
    assert dragnet.generate_all(moved, tmp_path, memory=1 << 24)[3].status == "made"


def test_a_table_made_in_little_memory_is_the_same(tmp_path: Path) -> None:
    board = np.ones((84, 84))
    for name, memory in [("little", 1 << 24), ("any", None)]:
        dragnet.generate(board, tmp_path / name, memory=memory)
    assert (tmp_path / "little").read_bytes() == (tmp_path / "any").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["any", "little"]
    with pytest.raises(MemoryError, match="needs at least [0-9]+ bytes of memory, and 16777216 are allowed"):
        dragnet.generate(np.ones((160, 160)), tmp_path / "none", memory=1 << 24)


def test_wrong_arguments_are_refused_with_what_was_expected() -> None:
    for wrong, message in [
        ({"board": "..?\n"}, "line 1, column 3"),
        ({"board": "..", "rules": "chess"}, 'expected rules classic, chase, cops, the text of a rules file or a mapping, found "chess"'),
        ({"board": "..", "officers": 9}, "expected"),
        ({"board": np.full((2, 2), 7)}, "expected squares 0"),
        ({"board": np.zeros((2, 2, 2))}, "2 dimensions"),
        ({"board": "..", "exits": [(5, 5)]}, "found the cell 5,5"),
        ({"board": ([(0, 9)], 3)}, "found 9"),
        ({"board": "..", "favour": "both"}, "'speed' or 'size'"),
    ]:
        board = wrong.pop("board")
        with pytest.raises(ValueError, match=message):
            dragnet.solve(board, **wrong)
    with pytest.raises(MemoryError, match="are allowed"):
        dragnet.solve(np.ones((64, 64)), memory=1 << 20)
    assert dragnet.memory_needed(np.ones((64, 64))) > 1 << 23
    with pytest.raises(ValueError, match="expected vertices from 0 to 1, found 5"):
        dragnet.solve_game(([(0, 1)], 2), won=[5])


def test_progress_is_reported_and_what_it_raises_ends_the_work() -> None:
    seen = []

    def report(stage: str, done: int, total: int, level: int) -> None:
        seen.append((stage, done, total, level))
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        dragnet.solve(np.ones((160, 160)), exits=[(0, 0)], progress=report)
    assert len(seen) == 1 and seen[0][2] == 2 * 160**4


def test_an_interrupt_ends_a_solve_and_other_threads_run_meanwhile() -> None:
    counted = 0
    is_over = threading.Event()

    def count() -> None:
        nonlocal counted
        while not is_over.is_set():
            counted += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            dragnet.solve(np.ones((256, 256)), exits=[(0, 0)])
    finally:
        is_over.set()
        counter.join()
        timer.cancel()
    assert counted > 50


def test_capture_times_are_the_published_ones() -> None:
    for graph, number, moves in [
        (nx.path_graph(7), 1, 3),
        (nx.cycle_graph(9), 2, 2),
        (nx.petersen_graph(), 3, 1),
        (nx.dodecahedral_graph(), 3, None),
        (nx.complete_graph(4), 1, 1),
    ]:
        found = dragnet.cops(graph)
        assert found is not None and found.number == number and moves in (None, found.moves)
    assert dragnet.cops(nx.petersen_graph(), bound=2) is None
    on_board = dragnet.cops("...\n...\n", "classic")
    assert on_board is not None and on_board.number == 1


def test_teams_may_be_larger_than_those_of_tables() -> None:
    apart = ([], 8)
    assert dragnet.cops(apart) is None
    found = dragnet.cops(apart, bound=255)
    assert found is not None and (found.number, found.moves, found.placements) == (8, 0, 40320)
    with pytest.raises(
        MemoryError, match="it takes more than 3 officers, and the search with 4 officers needs"
    ):
        dragnet.cops(([], 60), bound=255, memory=100_000_000)
    for wrong in ({"bound": 0}, {"bound": 256}, {"speed": 0}, {"speed": 256}):
        with pytest.raises(ValueError, match="to be 1 to 255"):
            dragnet.cops(apart, **wrong)


def test_variants_of_cops_and_robbers_have_their_published_numbers() -> None:
    # B. Sullivan, N. Townsend and M. Werzanski, 2016: the rook's graph on 3x3 squares needs 3 lazy officers.
    rook = nx.cartesian_product(nx.complete_graph(3), nx.complete_graph(3))
    usual, lazy = dragnet.cops(rook), dragnet.cops(rook, lazy=True)
    assert usual is not None and usual.number == 2
    assert lazy is not None and (lazy.number, lazy.moves, lazy.placements) == (3, 1, 288)
    # Where all pieces must move, the two sides of the cycle keep their distance even.
    assert dragnet.cops(nx.cycle_graph(4), bound=1, active=True) is None
    for graph in (nx.cycle_graph(7), nx.path_graph(6), nx.petersen_graph()):
        speedy, power = dragnet.cops(graph, speed=2), dragnet.cops(nx.power(graph, 2))
        assert speedy is not None and power is not None and speedy.number >= power.number
