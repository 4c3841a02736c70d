import assert from "node:assert/strict";
import { test } from "node:test";
import { Cache, DragnetError, GameTable, GivenTable, PartialTable, Table, Tablebase } from "dragnet-probe";
import { DifferenceLists } from "../dist/difference-lists.js";
import { goldenBytes, goldenDump } from "./support/golden.mjs";
import { givenTable, listSection } from "./support/made.mjs";
import { Random } from "./support/random.mjs";
import { serveRanges } from "./support/range-server.mjs";
import { extents, layout, repair } from "./support/repair.mjs";

// Stack traces of so many errors would take most of the time.
Error.stackTraceLimit = 0;

/** A board, two officers of whom one moves, and a guard who looks ahead, in a layer for each direction. */
const GIVEN = ["v2-board", "v2-ring", "v2-round"];

/** Returns every position in the dump beside a table with its value, which another reader has written. */
function dumped(name) {
  const text = goldenDump(name);
  const rows = Number(/rows: (\d+)/.exec(text)[1]);
  const cellOf = (word) => {
    const [, layer = 0, row, column] = /^(?:(\d+):)?(\d+),(\d+)$/.exec(word);
    return [Number(layer) * rows + Number(row), Number(column)];
  };
  const thieves = /^cell (.*)$/m.exec(text)[1].split(" ").map(cellOf);
  return [...text.matchAll(/^(police|thief)-(\S+): +(.*)$/gm)].flatMap(([, turn, team, values]) => {
    const cells = team.split("+").map(cellOf);
    const police = cells.length === 1 ? cells[0] : cells;
    return values.split(/ +/).map((word, k) => {
      const other = turn === "police" ? "thief" : "police";
      const outcome = { W: turn, L: other, D: "draw" }[word[0]];
      const value = { outcome, dtw: outcome === "draw" ? null : Number(word.slice(1)) };
      return { position: { police, thief: thieves[k], turn }, value };
    });
  });
}

/** Returns the position after a move. */
function after({ police, thief, turn }, to) {
  return turn === "police" ? { police: to, thief, turn: "thief" } : { police, thief: to, turn: "police" };
}

/**
 * Opens, checks and asks a table, allowing no errors but DragnetErrors. Returns the values, and the kinds of
 * the errors.
 */
function exercise(bytes, positions) {
  const kinds = [];
  const tryTo = (action) => {
    try {
      return action();
    } catch (error) {
      assert.ok(error instanceof DragnetError, error?.stack ?? String(error));
      kinds.push(error.kind);
      return undefined;
    }
  };
  const table = tryTo(() => GivenTable.fromBytes(bytes, { cache: new Cache(2 ** 16) }));
  if (table === undefined) return { values: [], kinds };
  const values = positions.map((position) => tryTo(() => table.value(position)));
  for (const position of positions) {
    tryTo(() => table.moves(position));
    tryTo(() => table.winner(position));
  }
  tryTo(() => table.checkSums());
  tryTo(() => table.source());
  return { values, kinds };
}

/** Returns a golden table that has been changed behind valid checksums. */
function changed(name, change) {
  const bytes = goldenBytes(name);
  change(new DataView(bytes.buffer), bytes);
  return repair(bytes);
}

