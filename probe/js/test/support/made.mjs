import { Digest } from "../../dist/digest.js";
import { layout, repair } from "./repair.mjs";

const PAGE = 512;
const ENTRIES = 63;

/** Returns the body of a packed block of codes below 2^16, with indices of 16 bits. */
function packedBody(codes) {
  const palette = [...new Set(codes)].sort((a, b) => a - b);
  // A palette has at least two codes.
  if (palette.length === 1) palette.push(palette[0] + 1);
  const index = new Map(palette.map((code, k) => [code, k]));
  const body = new Uint8Array(4 + 2 * palette.length + 2 * codes.length + 3);
  const view = new DataView(body.buffer);
  view.setUint8(0, 16);
  view.setUint8(1, 2);
  view.setUint16(2, palette.length - 1, true);
  palette.forEach((code, k) => view.setUint16(4 + 2 * k, code, true));
  codes.forEach((code, k) => view.setUint16(4 + 2 * palette.length + 2 * k, index.get(code), true));
  return body;
}

/** Returns a table with a header and packed blocks, each a list of codes with at least two different ones. */
function packedTable(header, blocks) {
  return table(header, blocks.map(packedBody), 1);
}

/**
 * Returns a table with a header and the bodies of blocks of one kind: 1 packed, 2 compressed. Blocks without
 * a body are of draws.
 */
function table(header, bodies, kind, version = 1) {
  const indexStart = Math.ceil((28 + header.length) / PAGE) * PAGE;
  const dataStart = indexStart + Math.ceil(bodies.length / ENTRIES) * PAGE;
  const dataLength = bodies.reduce((sum, body) => sum + (body === undefined ? 0 : 4 + body.length), 0);
  const bytes = new Uint8Array(dataStart + dataLength);
  const view = new DataView(bytes.buffer);
  bytes.set([0x89, 0x44, 0x54, 0x42, 0x0d, 0x0a, 0x1a, 0x0a, version]);
  view.setUint32(12, header.length, true);
  view.setBigUint64(16, BigInt(dataLength), true);
  bytes.set(header, 28);
  let offset = 0;
  bodies.forEach((body, block) => {
    if (body === undefined) return;
    const at = indexStart + Math.floor(block / ENTRIES) * PAGE + (block % ENTRIES) * 8;
    view.setUint32(at, offset, true);
    view.setUint32(at + 4, ((kind << 30) | ((4 + body.length) << 8)) >>> 0, true);
    bytes.set(body, dataStart + offset + 4);
    offset += 4 + body.length;
  });
  return repair(bytes, layout(bytes));
}

class HeaderWriter {
  #bytes = [];

  u8(...values) {
    this.#bytes.push(...values);
    return this;
  }

  u16(...values) {
    for (const value of values) this.u8(value & 255, value >> 8);
    return this;
  }

  u32(...values) {
    for (const value of values) this.u16(value & 0xffff, value >>> 16);
    return this;
  }

  u64(...values) {
    for (const value of values) {
      const wide = BigInt(value);
      this.u32(Number(wide & 0xffffffffn), Number(wide >> 32n));
    }
    return this;
  }

