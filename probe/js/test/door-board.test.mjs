import assert from "node:assert/strict";
import { test } from "node:test";
import { DoorTable, GameTable, Table } from "dragnet-probe";
import { goldenBytes, goldenDump } from "./support/golden.mjs";
import { serveRanges } from "./support/range-server.mjs";
import { repair } from "./support/repair.mjs";

const BYTES = goldenBytes("v1-doors");

/** Returns the values of a game table's dump by their numbers. */
function dumped(dump) {
  const values = [];
  for (const [, first, texts] of dump.matchAll(/ slots from (\d+): (.*)$/gm)) {
    assert.equal(Number(first), values.length);
    for (const text of texts.trim().split(" ")) {
      const result = { D: "drawn", W: "won", L: "lost" }[text[0]];
      values.push({ result, dtw: text === "D" ? null : Number(text.slice(1)) });
    }
  }
  return values;
}

test("every value of the table on a board with doors is the one in the dump", () => {
  const table = GameTable.fromBytes(BYTES);
  const values = dumped(goldenDump("v1-doors"));
  assert.equal(values.length, 768);
  assert.equal(table.positions, values.length);
  values.forEach((value, position) => assert.deepEqual(table.value(position), value, `position ${position}`));
  assert.equal(table.checkSums().positions, values.length);
});

test("board, rules and doors are those of the dump", () => {
  const { doors } = GameTable.fromBytes(BYTES);
  assert.deepEqual([doors.board.height, doors.board.width, doors.board.openCells], [3, 3, 8]);
  assert.deepEqual(doors.board.exits(), [[2, 1]]);
  assert.deepEqual(doors.rules.police, { moves: "king", mayPass: true, steps: 1, reach: 1 });
  assert.deepEqual(doors.doors, [
    { cell: [1, 2], key: [0, 1], open: true },
    { cell: [1, 0], schedule: [true, true, false] },
  ]);
  assert.deepEqual([doors.keys, doors.phases, doors.positions], [[[0, 1]], 3, 768]);
});

test("positions have the numbers of the format, each once", () => {
  const { doors } = GameTable.fromBytes(BYTES);
  // By hand: 8 cells, of which 0,0 is number 0, 1,0 number 2, and 2,2 number 7.
  assert.equal(doors.number({ police: [0, 0], thief: [2, 2], turn: "police" }), 7);
  assert.equal(doors.number({ police: [0, 0], thief: [0, 0], turn: "thief" }), 64);
  assert.equal(doors.number({ police: [1, 0], thief: [2, 2], turn: "thief", keys: 1, phase: 2 }), 5 * 128 + 64 + 23);
  const numbers = new Set();
  const cells = doors.board.cells();
  for (const keys of [0, 1]) for (const phase of [0, 1, 2]) for (const turn of ["police", "thief"]) {
    for (const police of cells) for (const thief of cells) {
      numbers.add(doors.number({ police, thief, turn, keys, phase }));
    }
  }
  assert.deepEqual([...numbers], [...Array(768).keys()]);
});

test("a capture and an escape have their values by the numbers", () => {
  const table = GameTable.fromBytes(BYTES);
  const { doors } = table;
  for (const keys of [0, 1]) for (const phase of [0, 1, 2]) for (const cell of doors.board.cells()) {
    const at = (police, thief, turn) => table.value(doors.number({ police, thief, turn, keys, phase }));
    assert.deepEqual(at(cell, cell, "police"), { result: "won", dtw: 0 });
    assert.deepEqual(at(cell, cell, "thief"), { result: "lost", dtw: 0 });
    if (cell.join() !== "2,1") assert.deepEqual(at(cell, [2, 1], "thief"), { result: "won", dtw: 0 });
  }
});

test("doors open by keys and schedules", () => {
  const { doors } = GameTable.fromBytes(BYTES);
  assert.deepEqual([0, 1].map((keys) => doors.isOpen(0, keys, 2)), [true, false]);
  assert.deepEqual([0, 1, 2].map((phase) => doors.isOpen(1, 1, phase)), [true, true, false]);
  assert.throws(() => doors.isOpen(2), { kind: "argument" });
});

/** Yields every position of a board with doors in the order of their numbers. */
function* positionsOf(doors) {
  const cells = doors.board.cells();
  for (let keys = 0; keys < 2 ** doors.keys.length; keys++) {
    for (let phase = 0; phase < doors.phases; phase++) {
      for (const turn of ["police", "thief"]) {
        for (const police of cells) for (const thief of cells) yield { police, thief, turn, keys, phase };
      }
    }
  }
}

const word = (value) => BigInt.asUintN(64, value);

