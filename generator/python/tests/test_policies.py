"""Replies to policies, and what policies are worth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pytest
from dragnet_probe import Strength

import dragnet
from dragnet.policy import (
    Greedy,
    Ground,
    ListedMoves,
    MoveWeights,
    Opponent,
    Patrol,
    RandomWalk,
    WithMemory,
    best_reply,
    odds,
)

# The board and the policies of the guide to policies, whose answers are those of the program.
GUARDED = "P...E\n.###.\n..T..\n"
ROUTE = [(0, 0), (1, 0), (2, 0), (1, 0)]
BOARD = "..#.\n...E\n...#\n"

KING = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1)]
CROSS = [(r, c) for r, c in KING if r == 0 or c == 0]

Cell = tuple[int, int]
Shares = Callable[[int, Cell], dict[int, float]]


class PlainGame:
    """A game of the classic rules in which one side has posts and a function says how it moves."""

    def __init__(self, board: str, fixed: str, posts: list[Cell], shares: Shares) -> None:
        rows = board.splitlines()
        self.cells = [(r, c) for r, row in enumerate(rows) for c, square in enumerate(row) if square != "#"]
        self.exits = {(r, c) for r, c in self.cells if rows[r][c] == "E"}
        self.fixed, self.free = fixed, "thief" if fixed == "police" else "police"
        self.posts, self.shares = posts, shares
        pairs = [(post, cell) for post in range(len(posts)) for cell in self.cells]
        self.positions = [(turn, *pair) for turn in ("police", "thief") for pair in pairs]

    def winner(self, post: int, cell: Cell) -> str | None:
        police, thief = (self.posts[post], cell) if self.fixed == "police" else (cell, self.posts[post])
        return "police" if police == thief else "thief" if thief in self.exits else None

    def moves(self, position: tuple[str, int, Cell]) -> list[tuple[tuple[str, int, Cell], float]]:
        turn, post, (row, column) = position
        after = "thief" if turn == "police" else "police"
        if turn == self.fixed:
            return [
                ((after, to, (row, column)), share) for to, share in self.shares(post, (row, column)).items()
            ]
        steps = KING if self.free == "police" else CROSS
        targets = [(row + down, column + right) for down, right in steps]
        return [((after, post, to), 1.0) for to in targets if to in self.cells]

    def values(self) -> dict[tuple[str, int, Cell], tuple[str, int | None]]:
        """Returns all values, by going through all positions until nothing changes."""
        known: dict[tuple[str, int, Cell], tuple[str, int | None]] = {}
        for position in self.positions:
            winner = self.winner(*position[1:])
            if winner:
                known[position] = (winner, 0)
        level, changed = 0, True
        while changed:
            level, new = level + 1, {}
            for position in self.positions:
                if position in known:
                    continue
                turn = position[0]
                other = "thief" if turn == "police" else "police"
                after = [known.get(to) for to, _ in self.moves(position)]
                if any(value and value[0] == turn for value in after):
                    new[position] = (turn, level)
                elif all(value and value[0] == other for value in after):
                    new[position] = (other, level)
            known.update(new)
            changed = bool(new)
        return {position: known.get(position, ("draw", None)) for position in self.positions}

    def probabilities(self, goal: str, best: Callable[[list[float]], float]) -> dict[Any, float]:
        """Returns the probabilities with which a side wins if the free side makes it the ``best``."""
        found = {position: float(self.winner(*position[1:]) == goal) for position in self.positions}
        change = 1.0
        while change > 1e-12:
            change = 0.0
            for position in self.positions:
                if self.winner(*position[1:]) is None:
                    after = [(found[to], share) for to, share in self.moves(position)]
                    value = (
                        sum(value * share for value, share in after)
                        if position[0] == self.fixed
                        else best([value for value, _ in after])
                    )
                    change = max(change, abs(value - found[position]))
                    found[position] = value
        return found


def patrol_shares(post: int, _: Cell) -> dict[int, float]:
    return {(post + 1) % len(ROUTE): 1.0}


def test_values_against_a_patrol_are_those_of_a_plain_program() -> None:
    plain = PlainGame(GUARDED, "police", ROUTE, patrol_shares).values()
    reply = best_reply(Ground(GUARDED), police=Patrol(ROUTE))
    for (turn, post, cell), (outcome, dtw) in plain.items():
        value = reply.value(thief=cell, turn=turn, post=post)
        assert (value.outcome, value.dtw) == (outcome, dtw)
    assert reply.posts.tolist() == [0, 5, 7, 5] and reply.starts.all()


def test_a_patrol_is_worth_what_the_program_says() -> None:
    ground = Ground(GUARDED)
    worth = best_reply(ground, police=Patrol(ROUTE)).worth()
    assert (worth.starts, worth.outcomes_lost) == (80, 26)
    assert [sum(row) for row in worth.outcomes.values()] == [28, 50, 2]
    assert [sum(row[at] for row in worth.outcomes.values()) for at in range(3)] == [4, 76, 0]
    first = worth.worst[0]
    assert (first.police, first.thief, first.turn, first.post) == ((0, 0), (0, 1), "police", 0)
    assert (str(first.perfect), str(first.value)) == (
        str(dragnet.solve(GUARDED).value((0, 0), (0, 1), "police")),
        str(best_reply(ground, police=Patrol(ROUTE)).value((0, 0), (0, 1))),
    )


def test_losses_are_the_difference_from_perfect_play() -> None:
    ground = Ground(GUARDED)
    for sides in ({"police": Patrol(ROUTE)}, {"thief": Greedy()}, {"police": Greedy()}):
        reply = best_reply(ground, **sides)
        worth = reply.worth()
        rank = np.array([1, 2, 0]) if reply.fixed == "police" else np.array([1, 0, 2])
        dropped, plies, starts = 0, [0, 0], 0
        for turn in ("police", "thief"):
            value, perfect, losses = reply.all_values(turn), reply.perfect_values(turn), reply.losses(turn)
            steps = rank[perfect.outcome] - rank[value.outcome]
            assert (steps >= 0).all() and (losses.dropped == steps).all()
            same = (steps == 0) & (value.outcome != 0)
            assert (losses.plies[same] == abs(value.dtw - perfect.dtw)[same]).all()
            assert (losses.plies[~same] == 0).all()
            dropped += int((steps > 0).sum())
            starts += int((perfect.dtw != 0).sum())
            for at, winner in enumerate([reply.fixed, reply.free]):
                plies[at] += int(
                    losses.plies[perfect.outcome == ["draw", "police", "thief"].index(winner)].sum()
                )
        assert (worth.starts, worth.outcomes_lost) == (starts, dropped)
        assert [worth.slower_wins.plies, worth.quicker_losses.plies] == plies


@pytest.mark.parametrize("officers", [1, 2])
def test_arrays_have_the_order_of_tables(officers: int) -> None:
    table = dragnet.solve(BOARD, officers=officers)
    ground = Ground(table)
    reply = best_reply(ground, police=Greedy())
    if officers == 1:
        assert (ground.places("police")[:, 0] == table.cells).all()
    else:
        assert (ground.places("police") == table.teams()).all()
    for turn in ("police", "thief"):
        perfect = reply.perfect_values(turn)
        for found, expected in zip(perfect, table.all_values(turn), strict=True):
            assert (found == expected).all()


@pytest.mark.parametrize("side", ["police", "thief"])
def test_greedy_is_the_greedy_of_a_plain_program(side: str) -> None:
    ground = Ground(BOARD)
    cells = [tuple(cell) for cell in ground.places(side)[:, 0].tolist()]
    steps = KING if side == "police" else CROSS
    ways = nx.DiGraph(
        [((r, c), (r + d, c + e)) for r, c in cells for d, e in steps if (r + d, c + e) in cells]
    )
    turns = dict(nx.all_pairs_shortest_path_length(ways))

    def choose(police: Cell, thief: Cell) -> Cell:
        own, other = (police, thief) if side == "police" else (thief, police)
        sign = 1 if side == "police" else -1
        return min(sorted(ways[own]), key=lambda to: sign * turns[to][other])

    def shares(post: int, cell: Cell) -> dict[int, float]:
        pair = (cells[post], cell) if side == "police" else (cell, cells[post])
        return {cells.index(choose(*pair)): 1.0}

    named, own = (best_reply(ground, **{side: policy}) for policy in (Greedy(), choose))
    plain = PlainGame(BOARD, side, cells, shares).values()
    for turn in ("police", "thief"):
        for a, b in zip(named.all_values(turn), own.all_values(turn), strict=True):
            assert (a == b).all()
    for (turn, post, cell), (outcome, dtw) in plain.items():
        police, thief = (cells[post], cell) if side == "police" else (cell, cells[post])
        value = named.value(police, thief, turn)
        assert (value.outcome, value.dtw) == (outcome, dtw)


@pytest.mark.parametrize("side", ["police", "thief"])
def test_bounds_hold_the_probabilities_of_a_plain_program(side: str) -> None:
    ground = Ground(BOARD)
    cells = [tuple(cell) for cell in ground.places(side)[:, 0].tolist()]
    lot = np.random.default_rng(5)
    weights = lot.random((len(cells), len(cells), 9)) * (lot.random((len(cells), len(cells), 9)) < 0.6)
    weights[:, :, 0] += 0.1

    def shares(post: int, cell: Cell) -> dict[int, float]:
        pair = (post, cells.index(cell)) if side == "police" else (cells.index(cell), post)
        moves = ground.moves(side, post)
        given = weights[pair][: len(moves)]
        return dict(zip(moves.tolist(), (given / given.sum()).tolist(), strict=True))

    plain = PlainGame(BOARD, side, cells, shares)
    found = odds(ground, **{side: MoveWeights(weights)})
    assert found.have_met
    for goal, best, bounds in [(plain.free, max, "win"), (side, min, "loss")]:
        for (turn, post, cell), probability in plain.probabilities(goal, best).items():
            police, thief = (cells[post], cell) if side == "police" else (cell, cells[post])
            low, high = getattr(found.value(police, thief, turn), bounds)
            assert low - 1e-9 <= probability <= high + 1e-9 and high - low <= 1e-6


def test_random_walks_have_the_odds_that_the_program_says() -> None:
    ground = Ground(GUARDED)
    walk = odds(ground, thief=RandomWalk())
    win, loss, plies = walk.value((0, 0), (2, 2), "police")
    assert win.low > 1 - 1e-6 and loss.high < 1e-6 and plies is not None and round(plies.low, 2) == 8.81
    worth = walk.worth()
    assert [(share.starts, share.certain) for share in worth.shares.values()] == [
        (112, 112),
        (80, 0),
        (50, 0),
    ]
    assert worth.shares["thief"].win is not None and round(worth.shares["thief"].win.low, 6) == 0.739969
    first = worth.worst[0]
    assert (first.police, first.thief, first.turn, first.perfect.outcome) == (
        (2, 2),
        (0, 0),
        "police",
        "draw",
    )
    assert first.lost == pytest.approx(1)
    assert walk.losses("police").max() <= 1 and walk.losses("police")[7 + 2, 0] == first.lost
    same = odds(ground, thief=MoveWeights(np.ones((12, 12, 5))))
    for a, b in zip(walk.all_values("thief").win, same.all_values("thief").win, strict=True):
        assert (a == b).all()


def test_weights_of_offsets_are_those_of_moves() -> None:
    for ground in (Ground(BOARD), Ground("..\n..\n.E"), Ground("...\n.E.", {"wrap": "both"})):
        cells = len(ground.places("thief"))
        weights = np.zeros((cells, cells, 2))
        weights[:, :] = [3, 1]
        by_offset = odds(ground, thief=MoveWeights(weights, offsets=[(0, 1), (0, 0)]))
        east = RandomWalk({(0, 1): 3, (1, 0): 0, (-1, 0): 0, (0, -1): 0})
        by_walk = odds(ground, thief=east)
        for a, b in zip(by_offset.all_values("police").win, by_walk.all_values("police").win, strict=True):
            assert (a == b).all()


def test_listed_moves_have_the_odds_that_the_program_says() -> None:
    moves = {
        ((0, 0), None): (0, 1),
        ((0, 1), (2, 4)): {(0, 2): 3, (0, 0): 1},
    }
    found = odds(Ground(GUARDED), police=ListedMoves(moves, otherwise="greedy"))
    win, loss, plies = found.value((0, 0), (2, 2), "police")
    assert (win.low, loss.high) == (1.0, 0.0) and plies is not None and round(plies.high, 2) == 10
    shares = found.worth().shares
    assert [(share.starts, share.certain) for share in shares.values()] == [(112, 110), (80, 80), (50, 0)]
    assert shares["police"].win is not None and round(shares["police"].win.high, 6) == 0.017857


def test_a_patrol_is_a_function_that_remembers_its_step() -> None:
    ground = Ground(GUARDED)
    patrol = best_reply(ground, police=Patrol(ROUTE))

    def choose(police: Cell, _: Cell, step: int | None) -> tuple[Cell, int | None]:
        if step is None:
            step = ROUTE.index(police) if police in ROUTE else None
        elif ROUTE[step] != police:
            step = None
        if step is None:
            return police, None
        after = (step + 1) % len(ROUTE)
        return ROUTE[after], after

    walker = best_reply(ground, police=WithMemory(choose, [None, 0, 1, 2, 3]))
    for turn in ("police", "thief"):
        for cell in [(0, 0), (2, 0)]:
            for a, b in zip(
                patrol.row(police=cell, turn=turn), walker.row(police=cell, turn=turn), strict=True
            ):
                assert (a == b).all()
    assert walker.starts.sum() == 12 and len(walker.posts) == 60


def test_rows_and_values_are_slices_of_the_arrays() -> None:
    ground = Ground(GUARDED)
    reply = best_reply(ground, police=Patrol(ROUTE))
    outcome, dtw = reply.all_values("thief")
    assert outcome.shape == (4, 12) and not outcome.flags.writeable
    grid = reply.row(post=2, turn="thief")
    walls = dragnet.solve(GUARDED).board == 0
    assert grid.dtw.shape == (3, 5) and (grid.outcome[walls] == -1).all()
    assert (grid.dtw[~walls] == dtw[2]).all() and (grid.outcome[~walls] == outcome[2]).all()
    beside = reply.row(thief=(0, 1), turn="thief").outcome
    assert (beside[:, 0] == outcome[[0, 1, 2], 1]).all() and (beside[:, 1:] == -1).all()
    thief = best_reply(ground, thief=Greedy())
    assert (thief.row(police=(0, 0), turn="police").dtw[~walls] == thief.all_values("police").dtw[0]).all()
    perfect = dragnet.solve(GUARDED).row(police=(2, 0), turn="police")
    assert (reply.perfect_row(post=2, turn="police").dtw == perfect.dtw).all()
    chance = odds(ground, thief=RandomWalk())
    win = chance.row(thief=(2, 2), turn="police").win.low
    assert np.isnan(win[walls]).all() and (win[~walls] == chance.all_values("police").win.low[:, 9]).all()


def test_lines_end_as_the_values_say() -> None:
    ground = Ground(GUARDED)
    reply = best_reply(ground, police=Patrol(ROUTE))
    line = reply.line((0, 0), (2, 2))
    assert str(line.value) == str(reply.value((0, 0), (2, 2))) and len(line.moves) == line.value.dtw == 8
    assert [move.to for move in line.moves if move.side == "police"] == [(1, 0), (2, 0), (1, 0), (0, 0)]
    assert line.end == "escaped" and line.moves[-1].dtw == 0
    assert best_reply(ground, police=Greedy()).line((0, 0), (0, 1)).end == "caught"
    ring = Ground("...\n.#.\n...\n")
    assert best_reply(ring, thief=Greedy()).line((0, 0), (2, 2)).end in ("caught", "repetition")


def test_graphs_and_teams_have_policies() -> None:
    ring = nx.cycle_graph(6)
    ground = Ground(ring)
    chase = best_reply(ground, police=Greedy())
    assert chase.value(0, 3, "police").outcome == "draw"
    assert chase.value((0, 0), (0, 1), "police").dtw == 1
    stays = best_reply(ground, thief=lambda police, thief: thief)
    assert stays.value(0, 3, "police").dtw == 5
    pair = Ground(ring, officers=2)
    closing = best_reply(pair, police=Greedy())
    assert closing.value([0, 3], 1, "police").outcome == "police"
    patrol = best_reply(pair, police=Patrol([(0, 3), (1, 4), (2, 5), (3, 0), (4, 1), (5, 2)]))
    assert patrol.line([0, 3], 2, "thief").end in ("caught", "repetition")
    with pytest.raises(ValueError, match="only one officer can be on each cell"):
        closing.row(thief=0, turn="police")


def test_policies_speak_of_the_nodes_of_a_graph() -> None:
    names = "uvwxyz"
    ring, named = nx.cycle_graph(6), nx.relabel_nodes(nx.cycle_graph(6), dict(enumerate(names)))
    seen = set()

    def flee(police: str, thief: str) -> str:
        seen.add((police, thief))
        return "x" if thief in "wxy" else thief

    by_vertex = best_reply(Ground(ring), thief=lambda police, thief: 3 if thief in (2, 3, 4) else thief)
    by_node = best_reply(Ground(named), thief=flee)
    assert seen == {(a, b) for a in names for b in names if a != b}
    assert np.array_equal(by_node.all_values("thief").dtw, by_vertex.all_values("thief").dtw)
    assert [move.to for move in by_node.line("u", "w", "police").moves] == [
        names[move.cell] for move in by_vertex.line(0, 2, "police").moves
    ]
    pair = best_reply(Ground(named, officers=2), police=Patrol([("u", "x"), ("v", "y")]))
    assert pair.value(["x", "u"], "w", "thief") == pair.value(("u", "x"), "w", "thief")
    with pytest.raises(ValueError, match="expected a node of the thief, found 'q'"):
        by_node.value("u", "q", "police")


def test_opponents_have_the_odds_of_the_program() -> None:
    """The numbers are those of ``dragnet policy yard-with-guard.txt --from 0,1/2,4 --turn thief --json``."""
    ground = Ground(GUARDED)
    cases: list[tuple[str, str | int, int, float, float, tuple[float, float, float]]] = [
        ("thief", "easy", 156, 0.11270562497525895, 0.8872941128384443, (1.0, 0.09862588460720224, 1.0)),
        ("thief", "normal", 12, 0.029213482676764886, 0.9707864169961669, (1.0, 0.024177782146821366, 1.0)),
        ("police", "hard", 12, 1.0, 0.0, (0.0915356896771884, 1.0, 1.0)),
        ("police", 500, 12, 1.0, 0.0, (0.2983657517458437, 1.0, 1.0)),
    ]
    for side, strength, posts, win, loss, shares in cases:
        found = odds(ground, **{side: Opponent(strength)})
        value, worth = found.value((0, 1), (2, 4), "thief"), found.worth()
        assert found.have_met and len(found.posts) == posts
        assert (value.win.low, value.loss.low) == pytest.approx((win, loss), abs=1e-9)
        for outcome, low in zip(("police", "thief", "draw"), shares, strict=True):
            share = worth.shares[outcome].win
            assert share is not None and share.low == pytest.approx(low, abs=1e-9)
    with pytest.raises(ValueError, match="expected drop from 0 to 2, found 4"):
        odds(ground, thief=Opponent(Strength.preset("hard")._replace(drop=4)))
    with pytest.raises(ValueError, match="the level from 0 to 1000, found 1001"):
        odds(ground, thief=Opponent(1001))
    with pytest.raises(ValueError, match="expected the name of a strength"):
        odds(ground, thief=Opponent("hart"))


def test_perfect_opponents_keep_every_outcome() -> None:
    ring = Ground(nx.cycle_graph(5), officers=2)
    for side in ("police", "thief"):
        found = odds(ring, **{side: Opponent("perfect")})
        assert not found.losses("police").any() and not found.losses("thief").any()


def test_policies_that_need_too_much_memory_are_refused() -> None:
    ground = Ground(np.ones((30, 30)))
    for memory, policy, message in [
        (1 << 20, RandomWalk(), "perfect play needs"),
        (1 << 26, RandomWalk(), "the game against the policy needs 202500000 bytes of memory, and 67108864"),
        (1 << 40, Opponent(Strength.preset("hard")._replace(reaction=8)), "the game against the policy needs"),
        (1 << 26, WithMemory(lambda police, thief, memory: (police, 0), range(10)), "the game against"),
    ]:
        with pytest.raises(MemoryError, match=message):
            odds(ground, police=policy, memory=memory)
    # Without chance the game takes a tenth, and a patrol has few posts.
    patrol = Patrol([(0, 0), (0, 1)])
    assert best_reply(ground, police=patrol, memory=1 << 26).value(post=0, thief=(9, 9)).outcome == "draw"
    with pytest.raises(MemoryError, match="the ground needs"):
        Ground(np.ones((30, 30)), memory=1 << 10)


def test_wrong_policies_are_refused_with_what_was_expected() -> None:
    ground = Ground(GUARDED)
    for policy, error, message in [
        (
            Patrol([(0, 0), (2, 0)]),
            ValueError,
            "step 1 of the patrol: expected a move of the police from 0,0",
        ),
        (Patrol([]), ValueError, "at least one place"),
        (
            Patrol([(1, 1)]),
            ValueError,
            r"expected an open cell \(row, column\) of the police, found \(1, 1\)",
        ),
        (lambda police, thief: (0, 0), ValueError, "expected a legal move, found one to 0,0"),
        (lambda police, thief: {police: 0}, ValueError, "weights"),
        (RandomWalk(), ValueError, "expected a policy without chance"),
        (ListedMoves({}, otherwise="run"), ValueError, "expected otherwise 'stay', 'greedy' or 'random'"),
        (MoveWeights(np.ones((3, 3))), ValueError, r"shape \(12, 12, moves\)"),
        (MoveWeights(np.ones((12, 12, 2))), ValueError, "expected weights of 3 moves"),
        (MoveWeights(np.ones((12, 12, 2)), offsets=[(0, 1)]), ValueError, "expected 2 offsets"),
        (WithMemory(lambda police, thief, memory: (police, 2), [1]), ValueError, "one of the memories"),
        (WithMemory(lambda police, thief, memory: (police, 1), []), ValueError, "at least one memory"),
        (7, TypeError, "expected a policy, found 7"),
    ]:
        with pytest.raises(error, match=message):
            best_reply(ground, police=policy)
    with pytest.raises(TypeError, match="either police or thief"):
        best_reply(ground)
    with pytest.raises(ValueError, match="weights of a random walk"):
        odds(Ground(nx.cycle_graph(4)), police=RandomWalk({(0, 1): 2}))
    with pytest.raises(ValueError, match="found 0,2, which none has"):
        odds(ground, police=RandomWalk({(0, 2): 2}))
    with pytest.raises(TypeError, match="float"):
        odds(ground, police=RandomWalk({(0.5, 1): 2}))  # type: ignore[dict-item]
    restless = Ground("....", {"police": {"may_pass": False}})
    with pytest.raises(ValueError, match="the rules do not let the police stay"):
        best_reply(restless, police=ListedMoves({((0, 0), None): (0, 1)}))
    with pytest.raises(ValueError, match="width above 0"):
        odds(ground, police=RandomWalk(), width=0)
    reply = best_reply(ground, police=Patrol(ROUTE))
    for wrong, message in [
        ({"police": (0, 1), "thief": (0, 2)}, "where its policy can begin"),
        ({"post": 4, "thief": (0, 2)}, "expected a post from 0 to 3, found 4"),
        ({"post": 1, "police": (0, 0), "thief": (0, 2)}, "on .1, 0. at post 1"),
        ({"police": (0, 0), "thief": (9, 9)}, "open cell"),
    ]:
        with pytest.raises(ValueError, match=message):
            reply.value(**wrong)


def test_asking_and_bounding_are_reported_and_stopped() -> None:
    stages = []

    def report(stage: str, done: int, total: int, level: int) -> None:
        stages.append(stage)
        if stage == "bounding":
            raise RuntimeError("enough")

    best_reply(Ground(BOARD), thief=lambda police, thief: thief, progress=report)
    assert stages[0] == "asking" and "bounding" not in stages
    with pytest.raises(RuntimeError, match="enough"):
        odds(Ground(np.ones((25, 25)), "chase"), thief=RandomWalk(), width=1e-15, progress=report)
    assert stages[-1] == "bounding"
