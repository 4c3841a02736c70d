import type { Board } from "./board.js";
import { type Code, LOST, WON, codeBefore, merit } from "./codes.js";
import { DifferenceLists } from "./difference-lists.js";
import { Effort } from "./effort.js";
import { DragnetError } from "./errors.js";
import { type Header, SECTIONS } from "./header.js";
import { type Kind, type Kinds, bitOf, hasUnusedBits } from "./kind.js";
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

/** The names of sections in errors. */
const MOVES = { police: "the moves of officers", thief: "the moves of the thief" };
const CAPTURES = "the captures";

/**
 * A game at work: terminal positions, successors, and the codes of all positions.
 *
 * A *spot* is a place in a world: place k of n has the number w · n + k in world w. With one world it is the
 * number of the place.
 */
export class Game {
  /** The number of worlds. */
  readonly worlds: number;
  /** The code of a position in which the side to move has no move. */
  readonly stuck: Code;
  readonly #team: Rules["team"];
  readonly #stored: Stored;
  readonly #kinds: Kinds;
  readonly #moves: Readonly<Record<Side, DifferenceLists>>;
  /** For each spot of an officer what is captured from there; `undefined` if that is the same square. */
  readonly #captures: DifferenceLists | undefined;
  /** A bit for each spot where an officer has arrived; empty if on none. */
  readonly #arrivals: Uint8Array;
  /** A bit for each spot where the thief has escaped; empty if on none. */
  readonly #escapes: Uint8Array;
  /** The spot of each side whose moves were asked for last, and its moves. */
  readonly #last = { police: new Last(), thief: new Last() };