  get bytes() {
    return Uint8Array.from(this.#bytes);
  }
}

function randomCode(random) {
  return random.below(4000);
}

/**
 * Returns a pursuit table on an open board of squares with random values, whose sums are right, although
 * no game has such values. It has tiles of 8 × 8, and its file has about 2 bytes for each pair of cells.
 */
export function madeTable(size, random) {
  const cells = size * size;
  const codes = Array.from({ length: cells }, () => Array.from({ length: cells }, () => randomCode(random)));
  const counts = { police: 0, thief: 0, draw: 0 };
  const longest = { police: 0, thief: 0 };
  const digest = new Digest();
  codes.forEach((row, police) =>
    row.forEach((stored, thief) => {
      const code = police === thief ? 2 : stored;
      digest.add(police * cells + thief, code);
      const winner = code === 0 ? "draw" : code % 2 === 1 ? "thief" : "police";
      counts[winner]++;
      if (winner !== "draw") longest[winner] = Math.max(longest[winner], (code - 1) >>> 1);
    }),
  );
  const tiles = tilesOf(size);
  const blocks = tiles.flatMap((police) => tiles.map((thief) => thief.flatMap((t) => police.map((p) => codes[p][t]))));
  const header = new HeaderWriter().u32(0).u16(size, size);
  header.u64(Math.ceil(cells / 4));
  for (let square = 0; square < cells; square += 4) header.u8(0x55 & (4 ** Math.min(4, cells - square) - 1));
  header.u8(1).u32(0).u8(1).u32(1).u8(1).u8(1).u32(0, 0, 0).u8(8, 8, 8, 8);
  header.u64(counts.police, counts.thief, counts.draw, 0, 0, cells * cells);
  header.u32(longest.police, longest.thief).u64(digest.value);
  return packedTable(header.bytes, blocks);
}

/**
 * Returns a pursuit table on an open board of squares whose positions are all draws, of `officers` officers,
 * with `steps` steps for all pieces in a turn. Officers step like a king, or by a list of offsets. Its tiles
 * are of 2 × 2 squares for the police and 4 × 4 for the thief, or of `tile` × `tile` squares for both.
 */
export function drawnTable(size, officers, steps, { offsets, tile } = {}) {
  const [policeTile, thiefTile] = [tile ?? 2, tile ?? 4];
  const cells = size * size;
  const multisets = (n) => Array.from({ length: officers }, (_, k) => (n + k) / (k + 1)).reduce((a, b) => a * b, 1);
  const blocks = Math.round(multisets(Math.ceil(size / policeTile) ** 2)) * Math.ceil(size / thiefTile) ** 2;
  const teams = Math.round(multisets(cells));
  const header = new HeaderWriter().u32(2).u16(size, size).u64(Math.ceil(cells / 4));
  for (let square = 0; square < cells; square += 4) header.u8(0x55 & (4 ** Math.min(4, cells - square) - 1));
  if (offsets === undefined) header.u8(officers).u32(0);
  else header.u8(officers).u32(4).u64(offsets.length).u16(...offsets.flat().map((part) => part & 0xffff));
  header.u8(1).u32(1).u8(1).u8(1).u32(0, 0, 0).u8(policeTile, policeTile, thiefTile, thiefTile);
  header.u64(0, 0, teams * cells, 0, 0, teams * cells).u32(0, 0).u64(0);
  header.u8(steps, 1, steps, 1).u32(0, 0).u8(0);
  const indexStart = Math.ceil((28 + header.bytes.length) / PAGE) * PAGE;
  const bytes = new Uint8Array(indexStart + Math.ceil(blocks / ENTRIES) * PAGE);
  bytes.set([0x89, 0x44, 0x54, 0x42, 0x0d, 0x0a, 0x1a, 0x0a, 1]);
  new DataView(bytes.buffer).setUint32(12, header.bytes.length, true);
  bytes.set(header.bytes, 28);
  return repair(bytes, layout(bytes));
}

/**
 * Returns a pursuit table on an open board of squares with one exit. Its tiles are of 8 × 8 squares, and each
 * of its blocks is another copy of one compressed block. No game has such values.
 */
export function compressedTable(size, exit, body) {
  const cells = size * size;
  const blocks = Math.ceil(size / 8) ** 4;
  const header = new HeaderWriter().u32(0).u16(size, size).u64(Math.ceil(cells / 4));
  for (let square = 0; square < cells; square += 4) {
    const exits = exit >= square && exit < square + 4 ? 3 * 4 ** (exit - square) : 0;
    header.u8((0x55 ^ exits) & (4 ** Math.min(4, cells - square) - 1));
  }
  header.u8(1).u32(0).u8(1).u32(0).u8(1).u8(1).u32(0, 0, 0).u8(8, 8, 8, 8);
  header.u64(cells * cells, 0, 0, cells * cells, 0, 0).u32(9, 9).u64(0);
  return table(header.bytes, Array.from({ length: blocks }, () => body), 2);
}

/** Returns the body of a compressed block for tiles of 8 × 8 cells. `compress` makes a Zstandard frame. */
export function compressedBody(compress) {
  const palette = [2, ...Array.from({ length: 150 }, () => 2)];
  const indices = Array.from({ length: 4096 }, (_, slot) => ((slot >> 6) + (slot & 63)) % palette.length);
  // Numbers below 128 take a byte; the count has two.
  const count = [(palette.length & 127) | 128, palette.length >> 7];
  return compress(Uint8Array.from([...count, ...palette, ...indices]), 19);
}

/** Returns the cell numbers in each tile of 8 × 8 of an open board of squares. */
function tilesOf(size) {
  const across = Math.ceil(size / 8);
  const tiles = Array.from({ length: across * across }, () => []);
  for (let cell = 0; cell < size * size; cell++) {
    const [row, column] = [Math.floor(cell / size), cell % size];
    tiles[Math.floor(row / 8) * across + Math.floor(column / 8)].push(cell);
  }
  return tiles;
}

/** Returns a game table with random values, whose sums are right,. Each block has 1,024 slots. */
export function madeGameTable(positions, random) {
  const codes = Array.from({ length: positions }, () => randomCode(random));
  const blocks = [];
  for (let start = 0; start < positions; start += 1024) blocks.push(codes.slice(start, start + 1024));
  const digest = new Digest();
  codes.forEach((code, position) => digest.add(position, code));
  const won = codes.filter((code) => code > 0 && code % 2 === 0);
  const lost = codes.filter((code) => code % 2 === 1);
  const longest = (list) => list.reduce((most, code) => Math.max(most, (code - 1) >>> 1), 0);
  const header = new HeaderWriter().u32(1).u64(4).u8(...new TextEncoder().encode("made")).u64(7, positions);
  header.u32(1024).u64(won.length, lost.length, positions - won.length - lost.length);
  header.u32(longest(won), longest(lost)).u64(digest.value);
  return packedTable(header.bytes, blocks);
}

/** Returns a number in LEB128. */
function leb128(number) {
  const low = number % 128;
  return number < 128 ? [low] : [low + 128, ...leb128((number - low) / 128)];
}

/** Returns the section of lists of differences, one for each place, each written once. */
export function listSection(lists) {
  const palette = [...new Map(lists.map((list) => [list, list])).keys()];
  const number = new Map(palette.map((list, k) => [list, k]));
  const bytes = leb128(palette.length);
  for (const list of palette) {
    bytes.push(...leb128(list.length));
    for (const [k, difference] of list.entries()) {
      const first = difference < 0 ? -2 * difference - 1 : 2 * difference;
      bytes.push(...leb128(k === 0 ? first : difference - list[k - 1] - 1));
    }
  }
  for (const list of lists) bytes.push(number.get(list) & 255);
  if (palette.length > 256) for (const list of lists) bytes.push(number.get(list) >> 8);
  return bytes;
}

/**
 * Returns the table of a given game on a board without walls whose positions are all draws. The officer has
 * places on the first squares only, as many as `moves` has lists, the thief on all squares, one for each list
 * of `thiefMoves`. An officer captures on the officer's own square.
 */
export function givenTable(rows, columns, moves, thiefMoves) {
  const squares = rows * columns;
  const same = [0];
  const sections = [moves, moves.map(() => same), thiefMoves].map(listSection);
  const bits = (count) => Array.from({ length: Math.ceil(squares / 8) }, (_, byte) => {
    return 2 ** Math.min(8, Math.max(0, count - 8 * byte)) - 1;
  });
  const header = new HeaderWriter().u32(0, 0, 1).u16(rows, columns).u64(1);
  const kind = (count, lengths) => {
    header.u64(0).u8(1).u64(1, 0).u64(Math.ceil(squares / 8));
    for (const byte of bits(count)) header.u8(byte);
    header.u8(16, 16).u32(...lengths);
  };
  kind(moves.length, [sections[0].length, sections[1].length, 0]);
  kind(squares, [sections[2].length, 0, 0]);
  const positions = moves.length * squares;
  header.u32(0, 0, 0).u64(0, 0, positions, 0, 0, positions).u32(0, 0).u64(0).u32(0, 0);
  const tiles = (count) => {
    const used = Array.from({ length: count }, (_, square) => {
      return `${Math.floor(square / columns / 16)},${Math.floor((square % columns) / 16)}`;
    });
    return new Set(used).size;
  };
  const blocks = new Array(tiles(moves.length) * tiles(squares)).fill(undefined);
  for (const section of sections) {
    for (let start = 0; start < section.length; start += 2 ** 16) {
      blocks.push(packedBody(section.slice(start, start + 2 ** 16)));
    }
  }
  return table(header.bytes, blocks, 1, 2);
}
