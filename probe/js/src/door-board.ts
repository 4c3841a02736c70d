import { Board, type Cell, MOST_SQUARES } from "./board.js";
import { opponent } from "./codes.js";
import type { Cursor } from "./cursor.js";
import { DoorMoves } from "./door-moves.js";
import { Effort } from "./effort.js";
import { DragnetError } from "./errors.js";
import { type BoardRules, type Side, readExtendedRules, readRules } from "./rules.js";

/** A door that turns each time that a piece steps onto its key. */
export interface KeyDoor {
  /** The cell of the door. */
  readonly cell: Cell;
  /** The cell of the key. */
  readonly key: Cell;
  /** Whether the door is open at the start. */
  readonly open: boolean;
}

/** A door that opens and closes by a schedule. */
export interface ScheduledDoor {
  /** The cell of the door. */
  readonly cell: Cell;
  /** Whether the door is open in each ply of the schedule, which then begins anew. */
  readonly schedule: readonly boolean[];
}

/** A door of a board. */
export type Door = KeyDoor | ScheduledDoor;

/** A position of the game on a board with doors. */
export interface DoorPosition {
  /** The officer's cell. */
  readonly police: Cell;
  /** The thief's cell. */
  readonly thief: Cell;
  /** The side to move. */
  readonly turn: Side;
  /** The keys stepped on an odd number of times: bit i for key number i in reading order; 0 by default. */
  readonly keys?: number | undefined;
  /** The plies since the schedules began, modulo {@link DoorBoard.phases}; 0 by default. */
  readonly phase?: number | undefined;
}

const MOST_DOORS = 8;
const MOST_PLIES = 16;
const MOST_STATES = 4096;
/** The most squares of a board, times the sets of closed doors. */
const MOST_SETS = 2 ** 22;
const MOST_POSITIONS = 2 ** 32;

/** A board with doors and the rules of the game on it, which numbers the positions. */
export class DoorBoard {
  /** The board with all doors open. */
  readonly board: Board;
  /** The rules of the game, which has one officer. */
  readonly rules: BoardRules;
  /** The doors, in the order of the table. */
  readonly doors: readonly Door[];
  /** The cells of the keys in reading order, each once. */
  readonly keys: readonly Cell[];
  /** The plies after which all schedules begin anew; 1 if no door has a schedule. */
  readonly phases: number;
  /** The moves of both sides, by the set of closed doors, one bit each. */
  readonly #moves = new Map<number, Readonly<Record<Side, DoorMoves>>>();

  /**
   * @throws DragnetError of kind `header` if the doors break a rule of the format
   * @internal
   */
  constructor(board: Board, rules: BoardRules, doors: readonly Door[]) {
    const squares = board.height * board.width;
    if (squares * 2 ** doors.length > MOST_SETS) {
      wrong(`at most ${MOST_SETS / 2 ** doors.length} squares with ${doors.length} doors`, squares);
    }
    const places = new Set<string>();
    const keys = new Map<number, Cell>();
    let phases = 1;
    for (const door of doors) {
      checkPlace(board, "a door", door.cell);
      if (places.has(door.cell.join())) wrong("each door on a cell of its own", `two on ${door.cell.join()}`);
      places.add(door.cell.join());
      if ("key" in door) {
        checkPlace(board, "a key", door.key);
        keys.set(board.numberAt(...door.key), door.key);
      } else {
        phases = leastCommonMultiple(phases, door.schedule.length);
      }
    }
    const states = 2 ** keys.size * phases;
    if (states > MOST_STATES) wrong(`at most ${MOST_STATES} states`, states);
    this.board = board;
    this.rules = rules;
    this.doors = doors;
    this.keys = [...keys].sort(([a], [b]) => a - b).map(([, cell]) => cell);
    this.phases = phases;
    if (this.positions > MOST_POSITIONS) wrong(`at most ${MOST_POSITIONS} positions`, this.positions);
  }

