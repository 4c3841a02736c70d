import type { Game } from "../game.js";
import type { Places } from "../kind.js";
import type { Side } from "../rules.js";
import type { Table } from "../table.js";

/**
 * The most single steps of a side for which distances are computed: enough for a king on a thousand by five
 * hundred squares. A forged table can have hundreds of times as many.
 */
const MOST_STEPS = 2 ** 22;
/**
 * The most moves of a side in all worlds together from which single steps are taken: seven times those of a
 * king on the largest grid of all worlds.
 */
const MOST_MOVES = 2 ** 28;

/** The single steps from each place: those of place n are `targets[starts[n], starts[n + 1])`. */
export interface StepTable {
  readonly starts: Int32Array;
  readonly targets: Int32Array;
}

/** The single steps of both sides, as far as instinct needs them. */
export interface SingleSteps {
  readonly police: StepTable;
  readonly policeBack: StepTable;
  readonly thiefBack: StepTable;
}

/** The places of a game with its single steps, those of all worlds together. */
export interface Ground {
  readonly places: Places;
  /** The numbers of the places where the thief escapes in any world. */
  readonly exits: readonly number[];
  /**
   * The single steps; `undefined` if there are more than {@link MOST_STEPS} of a side, or its places are not
   * the open cells of the board.
   */
  readonly steps: SingleSteps | undefined;
}

const GROUNDS = new WeakMap<Table, Ground>();

/** Returns the ground of a table, which is kept as long as the table. */
export function groundOf(table: Table): Ground {
  let ground = GROUNDS.get(table);
  if (ground === undefined) GROUNDS.set(table, (ground = makeGround(table)));
  return ground;
}

function makeGround({ board, game, kinds, places }: Table): Ground {
  const exits: number[] = [];
  const cells = board.openCells;
  const worlds = Array.from({ length: game.worlds }, (_, world) => world);
  for (let cell = 0; cell < places.thief.openCells; cell++) {
    if (worlds.some((world) => game.hasEscaped(world, cell))) exits.push(cell);
  }
  const isBoard = (side: Side): boolean => {
    return kinds[side].flatMap(({ layers }) => layers).length === 1 && places[side].openCells === cells;
  };
  if (!isBoard("police") || !isBoard("thief")) return { places, exits, steps: undefined };
  const police = stepsOf(game, "police", cells);
  const thief = police && stepsOf(game, "thief", cells);
  const steps = thief && { police: police!, policeBack: reversed(police!), thiefBack: reversed(thief) };
  return { places, exits, steps };
}

/**
 * Returns the single steps of a side from so many places; `undefined` if they, or its moves, are too many.
 */
function stepsOf(game: Game, side: Side, places: number): StepTable | undefined {
  const starts = new Int32Array(places + 1);
  const lists: Int32Array[] = [];
  /** The place from which each place was reached last. */
  const reached = new Int32Array(places).fill(-1);
  let left = MOST_MOVES;
  for (let cell = 0; cell < places; cell++) {
    reached[cell] = cell;
    const list: number[] = [];
    for (let world = 0; world < game.worlds; world++) {
      const spots = game.targets(side, world, cell);
      if ((left -= spots.length) < 0) return undefined;
      for (const spot of spots) {
        const to = game.cellOf(side, spot);
        if (reached[to] !== cell) list.push(to);
        reached[to] = cell;
      }
    }
    starts[cell + 1] = starts[cell]! + list.length;
    if (starts[cell + 1]! > MOST_STEPS) return undefined;
    lists.push(Int32Array.from(list).sort());
  }
  const targets = new Int32Array(starts[places]!);
  lists.forEach((list, cell) => targets.set(list, starts[cell]!));
  return { starts, targets };
}

/** Returns the steps backwards. */
function reversed({ starts, targets }: StepTable): StepTable {
  const places = starts.length - 1;
  const back = { starts: new Int32Array(places + 1), targets: new Int32Array(targets.length) };
  for (const target of targets) back.starts[target + 1]!++;
  for (let cell = 0; cell < places; cell++) back.starts[cell + 1]! += back.starts[cell]!;
  const next = back.starts.slice();
  for (let cell = 0; cell < places; cell++) {
    for (let k = starts[cell]!; k < starts[cell + 1]!; k++) back.targets[next[targets[k]!]!++] = cell;
  }
  return back;
}

/**
 * Returns how many steps each cell is away from the nearest source; the number of cells if there is no way.
 */
export function distances(steps: StepTable, sources: readonly number[]): Int32Array {
  const cells = steps.starts.length - 1;
  const sunk = levels(steps, sources.map((cell) => ({ cell, level: cells })));
  return sunk.map((level) => Math.min(cells, cells - level));
}

/** A cell from which on levels sink. */
export interface LevelSource {
  readonly cell: number;
  /** The level of the cell, 0 to the number of cells. */
  readonly level: number;
}

/**
 * Returns for each cell the greatest level of a source less the number of steps from there; minus the number
 * of cells if there is no way.
 */
export function levels({ starts, targets }: StepTable, sources: readonly LevelSource[]): Int32Array {
  const none = 1 - starts.length;
  const result = new Int32Array(starts.length - 1).fill(none);
  const falling = [...sources].sort((a, b) => b.level - a.level);
  let next = 0;
  let layer: number[] = [];
  for (let level = falling[0]?.level ?? none; level > none; level--) {
    while (falling[next]?.level === level) layer.push(falling[next++]!.cell);
    if (layer.length === 0 && next === falling.length) break;
    const after: number[] = [];
    for (const cell of layer) {
      if (result[cell] !== none) continue;
      result[cell] = level;
      for (let k = starts[cell]!; k < starts[cell + 1]!; k++) after.push(targets[k]!);
    }
    layer = after;
  }
  return result;
}