  /**
   * @param sections the bytes of the sections up to the escapes
   * @param stored returns the code that the table stores for a position with the police to move
   */
  constructor({ worlds, kinds, rules }: Header, sections: readonly Uint8Array[], stored: Stored) {
    const { police, thief } = kinds;
    const lists = (section: number, { places }: Kind, what: string): DifferenceLists => {
      return new DifferenceLists(sections[section]!, worlds * places.openCells, what);
    };
    this.worlds = worlds;
    this.stuck = rules.stuck === "loses" ? LOST : WON;
    this.#team = rules.team;
    this.#stored = stored;
    this.#kinds = kinds;
    this.#moves = {
      police: lists(SECTIONS.moves, police, MOVES.police),
      thief: lists(SECTIONS.thiefMoves, thief, MOVES.thief),
    };
    const hasCaptures = sections[SECTIONS.captures]!.length > 0;
    this.#captures = hasCaptures ? lists(SECTIONS.captures, police, CAPTURES) : undefined;
    this.#arrivals = endsOf(sections[SECTIONS.arrivals]!, worlds * police.places.openCells, "the arrivals");
    this.#escapes = endsOf(sections[SECTIONS.escapes]!, worlds * thief.places.openCells, "the escapes");
  }

  /** Returns why a position is terminal, whichever side is to move; `undefined` if the game goes on. */
  ending(world: number, police: Team, thief: number): Ending | undefined {
    if (this.#isCaught(world, police, thief)) return "caught";
    if (this.hasEscaped(world, thief)) return "escaped";
    return this.hasArrived(world, police) ? "arrived" : undefined;
  }

  /** Returns whether the thief has escaped on a place, unless he is caught there. */
  hasEscaped(world: number, thief: number): boolean {
    return bitOf(this.#escapes, this.#spot("thief", world, thief)) === 1;
  }

  /** Returns whether one of the officers has arrived. */
  hasArrived(world: number, police: Team): boolean {
    if (this.#arrivals.length === 0) return false;
    return police.some((officer) => bitOf(this.#arrivals, this.#spot("police", world, officer)) === 1);
  }

  /** Returns the places of the thief that an officer on a place captures, in reading order. */
  captured(world: number, officer: number): Int32Array {
    if (this.#captures === undefined) return Int32Array.of(officer);
    const { police, thief } = this.#kinds;
    const differences = this.#captures.of(this.#spot("police", world, officer));
    // Both are in one world, and so counted from its first square.
    return spotsAt(thief.places, 1, police.places.squareOf(officer), differences, CAPTURES);
  }

  /** Returns the spots to which a single piece of a side can move, by worlds and in reading order. */
  targets(side: Side, world: number, cell: number, effort = Effort.UNLIMITED): Int32Array {
    const last = this.#last[side];
    const spot = this.#spot(side, world, cell);
    if (spot === last.spot) return last.list;
    const { places } = this.#kinds[side];
    const differences = this.#moves[side].of(spot);
    effort.takeSteps(differences.length);
    const list = spotsAt(places, this.worlds, squareAt(places, world, cell), differences, MOVES[side]);
    last.list = list;
    last.spot = spot;
    return list;
  }

  /** Returns the world of a spot of a side. */
  worldOf(side: Side, spot: number): number {
    return this.worlds === 1 ? 0 : Math.floor(spot / this.#kinds[side].places.openCells);
  }

  /** Returns the place of a spot of a side. */
  cellOf(side: Side, spot: number): number {
    return spot - this.#spot(side, this.worldOf(side, spot), 0);
  }

  /**
   * Returns the world to which the moves of one turn lead.
   *
   * @param spots where pieces of the side go, `undefined` for one that stands; at least one goes
   * @throws DragnetError of kind `contents` if they go to different worlds
   */
  worldAfter(side: Side, spots: readonly (number | undefined)[]): number {
    const worlds = spots.flatMap((spot) => (spot === undefined ? [] : [this.worldOf(side, spot)]));
    return worlds.reduce(oneWorld);
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
  *successors({ world, police, thief, turn }: Placement, effort: Effort): Generator<Placement> {
    if (turn === "thief") {
      const cells = this.#kinds.thief.places.openCells;
      for (const spot of this.targets("thief", world, thief, effort)) {
        const to = this.worldOf("thief", spot);
        yield { world: to, police, thief: spot - to * cells, turn: "police" };
      }
      return;
    }
    const lists = police.map((cell) => this.targets("police", world, cell, effort));
    for (const [to, cells] of this.#byWorld(lists)) {
      for (const team of teamMoves(police, cells, this.#team)) yield { world: to, police: team, thief, turn: "thief" };
    }
  }

  /**
   * Yields the successors of a position with their codes, in the order of successors; none if it is terminal.
   */
  *choices(from: Placement, effort: Effort): Generator<Successor> {
    if (this.ending(from.world, from.police, from.thief) !== undefined) return;
    for (const after of this.successors(from, effort)) {
      effort.takeMove();
      yield { after, code: this.code(after.world, after.police, after.thief, after.turn, effort) };
    }
  }

  /**
   * Returns the successors of a position with their codes, best first for the side to move, of equally good
   * ones the first in reading order of the cells moved to, then by worlds.
   */
  ranked(from: Placement, effort: Effort): Successor[] {
    const order = this.worlds === 1 ? inMerit : inMeritAndOrder;
    return [...this.choices(from, effort)].sort(order);
  }

  /** Returns the first successor of those that {@link Game.ranked} returns. */
  best(from: Placement, effort: Effort): Successor | undefined {
    const order = this.worlds === 1 ? inMerit : inMeritAndOrder;
    let best: Successor | undefined;
    for (const successor of this.choices(from, effort)) {
      if (best === undefined || order(successor, best) < 0) best = successor;
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
      effort.takeValue();
      return this.#stored(world, police, thief, effort);
    }
    // The spots are not put into a list, which would take as long as to look up their codes.
    const { places } = this.#kinds.thief;
    const differences = this.#moves.thief.of(this.#spot("thief", world, thief));
    const square = squareAt(places, world, thief);
    effort.takeSteps(differences.length);
    if (differences.length === 0) return this.stuck;
    let best = -Infinity;
    for (let k = 0; k < differences.length; k++) {
      const spot = spotAt(places, this.worlds, square, differences[k]!, MOVES.thief);
      const to = this.worldOf("thief", spot);
      const found = merit(this.code(to, police, spot - to * places.openCells, "police", effort));
      if (found > best) best = found;
    }
    return codeBefore(best);
  }

  /**
   * Checks in steps, one for each spot, that all moves and captures lead to places, and the moves of one turn
   * to one world.
   */
  *checkLists(): Generator<void> {
    for (const side of ["police", "thief"] as const) {
      const { places, pieces } = this.#kinds[side];
      for (let world = 0; world < this.worlds; world++) {
        const isOneTurn = this.worlds > 1 && pieces > 1 && this.#team === "all";
        let some: number | undefined;
        for (let cell = 0; cell < places.openCells; cell++) {
          const spots = this.targets(side, world, cell);
          if (side === "police") this.captured(world, cell);
          if (isOneTurn && spots.length > 0) this.worldAfter(side, [(some ??= spots[0]), spots[0], spots.at(-1)]);
          yield;
        }
      }
    }
  }

  /** The bytes of memory that moves and ends take. */
  get byteLength(): number {
    const { police, thief } = this.#moves;
    const ends = this.#arrivals.byteLength + this.#escapes.byteLength;
    return police.byteLength + thief.byteLength + (this.#captures?.byteLength ?? 0) + ends;
  }

  #isCaught(world: number, police: Team, thief: number): boolean {
    const captures = this.#captures;
    if (captures === undefined) return police.includes(thief);
    const square = this.#kinds.thief.places.squareOf(thief);
    const { places } = this.#kinds.police;
    return police.some((officer) =>
      captures.has(this.#spot("police", world, officer), square - places.squareOf(officer)),
    );
  }

  #spot(side: Side, world: number, cell: number): number {
    return world === 0 ? cell : world * this.#kinds[side].places.openCells + cell;
  }

  /**
   * Returns the worlds to which moves of officers lead, rising, each with the cells that each officer can
   * move to there.
   *
   * @param lists the spots that each officer can move to, rising
   */
  #byWorld(lists: readonly Int32Array[]): Iterable<readonly [world: number, cells: readonly Int32Array[]]> {
    if (this.worlds === 1) return [[0, lists]];
    if (lists.length > 1 && this.#team === "all") {
      if (lists.some((list) => list.length === 0)) return [];
      this.worldAfter("police", lists.flatMap((list) => [list[0], list.at(-1)]));
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

/** The spot whose moves were asked for last. */
class Last {
  spot = -1;
  list: Int32Array = new Int32Array();
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
  throw new DragnetError("contents", `${MOVES.police}: expected moves of one turn to one world, found ${found}`);
}

/** Returns the number of the square of a place in a world, counted through all worlds. */
function squareAt(places: Board, world: number, cell: number): number {
  const square = places.squareOf(cell);
  return world === 0 ? square : world * places.height * places.width + square;
}

/** Returns the spots to which differences lead. */
function spotsAt(
  places: Board,
  worlds: number,
  square: number,
  differences: Int32Array,
  what: string,
): Int32Array {
  const spots = new Int32Array(differences.length);
  for (let k = 0; k < differences.length; k++) spots[k] = spotAt(places, worlds, square, differences[k]!, what);
  return spots;
}

/** Returns the spot to which a difference leads. */
function spotAt(places: Board, worlds: number, square: number, difference: number, what: string): number {
  const target = square + difference;
  if (worlds === 1) {
    const number = places.numberOn(target);
    if (number >= 0) return number;
  } else {
    const squares = places.height * places.width;
    const world = Math.floor(target / squares);
    const number = places.numberOn(target - world * squares);
    if (number >= 0 && world >= 0 && world < worlds) return world * places.openCells + number;
  }
  const expected = `a place ${difference} squares from square ${square}`;
  throw new DragnetError("contents", `${what}: expected ${expected}, found none`);
}

function endsOf(bits: Uint8Array, count: number, what: string): Uint8Array {
  if (!hasUnusedBits(bits, count)) return bits;
  throw new DragnetError("block", `${what}: expected unused bits of 0, found others`);
}
