"""Boards and graphs in all forms: nothing is taken for something else."""

from __future__ import annotations

import io
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from dragnet_probe import Open, PositionError
from scipy import sparse

import dragnet
from dragnet import rules_of

PETERSEN = dragnet.Cops(3, 1, (1, 4, 5), 60)
GRAPHS = [nx.petersen_graph(), nx.cycle_graph(6), nx.complete_graph(5), nx.path_graph(4)]


@pytest.mark.parametrize("graph", GRAPHS, ids=str)
def test_a_dense_matrix_is_neither_a_graph_nor_a_board_by_accident(graph: Any) -> None:
    matrix = nx.to_numpy_array(graph)
    for dense in (matrix, matrix.astype(bool), np.triu(matrix), matrix.tolist(), np.asmatrix(matrix)):
        for take in (dragnet.cops, dragnet.solve, dragnet.memory_needed, lambda one: dragnet.cops([one])):
            with pytest.raises(ValueError, match="expected a board or a graph, and an array of the shape"):
                take(dense)
        with pytest.raises(TypeError, match="a dense matrix goes in as"):
            dragnet.solve_game(dense)
    with pytest.raises(ValueError, match="expected steps on squares"):
        dragnet.cops(matrix, "cops")
    assert dragnet.cops(sparse.csr_array(matrix)) == dragnet.cops(graph)
    # Named rules or exits make a board of it.
    assert dragnet.solve(matrix, "classic").edges is None
    assert dragnet.cops(np.ones((2, 3)), "classic") == dragnet.Cops(1, 1, ((0, 1),), 2)
    pairs = list(nx.complete_graph(3).edges)
    for take in (dragnet.cops, dragnet.solve):
        with pytest.raises(ValueError, match=r"\(pairs, vertices\)"):
            take(pairs)


