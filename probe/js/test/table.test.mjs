import assert from "node:assert/strict";
import { test } from "node:test";
import { Tablebase, open } from "dragnet-probe";
import { DifferenceLists } from "../dist/difference-lists.js";
import { GOLDEN, fieldAt, goldenBytes, positions } from "./support/golden.mjs";
import { listSection, listedTable } from "./support/made.mjs";
import { serveRanges } from "./support/range-server.mjs";
import { repair } from "./support/repair.mjs";

/** Returns a golden table that has been changed behind valid checksums. */
function changed(name, change) {
  const bytes = goldenBytes(name);
  change(new DataView(bytes.buffer), bytes);
  return repair(bytes);
}

for (const name of GOLDEN) {
  test(`${name}: a table that is opened as one of another kind says what opens it`, () => {
    for (const kind of ["game", "partial"]) {
      const message = `expected a ${kind} table, found a pursuit table, which \`pursuit\` opens`;
      assert.throws(() => open(goldenBytes(name))[kind](), { kind: "unsupported", message });
    }
    assert.equal(open(goldenBytes(name)).any().digest, open(goldenBytes(name)).pursuit().digest);
  });
}

test("the kinds of pieces have names, layers and places", () => {
  const { kinds, places, rules } = open(goldenBytes("v2-round")).pursuit();
  assert.deepEqual([...kinds.police, ...kinds.thief].map(({ name }) => name), ["guard", "thief"]);
  assert.deepEqual(kinds.police[0].layers, ["east", "south", "west", "north"]);
  const cells = [[0, 0], [0, 1], [3, 2], [4, 2], [8, 1], [8, 2], [10, 0], [11, 0]];
  assert.deepEqual(places.police.cells(), cells);
  assert.deepEqual([places.thief.height, places.thief.openCells], [3, 11]);
  assert.deepEqual(rules, { officers: 1, team: "all", stuck: "loses", undecided: "draw" });
  assert.equal(open(goldenBytes("v2-round")).pursuit().source(), "....\n.#..\n...E\n");
  assert.equal(open(goldenBytes("v2-ring")).pursuit().source(), "");
});

test("the board is open where any piece has a place in any layer, with the thief's escapes as exits", () => {
  const { board, places } = open(goldenBytes("v2-round")).pursuit();
  assert.equal(board.text, "....\n.#..\n...E\n");
  assert.deepEqual([board.openCells, places.thief.exits()], [11, []]);
  const narrow = open(listedTable(2, 3, [[1], [-1]], Array(6).fill([0]))).pursuit();
  assert.deepEqual([narrow.board.openCells, narrow.places.police.openCells], [6, 2]);
  const wide = open(goldenBytes("v2-team")).pursuit();
  assert.deepEqual(wide.board.cells(), wide.places.thief.cells());
});

test("tables of other kinds and of unknown versions are refused", async () => {
  for (const [name, kind] of [["v2-graph", "game"], ["v2-outcomes", "partial"]]) {
    const message = `expected a pursuit table, found a ${kind} table, which \`${kind}\` opens`;
    assert.throws(() => open(goldenBytes(name)).pursuit(), { kind: "unsupported", message });
    const tables = new Tablebase([goldenBytes(name)]);
    await assert.rejects(tables.table({}), { kind: "absent" });
    assert.equal(tables.unreadable.size, 0);
  }
  for (const version of [0, 1, 3, 258]) {
    const bytes = changed("v2-ring", (view) => view.setUint16(8, version, true));
    const message = `expected format version 2, found ${version}`;
    for (const kind of ["pursuit", "game", "partial", "any"]) {
      assert.throws(() => open(bytes)[kind](), { kind: "version", message });
    }
  }
  for (const first of [2, 3, 4, 258]) {
    const bytes = goldenBytes("v2-graph");
    bytes.set([first & 255, first >> 8], 28);
    const message = new RegExp(`found table ${first}, which this package does not know`);
    for (const kind of ["game", "any"]) {
      assert.throws(() => open(repair(bytes))[kind](), { kind: "unsupported", message });
    }
  }
});

