"""A plain solver of pursuit games, to compare tables with.

It is written from the parts *Exactly* and *Sight* of ``tools/docs/rules.md`` alone, and goes
through all positions. A place of a piece is (row, column, layer), with rows counted through all
floors. The layer of an officer is direction * W + wait, where W is the largest number of turns that
the rules name for any ground of that kind, and ``wait`` is how many turns the officer still has to
stay. The layer of the thief is loot * W + wait: loot has a bit for each square, or is the number of
letters taken in order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import atan2, ceil, degrees, floor, lcm
from typing import Any

Square = tuple[int, int]
Offset = tuple[int, int]
Place = tuple[int, int, int]
Team = tuple[tuple[Place, ...], ...]
Position = tuple[int, Team, Place, str]
Value = tuple[str, "int | None"]
Closed = frozenset[Square]

OTHER = {"police": "thief", "thief": "police"}
NAMES = ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"]
KING: list[Offset] = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)]
OFFSETS: dict[str, list[Offset]] = {
    "king": KING,
    "orthogonal": KING[::2],
    "diagonal": KING[1::2],
    "knight": [(r, c) for r in range(-2, 3) for c in range(-2, 3) if abs(r * c) == 2],
}
# Which steps lead from a one-way square.
ARROWS: dict[str, Callable[[int, int], bool]] = {
    ">": lambda down, right: right > 0,
    "<": lambda down, right: right < 0,
    "^": lambda down, right: down < 0,
    "v": lambda down, right: down > 0,
}
# The kind of the guards has one place, and it does not matter which.
GUARDS: Place = (0, 0, 0)


class Board:
    """Floors of squares, and the thin walls between squares: (row, column, "right" or "down")."""

    def __init__(
        self, floors: Sequence[Sequence[str]], thin: Collection[tuple[int, int, str]] = ()
    ) -> None:
        self.height, self.width = len(floors[0]), len(floors[0][0])
        self.rows = [row for floor in floors for row in floor]
        self.thin = set()
        for row, column, way in thin:
            here, there = (row, column), (row, column + 1) if way == "right" else (row + 1, column)
            self.thin |= {(here, there), (there, here)}
        self.squares = [
            (row, column)
            for row, letters in enumerate(self.rows)
            for column, letter in enumerate(letters)
            if letter not in "#*"
        ]
        self.open = set(self.squares)
        self.exits = set(self.having("E"))

    def letter(self, at: Square) -> str:
        return self.rows[at[0]][at[1]]

    def having(self, letters: Collection[str]) -> list[Square]:
        return [square for square in self.squares if self.letter(square) in letters]

    def beside(self, at: Square, offset: Offset, wrap: str = "none") -> Square | None:
        """Returns the square at an offset on the same floor, if there is one."""
        top = at[0] // self.height * self.height
        row, column = at[0] - top + offset[0], at[1] + offset[1]
        if wrap in ("vertical", "both"):
            row %= self.height
        if wrap in ("horizontal", "both"):
            column %= self.width
        return (top + row, column) if 0 <= row < self.height and 0 <= column < self.width else None

    def is_thin(self, at: Square, offset: Offset) -> bool:
        """Returns whether a thin wall stands beside a square. None is on a joined edge."""
        to = self.beside(at, offset)
        return to is not None and (at, to) in self.thin

    def away(self, one: Square, other: Square) -> Offset | None:
        """Returns the offset between two squares of one floor, without joined edges."""
        if one[0] // self.height != other[0] // self.height:
            return None
        return other[0] - one[0], other[1] - one[1]


def supercover(
    rows: int,
    columns: int,
    clear: Callable[[int, int], bool],
    thin: Callable[[int, int, int, int], bool],
) -> bool:
    """Is the definition of the page."""
    r = c = 0
    down, right = (1 if rows > 0 else -1), (1 if columns > 0 else -1)
    rows, columns = abs(rows), abs(columns)
    i = j = 0
    while (i, j) != (rows, columns):
        side = (1 + 2 * j) * rows - (1 + 2 * i) * columns
        if side == 0:
            beside = [(r, c + right), (r + down, c)]
            walls = [
                (r, c, 0, right),
                (r, c, down, 0),
                (r + down, c, 0, right),
                (r, c + right, down, 0),
            ]
            if not all(clear(*square) for square in beside) or any(thin(*wall) for wall in walls):
                return False
            r, c, i, j = r + down, c + right, i + 1, j + 1
        elif side < 0:
            if thin(r, c, 0, right):
                return False
            c, j = c + right, j + 1
        else:
            if thin(r, c, down, 0):
                return False
            r, i = r + down, i + 1
        if (i, j) != (rows, columns) and not clear(r, c):
            return False
    return True


def shadows(clear: Callable[[int, int], bool], radius: int) -> set[Offset]:
    """Is the definition of the page."""
    seen = {(0, 0)}
    for a, b, c, d in ((-1, 0, 0, 1), (1, 0, 0, 1), (0, 1, 1, 0), (0, -1, 1, 0)):
        stack = [(1, Fraction(-1), Fraction(1))]
        while stack:
            depth, start, end = stack.pop()
            if depth > radius:
                continue
            before = None
            first, last = floor(depth * start + Fraction(1, 2)), ceil(depth * end - Fraction(1, 2))
            for col in range(first, last + 1):
                at = (a * depth + c * col, b * depth + d * col)
                open_here = clear(*at)
                if open_here and depth * start <= col <= depth * end:
                    seen.add(at)
                if before is False and open_here:
                    start = Fraction(2 * col - 1, 2 * depth)
                if before is True and not open_here:
                    stack.append((depth + 1, start, Fraction(2 * col - 1, 2 * depth)))
                before = open_here
            if before is True:
                stack.append((depth + 1, start, end))
    return seen


def between(one: Offset, other: Offset) -> float:
    """Returns the degrees between two directions."""
    turn = abs(degrees(atan2(*one) - atan2(*other)))
    return min(turn, 360 - turn)


def seen(
    board: Board,
    opaque: Collection[str],
    rule: Mapping[str, Any],
    at: Square,
    facing: Offset | None,
    closed: Closed,
) -> set[Square]:
    """Returns the squares that are seen from one, by a rule with the key sight."""
    far = rule["sight"]

    def clear(row: int, column: int) -> bool:
        square = board.beside(at, (row, column))
        if square is None or square not in board.open or board.letter(square) in opaque:
            return False
        return square not in closed or not rule.get("doors", True)

    def thin(row: int, column: int, down: int, right: int) -> bool:
        square = board.beside(at, (row, column))
        return square is not None and board.is_thin(square, (down, right))

    with_shadows = rule.get("lines", "shadows") == "shadows"
    shown = shadows(clear, far) if with_shadows else set()
    found = {at}
    for square in board.squares:
        offset = board.away(at, square)
        if offset is None or offset == (0, 0) or offset[0] ** 2 + offset[1] ** 2 > far**2:
            continue
        if "angle" in rule:
            assert facing is not None
            if between(offset, facing) > rule["angle"] / 2 + 1e-9:
                continue
        if offset in shown if with_shadows else supercover(*offset, clear, thin):
            found.add(square)
    return found


class Piece:
    """How the pieces of one kind move."""

    def __init__(
        self, board: Board, rules: Mapping[str, Any], keys: Mapping[str, Any], moves: str
    ) -> None:
        self.board, self.rules, self.keys = board, rules, keys
        self.offsets = self.named(keys.get("moves", moves))
        self.may_pass = keys.get("may_pass", True)
        ground = {**rules.get("ground", {}), **keys.get("ground", {})}
        self.barred = set(board.having([b for b, n in ground.items() if n == "barred"]))
        self.turns: dict[str, int] = {b: n for b, n in ground.items() if n != "barred"}
        self.most_turns = max([1, *self.turns.values()])
        self.no_go = set(self.barred)
        self.ways: dict[Square, set[Square]] = {}
        for way in rules.get("ways", ()):
            begin, _, end = way.partition(">")
            for one, other in product(board.having(begin), board.having(end or begin)):
                self.ways.setdefault(one, set()).add(other)
        self.known: dict[Any, Any] = {}

    @staticmethod
    def named(moves: str | Mapping[str, Any]) -> list[Offset]:
        return OFFSETS[moves] if isinstance(moves, str) else [(r, c) for r, c in moves["offsets"]]

    def waits(self, at: Square) -> int:
        """Returns the turns that a piece waits where a move has ended."""
        return self.turns.get(self.board.letter(at), 1) - 1

    def places(self, states: int) -> list[Place]:
        """Returns all places, with some states beside the turns to wait."""
        return [
            (*square, state * self.most_turns + wait)
            for state in range(states)
            for wait in range(self.most_turns)
            for square in self.board.squares
            if square not in self.barred and wait <= self.waits(square)
        ]

    def step(
        self, at: Square, offset: Offset, closed: Closed, no_go: Collection[Square]
    ) -> Square | None:
        """Returns where one step leads, if it is allowed."""
        board, (down, right) = self.board, offset
        wrap = self.rules.get("wrap", "none")
        to = board.beside(at, offset, wrap)
        if to is None or to == at or to not in board.open or to in closed or to in no_go:
            return None
        arrow = ARROWS.get(board.letter(at))
        if arrow is not None and not arrow(down, right):
            return None
        if abs(down) + abs(right) == 1 and board.is_thin(at, offset):
            return None
        if abs(down) == abs(right) == 1:
            corners = []
            for first, second in (((0, right), (down, 0)), ((down, 0), (0, right))):
                corner = board.beside(at, first, wrap)
                assert corner is not None
                is_open = corner in board.open and corner not in closed
                is_free = not board.is_thin(at, first) and not board.is_thin(corner, second)
                corners.append((is_open, is_free))
            if self.rules.get("corner_cutting", True):
                return to if any(is_free for _, is_free in corners) else None
            return to if all(is_open and is_free for is_open, is_free in corners) else None
        return to

    def slides(
        self,
        at: Square,
        offsets: Iterable[Offset],
        reach: int,
        closed: Closed,
        no_go: Collection[Square],
        glide: bool = False,
    ) -> set[Square]:
        """Returns where one slide or one way leads."""
        leads = self.ways.get(at, set()) - {at} - closed
        found = {to for to in leads if to not in no_go}
        for offset in offsets:
            here: Square = at
            passed: list[Square] = []
            while glide or len(passed) < reach:
                to = self.step(here, offset, closed, no_go)
                if to is None or to == at:
                    break
                passed.append(to)
                here = to
            found.update(passed[-1:] if glide else passed)
        return found

    def ends(self, at: Square, closed: Closed) -> set[Square]:
        """Returns the squares to which a move leads."""
        keys = self.keys
        slide = (keys.get("reach", 1), closed, self.no_go, keys.get("glide", False))
        found = last = {at}
        for _ in range(keys.get("steps", 1)):
            last = set().union(*(self.slides(here, self.offsets, *slide) for here in last)) - found
            found = found | last
        return found - {at}

    def moves(self, place: Place, closed: Closed) -> set[Place]:
        """Returns the places to which a move leads, with staying if that is one."""
        if (place, closed) not in self.known:
            at, (state, wait) = place[:2], divmod(place[2], self.most_turns)
            found = set()
            if wait or self.may_pass:
                left = max(wait - 1, 0)
                found |= {(*at, to * self.most_turns + left) for to in self.stayed(state, at)}
            if not wait:
                for end in self.ends(at, closed):
                    left = self.waits(end)
                    after = self.moved(state, at, end)
                    found |= {(*end, to * self.most_turns + left) for to in after}
            self.known[place, closed] = found
        known: set[Place] = self.known[place, closed]
        return known

    def stayed(self, state: int, at: Square) -> list[int]:
        """Returns the states after staying on a square."""
        raise NotImplementedError

    def moved(self, state: int, at: Square, end: Square) -> list[int]:
        """Returns the states after a move to another square."""
        raise NotImplementedError


class Officer(Piece):
    """A kind of officers. The state of an officer is the direction in which the officer looks."""

    def __init__(
        self, board: Board, rules: Mapping[str, Any], keys: Mapping[str, Any], count: int
    ) -> None:
        super().__init__(board, rules, keys, "king")
        self.count = count
        if rules.get("police_on_exit") == "barred":
            self.no_go |= board.exits
        self.capture: Mapping[str, Any] | None = keys.get("capture", rules.get("capture"))
        look = keys.get("look", 0)
        self.directions: list[Offset] = KING[:: 8 // look] if look else []
        self.all_places = self.places(max(look, 1))

    def stayed(self, state: int, at: Square) -> list[int]:
        if not self.directions:
            return [0]
        return [(state + turn) % len(self.directions) for turn in (-1, 0, 1)]

    def moved(self, state: int, at: Square, end: Square) -> list[int]:
        height = self.board.height
        offset = (end[0] % height - at[0] % height, end[1] - at[1])
        if not self.directions or offset == (0, 0):
            return [state]
        turns = [between(direction, offset) for direction in self.directions]
        return [number for number, turn in enumerate(turns) if turn < min(turns) + 1e-9]

    def captures(self, place: Place, closed: Closed) -> set[Square]:
        """Returns the squares on which an officer captures the thief, whatever covers him."""
        at, state, rule = place[:2], place[2] // self.most_turns, self.capture
        found = {at}
        if rule is None:
            return found
        if "sight" in rule:
            facing = self.directions[state] if self.directions else None
            return found | seen(self.board, self.rules.get("opaque", ""), rule, at, facing, closed)
        distance = rule.get("distance", 1)
        if rule["by"] == "squares":
            for square in self.board.squares:
                offset = self.board.away(at, square)
                if offset is not None and abs(offset[0]) + abs(offset[1]) <= distance:
                    found.add(square)
            return found
        own, keys = rule["by"] == "moves", self.keys
        offsets = self.offsets if own else self.named(rule["by"])
        slide = (keys.get("reach", 1), keys.get("glide", False)) if own else (1, False)
        last = found
        for _ in range(distance * (keys.get("steps", 1) if own else 1)):
            ends = (self.slides(to, offsets, slide[0], closed, self.barred, slide[1]) for to in last)
            last = set().union(*ends)
            found = found | last
        return found


class Thief(Piece):
    """The thief. His state is the loot that he has taken."""

    def __init__(self, board: Board, rules: Mapping[str, Any]) -> None:
        super().__init__(board, rules, rules.get("thief", {}), "orthogonal")
        loot = rules.get("loot", {"squares": ""})
        self.in_order: bool = loot.get("in_order", False)
        self.letters: str = loot["squares"]
        self.loot = board.having(self.letters)
        count = len(self.letters) if self.in_order else len(self.loot)
        self.need: int = loot.get("need", count)
        self.all_places = self.places(count + 1 if self.in_order else 2**count)

    def taken(self, state: int, at: Square) -> int:
        """Returns the state after a move has ended on a square."""
        if self.in_order:
            is_next = self.board.letter(at) == self.letters[state : state + 1]
            return state + 1 if is_next else state
        return state | 1 << self.loot.index(at) if at in self.loot else state

    def stayed(self, state: int, at: Square) -> list[int]:
        return [self.taken(state, at)]

    def moved(self, state: int, at: Square, end: Square) -> list[int]:
        return [self.taken(state, end)]

    def may_escape(self, place: Place) -> bool:
        state = place[2] // self.most_turns
        has = state if self.in_order else state.bit_count()
        return place[:2] in self.board.exits and has >= self.need


class Guard:
    """A guard's round: the square and the direction of sight in each turn of the period."""

    def __init__(self, keys: Mapping[str, Any]) -> None:
        self.keys = keys
        stops = [(row, column) for row, column in keys["round"]]
        order = list(range(len(stops)))
        if keys.get("back", False):
            order += order[-2:0:-1]
        looks = [KING[NAMES.index(name)] for name in keys["looks"]] if "looks" in keys else None
        legs: list[tuple[Square, int, Offset | None]] = []
        for one, other in zip(order, order[1:] + order[:1], strict=True):
            down, right = stops[other][0] - stops[one][0], stops[other][1] - stops[one][1]
            length = max(abs(down), abs(right))
            along = (down // length, right // length) if length else None
            legs.append((stops[one], length, along))
        self.turns: list[tuple[Square, Offset | None]] = []
        for number, (begin, length, along) in enumerate(legs):
            ahead = [way for _, _, way in legs[number:] + legs[:number] if way is not None]
            look = looks[order[number]] if looks else ahead[0] if ahead else None
            self.turns += [(begin, look)] * keys.get("pause", 0)
            for step in range(length):
                assert along is not None
                square = (begin[0] + step * along[0], begin[1] + step * along[1])
                self.turns += [(square, along)] * keys.get("pace", 1)
            if number == 0:
                first = (begin, look)
        self.turns = self.turns or [first]


class Pursuit:
    """A pursuit game on a board.

    floors: for each floor its rows, as text. rules: the keys of a rules file. thin: the thin walls.
    doors, guards: the tables of those names.
    """

    def __init__(
        self,
        floors: Sequence[Sequence[str]],
        rules: Mapping[str, Any],
        thin: Collection[tuple[int, int, str]] = (),
        doors: Sequence[Mapping[str, Any]] = (),
        guards: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        self.board, self.rules, self.doors = Board(floors, thin), rules, doors
        given = rules.get("police", {})
        blocks: list[Mapping[str, Any]] = [given] if isinstance(given, Mapping) else list(given)
        if len(blocks) > 1:
            counts = [block.get("count", 1) for block in blocks]
        else:
            blocks = blocks or [{}]
            counts = [rules.get("officers", blocks[0].get("count", 1))]
        pairs = zip(blocks, counts, strict=True)
        self.kinds = [Officer(self.board, rules, keys, count) for keys, count in pairs if count]
        self.thief = Thief(self.board, rules)
        self.guards = [Guard(keys) for keys in guards]
        # The last kind, which moves the clocks alone.
        self.clock = () if self.kinds else ((GUARDS,),)
        # What a world is made of.
        self.keys = sorted({tuple(door["key"]) for door in doors if "key" in door})
        self.once = {tuple(door["key"]) for door in doors if door.get("once", False)}
        self.phases = lcm(*(len(door["schedule"]) for door in doors if "schedule" in door))
        self.ticks = lcm(*(len(guard.turns) for guard in self.guards))
        self.limit = rules.get("limit")
        self.plies = self.limit["plies"] if self.limit else 0
        self.worlds = 2 ** len(self.keys) * self.phases * self.ticks * (self.plies + 1)
        cover: Mapping[str, str] = rules.get("cover", {})
        self.full = set(self.board.having([b for b, how in cover.items() if how == "full"]))
        self.half = set(self.board.having([h for h, how in cover.items() if how == "beside"]))
        self.known: dict[Any, Any] = {}

    def teams(self) -> list[Team]:
        """Returns all teams, as places for each kind."""
        kinds = [combinations_with_replacement(sorted(k.all_places), k.count) for k in self.kinds]
        return [team + self.clock for team in product(*kinds)]

    def positions(self) -> Iterator[Position]:
        for world, team in product(range(self.worlds), self.teams()):
            for thief in self.thief.all_places:
                yield world, team, thief, "police"
                yield world, team, thief, "thief"

    def parts(self, world: int) -> tuple[int, int, int, int]:
        """Returns keys, phase, tick and ply of a world."""
        rest, ply = divmod(world, self.plies + 1)
        rest, tick = divmod(rest, self.ticks)
        return *divmod(rest, self.phases), tick, ply

    def after(self, world: int, turn: str, stepped: Iterable[Square]) -> int:
        """Returns the world after a turn in which pieces have stepped on keys."""
        keys, phase, tick, ply = self.parts(world)
        for key in stepped:
            bit = 1 << self.keys.index(key)
            keys = keys | bit if key in self.once else keys ^ bit
        phase = (phase + 1) % self.phases
        tick = (tick + (turn == "police")) % self.ticks
        ply = min(ply + 1, self.plies)
        return ((keys * self.phases + phase) * self.ticks + tick) * (self.plies + 1) + ply

    def closed(self, world: int) -> Closed:
        """Returns the cells of the doors that are closed."""
        keys, phase, _, _ = self.parts(world)
        found = set()
        for door in self.doors:
            if "key" in door:
                has_turned = keys >> self.keys.index(tuple(door["key"])) & 1 == 1
                is_open = door.get("open", False) != has_turned
            else:
                is_open = door["schedule"][phase % len(door["schedule"])] == "."
            if not is_open:
                found.add(tuple(door["cell"]))
        return frozenset(found)

    def stepped(self, place: Place, to: Place) -> frozenset[Square]:
        """Returns the key on which a move ends, if it began elsewhere."""
        is_key = to[:2] in self.keys and to[:2] != place[:2]
        return frozenset([to[:2]] if is_key else [])

    def uncovered(self, squares: set[Square], at: Square) -> set[Square]:
        """Returns the squares, of those that are reached from one, on which no cover protects."""
        found = set()
        for square in squares - self.full:
            away = self.board.away(at, square)
            if square not in self.half or (away is not None and max(map(abs, away)) <= 1):
                found.add(square)
        return found

    def captured(self, kind: int, place: Place, closed: Closed) -> set[Square]:
        """Returns the squares on which an officer captures the thief."""
        if (kind, place, closed) not in self.known:
            reached = self.kinds[kind].captures(place, closed)
            self.known[kind, place, closed] = self.uncovered(reached, place[:2])
        known: set[Square] = self.known[kind, place, closed]
        return known

    def watched(self, world: int) -> set[Square]:
        """Returns the squares on which a guard captures the thief."""
        if world not in self.known:
            found, tick = set(), self.parts(world)[2]
            for guard in self.guards:
                at, facing = guard.turns[tick % len(guard.turns)]
                squares = {at}
                if "sight" in guard.keys:
                    opaque = self.rules.get("opaque", "")
                    squares |= seen(self.board, opaque, guard.keys, at, facing, self.closed(world))
                found |= self.uncovered(squares, at)
            self.known[world] = found
        known: set[Square] = self.known[world]
        return known

    def winner(self, world: int, team: Team, thief: Place) -> str | None:
        """Returns who has won a position that is terminal."""
        closed, at = self.closed(world), thief[:2]
        officers = [(kind, place) for kind in range(len(self.kinds)) for place in team[kind]]
        if any(at in self.captured(*officer, closed) for officer in officers):
            return "police"
        if at in self.watched(world):
            return "police"
        is_over = self.limit and self.parts(world)[3] == self.plies
        if self.thief.may_escape(thief) or (is_over and self.limit["winner"] == "thief"):
            return "thief"
        has_arrived = any(place[:2] in self.board.exits for _, place in officers)
        if self.rules.get("police_on_exit") == "wins" and has_arrived:
            return "police"
        return "police" if is_over else None

    def turns(self, team: Team, closed: Closed) -> set[tuple[Team, frozenset[Square]]]:
        """Returns the teams to which a turn of the police leads, with the keys that it steps on."""
        nowhere: frozenset[Square] = frozenset()
        if not self.kinds:
            return {(team, nowhere)}
        if self.rules.get("team", "all") == "one":
            found = set()
            for number, kind in enumerate(self.kinds):
                for officer, place in enumerate(team[number]):
                    others = team[number][:officer] + team[number][officer + 1 :]
                    for to in kind.moves(place, closed):
                        places = tuple(sorted((*others, to)))
                        after = (*team[:number], places, *team[number + 1 :])
                        found.add((after, self.stepped(place, to)))
            return found
        all_moved: set[tuple[Team, frozenset[Square]]] = {((), nowhere)}
        for kind, places in zip(self.kinds, team, strict=False):
            moved: set[tuple[tuple[Place, ...], frozenset[Square]]] = {((), nowhere)}
            for place in places:
                moved = {
                    (tuple(sorted((*others, to))), keys | self.stepped(place, to))
                    for others, keys in moved
                    for to in kind.moves(place, closed)
                }
            all_moved = {
                ((*kinds, kind_moved), keys | more)
                for kinds, keys in all_moved
                for kind_moved, more in moved
            }
        return {(kinds + self.clock, keys) for kinds, keys in all_moved}

    def successors(self, position: Position) -> set[Position]:
        """Returns the positions to which the moves of a position that is not terminal lead."""
        world, team, thief, turn = position
        closed = self.closed(world)
        if turn == "thief":
            return {
                (self.after(world, turn, self.stepped(thief, to)), team, to, "police")
                for to in self.thief.moves(thief, closed)
            }
        if (team, closed) not in self.known:
            self.known[team, closed] = self.turns(team, closed)
        return {
            (self.after(world, turn, keys), after, thief, "thief")
            for after, keys in self.known[team, closed]
        }

    def values(self) -> dict[Position, Value]:
        """Returns winner and plies of every position, ("draw", None) of a draw."""
        values: dict[Position, Value] = {}
        before: dict[Position, list[Position]] = {}
        left: dict[Position, int] = {}
        everything = list(self.positions())
        for position in everything:
            turn = position[3]
            winner = self.winner(*position[:3])
            after = self.successors(position) if winner is None else set()
            if winner is None and not after:
                winner = turn if self.rules.get("stuck", "loses") == "wins" else OTHER[turn]
            if winner is not None:
                values[position] = winner, 0
                continue
            left[position] = len(after)
            for to in after:
                before.setdefault(to, []).append(position)
        level, plies = list(values), 0
        while level:
            plies += 1
            decided = []
            for position in level:
                winner = values[position][0]
                for earlier in before.get(position, ()):
                    if earlier in values:
                        continue
                    left[earlier] -= 1
                    # One winning move suffices; a side has lost when no move is left.
                    if earlier[3] == winner or not left[earlier]:
                        values[earlier] = winner, plies
                        decided.append(earlier)
            level = decided
        return {position: values.get(position, ("draw", None)) for position in everything}
