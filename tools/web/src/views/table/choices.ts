import type { Cell, Move, Outcome, Rules, Side, Table } from "dragnet-probe";
import { isSameCell } from "../../model/cell.js";
import type { Setting } from "../../model/setting.js";
import { type Placement, asked } from "./position.js";

/** A legal move, and the cell that each officer goes to. */
export interface Choice extends Move {
  /** The cells of the pieces that move after the move: each officer's, or the thief's alone. */
  readonly targets: readonly Cell[];
  /** The position after the move. */
  readonly after: Placement;
  /** Whether no other move is better. */
  readonly isBest: boolean;
}

/** The result of a move for the side that makes it. */
export type Worth = "wins" | "draws" | "loses";

/** Up to this number of officers, the shortest assignment of targets is found by trying all. */
const MOST_TRIED = 4;

/** Returns all legal moves of a position, the best first. The table must have what they need. */
export function choicesOf(table: Table, setting: Setting, placement: Placement): Choice[] {
  const moves = table.moves(asked(placement));
  const best = moves[0];
  const distance = distanceOn(table, setting);
  return moves.map((move) => {
    const isBest = move.outcome === best!.outcome && move.dtw === best!.dtw;
    const { world } = move.position;
    if (placement.turn === "thief") {
      const to = move.to as Cell;
      return { ...move, targets: [to], isBest, after: { ...placement, world, thief: to, turn: "police" } };
    }
    const to = (placement.police.length === 1 ? [move.to] : move.to) as readonly Cell[];
    const targets = assign(placement.police, to, distance);
    return { ...move, targets, isBest, after: { ...placement, world, police: targets, turn: "thief" } };
  });
}

/** Returns what an outcome is for a side. */
export function worthOf(outcome: Outcome, turn: Side): Worth {
  if (outcome === "draw") return "draws";
  return outcome === turn ? "wins" : "loses";
}

/** Returns what an outcome is for a side if draws count as the rules say. */
export function resultOf(outcome: Outcome, side: Side, undecided: Rules["undecided"]): Worth {
  return worthOf(outcome === "draw" ? undecided : outcome, side);
}

/** Returns the choices that take some officers to the cells that are already planned for them. */
export function following(choices: readonly Choice[], plan: readonly (Cell | undefined)[]): Choice[] {
  return choices.filter(({ targets }) =>
    plan.every((cell, piece) => cell === undefined || isSameCell(cell, targets[piece])),
  );
}

/** Returns how far two cells are from each other. */
export type Distance = (from: Cell, to: Cell) => number;

/** Gives each officer one of the cells after a move, so that they go as short a way as possible. */
export function assign(from: readonly Cell[], to: readonly Cell[], distance: Distance): readonly Cell[] {
  if (from.length === 1) return to;
  if (from.length > MOST_TRIED) return assignNearest(from, to, distance);
  let best: readonly Cell[] = to;
  let least = Infinity;
  const extend = (chosen: readonly Cell[], left: readonly Cell[], cost: number): void => {
    if (cost >= least) return;
    if (left.length === 0) {
      best = chosen;
      least = cost;
      return;
    }
    left.forEach((cell, k) => {
      const more = cost + distance(from[chosen.length]!, cell);
      extend([...chosen, cell], [...left.slice(0, k), ...left.slice(k + 1)], more);
    });
  };
  extend([], to, 0);
  return best;
}

function assignNearest(from: readonly Cell[], to: readonly Cell[], distance: Distance): readonly Cell[] {
  const left = [...to];
  return from.map((officer) => {
    let nearest = 0;
    for (const [k, cell] of left.entries()) {
      if (distance(officer, cell) < distance(officer, left[nearest]!)) nearest = k;
    }
    return left.splice(nearest, 1)[0]!;
  });
}

/**
 * Returns how far the squares of cells are from each other, squared: over joined edges, or on a graph by its
 * edges.
 */
export function distanceOn({ board }: Table, { rules, edges }: Setting): Distance {
  if (edges !== null) {
    const known = new Set(edges.map(([from, to]) => `${from},${to}`));
    return (from, to) => (from[1] === to[1] ? 0 : known.has(`${from[1]},${to[1]}`) ? 1 : 1e6);
  }
  const wrap = rules?.wrap;
  const along = (a: number, b: number, size: number, joined: boolean): number => {
    const way = Math.abs(a - b);
    return joined ? Math.min(way, size - way) : way;
  };
  return (from, to) =>
    along(from[0] % board.height, to[0] % board.height, board.height, wrap === "vertical" || wrap === "both") ** 2 +
    along(from[1], to[1], board.width, wrap === "horizontal" || wrap === "both") ** 2;
}
