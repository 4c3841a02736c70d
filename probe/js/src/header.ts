import { Board, MOST_SQUARES } from "./board.js";
import type { Cursor } from "./cursor.js";
import { DragnetError } from "./errors.js";
import type { FileBytes } from "./file-bytes.js";
import { type Graph, readGraph } from "./graph.js";
import { multisets } from "./multisets.js";
import { EXTENDED_PURSUIT, PURSUIT, type Preamble, expectEnd, readPreamble } from "./preamble.js";
import { type Rules, type Side, checkOnBoard, readExtendedRules, readRules } from "./rules.js";

/** The number of positions with each outcome, terminal positions included. */
export interface Counts {
  readonly police: number;
  readonly thief: number;
  readonly draw: number;
}

/** The size of a tile, a rectangle of squares whose cells are stored together. */
export interface TileSize {
  readonly rows: number;
  readonly columns: number;
}

/** The part of a header about all values together. */
export interface Summary {
  readonly counts: Readonly<Record<Side, Counts>>;
  readonly longest: Readonly<Record<Side, number>>;
  readonly digest: bigint;
}

/** The header of a pursuit table. */
export interface Header extends Preamble, Summary {
  readonly board: Board;
  /** The edges of the board, `undefined` if it consists of squares. */
  readonly graph: Graph | undefined;
  readonly rules: Rules;
  readonly policeTile: TileSize;
  readonly thiefTile: TileSize;
}

const MOST_TILE_SQUARES = 256;
const MOST_SLOTS = 2 ** 16;
/** The most positions with one side to move that this reader can number exactly in a double. */
const MOST_POSITIONS = 2 ** 50;

/** Reads and checks the preamble and the header of a pursuit table. */
export function readHeader(file: FileBytes): Header {
  const { preamble, game, fields } = readPreamble(file, [PURSUIT, EXTENDED_PURSUIT]);
  const header = { ...readPursuit(fields, game === EXTENDED_PURSUIT), ...preamble };
  expectEnd(fields);
  return header;
}

/**
 * Reads the fields of a pursuit table that follow the first one.
 *
 * @param extended whether the extended rules are among them
 */
export function readPursuit(header: Cursor, extended: boolean): Omit<Header, keyof Preamble> {
  const board = readBoard(header);
  const plain = readRules(header);
  const policeTile = readTileSize(header, "police tile");
  const thiefTile = readTileSize(header, "thief tile");
  checkSlots(plain.officers, policeTile, thiefTile);
  const summary = readSummary(header, multisets(board.openCells, plain.officers) * board.openCells);
  const rules = extended ? readExtendedRules(header, plain) : plain;
  const graph = extended ? readGraph(header, board) : undefined;
  checkOnBoard(rules, graph !== undefined);
  return { board, graph, rules, policeTile, thiefTile, ...summary };
}

/** Reads counts, longest wins and digest of a table with so many positions for each side to move. */
export function readSummary(header: Cursor, positions: number): Summary {
  if (positions > MOST_POSITIONS) {
    throw new DragnetError("unsupported", `positions: expected at most ${MOST_POSITIONS}, found ${positions}`);
  }
  const counts = { police: readCounts(header, "police", positions), thief: readCounts(header, "thief", positions) };
  const longest = { police: header.u32("longest win of the police"), thief: header.u32("longest win of the thief") };
  return { counts, longest, digest: header.u64("digest") };
}

/** Reads the size and the squares of a board. */
export function readBoard(header: Cursor): Board {
  const height = header.u16("board height");
  const width = header.u16("board width");
  const size = height * width;
  if (size === 0 || size > MOST_SQUARES) {
    throw new DragnetError("header", `header, board: expected 1 to ${MOST_SQUARES} squares, found ${height}x${width}`);
  }
  const count = header.u64("board squares");
  const expected = Math.ceil(size / 4);
  if (count !== BigInt(expected)) {
    throw new DragnetError("header", `header, board squares: expected ${expected} bytes, found ${count}`);
  }
  return new Board(height, width, header.bytes("board squares", expected));
}

/** Reads the size of a tile. */
export function readTileSize(header: Cursor, field: string): TileSize {
  const rows = header.u8(`${field} rows`);
  const columns = header.u8(`${field} columns`);
  const size = rows * columns;
  if (size === 0 || size > MOST_TILE_SQUARES) {
    throw new DragnetError(
      "header",
      `header, ${field}: expected 1 to ${MOST_TILE_SQUARES} squares, found ${rows}x${columns}`,
    );
  }
  return { rows, columns };
}

/** Checks that the blocks of these tiles are small enough. */
export function checkSlots(officers: number, police: TileSize, thief: TileSize): void {
  const slots = (police.rows * police.columns) ** officers * thief.rows * thief.columns;
  if (slots > MOST_SLOTS) {
    throw new DragnetError("header", `header, tiles: expected at most ${MOST_SLOTS} slots, found up to ${slots}`);
  }
}

function readCounts(header: Cursor, side: Side, positions: number): Counts {
  const field = `positions with the ${side} to move`;
  const [police, thief, draw] = [0, 1, 2].map(() => header.boundedU64(field, positions)) as [number, number, number];
  if (police + thief + draw !== positions) {
    throw new DragnetError(
      "header",
      `header, ${field}: expected a sum of ${positions}, found ${police} + ${thief} + ${draw}`,
    );
  }
  return { police, thief, draw };
}
