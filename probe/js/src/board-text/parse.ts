import { type Board, type Cell, MOST_SQUARES } from "../board.js";
import { DragnetError } from "../errors.js";
import { type AnnouncedSide, Lines, MOST_SIDE, Words, quote, refuse } from "./lines.js";
import { MapSquares, MarkedSquares, type Squares } from "./squares.js";

/** A board, and the cells on which the sides start. */
export interface Scenario {
  /** The board; start cells are open cells of it. */
  readonly board: Board;
  /** The cells marked `P`, in reading order: one for each officer. */
  readonly police: readonly Cell[];
  /** The cell marked `T`, if there is one. */
  readonly thief: Cell | undefined;
}

/**
 * Reads a board in any of the forms that Dragnet reads. The first line tells which: if it begins with `type`
 * and a blank, the text is a MovingAI map; if it has a digit anywhere, it is in the contest form, which
 * states the numbers of rows and columns; otherwise it consists of the rows alone.
 *
 * ```ts
 * const { board, police, thief } = parseBoard("P.#E\n...T\n");
 * ```
 *
 * Lines end in LF, CR LF or CR, and a byte order mark at the start is no part of the text.
 *
 * @param text the text, or its bytes in UTF-8, or in UTF-16 behind a byte order mark
 * @throws DragnetError of kind `board` with the line and the column, if the text is not a board, or has
 *   one-way squares, which are not read here
 */
export function parseBoard(text: string | Uint8Array): Scenario {
  const whole = decode(text);
  const first = /^[^\n]*/.exec(whole)![0];
  if (/^type[ \t]/.test(first)) return parseMovingAi(new Lines(whole));
  return /\d/.test(first) ? parseContest(new Lines(whole)) : parseRows(new Lines(whole));
}

/** Returns the text with LF at the end of each line and without a byte order mark. */
function decode(text: string | Uint8Array): string {
  const bytes = text instanceof Uint8Array;
  if (!bytes && typeof text !== "string") {
    throw new DragnetError("argument", `text: expected a string or a Uint8Array, found ${typeof text}`);
  }
  const decoded = bytes ? new TextDecoder(encoding(text), { ignoreBOM: true }).decode(text) : text;
  return decoded.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
}

/** Returns the encoding of these bytes, which the byte order mark of UTF-16 tells. */
function encoding([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

function parseRows(lines: Lines): Scenario {
  const first = lines.require("a row of squares");
  if (first.text === "") refuse(first.number, 1, "a row of squares", "an empty line");
  const squares = new MarkedSquares(0);
  const width = squares.add(first, MOST_SIDE);
  checkSize(1, width, first.number, MOST_SIDE + 1);
  // Blanks at the end of a line cannot be seen, and they are open squares.
  const blanksOf = (text: string): number => text.length - text.replace(/ +$/, "").length;
  const withBlanks = (text: string, blanks: number): string =>
    blanks === 0 ? text : `${text}, with the blanks at its end (${blanks})`;
  const expected = withBlanks(`${count(width)} as in line 1`, blanksOf(first.text));
  let height = 1;
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    if (line.text === "") {
      if (lines.onlyEmptyLeft) break;
      refuse(line.number, 1, expected, "an empty line");
    }
    checkSize(height + 1, width, line.number, 1);
    const found = squares.add(line, width);
    if (found !== width) {
      refuse(line.number, Math.min(found, width) + 1, expected, withBlanks(`${found}`, blanksOf(line.text)));
    }
    height++;
  }
  return { board: squares.board(height, width), police: squares.police, thief: squares.thief };
}

function parseContest(lines: Lines): Scenario {
  const words = new Words(lines.require("the numbers of rows and columns, for example '8 10'"));
  const height = words.number("the number of rows");
  const width = words.number("the number of columns");
  words.end();
  const squares = new MarkedSquares(1);
  addAnnounced(lines, height, width, squares);
  return { board: squares.board(height.value, width.value), police: squares.police, thief: squares.thief };
}

function parseMovingAi(lines: Lines): Scenario {
  const type = new Words(lines.require("'type octile'"));
  type.word("'type octile'", (word) => word === "type");
  type.word("a word after 'type', for example 'octile'");
  type.end();
  const sides = new Map<string, AnnouncedSide>();
  while (sides.size < 2) {
    const missing = ["height", "width"].filter((name) => !sides.has(name));
    const expected = `${missing.map((name) => `'${name}'`).join(" or ")} and a number`;
    const words = new Words(lines.require(expected));
    const name = words.word(expected, (word) => missing.includes(word));
    sides.set(name, words.number(name === "height" ? "the number of rows" : "the number of columns"));
    words.end();
  }
  const map = new Words(lines.require("'map'"));
  map.word("'map'", (word) => word === "map");
  map.end();
  const [height, width] = [sides.get("height")!, sides.get("width")!];
  const squares = new MapSquares();
  addAnnounced(lines, height, width, squares);
  return { board: squares.board(height.value, width.value), police: [], thief: undefined };
}

/** Adds all lines that are left, the rows of a board whose size stands in header lines. */
function addAnnounced(lines: Lines, height: AnnouncedSide, width: AnnouncedSide, squares: Squares): void {
  const rows = height.value;
  const widthIsLast = width.line > height.line || (width.line === height.line && width.column > height.column);
  const { line: lastLine, column: lastColumn } = widthIsLast ? width : height;
  checkSize(rows, width.value, lastLine, lastColumn);
  for (let row = 1; row <= rows; row++) {
    const expected = `row ${row} of the ${rows} that line ${height.line} announces`;
    const line = lines.require(expected);
    if (line.text === "") refuse(line.number, 1, expected, "an empty line");
    const found = squares.add(line, width.value);
    if (found === width.value) continue;
    const announced = `${count(width.value)} as line ${width.line} announces`;
    refuse(line.number, Math.min(found, width.value) + 1, announced, `${found}`);
  }
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    if (line.text === "") continue;
    const all = `the ${rows} ${rows === 1 ? "row" : "rows"} that line ${height.line} announces`;
    refuse(line.number, 1, `the end of the file after ${all}`, `one more line, ${quote(line.text)}`);
  }
}

/** Throws, with the place that makes the board too large, unless a board may have this size. */
function checkSize(height: number, width: number, line: number, column: number): void {
  if (height <= MOST_SIDE && width <= MOST_SIDE && height * width <= MOST_SQUARES) return;
  const expected = `a board of at most ${MOST_SQUARES} squares with no side over ${MOST_SIDE}`;
  refuse(line, column, expected, `${height}x${width}`);
}

/** Returns a number of squares in words. */
function count(squares: number): string {
  return `${squares} square${squares === 1 ? "" : "s"}`;
}
