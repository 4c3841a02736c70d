import { DRAW, isLost, opponent, plies } from "./codes.js";
import { hex } from "./crc32.js";
import type { Counts } from "./header.js";
import type { Team } from "./team-moves.js";
import { type Position, policeCells } from "./placing.js";
import type { Rows } from "./rows.js";
import type { Side } from "./rules.js";
import type { Store } from "./store.js";
import type { Table } from "./table.js";
import { type HistogramBar, Longest, Tally, addHistograms, totalOf } from "./tally.js";
import { expect } from "./check-sums.js";

/** A position from which a longest win starts; its world is left out if it is 0. */
export interface LongestWin extends Position {
  readonly dtw: number;
}

/** A value for each winner. */
export type ByWinner<T> = Readonly<Record<Side, T>>;

/**
 * The statistics of a pursuit table. The fields have the names that `dragnet stats --json` gives them; the
 * last two are of this package alone.
 */
export interface Statistics {
  /** The number of open cells of the board. */
  readonly cells: number;
  /** The number of positions with either side to move. */
  readonly positions: number;
  readonly police_to_move: Counts;
  readonly thief_to_move: Counts;
  /** The longest win of each side in plies; 0 for a side that wins no position. */
  readonly longest: ByWinner<number>;
  /** The content digest in hexadecimal digits. */
  readonly digest: string;
  /**
   * The first position from which the longest win of each side starts; `null` if the side wins no position.
   */
  readonly longest_examples: ByWinner<LongestWin | null>;
  /** The distances of all wins of each side, with either side to move. */
  readonly histogram: ByWinner<readonly HistogramBar[]>;
  /** The distances of the wins of each side, by the side to move. */
  readonly histogram_by_turn: Readonly<Record<Side, ByWinner<readonly HistogramBar[]>>>;
  /** Up to ten positions from which the longest win of each side starts. */
  readonly longest_positions: ByWinner<readonly LongestWin[]>;
}

/** The part of a table's header that its statistics repeat. */
type Summary = Pick<Table, "board" | "places" | "counts" | "longest" | "digest">;

const SIDES = ["police", "thief"] as const;
/** The most positions in {@link Statistics.longest_positions} for each side. */
const MOST_EXAMPLES = 10;
/** The most codes of teams that are in memory at the same time. */
const MOST_CODES = 2 ** 22;

/** Computes the statistics of a table. Yields the share that is done, from 0 to 1. */
export function* computeStatistics(summary: Summary, store: Store, rows: Rows): Generator<number, Statistics> {
  const cells = summary.places.thief.openCells;
  const { worlds } = store;
  const scan = new Scan(store);
  const all = store.police.count;
  let done = 0;
  for (const [teams, matrix] of teamRows(store, cells)) {
    const derived = new Uint32Array(cells);
    for (const [k, team] of teams.entries()) {
      for (let world = 0; world < worlds; world++) {
        const at = (k * worlds + world) * cells;
        const row = matrix.subarray(at, at + cells);
        rows.setTerminal(row, world, team, "police");
        rows.keep(row, world);
        scan.add(world, team, row, "police");
      }
      for (let world = 0; world < worlds; world++) {
        rows.deriveThiefToMove(derived, world, team);
        scan.add(world, team, derived, "thief");
      }
    }
    done += teams.length;
    yield done / all;
  }
  return scan.finish(summary, 2 * worlds * all * cells);
}

/**
 * Yields teams with the stored codes of their rows, one row after the other: team after team, those of all
 * worlds. The memory for the codes is used again.
 */
function* teamRows(store: Store, cells: number): Generator<[Team[], Uint32Array]> {
  const { worlds } = store;
  const thiefTiles = store.thief.members();
  const most = Math.max(1, Math.floor(MOST_CODES / (worlds * cells)));
  let matrix = new Uint32Array(0);
  let block = new Uint32Array(0);
  let tile = 0;
  for (const teams of store.police.members()) {
    for (let start = 0; start < teams.length; start += most) {
      const band = teams.slice(start, start + most);
      const codes = band.length * worlds * cells;
      if (matrix.length < codes) matrix = new Uint32Array(codes);
      for (let world = 0; world < worlds; world++) {
        for (let thiefTile = 0; thiefTile < thiefTiles.length; thiefTile++) {
          const thiefCells = thiefTiles[thiefTile]!;
          const count = teams.length * thiefCells.length;
          if (block.length < count) block = new Uint32Array(count);
          const run = { first: 0, stride: 1, count };
          store.blocks.copy(store.block(world, tile, thiefTile), count, run, block, 0);
          for (let k = 0; k < band.length; k++) {
            const row = (k * worlds + world) * cells;
            let slot = start + k;
            for (let rank = 0; rank < thiefCells.length; rank++, slot += teams.length) {
              matrix[row + thiefCells[rank]!] = block[slot]!;
            }
          }
        }
      }
      yield [band, matrix];
    }
    tile++;
  }
}

/** The positions that have been counted so far. */
class Scan {
  readonly #tallies = { police: new Tally(), thief: new Tally() };
  readonly #longest = { police: new Longest(MOST_EXAMPLES), thief: new Longest(MOST_EXAMPLES) };
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Counts the positions of a row, whose codes are all there, terminal positions included. */
  add(world: number, team: Team, row: Uint32Array, turn: Side): void {
    const tally = this.#tallies[turn];
    const ofLost = this.#longest[opponent(turn)];
    const ofWon = this.#longest[turn];
    const first = this.#store.positionNumber({ world, police: team, thief: 0, turn });
    for (let thief = 0; thief < row.length; thief++) {
      const code = row[thief]!;
      tally.add(code);
      if (code === DRAW) continue;
      const longest = isLost(code) ? ofLost : ofWon;
      const dtw = plies(code);
      if (dtw >= longest.dtw) longest.add(dtw, first + 2 * thief);
    }
  }

  finish({ board, places, counts, longest, digest }: Summary, positions: number): Statistics {
    const histograms = {
      police: { police: this.#tallies.police.histogram(false), thief: this.#tallies.police.histogram(true) },
      thief: { police: this.#tallies.thief.histogram(true), thief: this.#tallies.thief.histogram(false) },
    };
    for (const turn of SIDES) {
      for (const winner of SIDES) {
        const name = `wins of the ${winner} with the ${turn} to move`;
        expect(name, counts[turn][winner], totalOf(histograms[turn][winner]));
      }
    }
    for (const side of SIDES) expect(`longest win of the ${side}`, longest[side], Math.max(0, this.#longest[side].dtw));
    const positionsOf = (winner: Side): LongestWin[] => {
      const { dtw, positions } = this.#longest[winner];
      return positions.map((number) => {
        const { world, police: team, thief, turn } = this.#store.placementOf(number);
        const pieces = { police: policeCells(team, places.police), thief: places.thief.cellOf(thief), turn };
        return world === 0 ? { dtw, ...pieces } : { dtw, world, ...pieces };
      });
    };
    const examples = { police: positionsOf("police"), thief: positionsOf("thief") };
    return {
      cells: board.openCells,
      positions,
      police_to_move: counts.police,
      thief_to_move: counts.thief,
      longest,
      digest: hex(digest, 16),
      longest_examples: { police: examples.police[0] ?? null, thief: examples.thief[0] ?? null },
      histogram: {
        police: addHistograms(histograms.police.police, histograms.thief.police),
        thief: addHistograms(histograms.police.thief, histograms.thief.thief),
      },
      histogram_by_turn: histograms,
      longest_positions: examples,
    };
  }
}
