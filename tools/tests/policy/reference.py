#!/usr/bin/env python3
"""Solves games against policies a second time, with NumPy.

Knows nothing of Dragnet but the text of a board, the rules and the definition of a policy. Reads a JSON list
of tasks on standard input and writes a JSON list of answers. A task has

    board    rows of '.', '#' and 'E'
    rules    police, thief: lists of offsets [rows down, columns right]; police_passes, thief_passes;
             corner_cutting; wrap; stuck: "loses" or "wins"; police_on_exit: "allowed", "barred" or "wins"
    fixed    the side that follows the policy
    policy   kind "patrol" with its route, "greedy", "random" with weights [[rows, columns], weight],
             "moves" with rows [police, thief or null, to, weight] and otherwise "stay", "greedy" or "random",
             or "opponent" with errors, blunders, plies and drop, which sees every end and reacts at once

An answer has the lists win, loss and plies, for each side to move (police first), each post and each cell of
the other side in reading order: the greatest probability that the free side wins, the least that it loses,
and the expected plies where one of them is 1, else null.
"""

import json
import sys
from collections import deque
from fractions import Fraction

import numpy as np


class Task:
    """A board under rules, with a policy."""

    def __init__(self, task):
        self.rows = task["board"].split()
        self.rules = task["rules"]
        self.fixed = task["fixed"]
        self.free = "thief" if self.fixed == "police" else "police"
        self.policy = task["policy"]
        self.height, self.width = len(self.rows), len(self.rows[0])
        self.cells = [
            (r, c) for r in range(self.height) for c in range(self.width) if self.rows[r][c] != "#"
        ]
        self.number = {cell: i for i, cell in enumerate(self.cells)}
        self.moves = {side: [self.moves_from(side, cell) for cell in self.cells] for side in ("police", "thief")}

    def is_open(self, r, c):
        return 0 <= r < self.height and 0 <= c < self.width and self.rows[r][c] != "#"

    def moves_from(self, side, cell):
        """Returns the numbers of the cells to which a piece may move, rising."""
        found = set()
        for down, right in self.rules[side]:
            r, c = cell[0] + down, cell[1] + right
            if self.rules["wrap"]:
                r, c = r % self.height, c % self.width
            if not self.is_open(r, c) or (r, c) == cell:
                continue
            if side == "police" and self.rules["police_on_exit"] == "barred" and self.rows[r][c] == "E":
                continue
            if abs(down) == 1 and abs(right) == 1 and not self.rules["corner_cutting"]:
                if not (self.is_open(cell[0], c) and self.is_open(r, cell[1])):
                    continue
            found.add(self.number[(r, c)])
        if self.rules[side + "_passes"]:
            found.add(self.number[cell])
        return sorted(found)

    def winner(self, police, thief):
        exits = [self.rows[r][c] == "E" for r, c in (self.cells[police], self.cells[thief])]
        if police == thief:
            return "police"
        if exits[1]:
            return "thief"
        if exits[0] and self.rules["police_on_exit"] == "wins":
            return "police"
        return None

    def distances(self, side):
        """Returns the turns of `side` from each cell to each, or the number of cells if there is no way."""
        n = len(self.cells)
        away = np.full((n, n), n)
        for start in range(n):
            away[start, start] = 0
            queue = deque([start])
            while queue:
                here = queue.popleft()
                for to in self.moves[side][here]:
                    if away[start, to] == n:
                        away[start, to] = away[start, here] + 1
                        queue.append(to)
        return away

    def greedy(self, place, other, away):
        moves = self.moves[self.fixed][place]
        if self.fixed == "police":
            return min(moves, key=lambda to: (away[to, other], to))
        return min(moves, key=lambda to: (-away[to, other], to))

    def offset(self, place, to):
        offset = [b - a for a, b in zip(self.cells[place], self.cells[to])]
        if self.rules["wrap"]:
            for axis, length in enumerate((self.height, self.width)):
                if 2 * offset[axis] > length:
                    offset[axis] -= length
                elif 2 * offset[axis] < -length:
                    offset[axis] += length
        return offset

    def posts(self):
        """Returns the places of the posts."""
        if self.policy["kind"] == "patrol":
            return [self.number[tuple(cell)] for cell in self.policy["route"]]
        return list(range(len(self.cells)))

    def choose(self, posts, away):
        """Returns for each post and other cell the pairs of a post and a weight."""
        kind = self.policy["kind"]
        for post, place in enumerate(posts):
            for other in range(len(self.cells)):
                moves = self.moves[self.fixed][place]
                if kind == "patrol":
                    choice = [((post + 1) % len(posts), 1.0)]
                elif kind == "greedy":
                    choice = [(self.greedy(place, other, away), 1.0)] if moves else []
                elif kind == "random":
                    given = {tuple(offset): weight for offset, weight in self.policy["weights"]}
                    choice = [(to, given.get(tuple(self.offset(place, to)), 1.0)) for to in moves]
                    if not any(weight for _, weight in choice):
                        choice = [(to, 1.0) for to in moves]
                elif kind == "opponent":
                    choice = self.opponent(place, other)
                else:
                    choice = self.listed(place, other, moves, away)
                yield post, other, choice

    def perfect(self):
        """Returns who wins each decided position (turn, police, thief), and in how many plies."""
        sides, cells = ("police", "thief"), range(len(self.cells))
        known, left = {}, []
        for turn, police, thief in ((turn, p, t) for turn in sides for p in cells for t in cells):
            winner, other = self.winner(police, thief), "thief" if turn == "police" else "police"
            if winner is None and not self.moves[turn][police if turn == "police" else thief]:
                winner = other if self.rules["stuck"] == "loses" else turn
            if winner is None:
                left.append((turn, police, thief))
            else:
                known[turn, police, thief] = (winner, 0)
        new = known
        while new:
            level, new = 1 + max(plies for _, plies in known.values()), {}
            for turn, police, thief in left:
                other = "thief" if turn == "police" else "police"
                after = [known.get(to) for _, to in self.after(turn, police, thief)]
                if any(value and value[0] == turn for value in after):
                    new[turn, police, thief] = (turn, level)
                elif all(value and value[0] == other for value in after):
                    new[turn, police, thief] = (other, level)
            known.update(new)
            left = [position for position in left if position not in new]
        return known

    def after(self, turn, police, thief):
        """Returns the cell to which each move goes, and the position after it."""
        if turn == "police":
            return [(to, ("thief", to, thief)) for to in self.moves[turn][police]]
        return [(to, ("police", police, to)) for to in self.moves[turn][thief]]

    def rated(self, turn, police, thief):
        """Returns the moves, the best first: cell, position, rank and plies of worth, drop, plies lost."""
        if self.winner(police, thief):
            return []
        moves = []
        for to, position in self.after(turn, police, thief):
            winner, plies = self.values.get(position, (None, -1))
            rank = 1 if winner is None else 2 if winner == turn else 0
            moves.append((to, position, rank, plies + 1))
        moves.sort(key=lambda move: (-move[2], move[3] if move[2] == 2 else -move[3], move[0]))
        return [(*move, moves[0][2] - move[2], abs(moves[0][3] - move[3])) for move in moves]

    def weight(self, move):
        """Returns the weight of a move in the lot of errors."""
        *_, rank, plies, drop, lost = move
        if drop == 0:
            return max(1, 4000 // lost) if 0 < lost <= self.policy["plies"] else 0
        slowness = min(plies, 100) if rank == 0 else 100
        return self.policy["blunders"] * slowness // (100 * drop) if drop <= self.policy["drop"] else 0

    def opponent(self, place, other):
        police, thief = (place, other) if self.fixed == "police" else (other, place)
        moves = self.rated(self.fixed, police, thief)
        if not moves:
            return []

        def share_of_traps(move):
            replies = self.rated(*move[1])
            return 1_000_000 * sum(reply[4] > 0 for reply in replies) // max(1, len(replies))

        candidates = [move for move in moves if move[2:4] == moves[0][2:4]]
        if moves[0][2] == 1:
            most = max(map(share_of_traps, candidates))
            candidates = [move for move in candidates if share_of_traps(move) == most]
        weights = [self.weight(move) for move in moves]
        careless, lots = Fraction(self.policy["errors"], 1000), max(1000, sum(weights))
        careful = (1 - careless * Fraction(sum(weights), lots)) / len(candidates)
        shares = [
            careless * Fraction(weight, lots) + (careful if move in candidates else 0)
            for move, weight in zip(moves, weights)
        ]
        assert sum(shares) == 1
        return [(move[0], float(share)) for move, share in zip(moves, shares)]

    def listed(self, place, other, moves, away):
        rows = []
        for police, thief, to, weight in self.policy["rows"]:
            own, others = (police, thief) if self.fixed == "police" else (thief, police)
            if tuple(own) == self.cells[place]:
                rows.append((others and tuple(others), self.number[tuple(to)], weight))
        for wanted in (self.cells[other], None):
            listed = [(to, weight) for others, to, weight in rows if others == wanted]
            if listed:
                return listed
        if not moves:
            return []
        if self.policy["otherwise"] == "random":
            return [(to, 1.0) for to in moves]
        if self.policy["otherwise"] == "greedy":
            return [(self.greedy(place, other, away), 1.0)]
        return [(place if place in moves else moves[0], 1.0)]


def padded(lists, most, fill):
    return np.array([row + [fill] * (most - len(row)) for row in lists])


def solve(task):
    task = Task(task)
    if task.policy["kind"] == "opponent":
        task.values = task.perfect()
    posts, n = task.posts(), len(task.cells)
    away = task.distances(task.fixed)
    pairs = len(posts) * n
    # Index `pairs` is a position that does not count.
    nodes, shares, free = [], [], []
    ends = {"fixed": [], "free": []}
    for post, other, choice in task.choose(posts, away):
        place = posts[post]
        police, thief = (place, other) if task.fixed == "police" else (other, place)
        winner = task.winner(police, thief)
        for turn in ("fixed", "free"):
            mover = getattr(task, turn)
            own = place if turn == "fixed" else other
            end = winner
            if end is None and not task.moves[mover][own]:
                loser = mover if task.rules["stuck"] == "loses" else ("police" if mover == "thief" else "thief")
                end = "police" if loser == "thief" else "thief"
            ends[turn].append(0 if end is None else 1 if end == task.free else -1)
        total = sum(weight for _, weight in choice)
        nodes.append([to * n + other for to, weight in choice if weight])
        shares.append([weight / total for _, weight in choice if weight])
        free.append([post * n + to for to in task.moves[task.free][other]])
    most = max(1, max(map(len, nodes)))
    nodes, shares = padded(nodes, most, pairs), padded(shares, most, 0.0)
    wide = max(1, max(map(len, free)))
    free = padded(free, wide, pairs)
    fixed_end, free_end = np.array(ends["fixed"]), np.array(ends["free"])

    def iterate(best, missing, ones, cost, allowed):
        """Iterates from below: values of the ends, plus `cost` a ply, with moves into `allowed` only."""
        fixed_values = np.append(np.where(fixed_end == ones, 1.0 - cost, 0.0), missing)
        free_values = np.append(np.where(free_end == ones, 1.0 - cost, 0.0), 0.0)
        for _ in range(300_000):
            new_fixed = cost + (shares * free_values[nodes]).sum(axis=1)
            new_fixed = np.where((fixed_end == 0) & allowed[0], new_fixed, fixed_values[:-1])
            step = np.abs(new_fixed - fixed_values[:-1]).max()
            fixed_values[:-1] = new_fixed
            open_moves = np.where(np.append(allowed[0], False)[free], fixed_values[free], missing)
            new_free = cost + best(open_moves, axis=1)
            new_free = np.where((free_end == 0) & allowed[1], new_free, free_values[:-1])
            step = max(step, np.abs(new_free - free_values[:-1]).max())
            free_values[:-1] = new_free
            if step < 1e-13 * max(1.0, free_values.max()):
                return fixed_values[:-1], free_values[:-1]
        return None

    everything = (np.ones(pairs, bool), np.ones(pairs, bool))
    win = iterate(np.max, -np.inf, 1, 0.0, everything)
    loss = iterate(np.min, np.inf, -1, 0.0, everything)

    def certain(quantifier, one):
        """Returns the positions from which the end `one` is reached for sure, as `quantifier` chooses."""
        stay_fixed, stay_free = np.ones(pairs + 1, bool), np.ones(pairs + 1, bool)
        while True:
            reach_fixed, reach_free = np.append(fixed_end == one, False), np.append(free_end == one, False)
            while True:
                inside = (stay_free[nodes] | (shares == 0.0)).all(axis=1)
                some = ((shares > 0.0) & reach_free[nodes]).any(axis=1)
                new_fixed = reach_fixed[:-1] | ((fixed_end == 0) & inside & some)
                moves = np.where(free == pairs, quantifier == "all", reach_fixed[free] & stay_fixed[free])
                chosen = moves.all(axis=1) if quantifier == "all" else moves.any(axis=1)
                new_free = reach_free[:-1] | ((free_end == 0) & chosen)
                same = (new_fixed == reach_fixed[:-1]).all() and (new_free == reach_free[:-1]).all()
                reach_fixed[:-1], reach_free[:-1] = new_fixed, new_free
                if same:
                    break
            if (reach_fixed == stay_fixed).all() and (reach_free == stay_free).all():
                return reach_fixed[:-1], reach_free[:-1]
            stay_fixed, stay_free = reach_fixed, reach_free

    # A loss is sure if the free side cannot avoid it: by no plan may it reach a position with a way out.
    safe_fixed, safe_free = np.append(fixed_end != -1, False), np.append(free_end != -1, False)
    while True:
        new_fixed = safe_fixed[:-1] & ((fixed_end != 0) | (safe_free[nodes] | (shares == 0.0)).all(axis=1))
        new_free = safe_free[:-1] & ((free_end != 0) | safe_fixed[free].any(axis=1))
        same = (new_fixed == safe_fixed[:-1]).all() and (new_free == safe_free[:-1]).all()
        safe_fixed[:-1], safe_free[:-1] = new_fixed, new_free
        if same:
            break
    while True:
        some = ((shares > 0.0) & safe_free[nodes]).any(axis=1)
        new_fixed = safe_fixed[:-1] | ((fixed_end == 0) & some)
        new_free = safe_free[:-1] | ((free_end == 0) & safe_fixed[free].any(axis=1))
        same = (new_fixed == safe_fixed[:-1]).all() and (new_free == safe_free[:-1]).all()
        safe_fixed[:-1], safe_free[:-1] = new_fixed, new_free
        if same:
            break
    lost = (~safe_fixed[:-1], ~safe_free[:-1])
    won = certain("any", 1)
    short = iterate(np.min, np.inf, 1, 1.0, won)
    long = iterate(np.max, -np.inf, -1, 1.0, lost)

    def in_order(pair):
        parts = pair if task.fixed == "police" else (pair[1], pair[0])
        return [float(value) for part in parts for value in part]

    def plies():
        found = []
        for turn in (0, 1) if task.fixed == "police" else (1, 0):
            for pair in range(pairs):
                if won[turn][pair]:
                    found.append(float(short[turn][pair]))
                elif lost[turn][pair]:
                    found.append(float(long[turn][pair]))
                else:
                    found.append(None)
        return found

    converged = all(part is not None for part in (win, loss, short, long))
    return {"win": in_order(win), "loss": in_order(loss), "plies": plies()} if converged else None


if __name__ == "__main__":
    json.dump([solve(task) for task in json.load(sys.stdin)], sys.stdout)
