"""Games that people know, with their values, and rules as graphs that say the same."""

from __future__ import annotations

import random
from collections import deque
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_rules import Game, check

import dragnet

Cell = tuple[int, int]

STEPS = [(0, 1), (1, 0), (0, -1), (-1, 0)]


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        ([[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]], "draw"),
        ([[1, 3], [0], [3], [0, 2]], "thief"),
    ],
)
def test_cat_and_mouse(graph: list[list[int]], expected: str) -> None:
    """LeetCode 913: the mouse starts on 1 and moves first, the cat on 2, and may not enter the hole 0."""
    must_move = {"moves": "edges", "may_pass": False}
    rules = {"police": must_move, "thief": must_move, "police_on_exit": "barred"}
    pairs = [(v, w) for v, others in enumerate(graph) for w in others]
    table = dragnet.solve((pairs, len(graph)), rules, exits=[0])
    assert table.value(2, 1, "thief").outcome == expected


@pytest.mark.parametrize(
    ("grid", "cat", "mouse", "wins"),
    [
        (["####F", "#C...", "M...."], 1, 2, True),
        (["M.C...F"], 1, 4, True),
        (["M.C...F"], 1, 3, False),
        (["C...#", "...#F", "....#", "M...."], 2, 5, False),
        ([".M...", "..#..", "#..#.", "C#.#.", "...#F"], 3, 1, True),
    ],
)
def test_cat_and_mouse_that_jump(grid: list[str], cat: int, mouse: int, wins: bool) -> None:
    """LeetCode 1728: both jump along rows and columns, and whoever is on the food first has won."""
    rules = {
        "police": {"moves": "orthogonal", "reach": cat},
        "thief": {"moves": "orthogonal", "reach": mouse},
        "police_on_exit": "wins",
        "undecided": "police",
    }
    letters = str.maketrans({"C": "P", "M": "T", "F": "E"})
    table = dragnet.solve("".join(f"{row}\n" for row in grid).translate(letters), rules)
    where = {letter: (r, row.index(letter)) for r, row in enumerate(grid) for letter in "CM" if letter in row}
    assert (table.value(where["C"], where["M"], "thief").outcome == "thief") == wins


PAC_MAN = """\
############################
#............##............#
#.####.#####.##.#####.####.#
#.####.#####.##.#####.####.#
#.####.#####.##.#####.####.#
#..........................#
#.####.##.########.##.####.#
#.####.##.########.##.####.#
#......##....##....##......#
######.#####.##.#####.######
######.#####.##.#####.######
######.##..........##.######
######.##.########.##.######
######.##.########.##.######
..........########..........
######.##.########.##.######
######.##.########.##.######
######.##..........##.######
######.##.########.##.######
######.##.########.##.######
#............##............#
#.####.#####.##.#####.####.#
#.####.#####.##.#####.####.#
#...##................##...#
###.##.##.########.##.##.###
###.##.##.########.##.##.###
#......##....##....##......#
#.##########.##.##########.#
#.##########.##.##########.#
#..........................#
############################
"""


