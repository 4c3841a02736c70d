import assert from "node:assert/strict";
import { test } from "node:test";
import { Cache, gameValueOf, open } from "dragnet-probe";
import { GOLDEN, goldenBytes, positions } from "./support/golden.mjs";
import { madeTable } from "./support/made.mjs";
import { Random } from "./support/random.mjs";
import { compareSlices } from "./support/slices.mjs";

for (const name of GOLDEN) {
  test(`${name}: every slice has the values of its positions`, () => {
    const table = open(goldenBytes(name)).pursuit();
    const all = [...positions(table)];
    // Slices through positions that differ in one cell are equal, so that some of them suffice.
    const some = all.filter((_, k) => k % Math.ceil(all.length / 400) === 0);
    let compared = 0;
    for (const position of some) compared += compareSlices(table, position);
    assert.ok(compared >= all.length, `${compared}`);
  });

  test(`${name}: slices do not depend on the cache or on earlier slices`, () => {
    const cacheless = open(goldenBytes(name), { cache: new Cache(0) }).pursuit();
    const table = open(goldenBytes(name)).pursuit();
    const position = [...positions(table)].at(-1);
    for (const piece of ["police", "thief"]) {
      const slice = table.slice(position, piece);
      slice.outcome.fill(0);
      slice.dtw.fill(0);
      assert.deepEqual(table.slice(position, piece), cacheless.slice(position, piece));
    }
  });
}

test("statistics that contradict the header are refused", () => {
  // The header says that every position with the thief to move is a draw.
  const table = open(madeTable(16, new Random(8))).pursuit();
  table.checkSums();
  assert.throws(() => table.statistics(), { kind: "contents", message: /with the thief to move: expected 0, found/ });
});

test("slices of pieces that do not exist are refused", () => {
  const table = open(goldenBytes("v2-size")).pursuit();
  const position = { police: [0, 0], thief: [1, 1], turn: "police" };
  for (const piece of ["Police", undefined, 0]) {
    assert.throws(() => table.slice(position, piece), { kind: "argument", message: /piece: expected police or thief/ });
  }
  for (const officer of [1, -1, 0.5, NaN, "0"]) {
    assert.throws(() => table.slice(position, "police", officer), { kind: "argument", message: /officer: expected 0 to 0/ });
  }
  assert.throws(() => table.slice({ ...position, thief: [0, 2] }, "police"), { kind: "position", message: /is a wall/ });
  assert.throws(() => table.slice({ ...position, turn: "both" }, "police"), { kind: "position" });
});

test("an officer of a team is named by the order that the position has", () => {
  const table = open(goldenBytes("v2-team")).pursuit();
  const [low, high] = [[0, 0], [0, 1]];
  const of = (police, officer) => table.slice({ police, thief: [0, 5], turn: "thief" }, "police", officer);
  assert.deepEqual(of([low, high], 0), of([high, low], 1));
  assert.deepEqual(of([low, high], 1), of([high, low], 0));
  assert.notDeepEqual(of([low, high], 0), of([low, high], 1));
});

for (const name of GOLDEN) {
  test(`${name}: statistics count every position`, () => {
    const table = open(goldenBytes(name)).pursuit();
    const statistics = table.statistics();
    const bars = { police: new Map(), thief: new Map() };
    const byTurn = { police: { police: 0, thief: 0 }, thief: { police: 0, thief: 0 } };
    const longest = { police: [], thief: [] };
    for (const position of positions(table)) {
      const { outcome, dtw } = table.value(position);
      if (dtw === null) continue;
      bars[outcome].set(dtw, (bars[outcome].get(dtw) ?? 0) + 1);
      byTurn[position.turn][outcome]++;
      if (dtw === table.longest[outcome]) longest[outcome].push(position);
    }
    for (const winner of ["police", "thief"]) {
      assert.deepEqual(statistics.histogram[winner], [...bars[winner]].sort(([a], [b]) => a - b));
      for (const turn of ["police", "thief"]) {
        const sum = statistics.histogram_by_turn[turn][winner].reduce((sum, [, count]) => sum + count, 0);
        assert.equal(sum, byTurn[turn][winner]);
      }
      const { length } = statistics.longest_positions[winner];
      assert.equal(length, Math.min(10, longest[winner].length));
      for (const found of statistics.longest_positions[winner]) {
        assert.deepEqual(table.value(found), { outcome: winner, dtw: table.longest[winner] });
        assert.equal(found.dtw, table.longest[winner]);
      }
      assert.equal(new Set(statistics.longest_positions[winner].map((found) => JSON.stringify(found))).size, length);
      assert.deepEqual(statistics.longest_examples[winner], statistics.longest_positions[winner][0] ?? null);
    }
    const steps = table.statisticsInSteps();
    const shares = [];
    let step = steps.next();
    for (; !step.done; step = steps.next()) shares.push(step.value);
    assert.deepEqual(step.value, statistics);
    assert.ok(shares.every((share, k) => share > (shares[k - 1] ?? 0)));
    assert.equal(shares.at(-1), 1);
  });
}

test("the codes of all positions of a game table are their values", () => {
  const table = open(goldenBytes("v2-graph")).game();
  const { codes } = table.values();
  assert.equal(codes.length, table.positions);
  codes.forEach((code, position) => assert.deepEqual(gameValueOf(code), table.value(position)));
});
