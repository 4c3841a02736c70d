"""Tables that speak of the nodes of a graph."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from conftest import ROOT

from dragnet_probe import GameTable, Open, Opponent, PositionError, Table, calibrate, review

NAMES = "abcdefghijk"


@pytest.fixture
def plain() -> Table:
    """The golden table of a graph, with two officers."""
    return Open.path(ROOT / "formats/tests/golden/v2-cops.dtb").pursuit()


def test_every_answer_by_node_is_the_one_by_vertex(plain: Table) -> None:
    named = plain.with_nodes(NAMES)
    assert named.nodes == tuple(NAMES) and plain.nodes is None is named.with_nodes(None).nodes
    teams = [(a, b) for a in range(11) for b in range(a, 11)]
    for turn in ("police", "thief"):
        for a, b in teams:
            for thief in range(11):
                cells: Any = ([(0, a), (0, b)], (0, thief), turn)
                nodes: Any = ([NAMES[b], NAMES[a]], NAMES[thief], turn)
                assert named.value(*nodes) == plain.value(*cells) == plain.value([a, b], thief, turn)
                assert named.winner(*nodes) == plain.winner(*cells)
                to: Any = [move.to for move in plain.moves(*cells)]
                expected: Any = [
                    tuple(NAMES[cell[1]] for cell in cells) if turn == "police" else NAMES[cells[1]]
                    for cells in to
                ]
                assert [move.to for move in named.moves(*nodes)] == expected
                assert [move.cells for move in named.moves(*nodes)] == [
                    to if turn == "police" else (to,) for to in expected
                ]
        by_cell = plain.values(police=[[(0, a), (0, b)] for a, b in teams], thief=(0, 3), turn=turn)
        by_node = named.values(police=[[NAMES[a], NAMES[b]] for a, b in teams], thief="d", turn=turn)
        assert np.array_equal(by_cell.outcome, by_node.outcome) and np.array_equal(by_cell.dtw, by_node.dtw)
        by_node = named.values(police=["a", "b"], thief=list(NAMES), turn=turn)
        assert by_node.dtw.tolist() == plain.row(police=[0, 1], turn=turn).dtw[0].tolist()
        assert named.row(police=["b", "a"], turn=turn).dtw[0].tolist() == by_node.dtw.tolist()
    start: Any = (["a", "b"], "h", "police")
    line, plain_line = [table.line(*at) for table, at in ((named, start), (plain, ([0, 1], 7, "police")))]
    played: Any = [move.cells for move in line.moves]
    assert played == [tuple(NAMES[col] for _, col in move.cells) for move in plain_line.moves]
    chosen = Opponent("perfect").choose(named, *start)
    assert chosen == named.best_move(*start)
    assert calibrate(named, [start], "police", 500, games=10).games == 10
    assert chosen is not None
    assert review(named, [start, (chosen.to, "h", "thief")], "police").moves[0].played == chosen


def test_nodes_may_be_numbers_in_any_order_and_tuples(plain: Table) -> None:
    numbers = [10 * n for n in range(11)][::-1]
    assert plain.with_nodes(numbers).value([100, 90], 50, "police") == plain.value([0, 1], 5, "police")
    tuples = plain.with_nodes((n // 4, n % 4) for n in range(11))
    assert tuples.value([(0, 0), (0, 1)], (1, 1), "police") == plain.value([0, 1], 5, "police")
    (one, two), values = ([(0, 0), (0, 1)], (1, 1)), tuples.values
    assert (
        values(police=one, thief=[two, two], turn="police").dtw.tolist()
        == [tuples.value(one, two, 1).dtw] * 2
    )
    # A cell of a table without such nodes.
    with pytest.raises(PositionError, match=r"expected a node of the graph, found \(0, 5\)"):
        tuples.value([(0, 0), (0, 1)], (0, 5), "police")
    assert plain.with_nodes(NAMES).value([(0, 0), (0, 1)], (0, 5), "police") == plain.value(
        [0, 1], 5, "police"
    )


def test_what_is_no_node_is_refused_with_its_name(plain: Table, table: Table) -> None:
    named, value = plain.with_nodes(NAMES), plain.with_nodes(NAMES).value
    for police, thief in ((["a", "q"], "b"), (["a", "b"], "q")):
        with pytest.raises(PositionError, match=r"expected a node of the graph, found .*'q'"):
            value(police, thief, "police")
        with pytest.raises(PositionError, match=r"expected a node of the graph, found .*'q'"):
            named.values(police=[police, ["a", "b"]], thief=[thief, "a"], turn="police")
    with pytest.raises(ValueError, match="expected 11 nodes, found 2"):
        plain.with_nodes("ab")
    with pytest.raises(ValueError, match="expected different nodes, found 'a' twice"):
        plain.with_nodes("abcdefghija")
    with pytest.raises(ValueError, match="expected the table of a graph, found one of squares"):
        table.with_nodes(NAMES)


def test_a_pickle_has_the_nodes_and_a_file_has_none(plain: Table, game: GameTable) -> None:
    assert pickle.loads(pickle.dumps(plain.with_nodes(NAMES))).nodes == tuple(NAMES)
    assert Open.bytes(plain.with_nodes(NAMES).to_bytes()).pursuit().nodes is None
    assert pickle.loads(pickle.dumps(game.with_nodes(range(131)))).nodes == tuple(range(131))


def test_a_game_table_takes_and_returns_nodes(game: GameTable) -> None:
    named = game.with_nodes(f"v{number}" for number in range(131))
    assert [named.value(f"v{number}") for number in range(131)] == [
        game.value(number) for number in range(131)
    ]
    assert named.nodes is not None
    assert np.array_equal(named.values(named.nodes).dtw, game.values(np.arange(131)).dtw)
    assert named.best(["v31", "v0", "v130"]) == "v0" and named.best([]) is None
    for wrong in (31, "x", ["v1"]):
        ask: Any = named.value
        with pytest.raises(PositionError, match="expected a node of the graph, found"):
            ask(wrong)
