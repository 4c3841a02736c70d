import type { Board, Cell } from "./board.js";
import { type Code, type Value, merit, opponent, valueOf } from "./codes.js";
import { DragnetError } from "./errors.js";
import { Game, type Place } from "./game.js";
import { type Edge, edgesOf } from "./graph.js";
import { type Counts, type Header, readHeader } from "./header.js";
import { type Line, cellsOf, playOut } from "./line.js";
import { type Team, sortedTeam } from "./moves.js";
import type { Rules, Side } from "./rules.js";
import { type OpenOptions, fetchBytes, opened } from "./source.js";
import { Store } from "./store.js";
import { type Verified, verify } from "./verify.js";

/** Where the pieces are and who is to move. */
export interface Position {
  /** The officer's cell; of several officers all their cells, in any order. */
  readonly police: Cell | readonly Cell[];
  readonly thief: Cell;
  readonly turn: Side;
}

/** A legal move and what comes of it. */
export interface Move extends Value {
  /**
   * Where the piece goes; its own cell if it stays. Of several officers the cells of all after the move, in reading
   * order.
   */
  readonly to: Cell | readonly Cell[];
}

/** A table, ready to answer. */
export class Table {
  /** The board; cells are rows and columns from 0. */
  readonly board: Board;
  /** The edges of the graph that the board is; vertex v is the cell in row 0 and column v. `null` on squares. */
  readonly edges: readonly Edge[] | null;
  readonly rules: Rules;
  /** By side to move: how many of its positions the police wins, the thief wins, and nobody wins. */
  readonly counts: Readonly<Record<Side, Counts>>;
  /** By winner: the greatest distance in plies of a position that it wins, whoever is to move; 0 if there is none. */
  readonly longest: Readonly<Record<Side, number>>;
  /** The content digest: the same for all tables that say the same. */
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
   * Opens a table in memory. The bytes are not copied and must not change afterwards. The header is checked now, blocks
   * when they are first touched; {@link Table.verify} checks all at once.
   *
   * @throws DragnetError if the bytes are no table, or a damaged one
   */
  static fromBytes(bytes: Uint8Array | ArrayBuffer, options: OpenOptions = {}): Table {
    const { view, cacheBytes } = opened(bytes, options);
    return new Table(view, readHeader(view), cacheBytes);
  }

  /**
   * Fetches a table and opens it.
   *
   * @throws DragnetError of kind `fetch` if there is no answer or one that is no success; otherwise as
   * {@link Table.fromBytes}
   */
  static async fetch(url: string | URL, options: OpenOptions = {}): Promise<Table> {
    const bytes = await fetchBytes(url);
    return Table.fromBytes(bytes, options);
  }

  /**
   * Who wins a position, and in how many plies.
   *
   * @throws DragnetError of kind `position` if a piece is on a wall or off the board, or there are more or fewer
   * officers than the table has; of another kind if the table turns out to be damaged
   */
  value(position: Position): Value {
    const { police, thief, turn } = this.#cells(position);
    return valueOf(this.#game.code(police, thief, turn), turn);
  }

  /**
   * Every legal move with the value of the position after it, best first: quick wins, slow wins, draws, slow losses,
   * quick losses, and equally good ones in reading order. Empty if the game is over or the side to move cannot move.
   *
   * @throws DragnetError as {@link Table.value}
   */
  moves(position: Position): Move[] {
    const place = this.#cells(position);
    return this.#choices(place).map(({ after, code }) => ({
      to: cellsOf(after, place.turn, this.board),
      ...valueOf(code, opponent(place.turn)),
    }));
  }

  /**
   * Optimal play to the end: the winner takes the quickest way, the loser the slowest; of equally good moves the first
   * in reading order. A draw is played until a position repeats.
   *
   * @throws DragnetError as {@link Table.value}, and of kind `contents` if the values along the way do not agree
   */
  line(position: Position): Line {
    const start = this.#cells(position);
    return playOut(start, this.board, this.#game, (place) => this.#choices(place)[0]);
  }

  /**
   * Checks the whole table: every checksum, every rule of the format, the counts with the police to move, and the
   * digest. It takes less than 100 ns for each pair of cells, with several officers some times as long for each place
   * of all pieces; meanwhile nothing else runs.
   *
   * @throws DragnetError if anything is not as it should be
   */
  verify(): Verified {
    return verify(this.board, this.#store, this.#game, this);
  }

  #cells(position: Position): Place {
    const turn = position?.turn;
    if (turn !== "police" && turn !== "thief") {
      throw new DragnetError("position", `the turn: expected police or thief, found ${String(turn)}`);
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
      throw new DragnetError("position", `expected the cells of ${officers} officers, found ${cells.length}`);
    }
    return sortedTeam(cells.map((cell) => this.board.numberOf(cell, "police")));
  }

  /** The positions to which the side to move can go and their codes, best first. */
  #choices(place: Place): { after: Place; code: Code }[] {
    if (this.#game.winner(place.police, place.thief) !== undefined) return [];
    const choices = this.#game.after(place).map((after) => ({
      after,
      code: this.#game.code(after.police, after.thief, after.turn),
    }));
    return choices.sort((a, b) => merit(b.code) - merit(a.code));
  }
}
