import assert from "node:assert/strict";
import { test } from "node:test";
import { DragnetError, Table } from "dragnet-probe";
import { GOLDEN, goldenBytes, positions } from "./support/golden.mjs";

// Hundreds of thousands of errors, whose stacks would take most of the time.
Error.stackTraceLimit = 0;

/** A copy of which nothing but a DragnetError may come, and answers only if they are right. */
function probe(bytes, expected) {
  let wrong = 0;
  const tryTo = (action) => {
    try {
      return action();
    } catch (error) {
      assert.ok(error instanceof DragnetError, error?.stack);
      wrong++;
      return undefined;
    }
  };
  const table = tryTo(() => Table.fromBytes(bytes));
  if (table === undefined) return;
  for (const { position, value } of expected) {
    const found = tryTo(() => table.value(position));
    if (found !== undefined && (found.outcome !== value.outcome || found.dtw !== value.dtw)) {
      assert.deepEqual(found, value, JSON.stringify(position));
    }
  }
  tryTo(() => table.verify());
  assert.notEqual(wrong, 0, "damage that neither a probe nor verify has noticed");
}

for (const name of GOLDEN) {
  const whole = goldenBytes(name);
  const table = Table.fromBytes(whole);
  const all = [...positions(table)];
  // About 200 of them, with either side to move.
  const expected = all.filter((_, k) => k % Math.max(7, Math.ceil(all.length / 200)) === 0)
    .map((position) => ({ position, value: table.value(position) }));

  test(`${name}: every flipped bit is noticed, and no answer is wrong`, () => {
    const bytes = whole.slice();
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      bytes[bit >> 3] ^= 1 << (bit & 7);
      probe(bytes, expected);
      bytes[bit >> 3] ^= 1 << (bit & 7);
    }
  });

  test(`${name}: every truncation and every longer file is an error`, () => {
    for (let length = 0; length < whole.length; length++) {
      assert.throws(() => Table.fromBytes(whole.slice(0, length)), DragnetError, `${length} bytes`);
    }
    for (const more of [1, 511, 512]) {
      const longer = new Uint8Array(whole.length + more);
      longer.set(whole);
      assert.throws(() => Table.fromBytes(longer), { kind: "length" });
    }
  });
}