for (const name of GIVEN) {
  const whole = goldenBytes(name);
  const known = dumped(name);
  const few = known.filter((_, k) => k % Math.ceil(known.length / 20) === 0);
  const asked = few.map(({ position }) => position);

  test(`${name}: every value is the one in the dump`, () => {
    for (const cache of [Cache.shared, new Cache(0)]) {
      const table = GivenTable.fromBytes(whole, { cache });
      assert.equal(table.checkSums().positions, known.length);
      const counts = { police: 0, thief: 0, draw: 0 };
      for (const { position, value } of known) {
        assert.deepEqual(table.value(position), value, JSON.stringify(position));
        const { outcome } = value;
        assert.equal(table.outcome(position), outcome === "draw" ? table.rules.undecided : outcome);
        if (position.turn === "thief") counts[outcome]++;
      }
      assert.deepEqual(counts, table.counts.thief);
    }
  });

  test(`${name}: best moves agree with the values`, () => {
    const table = GivenTable.fromBytes(whole);
    const value = new Map(known.map(({ position, value }) => [JSON.stringify(position), value]));
    for (const { position, value: { outcome, dtw } } of known) {
      const moves = table.moves(position);
      assert.deepEqual(table.bestMove(position), moves[0]);
      const winner = table.winner(position);
      if (winner !== undefined) {
        assert.deepEqual([moves.length, outcome, dtw], [0, winner, 0]);
        continue;
      }
      for (const move of moves) {
        const { to, ...found } = move;
        assert.deepEqual(found, value.get(JSON.stringify(after(position, to))));
      }
      assert.deepEqual([moves[0].outcome, moves[0].dtw], [outcome, dtw === null ? null : dtw - 1]);
      const merits = moves.map((move) => {
        if (move.outcome === "draw") return 0;
        return move.outcome === position.turn ? 1000 - move.dtw : move.dtw - 1000;
      });
      assert.deepEqual(merits, merits.toSorted((a, b) => b - a));
      assert.equal(new Set(moves.map(({ to }) => to.join())).size, moves.length);
    }
  });

  test(`${name}: a table on a server answers as one in memory`, async () => {
    const local = GivenTable.fromBytes(whole);
    const { url, close } = await serveRanges(whole);
    try {
      const table = await GivenTable.open(url);
      for (const { position, value } of few) {
        assert.deepEqual(await table.load((t) => t.value(position)), value);
        const best = await table.load((t) => t.bestMove(position));
        assert.deepEqual(best, local.bestMove(position));
      }
      assert.equal(await table.load((t) => t.source()), local.source());
      assert.deepEqual((await GivenTable.fetch(url)).bytes, local.bytes);
    } finally {
      close();
    }
  });

  test(`${name}: every flipped bit is found, and no answer is wrong`, () => {
    const bytes = whole.slice();
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      bytes[bit >> 3] ^= 1 << (bit & 7);
      const { values, kinds } = exercise(bytes, asked);
      assert.notEqual(kinds.length, 0, `bit ${bit}`);
      for (const [k, value] of values.entries()) {
        if (value !== undefined) assert.deepEqual(value, few[k].value, `bit ${bit}`);
      }
      bytes[bit >> 3] ^= 1 << (bit & 7);
    }
    for (let length = 0; length < whole.length; length++) {
      assert.throws(() => GivenTable.fromBytes(whole.slice(0, length)), DragnetError, `${length} bytes`);
    }
  });

  test(`${name}: any byte changed behind valid checksums neither crashes nor hangs`, () => {
    const places = layout(whole);
    const kinds = new Set();
    const set = (at, word) => {
      const bytes = whole.slice();
      bytes[at] = word;
      repair(bytes, { ...places, view: new DataView(bytes.buffer) });
      for (const kind of exercise(bytes, asked).kinds) kinds.add(kind);
    };
    const ranges = [[8, 24], [28, places.headerEnd], [places.indexStart, places.indexStart + 64]];
    for (const { start, end } of extents(whole)) ranges.push([start + 4, end]);
    for (const [start, end] of ranges) {
      for (let at = start; at < end; at++) {
        for (const word of [0, 1, 2, 5, 0x7f, 0x80, 0xff]) if (whole[at] !== word) set(at, word);
      }
    }
    for (const kind of ["header", "unsupported", "index", "block", "contents"]) {
      assert.ok(kinds.has(kind), kind);
    }
  });

  test(`${name}: random bytes changed behind valid checksums neither crash nor hang`, () => {
    const random = new Random(7);
    const places = layout(whole);
    for (let k = 0; k < 2000; k++) {
      const bytes = whole.slice();
      const from = random.pick([28, places.indexStart, places.dataStart, places.dataStart]);
      for (let n = 1 + random.below(6); n > 0; n--) {
        bytes[from + random.below(bytes.length - from)] = random.below(256);
      }
      exercise(repair(bytes, { ...places, view: new DataView(bytes.buffer) }), asked);
    }
  });

  test(`${name}: readers of other kinds say which reader it needs`, async () => {
    for (const reader of [Table, GameTable, PartialTable]) {
      const message = /found a table of a given game, which GivenTable reads/;
      assert.throws(() => reader.fromBytes(whole), { kind: "unsupported", message });
    }
    await assert.rejects(new Tablebase([whole]).table({}), { kind: "absent" });
  });
}

