#!/usr/bin/env python3
"""Plays games by OPPONENT.md and prints them, for tests in every language.

    reference.py > vectors.txt

Follows OPPONENT.md step by step and reads golden tables with the reader beside them. It shares no code with
the library: where they disagree, one of them or the page is wrong. Needs Python 3 and the module `zstandard`.
"""

import math
import random
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
GOLDEN = ROOT / "formats/tests/golden"
sys.path.insert(0, str(GOLDEN))
import dump  # noqa: E402

M64 = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15
UNLIMITED = 2**30 - 1
POLICE, THIEF = 0, 1
NAMES = ("police", "thief")

# errors, blunders, plies, drop, horizon, reaction
PRESETS = {
    name: tuple(UNLIMITED if word == "unlimited" else int(word) for word in words.split(" | "))
    for name, words in re.findall(
        r"^\| (\w+) \| (\d+ \| .*) \|$", (ROOT / "probe/OPPONENT.md").read_text(), re.MULTILINE
    )
}
EASY, NORMAL, HARD, PERFECT = (PRESETS[name] for name in ("easy", "normal", "hard", "perfect"))


class Lots:
    """SplitMix64."""

    def __init__(self, state):
        self.state = state & M64

    def next(self):
        self.state = (self.state + GAMMA) & M64
        x = self.state
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & M64
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & M64
        return x ^ (x >> 31)


def lot(x, n):
    return x * n >> 64


def number_of_index(seed, k):
    return Lots(seed + k * GAMMA).next()


