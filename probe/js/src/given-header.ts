import { Board, MOST_SQUARES } from "./board.js";
import type { Cursor } from "./cursor.js";
import { DragnetError } from "./errors.js";
import type { FileBytes } from "./file-bytes.js";
import { readName } from "./game-header.js";
import { type Summary, type TileSize, checkSlots, readSummary, readTileSize } from "./header.js";
import { multisets } from "./multisets.js";
import type { Keeps } from "./partial-header.js";
import { GIVEN, PURSUIT, type Preamble, expectEnd, readPreamble } from "./preamble.js";
import type { Rules } from "./rules.js";

/** The officers, or the thief, of a game that a program gave. */
export interface Kind {
  /** The name of the kind, for people. */
  readonly name: string;
  /** The number of its pieces: 1 to 6 officers, 1 thief. */
  readonly pieces: number;
  /** The names of its layers, boards of the same size that stand one below the other on its grid. */
  readonly layers: readonly string[];
  /** The grid: a board on which each place is an open square, and everything else a wall. */
  readonly places: Board;
}

/** The rules of a game that a program gave which are not in its moves and ends. */
export type GivenRules = Pick<Rules, "officers" | "team" | "stuck" | "undecided">;

/** The header of the table of a given game. */
export interface GivenHeader extends Preamble, Summary {
  readonly kinds: Readonly<Record<"police" | "thief", Kind>>;
  readonly rules: GivenRules;
  /** The places of the thief. */
  readonly board: Board;
  /** The places of officers; the same board if they are those of the thief. */
  readonly policeBoard: Board;
  readonly policeTile: TileSize;
  readonly thiefTile: TileSize;
  /** The bytes of each section, by the numbers of {@link SECTIONS}. */
  readonly sections: readonly number[];
}

/** The numbers of the sections, in their order in the file. */
export const SECTIONS = {
  moves: 0,
  captures: 1,
  arrivals: 2,
  thiefMoves: 3,
  escapes: 4,
  source: 5,
  points: 6,
} as const;

/** The part of the header that belongs to a kind. */
interface KindFields extends Kind {
  readonly tile: TileSize;
  /** The bytes of its moves, its captures, and its arrivals or escapes. */
  readonly lengths: readonly [number, number, number];
}

const KEEPS: readonly (Keeps | "values")[] = ["values", "outcomes", "police-moves", "thief-moves"];
const MOST_WORLDS = 4096;
const MOST_KINDS = 6;
const MOST_OFFICERS = 6;
const MOST_LAYERS = 256;
const MOST_GRID_ROWS = 65535;
const MOST_GRID = 2 ** 22;
const MOST_SECTION = 2 ** 25;
/** Bytes of the point at which a square is drawn. */
const POINT = 8;

/** Reads and checks the preamble and the header of the table of a given game. */
export function readGivenHeader(file: FileBytes): GivenHeader {
  const { preamble, fields } = readPreamble(file, [PURSUIT], GIVEN);
  const keeps = fields.enumeration("keeps", KEEPS);
  if (keeps !== "values") throw unsupported("values", `a table that keeps ${keeps}`);
  const worlds = within("worlds", fields.u32("worlds"), 1, MOST_WORLDS);
  if (worlds !== 1) throw unsupported("a game of 1 world", `${worlds} worlds`);
  const size: Size = [fields.u16("rows"), fields.u16("columns")];
  const squares = within("squares of the board", size[0] * size[1], 1, MOST_SQUARES);
  const kinds = fields.boundedU64("kinds of officers", MOST_KINDS);
  if (kinds !== 1) throw unsupported("a game of 1 kind of officers", `${kinds} kinds`);
  const police = readKind(fields, "officers", MOST_OFFICERS, size);
  const thief = readKind(fields, "thief", 1, size, police.places);
  checkSlots(police.pieces, police.tile, thief.tile);
  const [moves, captures, arrivals] = police.lengths;
  if (captures === 0 && !police.places.equals(thief.places)) {
    throw wrong("bytes of captures", "some, since officers and thief have different places", 0);
  }
  const team = fields.enumeration("turn", ["all", "one"] as const);
  const stuck = fields.enumeration("stuck", ["loses", "wins"] as const);
  const undecided = fields.enumeration("undecided", ["draw", "police", "thief"] as const);
  const teams = multisets(police.places.openCells, police.pieces);
  const summary = readSummary(fields, teams * thief.places.openCells);
  const source = within("bytes of source", fields.u32("bytes of source"), 0, MOST_SECTION);
  const points = optional("bytes of points", fields.u32("bytes of points"), POINT * squares);
  expectEnd(fields);
  return {
    ...preamble,
    ...summary,
    kinds: { police: kindOf(police), thief: kindOf(thief) },
    rules: { officers: police.pieces, team, stuck, undecided },
    board: thief.places,
    policeBoard: police.places,
    policeTile: police.tile,
    thiefTile: thief.tile,
    sections: [moves, captures, arrivals, thief.lengths[0], thief.lengths[2], source, points],
  };
}

