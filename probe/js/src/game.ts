import type { Board } from "./board.js";
import { type Code, LOST, WON, codeBefore, merit } from "./codes.js";
import { DifferenceLists } from "./difference-lists.js";
import { Effort, MOVES, STEPS, VALUES } from "./effort.js";
import { refuse } from "./errors.js";
import { type Header, SECTIONS_OF_KIND } from "./header.js";
import { type Places, bitOf, hasUnusedBits } from "./kind.js";
import type { Rules, Side } from "./rules.js";
import { type Team, compareTeams, teamMoves } from "./team-moves.js";

/** A position whose cells are numbers of places. */
export interface Placement {
  readonly world: number;
  readonly police: Team;
  readonly thief: number;
  /** The side to move. */
  readonly turn: Side;
}

/**
 * Why a position is terminal: an officer captures the thief, the thief has escaped, or an officer has arrived
 * where this is a win.
 */
export type Ending = "caught" | "escaped" | "arrived";

const WINNERS: Readonly<Record<Ending, Side>> = { caught: "police", escaped: "thief", arrived: "police" };

/** Returns a code that a table stores, as part of a question that may need `effort`. */
export type Stored = (world: number, police: Team, thief: number, effort: Effort) => Code;

/** A position after a move, with its code. */
export interface Successor {
  readonly after: Placement;
  readonly code: Code;
}

/** The moves, captures and ends of a kind of pieces. */
class Mover {
  /** The number of the first place of the kind among those of its side. */
  readonly first: number;
  readonly #worlds: number;
  /** The number of places of the whole side. */
  readonly #all: number;
  readonly #places: Board;
  readonly #moves: DifferenceLists;
  /** For each spot what is captured from there; `undefined` if that is the same square. */
  readonly #captures: DifferenceLists | undefined;
  /** A bit for each spot where the piece has arrived or escaped; empty if on none. */
  readonly #ends: Uint8Array;
  readonly #name: string;

  /**
   * @param all the number of places of the side
   * @param sections the bytes of its moves, captures and ends
   * @param name the name of the kind in an error
   */
  constructor(worlds: number, places: Board, first: number, all: number, sections: readonly Uint8Array[], name: string) {
    const [moves, captures, ends] = sections as [Uint8Array, Uint8Array, Uint8Array];
    const count = worlds * places.openCells;
    this.first = first;
    this.#worlds = worlds;
    this.#all = all;
    this.#places = places;
    this.#moves = new DifferenceLists(moves, count, `the moves of ${name}`);
    this.#captures = captures.length > 0 ? new DifferenceLists(captures, count, `the captures of ${name}`) : undefined;
    this.#ends = ends;
    this.#name = name;
    if (!hasUnusedBits(ends, count)) return;
    refuse("block", `the ends of ${name}`, "unused bits of 0", "others");
  }

  /** Returns the differences of the squares to which a piece can move. */
  differences(world: number, cell: number): Int32Array {
    return this.#moves.of(this.#spot(world, cell));
  }

  /** Returns the number of a cell's square in a world, counted through all worlds. */
  square(world: number, cell: number): number {
    const { height, width } = this.#places;
    const square = this.#places.squareOf(cell - this.first);
    return world === 0 ? square : world * height * width + square;
  }

