import type { Cell } from "dragnet-probe";
import type { BoardRules, MoveSet, SideRules, Step } from "./board-rules.js";
import { inflated, linkData, linkDataBytes } from "./packed.js";
import { ON_EXIT, SETS, WRAPS } from "./rules-text.js";
import { EXIT, MOST_OFFICERS, MOST_SIDE, OPEN, type Scenario, has, pieceAt, squareOf } from "./scenario.js";

/**
 * A board with its pieces and rules. Its link has the version, one byte, and then, deflated, integers in
 * little-endian order:
 *
 * | type            | meaning                                                                              |
 * |-----------------|--------------------------------------------------------------------------------------|
 * | u16, u16        | rows, columns                                                                        |
 * | ⌈squares/4⌉ u8  | the squares in reading order, 2 bits each, lowest bits first: 0 wall, 1 open, 2 exit |
 * | u8, then cells  | the officers, 1 to 6, and the row and column of each as u16                          |
 * | u8, then a cell | 1 and the thief's cell, or 0                                                         |
 * | side            | the police's rules: u8 moves as in the header of a table; if these are offsets, u8   |
 * |                 | their number and each as i16, i16; u8 may pass; u8 steps; u8 reach                   |
 * | side            | the thief's rules                                                                    |
 * | 6 × u8          | corner cutting, wrap, stuck, team, police on exit, undecided, as in that header      |
 */
export interface Game {
  readonly scenario: Scenario;
  /** The rules; the number of officers is that of the scenario. */
  readonly rules: BoardRules;
}

const VERSION = 1;
const MOVES = [...SETS, "offsets"] as const;
const STUCK = ["loses", "wins"] as const;
const TEAMS = ["all", "one"] as const;
const UNDECIDED = ["draw", "police", "thief"] as const;
const MOST_OFFSETS = 255;
/** The most bytes that a game takes: squares, pieces, and the rules with all their offsets. */
const MOST_BYTES = 4 + MOST_SIDE ** 2 / 4 + 1 + 4 * MOST_OFFICERS + 5 + 2 * (5 + 4 * MOST_OFFSETS) + 6;

/** Returns the data of a link to a game. */
export async function shareGame(game: Game): Promise<string> {
  return linkData(VERSION, encodeGame(game));
}

/** Reads the data of a link. Throws an error, whose message names the trouble, if it is no game. */
export async function readSharedGame(data: string): Promise<Game> {
  const bytes = linkDataBytes(data, VERSION, MOST_BYTES);
  return decodeGame(await inflated(bytes, MOST_BYTES));
}

/** Returns the bytes of a game before they are deflated. */
function encodeGame({ scenario, rules }: Game): Uint8Array {
  const bytes: number[] = [];
  const u16 = (number: number): number => bytes.push(number & 255, (number >> 8) & 255);
  const cell = (cell: Cell): void => cell.forEach(u16);
  const { height, width, squares, police, thief } = scenario;
  u16(height);
  u16(width);
  for (let first = 0; first < squares.length; first += 4) {
    let byte = 0;
    for (let at = 0; at < 4; at++) byte |= (squares[first + at] ?? 0) << (2 * at);
    bytes.push(byte);
  }
  bytes.push(police.length);
  police.forEach(cell);
  bytes.push(thief === undefined ? 0 : 1);
  if (thief !== undefined) cell(thief);
  for (const { moves, mayPass, steps, reach } of [rules.police, rules.thief]) {
    const offsets = typeof moves === "string" ? undefined : moves.offsets;
    bytes.push(MOVES.indexOf(typeof moves === "string" ? (moves as "king") : "offsets"));
    if (offsets !== undefined) {
      bytes.push(offsets.length);
      for (const step of offsets) step.forEach(u16);
    }
    bytes.push(Number(mayPass), steps, reach);
  }
  bytes.push(
    Number(rules.cornerCutting),
    WRAPS.indexOf(rules.wrap),
    STUCK.indexOf(rules.stuck),
    TEAMS.indexOf(rules.team),
    ON_EXIT.indexOf(rules.policeOnExit),
    UNDECIDED.indexOf(rules.undecided),
  );
  return Uint8Array.from(bytes);
}