@pytest.mark.parametrize("graph", GRAPHS, ids=str)
def test_edges_lead_both_ways_however_a_graph_is_written(graph: Any, tmp_path: Path) -> None:
    matrix, n = nx.to_scipy_sparse_array(graph), len(graph)
    pairs = list(graph.edges)
    (tmp_path / "list.txt").write_text("\n".join(f"{a} {b}" for a, b in pairs))
    nx.write_graph6(graph, tmp_path / "graph.g6", header=False)
    nx.write_sparse6(graph, tmp_path / "graph.s6", header=False)
    expected, table = dragnet.cops(graph), dragnet.solve(graph, officers=2)
    for other in (
        matrix,
        sparse.triu(matrix),
        sparse.tril(matrix),
        sparse.coo_array(matrix),
        matrix.astype(float) * 0.25,
        (pairs, n),
        ([(b, a) for a, b in pairs], n),
        (np.array(pairs, dtype=np.uint8), n),
        (np.array(pairs + [(b, a) for a, b in pairs]), n),
        tmp_path / "list.txt",
        str(tmp_path / "graph.g6"),
        tmp_path / "graph.s6",
        nx.to_graph6_bytes(graph, header=False),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert dragnet.cops(other) == expected
            assert dragnet.solve(other, officers=2).to_bytes() == table.to_bytes()


def test_directed_says_that_edges_lead_one_way(tmp_path: Path) -> None:
    ring = [(v, (v + 1) % 6) for v in range(6)]
    (tmp_path / "ring.txt").write_text("\n".join(f"{a} {b}" for a, b in ring))
    matrix = sparse.csr_array((np.ones(6), np.array(ring).T), shape=(6, 6))
    directed = nx.DiGraph(ring)
    table = dragnet.solve(directed, exits=[3])
    game = dragnet.solve_game(directed, won=[3])
    for graph in ((ring, 6), matrix, tmp_path / "ring.txt"):
        assert dragnet.cops(graph, directed=True) == dragnet.cops(directed) != dragnet.cops(nx.cycle_graph(6))
        assert dragnet.cops(graph, directed=False) == dragnet.cops(nx.cycle_graph(6))
        assert dragnet.solve(graph, exits=[3], directed=True).to_bytes() == table.to_bytes()
        dragnet.verify(dragnet.solve(graph, exits=[3], directed=True))
        assert dragnet.solve_game(graph, won=[3]).to_bytes() == game.to_bytes()
        assert dragnet.solve_game(graph, won=[3], directed=False).value(2) != game.value(2)
    with pytest.warns(UserWarning, match="neither symmetric nor one triangle"):
        assert dragnet.cops(matrix) == dragnet.cops(nx.cycle_graph(6))
    made = dragnet.generate_all({"ring": dragnet.Job((ring, 6), exits=[3], directed=True)}, tmp_path)
    assert (
        made[0].open().to_bytes()
        == dragnet.solve((ring, 6), exits=[3], directed=True, favour="size").to_bytes()
    )
    for graph in (directed, nx.cycle_graph(6), b"Bw", "..\n.."):
        with pytest.raises(ValueError, match="directed is for matrices, pairs and lists of edges"):
            dragnet.cops(graph, directed=True)


def test_entries_of_a_matrix_are_edges_unless_they_are_0() -> None:
    matrix = nx.to_scipy_sparse_array(nx.cycle_graph(4), dtype=float)
    matrix.data[:] = 0
    assert dragnet.cops(matrix) == dragnet.cops(([], 4))
    for wrong in (np.nan, np.inf):
        matrix.data[1] = wrong
        for take in (dragnet.cops, dragnet.solve, dragnet.solve_game):
            with pytest.raises(ValueError, match=f"found {wrong} at row 0, column 3"):
                take(matrix)
    with pytest.raises(ValueError, match="expected a square matrix"):
        dragnet.cops(sparse.csr_array((2, 3)))
    with pytest.raises(ValueError, match="expected a square matrix"):
        dragnet.cops(sparse.coo_array(np.array([1, 0, 1])))


def test_pairs_may_be_anything_that_holds_pairs_of_whole_numbers() -> None:
    graph = nx.petersen_graph()
    ends = np.array(graph.edges)
    for pairs in (
        graph.edges,
        set(graph.edges),
        ends.tolist(),
        ends.astype(float),
        ends[::-1],
        ends[:, ::-1],
    ):
        assert dragnet.cops((pairs, 10)) == PETERSEN
    wrong: Any
    for wrong, found in [
        ([(0, 1), (1,)], "found rows of different lengths"),
        ([(0, 1, 2)], r"found the shape \[1, 3\]"),
        ([0, 1], r"found the shape \(2,\)"),
        ([(0, 0.5)], "found 0.5 at row 0, column 1"),
    ]:
        with pytest.raises(ValueError, match=f"expected .*pairs of vertices.*{found}"):
            dragnet.cops((wrong, 10))
    with pytest.raises(TypeError, match="expected pairs of vertices in a list or an array, found zip"):
        dragnet.cops((zip([0], [1], strict=True), 2))
    with pytest.raises(TypeError, match="expected numbers as pairs of vertices"):
        dragnet.cops(([("a", "b")], 2))
    for wrong in (3.0, np.nan, -1):
        with pytest.raises(ValueError, match=f"expected a number of vertices, found {wrong}"):
            dragnet.cops(([], wrong))
    with pytest.raises(TypeError, match="expected a graph, found str"):
        dragnet.solve_game("..\n..")


def test_a_vertex_that_is_none_is_named() -> None:
    for pairs, found in [
        ([(0, 1), (2, -1)], "found -1 in edge 1"),
        ([(0, 1), (1, 7)], "found 7 in edge 1"),
        (np.array([[2**64 - 1, 0]], dtype=np.uint64), f"found {2**63 - 1} in edge 0"),
        (np.array([[-(2**63), 0]]), f"found {-(2**63)} in edge 0"),
    ]:
        for take in (dragnet.cops, dragnet.solve, dragnet.solve_game):
            with pytest.raises(ValueError, match=f"expected vertices from 0 to 2, {found}"):
                take((pairs, 3))
    for wrong in (-1, 3, 2**40):
        with pytest.raises(ValueError, match=f"expected vertices from 0 to 2, found {wrong}"):
            dragnet.solve_game(([(0, 1)], 3), won=[wrong])
        with pytest.raises(ValueError, match=f"expected an exit from 0 to 2, found the vertex {wrong}"):
            dragnet.solve(([(0, 1)], 3), exits=[wrong])
    with pytest.raises(ValueError, match="is a wall"):
        dragnet.solve(".#\n..", exits=[(0, 1)])


def test_a_graph_for_which_there_is_no_room_is_refused_before_it_is_made() -> None:
    for graph in (([], 2**32 - 2), ([], 4 * 10**9), b":~~BZZZZZ"):
        with pytest.raises(
            MemoryError, match=r"a graph of \d+ vertices needs \d+ bytes of memory, and 1000000000 are"
        ):
            dragnet.solve_game(graph, memory=10**9)
        for take in (dragnet.cops, dragnet.solve):
            with pytest.raises(ValueError, match="expected at most 65535 vertices, found"):
                take(graph)
    with pytest.raises(ValueError, match="expected at most 4294967294 vertices, found 4294967295"):
        dragnet.solve_game(([], 2**32 - 1), memory=10**15)
    with pytest.raises(ValueError, match="expected a number of vertices, found -1"):
        dragnet.cops(([], -1))
    edges = np.zeros((1 << 20, 2), dtype=int)
    with pytest.raises(MemoryError, match=r"the solve needs .* bytes of memory, and 20000000 are allowed"):
        dragnet.solve_game((edges, 2), memory=20_000_000)


def test_numbers_are_not_rounded() -> None:
    for wrong, found in ((0.7, "0.7"), (1.9, "1.9"), (np.nan, "nan"), (np.inf, "inf")):
        board = np.ones((3, 4))
        board[1, 2] = wrong
        with pytest.raises(
            ValueError, match=f"expected whole numbers as squares, found {found} at row 1, column 2"
        ):
            dragnet.solve(board)
        with pytest.raises(ValueError, match=f"found {found} at row 0, column 1"):
            dragnet.cops((np.array([[0, wrong]]), 2))
    for wrong in (-1, 3):
        with pytest.raises(ValueError, match=f"found {wrong} at row 0, column 1"):
            dragnet.solve([[1, wrong], [1, 1]])
    whole = dragnet.solve(np.ones((3, 4), dtype=int))
    for kind in (bool, float, np.uint8, np.uint64, np.int16, np.float32):
        assert dragnet.solve(np.ones((3, 4), dtype=kind)).digest == whole.digest
    with pytest.raises(TypeError, match="expected a board or a graph, found list"):
        dragnet.solve(["..", ".."])


def test_a_str_is_a_board_or_else_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "board.txt").write_text("..E\n.#.\n")
    (tmp_path / "graph.txt").write_text("0 1\n1 2\n")
    (tmp_path / "neither.txt").write_text("? b\n")
    board = dragnet.solve("..E\n.#.")
    for text in ("board.txt", str(tmp_path / "board.txt")):
        assert dragnet.solve(text).digest == board.digest
    assert dragnet.solve("graph.txt").digest == dragnet.solve(([(0, 1), (1, 2)], 3)).digest
    assert dragnet.solve("..E").board_text == "..E"
    for take in (dragnet.solve, dragnet.cops, dragnet.solve_game):
        with pytest.raises(FileNotFoundError, match="a board as text has line breaks") as raised:
            take("none.txt")
        assert raised.value.filename == "none.txt"
        with pytest.raises(ValueError, match=r"neither.txt: .*line 1, column 1"):
            take("neither.txt")
    with pytest.raises(ValueError, match="line 1, column 3"):
        dragnet.solve("..?\n")


