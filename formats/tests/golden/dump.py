#!/usr/bin/env python3
"""Reads a Dragnet table with nothing but FORMAT.md, checks every rule of it, and prints what each byte
means.

    dump.py TABLE.dtb            print the dump
    dump.py --check TABLE.dtb…   check the tables, and that the .txt beside each is its dump

Written from that page alone, as a second reader of the format: where this script and the Rust reader
disagree, one of them or the page is wrong. Needs only Python 3.11; compressed blocks also need the module
`zstandard`.
Exits with 1 and a message at the first rule that a table breaks.
"""

import functools
import itertools
import math
import struct
import sys
import zlib

MAGIC = bytes.fromhex("894454420D0A1A0A")
MAX_CODE = 2 + 2 * (2**30 - 1)
M64 = 2**64 - 1


class Broken(Exception):
    """A rule of FORMAT.md that the table breaks."""


def require(truth, rule):
    if not truth:
        raise Broken(rule)


VALUES = "Values, seen by the side to move: L lost in, W won in so many plies, D draw"


def value(code):
    """A code as L7 (lost in 7), W7 (won in 7) or D (draw)."""
    if code == 0:
        return "D"
    return f"L{(code - 1) // 2}" if code % 2 else f"W{(code - 2) // 2}"


class Dump:
    """The lines of the dump, and a check that they name every byte once."""

    def __init__(self, data):
        self.data, self.at, self.lines = data, 0, []

    def text(self, line=""):
        self.lines.append(line)

    def note(self, line):
        self.lines.append(f"{'':6}  {'':47}  {line}")

    def field(self, size, name, meaning=""):
        """Names the next `size` bytes and returns them. Long fields take several lines."""
        require(self.at + size <= len(self.data), f"{name}: the file ends inside it")
        raw = self.data[self.at : self.at + size]
        label = f"{name}: {meaning}" if meaning != "" else name
        for i in range(0, max(size, 1), 16):
            shown = " ".join(f"{b:02x}" for b in raw[i : i + 16])
            self.lines.append(f"{self.at + i:06x}  {shown:47}  {label if i == 0 else '..'}".rstrip())
        self.at += size
        return raw

    def zeros(self, size, name):
        raw = self.data[self.at : self.at + size]
        require(len(raw) == size and not any(raw), f"{name} must be {size} zeros")
        if size:
            self.lines.append(f"{self.at:06x}  {'00 (' + str(size) + ' times)':47}  {name}")
        self.at += size

    def number(self, kind, name, meaning=lambda n: ""):
        size = struct.calcsize("<" + kind)
        require(self.at + size <= len(self.data), f"{name}: the file ends inside it")
        n = struct.unpack_from("<" + kind, self.data, self.at)[0]
        said = meaning(n)
        self.field(size, name, f"{n}{' ' + said if said else ''}")
        return n


def seal(seed, rest):
    return zlib.crc32(rest, zlib.crc32(struct.pack("<I", seed)))


def one_of(table):
    def meaning(n):
        require(n in table, f"{n} is not one of {sorted(table)}")
        return table[n]

    return meaning


def multisets(n, k):
    """How many multisets of k numbers below n there are."""
    return math.comb(n + k - 1, k)


def rank(numbers):
    """The number of a multiset (§7)."""
    return sum(math.comb(x + j, j + 1) for j, x in enumerate(sorted(numbers)))


def read_name(out, what):
    """Reads a name (§3): at most 255 bytes of UTF-8 without control characters."""
    size = out.number("Q", f"{what}, bytes")
    require(size <= 255, f"{what}: at most 255 bytes")
    raw = out.data[out.at : out.at + size]
    try:
        name = raw.decode()
    except UnicodeDecodeError:
        raise Broken(f"{what}: UTF-8") from None
    require(not any(ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 for c in name), f"{what}: no control characters")
    out.field(size, what, name)
    return name


def teams_of(n, k):
    """All teams of k officers on n cells, by rank."""
    return sorted(itertools.combinations_with_replacement(range(n), k), key=rank)


