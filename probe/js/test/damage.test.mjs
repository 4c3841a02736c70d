import assert from "node:assert/strict";
import { test } from "node:test";
import { DragnetError, open } from "dragnet-probe";
import { GOLDEN, goldenBytes, positions } from "./support/golden.mjs";

// Stack traces of hundreds of thousands of errors would take most of the time.
Error.stackTraceLimit = 0;

/** Asks a damaged table, which must answer right or throw a DragnetError, and must throw at least once. */
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
  const table = tryTo(() => open(bytes).pursuit());
  if (table === undefined) return;
  for (const { position, value } of expected) {
    const found = tryTo(() => table.value(position));
    if (found !== undefined && (found.outcome !== value.outcome || found.dtw !== value.dtw)) {
      assert.deepEqual(found, value, JSON.stringify(position));
    }
  }
  for (const { position, slices } of expected.slice(0, 1)) {
    for (const piece of ["police", "thief"]) {
      const found = tryTo(() => table.slice(position, piece));
      if (found !== undefined) assert.deepEqual(found, slices[piece], JSON.stringify(position));
    }
  }
  tryTo(() => table.checkSums());
  assert.notEqual(wrong, 0, "neither a probe nor checkSums has found the damage");
}

for (const name of GOLDEN) {
  const whole = goldenBytes(name);
  const table = open(whole).pursuit();
  const all = [...positions(table)];
  // About 60 positions, with either side to move.
  const expected = all.filter((_, k) => k % Math.max(7, Math.ceil(all.length / 60)) === 0)
    .map((position) => {
      const slices = { police: table.slice(position, "police"), thief: table.slice(position, "thief") };
      return { position, value: table.value(position), slices };
    });

  // Of large tables every seventh bit, one of each byte at least: all of them would take half a minute.
  const step = whole.length < 2048 ? 1 : 7;
  test(`${name}: every flipped bit is found, and no answer is wrong`, () => {
    const bytes = whole.slice();
    for (let bit = 0; bit < bytes.length * 8; bit += step) {
      bytes[bit >> 3] ^= 1 << (bit & 7);
      probe(bytes, expected);
      bytes[bit >> 3] ^= 1 << (bit & 7);
    }
  });

  test(`${name}: truncated and extended tables are refused`, () => {
    for (let length = 0; length < whole.length; length++) {
      assert.throws(() => open(whole.slice(0, length)).pursuit(), DragnetError, `${length} bytes`);
    }
    for (const more of [1, 511, 512]) {
      const longer = new Uint8Array(whole.length + more);
      longer.set(whole);
      assert.throws(() => open(longer).pursuit(), { kind: "length" });
    }
  });
}