test("games that are not supported, and headers that break a rule, are refused", () => {
  const refused = (name, field, word, kind, message) => {
    const at = typeof field === "number" ? field : fieldAt(name, field);
    const bytes = changed(name, (_, bytes) => bytes.set(word, at));
    assert.throws(() => open(bytes).pursuit(), { kind, message });
  };
  refused("v2-ring", "table", [1], "unsupported", /found a game table, which `game` opens/);
  refused("v2-ring", "table", [2], "unsupported", /found table 2, which this package does not know/);
  refused("v2-ring", "keeps", [1], "unsupported", /found a partial table, which `partial` opens/);
  refused("v2-ring", "keeps", [4], "header", /keeps: expected at most 3, found 4/);
  refused("v2-ring", "worlds", [2], "header", /kind 0, bytes of ends: expected 0 or 3, found 2/);
  refused("v2-ring", "worlds", [0], "header", /worlds: expected 1 to 4096, found 0/);
  refused("v2-ring", "worlds", [1, 0x10], "header", /worlds: expected 1 to 4096, found 4097/);
  const squares = /squares of the grid in all worlds: expected 1 to 4194304, found/;
  refused("v2-ring", "worlds", [0, 0x10, 0, 0, 1, 0, 0x40, 4], "header", squares);
  refused("v2-ring", "rows", [0], "header", /squares of the board: expected 1 to 1048576, found 0/);
  const kinds = "kinds of officers";
  refused("v2-ring", kinds, [7], "header", /kinds of officers: expected at most 6, found 7/);
  refused("v2-ring", "kind 0: name", [0xff], "header", /kind 0, name: expected UTF-8/);
  refused("v2-ring", "kind 0: pieces", [7], "header", /kind 0, pieces: expected 1 to 6, found 7/);
  refused("v2-ring", "kind 0: layers", [0], "header", /kind 0, layers: expected 1 to 256, found 0/);
  const places = fieldAt("v2-ring", "kind 0: places, bytes") + 8;
  refused("v2-ring", places, [0, 0], "header", /kind 0, places: expected at least one place, found 0/);
  refused("v2-ring", places, [0xff, 0x0f], "header", /kind 0, places: expected unused bits of 0, found 15/);
  refused("v2-ring", "kind 0: tile rows", [0], "header", /kind 0, tile: expected 1 to 256 squares/);
  refused("v2-ring", "kind 0: tile rows", [16, 16], "header", /slots of a block: expected 1 to 65536, found/);
  const moves = fieldAt("v2-ring", "kind 0: bytes of moves");
  refused("v2-ring", moves + 3, [3], "header", /bytes of moves: expected 0 to 33554432, found/);
  refused("v2-ring", moves, [0], "index", /expected unused entries of 0/);
  refused("v2-ring", "kind 0: bytes of arrivals", [1], "header", /bytes of ends: expected 0 or 2, found 1/);
  refused("v2-ring", "thief: pieces", [2], "header", /thief, pieces: expected 1 to 1, found 2/);
  refused("v2-ring", "thief: bytes of captures", [1], "header", /thief, bytes of captures: expected 0 to 0, found 1/);
  refused("v2-ring", "turn", [2], "header", /turn: expected at most 1, found 2/);
  refused("v2-ring", "police to move: police wins", [0], "header", /police to move: expected a sum of 726/);
  refused("v2-ring", "bytes of points", [8], "header", /bytes of points: expected 0 or 88, found 8/);
  const message = /bytes of captures: expected some, since officers and thief have/;
  refused("v2-round", "kind 0: bytes of captures", [0], "header", message);
  refused("v2-round", "thief: places, bytes", [0], "header", /thief, places: expected 2 bytes, found 0/);
});

test("a position with a piece that has no place is refused", () => {
  const table = open(goldenBytes("v2-round")).pursuit();
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
  const table = open(listedTable(1, 9, [[0, 1], [-1]], thiefMoves)).pursuit();
  assert.equal(table.moves({ police: [0, 0], thief: [0, 4], turn: "police" }).length, 2);
  const message = "the moves of the thief: expected a place 1 squares from square 8, found none";
  const position = { police: [0, 0], thief: [0, 8], turn: "thief" };
  assert.throws(() => table.value(position), { kind: "contents", message });
  assert.throws(() => table.moves(position), { kind: "contents", message });
  assert.throws(() => table.checkSums(), { kind: "contents", message });
});

test("moves lead from world to world, and those that lead to no place in a world are refused", () => {
  const moves = [[0, 1, 3], [-1, 3], [2, 3], [-3], [-3], [-4, 0]];
  const table = open(listedTable(1, 3, [[3], [2, 3], [-3], [-3]], moves, { worlds: 2 })).pursuit();
  assert.equal(table.worlds, 2);
  const position = { police: [0, 0], thief: [0, 2], turn: "thief" };
  const found = (world) => {
    return table.moves({ ...position, world }).map(({ to, position }) => [...to, position.world].join());
  };
  assert.deepEqual([found(0), found(1)], [["0,1,1", "0,2,1"], ["0,1,0", "0,2,1"]]);
  const sums = { kind: "contents", message: /^police with the police to move: expected 0, found/ };
  assert.throws(() => table.checkSums(), sums);
  for (const world of [2, -1, 0.5, "0"]) {
    const message = `world: expected 0 to 1, found ${world}`;
    assert.throws(() => table.value({ ...position, world }), { kind: "position", message });
  }
  for (const difference of [-3, 4, 6]) {
    const lists = moves.with(difference < 0 ? 2 : 5, [difference]);
    const damaged = open(listedTable(1, 3, [[3], [2, 3], [-3], [-3]], lists, { worlds: 2 })).pursuit();
    const from = { ...position, world: difference < 0 ? 0 : 1 };
    assert.throws(() => damaged.moves(from), { kind: "contents", message: /expected a place .*, found none/ });
    assert.throws(() => damaged.checkSums(), { kind: "contents", message: /expected a place .*, found none/ });
  }
});

