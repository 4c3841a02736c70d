import { type Table, open } from "dragnet-probe";
import { messageOf } from "../../base/text.js";
import { isPlain } from "../../model/board-rules.js";
import { openCells } from "../../model/scenario.js";
import type { Game } from "../../model/share.js";
import { hasSameBoard } from "./editor.js";
import type { Estimate, Level, Solver } from "./solver.js";

/** A game that is solved. */
export interface Solved {
  readonly game: Game;
  readonly table: Table;
  readonly bytes: Uint8Array;
  readonly levels: readonly Level[];
  /** The time from the request to the table in milliseconds, without the time to load the solver. */
  readonly milliseconds: number;
}

/** How far the solve of one game is. */
export interface SolvingState {
  readonly kind: "idle" | "solving" | "solved" | "stopped" | "too-large" | "failed";
  /** The game's table, once there is one. */
  readonly solved?: Solved | undefined;
  /** The levels of the solve so far. */
  readonly levels: readonly Level[];
  /** The positions of the game, an approximate number if they are very many. */
  readonly positions: number;
  /** The size of a solve that is too large to begin unasked. */
  readonly estimate?: Estimate | undefined;
  /** Why the game cannot be solved. */
  readonly trouble?: string | undefined;
}

/** The newest state, with the games that it is of. */
interface Newest extends SolvingState {
  /** The game that all but `solved` is of. */
  readonly game?: Game | undefined;
  /** The table that was finished last, perhaps of another game. */
  readonly solved?: Solved | undefined;
}

/** The most positions of a game that is solved unasked: a matter of a few seconds. */
export const MOST_UNASKED = 150_000_000;
/** The time that a solve of an older board has to end by itself, in milliseconds. */
const PATIENCE = 120;
/** The time between two reports of levels, in milliseconds. */
const REPORT = 50;

/** Solves the board that is drawn: always the newest one, and one at a time. */
export class Solving {
  readonly #solver: Solver;
  readonly #tell: () => void;
  #state: Newest = { kind: "idle", levels: [], positions: 0 };
  #running: { readonly game: Game; readonly since: number } | undefined;
  #next: { readonly game: Game; readonly asked: boolean } | undefined;
  #abandon: ReturnType<typeof setTimeout> | undefined;

  constructor(solver: Solver, tell: () => void) {
    this.#solver = solver;
    this.#tell = tell;
  }

  /** Returns the state of a game, which has nothing in it of any other game. */
  of(game: Game): SolvingState {
    const { game: of, solved: newest, ...state } = this.#state;
    const solved = newest !== undefined && hasSameBoard(newest.game, game) ? newest : undefined;
    if (of !== undefined && hasSameBoard(of, game)) return { ...state, solved };
    return { kind: this.#running === undefined ? "idle" : "solving", levels: [], positions: 0, solved };
  }

  /**
   * Asks for the table of a game. `final` is false while a stroke is being drawn: an older solve then runs to
   * its end. `asked` begins a large solve, too.
   */
  ask(game: Game, { final = true, asked = false } = {}): void {
    const { solved } = this.#state;
    if (this.#running !== undefined) {
      if (hasSameBoard(this.#running.game, game)) {
        this.#next = undefined;
        clearTimeout(this.#abandon);
        this.#abandon = undefined;
        return;
      }
      this.#next = { game, asked };
      if (final) this.#abandon ??= setTimeout(() => this.#giveUp(), PATIENCE);
      return;
    }
    if (solved !== undefined && hasSameBoard(solved.game, game)) {
      if (this.#state.kind !== "solved") {
        this.#set({ kind: "solved", game, solved, levels: solved.levels, positions: positionsOf(game) });
      }
      return;
    }
    void this.#start(game, asked, final);
  }

  /** Ends the solve by ending its worker. */
  stop(): void {
    if (this.#running === undefined) return;
    const { game } = this.#next ?? this.#running;
    this.#end();
    this.#set({ ...this.of(game), game, solved: this.#state.solved, kind: "stopped" });
  }

  /** Ends everything. */
  close(): void {
    this.#end();
    this.#solver.close();
  }

  #giveUp(): void {
    this.#abandon = undefined;
    const next = this.#next;
    if (this.#running === undefined || next === undefined) return;
    this.#end();
    void this.#start(next.game, next.asked);
  }

  #end(): void {
    clearTimeout(this.#abandon);
    this.#abandon = undefined;
    this.#next = undefined;
    if (this.#running === undefined) return;
    this.#running = undefined;
    this.#solver.stop();
  }

  async #start(game: Game, asked: boolean, final = true): Promise<void> {
    const running = { game, since: performance.now() };
    this.#running = running;
    const positions = positionsOf(game);
    const current = (): boolean => this.#running === running;
    this.#set({ kind: "solving", game, solved: this.#state.solved, levels: [], positions });
    try {
      // Only the engine knows the layers and worlds of a game that is not plain.
      const isSimple = isPlain(game.rules) && game.scenario.guards.length === 0;
      if (!asked && (!isSimple || positions > MOST_UNASKED)) {
        if (!final && isSimple) return this.#finish({ kind: "too-large", game, positions });
        const estimate = await this.#solver.estimate(game);
        if (!current()) return;
        if (estimate.positions > MOST_UNASKED)
          return this.#finish({ kind: "too-large", game, estimate, positions: estimate.positions });
      }
      let levels: Level[] = [];
      let reported = running.since;
      const bytes = await this.#solver.solve(game, (level) => {
        if (!current()) return;
        levels = [...levels, level];
        if (performance.now() - reported < REPORT) return;
        reported = performance.now();
        this.#set({ ...this.#state, levels });
      });
      if (!current()) return;
      const table = open(bytes).pursuit();
      const milliseconds = performance.now() - Math.max(running.since, this.#solver.loadedAt);
      const solved = { game, table, bytes, levels, milliseconds };
      this.#finish({ kind: "solved", game, solved, levels, positions });
    } catch (error) {
      if (current()) this.#finish({ kind: "failed", game, trouble: messageOf(error), positions });
    }
  }

  #finish(state: Partial<Newest> & Pick<Newest, "kind" | "game">): void {
    this.#running = undefined;
    clearTimeout(this.#abandon);
    this.#abandon = undefined;
    const next = this.#next;
    this.#next = undefined;
    this.#set({ levels: [], positions: 0, solved: this.#state.solved, ...state });
    if (next !== undefined) this.ask(next.game, { asked: next.asked });
  }

  #set(state: Newest): void {
    this.#state = state;
    this.#tell();
  }
}

/** Returns the number of positions of a game with either side to move. */
export function positionsOf({ scenario, rules }: Game): number {
  const cells = openCells(scenario);
  let teams = 1;
  for (let officer = 0; officer < rules.officers; officer++)
    teams = (teams * (cells + officer)) / (officer + 1);
  return Math.round(2 * teams * cells);
}
