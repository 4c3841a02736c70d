import type { Cell, Position, Side } from "dragnet-probe";
import { sentence } from "../../base/text.js";
import { valuesOf } from "../../board/values.js";
import { layerOf } from "../../model/layers.js";
import type { Values } from "../../board/scene.js";
import { squareOf } from "../../model/scenario.js";
import type { Game } from "../../model/share.js";
import { cellsOf } from "./answer.js";
import type { Solved } from "./solving.js";

const OUTCOMES = [undefined, "police", "thief", "draw"] as const;

/** The values of all squares for one piece, and what they are of. */
export interface Heat {
  /** The game whose values they are. */
  readonly game: Game;
  readonly values: Values;
  readonly width: number;
  readonly piece: Side;
}

/** Returns the values with one piece on each square; `officer` is the number of the officer that varies. */
export function heatOf({ game, table }: Solved, position: Position, piece: Side, officer: number): Heat {
  const slice = table.slice(position, piece, officer);
  const own = piece === "thief" ? position.thief : cellsOf(position.police)[officer]!;
  const values = valuesOf(slice, layerOf(own, table.board), table.board);
  return { game, values, width: table.board.width, piece };
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