  /** Returns the spot to which a difference leads from a square. */
  target(square: number, difference: number): number {
    const target = square + difference;
    const places = this.#places;
    if (this.#worlds === 1) {
      const number = places.numberOn(target);
      if (number >= 0) return this.first + number;
    } else {
      const squares = places.height * places.width;
      const world = Math.floor(target / squares);
      const number = places.numberOn(target - world * squares);
      if (number >= 0 && world >= 0 && world < this.#worlds) return world * this.#all + this.first + number;
    }
    return refuseTarget(`the moves of ${this.#name}`, difference, square);
  }

  /** Returns whether a piece captures the thief on a cell of his grid. */
  isCapturing(world: number, cell: number, thief: number, thieves: Board): boolean {
    if (this.#captures === undefined) return cell - this.first === thief;
    const difference = thieves.squareOf(thief) - this.#places.squareOf(cell - this.first);
    return this.#captures.has(this.#spot(world, cell), difference);
  }

  /** Returns the places of the thief that a piece captures, in reading order. */
  captured(world: number, cell: number, thieves: Board): Int32Array {
    if (this.#captures === undefined) return Int32Array.of(cell - this.first);
    const square = this.#places.squareOf(cell - this.first);
    return this.#captures.of(this.#spot(world, cell)).map((difference) => {
      const number = thieves.numberOn(square + difference);
      return number >= 0 ? number : refuseTarget(`the captures of ${this.#name}`, difference, square);
    });
  }

  /** Returns whether a piece has arrived or escaped. */
  hasEnded(world: number, cell: number): boolean {
    return this.#ends.length > 0 && bitOf(this.#ends, this.#spot(world, cell)) === 1;
  }

  /** The bytes of memory that moves, captures and ends take. */
  get byteLength(): number {
    return this.#moves.byteLength + (this.#captures?.byteLength ?? 0) + this.#ends.byteLength;
  }

  #spot(world: number, cell: number): number {
    return world * this.#places.openCells + cell - this.first;
  }
}

function refuseTarget(what: string, difference: number, square: number): never {
  const expected = `a place ${difference} squares from square ${square}`;
  refuse("contents", what, expected, "none");
}

/**
 * A game at work: terminal positions, successors, and the codes of all positions.
 *
 * A *cell* of a piece is the number of its place on the grid of its side, which is that of the places of all
 * kinds before it and of its own. A *spot* is a cell in a world: cell k of n has the number w · n + k in
 * world w. With one world it is the number of the cell.
 */
export class Game {
  /** The number of worlds. */
  readonly worlds: number;
  /** The code of a position in which the side to move has no move. */
  readonly stuck: Code;
  readonly #team: Rules["team"];
  readonly #stored: Stored;
  readonly #places: Places;
  readonly #police: readonly Mover[];
  readonly #thief: Mover;
  /** Whether an officer arrives anywhere. */
  readonly #arrives: boolean;
  /** Compares successors of one position, the best one first. */
  readonly #order: typeof inMerit;