def test_what_is_doubtful_in_a_file_is_said_and_its_numbers_are_nodes(tmp_path: Path) -> None:
    (tmp_path / "dimacs.col").write_text("c a cycle\np edge 4 4\ne 1 2\ne 2 3\ne 3 4\ne 4 1\n")
    found = dragnet.cops(tmp_path / "dimacs.col")
    assert found is not None and (found.number, found.placement) == (2, (1, 2))
    table = dragnet.solve(tmp_path / "dimacs.col", exits=[4])
    assert table.nodes == (1, 2, 3, 4) and table.board[0].tolist() == [1, 1, 1, 2]
    assert dragnet.solve_game(tmp_path / "dimacs.col").nodes == (1, 2, 3, 4)
    (tmp_path / "one.txt").write_text("1 2\n2 3\n3 1\n")
    for take in (dragnet.cops, dragnet.solve, dragnet.solve_game):
        with pytest.warns(UserWarning, match=r"one.txt: .*numbered from 1"):
            take(tmp_path / "one.txt")


def test_many_graphs_are_searched_at_once_with_the_same_results(tmp_path: Path) -> None:
    atlas = [graph for graph in nx.graph_atlas_g() if 1 <= len(graph) <= 6]
    lines = [nx.to_graph6_bytes(graph, header=False) for graph in atlas]
    expected = [dragnet.cops(graph) for graph in atlas]
    (tmp_path / "atlas.g6").write_bytes(b"".join(lines))
    with open(tmp_path / "atlas.g6") as file:
        assert dragnet.cops(file) == expected
    assert (
        dragnet.cops(lines)
        == dragnet.cops(iter(atlas))
        == dragnet.cops(line.decode() for line in lines)
        == expected
    )
    assert dragnet.cops(lines, bound=1, lazy=True) == [
        dragnet.cops(graph, bound=1, lazy=True) for graph in atlas
    ]
    mixed: list[Any] = ["IheA@GUAo", nx.Graph([("a", "b")]), (list(GRAPHS[0].edges), 10), tmp_path / "one.g6"]
    (tmp_path / "one.g6").write_text("Bw\n")
    assert dragnet.cops(mixed) == [PETERSEN, (1, 1, ("a",), 2), PETERSEN, (1, 1, (0,), 3)]
    assert dragnet.cops([]) == []
    for several in (str(tmp_path / "atlas.g6"), b"".join(lines)):
        with pytest.raises(ValueError, match="expected one graph, found several lines"):
            dragnet.cops(several)
    many = [b"Bw"] * 10_000
    seen: list[tuple[str, int, int, int]] = []
    dragnet.cops(many, progress=lambda *now: seen.append(now))
    assert [done for _, done, _, _ in seen] == [4096, 8192, 10_000] and seen[0][::2] == ("graphs", 10_000)
    many[7000] = b"B"
    with pytest.raises(
        ValueError, match=r"graph 7000 of those given \(from 0\): line 1, column 1: expected 2 char"
    ):
        dragnet.cops(many)
    with pytest.raises(MemoryError, match=r"graph 1 of those given .* 4 officers needs"):
        dragnet.cops([([], 1), ([], 60)], bound=255, memory=100_000_000)
    with pytest.raises(ValueError, match=r"graph 0 of those given.*found a board: name the rules"):
        (tmp_path / "board.txt").write_text("..\n..")
        dragnet.cops([tmp_path / "board.txt"])
    for wrong in ({0: [1], 1: [0]}, 3, None):
        with pytest.raises(TypeError, match="expected a graph or graphs"):
            dragnet.cops(wrong)


