"""Invalid arguments, files that cannot be read, and the behaviour of the objects."""

from __future__ import annotations

import errno
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dragnet_probe
from dragnet_probe import (
    POLICE,
    THIEF,
    DragnetError,
    Line,
    MissingTableError,
    Movement,
    PositionError,
    Rules,
    Table,
    Tablebase,
    Value,
    set_cache_limit,
)


def test_files_that_cannot_be_read_raise_os_errors(tmp_path: Path) -> None:
    for read in (Table.open, Table.open_mapped, Table.read):
        with pytest.raises(FileNotFoundError) as missing:
            read(tmp_path / "none.dtb")
        assert missing.value.errno == errno.ENOENT
        assert missing.value.filename == str(tmp_path / "none.dtb")
        with pytest.raises(IsADirectoryError) as folder:
            read(str(tmp_path))
        assert folder.value.filename == str(tmp_path)
    with pytest.raises(FileNotFoundError) as caught:
        Tablebase([tmp_path, tmp_path / "none"])
    assert caught.value.filename == str(tmp_path / "none")


@pytest.mark.parametrize(
    "cell", [(-1, 0), (4, 0), (0, 5), (0, 4), (1, 1), (2**16, 0), (0, 2**64), (0, -(2**70))]
)
def test_pieces_off_the_board_and_on_walls_are_refused(table: Table, cell: tuple[int, int]) -> None:
    for ask in (table.value, table.moves, table.line, table.winner):
        with pytest.raises(PositionError, match="the police's cell") as caught:
            ask(cell, (0, 0), "police")
        assert caught.value.index is None and isinstance(caught.value, DragnetError)
        assert isinstance(caught.value, ValueError)
        with pytest.raises(PositionError, match="the thief's cell"):
            ask((0, 0), cell, "thief")
    with pytest.raises(PositionError):
        table.row(police=cell, turn="police")
    with pytest.raises(PositionError):
        table.row(thief=cell, turn="police")


@pytest.mark.parametrize(
    "cell", [0, None, "00", (0,), (0, 0, 0), (0.0, 1), ("0", 1), (None, 0), [[0]], [(0, 0), 1]]
)
def test_arguments_that_are_not_cells_are_refused(table: Table, cell: Any) -> None:
    for ask in (table.value, table.moves, table.line, table.winner):
        with pytest.raises(TypeError):
            ask(cell, (0, 0), "police")


def test_cells_may_be_arrays_or_lists(table: Table) -> None:
    expected = table.value((0, 0), (3, 4), "police")
    assert table.value([(0, 0)], (3, 4), "police") == expected
    assert table.value([0, 0], np.array([3, 4]), "police") == expected
    assert table.value(table.cells[0], table.cells[-1], turn="police") == expected


def test_a_wrong_number_of_officers_is_refused(table: Table, team: Table) -> None:
    expected = team.value([(0, 0), (0, 6)], (1, 8), "police")
    assert expected == Value("police", 1)
    police: Any
    for police in ([[0, 6], [0, 0]], ((0, 6), (0, 0)), np.array([[0, 0], [0, 6]]), [(0, 0), [0, 6]]):
        assert team.value(police, (1, 8), "police") == expected
    for ask in (team.value, team.moves, team.line, team.winner):
        for police in ((0, 0), [(0, 0)], [(0, 0)] * 3, np.zeros((7, 2), dtype=int)):
            with pytest.raises(PositionError, match="expected the cells of 2 officers, found"):
                ask(police, (1, 8), "police")
        with pytest.raises(PositionError, match="the police's cell 0,4 is a wall"):
            ask([(0, 0), (0, 4)], (1, 8), "police")
    with pytest.raises(PositionError, match="expected the cell of 1 officer, found 2"):
        table.value([(0, 0), (0, 0)], (0, 0), "police")
    assert team.moves([(0, 0), (0, 6)], (1, 8), "police")[0].to == ((0, 6), (1, 8))
    with pytest.raises(ValueError, match="expected police, the cells of 2 officers"):
        team.row(thief=(0, 0), turn="police")


def test_tables_of_graphs_are_found_by_their_edges(golden: Path) -> None:
    tables = Tablebase(golden.parent)
    graph = Table.open(golden.parent / "v1-cops.dtb")
    assert graph.edges is not None and graph.edges.shape == (14, 2)
    more = np.concatenate([graph.edges, graph.edges, [[3, 3]]])
    for edges in (graph.edges, graph.edges[::-1].tolist(), more):
        assert tables.table(graph.board, graph.rules, edges=edges).digest == graph.digest
    with pytest.raises(MissingTableError):
        tables.table(graph.board, graph.rules, edges=graph.edges[1:])
    with pytest.raises(MissingTableError):
        tables.table("..", edges=np.empty((0, 2), dtype=int))
    find: Any = tables.table
    for wrong in ([[0, 11]], [[-1, 0]], [[0, 1, 2]], [1, 2]):
        with pytest.raises(ValueError, match="expected"):
            find(graph.board, graph.rules, edges=wrong)
    with pytest.raises(ValueError, match="expected one row"):
        find("..\n..", edges=graph.edges)
    with pytest.raises(ValueError, match="is a wall"):
        find(".#", edges=[[0, 0]])


