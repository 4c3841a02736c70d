import assert from "node:assert/strict";
import { test } from "node:test";
import { compress, init } from "@bokuweb/zstd-wasm";
import { DragnetError } from "dragnet-probe";
import { decompress } from "../dist/zstd/frame.js";
import { Random } from "./support/random.mjs";

Error.stackTraceLimit = 0;
await init();

/** Contents that make the compressor use every kind of literals, tables and blocks that the format has. */
const SHAPES = {
  zeros: (size) => new Uint8Array(size),
  noise: (size, random) => Uint8Array.from({ length: size }, () => random.below(256)),
  few: (size, random) => Uint8Array.from({ length: size }, () => random.below(3)),
  skewed: (size, random) => Uint8Array.from({ length: size }, () => Math.clz32(random.below(2 ** 31) + 1)),
  ramps: (size, random) => Uint8Array.from({ length: size }, (_, k) => (k >> random.below(3)) & 255),
  repeats: (size, random) => {
    const bytes = new Uint8Array(size);
    for (let at = 0; at < size; ) {
      const length = Math.min(1 + random.below(300), size - at);
      if (at > 0 && random.below(3) > 0) {
        const back = 1 + random.below(Math.min(at, 1 << random.below(18)));
        for (const end = at + length; at < end; at++) bytes[at] = bytes[at - back];
      } else {
        for (const end = at + length; at < end; at++) bytes[at] = random.below(40);
      }
    }
    return bytes;
  },
  mixed: (size, random) => {
    const parts = ["zeros", "noise", "few", "repeats", "skewed"];
    const bytes = new Uint8Array(size);
    for (let at = 0; at < size; ) {
      const length = Math.min(1 + random.below(60000), size - at);
      bytes.set(SHAPES[random.pick(parts)](length, random), at);
      at += length;
    }
    return bytes;
  },
};
const SIZES = [1, 2, 5, 31, 255, 256, 257, 1000, 16384, 65791, 131072, 131073, 400000];
const LEVELS = [1, 4, 12, 19];

function* frames() {
  const random = new Random(1);
  for (const [name, shape] of Object.entries(SHAPES)) {
    for (const size of SIZES) {
      const content = shape(size, random);
      for (const level of LEVELS) {
        yield { name: `${name} ${size} level ${level}`, content, frame: compress(content, level) };
      }
    }
  }
}

test("frames of every shape, size and level are decompressed", () => {
  for (const { name, content, frame } of frames()) {
    assert.ok(Buffer.from(decompress(frame, content.length, name)).equals(content), name);
  }
});

test("a content size above the limit is refused", () => {
  const frame = compress(new Uint8Array(1000), 3);
  assert.equal(decompress(frame, 1000, "a frame").length, 1000);
  assert.throws(() => decompress(frame, 999, "a frame"), {
    kind: "block",
    message: "a frame, Zstandard frame: expected a content size of at most 999, found 1000",
  });
});

test("truncated and extended frames are refused, and changed frames never crash", () => {
  const random = new Random(2);
  for (const { name, content, frame } of frames()) {
    if (content.length > 20000) continue;
    const tryTo = (bytes) => {
      try {
        assert.ok(decompress(bytes, content.length + 10, name).length <= content.length + 10);
        return true;
      } catch (error) {
        assert.ok(error instanceof DragnetError, `${name}: ${error}`);
        assert.equal(error.kind, "block");
        return false;
      }
    };
    for (let k = 0; k < 10; k++) assert.ok(!tryTo(frame.slice(0, random.below(frame.length))), name);
    assert.ok(!tryTo(Uint8Array.from([...frame, 0])), name);
    for (let k = 0; k < 60; k++) {
      const bytes = frame.slice();
      for (let n = 1 + random.below(4); n > 0; n--) bytes[random.below(bytes.length)] = random.below(256);
      tryTo(bytes);
    }
  }
});

/** Returns a frame with one compressed block that claims a content of `size` bytes, at most 255. */
function frameOf(block, size) {
  const head = (block.length << 3) | (2 << 1) | 1;
  return Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x20, size, head & 255, (head >> 8) & 255, head >> 16, ...block);
}

test("a few bytes that demand gigabytes of copying are refused at once", () => {
  // No literals, and 98,303 sequences, each with literal and match lengths above 65,536.
  const block = [0, 255, 255, 255, 0x54, 35, 1, 52, 255, 255, 255, 255, 255, 255, 255, 1];
  assert.throws(() => decompress(frameOf(block, 8), 8, "a frame"), /found the end|literals|content to end/);
});

test("Huffman weights that never consume their bits are refused", () => {
  // A table whose only symbol takes no bits: 0000 for an accuracy of 5, 111111 for all 32 states.
  const tree = [3, 0xf0, 0x03, 0x80];
  const literals = [2 | (8 << 4), ((tree.length + 2) & 3) << 6, (tree.length + 2) >> 2, ...tree, 255, 255];
  assert.throws(() => decompress(frameOf([...literals, 0], 8), 8, "a frame"), DragnetError);
});

test("errors name the invalid field of a frame", () => {
  const frame = compress(Uint8Array.from({ length: 300 }, (_, k) => k % 7), 3);
  const refused = (at, value, message) => {
    const bytes = frame.slice();
    bytes[at] = value;
    assert.throws(() => decompress(bytes, 300, "a frame"), message);
  };
  refused(0, 0, /expected the magic number fd2fb528, found fd2fb500/);
  refused(4, frame[4] | 4, /expected no checksum, found one/);
  refused(4, frame[4] | 1, /expected no dictionary, found one/);
  refused(4, frame[4] | 8, /expected a reserved bit of 0, found 1/);
  refused(4, 0, /expected a content size, found none/);
  assert.throws(() => decompress(new Uint8Array(3), 300, "a frame"), /expected at least 6 bytes, found 3/);
});
