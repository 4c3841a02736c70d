import assert from "node:assert/strict";
import { test } from "node:test";
import { Cache, DragnetError, open } from "dragnet-probe";
import { GOLDEN, fieldAt, goldenBytes, positions } from "./support/golden.mjs";
import { Random } from "./support/random.mjs";
import { extents, layout, repair, withBody } from "./support/repair.mjs";

// Stack traces of hundreds of thousands of errors would take most of the time.
Error.stackTraceLimit = 0;

/**
 * Opens, checks and asks a table, allowing no errors but DragnetErrors. Returns the kinds of the errors.
 */
function exercise(bytes) {
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
  const table = tryTo(() => open(bytes).pursuit());
  if (table === undefined) return kinds;
  tryTo(() => table.checkSums());
  tryTo(() => table.statistics());
  let asked = 0;
  for (const position of positions(table)) {
    if (asked++ === 20) break;
    tryTo(() => table.value(position));
    tryTo(() => table.moves(position));
    tryTo(() => table.line(position));
    if (asked % 5 > 0) continue;
    tryTo(() => table.slice(position, "police"));
    tryTo(() => table.slice({ ...position, turn: "thief" }, "thief"));
  }
  return kinds;
}

const WORDS = [0, 1, 2, 3, 4, 5, 0x7f, 0x80, 0xff];

for (const name of GOLDEN) {
  const whole = goldenBytes(name);
  const places = layout(whole);

  /**
   * Sets every byte of a range to so many of WORDS, other ones for its neighbours, with valid checksums.
   * Returns how often no error was found.
   */
  const sweep = (start, end, words = WORDS.length) => {
    let accepted = 0;
    for (let at = start; at < end; at++) {
      for (let k = 0; k < words; k++) {
        const word = WORDS[(at * words + k) % WORDS.length];
        const bytes = whole.slice();
        if (bytes[at] === word) continue;
        bytes[at] = word;
        repair(bytes, { ...places, view: new DataView(bytes.buffer) });
        if (exercise(bytes).length === 0) accepted++;
      }
    }
    return accepted;
  };

  test(`${name}: a header with any byte changed and valid checksums neither crashes nor hangs`, () => {
    sweep(8, 24);
    sweep(28, places.headerEnd);
  });

  test(`${name}: an index with any byte changed and valid checksums is refused`, () => {
    assert.equal(sweep(places.indexStart, places.indexStart + 63 * 8, 4), 0);
    assert.equal(sweep(places.indexStart + 508, places.dataStart, 4), 0);
  });

  test(`${name}: a block with any byte changed and valid checksums neither crashes nor hangs`, () => {
    const blocks = extents(whole);
    const length = blocks.reduce((sum, { start, end }) => sum + end - start, 0);
    for (const { start, end } of blocks) sweep(start + 4, end, length < 1024 ? 4 : 1);
  });

  test(`${name}: a table with random bytes changed and valid checksums neither crashes nor hangs`, () => {
    const random = new Random(7);
    for (let k = 0; k < 3000; k++) {
      const bytes = whole.slice();
      const from = random.pick([28, places.indexStart, places.dataStart, places.dataStart]);
      for (let n = 1 + random.below(6); n > 0; n--) bytes[from + random.below(bytes.length - from)] = random.below(256);
      repair(bytes, { ...places, view: new DataView(bytes.buffer) });
      exercise(bytes);
    }
  });
}

test("sizes that exceed the file are refused before memory is allocated", () => {
  const whole = goldenBytes("v2-size");
  const edit = (change) => {
    const bytes = whole.slice();
    change(new DataView(bytes.buffer));
    return repair(bytes, { ...layout(whole), view: new DataView(bytes.buffer) });
  };
  const kindOf = (change) => exercise(edit(change));
  const before = process.memoryUsage().arrayBuffers;
  assert.deepEqual(kindOf((view) => view.setBigUint64(16, 2n ** 64n - 1n, true)), ["length"]);
  assert.deepEqual(kindOf((view) => view.setBigUint64(16, 2n ** 53n, true)), ["length"]);
  const at = (field) => fieldAt("v2-size", field);
  assert.deepEqual(kindOf((view) => view.setBigUint64(at("kinds of officers"), 2n ** 64n - 1n, true)), ["header"]);
  assert.deepEqual(kindOf((view) => view.setUint32(at("rows"), 0xffffffff, true)), ["header"]);
  assert.deepEqual(kindOf((view) => view.setUint32(at("rows"), 0, true)), ["header"]);
  assert.deepEqual(kindOf((view) => view.setUint32(at("bytes of source"), 2 ** 22, true)), ["length"]);
  assert.ok(process.memoryUsage().arrayBuffers - before < 2 ** 20);
  const bytes = whole.slice();
  new DataView(bytes.buffer).setUint32(12, 0xffffffff, true);
  assert.deepEqual(exercise(bytes), ["header"]);
  new DataView(bytes.buffer).setUint32(12, 2 ** 20, true);
  assert.deepEqual(exercise(bytes), ["length"]);
});

