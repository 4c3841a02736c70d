import type { Cell, Move, Side } from "dragnet-probe";
import type { Scene } from "../../board/scene.js";
import { squareUnder } from "../../model/layers.js";
import type { Seen } from "../../engine/protocol.js";
import type { Guard } from "../../model/scenario.js";
import type { Game } from "../../model/share.js";
import { cellsOf } from "./answer.js";
import { hasSameBoard } from "./editor.js";
import type { Heat } from "./heat.js";
import { line } from "./shapes.js";
import { seenSquares } from "./sights.js";

/** The things that are shown on the board beside the game. */
export interface SceneOptions {
  readonly turn: Side;
  readonly outline: readonly Cell[];
  /** The values that colour the board, if it is that of their game. */
  readonly heat: Heat | undefined;
  /** The move to which an arrow points. */
  readonly pointed: Move | undefined;
  /** The squares that pieces see, and the guards' posts; at the beginning of their rounds if left out. */
  readonly seen?: Seen | undefined;
}

/** Returns what the canvas shows of a game. */
export function sceneOf(game: Game, { turn, outline, heat, pointed, seen }: SceneOptions): Scene {
  const { scenario, rules } = game;
  const { height, width, squares, police, thief, guards } = scenario;
  const several = police.length > 1;
  return {
    height,
    width,
    squares,
    wrap: rules.wrap,
    outline,
    values: heat !== undefined && hasSameBoard(heat.game, game) ? heat.values : undefined,
    shaded: seen === undefined ? [] : seenSquares(seen),
    paths: guards.map((guard) => ({ side: "police" as const, cells: wayOf(guard) })),
    pieces: [
      ...guards.map(({ round }, number) => ({
        side: "police" as const,
        guard: true,
        cell: seen?.guards[number]?.cell ?? round[0]!,
      })),
      ...police.map((cell, officer) => ({ side: "police" as const, cell, ...(several && { officer }) })),
      ...(thief === undefined ? [] : [{ side: "thief" as const, cell: thief }]),
    ],
    arrows: pointed === undefined ? [] : arrowsOf(game, turn, pointed),
  };
}

/** Returns the squares that a guard passes once, not those of the way back. */
function wayOf({ round, back }: Guard): Cell[] {
  const turns = back === true ? round : [...round, round[0]!];
  return turns.flatMap((turn, at) => (at === 0 ? [turn] : line(turns[at - 1]!, turn).slice(1)));
}

function arrowsOf({ scenario }: Game, turn: "police" | "thief", { to }: Move): Scene["arrows"] & object {
  const cells = cellsOf(to).map((cell) => squareUnder(cell, scenario));
  if (turn === "thief")
    return scenario.thief === undefined ? [] : [{ side: turn, from: scenario.thief, to: cells[0]! }];
  // A move names the cells of the team in reading order; officers that stay keep theirs.
  const left = scenario.police.filter((cell) => !cells.some((other) => String(other) === String(cell)));
  const taken = cells.filter((cell) => !scenario.police.some((other) => String(other) === String(cell)));
  return taken.flatMap((cell) => {
    const from = nearest(left.length > 0 ? left : scenario.police, cell);
    return from === undefined ? [] : [{ side: turn, from, to: cell }];
  });
}

function nearest(cells: readonly Cell[], to: Cell): Cell | undefined {
  const distance = (cell: Cell): number => (cell[0] - to[0]) ** 2 + (cell[1] - to[1]) ** 2;
  return cells.reduce<Cell | undefined>(
    (best, cell) => (best && distance(best) <= distance(cell) ? best : cell),
    undefined,
  );
}
