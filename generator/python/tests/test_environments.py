"""The environments pass the checkers of their libraries, and tell the truth about costs."""

from __future__ import annotations

from pathlib import Path

import gymnasium
import networkx as nx
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import dragnet
from dragnet.environments import pursuit_aec

TABLE = dragnet.solve("..#..E\n......\n.#..#.\n......\n")


@pytest.mark.parametrize("side", ["police", "thief"])
@pytest.mark.parametrize("board", [TABLE.board_text, nx.cycle_graph(6)])
def test_gymnasium_finds_no_fault(side: str, board: object, tmp_path: Path) -> None:
    table = tmp_path / "table.dtb"
    dragnet.generate(board, table)
    environment = gymnasium.make("dragnet/Pursuit-v0", table=table, side=side)
    check_env(environment.unwrapped, skip_render_check=True)


def test_an_environment_begins_at_nodes_of_a_graph() -> None:
    table = dragnet.solve(nx.relabel_nodes(nx.cycle_graph(6), dict(enumerate("uvwxyz"))))
    environment = gymnasium.make("dragnet/Pursuit-v0", table=table, side="police").unwrapped
    observation, _ = environment.reset(options={"police": "v", "thief": "x"})
    assert observation[2].tolist() == [[0, 1, 0, 0, 0, 0]] and observation[3].tolist() == [[0, 0, 0, 1, 0, 0]]


def test_pettingzoo_finds_no_fault() -> None:
    api_test(pursuit_aec(TABLE), num_cycles=200)
    seed_test(lambda: pursuit_aec(TABLE), num_cycles=50)


def test_perfect_play_has_no_regret_and_ends_as_the_table_says() -> None:
    environment = gymnasium.make("dragnet/Pursuit-v0", table=TABLE, side="thief").unwrapped
    for seed in range(30):
        environment.reset(seed=seed)
        game = environment.game
        value = TABLE.value(game.police, game.thief, "thief")
        plies = 0
        while True:
            best = TABLE.best_move(game.police, game.thief, "thief")
            assert best is not None
            _, reward, is_over, is_cut, info = environment.step(game.actions().index(best.cell))
            assert info["regret"] == {"dropped": 0, "plies": 0}
            plies += 1
            if is_over or is_cut:
                break
        assert (value.outcome == "draw") == is_cut
        if is_over:
            assert reward == (1 if value.outcome == "thief" else -1)
            assert value.dtw is not None and plies == (value.dtw + 1) // 2


def test_regret_is_what_the_table_loses() -> None:
    rng = np.random.default_rng(3)
    environment = gymnasium.make("dragnet/Pursuit-v0", table=TABLE, side="police", opponent="easy").unwrapped
    for seed in range(30):
        _, info = environment.reset(seed=seed)
        for _ in range(20):
            game = environment.game
            before = TABLE.value(game.police, game.thief, "police")
            action = int(rng.choice(np.flatnonzero(info["action_mask"])))
            to = game.actions()[action]
            after = TABLE.value(to, game.thief, "thief")
            _, _, is_over, is_cut, info = environment.step(action)
            rank = {"police": 2, "draw": 1, "thief": 0}
            assert info["regret"]["dropped"] == rank[before.outcome] - rank[after.outcome]
            if before.outcome == after.outcome and before.dtw is not None and after.dtw is not None:
                assert info["regret"]["plies"] == abs(after.dtw + 1 - before.dtw)
            if is_over or is_cut:
                break


def test_an_action_that_is_no_move_loses() -> None:
    environment = gymnasium.make(
        "dragnet/Pursuit-v0", table=TABLE, side="thief", render_mode="ansi"
    ).unwrapped
    _, info = environment.reset(options={"police": (3, 5), "thief": (0, 0)})
    assert environment.render().count("T") == 1
    action = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, is_over, _, info = environment.step(action)
    assert (reward, is_over, info["illegal"]) == (-1.0, True, True)


def test_tables_of_several_officers_are_refused() -> None:
    with pytest.raises(ValueError, match="one officer, found 2"):
        gymnasium.make("dragnet/Pursuit-v0", table=dragnet.solve("....", officers=2))