test("a block gets nothing from a block of another size that shares its extent", () => {
  const bytes = goldenBytes("v2-size");
  const { indexStart } = layout(bytes);
  bytes.copyWithin(indexStart + 8, indexStart, indexStart + 8);
  repair(bytes);
  const rightful = (table) => table.value({ police: [0, 0], thief: [0, 1], turn: "police" });
  const forged = (table) => table.value({ police: [0, 0], thief: [0, 8], turn: "police" });
  const refusal = { kind: "block", message: /^block 1, content: expected \d+ bytes, found \d+/ };
  for (const first of [rightful, forged]) {
    const table = open(bytes, { cache: new Cache(2 ** 20) }).pursuit();
    if (first === rightful) assert.equal(rightful(table).dtw, 1);
    assert.throws(() => forged(table), refusal);
    assert.equal(rightful(table).dtw, 1);
    assert.throws(() => forged(table), refusal);
    assert.throws(() => table.checkSums(), { kind: "index" });
  }
});

/** Returns the codes of the only block of v2-speed, slot by slot. */
function codesOf(bytes) {
  const [{ start }] = extents(bytes);
  const view = new DataView(bytes.buffer);
  const width = view.getUint8(start + 4);
  const count = view.getUint16(start + 6, true) + 1;
  const indices = start + 8 + 2 * count;
  return Array.from({ length: 225 }, (_, slot) => {
    const index = (view.getUint32(indices + ((width * slot) >> 3), true) >>> ((width * slot) & 7)) & ((1 << width) - 1);
    return view.getUint16(start + 8 + 2 * index, true);
  });
}

/** Returns the body of a packed block with these codes. */
function pack(codes, width, entry) {
  const palette = [...new Set(codes)].sort((a, b) => a - b);
  const indices = 4 + entry * palette.length;
  const body = new Uint8Array(indices + Math.ceil((width * codes.length) / 8) + 3);
  const view = new DataView(body.buffer);
  body.set([width, entry], 0);
  view.setUint16(2, palette.length - 1, true);
  palette.forEach((code, k) => {
    if (entry === 2) view.setUint16(4 + 2 * k, code, true);
    else view.setUint32(4 + 4 * k, code, true);
  });
  codes.forEach((code, slot) => {
    for (let bit = 0; bit < width; bit++) {
      const at = width * slot + bit;
      body[indices + (at >> 3)] |= ((palette.indexOf(code) >> bit) & 1) << (at & 7);
    }
  });
  return body;
}

test("packed blocks are read for every index width and both code sizes", () => {
  const whole = goldenBytes("v2-speed");
  const table = open(whole).pursuit();
  const codes = codesOf(whole);
  const least = Math.ceil(Math.log2(new Set(codes).size));
  for (let width = least; width <= 16; width++) {
    for (const entry of [2, 4]) {
      const packed = open(withBody(whole, 1, pack(codes, width, entry))).pursuit();
      packed.checkSums();
      for (const position of positions(table)) assert.deepEqual(packed.value(position), table.value(position));
    }
  }
});

test("packed blocks that break a rule are refused despite valid checksums", () => {
  const whole = goldenBytes("v2-speed");
  const good = pack(codesOf(whole), 5, 4);
  const refused = (change, message) => {
    const body = change(good.slice());
    const table = open(withBody(whole, 1, body)).pursuit();
    assert.throws(() => table.value({ police: [0, 0], thief: [0, 1], turn: "police" }), (error) => {
      assert.equal(error.kind, "block");
      assert.match(error.message, message);
      return true;
    });
    assert.throws(() => table.checkSums(), DragnetError);
  };
  const set = (at, value) => (body) => {
    body[at < 0 ? body.length + at : at] = value;
    return body;
  };
  refused(set(0, 0), /bits per index: expected 1 to 16, found 0/);
  refused(set(0, 17), /bits per index: expected 1 to 16, found 17/);
  refused(set(1, 3), /bytes per code: expected 2 or 4, found 3/);
  refused((body) => body.fill(0, 2, 4), /palette: expected at least 2 codes, found 1/);
  refused(set(2, 200), /length: expected 952 bytes/);
  refused((body) => body.copyWithin(8, 4, 8), /palette: expected a code above/);
  refused((body) => {
    const last = 4 + 4 * body[2];
    return body.fill(255, last, last + 4);
  }, /palette: expected codes of at most 2147483648, found 4294967295/);
  refused(set(-1, 1), /last bytes: expected 0, found 1/);
  refused(set(-4, 0x80), /unused bits: expected 0/);
  refused((body) => body.subarray(0, body.length - 1), /length: expected/);
  refused((body) => body.subarray(0, 3), /length: expected at least 4 bytes, found 3/);
  const indices = 4 + 4 * (good[2] + 1);
  refused((body) => body.fill(255, indices, body.length - 4), /expected an index of at most \d+, found 31/);
});