def test_two_ghosts() -> None:
    """Pac-Man's maze with its tunnel: two ghosts catch him from wherever all begin, and one does not."""
    squares = [[letter == "." for letter in row] for row in PAC_MAN.splitlines()]
    cells = [(r, c) for r, row in enumerate(squares) for c, is_open in enumerate(row) if is_open]
    number = {cell: n for n, cell in enumerate(cells)}
    joined = [(cell, to) for cell in cells for to in ((cell[0] + 1, cell[1]), (cell[0], (cell[1] + 1) % 28))]
    graph = [(number[cell], number[to]) for cell, to in joined if to in number], len(cells)
    found = dragnet.cops(graph)
    assert found is not None and (found.number, found.moves) == (2, 39)
    orthogonal = {"moves": "orthogonal"}
    rules = {"police": orthogonal, "thief": orthogonal, "wrap": "horizontal", "officers": 2}
    table = dragnet.solve(PAC_MAN, rules)
    assert [table.counts[side].police for side in ("police", "thief")] == [table.positions // 2] * 2
    ghosts = [cells[vertex] for vertex in found.placement]
    _, dtw = table.all_values("police")
    team = table.teams().tolist().index(sorted(map(list, ghosts)))
    # The ghosts move first, and last.
    assert dtw[team].max() == 2 * found.moves - 1


def test_theseus_and_the_minotaur() -> None:
    """A maze as a game that one player plays: the Minotaur takes two steps for each, to the sides first."""
    maze = ["..#....", "....#..", ".#.....", "...#.#.", "....E.."]
    inside = {(r, c) for r, row in enumerate(maze) for c, letter in enumerate(row) if letter != "#"}
    gate = next((r, c) for r, c in inside if maze[r][c] == "E")

    def towards(here: int, there: int) -> int:
        return (there > here) - (there < here)

    def minotaur(at: Cell, theseus: Cell) -> Cell:
        for _ in range(2):
            down, right = towards(at[0], theseus[0]), towards(at[1], theseus[1])
            steps = [(at[0], at[1] + right)] * abs(right) + [(at[0] + down, at[1])] * abs(down)
            at = next((step for step in steps if step in inside), at)
        return at

    states = [(t, m) for t in sorted(inside) for m in sorted(inside)]
    number = {state: n for n, state in enumerate(states)}
    after: dict[int, list[int]] = {}
    for theseus, beast in states:
        if theseus in (beast, gate):
            continue
        steps = [(theseus[0] + down, theseus[1] + right) for down, right in [(0, 0), *STEPS]]
        to = [step for step in steps if step in inside and step != beast]
        after[number[theseus, beast]] = [
            number[step, beast if step == gate else minotaur(beast, step)] for step in to
        ]
    away = [number[gate, m] for m in sorted(inside) if m != gate]
    # Turns of the other player, who has one move each, stand between.
    count = len(states)
    edges = [(v, count + w) for v, others in after.items() for w in others]
    edges += [(count + v, v) for v in range(count)]
    game = dragnet.solve_game((edges, 2 * count), won=away, drawn=[number[t, t] for t in sorted(inside)])
    values = game.values(np.arange(count))

    # Steps from each state to the gate, backwards.
    before: dict[int, list[int]] = {}
    for v, others in after.items():
        for w in others:
            before.setdefault(w, []).append(v)
    distance = dict.fromkeys(away, 0)
    queue = deque(away)
    while queue:
        here = queue.popleft()
        for v in before.get(here, []):
            if v not in distance:
                distance[v] = distance[here] + 1
                queue.append(v)
    for v in after:
        assert (values.result[v] == 1) == (v in distance), states[v]
        if v in distance:
            assert values.dtw[v] == 2 * distance[v], states[v]


def test_a_museum_of_two_floors_with_three_guards() -> None:
    """The level of the page about stealth, by the solver that knows only the page of the rules."""
    page = (Path(__file__).parents[3] / "tools/docs/stealth.md").read_text()
    shown = page.split("$ cat museum.txt\n")[1].split("$")[0].split("\n")
    floors = [shown[:6], shown[7:13]]
    level = [[row.replace("T", ".") for row in floor] for floor in floors]
    rounds = dragnet_rounds(page)
    rules = {"officers": 0, "ways": ["A"], "loot": {"squares": "l"}, "thief": {}, "police": {}}
    game = Game(level, rules, guards=rounds)
    check(game)
    table = dragnet.solve(game.text(), rules, guards=rounds)
    start = next((r, row.index("T")) for r, row in enumerate(floors[0]) if "T" in row)
    guards = tuple(table.teams()[0][0].tolist())
    value = table.value(guards, start, "thief")
    assert (value.outcome, value.dtw) == ("thief", 133)
    assert f"unseen in {value.dtw} plies" in page


def dragnet_rounds(page: str) -> list[dict[str, Any]]:
    """Returns the guards of the page's file of rounds, whose keys are those of Python."""
    text = page.split("$ cat rounds.toml\n")[1].split("$ ")[0]
    guards = []
    for block in text.split("[[guards]]")[1:]:
        keys = dict(line.split(" = ") for line in block.strip().splitlines())
        guards.append({key: {"true": True}.get(text) or eval(text) for key, text in keys.items()})
    return guards


@pytest.mark.parametrize("seed", range(12))
def test_ground_and_a_distance_of_capture_are_graphs(seed: int) -> None:
    """The game as a graph: a slow cell is a path of as many vertices, and a capture an end."""
    lot = random.Random(f"graph {seed}")
    height, width, distance = lot.randint(2, 4), lot.randint(2, 4), lot.randint(0, 2)
    turns = {"a": 1, "m": 2, "n": 3}
    letters = [[lot.choice("##aaamn") for _ in range(width)] for _ in range(height)]
    letters[0][0] = letters[-1][-1] = "a"
    inside = [(r, c) for r in range(height) for c in range(width) if letters[r][c] != "#"]
    exits = {(0, 0)}

    def steps(at: Cell) -> list[Cell]:
        return [to for down, right in STEPS if (to := (at[0] + down, at[1] + right)) in inside]

    def near(at: Cell) -> set[Cell]:
        reached = {at}
        for _ in range(distance):
            reached |= {to for cell in reached for to in steps(cell)}
        return reached

    # A vertex is a cell and the turns that are left to wait there.
    vertices = [(cell, wait) for cell in inside for wait in range(turns[letters[cell[0]][cell[1]]])]
    onward = {
        (cell, wait): [(cell, wait - 1)]
        if wait
        else [(cell, 0), *((to, turns[letters[to[0]][to[1]]] - 1) for to in steps(cell))]
        for cell, wait in vertices
    }
    states = [(turn, p, t) for turn in range(2) for p in vertices for t in vertices]
    number = {state: n for n, state in enumerate(states)}
    edges: list[tuple[int, int]] = []
    won: list[int] = []
    lost: list[int] = []
    for (turn, police, thief), v in number.items():
        caught = thief[0] in near(police[0])
        if caught or thief[0] in exits:
            # Who is to move has won or lost.
            (won if caught == (turn == 0) else lost).append(v)
        elif turn == 0:
            edges += [(v, number[1, to, thief]) for to in onward[police]]
        else:
            edges += [(v, number[0, police, to]) for to in onward[thief]]
    game = dragnet.solve_game((edges, len(states)), won=won, lost=lost)
    values = game.values(np.arange(len(states)))

    for r, c in exits:
        letters[r][c] = "E"
    text = "".join("".join(row) + "\n" for row in letters)
    orthogonal = {"moves": "orthogonal"}
    rules: dict[str, Any] = {"ground": turns, "police": orthogonal, "thief": orthogonal}
    if distance:
        rules["capture"] = {"by": "orthogonal", "distance": distance}
    table = dragnet.solve(text, rules)
    outcomes = [["draw", "police", "thief"], ["draw", "thief", "police"]]
    for (turn, police, thief), v in number.items():
        officer, fugitive = [(wait * height + r, c) for (r, c), wait in (police, thief)]
        value = table.value(officer, fugitive, "police" if turn == 0 else "thief")
        expected = outcomes[turn][values.result[v]]
        assert (value.outcome, value.dtw or 0) == (expected, values.dtw[v] * (expected != "draw")), states[v]
