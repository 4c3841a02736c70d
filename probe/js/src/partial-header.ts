import type { Cursor } from "./cursor.js";
import { DragnetError } from "./errors.js";
import type { FileBytes } from "./file-bytes.js";
import { type Header, readPursuit } from "./header.js";
import { PARTIAL, expectEnd, readPreamble } from "./preamble.js";

/** The part of a pursuit table's knowledge that a partial table keeps: who wins, or one side's best moves. */
export type Keeps = "outcomes" | "police-moves" | "thief-moves";

/** The header of a partial table, with that of the pursuit table from which it was made. */
export interface PartialHeader extends Header {
  readonly keeps: Keeps;
  /** The differences of squares by which pieces move, ascending; empty if no moves are kept. */
  readonly differences: readonly number[];
}

/** The most codes of moves. */
const MOST_MOVES = 2 ** 30;

/** Reads and checks the preamble and the header of a partial table. */
export function readPartialHeader(file: FileBytes): PartialHeader {
  const { preamble, fields } = readPreamble(file, [PARTIAL]);
  const game = { ...readPursuit(fields, true), ...preamble };
  const keeps = fields.enumeration<Keeps>("keeps", ["outcomes", "police-moves", "thief-moves"]);
  const pieces = keeps === "police-moves" ? game.rules.officers : 1;
  const differences = readDifferences(fields, keeps, game.board.height * game.board.width - 1, pieces);
  expectEnd(fields);
  return { ...game, keeps, differences };
}

function readDifferences(fields: Cursor, keeps: Keeps, most: number, pieces: number): number[] {
  const count = fields.boundedU64("differences", Math.floor(fields.left / 4));
  if ((count === 0) !== (keeps === "outcomes")) {
    const expected = keeps === "outcomes" ? "none in a table of outcomes" : "at least 1 in a table of moves";
    throw new DragnetError("header", `header, differences: expected ${expected}, found ${count}`);
  }
  if (count ** pieces > MOST_MOVES) {
    const found = `${count} of ${pieces} pieces`;
    throw new DragnetError("header", `header, differences: expected at most ${MOST_MOVES} moves, found ${found}`);
  }
  const differences: number[] = [];
  let least = -most;
  for (let k = 0; k < count; k++) {
    const difference = fields.i32("differences");
    if (difference < least || difference > most) {
      throw new DragnetError("header", `header, differences: expected ${least} to ${most}, found ${difference}`);
    }
    differences.push(difference);
    least = difference + 1;
  }
  return differences;
}