  /**
   * @param sections the bytes of the sections up to the escapes
   * @param stored returns the code that the table stores for a position with the police to move
   */
  constructor({ worlds, kinds, places, rules }: Header, sections: readonly Uint8Array[], stored: Stored) {
    this.worlds = worlds;
    this.stuck = rules.stuck === "loses" ? LOST : WON;
    this.#order = worlds === 1 ? inMerit : inMeritAndOrder;
    this.#team = rules.team;
    this.#stored = stored;
    this.#places = places;
    let first = 0;
    this.#police = kinds.police.map((kind, k) => {
      const own = sections.slice(SECTIONS_OF_KIND * k);
      const name = kinds.police.length === 1 ? "officers" : `officers of kind ${k}`;
      const mover = new Mover(worlds, kind.places, first, places.police.openCells, own, name);
      first += kind.places.openCells;
      return mover;
    });
    this.#arrives = kinds.police.some(({ lengths }) => lengths[2] > 0);
    const last = sections.slice(SECTIONS_OF_KIND * kinds.police.length);
    this.#thief = new Mover(worlds, places.thief, 0, places.thief.openCells, last, "the thief");
  }

  /** Returns why a position is terminal, whichever side is to move; `undefined` if the game goes on. */
  ending(world: number, police: Team, thief: number): Ending | undefined {
    const thieves = this.#places.thief;
    for (let k = 0; k < police.length; k++) {
      const officer = police[k]!;
      if (this.#officer(officer).isCapturing(world, officer, thief, thieves)) return "caught";
    }
    if (this.hasEscaped(world, thief)) return "escaped";
    return this.hasArrived(world, police) ? "arrived" : undefined;
  }

  /** Returns whether the thief has escaped on a place, unless he is caught there. */
  hasEscaped(world: number, thief: number): boolean {
    return this.#thief.hasEnded(world, thief);
  }

  /** Returns whether one of the officers has arrived. */
  hasArrived(world: number, police: Team): boolean {
    return this.#arrives && police.some((officer) => this.#officer(officer).hasEnded(world, officer));
  }

  /** Returns the places of the thief that an officer on a place captures, in reading order. */
  captured(world: number, officer: number): Int32Array {
    return this.#officer(officer).captured(world, officer, this.#places.thief);
  }

  /** Returns the spots to which a single piece of a side can move, by worlds and in reading order. */
  targets(side: Side, world: number, cell: number, effort = Effort.UNLIMITED): Int32Array {
    const mover = side === "police" ? this.#officer(cell) : this.#thief;
    const differences = mover.differences(world, cell);
    effort.take(STEPS, differences.length);
    const square = mover.square(world, cell);
    const list = new Int32Array(differences.length);
    for (let k = 0; k < list.length; k++) list[k] = mover.target(square, differences[k]!);
    return list;
  }

  /** Returns the world of a spot of a side. */
  worldOf(side: Side, spot: number): number {
    return this.worlds === 1 ? 0 : Math.floor(spot / this.#places[side].openCells);
  }

  /** Returns the place of a spot of a side. */
  cellOf(side: Side, spot: number): number {
    return spot - this.#spot(side, this.worldOf(side, spot), 0);
  }

  /**
   * Returns the world to which the moves of one turn lead.
   *
   * @param spots where pieces of the side go, `undefined` for one that stands
   * @param world the world before the turn, in which it ends if no piece moves
   * @throws DragnetError of kind `contents` if they go to different worlds
   */
  worldAfter(side: Side, world: number, spots: readonly (number | undefined)[]): number {
    const worlds = spots.flatMap((spot) => (spot === undefined ? [] : [this.worldOf(side, spot)]));
    return worlds.length === 0 ? world : worlds.reduce(oneWorld);
  }

  /** Returns the side that has won a terminal position, `undefined` if the position is not terminal. */
  winner(world: number, police: Team, thief: number): Side | undefined {
    const ending = this.ending(world, police, thief);
    return ending && WINNERS[ending];
  }

  /** Returns the code of a terminal position, `undefined` if the position is not terminal. */
  terminalCode(world: number, police: Team, thief: number, turn: Side): Code | undefined {
    const winner = this.winner(world, police, thief);
    if (winner === undefined) return undefined;
    return winner === turn ? WON : LOST;
  }

  /**
   * Yields the successors of a position that is not terminal, by the worlds to which they lead and in reading
   * order of the cells moved to.
   */
  *#successors({ world, police, thief, turn }: Placement, effort: Effort): Generator<Placement> {
    if (turn === "thief") {
      const cells = this.#places.thief.openCells;
      for (const spot of this.targets("thief", world, thief, effort)) {
        const to = this.worldOf("thief", spot);
        yield { world: to, police, thief: spot - to * cells, turn: "police" };
      }
      return;
    }
    const lists = police.map((cell) => this.targets("police", world, cell, effort));
    for (const [to, cells] of this.#byWorld(world, lists)) {
      for (const team of teamMoves(police, cells, this.#team)) yield { world: to, police: team, thief, turn: "thief" };
    }
  }

  /**
   * Yields the successors of a position with their codes, in the order of successors; none if it is terminal.
   */
  *choices(from: Placement, effort: Effort): Generator<Successor> {
    if (this.ending(from.world, from.police, from.thief) !== undefined) return;
    for (const after of this.#successors(from, effort)) {
      effort.take(MOVES);
      yield { after, code: this.code(after.world, after.police, after.thief, after.turn, effort) };
    }
  }

  /**
   * Returns the successors of a position with their codes, best first for the side to move, of equally good
   * ones the first in reading order of the cells moved to, then by worlds.
   */
  ranked(from: Placement, effort: Effort): Successor[] {
    return [...this.choices(from, effort)].sort(this.#order);
  }

  /** Returns the first successor of those that {@link Game.ranked} returns. */
  best(from: Placement, effort: Effort): Successor | undefined {
    let best: Successor | undefined;
    for (const successor of this.choices(from, effort)) {
      if (best === undefined || this.#order(successor, best) < 0) best = successor;
    }
    return best;
  }

  /**
   * Returns the code of a position, seen by the side to move, as part of a question that may need `effort`.
   */
  code(world: number, police: Team, thief: number, turn: Side, effort: Effort): Code {
    const terminal = this.terminalCode(world, police, thief, turn);
    if (terminal !== undefined) return terminal;
    if (turn === "police") {
      effort.take(VALUES);
      return this.#stored(world, police, thief, effort);
    }
    // The spots are not put into a list, which would take as long as to look up their codes.
    const mover = this.#thief;
    const cells = this.#places.thief.openCells;
    const differences = mover.differences(world, thief);
    const square = mover.square(world, thief);
    effort.take(STEPS, differences.length);
    if (differences.length === 0) return this.stuck;
    let best = -Infinity;
    for (let k = 0; k < differences.length; k++) {
      const spot = mover.target(square, differences[k]!);
      const to = this.worldOf("thief", spot);
      const found = merit(this.code(to, police, spot - to * cells, "police", effort));
      if (found > best) best = found;
    }
    return codeBefore(best);
  }

  /**
   * Checks in steps, one for each spot, that all moves and captures lead to places, and the moves of one turn
   * to one world.
   *
   * @param officers the number of officers
   */
  *checkLists(officers: number): Generator<void> {
    for (const side of ["police", "thief"] as const) {
      for (let world = 0; world < this.worlds; world++) {
        const isOneTurn = this.worlds > 1 && side === "police" && officers > 1 && this.#team === "all";
        let some: number | undefined;
        for (let cell = 0; cell < this.#places[side].openCells; cell++) {
          const spots = this.targets(side, world, cell);
          if (side === "police") this.captured(world, cell);
          if (isOneTurn && spots.length > 0) this.worldAfter(side, world, [(some ??= spots[0]), spots[0], spots.at(-1)]);
          yield;
        }
      }
    }
  }

  /** The bytes of memory that moves and ends take. */
  get byteLength(): number {
    return this.#police.reduce((sum, { byteLength }) => sum + byteLength, this.#thief.byteLength);
  }

  /** Returns the kind of the officer on a cell. */
  #officer(cell: number): Mover {
    const movers = this.#police;
    let kind = movers.length - 1;
    while (kind > 0 && movers[kind]!.first > cell) kind--;
    return movers[kind]!;
  }

  #spot(side: Side, world: number, cell: number): number {
    return world === 0 ? cell : world * this.#places[side].openCells + cell;
  }

  /**
   * Returns the worlds to which moves of officers lead, rising, each with the cells that each officer can
   * move to there.
   *
   * @param world the world before the turn
   * @param lists the spots that each officer can move to, rising
   */
  #byWorld(
    world: number,
    lists: readonly Int32Array[],
  ): Iterable<readonly [world: number, cells: readonly Int32Array[]]> {
    if (this.worlds === 1 || lists.length === 0) return [[world, lists]];
    if (lists.length > 1 && this.#team === "all") {
      if (lists.some((list) => list.length === 0)) return [];
      this.worldAfter("police", world, lists.flatMap((list) => [list[0], list.at(-1)]));
    }
    const found = new Map<number, Int32Array[]>();
    lists.forEach((list, officer) => {
      for (let start = 0, end = 0; start < list.length; start = end) {
        const world = this.worldOf("police", list[start]!);
        while (end < list.length && this.worldOf("police", list[end]!) === world) end++;
        const first = this.#spot("police", world, 0);
        let cells = found.get(world);
        if (cells === undefined) found.set(world, (cells = lists.map(() => new Int32Array())));
        cells[officer] = list.subarray(start, end).map((spot) => spot - first);
      }
    });
    return [...found].sort(([a], [b]) => a - b);
  }
}

/** Compares successors by their merit alone. */
function inMerit(a: Successor, b: Successor): number {
  return merit(b.code) - merit(a.code);
}

/** Compares successors of one position by merit, in reading order, and by worlds. */
function inMeritAndOrder(a: Successor, b: Successor): number {
  const { after: one } = a;
  const { after: other } = b;
  const inOrder = one.thief - other.thief || compareTeams(one.police, other.police);
  return inMerit(a, b) || inOrder || one.world - other.world;
}

/** Returns the world to which two moves of one turn lead. */
function oneWorld(world: number, other: number): number {
  if (world === other) return world;
  const found = `worlds ${Math.min(world, other)} and ${Math.max(world, other)}`;
  refuse("contents", "the moves of officers", "moves of one turn to one world", found);
}
