import type { Cell, Position, Side, Table } from "dragnet-probe";
import { sentence } from "../../base/text.js";
import type { Values } from "../../board/scene.js";
import { type Scenario, WALL, squareOf } from "../../model/scenario.js";

const OUTCOMES = [undefined, "police", "thief", "draw"] as const;

/** The values of all squares for one piece, and what they are of. */
export interface Heat {
  readonly values: Values;
  readonly height: number;
  readonly width: number;
  readonly piece: Side;
}

/** Returns the values with one piece on each square; `officer` is the number of the officer that varies. */
export function heatOf(table: Table, position: Position, piece: Side, officer: number): Heat {
  const { height, width, outcome, dtw, longest } = table.slice(position, piece, officer);
  return { values: { outcomes: outcome, distances: dtw, longest }, height, width, piece };
}

/** Returns the values on the open squares of a board, which may have walls where the values have none. */
export function onBoard({ values }: Heat, { squares }: Scenario): Values {
  const outcomes = values.outcomes.map((outcome, square) => (squares[square] === WALL ? 0 : outcome));
  return { ...values, outcomes };
}

/** Returns what the values tell about a cell, `undefined` for a wall. */
export function valueAt({ values, width, piece }: Heat, cell: Cell): string | undefined {
  const square = squareOf({ width }, cell);
  const outcome = OUTCOMES[values.outcomes[square] ?? 0];
  if (outcome === undefined) return undefined;
  const dtw = outcome === "draw" ? null : values.distances[square]!;
  const who = piece === "police" ? "officer" : "thief";
  return `With the ${who} on ${cell.join()} ${sentence({ outcome, dtw })}`;
}
