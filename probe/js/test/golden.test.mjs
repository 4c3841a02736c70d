import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "dragnet-probe";
import { GOLDEN, goldenBytes, goldenDump, openCells, positions } from "./support/golden.mjs";
import { checkLaws } from "./support/laws.mjs";

/**
 * Yields every position and value of a dump, which has a line per police cell and a column per thief cell,
 * world after world.
 */
function* dumpedValues(dump) {
  const lines = dump.slice(dump.indexOf("\n-- Values")).split("\n");
  const header = lines.find((line) => line.startsWith("cell "));
  const rows = Number(/ rows: (\d+)$/m.exec(dump)[1]);
  const cellOf = (word) => {
    const [, layer = 0, row, column] = /^(?:(\d+):)?(\d+),(\d+)$/.exec(word);
    return [Number(layer) * rows + Number(row), Number(column)];
  };
  const thiefCells = header.split(/\s+/).slice(1).map(cellOf);
  let world = 0;
  for (const line of lines) {
    world = Number(/ to move in world (\d+):$/.exec(line)?.[1] ?? world);
    const found = /^(police|thief)-([\d,:+]+):\s+(.*)$/.exec(line);
    if (found === null) continue;
    const [, turn, officers, values] = found;
    const cells = officers.split("+").map(cellOf);
    const police = cells.length === 1 ? cells[0] : cells;
    for (const [k, text] of values.split(/\s+/).entries()) {
      yield { position: { world, police, thief: thiefCells[k], turn }, value: parse(text, turn) };
    }
  }
}

function parse(text, turn) {
  if (text === "D") return { outcome: "draw", dtw: null };
  const other = turn === "police" ? "thief" : "police";
  return { outcome: text.startsWith("W") ? turn : other, dtw: Number(text.slice(1)) };
}

for (const name of GOLDEN) {
  test(`${name}: every value is the one in the dump`, () => {
    const table = open(goldenBytes(name)).pursuit();
    let count = 0;
    for (const { position, value } of dumpedValues(goldenDump(name))) {
      assert.deepEqual(table.value(position), value, JSON.stringify(position));
      const { outcome } = value;
      assert.equal(table.outcome(position), outcome === "draw" ? table.rules.undecided : outcome);
      count++;
    }
    assert.equal(count, [...positions(table)].length);
  });

  test(`${name}: the sums of the table are right`, () => {
    const table = open(goldenBytes(name)).pursuit();
    assert.equal(table.checkSums().positions, [...positions(table)].length);
  });

  test(`${name}: counts and longest wins agree with all values`, () => {
    const table = open(goldenBytes(name)).pursuit();
    const zero = () => ({ police: 0, thief: 0, draw: 0 });
    const counts = { police: zero(), thief: zero() };
    const longest = { police: 0, thief: 0 };
    for (const position of positions(table)) {
      const { outcome, dtw } = table.value(position);
      counts[position.turn][outcome]++;
      if (dtw !== null) longest[outcome] = Math.max(longest[outcome], dtw);
    }
    assert.deepEqual(table.counts, counts);
    assert.deepEqual(table.longest, longest);
  });

  test(`${name}: every value follows from its moves, and every line has as many moves as its distance`, () => {
    checkLaws(open(goldenBytes(name)).pursuit());
  });
}

test("v2-speed: board, rules and digest are read from the header", () => {
  const table = open(goldenBytes("v2-speed").buffer).pursuit();
  assert.equal(table.board.height, 4);
  assert.equal(table.board.width, 5);
  assert.equal(table.board.openCells, 15);
  assert.equal(openCells(table.board).length, 15);
  assert.equal(table.board.square(0, 3), "open");
  assert.equal(table.board.square(0, 4), "wall");
  assert.equal(table.board.square(1, 4), "exit");
  assert.deepEqual(table.rules, { officers: 1, team: "all", stuck: "wins", undecided: "draw" });
  assert.equal(table.digest, 0x32723dc9dd6fe3d9n);
});

