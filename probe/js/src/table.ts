import type { Board, Cell } from "./board.js";
import { type Code, type Value, merit, opponent, valueOf } from "./codes.js";
import { DragnetError } from "./errors.js";
import { Game, type Placement } from "./game.js";
import { type Edge, edgesOf } from "./graph.js";
import { type Counts, type Header, readHeader } from "./header.js";
import { type Line, cellsOf, playOut } from "./line.js";
import { type Team, sortedTeam } from "./moves.js";
import { type OpenOptions, fetchBytes, openArguments } from "./open.js";
import type { Rules, Side } from "./rules.js";
import { Store } from "./store.js";
import { type Verified, verify } from "./verify.js";

/** A position: the cells of all pieces, and the side to move. */
export interface Position {
  /** The officer's cell, or the cells of several officers in any order. */
  readonly police: Cell | readonly Cell[];
  /** The thief's cell. */
  readonly thief: Cell;
  /** The side to move. */
  readonly turn: Side;
}

/** A legal move, with the value of the position after it. */
export interface Move extends Value {
  /**
   * The cell that the piece moves to, its own cell if it passes. With several officers, a police move lists
   * the cells of all officers after the move, in reading order.
   */
  readonly to: Cell | readonly Cell[];
}

/** An open pursuit table. */
export class Table {
  /** The board; cells are rows and columns from 0. */
  readonly board: Board;
  /**
   * The edges of the board if it is a graph, vertex by vertex; vertex v is the cell in row 0 and column v.
   * `null` if the board consists of squares.
   */
  readonly edges: readonly Edge[] | null;
  /** The rules of the game. */
  readonly rules: Rules;
  /** The number of positions with each outcome, by the side to move. */
  readonly counts: Readonly<Record<Side, Counts>>;
  /** The longest win of each side in plies, with either side to move; 0 for a side that wins no position. */
  readonly longest: Readonly<Record<Side, number>>;
  /** The content digest: equal for all tables with the same values. */
  readonly digest: bigint;
  readonly #store: Store;
  readonly #game: Game;

  private constructor(bytes: Uint8Array, header: Header, cacheBytes: number) {
    const store = new Store(bytes, header, cacheBytes);
    this.board = header.board;
    this.edges = header.graph === undefined ? null : edgesOf(header.graph);
    this.rules = header.rules;
    this.counts = header.counts;
    this.longest = header.longest;
    this.digest = header.digest;
    this.#store = store;
    this.#game = new Game(header, (police, thief) => store.code(police, thief));
  }

  /**
   * Opens a pursuit table in memory. The bytes are not copied and must not change afterwards. The header is
   * checked now, each block when it is first touched, and everything by {@link Table.verify}.
   *
   * @throws DragnetError if the bytes are not a table or are damaged; of kind `unsupported` if they are a
   *   game table
   */
  static fromBytes(bytes: Uint8Array | ArrayBuffer, options: OpenOptions = {}): Table {
    const { view, cacheBytes } = openArguments(bytes, options);
    return new Table(view, readHeader(view), cacheBytes);
  }

  /**
   * Fetches a pursuit table from an address and opens it.
   *
   * @throws DragnetError of kind `fetch` if the request fails or its status is not a success; otherwise as
   * {@link Table.fromBytes}
   */
  static async fetch(url: string | URL, options: OpenOptions = {}): Promise<Table> {
    const bytes = await fetchBytes(url);
    return Table.fromBytes(bytes, options);
  }

  /**
   * Returns the value of a position.
   *
   * @throws DragnetError of kind `position` if a piece is on a wall or off the board, or if the number of
   *   officers is not the table's; of another kind if the table is damaged
   */
  value(position: Position): Value {
    const { police, thief, turn } = this.#placement(position);
    return valueOf(this.#game.code(police, thief, turn), turn);
  }

  /**
   * Returns every legal move with the value of the position after it, best first: quick wins, slow wins,
   * draws, slow losses, quick losses; equally good moves in reading order. The list is empty if the position
   * is terminal or the side to move has no move.
   *
   * @throws DragnetError as {@link Table.value}
   */
  moves(position: Position): Move[] {
    const placement = this.#placement(position);
    return this.#choices(placement).map(({ after, code }) => ({
      to: cellsOf(after, placement.turn, this.board),
      ...valueOf(code, opponent(placement.turn)),
    }));
  }

  /**
   * Returns optimal play to the end: the winner wins as quickly and the loser loses as slowly as possible; of
   * equally good moves the first in reading order is played. A draw is played until a position occurs again.
   *
   * @throws DragnetError as {@link Table.value}, and of kind `contents` if the values along the line
   *   contradict each other
   */
  line(position: Position): Line {
    const start = this.#placement(position);
    return playOut(start, this.board, this.#game, (from) => this.#choices(from)[0]);
  }

  /**
   * Verifies the whole table: every checksum, every rule of the format, the counts and longest wins with the
   * police to move, and the digest. It blocks the thread until it is done.
   *
   * @throws DragnetError at the first fault found
   */
  verify(): Verified {
    return verify(this.board, this.#store, this.#game, this);
  }

  #placement(position: Position): Placement {
    const turn = position?.turn;
    if (turn !== "police" && turn !== "thief") {
      throw new DragnetError("position", `turn: expected police or thief, found ${String(turn)}`);
    }
    const police = this.#team(position.police);
    const thief = this.board.numberOf(position.thief, "thief");
    return { police, thief, turn };
  }

  #team(police: Position["police"]): Team {
    const { officers } = this.rules;
    const several = Array.isArray(police?.[0]);
    const cells = (several ? police : [police]) as readonly Cell[];
    if (cells.length !== officers) {
      const expected = officers === 1 ? "the cell of 1 officer" : `the cells of ${officers} officers`;
      throw new DragnetError("position", `police: expected ${expected}, found ${cells.length}`);
    }
    return sortedTeam(cells.map((cell) => this.board.numberOf(cell, "police")));
  }

  /** Returns the successors of a position with their codes, best first for the side to move. */
  #choices(from: Placement): { after: Placement; code: Code }[] {
    if (this.#game.ending(from.police, from.thief) !== undefined) return [];
    const choices = this.#game.successors(from).map((after) => ({
      after,
      code: this.#game.code(after.police, after.thief, after.turn),
    }));
    return choices.sort((a, b) => merit(b.code) - merit(a.code));
  }
}