  /** The number of positions. */
  get positions(): number {
    return 2 ** this.keys.length * this.phases * 2 * this.board.openCells ** 2;
  }

  /**
   * Returns the number of a position, which {@link GameTable.value} takes.
   *
   * @throws DragnetError of kind `position` if a piece stands on no open cell, or there are no such keys or
   *   no such phase
   */
  number({ police, thief, turn, keys = 0, phase = 0 }: DoorPosition): number {
    if (turn !== "police" && turn !== "thief") {
      throw new DragnetError("position", `turn: expected police or thief, found ${String(turn)}`);
    }
    const { openCells } = this.board;
    const state = this.#state(keys, phase);
    const from = this.board.numberOf(police, "police");
    return ((state * 2 + (turn === "thief" ? 1 : 0)) * openCells + from) * openCells + this.board.numberOf(thief, "thief");
  }

  /**
   * Returns whether a door is open in a state.
   *
   * @param door the index of the door in {@link DoorBoard.doors}
   * @throws DragnetError of kind `argument` if there is no such door, of kind `position` if there are no such
   *   keys or no such phase
   */
  isOpen(door: number, keys = 0, phase = 0): boolean {
    const found = this.doors[door];
    if (found === undefined) {
      throw new DragnetError("argument", `door: expected 0 to ${this.doors.length - 1}, found ${String(door)}`);
    }
    this.#state(keys, phase);
    if ("schedule" in found) return found.schedule[phase % found.schedule.length]!;
    const key = this.keys.findIndex((cell) => cell.join() === found.key.join());
    return found.open !== (((keys >> key) & 1) === 1);
  }

  /**
   * Returns the side that has won a position without a move; `undefined` if the game goes on, or ends because
   * the side to move is stuck.
   *
   * @throws DragnetError as {@link DoorBoard.number}
   */
  winner(position: DoorPosition): Side | undefined {
    this.number(position);
    const { police, thief } = position;
    if (police[0] === thief[0] && police[1] === thief[1]) return "police";
    if (this.board.square(...thief) === "exit") return "thief";
    return this.rules.policeOnExit === "wins" && this.board.square(...police) === "exit" ? "police" : undefined;
  }

  /**
   * Returns the positions to which the moves of a position lead, in reading order of the cells moved to.
   * Terminal positions have moves here like any other.
   *
   * @throws DragnetError as {@link DoorBoard.number}; of kind `work` if the position has too many moves
   */
  successors(position: DoorPosition): Required<DoorPosition>[] {
    return this.successorsWithin(position, new Effort());
  }

  /**
   * Returns the positions of {@link DoorBoard.successors}, as part of a question that may need `effort`.
   *
   * @internal
   */
  successorsWithin(position: DoorPosition, effort: Effort): Required<DoorPosition>[] {
    this.number(position);
    const { police, thief, turn, keys = 0, phase = 0 } = position;
    const from = this.board.numberOf(position[turn], turn);
    const next = (phase + 1) % this.phases;
    return Array.from(this.#movesAt(keys, phase)[turn].from(from, effort), (cell) => {
      effort.takeMove();
      const to = this.board.cellOf(cell);
      const key = cell === from ? -1 : this.keys.findIndex((place) => this.board.numberAt(...place) === cell);
      const turned = key < 0 ? keys : keys ^ (1 << key);
      const pieces = turn === "police" ? { police: to, thief } : { police, thief: to };
      return { ...pieces, turn: opponent(turn), keys: turned, phase: next };
    });
  }

  /** Returns the moves of both sides while the doors are in a state. */
  #movesAt(keys: number, phase: number): Readonly<Record<Side, DoorMoves>> {
    const isClosed = this.doors.map((_, door) => !this.isOpen(door, keys, phase));
    const set = isClosed.reduce((closed, is, door) => closed | (Number(is) << door), 0);
    let found = this.#moves.get(set);
    if (found === undefined) {
      const closed = new Uint8Array(this.board.openCells);
      this.doors.forEach(({ cell }, door) => (closed[this.board.numberAt(...cell)] = Number(isClosed[door])));
      const of = (side: Side): DoorMoves => new DoorMoves(this.board, this.rules, side, closed);
      found = { police: of("police"), thief: of("thief") };
      this.#moves.set(set, found);
    }
    return found;
  }

  #state(keys: number, phase: number): number {
    checkBelow("keys", keys, 2 ** this.keys.length);
    checkBelow("phase", phase, this.phases);
    return keys * this.phases + phase;
  }
}