test("the moves of a single piece lead to cells in worlds", () => {
  const table = open(goldenBytes("v2-doors")).pursuit();
  const cells = (...args) => table.pieceMoves(...args).map(({ world, cell }) => [world, ...cell].join());
  assert.deepEqual(cells("thief", [2, 2]), ["1,1,2", "1,2,1", "1,2,2"]);
  assert.deepEqual(cells("thief", [2, 2], 4), ["5,2,1", "5,2,2"]);
  assert.deepEqual(cells("police", [1, 1], 2).filter((to) => to.endsWith("0,1")), ["3,0,1"]);
  for (const [args, kind, message] of [
    [["nobody", [0, 0]], "argument", /side: expected police or thief, found nobody/],
    [["police", [0, 2]], "position", /the police's cell 0,2 is a wall/],
    [["thief", [0, 0], 6], "position", /world: expected 0 to 5, found 6/],
  ]) {
    assert.throws(() => table.pieceMoves(...args), { kind, message });
  }
});

test("tables with several worlds answer from a server as in memory", async () => {
  for (const name of ["v2-doors", "v2-searchlights"]) {
    const local = open(goldenBytes(name)).pursuit();
    const { url, close } = await serveRanges(local.bytes);
    const table = await open(url).pursuit();
    for (const position of [...positions(local)].filter((_, k) => k % 17 === 0)) {
      const ask = (t) => [t.value(position), t.moves(position), t.slice(position, "thief"), t.line(position)];
      assert.deepEqual(await table.load(ask), ask(local));
    }
    close();
  }
});

test("the moves of a turn of several officers lead to one world", () => {
  const thief = Array(6).fill([0]);
  const withTeam = (lists, team) => open(listedTable(1, 3, lists, thief, { worlds: 2, pieces: 2, team })).pursuit();
  const position = { police: [[0, 0], [0, 1]], thief: [0, 2], turn: "police" };
  const message = "the moves of officers: expected moves of one turn to one world, found worlds 0 and 1";
  for (const lists of [[[0], [3], [0], [0]], [[0, 3], [3], [0], [0]], [[0], [-1, 2], [0], [0]]]) {
    for (const ask of ["moves", "bestMove", "line"]) {
      assert.throws(() => withTeam(lists, 0)[ask](position), { kind: "contents", message });
    }
    assert.throws(() => withTeam(lists, 0).checkSums(), { kind: "contents", message });
    const sums = { kind: "contents", message: /^police with the police to move: expected 0, found/ };
    assert.throws(() => withTeam(lists, 1).checkSums(), sums);
  }
  // An officer without a move leaves no turn, and officers who move one at a time go where they like.
  assert.deepEqual(withTeam([[], [0, 3], [0], [0]], 0).moves(position), []);
  const found = withTeam([[0, 3], [-1, 2], [0], [0]], 1).moves(position);
  const left = [[0, 0], [0, 0]];
  const [first, second] = [left, [[0, 0], [0, 1]]];
  assert.deepEqual(found.map(({ to, position: { world } }) => [to, world]), [[first, 0], [first, 1], [second, 0], [second, 1]]);
});

test("a side without a move is stuck", () => {
  const table = open(listedTable(1, 3, [[1], []], [[1], [], [-1, 0]])).pursuit();
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
  const bytes = listedTable(4, 100, [[0]], lists);
  const local = open(bytes).pursuit();
  assert.equal(local.places.thief.openCells, 400);
  const { url, traffic, close } = await serveRanges(bytes);
  const table = await open(url).pursuit();
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
  const wholly = open(listedTable(1, 600, everywhere, everywhere)).pursuit();
  const position = { police: [0, 0], thief: [0, 1], turn: "thief" };
  assert.deepEqual(wholly.value(position), { outcome: "draw", dtw: null });
  assert.equal(wholly.moves(position).length, 600);
  const values = { kind: "work", message: /131072 values/ };
  assert.throws(() => wholly.moves({ ...position, turn: "police" }), values);
  const far = Array.from({ length: 2 ** 18 + 1 }, (_, difference) => difference);
  const stay = [0];
  const thiefMoves = [stay, far, ...Array(520 * 520 - 2).fill(stay)];
  const wide = open(listedTable(520, 520, [stay, stay], thiefMoves)).pursuit();
  assert.throws(() => wide.value(position), { kind: "work", message: /262144 steps/ });
  assert.deepEqual(wide.value({ ...position, thief: [0, 2] }), { outcome: "draw", dtw: null });
});