function splitmix64(value) {
  let mixed = word(value + 0x9e3779b97f4a7c15n);
  mixed = word((mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n);
  mixed = word((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
  return mixed ^ (mixed >> 31n);
}

test("the moves give the key of the table, which is a sum over all of them", () => {
  const { game, doors } = DoorTable.fromBytes(BYTES);
  let key = 0n;
  for (const position of positionsOf(doors)) {
    const from = splitmix64(BigInt(doors.number(position)));
    const known = (weight) => (key += weight * splitmix64(word(from - 1n)));
    const winner = doors.winner(position);
    const successors = doors.successors(position);
    if (winner !== undefined) known(winner === position.turn ? 1n : 2n);
    else if (successors.length === 0) known(2n);
    else for (const after of successors) key += splitmix64(word(from + BigInt(doors.number(after))));
  }
  assert.equal(word(key), game.key);
});

test("a table with doors answers for positions, and the best move keeps the value", () => {
  const table = DoorTable.fromBytes(BYTES);
  const values = dumped(goldenDump("v1-doors"));
  let played = 0;
  for (const position of positionsOf(table.doors)) {
    const { result, dtw } = values[table.doors.number(position)];
    const other = position.turn === "police" ? "thief" : "police";
    const outcome = { won: position.turn, lost: other, drawn: "draw" }[result];
    assert.deepEqual(table.value(position), { outcome, dtw });
    const moves = table.moves(position);
    assert.deepEqual(table.bestMove(position), moves[0]);
    for (const { to, after, outcome: next, dtw: distance } of moves) {
      assert.deepEqual(after[position.turn], to);
      assert.deepEqual(table.value(after), { outcome: next, dtw: distance });
    }
    if (moves.length === 0) {
      assert.equal(dtw, 0);
      continue;
    }
    played++;
    assert.deepEqual([moves[0].outcome, moves[0].dtw], [outcome, dtw === null ? null : dtw - 1]);
    const won = (side) => moves.filter((move) => move.outcome === side).map((move) => move.dtw);
    assert.deepEqual(won(position.turn), won(position.turn).sort((a, b) => a - b));
    assert.deepEqual(won(other), won(other).sort((a, b) => b - a));
  }
  assert.ok(played > 0);
});

test("a table with doors on a server answers as one in memory", async () => {
  const local = DoorTable.fromBytes(BYTES);
  const { url, close } = await serveRanges(BYTES);
  try {
    const game = await GameTable.open(url);
    const table = new DoorTable(game);
    const position = { police: [1, 2], thief: [0, 0], turn: "police" };
    assert.deepEqual(await game.load(() => table.moves(position)), local.moves(position));
  } finally {
    close();
  }
});

test("a table without doors is no table with doors", () => {
  const bytes = goldenBytes("v1-graph");
  assert.throws(() => DoorTable.fromBytes(bytes), { kind: "unsupported", message: /expected the table of a board/ });
  assert.throws(() => DoorTable.fromBytes(goldenBytes("v2-size")), { kind: "unsupported" });
  const table = DoorTable.fromBytes(BYTES);
  for (const ask of [(p) => table.value(p), (p) => table.moves(p), (p) => table.winner(p)]) {
    assert.throws(() => ask({ police: [0, 2], thief: [0, 0], turn: "police" }), { kind: "position" });
  }
});

test("what is no position has no number", () => {
  const { doors } = GameTable.fromBytes(BYTES);
  const position = { police: [0, 0], thief: [2, 2], turn: "police" };
  const wrong = [
    { keys: 2 }, { keys: -1 }, { keys: 0.5 }, { phase: 3 }, { phase: NaN }, { turn: "nobody" }, { police: [0, 2] },
    { thief: [3, 0] },
  ];
  for (const change of wrong) assert.throws(() => doors.number({ ...position, ...change }), { kind: "position" });
});

test("other games have no doors, and a table with doors is no pursuit table", () => {
  assert.equal(GameTable.fromBytes(goldenBytes("v1-graph")).doors, null);
  assert.throws(() => Table.fromBytes(BYTES), { kind: "unsupported", message: /GameTable/ });
});

test("headers that break a rule of doors are refused, each for its reason", () => {
  // The places of the fields are those of the dump.
  const changes = [
    [(view) => view.setUint8(0x28, 0x44), /name: expected doors, found "Doors"/],
    [(view) => view.setBigUint64(0x9c, 0n, true), /1 to 8 of them, found 0/],
    [(view) => view.setBigUint64(0x9c, 9n, true), /1 to 8 of them, found 9/],
    [(view) => view.setBigUint64(0x9c, 1n, true), /positions: expected 256|expected its end/],
    [(view) => view.setUint8(0x78, 2), /1 officer, found 2/],
    [(view) => view.setUint16(0xa4, 9, true), /a door on an open cell.*off the board/],
    [(view) => view.setUint16(0xb1, 0, true), undefined],
    [(view) => view.setUint16(0xa4, 0, true), /a door on an open cell.*wall/],
    [(view) => view.setUint16(0xb3, 2, true), /cell of its own/],
    [(view) => view.setUint16(0xac, 2, true), /a key on an open cell.*exit/],
    [(view) => view.setUint32(0xa8, 2, true), /opening: expected at most 1/],
    [(view) => view.setUint8(0xb0, 2), /open at the start/],
    [(view) => view.setUint8(0xb9, 0), /1 to 16 plies, found 0/],
    [(view) => view.setUint8(0xb9, 17), /1 to 16 plies, found 17/],
    [(view) => view.setUint16(0xba, 8, true), /unused bits of 0/],
    [(view) => view.setUint8(0xb9, 4), /positions: expected 1024 on this board with doors, found 768/],
    [(view) => view.setUint32(0x79, 5, true), /police moves: expected at most 4, found 5/],
    [(view) => view.setUint16(0x69, 0, true), /board: expected 1 to 1048576 squares, found 0x3/],
    [(view) => view.setBigUint64(0x6d, 2n ** 64n - 1n, true), /board squares: expected 3 bytes/],
    [(view) => view.setUint8(0x75, 0xff), /board squares: expected 0 to 2, found 3 at square 0/],
    [(view) => [0x75, 0x76, 0x77].forEach((at) => view.setUint8(at, 0)), /found only walls/],
    [(view) => view.setUint8(0x77, 5), /board squares: expected unused bits of 0/],
  ];
  for (const [change, message] of changes) {
    const bytes = BYTES.slice();
    change(new DataView(bytes.buffer));
    const open = () => GameTable.fromBytes(repair(bytes));
    // A door may be moved to another open cell.
    if (message === undefined) assert.deepEqual(open().doors.doors[1].cell, [0, 0]);
    else assert.throws(open, { kind: "header", message });
  }
});
