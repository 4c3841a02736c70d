import assert from "node:assert/strict";
import { test } from "node:test";
import { Cache, DragnetError, open } from "dragnet-probe";
import { GOLDEN, goldenBytes, positions } from "./support/golden.mjs";
import { drawnTable } from "./support/made.mjs";

const tooMuch = (what) => (error) => error instanceof DragnetError && error.kind === "work" && what.test(error.message);

test("positions with millions of moves are refused", () => {
  const table = open(drawnTable(6, 6, 6)).pursuit();
  const police = [[1, 1], [1, 4], [4, 1], [4, 4], [2, 2], [3, 3]];
  const position = { police, thief: [0, 0], turn: "police" };
  assert.throws(() => table.moves(position), tooMuch(/65536 moves|values to look up/));
  assert.throws(() => table.bestMove(position), tooMuch(/for one question/));
  assert.deepEqual(table.value(position), { outcome: "draw", dtw: null });
  assert.equal(table.moves({ ...position, turn: "thief" }).length, 26);
});

test("the moves of four officers are within the limits", () => {
  const table = open(drawnTable(9, 4, 1)).pursuit();
  const position = { police: [[1, 1], [1, 7], [7, 1], [7, 7]], thief: [4, 4], turn: "police" };
  assert.equal(table.moves(position).length, 9 ** 4);
});

test("tables share a cache, and one that is too small changes no answer", () => {
  const cache = new Cache(2000);
  const tables = GOLDEN.flatMap((name) => [goldenBytes(name), goldenBytes(name)]);
  const opened = tables.map((bytes) => [open(bytes, { cache }).pursuit(), open(bytes).pursuit()]);
  for (const [small, table] of opened) {
    const all = [...positions(table)];
    assert.deepEqual(small.values(all), all.map((position) => table.value(position)));
  }
  assert.ok(cache.misses > 4 && cache.hits > cache.misses, `${cache.hits} hits, ${cache.misses} misses`);
  assert.ok(cache.bytes > 0 && cache.bytes <= 20_000, `${cache.bytes}`);
  assert.equal(Cache.shared.limit, 32 * 2 ** 20);
});
