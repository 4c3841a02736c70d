import type { Board } from "./board.js";
import { DRAW, MOST_MERIT, codeBefore, isLost, merit, plies } from "./codes.js";
import type { FileBytes } from "./file-bytes.js";
import type { Game, Placement } from "./game.js";
import type { Counts } from "./header.js";
import type { Places } from "./kind.js";
import { type Team, sortedTeam } from "./team-moves.js";
import type { Rows } from "./rows.js";
import type { Side } from "./rules.js";
import type { TiledKind } from "./numbering.js";
import type { Store } from "./store.js";

/** The outcomes in {@link Slice.outcome}, by their numbers. */
export const SLICE_OUTCOMES = ["wall", "police", "thief", "draw"] as const;

const POLICE = 1;
const THIEF = 2;
const UNDECIDED = 3;

/**
 * The values of all positions that differ only in the cell of one piece, square by square in reading order of
 * the grid of the piece's side: square `row * width + column`. With several kinds of officers, the layers of
 * other kinds than the officer's are walls.
 */
export interface Slice {
  /** The number of rows of the grid: of the board, unless the piece has several layers. */
  readonly height: number;
  /** The number of columns of the grid. */
  readonly width: number;
  /** The outcome with the piece on each square, as an index of {@link SLICE_OUTCOMES}: 0 on walls. */
  readonly outcome: Uint8Array;
  /** The distance to the win in plies with the piece on each square; 0 for draws and on walls. */
  readonly dtw: Uint32Array;
  /** The number of squares with each outcome. */
  readonly counts: Counts;
  /** The greatest distance to a win of each side; 0 for a side that wins nowhere. */
  readonly longest: Readonly<Record<Side, number>>;
}

/** Computes the slices of a table. */
export class Slicer {
  readonly #places: Places;
  readonly #game: Game;
  readonly #store: Store;
  readonly #file: FileBytes;
  readonly #rows: () => Rows;

  /** @param rows returns the rows of the game, which take time to prepare */
  constructor(places: Places, game: Game, store: Store, file: FileBytes, rows: () => Rows) {
    this.#places = places;
    this.#game = game;
    this.#store = store;
    this.#file = file;
    this.#rows = rows;
  }

  /** Returns the values with the thief on each cell. */
  thief({ world, police, turn }: Placement): Slice {
    const places = this.#places.thief;
    const rows = this.#rows();
    const worlds = turn === "police" ? [world] : rows.worldsAfter(world);
    this.#file.begin();
    const stored = worlds.map((world) => this.#store.thiefRow(world, police));
    this.#file.settle();
    stored.forEach((row, k) => rows.setTerminal(row, worlds[k]!, police, "police"));
    if (turn === "police") return draw(stored[0]!, places, turn);
    stored.forEach((row, k) => rows.keep(row, worlds[k]!));
    const derived = new Uint32Array(places.openCells);
    rows.deriveThiefToMove(derived, world, police);
    return draw(derived, places, turn);
  }

  /**
   * Returns the values with one officer on each cell of the officer's kind; `officer` is an index of the
   * placement's team.
   */
  police({ world, police, thief, turn }: Placement, officer: number): Slice {
    const others = police.filter((_, k) => k !== officer);
    const cell = police[officer]!;
    const kind = this.#store.police.kinds.filter(({ first }) => first <= cell).at(-1)!;
    this.#file.begin();
    const row = turn === "police" ? this.#policeRow : this.#thiefToMoveRow;
    const codes = row.call(this, world, others, thief, kind);
    this.#file.settle();
    return draw(codes, this.#places.police, turn, kind.first);
  }

  /** Returns the codes with the thief to move and one officer, besides the others, on each cell of a kind. */
  #thiefToMoveRow(world: number, others: Team, thief: number, kind: TiledKind): Uint32Array {
    const targets = this.#game.targets("thief", world, thief);
    const codes = new Uint32Array(kind.tiling.rankOf.length).fill(this.#game.stuck);
    if (targets.length > 0) {
      const best = new Int32Array(codes.length).fill(-MOST_MERIT);
      for (const target of targets) {
        const [to, cellAfter] = [this.#game.worldOf("thief", target), this.#game.cellOf("thief", target)];
        const row = this.#policeRow(to, others, cellAfter, kind);
        for (let cell = 0; cell < row.length; cell++) {
          const found = merit(row[cell]!);
          if (found > best[cell]!) best[cell] = found;
        }
      }
      for (let cell = 0; cell < codes.length; cell++) codes[cell] = codeBefore(best[cell]!);
    }
    this.#setTerminal(codes, world, others, thief, "thief", kind);
    return codes;
  }

  /** Returns the codes with the police to move and an officer, besides the others, on each cell of a kind. */
  #policeRow(world: number, others: Team, thief: number, kind: TiledKind): Uint32Array {
    let codes: Uint32Array;
    if (others.length === 0) {
      codes = this.#store.policeRow(world, thief);
    } else {
      codes = new Uint32Array(kind.tiling.rankOf.length);
      for (let cell = 0; cell < codes.length; cell++) {
        codes[cell] = this.#store.code(world, sortedTeam([...others, kind.first + cell]), thief);
      }
    }
    this.#setTerminal(codes, world, others, thief, "police", kind);
    return codes;
  }

  #setTerminal(codes: Uint32Array, world: number, others: Team, thief: number, turn: Side, { first }: TiledKind): void {
    const team = [...others, 0];
    for (let cell = 0; cell < codes.length; cell++) {
      team[others.length] = first + cell;
      codes[cell] = this.#game.terminalCode(world, team, thief, turn) ?? codes[cell]!;
    }
  }
}

/** Returns the slice of codes by the numbers of places, from `first` on. */
function draw(codes: Uint32Array, places: Board, turn: Side, first = 0): Slice {
  const { height, width } = places;
  const outcome = new Uint8Array(height * width);
  const dtw = new Uint32Array(height * width);
  const mover = turn === "police" ? POLICE : THIEF;
  const counts = [0, 0, 0, 0];
  const longest = [0, 0, 0, 0];
  for (let cell = 0; cell < codes.length; cell++) {
    const code = codes[cell]!;
    const square = places.squareOf(first + cell);
    const found = code === DRAW ? UNDECIDED : isLost(code) ? POLICE + THIEF - mover : mover;
    outcome[square] = found;
    counts[found]!++;
    if (found === UNDECIDED) continue;
    dtw[square] = plies(code);
    if (plies(code) > longest[found]!) longest[found] = plies(code);
  }
  return {
    height,
    width,
    outcome,
    dtw,
    counts: { police: counts[POLICE]!, thief: counts[THIEF]!, draw: counts[UNDECIDED]! },
    longest: { police: longest[POLICE]!, thief: longest[THIEF]! },
  };
}
