import type { Board } from "./board.js";
import { type Code, LOST, WON, codeBefore, merit } from "./codes.js";
import { DifferenceLists } from "./difference-lists.js";
import { Effort } from "./effort.js";
import { DragnetError } from "./errors.js";
import { type Header, SECTIONS } from "./header.js";
import { type Kind, type Kinds, bitOf, hasUnusedBits } from "./kind.js";
import type { Rules, Side } from "./rules.js";
import { type Team, teamMoves } from "./team-moves.js";

/** A position whose cells are numbers of places. */
export interface Placement {
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
export type Stored = (police: Team, thief: number, effort: Effort) => Code;

/** A position after a move, with its code. */
export interface Successor {
  readonly after: Placement;
  readonly code: Code;
}

/** The names of sections in errors. */
const MOVES = { police: "the moves of officers", thief: "the moves of the thief" };
const CAPTURES = "the captures";

/** A game at work: terminal positions, successors, and the codes of all positions. */
export class Game {
  /** The code of a position in which the side to move has no move. */
  readonly stuck: Code;
  readonly #team: Rules["team"];
  readonly #stored: Stored;
  readonly #kinds: Kinds;
  readonly #moves: Readonly<Record<Side, DifferenceLists>>;
  /** For each place of an officer what is captured from there; `undefined` if that is the same square. */
  readonly #captures: DifferenceLists | undefined;
  /** A bit for each place where an officer has arrived; empty if on none. */
  readonly #arrivals: Uint8Array;
  /** A bit for each place where the thief has escaped; empty if on none. */
  readonly #escapes: Uint8Array;
  /** The place of each side whose moves were asked for last, and its moves. */
  readonly #last = { police: new Last(), thief: new Last() };

  /**
   * @param sections the bytes of the sections up to the escapes
   * @param stored returns the code that the table stores for a position with the police to move
   */
  constructor({ kinds, rules }: Header, sections: readonly Uint8Array[], stored: Stored) {
    const { police, thief } = kinds;
    const lists = (section: number, { places }: Kind, what: string): DifferenceLists => {
      return new DifferenceLists(sections[section]!, places.openCells, what);
    };
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
    this.#arrivals = endsOf(sections[SECTIONS.arrivals]!, police, "the arrivals");
    this.#escapes = endsOf(sections[SECTIONS.escapes]!, thief, "the escapes");
  }