def test_capture_times_of_more_officers_and_the_progress_of_a_search() -> None:
    graph = nx.petersen_graph()
    assert dragnet.cops(graph, least=4) == (4, 1, (0, 1, 4, 5), 2160)
    with pytest.raises(ValueError, match="least not above bound, found 7 and 6"):
        dragnet.cops(graph, least=7)
    seen: list[tuple[str, int, int, int]] = []
    big = nx.random_regular_graph(3, 500, seed=1)
    dragnet.cops(big, bound=2, progress=lambda *now: seen.append(now))
    # All places of two officers, and of the thief.
    assert (
        seen
        and seen[-1][0] == "solving"
        and seen[-1][2] == 500 * 501 // 2 * 500
        and seen[-1][1] <= seen[-1][2]
    )


def test_named_nodes_go_in_and_come_out() -> None:
    square = nx.Graph([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])
    found = dragnet.cops(square)
    assert found is not None and found.placement == ("a", "b")
    table = dragnet.solve(square, exits=["c"])
    plain = dragnet.solve(([(0, 1), (1, 2), (2, 3), (3, 0)], 4), exits=[2])
    assert table.nodes == ("a", "b", "c", "d") and table.to_bytes() == plain.to_bytes()
    assert table.value("b", "a", "police") == plain.value(1, 0, "police")
    reached: set[Any] = {move.to for move in table.moves("a", "b", "thief")}
    assert reached == {"a", "b", "c"}
    values = table.values(police="a", thief=["b", "c", "d"], turn="police")
    assert values.dtw.tolist() == [plain.value(0, v, "police").dtw for v in (1, 2, 3)]
    assert pickle.loads(pickle.dumps(table)).nodes == table.nodes
    for wrong in ("q", 2, (0, 2)):
        with pytest.raises(ValueError, match="expected nodes of the graph as exits, found"):
            dragnet.solve(square, exits=[wrong])
    with pytest.raises(PositionError, match="expected a node of the graph, found 'q'"):
        table.value("q", "a", "police")
    dragnet.verify(table)
    game = dragnet.solve_game(nx.DiGraph([("start", "hall"), ("hall", "gate")]), won=["gate"])
    assert game.value("start") == (("won", 2)) and game.best(["gate", "hall"]) == "hall"
    with pytest.raises(ValueError, match="expected nodes of the graph as lost, found 'x'"):
        dragnet.solve_game(nx.DiGraph([(1, 2)]), lost=["x"])
    numbers = nx.Graph([(3, 1), (1, 2)])
    assert dragnet.solve(numbers, exits=[2]).board[0].tolist() == [1, 1, 2]


