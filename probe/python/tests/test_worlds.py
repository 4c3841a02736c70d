"""Tables with several worlds: boards with doors, and games whose sight changes with a clock."""

from __future__ import annotations

import subprocess
from typing import Any

import numpy as np
import pytest
from conftest import ROOT

from dragnet_probe import (
    OUTCOMES,
    POLICE,
    THIEF,
    Open,
    Opponent,
    PositionError,
    Table,
    Tablebase,
    Value,
    calibrate,
    review,
)

GOLDEN = ROOT / "formats/tests/golden"
OTHER: Any = {"police": "thief", "thief": "police"}


@pytest.fixture(params=["v2-doors", "v2-searchlights"])
def worlds(request: pytest.FixtureRequest) -> Table:
    """Each golden table with several worlds in turn."""
    return Open.path(GOLDEN / f"{request.param}.dtb").pursuit()


def test_values_moves_and_lines_agree_in_every_world(worlds: Table) -> None:
    worlds.check_sums()
    assert worlds.worlds > 1 and Open.bytes(worlds.to_bytes()).pursuit().worlds == worlds.worlds
    met = set()
    for world in range(worlds.worlds):
        for police in worlds.teams().tolist():
            for thief in worlds.cells.tolist():
                for turn in OTHER:
                    value = worlds.value(police, thief, turn, world=world)
                    moves = worlds.moves(police, thief, turn, world=world)
                    winner = worlds.winner(police, thief, turn, world=world)
                    assert winner is None or (value == Value(winner, 0) and moves == [])
                    for move in moves:
                        met.add((world, move.world))
                        officers, cell = (police, move.to) if turn == "thief" else (list(move.cells), thief)
                        after = worlds.value(officers, cell, OTHER[turn], world=move.world)
                        assert after == Value(move.outcome, move.dtw)
                    best = worlds.best_move(police, thief, turn, world=world)
                    assert moves[:1] == ([] if best is None else [best])
                    if best is not None and best.outcome == value.outcome != "draw":
                        assert best.dtw is not None and value.dtw == best.dtw + 1
                    line = worlds.line(police, thief, turn, world=world)
                    assert line.moves[:1] == moves[:1] and line.value == value
                    caught = worlds.is_caught_within(police, thief, turn, 1000, world=world)
                    assert caught == (value.outcome == "police")
    assert len({after for _, after in met}) == worlds.worlds


def test_arrays_have_the_values_of_their_worlds(worlds: Table) -> None:
    teams, cells = worlds.teams(), worlds.cells
    team, thief = np.indices((len(teams), len(cells))).reshape(2, -1)
    counts: Any = {"police": np.zeros(3, dtype=int), "thief": np.zeros(3, dtype=int)}
    for world in range(worlds.worlds):
        for turn in OTHER:
            whole = worlds.all_values(turn, world=world)
            counts[turn] += np.bincount(whole.outcome.ravel(), minlength=3)
            for number, police in enumerate(teams):
                row = worlds.row(police=police, turn=turn, world=world)
                assert np.array_equal(row.dtw[tuple(cells.T)], whole.dtw[number])
                for column, cell in enumerate(cells.tolist()):
                    value = worlds.value(police, cell, turn, world=world)
                    assert OUTCOMES[whole.outcome[number, column]] == value.outcome
                    assert whole.dtw[number, column] == (-1 if value.dtw is None else value.dtw)
            places = teams[team] if worlds.officers > 1 else teams[team][:, 0]
            for asked in (world, np.full(len(team), world), [world] * len(team)):
                values = worlds.values(police=places, thief=cells[thief], turn=turn, world=asked)
                assert np.array_equal(values.dtw, whole.dtw.ravel())
            numbers: Any = {"police": POLICE, "thief": THIEF}
            turns = np.full(len(team), numbers[turn])
            rows = np.column_stack([teams[team].reshape(len(team), -1), cells[thief], turns])
            assert np.array_equal(worlds.values(rows, world=world).dtw, whole.dtw.ravel())
    for turn, (draw, police, thief_wins) in counts.items():
        assert tuple(worlds.counts[turn]) == (police, thief_wins, draw)
    police = teams[1] if worlds.officers > 1 else teams[1][0]
    by_world = worlds.values(police=police, thief=cells[0], turn="thief", world=range(worlds.worlds))
    for world, dtw in enumerate(by_world.dtw):
        value = worlds.value(police, cells[0], "thief", world=world)
        assert dtw == (-1 if value.dtw is None else value.dtw)