  /** Returns why a position is terminal, whichever side is to move; `undefined` if the game goes on. */
  ending(police: Team, thief: number): Ending | undefined {
    if (this.#isCaught(police, thief)) return "caught";
    if (this.hasEscaped(thief)) return "escaped";
    return this.hasArrived(police) ? "arrived" : undefined;
  }

  /** Returns whether the thief has escaped on a place, unless he is caught there. */
  hasEscaped(thief: number): boolean {
    return bitOf(this.#escapes, thief) === 1;
  }

  /** Returns whether one of the officers has arrived. */
  hasArrived(police: Team): boolean {
    return this.#arrivals.length > 0 && police.some((officer) => bitOf(this.#arrivals, officer) === 1);
  }

  /** Returns the places of the thief that an officer on a place captures, in reading order. */
  captured(officer: number): Int32Array {
    if (this.#captures === undefined) return Int32Array.of(officer);
    return placesOf(officer, this.#captures, this.#kinds.police.places, this.#kinds.thief.places, CAPTURES);
  }

  /** Returns the places to which a single piece of a side can move, in reading order. */
  targets(side: Side, cell: number, effort = Effort.UNLIMITED): Int32Array {
    const last = this.#last[side];
    if (cell === last.cell) return last.list;
    const { places } = this.#kinds[side];
    const list = placesOf(cell, this.#moves[side], places, places, MOVES[side], effort);
    last.list = list;
    last.cell = cell;
    return list;
  }

  /** Returns the side that has won a terminal position, `undefined` if the position is not terminal. */
  winner(police: Team, thief: number): Side | undefined {
    const ending = this.ending(police, thief);
    return ending && WINNERS[ending];
  }

  /** Returns the code of a terminal position, `undefined` if the position is not terminal. */
  terminalCode(police: Team, thief: number, turn: Side): Code | undefined {
    const winner = this.winner(police, thief);
    if (winner === undefined) return undefined;
    return winner === turn ? WON : LOST;
  }

  /** Yields the successors of a position that is not terminal, in reading order of the cells moved to. */
  *successors({ police, thief, turn }: Placement, effort: Effort): Generator<Placement> {
    if (turn === "thief") {
      for (const target of this.targets("thief", thief, effort)) yield { police, thief: target, turn: "police" };
      return;
    }
    const lists = police.map((cell) => this.targets("police", cell, effort));
    for (const team of teamMoves(police, lists, this.#team)) yield { police: team, thief, turn: "thief" };
  }

  /** Yields the successors of a position with their codes, in reading order; none if it is terminal. */
  *choices(from: Placement, effort: Effort): Generator<Successor> {
    if (this.ending(from.police, from.thief) !== undefined) return;
    for (const after of this.successors(from, effort)) {
      effort.takeMove();
      yield { after, code: this.code(after.police, after.thief, after.turn, effort) };
    }
  }

  /** Returns the successors of a position with their codes, best first for the side to move. */
  ranked(from: Placement, effort: Effort): Successor[] {
    return [...this.choices(from, effort)].sort((a, b) => merit(b.code) - merit(a.code));
  }

  /** Returns the best successor of a position, of equally good ones the first in reading order. */
  best(from: Placement, effort: Effort): Successor | undefined {
    let best: Successor | undefined;
    for (const successor of this.choices(from, effort)) {
      if (best === undefined || merit(successor.code) > merit(best.code)) best = successor;
    }
    return best;
  }

  /**
   * Returns the code of a position, seen by the side to move, as part of a question that may need `effort`.
   */
  code(police: Team, thief: number, turn: Side, effort: Effort): Code {
    const terminal = this.terminalCode(police, thief, turn);
    if (terminal !== undefined) return terminal;
    if (turn === "police") {
      effort.takeValue();
      return this.#stored(police, thief, effort);
    }
    // The places are not put into a list, which would take as long as to look up their codes.
    const { places } = this.#kinds.thief;
    const differences = this.#moves.thief.of(thief);
    const square = places.squareOf(thief);
    effort.takeSteps(differences.length);
    if (differences.length === 0) return this.stuck;
    let best = -Infinity;
    for (let k = 0; k < differences.length; k++) {
      const target = placeAt(places, square, differences[k]!, MOVES.thief);
      const found = merit(this.code(police, target, "police", effort));
      if (found > best) best = found;
    }
    return codeBefore(best);
  }

  /** Checks in steps, one for each place, that all moves and captures lead to places. */
  *checkLists(): Generator<void> {
    for (const side of ["police", "thief"] as const) {
      for (let cell = 0; cell < this.#kinds[side].places.openCells; cell++) {
        this.targets(side, cell);
        if (side === "police") this.captured(cell);
        yield;
      }
    }
  }

  /** The bytes of memory that moves and ends take. */
  get byteLength(): number {
    const { police, thief } = this.#moves;
    const ends = this.#arrivals.byteLength + this.#escapes.byteLength;
    return police.byteLength + thief.byteLength + (this.#captures?.byteLength ?? 0) + ends;
  }

  #isCaught(police: Team, thief: number): boolean {
    const captures = this.#captures;
    if (captures === undefined) return police.includes(thief);
    const square = this.#kinds.thief.places.squareOf(thief);
    const { places } = this.#kinds.police;
    return police.some((officer) => captures.has(officer, square - places.squareOf(officer)));
  }
}

/** The place whose moves were asked for last. */
class Last {
  cell = -1;
  list: Int32Array = new Int32Array();
}

/** Returns the numbers of the places to which the differences of a place lead. */
function placesOf(
  cell: number,
  lists: DifferenceLists,
  from: Board,
  to: Board,
  what: string,
  effort = Effort.UNLIMITED,
): Int32Array {
  const differences = lists.of(cell);
  effort.takeSteps(differences.length);
  const square = from.squareOf(cell);
  const places = new Int32Array(differences.length);
  for (let k = 0; k < differences.length; k++) {
    places[k] = placeAt(to, square, differences[k]!, what);
  }
  return places;
}

/** Returns the number of the place to which a difference leads. */
function placeAt(places: Board, square: number, difference: number, what: string): number {
  const number = places.numberOn(square + difference);
  if (number >= 0) return number;
  const expected = `a place ${difference} squares from square ${square}`;
  throw new DragnetError("contents", `${what}: expected ${expected}, found none`);
}

function endsOf(bits: Uint8Array, { places }: Kind, what: string): Uint8Array {
  if (!hasUnusedBits(bits, places.openCells)) return bits;
  throw new DragnetError("block", `${what}: expected unused bits of 0, found others`);
}