def test_tables_are_kept_with_the_bytes_of_a_generated_file(tmp_path: Path) -> None:
    graph = nx.relabel_nodes(nx.petersen_graph(), lambda node: f"v{node}")
    for board, options in (
        ("..E\n.#.\n", {}),
        (graph, {"officers": 2}),
        (np.ones((9, 9)), {"exits": [(0, 0)]}),
    ):
        kept: Any = options
        table = dragnet.solve(board, favour="size", **kept)
        made = dragnet.generate(board, tmp_path / "made.dtb", **kept)
        table.save(tmp_path / "kept.dtb")
        assert (
            (tmp_path / "kept.dtb").read_bytes() == (tmp_path / "made.dtb").read_bytes() == table.to_bytes()
        )
        assert made.nodes == table.nodes and Open.path(tmp_path / "kept.dtb").pursuit().nodes is None
    (made,) = dragnet.generate_all({"graph": dragnet.Job(graph, officers=2)}, tmp_path)
    assert made.open().nodes == tuple(graph)
    wrong: Any = {"none": None, "text": ["..", ".."], "matrix": nx.to_numpy_array(graph), "good": "..\n.E"}
    assert [made.status for made in dragnet.generate_all(wrong, tmp_path)] == ["failed"] * 3 + ["made"]
    game = dragnet.solve_game(graph.to_directed())
    game.save(tmp_path / "game.dtb")
    assert Open.path(tmp_path / "game.dtb").game().with_nodes(graph).value("v3") == game.value("v3")


@pytest.mark.parametrize(
    ("name", "favour"),
    [("v2-size", "size"), ("v2-speed", "speed"), ("v2-team", "speed"), ("v2-cops", "size")],
)
def test_a_kept_table_has_the_bytes_of_the_program(name: str, favour: Any) -> None:
    expected = Path(__file__).parents[3] / f"formats/tests/golden/{name}.dtb"
    table = Open.path(expected).pursuit()
    board: Any = table.board if table.edges is None else (table.edges, table.width)
    graph: Any = {} if table.edges is None else {"directed": True, "exits": np.flatnonzero(table.board == 2)}
    assert dragnet.solve(board, rules_of(table), favour=favour, **graph).to_bytes() == expected.read_bytes()


def test_pairs_are_sorted_while_an_interrupt_is_heard() -> None:
    pairs = np.random.default_rng(1).integers(0, 1 << 20, (6_000_000, 2))
    before = time.monotonic()
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            while time.monotonic() < before + 60:
                dragnet.solve_game((pairs, 1 << 20))
    finally:
        timer.cancel()


def test_no_thread_stays_for_which_a_forked_process_would_wait() -> None:
    # In a process of its own, since that of the tests has other threads.
    program = """
import os, time, numpy as np, dragnet
threads = lambda: len(os.listdir("/proc/self/task"))
before = threads()
dragnet.verify(dragnet.solve(np.ones((40, 40)), exits=[(0, 0)]))
pairs = np.random.default_rng(1).integers(0, 70_000, (400_000, 2))
dragnet.solve_game((pairs, 70_000))
dragnet.cops(["Bw", "IheA@GUAo"])
while threads() > before:
    time.sleep(0.01)
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_a_board_in_an_open_file_is_no_graph() -> None:
    with pytest.raises(ValueError, match="graph 0 of those given"):
        dragnet.cops(io.StringIO("..#\n...\n"))
    assert dragnet.cops(io.StringIO("Bw\n"), "cops") == [(1, 1, (0,), 3)]
