import { DragnetError } from "../errors.js";

/** The most characters of a text that a message quotes. */
const QUOTED = 32;
/** The most rows, and the most columns, of a board. */
export const MOST_SIDE = 2 ** 16 - 1;

/** A line of a text, without its line end. */
export interface Line {
  /** The number of the line, from 1. */
  readonly number: number;
  readonly text: string;
}

/** The lines of a text, ended by LF. A line end at the end of the text begins no further line. */
export class Lines {
  readonly #lines: readonly string[];
  /** Whether the last line has a line end. */
  readonly #ended: boolean;
  #read = 0;

  constructor(text: string) {
    const lines = text.split("\n");
    if (lines.at(-1) === "") lines.pop();
    this.#lines = lines;
    this.#ended = text.endsWith("\n");
  }

  /** Returns the next line; `undefined` at the end of the text. */
  next(): Line | undefined {
    const text = this.#lines[this.#read];
    return text === undefined ? undefined : { number: ++this.#read, text };
  }

  /** Returns the next line. Throws if there is none; `expected` says what it should be. */
  require(expected: string): Line {
    return this.next() ?? this.#refuseEnd(expected);
  }

  /** Returns whether only empty lines are left. */
  get onlyEmptyLeft(): boolean {
    return this.#lines.slice(this.#read).every((line) => line === "");
  }

  #refuseEnd(expected: string): never {
    const last = this.#lines.at(-1);
    if (last === undefined) return refuse(1, 1, expected, "an empty file");
    const number = this.#lines.length;
    const [line, column] = this.#ended ? [number + 1, 1] : [number, [...last].length + 1];
    return refuse(line, column, expected, "the end of the file");
  }
}

/** The number of rows or columns in a header line, with its place. */
export interface AnnouncedSide {
  readonly value: number;
  readonly line: number;
  readonly column: number;
}

/** The words of a header line, which blanks and tabs separate. */
export class Words {
  readonly #line: Line;
  #at = 0;

  constructor(line: Line) {
    this.#line = line;
  }

  /** Returns the next word. Throws unless `accept` accepts it; `expected` says what it should be. */
  word(expected: string, accept: (word: string) => boolean = () => true): string {
    const { column, word } = this.#next();
    if (word === "" || !accept(word)) this.#refuse(column, expected, word);
    return word;
  }

  /** Returns the next word as the length of a side of a board, with its place. */
  number(what: string): AnnouncedSide {
    const { column, word } = this.#next();
    const value = /^\d+$/.test(word) ? Number(word) : 0;
    if (value < 1 || value > MOST_SIDE) this.#refuse(column, `${what}, a number from 1 to ${MOST_SIDE}`, word);
    return { value, line: this.#line.number, column };
  }

  /** Throws unless the line ends here. */
  end(): void {
    const { column, word } = this.#next();
    if (word !== "") this.#refuse(column, "the end of the line", word);
  }

  #next(): { column: number; word: string } {
    const { text } = this.#line;
    const start = this.#at + /^[ \t]*/.exec(text.slice(this.#at))![0].length;
    const word = /^[^ \t]*/.exec(text.slice(start))![0];
    this.#at = start + word.length;
    return { column: [...text.slice(0, start)].length + 1, word };
  }

  #refuse(column: number, expected: string, word: string): never {
    const end = this.#line.text === "" ? "an empty line" : "the end of the line";
    return refuse(this.#line.number, column, expected, word === "" ? end : quote(word));
  }
}

/** Throws the error for a text that is no board, with the place. */
export function refuse(line: number, column: number, expected: string, found: string): never {
  throw new DragnetError("board", `line ${line}, column ${column}: expected ${expected}, found ${found}`);
}

/** Returns a text in quotes, cut short: the line at fault may be megabytes long. */
export function quote(text: string): string {
  const characters = [...text.slice(0, 2 * QUOTED + 2)];
  if (characters.length <= QUOTED) return JSON.stringify(text);
  return `${JSON.stringify(characters.slice(0, QUOTED).join(""))} and more`;
}

/** Returns a character in quotes. */
export function quoteCharacter(character: string): string {
  if (character === "'") return "'\\''";
  return `'${JSON.stringify(character).slice(1, -1).replace('\\"', '"')}'`;
}
