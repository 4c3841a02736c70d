import type { Cell } from "dragnet-probe";
import type { BoardRules, RulesObject } from "./board-rules.js";
import { writeText } from "./board-text.js";
import { inflated, linkData, linkDataBytes } from "./packed.js";
import { differing, rulesFrom } from "./rules-text.js";
import {
  EXIT,
  type Guard,
  MOST_OFFICERS,
  MOST_SIDE,
  OPEN,
  type Scenario,
  WALL,
  has,
  isFree,
  squareOf,
} from "./scenario.js";
import { isOfSquares, isPair } from "./setting.js";

/**
 * A board with its pieces and rules. Its link has the version, one byte, and then, deflated, JSON in UTF-8:
 *
 * | key                   | value                                                                          |
 * |-----------------------|--------------------------------------------------------------------------------|
 * | `board`               | the text form without marks of pieces                                          |
 * | `police`, `thief`     | the cells of the officers, 0 to 6, and of the thief, if there is one            |
 * | `rules`               | the rules that differ from classic, with the keys of a rules file               |
 * | `guards`              | the guards, with the keys of a file of guards; absent if there are none         |
 * | `moment`              | the moment; absent at the beginning                                             |
 */
export interface Game {
  readonly scenario: Scenario;
  /** The rules; the number of officers is that of the scenario. */
  readonly rules: BoardRules;
  /** The layers and the world of the position; absent at the beginning of a game. */
  readonly moment?: Moment | undefined;
}

/** The part of a position that is not seen on the squares. */
export interface Moment {
  /** The number of the world. */
  readonly world: number;
  /** The layers of the officers, and behind them that of the thief. */
  readonly layers: readonly number[];
}

const VERSION = 2;
/** The most bytes that a game takes: its squares, and the longest pieces, rules and guards of a table. */
const MOST_BYTES = 2 * MOST_SIDE * (MOST_SIDE + 2) + 2 ** 19;

/** Returns the data of a link to a game. */
export async function shareGame({ scenario, rules, moment }: Game): Promise<string> {
  const { police, thief, guards } = scenario;
  const board = writeText({ ...scenario, police: [], thief: undefined });
  const list = guards.length === 0 ? undefined : guards;
  const game = { board, police, thief, rules: differing(rules), guards: list, moment };
  return linkData(VERSION, new TextEncoder().encode(JSON.stringify(game)));
}

/** Reads the data of a link. Throws an error, whose message names the trouble, if it is no game. */
export async function readSharedGame(data: string): Promise<Game> {
  const bytes = await inflated(linkDataBytes(data, VERSION, MOST_BYTES), MOST_BYTES);
  try {
    return gameOf(JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>);
  } catch (error) {
    throw new Error(`link: ${(error as Error).message}`, { cause: error });
  }
}

function gameOf({ board, police, thief, rules: given, guards, moment }: Record<string, unknown>): Game {
  const plain = readText(board);
  const pieces = [...listOf(police, "police", isPair), ...(thief === undefined ? [] : [thief])] as Cell[];
  const taken = new Set<number>();
  for (const cell of pieces) {
    const free = isPair(cell) && has(plain, cell) && isFree(plain.squares[squareOf(plain, cell)]!);
    if (!free || taken.has(squareOf(plain, cell)))
      throw new Error(`expected a piece on an open square without another piece, found ${String(cell)}`);
    taken.add(squareOf(plain, cell));
  }
  const officers = thief === undefined ? pieces : pieces.slice(0, -1);
  if (officers.length > MOST_OFFICERS) {
    throw new Error(`police: expected at most ${MOST_OFFICERS} officers, found ${officers.length}`);
  }
  const rules = { ...rulesFrom((given ?? {}) as RulesObject), officers: officers.length };
  if (!isOfSquares(rules)) throw new Error("rules: expected those of a board of squares");
  const scenario: Scenario = {
    ...plain,
    police: officers,
    thief: thief as Cell | undefined,
    guards: guards === undefined ? [] : listOf(guards, "guards", isGuard),
  };
  return { scenario, rules, ...(moment !== undefined && { moment: momentOf(moment) }) };
}

/** Returns the board of a text form without marks of pieces. */
function readText(text: unknown): Scenario {
  if (typeof text !== "string") throw new Error("board: expected a text");
  const rows = text.split("\n").slice(0, -1);
  const [height, width] = [rows.length, rows[0]?.length ?? 0];
  const sized = [height, width].every((side) => side >= 1 && side <= MOST_SIDE);
  if (!sized || rows.some((row) => row.length !== width)) {
    throw new Error(`board: expected 1 to ${MOST_SIDE} rows of equal length, found ${height} rows`);
  }
  const odd = /[^#.EA-Za-z<>^\n]|[PT]/.exec(text);
  if (odd !== null) throw new Error(`board: expected walls, open squares, exits and letters, found ${odd[0]}`);
  return { height, width, squares: squaresIn(rows.join("")), police: [], thief: undefined, guards: [] };
}

/** Returns the kinds of squares with these characters of the text form; one with a mark is open. */
export function squaresIn(characters: string): Uint8Array {
  const kinds: Readonly<Record<string, number>> = { "#": WALL, ".": OPEN, P: OPEN, T: OPEN, E: EXIT };
  return Uint8Array.from(characters, (character) => kinds[character] ?? character.charCodeAt(0));
}

function listOf<T>(value: unknown, what: string, is: (value: unknown) => value is T): T[] {
  if (Array.isArray(value) && value.every(is)) return value;
  throw new Error(`${what}: expected a list, found ${JSON.stringify(value)}`);
}

/** Returns whether a value is a guard, whose other keys the engine checks. */
export function isGuard(value: unknown): value is Guard {
  const { round } = (value ?? {}) as Partial<Guard>;
  return Array.isArray(round) && round.length > 0 && round.every(isPair);
}

function momentOf(value: unknown): Moment {
  const { world, layers } = (value ?? {}) as Partial<Moment>;
  const isNumber = (number: unknown): number is number => Number.isInteger(number) && (number as number) >= 0;
  if (!isNumber(world)) throw new Error("moment: expected the number of a world");
  return { world, layers: listOf(layers, "layers", isNumber) };
}