test("the kinds of pieces have names, layers and places", () => {
  const { kinds, rules } = GivenTable.fromBytes(goldenBytes("v2-round"));
  assert.deepEqual([kinds.police.name, kinds.thief.name], ["guard", "thief"]);
  assert.deepEqual(kinds.police.layers, ["east", "south", "west", "north"]);
  const places = [[0, 0], [0, 1], [3, 2], [4, 2], [8, 1], [8, 2], [10, 0], [11, 0]];
  assert.deepEqual(kinds.police.places.cells(), places);
  assert.deepEqual([kinds.thief.places.height, kinds.thief.places.openCells], [3, 11]);
  assert.deepEqual(rules, { officers: 1, team: "all", stuck: "loses", undecided: "draw" });
  assert.equal(GivenTable.fromBytes(goldenBytes("v2-round")).source(), "....\n.#..\n...E\n");
  assert.equal(GivenTable.fromBytes(goldenBytes("v2-ring")).source(), "");
});

test("tables of version 1 and of unknown versions are refused", () => {
  for (const [name, reader] of [
    ["v1-size", "a pursuit table, which Table"],
    ["v1-graph", "a game table, which GameTable"],
    ["v1-outcomes", "a partial table, which PartialTable"],
  ]) {
    const message = `expected a table of a given game, which GivenTable reads, found ${reader} reads`;
    assert.throws(() => GivenTable.fromBytes(goldenBytes(name)), { kind: "unsupported", message });
  }
  for (const version of [0, 3, 258]) {
    const bytes = changed("v2-ring", (view) => view.setUint16(8, version, true));
    const message = `expected format version 1 or 2, found ${version}`;
    for (const reader of [GivenTable, Table]) {
      assert.throws(() => reader.fromBytes(bytes), { kind: "version", message });
    }
  }
});

test("games that are not supported, and headers that break a rule, are refused", () => {
  const refused = (name, at, word, kind, message) => {
    const bytes = changed(name, (_, bytes) => bytes.set(word, at));
    assert.throws(() => GivenTable.fromBytes(bytes), { kind, message });
  };
  // The places of the fields are those of the dumps.
  refused("v2-ring", 0x1c, [1], "unsupported", /found a game table of version 2/);
  refused("v2-ring", 0x1c, [2], "unsupported", /found game 2, which only a later version can read/);
  refused("v2-ring", 0x20, [1], "unsupported", /expected values, found a table that keeps outcomes/);
  refused("v2-ring", 0x20, [4], "header", /keeps: expected at most 3, found 4/);
  refused("v2-ring", 0x24, [2], "unsupported", /expected a game of 1 world, found 2 worlds/);
  refused("v2-ring", 0x24, [0], "header", /worlds: expected 1 to 4096, found 0/);
  refused("v2-ring", 0x28, [0], "header", /squares of the board: expected 1 to 1048576, found 0/);
  refused("v2-ring", 0x2c, [2], "unsupported", /expected a game of 1 kind of officers, found 2 kinds/);
  refused("v2-ring", 0x2c, [0], "unsupported", /found 0 kinds/);
  refused("v2-ring", 0x2c, [7], "header", /kinds of officers: expected at most 6, found 7/);
  refused("v2-ring", 0x3c, [0xff], "header", /officers, name: expected UTF-8/);
  refused("v2-ring", 0x43, [7], "header", /officers, pieces: expected 1 to 6, found 7/);
  refused("v2-ring", 0x44, [0], "header", /officers, layers: expected 1 to 256, found 0/);
  refused("v2-ring", 0x5c, [0, 0], "header", /officers, places: expected at least one place, found 0/);
  refused("v2-ring", 0x5c, [0xff, 0x0f], "header", /officers, places: expected unused bits of 0, found 15/);
  refused("v2-ring", 0x5e, [0], "header", /officers, tile: expected 1 to 256 squares/);
  refused("v2-ring", 0x63, [3], "header", /bytes of moves: expected 0 to 33554432, found/);
  refused("v2-ring", 0x64, [0], "index", /expected unused entries of 0/);
  refused("v2-ring", 0x68, [1], "header", /bytes of ends: expected 0 or 2, found 1/);
  refused("v2-ring", 0x79, [2], "header", /thief, pieces: expected 1 to 1, found 2/);
  refused("v2-ring", 0x98, [1], "header", /thief, bytes of captures: expected 0, found 1/);
  refused("v2-ring", 0xa0, [2], "header", /turn: expected at most 1, found 2/);
  refused("v2-ring", 0xac, [0], "header", /police to move: expected a sum of 726/);
  refused("v2-ring", 0xf0, [8], "header", /bytes of points: expected 0 or 88, found 8/);
  refused("v2-round", 0x90, [0], "header", /bytes of captures: expected some, since officers and thief have/);
  refused("v2-round", 0xb6, [0], "header", /thief, places: expected 2 bytes, found 0/);
});

