"""Boards and rules at random, beside a plain solver that is written from the page of the rules.

The environment variable DRAGNET_RULES_BOARDS is the number of boards for each kind of rules.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Collection, Sequence
from functools import cache
from math import comb, prod
from pathlib import Path
from typing import Any

import pytest
from reference import ARROWS, KING, NAMES, Board, Guard, Position, Pursuit, Square, Value, seen

import dragnet

BOARDS = int(os.environ.get("DRAGNET_RULES_BOARDS", "4"))
# So many positions and turns of the police are quick to go through.
MOST_POSITIONS, MOST_MOVES = 20_000, 100_000

FEATURES = ["doors", "thin", "floors", "ways", "ground", "kinds", "look", "loot", "capture"]
FEATURES += ["sight", "cover", "guards", "limit"]
KINDS = [
    "plain",
    "capture",
    "capture cover",
    "capture doors",
    "capture ground",
    "capture thin",
    "capture ways floors",
    "doors",
    "floors ways",
    "ground",
    "ground ways",
    "ground doors",
    "guards",
    "guards cover",
    "guards doors",
    "guards floors",
    "guards limit loot",
    "guards thin",
    "kinds",
    "kinds capture",
    "kinds ground",
    "limit",
    "look ground sight",
    "look kinds sight",
    "look sight",
    "look ways floors sight",
    "loot",
    "loot ground",
    "sight",
    "sight cover floors",
    "sight doors",
    "sight thin",
    "thin",
    "ways",
    "ways doors",
    "mixture",
]


def drawn_text(
    floors: Sequence[Sequence[str]], thin: Collection[tuple[int, int, str]] | None, framed: bool
) -> str:
    """Returns a board as text. thin: the thin walls, if they are drawn at all."""
    pictures, row = [], 0
    for floor in floors:
        if thin is None:
            pictures.append(list(floor))
            continue
        width, frame = len(floor[0]), "-" if framed else " "
        lines = ["+" + f"{frame}+" * width]
        for letters in floor:
            side, squares, edges = "|" if framed else " ", "", "+"
            for column, letter in enumerate(letters):
                between = "|" if (row, column, "right") in thin else " "
                squares += letter + (side if column == width - 1 else between)
                edges += ("-" if (row, column, "down") in thin else " ") + "+"
            lines += [side + squares, edges]
            row += 1
        pictures.append([*lines[:-1], lines[0]])
    between_floors = "\n" + "=" * len(pictures[0][0]) + "\n"
    return between_floors.join("\n".join(lines) for lines in pictures) + "\n"


class Game:
    """A board and rules, with what else makes a game."""

    def __init__(self, floors: Sequence[Sequence[str]], rules: dict[str, Any], **more: Any) -> None:
        self.floors, self.rules = floors, rules
        self.thin: set[tuple[int, int, str]] = more.get("thin", set())
        self.has_thin, self.framed = "thin" in more, False
        self.doors: list[dict[str, Any]] = more.get("doors", [])
        self.guards: list[dict[str, Any]] = more.get("guards", [])
        self.play = self.played()

    def played(self) -> Pursuit:
        return Pursuit(self.floors, self.rules, self.thin, self.doors, self.guards)

    def text(self) -> str:
        return drawn_text(self.floors, self.thin if self.has_thin else None, self.framed)

    def more(self) -> dict[str, Any]:
        """Returns what else than a board and rules makes the game."""
        named = {"doors": self.doors, "guards": self.guards}
        return {name: given for name, given in named.items() if given}

    def __str__(self) -> str:
        return f"\n{self.text()}rules: {self.rules}\n{self.more()}"


class Drawn(Game):
    """A small board with rules at random, which have some features."""

    def __init__(self, lot: random.Random, features: set[str]) -> None:
        self.lot, self.features = lot, features
        while True:
            self.draw()
            if self.is_fair():
                break

    def chance(self, share: float) -> bool:
        return self.lot.random() < share

    def draw(self) -> None:
        lot = self.lot
        self.draw_board()
        self.rules: dict[str, Any] = {
            "corner_cutting": self.chance(0.5),
            "stuck": lot.choice(["loses", "loses", "wins"]),
            "police_on_exit": lot.choice(["allowed", "barred", "wins"]),
            "undecided": lot.choice(["draw", "police", "thief"]),
            "team": lot.choice(["all", "all", "one"]),
            "wrap": lot.choice(["none", "none", "horizontal", "vertical", "both"]),
            "thief": self.piece(),
        }
        self.draw_officers()
        if "ways" in self.features:
            self.rules["ways"] = []
            for letter in self.some_letters()[:2]:
                to = lot.choice([letter, *self.letters])
                self.rules["ways"].append(letter if to == letter else f"{letter}>{to}")
        if "ground" in self.features:
            self.draw_ground()
        if "cover" in self.features:
            self.rules["cover"] = {b: lot.choice(["full", "beside"]) for b in self.some_letters()}
        if "sight" in self.features or ("guards" in self.features and self.chance(0.5)):
            self.rules["opaque"] = "".join(self.some_letters())
        if "loot" in self.features:
            self.draw_loot()
        if "limit" in self.features:
            winner = lot.choice(["police", "thief"])
            self.rules["limit"] = {"plies": lot.randint(1, 6), "winner": winner}
        self.doors: list[dict[str, Any]] = []
        if "doors" in self.features:
            self.draw_doors()
        self.guards: list[dict[str, Any]] = []
        if "guards" in self.features:
            self.guards = [self.guard() for _ in range(lot.choice([1, 1, 2]))]
        self.drop_letters()

    def draw_board(self) -> None:
        """Draws squares, letters and thin walls."""
        lot = self.lot
        floors = lot.choice([2, 2, 3]) if "floors" in self.features else 1
        height = lot.choice([1, 2, 3, 3, 4] if floors == 1 else [1, 2, 2, 3])
        width = lot.choice([2, 3, 4, 4, 5] if floors == 1 else [2, 3, 3])
        squares = [
            [lot.choice("...........###E") for _ in range(width)] for _ in range(height * floors)
        ]
        everywhere = [(row, column) for row in range(height * floors) for column in range(width)]
        if self.chance(0.4):
            for row, column in lot.sample(everywhere, 2):
                squares[row][column] = lot.choice(list(ARROWS))
        self.letters = ""
        if self.features & {"ways", "ground", "loot", "sight", "cover", "guards"}:
            self.letters = "".join(lot.sample("abcdmnwxzABCDGSXZ", lot.choice([1, 2, 2, 3])))
            for letter in self.letters:
                for row, column in lot.sample(everywhere, lot.randint(1, 2)):
                    squares[row][column] = letter
            # A letter may have lost its squares to another one.
            self.letters = "".join(b for b in self.letters if any(b in row for row in squares))
        rows = ["".join(row) for row in squares]
        self.floors = [rows[top : top + height] for top in range(0, len(rows), height)]
        self.squares = everywhere
        self.thin: set[tuple[int, int, str]] = set()
        self.has_thin, self.framed = "thin" in self.features, self.chance(0.5)
        if "thin" in self.features:
            edges = [(r, c, "right") for r, c in everywhere if c + 1 < width]
            edges += [(r, c, "down") for r, c in everywhere if (r + 1) % height]
            self.thin = {edge for edge in edges if self.chance(0.3)}

    def letter(self, square: Square) -> str:
        rows = [row for floor in self.floors for row in floor]
        return rows[square[0]][square[1]]

    def some_letters(self) -> list[str]:
        return self.lot.sample(self.letters, self.lot.randint(1, len(self.letters)))

    def piece(self) -> dict[str, Any]:
        """Returns how a piece moves."""
        lot = self.lot
        keys: dict[str, Any] = {}
        named = ["", "", "king", "orthogonal", "orthogonal", "diagonal", "knight", "offsets"]
        moves = lot.choice(named)
        if moves == "offsets":
            around = [[r, c] for r in range(-2, 3) for c in range(-2, 3) if (r, c) != (0, 0)]
            keys["moves"] = {"offsets": lot.sample(around, lot.randint(1, 5))}
        elif moves:
            keys["moves"] = moves
        if self.chance(0.3):
            keys["may_pass"] = False
        if self.chance(0.2):
            keys["steps"] = 2
        if self.chance(0.2):
            keys["reach"] = lot.randint(2, 3)
        elif self.chance(0.15):
            keys["glide"] = True
        return keys

    def draw_officers(self) -> None:
        lot = self.lot
        counts = [lot.choice([1, 1, 2])]
        if "kinds" in self.features:
            counts = lot.choice([[1, 1], [1, 1], [1, 2], [2, 1], [1, 1, 1], [2]])
        blocks = [self.piece() for _ in counts]
        if "look" in self.features:
            self.rules["wrap"] = "none"
            for block in lot.sample(blocks, lot.randint(1, len(blocks))):
                block["look"] = lot.choice([4, 4, 8])
        if self.features & {"capture", "sight"}:
            have = lot.choice(["all", "each", "some"])
            if have != "each":
                self.rules["capture"] = self.capture(all("look" in block for block in blocks))
            if have != "all":
                for block in blocks if have == "each" else lot.sample(blocks, 1):
                    block["capture"] = self.capture("look" in block)
        if "kinds" in self.features:
            for block, count in zip(blocks, counts, strict=True):
                if count > 1 or self.chance(0.3):
                    block["count"] = count
            self.rules["police"] = blocks
        else:
            self.rules["police"] = blocks[0]
            if counts != [1] or self.chance(0.3):
                self.rules["officers"] = counts[0]
            is_plain = not self.features & {"look", "sight", "capture"}
            if self.features & {"guards", "limit"} and is_plain and self.chance(0.5):
                self.rules["officers"] = 0
                if self.chance(0.5):
                    del self.rules["police"]
        self.blocks, self.counts = blocks, counts
        if self.rules.get("officers") == 0:
            self.blocks, self.counts = [], []

    def capture(self, looks: bool) -> dict[str, Any]:
        lot = self.lot
        if "sight" in self.features and ("capture" not in self.features or self.chance(0.6)):
            return self.sight(looks)
        moves = ["king", "orthogonal", "diagonal", "knight", "moves", "moves", "squares", "squares"]
        rule: dict[str, Any] = {"by": lot.choice(moves)}
        if self.chance(0.6):
            rule["distance"] = lot.choice([1, 1, 2, 3])
        return rule

    def sight(self, looks: bool) -> dict[str, Any]:
        rule: dict[str, Any] = {"sight": self.lot.choice([1, 1, 1, 2, 2, 3, 4])}
        if looks and self.chance(0.8):
            rule["angle"] = self.lot.choice([45, 60, 90, 120, 180, 270])
        if self.thin or self.chance(0.5):
            rule["lines"] = "supercover"
        elif self.chance(0.3):
            rule["lines"] = "shadows"
        if "doors" in self.features and self.chance(0.5):
            rule["doors"] = self.chance(0.3)
        return rule

    def draw_ground(self) -> None:
        """Draws ground for all pieces, or some kinds of them."""
        whose = [self.rules, self.rules["thief"], *self.blocks]
        for keys in self.lot.sample(whose, self.lot.randint(1, 2)):
            numbers: list[Any] = [1, 2, 2, 3, "barred", "barred"]
            keys["ground"] = {letter: self.lot.choice(numbers) for letter in self.some_letters()}
            if self.chance(0.2):
                # No square has this letter, and yet it counts for the layers.
                keys["ground"]["q"] = self.lot.choice(numbers)

    def is_slow(self) -> bool:
        """Returns whether ground takes officers more than a turn."""
        for keys in [self.rules, *self.blocks]:
            if any(n != "barred" and n > 1 for n in keys.get("ground", {}).values()):
                return True
        return False

    def draw_loot(self) -> None:
        lot = self.lot
        letters = "".join(self.some_letters() if self.chance(0.4) else self.letters)
        squares = sum(self.letter(square) in letters for square in self.squares)
        loot: dict[str, Any] = {"squares": letters}
        if self.chance(0.5):
            loot["in_order"] = True
        if self.chance(0.5):
            loot["need"] = lot.randint(1, len(letters) if "in_order" in loot else squares)
        self.rules["loot"] = loot

    def draw_doors(self) -> None:
        lot = self.lot
        cells = [square for square in self.squares if self.letter(square) not in "#E"]
        lot.shuffle(cells)
        once = {cell: self.chance(0.3) for cell in cells}
        keys = cells[: lot.randint(1, 2)]
        lot.shuffle(cells)
        # Letters make doors matter to other rules.
        cells.sort(key=lambda cell: self.letter(cell) not in self.letters or self.chance(0.5))
        for cell in cells[: lot.choice([1, 1, 2, 3])]:
            door: dict[str, Any] = {"cell": list(cell)}
            if self.chance(0.5):
                door["schedule"] = "".join(lot.choice(".#") for _ in range(lot.randint(1, 3)))
            else:
                key = lot.choice(keys)
                door["key"] = list(key)
                if once[key]:
                    door["once"] = True
                if self.chance(0.4):
                    door["open"] = self.chance(0.7)
            self.doors.append(door)
        if any("key" in door for door in self.doors) and sum(self.counts) != 1:
            self.rules["team"] = "one"

    def guard(self) -> dict[str, Any]:
        """Returns a guard whose legs are straight runs over open squares."""
        lot = self.lot
        keys: dict[str, Any] = {"round": self.round()}
        if len(keys["round"]) > 1 and self.chance(0.5):
            keys["back"] = True
        if self.chance(0.6):
            keys["pause"] = lot.choice([0, 1, 1, 2])
            if self.chance(0.6):
                keys["looks"] = [lot.choice(NAMES) for _ in keys["round"]]
        if self.chance(0.4):
            keys["pace"] = lot.choice([1, 2, 2])
        if self.chance(0.8):
            moves = len({tuple(stop) for stop in keys["round"]}) > 1
            keys |= self.sight("looks" in keys or moves)
        return keys

    def round(self) -> list[list[int]]:
        """Returns squares, each in line with the next one, and the last one with the first."""
        officer = Pursuit(self.floors, {"corner_cutting": False}, self.thin).kinds[0]
        # Whether guards obey arrows is not said.
        starts = [at for at in officer.board.squares if self.letter(at) not in ARROWS]

        def run(at: Square, offset: Square, length: int) -> Square | None:
            for _ in range(length):
                to = officer.step(at, offset, frozenset(), ())
                if to not in starts:
                    return None
                at = to
            return at

        def is_leg(at: Square, to: Square) -> bool:
            return any(run(at, offset, length) == to for offset in KING for length in range(5))

        while starts:
            stops = [self.lot.choice(starts)]
            for _ in range(self.lot.randint(0, 4)):
                to = run(stops[-1], self.lot.choice(KING), self.lot.choice([0, 1, 1, 2, 2]))
                if to is not None:
                    stops.append(to)
            if is_leg(stops[-1], stops[0]):
                return [list(stop) for stop in stops]
        return [[0, 0]]

    def drop_letters(self) -> None:
        """Drops letters from the board that mean nothing."""
        rules = self.rules
        named = "".join(rules.get("ways", [])) + rules.get("opaque", "")
        named += "".join(rules.get("cover", {})) + rules.get("loot", {"squares": ""})["squares"]
        for keys in [rules, rules["thief"], *self.blocks]:
            named += "".join(keys.get("ground", {}))
        for letter in set(self.letters) - set(named):
            self.floors = [[row.replace(letter, ".") for row in floor] for floor in self.floors]

    def is_fair(self) -> bool:
        """Returns whether the game may be played at all, and is small."""
        if self.is_slow():
            # All officers then move in a turn, and keys of doors want one officer.
            self.rules["team"] = "all"
            if any("key" in door for door in self.doors) and sum(self.counts) != 1:
                return False
        if "loot" in self.rules:
            letters = [letter for floor in self.floors for row in floor for letter in row]
            if sum(letter in self.rules["loot"]["squares"] for letter in letters) > 3:
                return False
        self.play = play = self.played()
        if not play.thief.all_places or not all(kind.all_places for kind in play.kinds):
            return False
        turns = play.worlds * len(play.thief.all_places)
        teams = prod(comb(len(k.all_places) + k.count - 1, k.count) for k in play.kinds)
        if 2 * turns * teams > MOST_POSITIONS:
            return False
        moves = sum(len(play.turns(team, play.closed(0))) for team in play.teams())
        return bool(turns * moves <= MOST_MOVES)


def drawn(kind: str, number: int) -> Drawn:
    """Returns a board and rules of a kind, or a mixture of several."""
    lot = random.Random(f"{kind} {number}")
    named = lot.sample(FEATURES, lot.randint(2, 4)) if kind == "mixture" else kind.split()
    return Drawn(lot, set(named))


def check(game: Game) -> None:
    """Compares places, all values and some moves of a table with those of the plain solver."""
    play = game.play
    table = dragnet.solve(game.text(), game.rules, **game.more())
    # The game of the source is that of the table.
    dragnet.verify(table)
    rows = len(play.board.rows)
    assert table.worlds == play.worlds, game
    teams = {tuple(sorted(map(tuple, team))): n for n, team in enumerate(table.teams().tolist())}
    cells = {tuple(cell): n for n, cell in enumerate(table.cells.tolist())}
    last = [max(team) for team in teams]

    def cell(place: Any) -> tuple[int, int]:
        row, column, layer = place
        return layer * rows + row, column

    # The grids of kinds stand one below the other, and the clock is on the last one.
    tops, top = [], 0
    for kind in play.kinds:
        tops.append(top)
        top += rows * kind.most_turns * max(1, len(kind.directions))
    assert not play.clock or len(set(last)) == 1, game

    def officers(team: Any) -> tuple[tuple[int, int], ...]:
        found = [
            (top + cell(place)[0], place[1])
            for top, places in zip(tops, team, strict=False)
            for place in places
        ]
        return tuple(sorted([*found, last[0]] if play.clock else found))

    asked = {team: officers(team) for team in play.teams()}
    assert teams.keys() == set(asked.values()), game
    assert cells.keys() == set(map(cell, play.thief.all_places)), game
    arrays = {
        (world, turn): [array.tolist() for array in table.all_values(turn, world=world)]
        for world in range(table.worlds)
        for turn in ("police", "thief")
    }
    outcomes = ["draw", "police", "thief"]
    values = play.values()
    for position, expected in values.items():
        world, team, thief, turn = position
        outcome, dtw = arrays[world, turn]
        at = teams[asked[team]], cells[cell(thief)]
        plies = dtw[at[0]][at[1]]
        found = (outcomes[outcome[at[0]][at[1]]], None if plies < 0 else plies)
        assert found == expected, f"{position}: found {found}, expected {expected}{game}"
    for position in random.Random(1).sample(list(values), min(100, len(values))):
        world, team, thief, turn = position
        question: Any = (asked[team], cell(thief), turn)
        if len(asked[team]) == 1:
            question = (asked[team][0], *question[1:])
        winner = play.winner(world, team, thief)
        assert table.winner(*question, world=world) == winner, f"{position}{game}"
        moves = {(move.world, *move.cells) for move in table.moves(*question, world=world)}
        after = play.successors(position) if winner is None else set()
        expected_moves = {
            (to[0], *(asked[to[1]] if turn == "police" else [cell(to[2])])) for to in after
        }
        assert moves == expected_moves, f"{position}{game}"


@pytest.mark.parametrize("number", range(BOARDS))
@pytest.mark.parametrize("kind", KINDS)
def test_tables_have_the_values_of_the_rules(kind: str, number: int) -> None:
    check(drawn(kind, number))


NORTH: dict[str, Any] = {"look": 4, "capture": {"sight": 2, "angle": 90}}


@pytest.mark.parametrize(
    "game",
    [
        # A way to the same place of another floor turns nobody.
        Game([["A..", "..."], ["A#.", "..E"]], {"ways": ["A"], "police": NORTH}),
        # No step captures on a square that is barred, but one passes its corner.
        Game(
            [["..b", "...", "b.."]],
            {"corner_cutting": False, "capture": {"by": "king", "distance": 2}}
            | {"police": {"ground": {"b": "barred"}, "moves": "orthogonal"}},
        ),
        # Nobody is captured under full cover, and a wait is as long as the ground says.
        Game(
            [["b..h", ".##.", "...E"]],
            {"cover": {"b": "full", "h": "beside"}, "ground": {"b": 3}, "capture": {"sight": 3}},
        ),
        # Ice on joined edges, where a slide ends before it comes back to where it began.
        Game(
            [["....", ".#.E"]],
            {"wrap": "both", "police": {"glide": True}, "thief": {"glide": True}},
        ),
        Game([["...", "..E"]], {"wrap": "both", "police": {"reach": 3}, "thief": {"steps": 2}}),
        # A key that turns its doors once, and one that turns them each time.
        Game(
            [["....E", "....."]],
            {},
            doors=[
                {"cell": [0, 3], "key": [0, 0], "once": True},
                {"cell": [1, 4], "key": [0, 0], "once": True, "open": True},
                {"cell": [1, 2], "key": [1, 0]},
                {"cell": [0, 1], "schedule": "..#"},
            ],
        ),
        # A square is out of order until those before it are taken.
        Game([["a.b", "c.a", "..E"]], {"loot": {"squares": "abc", "in_order": True, "need": 2}}),
        Game([["a.b", "..c", "..E"]], {"loot": {"squares": "abc", "need": 2}, "stuck": "wins"}),
        # Joined edges have no thin wall.
        Game(
            [["...", "..E", "..."]],
            {"wrap": "both", "corner_cutting": False},
            thin={(0, 0, "right"), (1, 1, "down"), (1, 0, "right")},
        ),
        # The guards' clock goes on with each turn of the police, and the limit counts all plies.
        Game(
            [["....E", "..o..", "....."]],
            {"officers": 0, "opaque": "o", "limit": {"plies": 9, "winner": "police"}},
            guards=[
                {"round": [[0, 0], [2, 2], [2, 4]], "back": True, "sight": 3, "angle": 60},
                {"round": [[2, 0]], "pause": 2, "looks": ["northeast"], "sight": 2, "angle": 45},
            ],
        ),
    ],
    ids=range(10),
)
def test_tables_of_chosen_games_have_the_values_of_the_rules(game: Game) -> None:
    check(game)


def values_of(game: Game, **changes: Any) -> dict[Position, Value]:
    """Returns all values of a game after changes of its rules."""
    rules = {**game.rules, **changes}
    return Pursuit(game.floors, rules, game.thin, game.doors, game.guards).values()


@pytest.mark.parametrize("number", range(BOARDS))
def test_ground_of_one_turn_is_no_ground(number: int) -> None:
    game = drawn("ground", number)
    plain = {
        keys: {name: given for name, given in game.rules.get(keys, {}).items() if name != "ground"}
        for keys in ("police", "thief")
    }
    ones = {letter: 1 for letter in game.letters}
    assert values_of(game, **plain, ground={}) == values_of(game, **plain, ground=ones)


@pytest.mark.parametrize("number", range(BOARDS))
def test_two_like_kinds_have_the_values_of_one_kind(number: int) -> None:
    game = drawn("plain", number)
    block = game.rules["police"]
    alike = values_of(game, police=block, officers=2)
    for (world, kinds, thief, turn), value in values_of(game, police=[block, block]).items():
        team = (tuple(sorted(sum(kinds, ()))),)
        assert value == alike[world, team, thief, turn], game


@pytest.mark.parametrize("number", range(BOARDS))
def test_directions_without_an_angle_change_nothing(number: int) -> None:
    game = drawn("sight", number)
    block = {**game.rules["police"], "capture": {"sight": 2}}
    game.rules |= {"officers": 1, "wrap": "none"}
    plain = values_of(game, police=block)
    for look in (4, 8):
        for position, value in values_of(game, police={**block, "look": look}).items():
            world, (((row, column, _),),), thief, turn = position
            assert value == plain[world, (((row, column, 0),),), thief, turn], game


@pytest.mark.parametrize("number", range(BOARDS))
def test_a_long_limit_settles_draws_alone(number: int) -> None:
    game = drawn("plain", number)
    plain = values_of(game)
    plies = max(distance or 0 for _, distance in plain.values()) + 1
    found = values_of(game, limit={"plies": plies, "winner": "thief"})
    for position, value in plain.items():
        # The worlds are the plies, and the game begins in world 0.
        assert found[position] == (("thief", plies) if value[0] == "draw" else value), game


@pytest.mark.parametrize("number", range(BOARDS))
def test_loot_that_is_taken_is_no_loot(number: int) -> None:
    game = drawn("loot", number)
    plain = values_of(game, loot={"squares": ""})
    last = max(layer for _, _, layer in game.play.thief.all_places)
    found = values_of(game)
    for (world, team, (row, column, layer), turn), value in plain.items():
        assert layer == 0 and found[world, team, (row, column, last), turn] == value, game


def test_steps_in_row_and_column_capture_what_is_as_near() -> None:
    for distance in (1, 2, 3):
        captures = [{"by": by, "distance": distance} for by in ("orthogonal", "squares")]
        one, other = (Pursuit([["....", "..E.", "...."]], {"capture": rule}) for rule in captures)
        for place in one.kinds[0].all_places:
            reached = one.captured(0, place, frozenset())
            assert reached == other.captured(0, place, frozenset())
            assert len(reached) <= 1 + 2 * distance * (distance + 1)


def test_thin_walls_all_round_let_leaps_pass_alone() -> None:
    edges = {(0, 0, "down"), (1, 0, "down"), (0, 0, "right"), (1, 0, "right"), (2, 0, "right")}
    for corner_cutting in (False, True):
        rules = {"corner_cutting": corner_cutting, "thief": {"moves": "knight"}}
        play = Pursuit([["...", "...", "..."]], rules, edges)
        assert play.kinds[0].ends((1, 0), frozenset()) == set()
        assert play.thief.ends((1, 0), frozenset()) == {(0, 2), (2, 2)}
    # One way round the corner is enough if corners may be cut.
    for corner_cutting, leads in ((False, {(1, 0)}), (True, {(1, 0), (1, 1)})):
        play = Pursuit([["..", ".."]], {"corner_cutting": corner_cutting}, {(0, 0, "right")})
        assert play.kinds[0].ends((0, 0), frozenset()) == leads


def test_waiting_takes_turns() -> None:
    play = Pursuit([[".aE"]], {"officers": 0, "ground": {"a": 3}})
    nobody = play.teams()[0]
    values = play.values()
    # A step, two turns of waiting, and a step; the police has a turn after each of the first three.
    assert values[0, nobody, (0, 0, 0), "thief"] == ("thief", 7)
    assert values[0, nobody, (0, 1, 2), "police"] == ("thief", 6)
    assert (0, nobody, (0, 0, 1), "thief") not in values


def test_guards_walk_their_rounds() -> None:
    there = Guard({"round": [[0, 0], [0, 2]], "pause": 1, "looks": ["south", "north"]})
    east, west = KING[2], KING[6]
    assert there.turns == [
        ((0, 0), KING[4]),
        ((0, 0), east),
        ((0, 1), east),
        ((0, 2), KING[0]),
        ((0, 2), west),
        ((0, 1), west),
    ]
    back = Guard({"round": [[0, 0], [1, 1], [1, 2]], "back": True, "pace": 2})
    squares = [(0, 0), (0, 0), (1, 1), (1, 1), (1, 2), (1, 2), (1, 1), (1, 1)]
    assert [square for square, _ in back.turns] == squares
    ahead = Guard({"round": [[0, 0], [0, 0], [1, 0]], "pause": 1})
    assert [way for _, way in ahead.turns] == [KING[4]] * 3 + [KING[0]] * 2
    assert Guard({"round": [[2, 2]]}).turns == [((2, 2), None)]


def test_a_guard_stops_the_thief_while_it_looks() -> None:
    guard = {"round": [[0, 2]], "looks": ["west"], "sight": 1, "angle": 90, "pause": 1}
    play = Pursuit([["...E"]], {"officers": 0}, guards=[guard])
    assert play.worlds == 1 and play.watched(0) == {(0, 1), (0, 2)}
    nobody = play.teams()[0]
    assert play.values()[0, nobody, (0, 0, 0), "thief"] == ("draw", None)
    # A guard who walks away and back sees the thief only while it is there.
    walk = {"round": [[1, 2], [1, 0]], "sight": 1}
    play = Pursuit([["..E", "..."]], {"officers": 0}, guards=[walk])
    assert play.worlds == 4
    assert [len(play.watched(world)) for world in range(4)] == [3, 4, 3, 4]
    # The clock goes on when the police has had its turn.
    assert play.after(0, "thief", ()) == 0 and play.after(3, "police", ()) == 0


@cache
def blocks_of_the_page() -> dict[str, Any]:
    """Returns the definitions of sight on the page of the rules."""
    page = (Path(__file__).parents[3] / "tools/docs/rules.md").read_text()
    found: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(block, found)
    return found


def seen_by_the_page(board: Board, lines: str, at: Square) -> set[Square]:
    """Returns the squares that are seen from one by the code on the page of the rules."""

    def clear(row: int, column: int) -> bool:
        return (at[0] + row, at[1] + column) in board.open

    def thin(row: int, column: int, down: int, right: int) -> bool:
        return board.is_thin((at[0] + row, at[1] + column), (down, right))

    page = blocks_of_the_page()
    if lines == "shadows":
        return {(at[0] + row, at[1] + column) for row, column in page["shadows"](clear, 9)}
    offsets = [(row - at[0], column - at[1]) for row, column in board.squares]
    shown = [offset for offset in offsets if page["supercover"](*offset, clear, thin)]
    return {(at[0] + row, at[1] + column) for row, column in shown}


def test_sight_is_that_of_the_page_and_mutual() -> None:
    lot = random.Random(5)
    squares = [(row, column) for row in range(5) for column in range(6)]
    edges = [(row, column, "right") for row, column in squares if column < 5]
    edges += [(row, column, "down") for row, column in squares if row < 4]
    for _ in range(2 * BOARDS):
        rows = ["".join(lot.choice("....#") for _ in range(6)) for _ in range(5)]
        board = Board([rows], lot.sample(edges, 8))
        for lines in ("shadows", "supercover"):
            rule = {"sight": 9, "lines": lines}
            sees = {at: seen(board, "", rule, at, None, frozenset()) for at in board.squares}
            assert all(one in sees[other] for one in board.squares for other in sees[one])
            for at, shown in sees.items():
                assert shown == seen_by_the_page(board, lines, at)