@pytest.mark.parametrize("world", [-1, 6, 2**32, -(2**70), 2**70])
def test_worlds_that_are_not_there_are_refused(world: int) -> None:
    table = Open.path(GOLDEN / "v2-doors.dtb").pursuit()
    at: Any = ((1, 2), (0, 0), "police")
    asks: Any = (table.value, table.winner, table.moves, table.best_move, table.line)
    for ask in asks:
        with pytest.raises(PositionError, match="expected a world from 0 to 5, found"):
            ask(*at, world=world)
    with pytest.raises(PositionError, match="expected a world"):
        table.is_caught_within((1, 2), (0, 0), "police", 3, world=world)
    with pytest.raises(PositionError, match="expected a world"):
        table.all_values("police", world=world)
    with pytest.raises(PositionError, match="expected a world"):
        table.row(police=(1, 2), turn="police", world=world)
    with pytest.raises(PositionError, match="expected a world"):
        Opponent("perfect").choose(table, *at, world=world)
    with pytest.raises(PositionError, match="expected a world"):
        review(table, [(*at, world)], "police")
    with pytest.raises(PositionError, match="expected a world") as caught:
        table.values([[1, 2, 0, 0, POLICE]] * 2, world=world)
    assert caught.value.index == 0
    if abs(world) < 2**63:
        with pytest.raises(PositionError, match="expected a world") as caught:
            table.values([[1, 2, 0, 0, POLICE]] * 2, world=[5, world])
        assert caught.value.index == 1


def test_worlds_of_a_wrong_type_or_shape_are_refused() -> None:
    table = Open.path(GOLDEN / "v2-doors.dtb").pursuit()
    wrong: Any
    for wrong in (None, "0", 1.0, (0,)):
        with pytest.raises(TypeError):
            table.value((1, 2), (0, 0), "police", world=wrong)
    positions = [[1, 2, 0, 0, POLICE]] * 2
    with pytest.raises(ValueError, match="as many elements in world as in positions, 2, found 3"):
        table.values(positions, world=[0, 1, 2])
    with pytest.raises(ValueError, match="as many elements in world as in thief, 8, found 3"):
        table.values(police=(1, 2), thief=table.cells, turn="police", world=[0, 1, 2])
    with pytest.raises(ValueError, match="expected world in the shape"):
        table.values(positions, world=[[0, 1]])
    for wrong in ([0.0, 1.0], ["0", "1"], None, "00"):
        with pytest.raises(TypeError, match="expected integers as world"):
            table.values(positions, world=wrong)


def test_opponents_and_reviews_follow_the_worlds() -> None:
    table = Open.path(GOLDEN / "v2-doors.dtb").pursuit()
    players = {"police": Opponent("perfect"), "thief": Opponent("perfect")}
    at: Any = ((1, 2), (0, 0), "police", 3)
    game = [at]
    while True:
        police, thief, turn, world = game[-1]
        move = players[turn].choose(table, police, thief, turn, world=world)
        if move is None:
            break
        police, thief = (move.cell, thief) if turn == "police" else (police, move.cell)
        game.append((police, thief, OTHER[turn], move.world))
    assert len({world for *_, world in game}) > 1
    assert len(game) - 1 == table.value(*at[:3], world=3).dtw
    for side in OTHER:
        rated = review(table, game, side)
        assert (rated.errors, rated.plies_lost) == (0, 0)
        for reviewed in rated.moves:
            assert reviewed.played.world == game[reviewed.ply + 1][3]
    assert calibrate(table, [at, at[:3]], "police", 500, games=10).games == 10
    with pytest.raises(ValueError, match="expected"):
        review(table, [at, ((0, 0), (0, 0), "thief", 0)], "police")


def test_a_board_with_doors_is_found_by_its_source() -> None:
    table = Open.path(GOLDEN / "v2-doors.dtb").pursuit()
    assert "[[doors]]" in table.source
    assert Tablebase(GOLDEN).table(table.source).digest == table.digest


def test_partial_tables_tell_the_world_after_a_move(dragnet: str, tmp_path: Any) -> None:
    full = Open.path(GOLDEN / "v2-doors.dtb").pursuit()
    parts = {}
    for keep in ("outcome", "moves-of-police", "moves-of-thief"):
        path = tmp_path / f"{keep}.dtb"
        command: list[Any] = [dragnet, "pack", GOLDEN / "v2-doors.dtb", "--keep", keep, "--out", path]
        subprocess.run(command, check=True, capture_output=True)
        parts[keep] = Open.path(path).partial()
        assert parts[keep].worlds == full.worlds
    for world in range(full.worlds):
        for police in full.cells.tolist():
            for thief in full.cells.tolist():
                for turn in OTHER:
                    at: Any = (police, thief, turn)
                    outcome = parts["outcome"].outcome(*at, world=world)
                    assert outcome == full.value(*at, world=world).outcome
                    kept = parts[f"moves-of-{turn}"].best_move(*at, world=world)
                    moves = full.moves(*at, world=world)
                    best = [
                        (move.to, move.world)
                        for move in moves
                        if (move.outcome, move.dtw) == (moves[0].outcome, moves[0].dtw)
                    ]
                    assert tuple(kept) in best if kept is not None else moves == []
    with pytest.raises(PositionError, match="expected a world"):
        parts["outcome"].outcome((0, 0), (0, 1), "police", world=6)
