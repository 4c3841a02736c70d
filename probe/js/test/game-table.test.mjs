import assert from "node:assert/strict";
import { test } from "node:test";
import { Cache, DragnetError, open } from "dragnet-probe";
import { goldenBytes, goldenDump } from "./support/golden.mjs";
import { layout, repair } from "./support/repair.mjs";

// Stack traces of so many errors would take most of the time.
Error.stackTraceLimit = 0;

const NAME = "v2-graph";
const WORDS = { W: "won", L: "lost", D: "drawn" };

/** The values in the dump beside the table, which another reader has written. */
const expected = goldenDump(NAME)
  .split("\n")
  .filter((line) => line.startsWith("positions from"))
  .flatMap((line) => line.slice(line.indexOf(":") + 1).trim().split(/\s+/))
  .map((word) => ({ result: WORDS[word[0]], dtw: word === "D" ? null : Number(word.slice(1)) }));

function opens(bytes) {
  try {
    return open(bytes).game();
  } catch (error) {
    assert.ok(error instanceof DragnetError, error?.stack);
    return undefined;
  }
}

/**
 * Asks a table everything, allowing no errors but DragnetErrors. Returns the values, and the number of
 * errors.
 */
function exercise(table) {
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
  const values = Array.from({ length: Math.min(table.positions, 200) }, (_, k) => tryTo(() => table.value(k)));
  tryTo(() => table.rank([0, table.positions - 1]));
  tryTo(() => table.checkSums());
  return { values, wrong };
}

test("every value of a game table is the one in the dump", () => {
  const bytes = goldenBytes(NAME);
  for (const table of [open(bytes).game(), open(bytes.buffer, { cache: new Cache(0) }).game()]) {
    assert.equal(table.positions, expected.length);
    assert.deepEqual(Array.from(expected, (_, position) => table.value(position)), expected);
    assert.deepEqual(table.checkSums(), { positions: 131, blocks: 5, constant: 2, extents: 2 });
    assert.equal(table.name, "graph");
    assert.deepEqual(table.counts, { won: 53, lost: 74, drawn: 4 });
    assert.deepEqual(table.longest, { won: 31, lost: 30 });
    assert.equal(table.key, 0x7f34b199ef84207bn);
    assert.equal(table.digest, 0xf092e8b3a83f581en);
  }
});

test("successors are ranked from quick wins to quick losses", () => {
  const table = open(goldenBytes(NAME)).game();
  // Lost sooner for the other, lost later, drawn, won later, won sooner.
  const order = [0, 2, 128, 31, 1];
  assert.deepEqual(table.rank(order.toReversed()).map(({ position }) => position), order);
  assert.deepEqual(table.rank([65, 64]).map(({ position }) => position), [65, 64], "equals stay in their order");
  assert.deepEqual(table.rank(new Set([2])), [{ position: 2, result: "lost", dtw: 2 }]);
  assert.deepEqual(table.rank([]), []);
});

test("invalid position numbers, and tables of the other kind, are refused", () => {
  const table = open(goldenBytes(NAME)).game();
  for (const position of [131, -1, 0.5, NaN, Infinity, undefined, "3", 3n]) {
    assert.throws(() => table.value(position), { kind: "position", message: /expected a position from 0 to 130/ });
    assert.throws(() => table.rank([0, position]), { kind: "position" });
  }
  assert.throws(() => open(goldenBytes("v2-size")).game(), {
    kind: "unsupported",
    message: /found a pursuit table, which `pursuit` opens/,
  });
  assert.throws(() => open(goldenBytes(NAME)).pursuit(), {
    kind: "unsupported",
    message: /found a game table, which `game` opens/,
  });
  assert.throws(() => open(new Uint8Array(0)).game(), { kind: "format" });
});

test("every flipped bit of a game table is found, and no answer is wrong", () => {
  const bytes = goldenBytes(NAME);
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    bytes[bit >> 3] ^= 1 << (bit & 7);
    const table = opens(bytes);
    if (table !== undefined) {
      const { values, wrong } = exercise(table);
      assert.notEqual(wrong, 0, `bit ${bit}`);
      values.forEach((value, position) => {
        if (value !== undefined) assert.deepEqual(value, expected[position], `bit ${bit}`);
      });
    }
    bytes[bit >> 3] ^= 1 << (bit & 7);
  }
  for (let length = 0; length < bytes.length; length++) assert.equal(opens(bytes.slice(0, length)), undefined);
});

test("a game header with any byte changed and valid checksums neither crashes nor hangs", () => {
  const whole = goldenBytes(NAME);
  const places = layout(whole);
  let opened = 0;
  for (let at = 28; at < places.headerEnd; at++) {
    for (const word of [0, 1, 2, 7, 31, 0x7f, 0x80, 0xff]) {
      const bytes = whole.slice();
      if (bytes[at] === word) continue;
      bytes[at] = word;
      const table = opens(repair(bytes, { ...places, view: new DataView(bytes.buffer) }));
      if (table !== undefined) {
        exercise(table);
        opened++;
      }
    }
  }
  assert.ok(opened > 50, `${opened}`);
});

test("errors name the invalid field of a game header", () => {
  const whole = goldenBytes(NAME);
  const places = layout(whole);
  const refused = (at, word, message, headerEnd = places.headerEnd) => {
    const bytes = whole.slice();
    bytes.set(word, at);
    repair(bytes, { ...places, headerEnd, view: new DataView(bytes.buffer) });
    assert.throws(() => open(bytes).game(), { kind: "header", message });
  };
  refused(0x20, [0, 1], /name, bytes: expected at most 255, found 256/);
  refused(0x28, [0xff], /name: expected UTF-8/);
  refused(0x28, [0x1b], /name: expected no control characters/);
  refused(0x35, [0], /positions: expected 1 to 9007199254740991, found 0/);
  refused(0x35, [0, 0, 0, 0, 0, 0, 0, 1], /positions: expected at most/);
  refused(0x3d, [0], /slots per block: expected 1 to 65536, found 0/);
  refused(0x3d, [1, 0, 1], /slots per block: expected 1 to 65536, found 65537/);
  refused(0x41, [52], /counts: expected a sum of 131/);
  refused(0x0c, [0x4e], /expected its end, found 1 bytes more/, places.headerEnd + 1);
});
