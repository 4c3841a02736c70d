import assert from "node:assert/strict";
import { test } from "node:test";
import { Table } from "dragnet-probe";
import { GOLDEN, goldenBytes, goldenDump, openCells, positions } from "./support/golden.mjs";

/**
 * Yields every position and value of a dump, which has a line per police cell and a column per thief cell.
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
  for (const line of lines) {
    const found = /^(police|thief)-([\d,:+]+):\s+(.*)$/.exec(line);
    if (found === null) continue;
    const [, turn, officers, values] = found;
    const cells = officers.split("+").map(cellOf);
    const police = cells.length === 1 ? cells[0] : cells;
    for (const [k, text] of values.split(/\s+/).entries()) {
      yield { position: { police, thief: thiefCells[k], turn }, value: parse(text, turn) };
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
    const table = Table.fromBytes(goldenBytes(name));
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
    const table = Table.fromBytes(goldenBytes(name));
    assert.equal(table.checkSums().positions, [...positions(table)].length);
  });

  test(`${name}: counts and longest wins agree with all values`, () => {
    const table = Table.fromBytes(goldenBytes(name));
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
    const table = Table.fromBytes(goldenBytes(name));
    for (const position of positions(table)) {
      const value = table.value(position);
      const moves = table.moves(position);
      assert.deepEqual(table.bestMove(position), moves[0]);
      const { outcome, dtw } = table.value(position);
      for (const plies of [0, 4, 9]) {
        assert.equal(table.isCaughtWithin(position, plies), outcome === "police" && dtw <= plies);
      }
      assert.equal(new Set(moves.map(({ to }) => to.join())).size, moves.length);
      if (moves.length > 0) {
        const [best] = moves;
        assert.equal(best.outcome, value.outcome);
        if (value.dtw !== null) assert.equal(best.dtw, value.dtw - 1);
      } else {
        assert.equal(value.dtw, 0);
      }
      for (const { to, outcome, dtw } of moves) {
        const after = { ...position, [position.turn]: to, turn: position.turn === "police" ? "thief" : "police" };
        assert.deepEqual(table.value(after), { outcome, dtw });
      }
      const line = table.line(position);
      if (value.dtw === null) assert.equal(line.end, "repetition");
      else assert.equal(line.moves.length, value.dtw);
      assert.deepEqual({ outcome: line.outcome, dtw: line.dtw }, value);
    }
  });
}

test("v2-speed: board, rules and digest are read from the header", () => {
  const table = Table.fromBytes(goldenBytes("v2-speed").buffer);
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
  const table = Table.fromBytes(goldenBytes("v2-team"));
  const { officers, team, undecided } = table.rules;
  assert.deepEqual({ officers, team, undecided }, { officers: 2, team: "one", undecided: "police" });
  const position = { police: [[0, 6], [0, 0]], thief: [1, 8], turn: "police" };
  assert.deepEqual(table.value(position), { outcome: "police", dtw: 1 });
  assert.deepEqual(table.moves(position)[0], { to: [[0, 6], [1, 8]], outcome: "police", dtw: 0 });
  assert.equal(table.line(position).end, "caught");
});

test("v2-cops: the source has the graph, and an officer on an exit has won", () => {
  const table = Table.fromBytes(goldenBytes("v2-cops"));
  assert.match(table.source(), /^graph = '''\n/);
  const arrived = { police: [[0, 6], [0, 7]], thief: [0, 0], turn: "thief" };
  assert.deepEqual(table.value(arrived), { outcome: "police", dtw: 0 });
  assert.deepEqual(table.line(arrived), { outcome: "police", dtw: 0, moves: [], end: "arrived" });
  assert.equal(table.line({ ...arrived, thief: [0, 6] }).end, "caught");
});

test("v2-size: moves are sorted best first, equally good ones in reading order", () => {
  const table = Table.fromBytes(goldenBytes("v2-size"));
  assert.deepEqual(table.moves({ police: [0, 0], thief: [1, 1], turn: "thief" }), [
    { to: [1, 2], outcome: "police", dtw: 7 },
    { to: [0, 1], outcome: "police", dtw: 1 },
    { to: [1, 0], outcome: "police", dtw: 1 },
    { to: [1, 1], outcome: "police", dtw: 1 },
  ]);
});

test("a table is read from the middle of a larger buffer", () => {
  const bytes = goldenBytes("v2-size");
  const larger = new Uint8Array(bytes.length + 100).fill(255);
  larger.set(bytes, 33);
  const table = Table.fromBytes(larger.subarray(33, 33 + bytes.length));
  table.checkSums();
  assert.deepEqual(table.value({ police: [0, 0], thief: [1, 1], turn: "thief" }), { outcome: "police", dtw: 8 });
});