function decodeGame(bytes: Uint8Array): Game {
  const reader = new Reader(bytes);
  const height = reader.number("rows", 1, MOST_SIDE, 2);
  const width = reader.number("columns", 1, MOST_SIDE, 2);
  const squares = new Uint8Array(height * width);
  const packed = reader.take("squares", Math.ceil(squares.length / 4));
  for (let square = 0; square < packed.length * 4; square++) {
    const kind = (packed[square >> 2]! >> (2 * (square & 3))) & 3;
    if (square >= squares.length ? kind !== 0 : kind > EXIT) {
      throw trouble(`the squares: expected 0 to 2, and 0 behind the last, found ${kind}`);
    }
    if (square < squares.length) squares[square] = kind;
  }
  let scenario: Scenario = { height, width, squares, police: [], thief: undefined };
  const officers = reader.number("officers", 1, MOST_OFFICERS);
  for (let officer = 0; officer < officers; officer++) {
    scenario = { ...scenario, police: [...scenario.police, readCell(reader, scenario, "an officer")] };
  }
  if (reader.choice("thief", [false, true])) {
    scenario = { ...scenario, thief: readCell(reader, scenario, "the thief") };
  }
  const [police, thief] = [readSide(reader, "police"), readSide(reader, "thief")];
  const rules: BoardRules = {
    officers,
    police,
    thief,
    cornerCutting: reader.choice("corner cutting", [false, true]),
    wrap: reader.choice("wrap", WRAPS),
    stuck: reader.choice("stuck", STUCK),
    team: reader.choice("team", TEAMS),
    policeOnExit: reader.choice("police on exit", ON_EXIT),
    undecided: reader.choice("undecided", UNDECIDED),
  };
  reader.end();
  return { scenario, rules };
}

function readCell(reader: Reader, scenario: Scenario, piece: string): Cell {
  const cell: Cell = [reader.number(piece, 0, 0xffff, 2), reader.number(piece, 0, 0xffff, 2)];
  const free = has(scenario, cell) && scenario.squares[squareOf(scenario, cell)] === OPEN;
  if (!free || pieceAt(scenario, cell) !== undefined) {
    throw trouble(`expected ${piece} on an open square without another piece, found ${cell.join()}`);
  }
  return cell;
}

function readSide(reader: Reader, side: string): SideRules {
  const named = reader.choice(`the moves of the ${side}`, MOVES);
  const moves: MoveSet = named === "offsets" ? { offsets: readOffsets(reader, side) } : named;
  const mayPass = reader.choice(`may pass of the ${side}`, [false, true]);
  const steps = reader.number(`the steps of the ${side}`, 1, 255);
  return { moves, mayPass, steps, reach: reader.number(`the reach of the ${side}`, 1, 255) };
}

function readOffsets(reader: Reader, side: string): Step[] {
  const count = reader.number(`the offsets of the ${side}`, 1, MOST_OFFSETS);
  return Array.from({ length: count }, (): Step => [reader.signed(side), reader.signed(side)]);
}

/** Reads the fields of a game one after the other. */
class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  take(what: string, length: number): Uint8Array {
    const found = this.#bytes.length - this.#at;
    if (found < length) throw trouble(`${what}: expected ${length} more bytes, found ${found}`);
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  number(what: string, least: number, most: number, length: 1 | 2 = 1): number {
    const [low, high = 0] = this.take(what, length);
    const number = low! + 256 * high;
    if (number < least || number > most)
      throw trouble(`${what}: expected ${least} to ${most}, found ${number}`);
    return number;
  }

  signed(side: string): number {
    return (this.number(`the offsets of the ${side}`, 0, 0xffff, 2) << 16) >> 16;
  }

  choice<T>(what: string, names: readonly T[]): T {
    return names[this.number(what, 0, names.length - 1)]!;
  }

  end(): void {
    const left = this.#bytes.length - this.#at;
    if (left > 0) throw trouble(`expected the end of the data, found ${left} more bytes`);
  }
}

function trouble(message: string): Error {
  return new Error(`link: ${message}`);
}
