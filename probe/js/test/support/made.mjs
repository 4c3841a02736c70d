import { Digest } from "../../dist/digest.js";
import { multisets } from "../../dist/multisets.js";
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

/** Returns the block of packed codes. */
export function packedBlock(codes) {
  return { kind: 1, body: packedBody(codes) };
}

/**
 * Returns a table with a header and blocks, each a kind (1 packed, 2 compressed) with a body, or the only
 * code that it has.
 */
function table(header, blocks) {
  const indexStart = Math.ceil((28 + header.length) / PAGE) * PAGE;
  const dataStart = indexStart + Math.ceil(blocks.length / ENTRIES) * PAGE;
  const dataLength = blocks.reduce((sum, { body }) => sum + (body === undefined ? 0 : 4 + body.length), 0);
  const bytes = new Uint8Array(dataStart + dataLength);
  const view = new DataView(bytes.buffer);
  bytes.set([0x89, 0x44, 0x54, 0x42, 0x0d, 0x0a, 0x1a, 0x0a, 2]);
  view.setUint32(12, header.length, true);
  view.setBigUint64(16, BigInt(dataLength), true);
  bytes.set(header, 28);
  let offset = 0;
  for (const [block, one] of blocks.entries()) {
    const at = indexStart + Math.floor(block / ENTRIES) * PAGE + (block % ENTRIES) * 8;
    const { kind, body } = one;
    view.setUint32(at, body === undefined ? one : offset, true);
    if (body === undefined) continue;
    view.setUint32(at + 4, ((kind << 30) | ((4 + body.length) << 8)) >>> 0, true);
    bytes.set(body, dataStart + offset + 4);
    offset += 4 + body.length;
  }
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

  /** Writes a text with its length. */
  text(words) {
    const bytes = new TextEncoder().encode(words);
    return this.u64(bytes.length).u8(...bytes);
  }

  get bytes() {
    return Uint8Array.from(this.#bytes);
  }
}

function randomCode(random) {
  return random.below(4000);
}

/** Returns the bytes of a list of bits. */
function bitBytes(bits) {
  const bytes = new Array(Math.ceil(bits.length / 8)).fill(0);
  bits.forEach((bit, k) => (bytes[k >> 3] |= (bit ? 1 : 0) << (k & 7)));
  return bytes;
}

/** Returns the blocks of a section. */
function sectionBlocks(section) {
  const blocks = [];
  for (let start = 0; start < section.length; start += 2 ** 16) {
    const piece = section.slice(start, start + 2 ** 16);
    blocks.push(piece.every((byte) => byte === piece[0]) ? piece[0] : packedBlock(piece));
  }
  return blocks;
}

/**
 * Returns a table of a pursuit game. Each of the kinds, the thief the last one, has a `name`, `pieces`,
 * `layers`, the `places` of its grid, 1 for each, `tile`, and the bytes of the sections `moves`, `captures`
 * and `ends`. Any but the first without places has those of the first.
 *
 * @param summary the counts, the longest wins of police and thief, and the digest
 * @param blocks those of the positions
 */
export function pursuitTable({ rows, columns, kinds, summary, blocks, ...rest }) {
  const { keeps = 0, worlds = 1, team = 0, stuck = 0, undecided = 0, source = "" } = rest;
  const header = new HeaderWriter().u32(0, keeps, worlds).u16(rows, columns).u64(kinds.length - 1);
  const sections = [];
  for (const { name = "", pieces = 1, layers = [""], places = [], tile, moves, captures = [], ends = [] } of kinds) {
    header.text(name).u8(pieces).u64(layers.length);
    for (const layer of layers) header.text(layer);
    const bits = bitBytes(places);
    header.u64(bits.length).u8(...bits).u8(...tile).u32(moves.length, captures.length, ends.length);
    sections.push(moves, captures, ends);
  }
  const text = [...new TextEncoder().encode(source)];
  sections.push(text);
  const { counts, longest, digest } = summary;
  header.u32(team, stuck, undecided).u64(...counts).u32(...longest).u64(digest).u32(text.length, 0);
  return table(header.bytes, [...blocks, ...sections.flatMap(sectionBlocks)]);
}

/**
 * Returns the section of the moves on an open board of squares: from each square to those that are so far
 * away, as far as they are on the board.
 *
 * @param offsets the rows down and columns to the right of each move
 */
function openMoves(size, offsets) {
  const far = Math.max(...offsets.flat().map(Math.abs));
  const known = new Map();
  const lists = Array.from({ length: size * size }, (_, square) => {
    const [row, column] = [Math.floor(square / size), square % size];
    const key = [row, size - 1 - row, column, size - 1 - column].map((room) => Math.min(room, far)).join();
    if (!known.has(key)) {
      const onBoard = offsets.filter(([down, right]) => {
        return row + down >= 0 && row + down < size && column + right >= 0 && column + right < size;
      });
      known.set(key, onBoard.map(([down, right]) => down * size + right).sort((a, b) => a - b));
    }
    return known.get(key);
  });
  return listSection(lists);
}

/** Returns the offsets of a king, or of a piece that moves in rows and columns, with up to so many steps. */
function walks(steps, isKing) {
  const side = 2 * steps + 1;
  const all = Array.from({ length: side * side }, (_, k) => [Math.floor(k / side) - steps, (k % side) - steps]);
  return isKing ? all : all.filter(([down, right]) => Math.abs(down) + Math.abs(right) <= steps);
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
  const blocks = tiles.flatMap((police) =>
    tiles.map((thief) => packedBlock(thief.flatMap((t) => police.map((p) => codes[p][t])))));
  const tile = [8, 8];
  const kinds = [
    { places: new Array(cells).fill(1), tile, moves: openMoves(size, walks(1, true)) },
    { tile, moves: openMoves(size, walks(1, false)) },
  ];
  const summary = {
    counts: [counts.police, counts.thief, counts.draw, 0, 0, cells * cells],
    longest: [longest.police, longest.thief],
    digest: digest.value,
  };
  return pursuitTable({ rows: size, columns: size, kinds, summary, blocks });
}

/**
 * Returns a pursuit table on an open board of squares whose positions are all draws, of `officers` officers,
 * with `steps` steps for all pieces in a turn. Officers step like a king, or by a list of offsets. Its tiles
 * are of 2 × 2 squares for the police and 4 × 4 for the thief, or of `tile` × `tile` squares for both.
 */
export function drawnTable(size, officers, steps, { offsets = walks(steps, true), tile } = {}) {
  const [policeTile, thiefTile] = [tile ?? 2, tile ?? 4];
  const cells = size * size;
  const blocks = multisets(Math.ceil(size / policeTile) ** 2, officers) * Math.ceil(size / thiefTile) ** 2;
  const positions = multisets(cells, officers) * cells;
  const kinds = [
    {
      pieces: officers,
      places: new Array(cells).fill(1),
      tile: [policeTile, policeTile],
      moves: openMoves(size, offsets),
    },
    { tile: [thiefTile, thiefTile], moves: openMoves(size, walks(steps, false)) },
  ];
  const summary = { counts: [0, 0, positions, 0, 0, positions], longest: [0, 0], digest: 0 };
  return pursuitTable({ rows: size, columns: size, kinds, summary, blocks: new Array(blocks).fill(0) });
}

/**
 * Returns a pursuit table on an open board of squares with one exit. Its tiles are of 8 × 8 squares, and each
 * of its blocks is another copy of one compressed block. No game has such values.
 */
export function compressedTable(size, exit, body) {
  const cells = size * size;
  const blocks = new Array(Math.ceil(size / 8) ** 4).fill({ kind: 2, body });
  const tile = [8, 8];
  const moves = openMoves(size, walks(1, true));
  const escapes = bitBytes(Array.from({ length: cells }, (_, square) => square === exit));
  const kinds = [
    { places: new Array(cells).fill(1), tile, moves },
    { tile, moves, ends: escapes },
  ];
  const summary = { counts: [cells * cells, 0, 0, cells * cells, 0, 0], longest: [9, 9], digest: 0 };
  return pursuitTable({ rows: size, columns: size, kinds, summary, blocks });
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

/** Returns a game table with random values, whose sums are right. Each block has 1,024 slots. */
export function madeGameTable(positions, random) {
  const codes = Array.from({ length: positions }, () => randomCode(random));
  const blocks = [];
  for (let start = 0; start < positions; start += 1024) blocks.push(codes.slice(start, start + 1024));
  const digest = new Digest();
  codes.forEach((code, position) => digest.add(position, code));
  const won = codes.filter((code) => code > 0 && code % 2 === 0);
  const lost = codes.filter((code) => code % 2 === 1);
  const longest = (list) => list.reduce((most, code) => Math.max(most, (code - 1) >>> 1), 0);
  const header = new HeaderWriter().u32(1).text("made").u64(7, positions);
  header.u32(1024).u64(won.length, lost.length, positions - won.length - lost.length);
  header.u32(longest(won), longest(lost)).u64(digest.value);
  return table(header.bytes, blocks.map(packedBlock));
}

/** Returns a number in LEB128. */
function leb128(number) {
  const low = number % 128;
  return number < 128 ? [low] : [low + 128, ...leb128((number - low) / 128)];
}

/** Returns the section of lists of differences, one for each place of each world, each written once. */
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
 * Returns a pursuit table on a board without walls that has the same code, by default that of a draw, for all
 * positions. The officers have places on the first squares only, as many as `moves` has lists for each world,
 * the thief on all squares, one for each list of `thiefMoves`. An officer captures on the officer's own
 * square.
 */
export function listedTable(rows, columns, moves, thiefMoves, { worlds = 1, pieces = 1, code = 0, ...rest } = {}) {
  const squares = rows * columns;
  const same = [0];
  const side = pieces === 1 ? 16 : 4;
  const officerPlaces = moves.length / worlds;
  const kind = (lists) => ({
    places: Array.from({ length: squares }, (_, square) => square < lists.length / worlds),
    tile: [side, side],
    moves: listSection(lists),
  });
  const kinds = [{ ...kind(moves), pieces, captures: listSection(moves.map(() => same)) }, kind(thiefMoves)];
  const tiles = (count) => {
    const used = Array.from({ length: count }, (_, square) => {
      return `${Math.floor(square / columns / side)},${Math.floor((square % columns) / side)}`;
    });
    return new Set(used).size;
  };
  const positions = worlds * multisets(officerPlaces, pieces) * squares;
  const summary = { counts: [0, 0, positions, 0, 0, positions], longest: [0, 0], digest: 0 };
  const blocks = new Array(worlds * multisets(tiles(officerPlaces), pieces) * tiles(squares)).fill(code);
  return pursuitTable({ rows, columns, kinds, summary, blocks, worlds, ...rest });
}