def test_arguments_that_are_not_sides_are_refused(table: Table) -> None:
    value: Any = table.value
    turn: Any
    for turn in ("Police", "", "draw"):
        with pytest.raises(ValueError, match="expected 'police' or 'thief'"):
            value((0, 0), (0, 0), turn)
    for turn in (0, 3, -1):
        with pytest.raises(ValueError, match=f"expected 'police' or 'thief', found {turn}"):
            value((0, 0), (0, 0), turn)
    for turn in (1.0, None, b"police"):
        with pytest.raises(TypeError, match="expected 'police' or 'thief'"):
            value((0, 0), (0, 0), turn)
    for turn, number in (("police", POLICE), ("thief", THIEF)):
        assert value((0, 0), (3, 4), np.int8(number)) == value((0, 0), (3, 4), turn)
        assert (
            table.row(police=(0, 0), turn=number).dtw.tolist()
            == table.row(police=(0, 0), turn=turn).dtw.tolist()
        )
    row: Any = table.row
    for wrong in ({"turn": "police"}, {"police": (0, 0), "thief": (0, 0), "turn": "police"}):
        with pytest.raises(TypeError, match="either police or thief"):
            row(**wrong)


def test_paths_may_be_text_bytes_or_path_objects(golden: Path) -> None:
    for path in (str(golden), bytes(golden), golden):
        assert Table.open(path).digest == Table.read(path).digest == Table.open_mapped(path).digest
    for folder in (str(golden.parent), bytes(golden.parent), [bytes(golden.parent)]):
        assert len(Tablebase(folder)) == len(Tablebase(golden.parent))
    wrong: Any
    for wrong in (None, 5, 1.5, [golden]):
        with pytest.raises(TypeError, match=r"expected str, bytes or os\.PathLike object"):
            Table.open(wrong)


def test_invalid_options_and_bytes_are_refused(golden: Path) -> None:
    access: Any = "quick"
    with pytest.raises(ValueError, match="expected access"):
        Table.open(golden, access=access)
    with pytest.raises(OverflowError):
        set_cache_limit(-1)
    wrong: Any
    for wrong in (5, "text", None, [1, 2]):
        with pytest.raises(TypeError, match="expected bytes"):
            Table.from_bytes(wrong)
    data = golden.read_bytes()
    for kind in (bytes, bytearray, memoryview):
        assert Table.from_bytes(kind(data)).digest == Table.open(golden).digest
    assert Table.from_bytes(memoryview(data + data)[: len(data)]).file_bytes == len(data)


def test_invalid_boards_and_rules_are_refused(golden: Path) -> None:
    tables = Tablebase(golden.parent)
    find: Any = tables.table
    board: Any
    rules: Any
    for board in ("", "..\n.", "?", [[3]], [[-1]], [1, 1], np.zeros((0, 3), dtype=int)):
        with pytest.raises(ValueError):
            find(board)
    for board in (None, [[1.0]], 5.5):
        with pytest.raises(TypeError):
            find(board)
    for rules in (
        *("draughts", Rules(officers=0), Rules(officers=7), Rules(Movement(((0, 0),)))),
        *(Rules(Movement("king", steps=0)), Rules(thief=Movement("king", reach=0))),
    ):
        with pytest.raises(ValueError, match=r"expected|staying"):
            find("..", rules)
    for rules in (5, None.__class__, {"wrap": "both"}):
        with pytest.raises(TypeError, match="expected Rules"):
            find("..", rules)
    for name, preset in (("classic", Rules.classic()), ("chase", Rules.chase())):
        for rules in (name, preset):
            with pytest.raises(MissingTableError, match="no table for this board of 1x2"):
                find("..", rules)


def test_values_compare_hash_and_print() -> None:
    win, draw = Value("thief", 3), Value("draw")
    assert (win.outcome, win.dtw, draw.outcome, draw.dtw) == ("thief", 3, "draw", None)
    assert win == Value("thief", 3) != Value("thief", 4) != Value("police", 4) != draw
    assert len({win, Value("thief", 3), draw, Value("draw", None)}) == 2
    assert eval(repr(win)) == win and eval(repr(draw)) == draw
    frozen: Any = win
    with pytest.raises(AttributeError):
        frozen.dtw = 4
    wrong: Any
    for wrong in (("draw", 3), ("thief", None), ("thief",), ("nobody", 3)):
        with pytest.raises(ValueError, match="expected"):
            Value(*wrong)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_answers_can_be_pickled_and_tablebases_cannot(table: Table, golden: Path, protocol: int) -> None:
    line: Line = table.line((0, 0), (3, 4), "police")
    for answer in (line, line.value, table.rules, table.counts, PositionError("where", 3)):
        again = pickle.loads(pickle.dumps(answer, protocol))
        assert repr(again) == repr(answer)
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(Tablebase(golden.parent), protocol)


def test_a_table_is_found_by_its_own_rules(golden: Path) -> None:
    table = Table.open(golden)
    assert table.rules == Table.open(golden).rules and hash(table.rules) == hash(Table.open(golden).rules)
    found = Tablebase(golden.parent).table(table.board, table.rules, edges=table.edges)
    assert found.rules == table.rules
    assert dragnet_probe.__version__