test("v2-team: officers may be listed in any order", () => {
  const table = open(goldenBytes("v2-team")).pursuit();
  const { officers, team, undecided } = table.rules;
  assert.deepEqual({ officers, team, undecided }, { officers: 2, team: "one", undecided: "police" });
  const position = { police: [[0, 6], [0, 0]], thief: [1, 8], turn: "police" };
  assert.deepEqual(table.value(position), { outcome: "police", dtw: 1 });
  const [best] = table.moves(position);
  assert.deepEqual([best.to, best.outcome, best.dtw], [[[0, 6], [1, 8]], "police", 0]);
  assert.deepEqual(best.position, { world: 0, police: best.to, thief: [1, 8], turn: "thief" });
  assert.equal(table.line(position).end, "caught");
});

test("v2-cops: the source has the graph, and an officer on an exit has won", () => {
  const table = open(goldenBytes("v2-cops")).pursuit();
  assert.match(table.source(), /^graph = '''\n/);
  const arrived = { police: [[0, 6], [0, 7]], thief: [0, 0], turn: "thief" };
  assert.deepEqual(table.value(arrived), { outcome: "police", dtw: 0 });
  assert.deepEqual(table.line(arrived), { outcome: "police", dtw: 0, moves: [], end: "arrived" });
  assert.equal(table.line({ ...arrived, thief: [0, 6] }).end, "caught");
});

test("v2-size: moves are sorted best first, equally good ones in reading order", () => {
  const table = open(goldenBytes("v2-size")).pursuit();
  const moves = table.moves({ police: [0, 0], thief: [1, 1], turn: "thief" });
  assert.deepEqual(moves.map(({ to, outcome, dtw }) => [to, outcome, dtw]), [
    [[1, 2], "police", 7],
    [[0, 1], "police", 1],
    [[1, 0], "police", 1],
    [[1, 1], "police", 1],
  ]);
});

test("v2-doors: a key and the clock lead to other worlds, where a closed door bars the way", () => {
  const table = open(goldenBytes("v2-doors")).pursuit();
  assert.equal(table.worlds, 6);
  const worldOf = (position, cell) => table.moves(position).find(({ to }) => `${to}` === `${cell}`)?.position.world;
  const position = { police: [0, 0], thief: [2, 2], turn: "police" };
  // World = keys · 3 + phase: the key on 0,1 closes the door on 1,2, and the door on 1,0 is closed in phase
  // 2.
  assert.deepEqual([worldOf(position, [0, 0]), worldOf(position, [0, 1]), worldOf(position, [1, 0])], [1, 4, 1]);
  const later = { ...position, world: 2 };
  assert.deepEqual([worldOf(later, [0, 0]), worldOf(later, [0, 1]), worldOf(later, [1, 0])], [0, 3, undefined]);
  const below = { police: [0, 0], thief: [2, 2], turn: "thief" };
  const targets = (world) => table.moves({ ...below, world }).map(({ to }) => `${to}`).sort();
  assert.deepEqual(targets(0), ["1,2", "2,1", "2,2"]);
  assert.deepEqual(targets(3), ["2,1", "2,2"]);
  assert.match(table.source(), /\[\[doors\]\]/);
});

test("v2-searchlights: what is captured from afar differs from world to world", () => {
  const table = open(goldenBytes("v2-searchlights")).pursuit();
  const police = [[0, 0], [0, 0]];
  const caught = Array.from({ length: table.worlds }, (_, world) =>
    table.places.thief.cells().filter((thief) => {
      return table.winner({ world, police, thief, turn: "thief" }) === "police";
    }).join(" "),
  );
  assert.ok(new Set(caught).size > 1, caught.join(" | "));
  assert.ok(caught.every((cells) => cells.startsWith("0,0")));
});

test("a table is read from the middle of a larger buffer", () => {
  const bytes = goldenBytes("v2-size");
  const larger = new Uint8Array(bytes.length + 100).fill(255);
  larger.set(bytes, 33);
  const table = open(larger.subarray(33, 33 + bytes.length)).pursuit();
  table.checkSums();
  assert.deepEqual(table.value({ police: [0, 0], thief: [1, 1], turn: "thief" }), { outcome: "police", dtw: 8 });
});