/** Reads the fields that a game table on a board with doors has behind those of every game table. */
export function readDoorBoard(fields: Cursor): DoorBoard {
  const board = readBoard(fields);
  const rules = readExtendedRules(fields, readRules(fields));
  if (rules.officers !== 1) wrong("rules of 1 officer", rules.officers);
  const count = fields.u64("doors");
  if (count < 1n || count > MOST_DOORS) wrong(`1 to ${MOST_DOORS} of them`, count);
  return new DoorBoard(board, rules, Array.from({ length: Number(count) }, () => readDoor(fields)));
}

/** Reads the size and the squares of a board. */
function readBoard(header: Cursor): Board {
  const height = header.u16("board height");
  const width = header.u16("board width");
  const size = height * width;
  if (size === 0 || size > MOST_SQUARES) {
    throw new DragnetError("header", `header, board: expected 1 to ${MOST_SQUARES} squares, found ${height}x${width}`);
  }
  const count = header.u64("board squares");
  const expected = Math.ceil(size / 4);
  if (count !== BigInt(expected)) {
    throw new DragnetError("header", `header, board squares: expected ${expected} bytes, found ${count}`);
  }
  const packed = header.bytes("board squares", expected);
  const squares = Uint8Array.from({ length: size }, (_, square) => (packed[square >> 2]! >> (2 * (square & 3))) & 3);
  const refuse = (expected: string, found: string): never => {
    throw new DragnetError("header", `header, board squares: expected ${expected}, found ${found}`);
  };
  if (squares.includes(3)) refuse("0 to 2", `3 at square ${squares.indexOf(3)}`);
  if ((size & 3) !== 0 && packed.at(-1)! >> (2 * (size & 3)) !== 0) refuse("unused bits of 0", "others");
  if (squares.every((square) => square === 0)) refuse("an open square or an exit", "only walls");
  return new Board(height, width, squares);
}

function readDoor(fields: Cursor): Door {
  const cell = readCell(fields, "door");
  if (fields.enumeration("opening", ["key", "schedule"] as const) === "key") {
    return { cell, key: readCell(fields, "key"), open: fields.bool("open at the start") };
  }
  const plies = fields.u8("plies of a schedule");
  if (plies < 1 || plies > MOST_PLIES) wrong(`schedules of 1 to ${MOST_PLIES} plies`, plies);
  const open = fields.u16("open plies of a schedule");
  if (open >> plies !== 0) wrong(`unused bits of 0 in a schedule of ${plies} plies`, `0b${open.toString(2)}`);
  return { cell, schedule: Array.from({ length: plies }, (_, ply) => ((open >> ply) & 1) === 1) };
}

function readCell(fields: Cursor, field: string): Cell {
  return [fields.u16(`${field}, row`), fields.u16(`${field}, column`)];
}

function checkPlace(board: Board, what: string, cell: Cell): void {
  const found = board.has(...cell) ? board.square(...cell) : "a place off the board";
  if (found !== "open") wrong(`${what} on an open cell that is no exit`, `${cell.join()}, ${found}`);
}

function checkBelow(field: string, value: number, limit: number): void {
  if (Number.isInteger(value) && value >= 0 && value < limit) return;
  throw new DragnetError("position", `${field}: expected 0 to ${limit - 1}, found ${String(value)}`);
}

function wrong(expected: string, found: string | number | bigint): never {
  throw new DragnetError("header", `header, doors: expected ${expected}, found ${found}`);
}

function leastCommonMultiple(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return (a / x) * b;
}