def level(v):
    w = 1000 - v
    return PERFECT if w == 0 else ((w * w + 999) // 1000, w, 2 + w // 10, 2, UNLIMITED, 0)


class Table:
    """A golden table with every position's code for each side to move. It has one world, one kind of
    officers, one layer, and the same places for both sides."""

    def __init__(self, name):
        caught = {}

        class Named(dump.Dump):
            def number(self, kind, name, meaning=lambda n: ""):
                caught[name] = super().number(kind, name, meaning)
                return caught[name]

        def keep(out, game, codes):
            game.read_sections(out, codes[len(game.blocks) :])
            caught["game"], caught["codes"] = game, codes

        old = dump.Dump, dump.played_values
        dump.Dump, dump.played_values = Named, keep
        dump.dump((GOLDEN / name).read_bytes())
        dump.Dump, dump.played_values = old
        self.name, self.game, self.undecided = name, caught["game"], caught["undecided"]
        (police,), thief = self.game.kinds, self.game.thief
        assert self.game.worlds == police.layers == thief.layers == 1 and police.cells == thief.cells
        self.cells = range(len(thief.cells))
        teams = [p for (p,) in self.game.teams]
        moves = [[sorted(n for _, n in row) for row in kind.moves[0]] for kind in (police, thief)]
        self.thief_moves = moves[THIEF]
        self.team_moves = {p: sorted({to for _, (to,) in self.game.turns(0, (p,))}) for p in teams}
        stored = {}
        for (_, officers, thieves), block in zip(self.game.blocks, caught["codes"]):
            for slot, code in enumerate(block):
                t, p = divmod(slot, len(officers))
                stored[officers[p][0], thieves[t]] = code
        self.code = {}
        for turn in (POLICE, THIEF):
            for p in teams:
                for t in self.cells:
                    winner = self.winner((p, t, turn))
                    if winner is not None:
                        code = 2 if winner == turn else 1
                    elif turn == POLICE:
                        code = stored[p, t]
                    else:
                        after = [self.code[p, to, POLICE] for to in self.thief_moves[t]]
                        code = dump.backed_up(self.game, after)
                    self.code[p, t, turn] = code
        steps = [[[to for to in row if to != n] for n, row in enumerate(of)] for of in moves]
        assert max(sum(map(len, of)) for of in steps) <= 2**22
        back = [[[a for a in self.cells if n in of[a]] for n in self.cells] for of in steps]
        self.police_steps, self.police_back, self.thief_back = steps[0], back[0], back[1]
        self.exits = sorted(thief.ends[0])

    def winner(self, at):
        """The side that has won a terminal position, or None."""
        p, t, _ = at
        winner = self.game.winner(0, (p,), t)
        return None if winner is None else NAMES.index(winner)

    def best_moves(self, at):
        """The moves as pairs of a worth and the position after, in the order of best_moves. A worth is a pair
        of the kind, 1 for a win, 0 for a draw, -1 for a loss, and the distance."""
        p, t, turn = at
        if self.winner(at) is not None:
            return []
        if turn == POLICE:
            after = [(to, t, THIEF) for to in self.team_moves[p]]
        else:
            after = [(p, to, POLICE) for to in self.thief_moves[t]]
        moves = [(self.worth(to), to) for to in after]
        return sorted(moves, key=lambda move: (-move[0][0], move[0][0] * move[0][1]))

    def worth(self, after):
        code = self.code[after]
        if code == 0:
            return 0, 0
        return (1, (code - 1) // 2 + 1) if code % 2 else (-1, (code - 2) // 2 + 1)

    def cost(self, mover, best, worth):
        """The pair (drop, plies)."""

        def rank(worth):
            if worth[0]:
                return 1 + worth[0]
            return 1 if self.undecided == 0 else 2 if self.undecided == mover + 1 else 0

        drop = rank(best) - rank(worth)
        if drop == 0 and best[0] == worth[0] != 0:
            return 0, abs(best[1] - worth[1])
        return drop, 0

    def weight(self, strength, mover, best, worth):
        _, blunders, most_plies, most_drop, _, _ = strength
        drop, plies = self.cost(mover, best, worth)
        if drop == 0:
            return max(1, 4000 // plies) if 0 < plies <= most_plies else 0
        if drop > most_drop:
            return 0
        s = min(worth[1], 100) if worth[0] < 0 else 100
        return blunders * s // (100 * drop)

    def trick_share(self, replier, after):
        replies = self.best_moves(after)
        if not replies:
            return 0
        mover, best = after[2], replies[0][0]
        drops = [self.cost(mover, best, worth)[0] >= 1 for worth, _ in replies]
        if replier is None:
            return 1_000_000 * sum(drops) // len(replies)
        weights = [self.weight(replier, mover, best, worth) for worth, _ in replies]
        dropping = sum(weight for weight, drop in zip(weights, drops) if drop)
        return 1000 * replier[0] * dropping // max(1000, sum(weights))

    def distances(self, steps, sources):
        far = len(self.cells)
        distance = {n: 0 for n in sources}
        queue = list(distance)
        for n in queue:
            for to in steps[n]:
                if to not in distance:
                    distance[to] = distance[n] + 1
                    queue.append(to)
        return lambda n: distance.get(n, far)

    def instinct(self, at, moves):
        p, t, turn = at
        if turn == POLICE:
            away = self.distances(self.police_back, [t])
            key = lambda move: (-min(map(away, move[1][0])), -sum(map(away, move[1][0])))  # noqa: E731
        else:
            near = self.distances(self.police_steps, p)
            n = len(self.cells)
            leads = {x: -n for x in self.cells}
            for e in self.exits:
                to_exit = self.distances(self.thief_back, [e])
                for x in self.cells:
                    if to_exit(x) < n:
                        leads[x] = max(leads[x], near(e) - to_exit(x))
            if max(leads[move[1][1]] for move in moves) >= 1:
                key = lambda move: leads[move[1][1]]  # noqa: E731
            else:
                key = lambda move: (near(move[1][1]), leads[move[1][1]])  # noqa: E731
        most = max(map(key, moves))
        return [move for move in moves if key(move) == most]


class Opponent:
    """An opponent; its style is "longest", or a pair of "trickiest" and a replier: None or a strength."""

    def __init__(self, strength, style, seed):
        self.strength, self.style = strength, style
        self.restart(seed)

    def restart(self, seed):
        self.lots, self.memory = Lots(seed), ([], [])

    def choose(self, table, at):
        """The position after the chosen move, or None."""
        moves = table.best_moves(at)
        if not moves:
            return None
        mover = at[2]
        memory = self.memory[mover]
        memory.append(at[1 - mover])
        del memory[:-9]
        a, b, c = self.lots.next(), self.lots.next(), self.lots.next()
        if lot(a, 1000) < self.strength[0]:
            weights = [table.weight(self.strength, mover, moves[0][0], worth) for worth, _ in moves]
            r = lot(b, max(1000, sum(weights)))
            sofar = 0
            for weight, (_, after) in zip(weights, moves):
                sofar += weight
                if sofar > r:
                    return after
        for enemy in memory[max(0, len(memory) - 1 - self.strength[5]) :]:
            seen = (at[0], enemy, mover) if mover == POLICE else (enemy, at[1], mover)
            perceived = table.best_moves(seen)
            if perceived:
                break
        candidates = self.candidates(table, seen, perceived)
        to = candidates[lot(c, len(candidates))][1][mover]
        return next(after for _, after in moves if after[mover] == to)

    def candidates(self, table, at, moves):
        horizon = self.strength[4]
        first = moves[0][0]
        if first[0] == 1 and first[1] <= horizon:
            return [move for move in moves if move[0] == first]
        unseen = [
            move for move in moves if (horizon < UNLIMITED if move[0][0] == 0 else move[0][1] > horizon)
        ]
        if unseen:
            return table.instinct(at, unseen)
        replier = None if self.style == "longest" else self.style[1]
        if first[0] == 0:
            return trickiest(table, replier, [move for move in moves[:64] if move[0] == first])
        if self.style != "longest":
            moves = trickiest(table, replier, moves[:64])
            longest = max(move[0][1] for move in moves)
            return [move for move in moves if move[0][1] == longest]
        return [move for move in moves if move[0] == first]


def trickiest(table, replier, moves):
    shares = [table.trick_share(replier, after) for _, after in moves]
    return [move for move, share in zip(moves, shares) if share == max(shares)]


def play(table, start, players):
    """The positions of a game and its winner, or None."""
    at, game, occurred = start, [start], {}
    limit = 1000 + 4 * min(25_000, max(table.game.longest))
    while True:
        occurred[at] = occurred.get(at, 0) + 1
        moves = table.best_moves(at)
        if not moves:
            winner = table.winner(at)
            if winner is None:
                winner = at[2] if table.game.stuck else 1 - at[2]
            return game, winner
        if occurred[at] == 3 or len(game) - 1 == limit:
            return game, None if table.undecided == 0 else table.undecided - 1
        at = players[at[2]].choose(table, at)
        game.append(at)


def calibrate(table, starts, side, share, n, seed, style, against):
    other = Opponent(*against, 0)

    def wins(v, f):
        own, won = Opponent(level(v), style, 0), 0
        for g in range(f, f + n):
            own.restart(number_of_index(seed, 2 * g))
            other.restart(number_of_index(seed, 2 * g + 1))
            players = (own, other) if side == POLICE else (other, own)
            won += play(table, starts[g % len(starts)], players)[1] == side
        return won

    measured = {v: wins(v, 0) for v in (0, 1000)}
    low, high = 0, 1000
    while high - low > 1:
        v = (low + high) // 2
        measured[v] = wins(v, 0)
        if 1000 * measured[v] < share * n:
            low = v
        else:
            high = v
    best = min(measured, key=lambda v: (abs(1000 * measured[v] - share * n), v))
    k = wins(best, n)
    z2 = 1.96 * 1.96
    p = k / n
    centre = p + z2 / (2 * n)
    spread = 1.96 * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    scale = 1 + z2 / n
    interval = min(p, max(0.0, (centre - spread) / scale)), max(p, min(1.0, (centre + spread) / scale))
    reached = "reached" if abs(1000 * k - share * n) <= 100 * n else "missed"
    return best, k, min(measured.values()), max(measured.values()), reached, interval


def review(table, game, side):
    """The sums of a review, and the plies of the three worst moves."""
    costs = []
    for ply, (before, after) in enumerate(zip(game, game[1:])):
        if before[2] == side:
            moves = table.best_moves(before)
            worth = next(worth for worth, to in moves if to == after)
            costs.append((ply, *table.cost(side, moves[0][0], worth)))
    errors = sorted((-drop, -plies, ply) for ply, drop, plies in costs if drop or plies)
    drops = [drop for _, drop, _ in costs]
    sums = len(costs), len(errors), sum(map(bool, drops)), sum(drops), sum(plies for _, _, plies in costs)
    return sums, [ply for *_, ply in errors[:3]]


def main():
    rng = random.Random(21)
    tricky = ("trickiest", None)
    players = [
        (EASY, "longest"), (NORMAL, tricky), (HARD, ("trickiest", NORMAL)), (PERFECT, "longest"),
        (PERFECT, tricky), (level(0), "longest"), (level(600), ("trickiest", level(300))),
        ((100, 1000, 3, 1, 3, 3), "longest"), ((0, 0, 0, 0, 0, 8), tricky),
        ((0, 0, 0, 0, 5, 0), ("trickiest", (1000, 1000, 0, 2, 0, 0))),
        ((0, 0, 0, 0, 0, 0), "longest"), ((50, 0, 5, 0, 1, 0), "longest"),
    ]  # fmt: skip

    def strength_text(strength):
        return ",".join(map(str, strength))

    def player_text(strength, style):
        if style != "longest":
            style = "uniform" if style[1] is None else strength_text(style[1])
        return f"{strength_text(strength)} {style}"

    print("# Games played by reference.py as OPPONENT.md says. Strengths are errors,blunders,plies,drop,horizon,reaction;")
    print("# a style is longest, or a trickiest one by its replier: uniform or a strength.")
    print("# lots SEED: FIRST THREE NUMBERS")
    print("# table FILE: what follows is about this golden table")
    print("# game POLICE STYLE SEED | THIEF STYLE SEED | OFFICERS THIEF TURN: where the mover goes, ply by ply = WINNER")
    print("# review SIDE: MOVES ERRORS BLUNDERS DROPS PLIES | PLIES OF THE THREE WORST, of the game before")
    print("# calibrate SIDE SHARE GAMES SEED STYLE | AGAINST STYLE | START | START...: LEVEL WINS LOWEST HIGHEST")
    print("#   REACHED FROM TO")
    for seed in (0, 1, M64, 0x0123456789ABCDEF):
        lots = Lots(seed)
        print(f"lots {seed}: {lots.next()} {lots.next()} {lots.next()}")
    for name in ("v2-size.dtb", "v2-speed.dtb", "v2-team.dtb", "v2-cops.dtb"):
        table = Table(name)
        print(f"table {name}")

        def cell(n):
            return table.game.thief.called(n)

        def team(p):
            return "+".join(map(cell, p))

        starts = [at for at in sorted(table.code) if table.best_moves(at)]

        def position_text(at):
            return f"{team(at[0])} {cell(at[1])} {NAMES[at[2]]}"

        for _ in range(60):
            both = [rng.choice(players) for _ in NAMES]
            seeds = [rng.getrandbits(64) for _ in NAMES]
            start = rng.choice(starts)
            game, winner = play(table, start, [Opponent(*who, seed) for who, seed in zip(both, seeds)])
            made = " ".join((team, cell)[1 - at[2]](at[1 - at[2]]) for at in game[1:])
            texts = [f"{player_text(*who)} {seed}" for who, seed in zip(both, seeds)]
            result = "draw" if winner is None else NAMES[winner]
            print(f"game {texts[0]} | {texts[1]} | {position_text(start)}: {made} = {result}")
            for side in (POLICE, THIEF):
                sums, worst = review(table, game, side)
                print(f"review {NAMES[side]}: {' '.join(map(str, sums))} | {' '.join(map(str, worst))}".rstrip())
        for side in (POLICE, THIEF):
            won = [at for at in starts if table.code[at] and (table.code[at] % 2 == 0) == (at[2] == side)]
            won = [at for at in won if (table.code[at] - 1) // 2 > 2] or won
            chosen = [rng.choice(won) for _ in range(3)]
            seed, style = rng.getrandbits(64), rng.choice(["longest", tricky])
            for share, against in ((500, (PERFECT, "longest")), (700, (NORMAL, tricky))):
                found = calibrate(table, chosen, side, share, 30, seed, style, against)
                text = "longest" if style == "longest" else "uniform"
                given = f"{NAMES[side]} {share} 30 {seed} {text} | {player_text(*against)}"
                places = " | ".join(map(position_text, chosen))
                *sums, (low, high) = found
                print(f"calibrate {given} | {places}: {' '.join(map(str, sums))} {low!r} {high!r}")


main()