type Size = readonly [rows: number, columns: number];

/** @param others the places of the officers, for the thief */
function readKind(fields: Cursor, what: string, most: number, size: Size, others?: Board): KindFields {
  const name = readName(fields, `${what}, name`);
  const pieces = within(`${what}, pieces`, fields.u8(`${what}, pieces`), 1, most);
  const count = fields.boundedU64(`${what}, layers`, MOST_LAYERS);
  within(`${what}, layers`, count, 1, MOST_LAYERS);
  const layers = Array.from({ length: count }, () => readName(fields, `${what}, layer`));
  const rows = within(`${what}, rows of the grid`, count * size[0], 1, MOST_GRID_ROWS);
  const squares = within(`${what}, squares of the grid`, rows * size[1], 1, MOST_GRID);
  const places = readPlaces(fields, `${what}, places`, rows, squares, others);
  const tile = readTileSize(fields, `${what}, tile`);
  const length = (section: string): number => {
    return within(`${what}, bytes of ${section}`, fields.u32(section), 0, MOST_SECTION);
  };
  const moves = length("moves");
  const captures = length("captures");
  if (others !== undefined && captures !== 0) throw wrong(`${what}, bytes of captures`, "0", captures);
  const ends = optional(`${what}, bytes of ends`, length("ends"), Math.ceil(places.openCells / 8));
  return { name, pieces, layers, places, tile, lengths: [moves, captures, ends] };
}

function readPlaces(fields: Cursor, what: string, rows: number, squares: number, others?: Board): Board {
  const expected = Math.ceil(squares / 8);
  const count = fields.boundedU64(`${what}, bytes`, expected);
  if (count === 0 && others?.height === rows) return others;
  if (count !== expected) throw wrong(what, `${expected} bytes`, count);
  const bits = fields.bytes(what, count);
  if (hasUnusedBits(bits, squares)) throw wrong(what, "unused bits of 0", bits[count - 1]!);
  if (bits.every((byte) => byte === 0)) throw wrong(what, "at least one place", 0);
  const packed = new Uint8Array(Math.ceil(squares / 4));
  for (let square = 0; square < squares; square++) {
    packed[square >> 2]! |= bitOf(bits, square) << (2 * (square & 3));
  }
  return new Board(rows, squares / rows, packed);
}

/** Returns a bit of a list of bits, 0 or 1; 0 beyond its end. */
export function bitOf(bits: Uint8Array, at: number): number {
  return ((bits[at >> 3] ?? 0) >> (at & 7)) & 1;
}

/** Returns whether any of the bits beyond the first `count` in the last byte is 1. */
export function hasUnusedBits(bits: Uint8Array, count: number): boolean {
  return (count & 7) !== 0 && (bits[bits.length - 1] ?? 0) >> (count & 7) !== 0;
}

function kindOf({ name, pieces, layers, places }: KindFields): Kind {
  return { name, pieces, layers, places };
}

/** Returns a length that must be 0 or `length`. */
function optional(field: string, found: number, length: number): number {
  if (found !== 0 && found !== length) throw wrong(field, `0 or ${length}`, found);
  return found;
}

function within(field: string, found: number, least: number, most: number): number {
  if (found < least || found > most) throw wrong(field, `${least} to ${most}`, found);
  return found;
}

function wrong(field: string, expected: string, found: number): DragnetError {
  return new DragnetError("header", `header, ${field}: expected ${expected}, found ${found}`);
}

function unsupported(expected: string, found: string): DragnetError {
  return new DragnetError("unsupported", `expected ${expected}, found ${found}`);
}
