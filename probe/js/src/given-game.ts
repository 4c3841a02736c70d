import type { Board } from "./board.js";
import { DifferenceLists } from "./difference-lists.js";
import { Effort } from "./effort.js";
import { DragnetError } from "./errors.js";
import { type Ending, Play, type Stored } from "./game.js";
import { type GivenHeader, type Kind, SECTIONS, bitOf, hasUnusedBits } from "./given-header.js";
import type { Side } from "./rules.js";
import type { Team } from "./team-moves.js";

/** The names of sections in errors. */
const MOVES = { police: "the moves of officers", thief: "the moves of the thief" };
const CAPTURES = "the captures";

/** A game that a program gave by its moves and ends. */
export class GivenGame extends Play {
  readonly #kinds: Readonly<Record<Side, Kind>>;
  readonly #moves: Readonly<Record<Side, DifferenceLists>>;
  /** For each place of an officer what is captured from there; `undefined` if that is the same square. */
  readonly #captures: DifferenceLists | undefined;
  /** A bit for each place where an officer has arrived, or the thief has escaped; empty if on none. */
  readonly #ends: Readonly<Record<Side, Uint8Array>>;
  /** The place of each side whose moves were asked for last, and its moves. */
  readonly #last = { police: new Last(), thief: new Last() };

  /**
   * @param section returns the bytes of a section
   * @param stored returns the code that the table stores for a position with the police to move
   */
  constructor({ kinds, rules }: GivenHeader, section: (number: number) => Uint8Array, stored: Stored) {
    super(rules, stored);
    const { police, thief } = kinds;
    const lists = (number: number, { places }: Kind, what: string): DifferenceLists => {
      return new DifferenceLists(section(number), places.openCells, what);
    };
    this.#kinds = kinds;
    this.#moves = {
      police: lists(SECTIONS.moves, police, MOVES.police),
      thief: lists(SECTIONS.thiefMoves, thief, MOVES.thief),
    };
    const hasCaptures = section(SECTIONS.captures).length > 0;
    this.#captures = hasCaptures ? lists(SECTIONS.captures, police, CAPTURES) : undefined;
    this.#ends = {
      police: endsOf(section(SECTIONS.arrivals), police, "the arrivals"),
      thief: endsOf(section(SECTIONS.escapes), thief, "the escapes"),
    };
  }

  override ending(police: Team, thief: number): Ending | undefined {
    if (this.#isCaught(police, thief)) return "caught";
    if (bitOf(this.#ends.thief, thief) === 1) return "escaped";
    return police.some((officer) => bitOf(this.#ends.police, officer) === 1) ? "arrived" : undefined;
  }

  override targets(side: Side, cell: number, effort: Effort): Int32Array {
    const last = this.#last[side];
    if (cell === last.cell) return last.list;
    const differences = this.#moves[side].of(cell);
    effort.takeSteps(differences.length);
    const { places } = this.#kinds[side];
    const square = places.squareOf(cell);
    last.list = differences.map((difference) => numberFrom(square, difference, places, MOVES[side]));
    last.cell = cell;
    return last.list;
  }

  /** Checks in steps that all moves and captures lead to places. */
  *checkLists(): Generator<void> {
    for (const side of ["police", "thief"] as const) {
      const { places } = this.#kinds[side];
      for (let cell = 0; cell < places.openCells; cell++) {
        this.targets(side, cell, Effort.UNLIMITED);
        yield;
        if (side === "thief" || this.#captures === undefined) continue;
        const square = places.squareOf(cell);
        for (const difference of this.#captures.of(cell)) {
          numberFrom(square, difference, this.#kinds.thief.places, CAPTURES);
        }
      }
    }
  }

  /** The bytes of memory that moves and ends take. */
  get byteLength(): number {
    const { police, thief } = this.#moves;
    const ends = this.#ends.police.byteLength + this.#ends.thief.byteLength;
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
  list = new Int32Array();
}

/** Returns the number of the place to which a difference leads. */
function numberFrom(square: number, difference: number, places: Board, what: string): number {
  const number = places.numberOn(square + difference);
  if (number >= 0) return number;
  const expected = `a place ${difference} squares from square ${square}`;
  throw new DragnetError("contents", `${what}: expected ${expected}, found none`);
}

function endsOf(bits: Uint8Array, { places }: Kind, what: string): Uint8Array {
  if (!hasUnusedBits(bits, places.openCells)) return bits;
  throw new DragnetError("block", `${what}: expected unused bits of 0, found others`);
}