test("a position with a piece that has no place is refused", () => {
  const table = GivenTable.fromBytes(goldenBytes("v2-round"));
  const good = { police: [3, 2], thief: [2, 0], turn: "police" };
  assert.deepEqual(table.value(good), { outcome: "thief", dtw: 14 });
  for (const [change, message] of [
    [{ police: [2, 0] }, /the police's cell 2,0 is a wall/],
    [{ police: [12, 0] }, /the police's cell 12,0 is off the board, whose rows go from 0 to 11/],
    [{ thief: [3, 2] }, /the thief's cell 3,2 is off the board, whose rows go from 0 to 2/],
    [{ thief: [1, 1] }, /the thief's cell 1,1 is a wall/],
    [{ police: [[3, 2], [3, 2]] }, /expected the cell of 1 officer, found 2/],
    [{ turn: "nobody" }, /expected police or thief/],
  ]) {
    for (const ask of ["value", "moves", "bestMove", "winner", "outcome"]) {
      assert.throws(() => table[ask]({ ...good, ...change }), { kind: "position", message });
    }
  }
});

test("lists of differences that break a rule are refused", () => {
  // Two lists, {0, 2} and {-2}, one for each of two places.
  const good = [2, 2, 0, 1, 1, 3, 0, 1];
  const read = (bytes, places = 2) => new DifferenceLists(Uint8Array.from(bytes), places, "moves");
  const lists = read(good);
  assert.deepEqual([0, 1].map((place) => [...lists.of(place)]), [[0, 2], [-2]]);
  const has = [-2, -1, 0, 1, 2, 3].map((difference) => [0, 1].map((place) => lists.has(place, difference)));
  assert.deepEqual(has, [[0, 1], [0, 0], [1, 0], [0, 0], [1, 0], [0, 0]].map((row) => row.map(Boolean)));
  assert.deepEqual(Uint8Array.from(listSection([[0, 2], [-2]])), Uint8Array.from(good));
  const refused = (bytes, message) => assert.throws(() => read(bytes), { kind: "block", message });
  refused([], /expected a number, found 0/);
  refused(good.with(0, 0), /expected at least 1 list, found 0/);
  refused([0x81, 0x80, 4], /expected at most 65536 lists, found 65537/);
  refused([1, 0x81, 0x80, 0x80, 2], /expected at most 4194304 differences more, found 4194305/);
  refused([1, 1, 0xff, 0xff, 0xff, 0xff, 0x1f], /expected at most 4294967295 as a number/);
  refused([1, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0], /expected a number of at most 5 bytes/);
  refused([1, 2, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0], /expected a difference of at most 2147483647/);
  refused(good.with(7, 2), /expected numbers of lists below 2, found 2/);
  refused(good.slice(0, 7), /expected 8 bytes, found 7/);
  refused([...good, 0], /expected 8 bytes, found 9/);
});

test("moves that lead to no place are found when they are asked for, and by the check of sums", () => {
  const thiefMoves = [[1], ...Array(8).fill([-1, 1])];
  const table = GivenTable.fromBytes(givenTable(1, 9, [[0, 1], [-1]], thiefMoves));
  assert.equal(table.moves({ police: [0, 0], thief: [0, 4], turn: "police" }).length, 2);
  const message = "the moves of the thief: expected a place 1 squares from square 8, found none";
  const position = { police: [0, 0], thief: [0, 8], turn: "thief" };
  assert.throws(() => table.value(position), { kind: "contents", message });
  assert.throws(() => table.moves(position), { kind: "contents", message });
  assert.throws(() => table.checkSums(), { kind: "contents", message });
});

test("a side without a move is stuck", () => {
  const table = GivenTable.fromBytes(givenTable(1, 3, [[1], []], [[1], [], [-1, 0]]));
  const stuck = { police: [0, 0], thief: [0, 1], turn: "thief" };
  assert.deepEqual(table.value(stuck), { outcome: "police", dtw: 0 });
  assert.deepEqual(table.moves(stuck), []);
  assert.equal(table.bestMove({ police: [0, 1], thief: [0, 2], turn: "police" }), undefined);
  assert.equal(table.bestMove({ police: [0, 0], thief: [0, 2], turn: "thief" }).outcome, "draw");
});

test("sections of several blocks and lists with wide numbers are read, also from a server", async () => {
  const lists = Array.from({ length: 400 }, (_, place) => {
    return Array.from({ length: 400 }, (_, target) => target - place).filter((_, target) => target % 399 > 0);
  });
  const bytes = givenTable(4, 100, [[0]], lists);
  const local = GivenTable.fromBytes(bytes);
  assert.equal(local.kinds.thief.places.openCells, 400);
  const { url, traffic, close } = await serveRanges(bytes);
  const table = await GivenTable.open(url);
  assert.ok(traffic.requests > 1);
  for (const place of [1, 255, 256, 399]) {
    const thief = [Math.floor(place / 100), place % 100];
    const position = { police: [0, 0], thief, turn: "thief" };
    const moves = await table.load((t) => t.moves(position));
    assert.deepEqual(moves, local.moves(position));
    assert.equal(moves.length, 398);
    assert.deepEqual([moves[0].to, moves.at(-1).to], [[0, 1], [3, 98]]);
  }
  close();
});

test("questions that need too much work are refused", () => {
  const all = Array.from({ length: 600 }, (_, place) => place);
  const everywhere = all.map((place) => all.map((target) => target - place));
  const open = GivenTable.fromBytes(givenTable(1, 600, everywhere, everywhere));
  const position = { police: [0, 0], thief: [0, 1], turn: "thief" };
  assert.deepEqual(open.value(position), { outcome: "draw", dtw: null });
  assert.equal(open.moves(position).length, 600);
  const values = { kind: "work", message: /131072 values/ };
  assert.throws(() => open.moves({ ...position, turn: "police" }), values);
  const far = Array.from({ length: 2 ** 18 + 1 }, (_, difference) => difference);
  const stay = [0];
  const thiefMoves = [stay, far, ...Array(520 * 520 - 2).fill(stay)];
  const wide = GivenTable.fromBytes(givenTable(520, 520, [stay, stay], thiefMoves));
  assert.throws(() => wide.value(position), { kind: "work", message: /262144 steps/ });
  assert.deepEqual(wide.value({ ...position, thief: [0, 2] }), { outcome: "draw", dtw: null });
});
