"""Invalid arguments, files that cannot be read, and the behaviour of the objects."""

from __future__ import annotations

import errno
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT

import dragnet_probe
from dragnet_probe import (
    OUTCOMES,
    POLICE,
    THIEF,
    DragnetError,
    Line,
    MissingTableError,
    Open,
    PositionError,
    Table,
    Tablebase,
    Value,
    set_cache_limit,
)


def test_files_that_cannot_be_read_raise_os_errors(tmp_path: Path) -> None:
    for place in (Open.path, Open.mapped, Open.whole):
        with pytest.raises(FileNotFoundError) as missing:
            place(tmp_path / "none.dtb").pursuit()
        assert missing.value.errno == errno.ENOENT
        assert missing.value.filename == str(tmp_path / "none.dtb")
        with pytest.raises(IsADirectoryError) as folder:
            place(str(tmp_path)).any()
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
    graph = Open.path(golden.parent / "v2-cops.dtb").pursuit()
    assert graph.edges is not None and graph.edges.shape == (14, 2)
    successors: list[list[int]] = [[] for _ in range(graph.width)]
    for start, end in graph.edges.tolist():
        successors[start] += [end, end]
    lines = "".join(" ".join(map(str, ends)) + "\n" for ends in successors)
    written, rest = graph.source.split("'''\n", 1)[1].split("'''\n", 1)
    assert lines != written
    assert tables.table(f"graph = '''\n{lines}'''\n{rest}").digest == graph.digest
    lines = lines.replace("9 9", "", 1)
    with pytest.raises(MissingTableError):
        tables.table(f"graph = '''\n{lines}'''\n{rest}")


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
        tables = [place(path).pursuit() for place in (Open.path, Open.whole, Open.mapped)]
        assert tables[0].digest == tables[1].digest == tables[2].digest
    for folder in (str(golden.parent), bytes(golden.parent), [bytes(golden.parent)]):
        assert len(Tablebase(folder)) == len(Tablebase(golden.parent))
    wrong: Any
    for wrong in (None, 5, 1.5, [golden]):
        with pytest.raises(TypeError, match=r"expected str, bytes or os\.PathLike object"):
            Open.path(wrong).pursuit()


def test_invalid_limits_and_bytes_are_refused(golden: Path) -> None:
    with pytest.raises(OverflowError):
        set_cache_limit(-1)
    wrong: Any
    for wrong in (5, "text", None, [1, 2]):
        with pytest.raises(TypeError, match="expected bytes"):
            Open.bytes(wrong).pursuit()
    data = golden.read_bytes()
    for kind in (bytes, bytearray, memoryview):
        assert Open.bytes(kind(data)).pursuit().digest == Open.path(golden).pursuit().digest
    assert Open.bytes(memoryview(data + data)[: len(data)]).pursuit().file_bytes == len(data)


def test_invalid_sources_are_refused(golden: Path) -> None:
    tables = Tablebase(golden.parent)
    for source, message in (
        ("", "expected the line board = "),
        ("board = 3", "expected the line board = "),
        ("board = '''\n?\n'''\n", "board: "),
        ("graph = '''\n1\n2\n'''\n", 'found "2" in line 2'),
        ("board = '''\n..\n'''\nrules.officers = 7", "a number from 0 to 6"),
        ("board = '''\n..\n'''\nrules.police.moves = 'edges'", "rules: "),
    ):
        with pytest.raises(ValueError, match=message):
            tables.table(source)
    wrong: Any
    for wrong in (None, 5, [[1, 2]]):
        with pytest.raises(TypeError):
            tables.table(wrong)
    with pytest.raises(MissingTableError, match="no table for this board of 1x2"):
        tables.table("board = '''\n..\n'''\n")


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
    for answer in (line, line.value, table.counts, PositionError("where", 3)):
        again = pickle.loads(pickle.dumps(answer, protocol))
        assert repr(again) == repr(answer)
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(Tablebase(golden.parent), protocol)


def test_a_table_is_found_by_its_own_source(golden: Path) -> None:
    table = Open.path(golden).pursuit()
    found = Tablebase(golden.parent).table(table.source)
    assert (found.source, found.digest) == (table.source, table.digest)
    assert dragnet_probe.__version__


def test_a_table_tells_how_its_game_goes(table: Table, team: Table, golden: Path) -> None:
    assert (table.officers, table.team, table.stuck, table.undecided) == (1, "all", "wins", "draw")
    assert (table.officer_layers, table.thief_layers, team.officers) == (1, 1, 2)
    assert Open.path(golden.parent / "v2-cops.dtb").pursuit().undecided == "thief"


def test_layers_and_places_count_in_arguments_and_arrays() -> None:
    table = Open.path(ROOT / "formats/tests/golden/v2-round.dtb").pursuit()
    assert (table.officer_layers, table.thief_layers, table.board.shape) == (4, 1, (3, 4))
    outcome, dtw = table.all_values("police")
    teams = table.teams().tolist()
    assert outcome.shape == (len(teams), len(table.cells)) and max(row for ((row, _),) in teams) >= 3
    asked = np.array([[*team[0], *thief, POLICE] for team in teams for thief in table.cells])
    assert table.values(asked).dtw.tolist() == dtw.ravel().tolist()
    for at, police in enumerate(teams):
        row = table.row(police=police, turn="police").dtw
        assert row.shape == (3, 4) and row[tuple(table.cells.T)].tolist() == dtw[at].tolist()
        for column, thief in enumerate(table.cells.tolist()):
            value = table.value(police, thief, "police")
            assert value.outcome == OUTCOMES[outcome[at, column]]
    thief = table.cells[0]
    row = table.row(thief=thief, turn="police").dtw
    assert row.shape == (12, 4) and [row[tuple(team[0])] for team in teams] == dtw[:, 0].tolist()
    for wrong in ((0, 0), (9999, 0), (-1, 0)):
        if [list(wrong)] not in teams:
            with pytest.raises(PositionError, match="expected a place of the police, found"):
                table.value(wrong, thief, "police")
    with pytest.raises(PositionError, match="the thief's cell 3,0 is off the board"):
        table.value(teams[0], (3, 0), "police")
