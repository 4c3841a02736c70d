import { Board, type Cell } from "../board.js";
import { type Line, quoteCharacter, refuse } from "./lines.js";

const WALL = 0;
const OPEN = 1;
const EXIT = 2;

/** The squares of a board, which come row by row. */
export abstract class Squares {
  /** The kinds of all squares so far. */
  readonly #kinds: number[] = [];
  /** The characters that mean something, for messages. */
  protected abstract readonly expected: string;

  /** Returns the kind of a square, `undefined` if its character means nothing. */
  protected abstract kindOf(character: string, line: Line, column: number): number | undefined;

  /** Adds the first `limit` squares of a row. Returns how many squares the whole line has. */
  add(line: Line, limit: number): number {
    let column = 0;
    for (const character of line.text) {
      if (++column > limit) continue;
      const kind = this.kindOf(character, line, column);
      if (kind === undefined) refuse(line.number, column, this.expected, quoteCharacter(character));
      this.#kinds.push(kind);
    }
    return column;
  }

  /** Returns the board of the squares that were added. */
  board(height: number, width: number): Board {
    if (this.#kinds.every((kind) => kind === WALL)) refuse(1, 1, "a board with an open square", "only walls");
    return new Board(height, width, Uint8Array.from(this.#kinds));
  }
}

/** The squares of the text form and the contest form, and the starts among them. */
export class MarkedSquares extends Squares {
  /** The cells marked `P`. */
  readonly police: Cell[] = [];
  /** The cell marked `T`. */
  thief: Cell | undefined;
  #thiefLine = 0;
  protected readonly expected =
    "one of '*' or '#' (wall), '.' or ' ' (open), 'E' (exit), '>', '<', '^' or 'v' (one-way), 'P' or 'T' (start cells)";
  readonly #headers: number;

  /** @param headers the lines before the first row */
  constructor(headers: number) {
    super();
    this.#headers = headers;
  }

  protected kindOf(character: string, { number }: Line, column: number): number | undefined {
    const cell: Cell = [number - 1 - this.#headers, column - 1];
    switch (character) {
      case "*":
      case "#":
        return WALL;
      case ".":
      case " ":
        return OPEN;
      case "E":
        return EXIT;
      case ">":
      case "<":
      case "^":
      case "v":
        // A board here has squares alone, so that two boards would be taken for one.
        return refuse(number, column, "a board without one-way squares", quoteCharacter(character));
      case "P":
        this.police.push(cell);
        return OPEN;
      case "T":
        if (this.thief !== undefined) {
          const first = `line ${this.#thiefLine}, column ${this.thief[1] + 1}`;
          refuse(number, column, `one 'T' only, the one at ${first}`, "a second 'T'");
        }
        this.thief = cell;
        this.#thiefLine = number;
        return OPEN;
      default:
        return undefined;
    }
  }
}

/** The squares of a MovingAI map. */
export class MapSquares extends Squares {
  protected readonly expected = "one of '.', 'G' or 'S' (open), '@', 'O', 'T' or 'W' (wall)";

  protected kindOf(character: string): number | undefined {
    if (".GS".includes(character)) return OPEN;
    return "@OTW".includes(character) ? WALL : undefined;
  }
}