def tiling(cells, width, size):
    """The cells (by number) of every tile that has one, in rank order (§5)."""
    tiles = {}
    for n, cell in enumerate(cells):
        row, column = divmod(cell, width)
        tiles.setdefault((row // size[0], column // size[1]), []).append(n)
    return [tiles[key] for key in sorted(tiles)]


def team_tiling(tiles, teams):
    """The teams of every police tile, by rank (§7)."""
    place = {n: (t, r) for t, tile in enumerate(tiles) for r, n in enumerate(tile)}
    parts = [[None] * size for size in team_sizes(tiles, len(teams[0]))]
    for team in teams:
        number, radix = 0, 1
        for t in sorted({place[n][0] for n in team}):
            ranks = [place[n][1] for n in team if place[n][0] == t]
            number += radix * rank(ranks)
            radix *= multisets(len(tiles[t]), len(ranks))
        parts[rank(place[n][0] for n in team)][number] = team
    require(all(team is not None for part in parts for team in part), "every slot has its team")
    return parts


def team_sizes(tiles, officers):
    """How many teams each police tile has."""
    sizes = [0] * multisets(len(tiles), officers)
    for chosen in itertools.combinations_with_replacement(range(len(tiles)), officers):
        sizes[rank(chosen)] = math.prod(multisets(len(tiles[t]), chosen.count(t)) for t in set(chosen))
    return sizes


class GameHeader:
    """The header of a game table (§9) behind its first field; it must end at `end`."""

    def __init__(self, out, end):
        read_name(out, "name")
        self.key = out.number("Q", "key", lambda n: f"= {n:#018x}")
        self.positions = out.number("Q", "positions")
        require(self.positions >= 1, "at least one position")
        self.per_block = out.number("I", "slots per block")
        require(1 <= self.per_block <= 65536, "1 to 65,536 slots per block")
        self.counts = [out.number("Q", f"positions {what}") for what in ("won", "lost", "drawn")]
        require(sum(self.counts) == self.positions, "the counts sum to N")
        self.longest = [out.number("I", f"longest, {what}") for what in ("won", "lost")]
        self.digest = out.number("Q", "digest", lambda n: f"= {n:#018x}")
        self.pieces, self.show = [], value
        require(out.at == end, "the header is used up exactly")
        count = (self.positions + self.per_block - 1) // self.per_block
        require(count <= 2**40, "at most 2⁴⁰ blocks")
        require(count * 8 <= len(out.data), "the file has its index")
        self.slots = [self.per_block] * (count - 1) + [self.positions - self.per_block * (count - 1)]

    def divided(self):
        """Describes the division into blocks."""
        return f"{self.positions} positions / {self.per_block} slots"


KEPT = {0: "values", 1: "who wins", 2: "best moves of the police", 3: "best moves of the thief"}


def bits(raw, count, what):
    """The numbers of the bits that are 1, of so many."""
    require(len(raw) == (count + 7) // 8, f"{what}: a bit for each")
    ones = [i for i in range(8 * len(raw)) if raw[i // 8] >> i % 8 & 1]
    require(not ones or ones[-1] < count, f"{what}: unused bits are 0")
    return ones


def mixed(lists):
    """All choices of one of each list, by a number with a digit for each, the first least significant."""
    return [choice[::-1] for choice in itertools.product(*reversed(lists))]


class Kind:
    """A kind of pieces: its rows of the header (§3), and then its sections (§4)."""

    def __init__(self, out, game, name):
        self.name, self.game = name, game
        self.rows, self.columns, self.worlds = game.rows, game.columns, game.worlds
        read_name(out, f"{name}: name")
        self.pieces = out.number("B", f"{name}: pieces")
        require(self.pieces >= 1, "at least one piece of a kind")
        self.layers = out.number("Q", f"{name}: layers")
        require(1 <= self.layers <= 256 and self.layers * self.rows <= 65535, "layers, and rows of the grid")
        titles = [read_name(out, f"  layer {i}") for i in range(self.layers)]
        self.squares = self.layers * self.rows * self.columns
        require(self.worlds * self.squares <= 2**22, "at most 2²² squares in all worlds")
        if size := out.number("Q", f"{name}: places, bytes"):
            self.cells = bits(out.field(size, "  places"), self.squares, "places")
        else:
            first = game.kinds[0] if game.kinds else None
            require(first and first.squares == self.squares, "the first kind's places, on a grid as large")
            self.cells = first.cells
        require(self.cells, "at least one place")
        self.number = {cell: n for n, cell in enumerate(self.cells)}
        for row in range(self.layers * self.rows):
            if row % self.rows == 0:
                out.note(f"  layer {row // self.rows} {titles[row // self.rows]}".rstrip())
            start = row * self.columns
            out.note("  " + "".join("#."[i in self.number] for i in range(start, start + self.columns)))
        self.tile = out.number("B", f"{name}: tile rows"), out.number("B", f"{name}: tile columns")
        require(1 <= math.prod(self.tile) <= 256, "1 to 256 squares in a tile")
        self.tiles = tiling(self.cells, self.columns, self.tile)
        words = ("moves", "captures", "escapes" if name == "thief" else "arrivals")
        self.lengths = [(what, out.number("I", f"{name}: bytes of {what}")) for what in words]

    def called(self, n):
        """The name of place n: row and column on the board, after the layer where there are several."""
        layer, square = divmod(self.cells[n], self.rows * self.columns)
        return f"{layer}:" * (self.layers > 1) + "{},{}".format(*divmod(square, self.columns))

    def read_lists(self, out):
        """The list of differences of each place, world after world."""
        n, at = leb128(out.data, 0)
        require(1 <= n <= 65536, "1 to 65,536 lists")
        out.field(at, "lists", n)
        lists, total = [], 0
        for i in range(n):
            length, at = leb128(out.data, at)
            total += length
            require(total <= 2**22, "at most 2²² differences in a section")
            found = []
            for _ in range(length):
                step, at = leb128(out.data, at)
                found.append(found[-1] + step + 1 if found else -(step + 1) // 2 if step % 2 else step // 2)
                require(abs(found[-1]) < 2**31, "a difference is below 2³¹")
            out.field(at - out.at, f"  list {i}", " ".join(map(str, found)) or "none")
            lists.append(found)
        places = len(self.cells)
        count = self.worlds * places
        low = out.data[at : at + count]
        high = out.data[at + count :] if n > 256 else bytes(count)
        require(len(low) == len(high) == count, "a list for each world and place")
        numbers = [a + 256 * b for a, b in zip(low, high)]
        require(all(i < n for i in numbers), "the number of a list is in the palette")
        for what in ("lists", "high bytes of lists")[: 1 + (n > 256)]:
            for start in range(0, count, places):
                for i in range(start, start + places, 16):
                    size = min(16, start + places - i)
                    name = f"{what} of world {start // places}, from {self.called(i - start)}"
                    out.field(size, name, " ".join(map(str, numbers[i : i + size])))
        return [[lists[i] for i in numbers[start : start + places]] for start in range(0, count, places)]

    def read_moves(self, out):
        """Fills in moves[world][place], a list of worlds and places."""
        self.moves = []
        for world, lists in enumerate(self.read_lists(out)):
            start, row = world * self.squares, []
            for cell, found in zip(self.cells, lists):
                targets = [divmod(start + cell + d, self.squares) for d in found]
                require(all(0 <= w < self.worlds for w, _ in targets), "a move leads to a world")
                require(all(to in self.number for _, to in targets), "a move leads to a place")
                row.append([(w, self.number[to]) for w, to in targets])
            self.moves.append(row)

    def read_captures(self, out):
        """Fills in captures[world][place], a set of the thief's places."""
        thief = self.game.thief
        if not out.data:
            same = (self.layers, self.cells) == (thief.layers, thief.cells)
            require(same, "the places of officers who capture on their own square")
            self.captures = [[{n} for n in range(len(self.cells))]] * self.worlds
            out.note("  the thief on the officer's own square")
            return
        self.captures = []
        for lists in self.read_lists(out):
            targets = [[cell + d for d in found] for cell, found in zip(self.cells, lists)]
            require(all(to in thief.number for row in targets for to in row), "a capture is of a place")
            self.captures.append([{thief.number[to] for to in row} for row in targets])

    def read_ends(self, out):
        """Fills in ends[world], the set of the places that are arrivals or escapes."""
        places, ones = len(self.cells), []
        if out.data:
            ones = bits(out.data, self.worlds * places, "ends")
            out.field(len(out.data), "a bit for each world and place")
        self.ends = [set() for _ in range(self.worlds)]
        for i in ones:
            self.ends[i // places].add(i % places)
        for world, ends in enumerate(self.ends):
            out.note(f"  world {world}: " + (" ".join(map(self.called, sorted(ends))) or "none"))


class Game:
    """A pursuit game: the header (§3) behind its first field, which ends at `end`, and the sections (§4)."""

    def __init__(self, out, end):
        self.keeps = out.number("I", "keeps", one_of(KEPT))
        self.show = str if self.keeps else value
        self.worlds = out.number("I", "worlds")
        require(1 <= self.worlds <= 4096, "1 to 4096 worlds")
        self.rows, self.columns = out.number("H", "rows"), out.number("H", "columns")
        require(1 <= self.rows * self.columns <= 2**20, "1 to 2²⁰ squares")
        self.kinds = []
        count = out.number("Q", "kinds of officers")
        require(count <= 6, "0 to 6 kinds of officers")
        for k in range(count):
            self.kinds.append(Kind(out, self, f"kind {k}"))
        self.thief = Kind(out, self, "thief")
        require(sum(k.pieces for k in self.kinds) <= 6, "at most 6 officers")
        rows = sum(k.layers * k.rows for k in self.kinds)
        require(rows <= 65535, "at most 65,535 rows of the grids of all officers")
        require(self.thief.pieces == 1, "one thief")
        require(self.thief.lengths[1][1] == 0, "no captures of the thief")
        everyone = [*self.kinds, self.thief]
        slots = math.prod(math.prod(k.tile) ** k.pieces for k in everyone)
        require(slots <= 65536, "tiles that make at most 65,536 slots")
        self.one_moves = out.number("I", "turn", one_of({0: "every officer moves", 1: "one officer moves"}))
        self.stuck = out.number("I", "stuck", one_of({0: "loses", 1: "wins"}))
        out.number("I", "undecided", one_of({0: "draw", 1: "police", 2: "thief"}))
        self.counts = [
            [out.number("Q", f"{side} to move: {who}") for who in ("police wins", "thief wins", "draws")]
            for side in ("police", "thief")
        ]
        self.longest = [out.number("I", f"longest, won by the {who}") for who in ("police", "thief")]
        self.digest = out.number("Q", "digest", lambda n: f"= {n:#018x}")
        positions = math.prod(multisets(len(k.cells), k.pieces) for k in self.kinds)
        positions *= self.worlds * len(self.thief.cells)
        require(positions <= 2**60, "at most 2⁶⁰ positions")
        require(all(sum(side) == positions for side in self.counts), "the counts of a side sum to W·P·N")
        self.sections = [(f"{k.name}: {what}", length) for k in everyone for what, length in k.lengths]
        del self.sections[-2]
        self.sections += [(what, out.number("I", f"bytes of {what}")) for what in ("source", "points")]
        require(self.sections[-2][1] <= 2**22, "a source of at most 2²² bytes")
        require(out.at == end, "the header is used up exactly")
        teams = [teams_of(len(k.cells), k.pieces) for k in self.kinds]
        self.teams = mixed(teams)
        tiles = [team_tiling(kind.tiles, of) for kind, of in zip(self.kinds, teams)]
        self.police_tiles = [mixed(parts) for parts in mixed(tiles)]
        self.blocks = list(itertools.product(range(self.worlds), self.police_tiles, self.thief.tiles))
        self.pieces = [
            (f"{name} from {at}", min(length - at, 65536))
            for name, length in self.sections
            for at in range(0, length, 65536)
        ]
        self.slots = [len(p) * len(t) for _, p, t in self.blocks] + [size for _, size in self.pieces]

    def divided(self):
        """Describes the division into blocks."""
        tiles = f"{len(self.police_tiles)} police tiles × {len(self.thief.tiles)} thief tiles"
        return f"{self.worlds} worlds × {tiles}, {len(self.pieces)} pieces of sections"

    def read_sections(self, out, codes):
        """Reads the sections from the codes of their pieces."""
        rest, sections = b"".join(map(bytes, codes)), iter(self.sections)

        def read(reader):
            nonlocal rest
            name, length = next(sections)
            part, rest = Dump(rest[:length]), rest[length:]
            out.text()
            out.text(f"-- Section (§4), {length} bytes: {name}")
            try:
                reader(part)
                require(part.at == length, "the section is used up exactly")
            except Broken as rule:
                raise Broken(f"{name}: {rule}") from None
            out.lines += part.lines

        for kind in self.kinds:
            read(kind.read_moves)
            read(kind.read_captures)
            read(kind.read_ends)
        read(self.thief.read_moves)
        read(self.thief.read_ends)
        read(self.read_source)
        read(self.read_points)
        if self.keeps == 2 and not self.one_moves:
            for world in range(self.worlds):
                radices = (max(map(len, k.moves[world])) ** k.pieces for k in self.kinds)
                require(math.prod(radices) <= 2**30, f"world {world}: radices that multiply to at most 2³⁰")

    def read_source(self, out):
        try:
            out.data.decode()
        except ValueError:
            raise Broken("the source is text in UTF-8") from None
        for line in out.data.splitlines(keepends=True):
            out.field(len(line), "text", line.decode().rstrip())

    def read_points(self, out):
        require(len(out.data) in (0, 8 * self.rows * self.columns), "8 bytes for each square of the board")
        for square in range(len(out.data) // 8):
            name = "{},{}".format(*divmod(square, self.columns))
            out.number("i", f"{name} right")
            out.number("i", f"{name} down")

    def places(self):
        """All worlds, teams and places of the thief."""
        return range(self.worlds), self.teams, range(len(self.thief.cells))

    def winner(self, world, team, t):
        """The side that has won a terminal position, or None."""
        officers = [(kind, n) for kind, places in zip(self.kinds, team) for n in places]
        if any(t in kind.captures[world][n] for kind, n in officers):
            return "police"
        if t in self.thief.ends[world]:
            return "thief"
        return "police" if any(n in kind.ends[world] for kind, n in officers) else None

    def called(self, team):
        """The name of a team: the places of each kind."""
        return "/".join("+".join(map(kind.called, of)) for kind, of in zip(self.kinds, team))

    @functools.cache
    def turns(self, world, team):
        """The worlds and teams to which a turn of the police leads, by the numbers of the turns (§11)."""
        pieces = [(k, n) for k, places in enumerate(team) for n in places]
        moves = [[(w, (k, to)) for w, to in self.kinds[k].moves[world][n]] for k, n in pieces]
        if self.one_moves:
            turns = [(w, pieces[:i] + [to] + pieces[i + 1 :]) for i, of in enumerate(moves) for w, to in of]
        else:
            turns = []
            for turn in mixed(moves):
                worlds = {w for w, _ in turn} or {world}
                require(len(worlds) == 1, f"world {world}, police {team}: a turn leads to one world")
                turns.append((worlds.pop(), [to for _, to in turn]))
        kinds = range(len(self.kinds))
        return [(w, tuple(tuple(sorted(n for j, n in to if j == k)) for k in kinds)) for w, to in turns]

    def after(self, side, world, team, t):
        """The positions after each move of one that is not terminal, by the numbers of the moves."""
        if side == "police":
            return [("thief", w, to, t) for w, to in self.turns(world, team)]
        return [("police", w, team, to) for w, to in self.thief.moves[world][t]]


def solved(game):
    """The codes of all positions (side to move, world, team, thief) but draws, by going back from those whose
    winner is known at once. Each round finds the positions that are decided in one ply more."""
    known, before, left = {}, {}, {}
    for place in itertools.product(("police", "thief"), *game.places()):
        winner = game.winner(*place[1:])
        after = () if winner else set(game.after(*place))
        if not after:
            won = place[0] == winner if winner else game.stuck
            known[place] = 2 if won else 1
        left[place] = len(after)
        for to in after:
            before.setdefault(to, []).append(place)
    last = list(known)
    while last:
        found = []
        for to in last:
            lost = known[to] % 2
            for place in before.get(to, ()):
                left[place] -= 1
                if place not in known and (lost or left[place] == 0):
                    known[place] = known[to] + (3 if lost else 1)
                    found.append(place)
        last = found
    return known


def kept(game, known, place, code):
    """The word for a code of a position that is not terminal, after a check by the values that are known."""
    side, world, team, t = place
    right, named = known.get(place, 0), f"world {world}, police {team}, thief {t}"
    if game.keeps < 2:
        if game.keeps:
            right = right and 2 - right % 2
        said = ["draw", "thief", "police"][right] if game.keeps else value(right)
        require(code == right, f"{named}: stored {game.show(code)}, by the moves {game.show(right)} = {said}")
        return said
    after = game.after(*place)
    if code == 0:
        require(not after, f"{named}: has a move")
        return "stuck"
    require(code <= len(after), f"{named}: has {len(after)} moves, not {code}")
    to = after[code - 1]
    require(backed_up(game, [known.get(to, 0)]) == right, f"{named}: move {code} is a best one")
    name = (game.called(to[2]) or "none") if side == "police" else game.thief.called(to[3])
    return name + f"@{to[1]}" * (game.worlds > 1)


def played_values(out, game, codes):
    """Solves a pursuit game by its moves and ends, checks all that is stored, and lists it."""
    game.read_sections(out, codes[len(game.blocks) :])
    known, places = solved(game), list(itertools.product(*game.places()))
    both = {side: [known.get((side, *place), 0) for place in places] for side in ("police", "thief")}
    check_totals(game, *both.values())
    shown = {}
    for (world, teams, thief), block in zip(game.blocks, codes):
        for slot, code in enumerate(block):
            t, p = divmod(slot, len(teams))
            place = "thief" if game.keeps == 3 else "police", world, teams[p], thief[t]
            shown[place] = "end" if game.winner(*place[1:]) else kept(game, known, place, code)

    meaning = KEPT[game.keeps].capitalize() + ", as where they lead" * (game.keeps > 1)
    if game.keeps == 0:
        meaning = VALUES
        shown = {(side, *place): value(code) for side in both for place, code in zip(places, both[side])}
    out.text()
    out.text(f"-- {meaning}; one column per thief cell")
    out.text("cell " + " ".join(map(game.thief.called, game.places()[2])))
    for world, side in itertools.product(range(game.worlds), dict.fromkeys(side for side, *_ in shown)):
        out.text(f"{side} to move" + f" in world {world}" * (game.worlds > 1) + ":")
        for team in game.teams:
            row = " ".join(f"{shown[side, world, team, t]:>3}" for t in game.places()[2])
            out.text(f"{side}-{game.called(team)}: {row}")


def leb128(data, at):
    n = shift = 0
    while True:
        require(at < len(data), "a LEB128 number is whole")
        byte = data[at]
        n |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        require(shift <= 35, "a LEB128 number has at most 5 bytes")
        if byte < 128:
            require(n < 2**32, "a LEB128 number is below 2³²")
            return n, at


def check_palette(palette, most):
    require(all(a < b for a, b in zip(palette, palette[1:])), "a palette rises strictly")
    require(palette[-1] <= most, f"codes are at most {most}")


def read_packed(out, slots, end, most=MAX_CODE, show=value):
    w = out.number("B", "  bits per index")
    require(1 <= w <= 16, "1 to 16 bits per index")
    e = out.number("B", "  bytes per palette entry")
    require(e in (2, 4), "2 or 4 bytes per palette entry")
    n = out.number("H", "  palette entries − 1") + 1
    require(n >= 2, "at least two palette entries")
    palette = [out.number({2: "H", 4: "I"}[e], f"  palette[{i}]", lambda c: f"= {show(c)}") for i in range(n)]
    check_palette(palette, most)
    size = (w * slots + 7) // 8
    require(out.at + size + 3 == end, "the length of a packed block")
    raw = out.data[out.at : out.at + size]
    bits = int.from_bytes(raw, "little")
    indices = [bits >> w * s & (1 << w) - 1 for s in range(slots)]
    require(all(i < n for i in indices), "an index is in the palette")
    require(bits >> w * slots == 0, "unused bits of the last byte are 0")
    codes = [palette[i] for i in indices]
    for i in range(0, size, 8):
        first, last = (8 * i + w - 1) // w, min((8 * min(i + 8, size) + w - 1) // w, slots)
        out.field(min(8, size - i), f"  slots from {first}", " ".join(map(show, codes[first:last])))
    out.zeros(3, "  three zeros")
    return codes


def read_zstd(out, slots, end, most=MAX_CODE, show=value):
    frame = out.data[out.at : end]
    require(out.field(4, "  zstd magic") == b"\x28\xb5\x2f\xfd", "a Zstandard frame")
    descriptor = out.number("B", "  frame header descriptor")
    require(descriptor & 15 == 0, "no checksum, no dictionary, and a reserved bit of 0")
    single = descriptor & 32
    if not single:
        window = out.number("B", "  window descriptor")
        require((8 + (window & 7)) << (window >> 3) + 7 <= 2**20, "a window of at most 2²⁰ bytes")
    size = {0: "B" if single else None, 1: "H", 2: "I", 3: "Q"}[descriptor >> 6]
    require(size is not None, "the frame says its content size")
    content = out.number(size, "  content size", lambda n: f"+ 256 = {n + 256}" if size == "H" else "")
    content += 256 if size == "H" else 0
    require(content <= 5 + 7 * slots, "at most 5 + 7·slots bytes of content")
    out.field(end - out.at, "  zstd blocks")
    try:
        import zstandard
    except ImportError:
        raise Broken("no rule: this table has zstd blocks, please install the module `zstandard`") from None
    worker = zstandard.ZstdDecompressor().decompressobj()
    try:
        plain = worker.decompress(frame)
    except zstandard.ZstdError:
        raise Broken("a Zstandard frame that can be decompressed") from None
    require(worker.eof and worker.unused_data == b"", "one whole frame and nothing after it")
    require(len(plain) == content, "the content size is true")
    n, at = leb128(plain, 0)
    require(2 <= n <= slots, "2 palette entries to one per slot")
    palette, code = [], 0
    for i in range(n):
        step, at = leb128(plain, at)
        require(i == 0 or step >= 1, "a palette rises strictly")
        code += step
        palette.append(code)
    check_palette(palette, most)
    low = plain[at : at + slots]
    high = plain[at + slots :] if n > 256 else bytes(slots)
    require(len(plain) == at + slots * (2 if n > 256 else 1), "the length of a block's content")
    indices = [a + 256 * b for a, b in zip(low, high)]
    require(all(i < n for i in indices), "an index is in the palette")
    for i in range(0, at, 16):
        shown = " ".join(f"{b:02x}" for b in plain[i : min(i + 16, at)])
        out.text(f"   +{i:04x} {shown:47}  " + (f"content: {n} palette entries" if i == 0 else ".."))
    out.note("    palette " + " ".join(map(show, palette)))
    for i in range(at, len(plain), 16):
        shown = " ".join(f"{b:02x}" for b in plain[i : i + 16])
        first = (i - at) % slots
        known = [show(palette[j]) for j in indices[first : first + 16]]
        out.text(f"   +{i:04x} {shown:47}  content, slots from {first}: {' '.join(known)}".rstrip())
    return [palette[i] for i in indices]


def splitmix64(x):
    x = (x + 0x9E3779B97F4A7C15) & M64
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & M64
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & M64
    return x ^ x >> 31


def backed_up(header, after):
    """The code that the codes of the positions after each move give."""
    if not after:
        return 2 if header.stuck else 1
    lost = [(code - 1) // 2 for code in after if code % 2]
    if lost:
        return 2 + 2 * (1 + min(lost))
    if 0 in after:
        return 0
    return 1 + 2 * (1 + max((code - 2) // 2 for code in after))


def digest(codes):
    """The digest (§8) of the codes of all positions in the order of their numbers."""
    return sum(splitmix64((i + code * 0x9E3779B97F4A7C15) & M64) for i, code in enumerate(codes)) & M64


def check_totals(header, police, thief):
    """Checks counts, longest wins and digest by the codes with the police and with the thief to move."""
    for codes, counts in (police, header.counts[0]), (thief, header.counts[1]):
        own = sum(1 for c in codes if c and c % 2 == 0)
        other = sum(1 for c in codes if c % 2)
        said = [own, other] if codes is police else [other, own]
        require(counts == said + [len(codes) - own - other], "the counts are true")
    won = [[(c - 2) // 2 for c in codes if c and c % 2 == 0] for codes in (police, thief)]
    lost = [[(c - 1) // 2 for c in codes if c % 2] for codes in (police, thief)]
    longest = [max(won[0] + lost[1], default=0), max(won[1] + lost[0], default=0)]
    require(header.longest == longest, "the longest wins are true")
    require(header.digest == digest(police), "the digest is true")


def game_values(out, header, codes):
    """Checks the counts of a game table and lists its values."""
    codes = [code for block in codes for code in block]
    won = [(code - 2) // 2 for code in codes if code and code % 2 == 0]
    lost = [(code - 1) // 2 for code in codes if code % 2]
    require(header.counts == [len(won), len(lost), len(codes) - len(won) - len(lost)], "the counts are true")
    require(header.longest == [max(won, default=0), max(lost, default=0)], "the longest distances are true")
    require(header.digest == digest(codes), "the digest is true")
    out.text()
    out.text("-- " + VALUES.replace("side", "player"))
    for i in range(0, len(codes), 16):
        out.text(f"positions from {i}: " + " ".join(f"{value(code):>3}" for code in codes[i : i + 16]))


def dump(data):
    out = Dump(data)
    out.text("offset  bytes                                            field: meaning")
    out.text()
    out.text("-- Start (§2)")
    require(out.field(8, "magic") == MAGIC, "the magic bytes")
    require(out.number("H", "version") == 2, "version 2")
    require(out.number("H", "reserved") == 0, "reserved is 0")
    length = out.number("I", "header length")
    require(length <= 2**20, "a header of at most 2²⁰ bytes")
    data_length = out.number("Q", "data length")
    head = data[28 : 28 + length]
    require(len(head) == length, "the file ends in the header")
    sum_ = out.number("I", "CRC", lambda n: f"= {n:#010x}, of bytes [0, 24) and the header")
    require(sum_ == zlib.crc32(head, zlib.crc32(data[:24])), "the CRC of the header")
    seed = zlib.crc32(head)
    out.text()
    out.text(f"-- Header (§3); its CRC, the seed of the other checksums, is {seed:#010x}")
    end = out.at + length
    if out.number("I", "table", one_of({0: "pursuit", 1: "game"})):
        header, values = GameHeader(out, end), game_values
    else:
        header, values = Game(out, end), played_values
    sections = [name for name, _ in header.pieces]
    out.zeros(-out.at % 512, "zeros up to the index")

    slots_of = header.slots
    pages = (len(slots_of) + 62) // 63
    start = out.at + 512 * pages
    require(start + data_length == len(data), "the file ends with the last block")
    out.text()
    out.text(f"-- Index (§5): {header.divided()} = {len(slots_of)} blocks, {pages} pages; D is {start:06x}")
    codes_of = [None] * len(slots_of)
    # The last blocks of a pursuit table are bytes of sections.
    positions = len(slots_of) - len(sections)

    def most(block):
        return MAX_CODE if block < positions else 255

    def show(block):
        return header.show if block < positions else "{:02x}".format

    extents = {}
    for page in range(pages):
        body = data[out.at : out.at + 504]
        here = range(63 * page, min(63 * page + 63, len(slots_of)))
        for block in here:
            entry = struct.unpack_from("<Q", data, out.at)[0]
            kind, size, offset = entry >> 62, entry >> 40 & 2**22 - 1, entry & 2**40 - 1
            slots = slots_of[block]
            name = f"block {block} ({slots} slots)"
            if block >= positions:
                name = f"block {block} ({slots} bytes, {sections[block - positions]})"
            if kind == 0:
                require(entry < 2**32, "nothing but a code in a constant entry")
                require(entry <= most(block), f"codes are at most {most(block)}")
                out.field(8, name, f"constant {entry} = {show(block)(entry)}")
                codes_of[block] = [entry] * slots
            else:
                require(kind in (1, 2), "no kind 3")
                require(size >= 5 and offset + size <= data_length, "an extent is in the data section")
                out.field(8, name, f"{'packed' if kind == 1 else 'zstd'}, {size} bytes at D + {offset:#x}")
                extents.setdefault((offset, size), []).append((kind, block))
        out.zeros(504 - 8 * len(here), "unused entries")
        sum_ = out.number("I", "CRC", lambda n: f"= {n:#010x}, of the seed, page number {page} and the page")
        require(sum_ == seal(seed, struct.pack("<Q", page) + body), "the CRC of a page")
        out.zeros(4, "zero")

    next_offset = 0
    for (offset, size), users in sorted(extents.items()):
        kind, block = users[0]
        slots = slots_of[block]
        names = ", ".join(str(b) for _, b in users)
        out.text()
        out.text(f"-- D + {offset:#x}: {'packed' if kind == 1 else 'zstd'}, block {names} (§6), {slots} slots")
        require(offset == next_offset, "extents fill the data section without gap or overlap")
        require(all(k == kind for k, _ in users), "an extent is of one kind")
        require(all(slots_of[b] == slots for _, b in users), "an extent has one number of slots")
        end = out.at + size
        sum_ = out.number("I", "CRC", lambda n: f"= {n:#010x}, of the seed, the offset and the body")
        require(sum_ == seal(seed, struct.pack("<Q", offset) + data[out.at : end]), "the CRC of a block")
        read = read_packed if kind == 1 else read_zstd
        codes = read(out, slots, end, min(most(b) for _, b in users), show(block))
        require(out.at == end, "the length of a block")
        for _, b in users:
            codes_of[b] = codes
        next_offset = offset + size
    require(next_offset == data_length, "extents fill the data section")
    require(out.at == len(data), "every byte is named")

    values(out, header, codes_of)
    return "\n".join(out.lines) + "\n"


def main(arguments):
    check = arguments[:1] == ["--check"]
    files = arguments[1:] if check else arguments
    if not files or (len(files) > 1 and not check):
        sys.exit(__doc__)
    for name in files:
        try:
            with open(name, "rb") as file:
                text = dump(file.read())
            if check:
                with open(name.removesuffix(".dtb") + ".txt", encoding="utf-8") as file:
                    require(file.read() == text, "the .txt beside the table is its dump")
                print(f"{name}: good")
            else:
                sys.stdout.write(text)
        except (Broken, OSError) as error:
            sys.exit(f"{name}: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
