import { Board } from "./board.js";
import { type Cursor, optional, readName, refuseField, within } from "./cursor.js";
import type { Header } from "./header.js";
import type { Side } from "./rules.js";

/** A kind of pieces. */
export interface Kind {
  /** The name of the kind, for people. */
  readonly name: string;
  /** The number of its pieces: 1 to 6 officers, 1 thief. */
  readonly pieces: number;
  /** The names of its layers, each of which is as large as the board. */
  readonly layers: readonly string[];
}

/** The kinds of pieces of both sides: none or up to 6 kinds of officers, and the thief. */
export type Kinds = Readonly<Record<Side, readonly Kind[]>>;

/**
 * The places of both sides. The grid of a side has the layers of all its kinds, kind by kind, one below the
 * other. It is a board on which each place is an open square, and everything else a wall. Without officers
 * the grid of the police has no rows.
 */
export type Places = Readonly<Record<Side, Board>>;

/** The size of a tile, a rectangle of squares whose cells are stored together. */
export interface TileSize {
  readonly rows: number;
  readonly columns: number;
}

/** The part of the header that belongs to a kind. */
export interface KindFields extends Kind {
  /** The places on the kind's own grid. */
  readonly places: Board;
  readonly tile: TileSize;
  /** The bytes of its moves, its captures, and its arrivals or escapes. */
  readonly lengths: readonly [moves: number, captures: number, ends: number];
}

/** The rows and columns of the board. */
export type Size = readonly [rows: number, columns: number];

const MOST_LAYERS = 256;
const MOST_GRID_ROWS = 65535;
const MOST_GRID = 2 ** 22;
const MOST_TILE_SQUARES = 256;
const MOST_SECTION = 2 ** 25;
/** The most bytes of a source. */
export const MOST_SOURCE = 2 ** 22;

/**
 * Reads the fields of a kind.
 *
 * @param what the name of the kind in an error
 * @param most the most pieces
 * @param worlds the number of worlds
 * @param first the places of the first kind, for the other kinds
 */
export function readKind(
  fields: Cursor,
  what: string,
  most: number,
  worlds: number,
  size: Size,
  first?: Board,
): KindFields {
  const name = readName(fields, `${what}, name`);
  const pieces = within(`${what}, pieces`, fields.u8(`${what}, pieces`), 1, most);
  const count = fields.boundedU64(`${what}, layers`, MOST_LAYERS);
  within(`${what}, layers`, count, 1, MOST_LAYERS);
  const layers = Array.from({ length: count }, () => readName(fields, `${what}, layer`));
  const rows = within(`${what}, rows of the grid`, count * size[0], 1, MOST_GRID_ROWS);
  const squares = rows * size[1];
  within(`${what}, squares of the grid in all worlds`, worlds * squares, 1, MOST_GRID);
  const places = readPlaces(fields, `${what}, places`, rows, squares, first);
  const tile = readTileSize(fields, `${what}, tile`);
  const length = (section: string): number => {
    return within(`${what}, bytes of ${section}`, fields.u32(section), 0, MOST_SECTION);
  };
  const moves = length("moves");
  const captures = length("captures");
  const ends = optional(`${what}, bytes of ends`, length("ends"), Math.ceil((worlds * places.openCells) / 8));
  return { name, pieces, layers, places, tile, lengths: [moves, captures, ends] };
}

/**
 * Returns the board of a game: a square is open if a kind has a place there in any layer, and an exit if the
 * thief escapes there in any world.
 *
 * @param escapes a bit for each place of the thief in each world
 */
export function boardOf(header: Pick<Header, "size" | "places" | "worlds">, escapes: Uint8Array): Board {
  const { size: [rows, columns], places: { police, thief }, worlds } = header;
  const squares = new Uint8Array(rows * columns);
  const mark = (places: Board, cell: number, square: number): void => {
    squares[places.squareOf(cell) % squares.length] = square;
  };
  for (let cell = 0; cell < police.openCells; cell++) mark(police, cell, 1);
  for (let cell = 0; cell < thief.openCells; cell++) mark(thief, cell, 1);
  for (let spot = 0; spot < worlds * thief.openCells; spot++) {
    if (bitOf(escapes, spot) === 1) mark(thief, spot % thief.openCells, 2);
  }
  return new Board(rows, columns, squares, police === thief && police.height === rows ? police : undefined);
}

function readPlaces(fields: Cursor, what: string, rows: number, squares: number, first?: Board): Board {
  const expected = Math.ceil(squares / 8);
  const count = fields.boundedU64(`${what}, bytes`, expected);
  if (count === 0 && first?.height === rows) return first;
  if (count !== expected) refuseField(what, `${expected} bytes`, count);
  const bits = fields.bytes(what, count);
  if (hasUnusedBits(bits, squares)) refuseField(what, "unused bits of 0", bits[count - 1]!);
  if (bits.every((byte) => byte === 0)) refuseField(what, "at least one place", 0);
  const kinds = new Uint8Array(squares);
  for (let square = 0; square < squares; square++) kinds[square] = bitOf(bits, square);
  const places = new Board(rows, squares / rows, kinds);
  return first?.equals(places) === true ? first : places;
}

function readTileSize(fields: Cursor, what: string): TileSize {
  const rows = fields.u8(`${what} rows`);
  const columns = fields.u8(`${what} columns`);
  const size = rows * columns;
  if (size === 0 || size > MOST_TILE_SQUARES) {
    refuseField(what, `1 to ${MOST_TILE_SQUARES} squares`, `${rows}x${columns}`);
  }
  return { rows, columns };
}

/** Returns a bit of a list of bits, 0 or 1; 0 beyond its end. */
export function bitOf(bits: Uint8Array, at: number): number {
  return ((bits[at >> 3] ?? 0) >> (at & 7)) & 1;
}

/** Returns whether any of the bits beyond the first `count` in the last byte is 1. */
export function hasUnusedBits(bits: Uint8Array, count: number): boolean {
  return (count & 7) !== 0 && (bits[bits.length - 1] ?? 0) >> (count & 7) !== 0;
}
