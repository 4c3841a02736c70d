import { type Code, type Outcome, WON, valueOf } from "./codes.js";
import { Effort } from "./effort.js";
import { DragnetError, refuse } from "./errors.js";
import type { Placement } from "./game.js";
import type { Header } from "./header.js";
import { type FullPosition, type Position, positionAfter } from "./placing.js";
import type { Keeps } from "./preamble.js";
import { PursuitFile } from "./pursuit-file.js";
import type { Side } from "./rules.js";
import { type Team, sortedTeam } from "./team-moves.js";
import type { OpenFile } from "./table-file.js";
import { type CheckedSums, checkOutcomes, checkPlacements } from "./check-sums.js";

/** The most codes of moves of a position. */
const MOST_MOVES = 2 ** 30;

/**
 * An open partial table: small, since it keeps only who wins each position, or only a best move of one side.
 * `dragnet pack --keep` makes it from a pursuit table.
 */
export class PartialTable extends PursuitFile {
  readonly kind = "partial";
  /** The knowledge that is kept: who wins, or a best move of the police or of the thief. */
  readonly keeps: Keeps;

  /** @internal */
  constructor(bytes: OpenFile, header: Header) {
    super(bytes, header, checkedOutcome);
    this.keeps = header.keeps as Keeps;
  }

  /**
   * Returns who wins a position with best play, with either side to move. Play without end counts as the
   * rules say (`undecided`).
   *
   * @throws DragnetError of kind `not-kept` unless the table keeps outcomes; of kind `position` if the
   *   position does not exist in the table; of kind `missing` if the table was opened in pieces, see
   *   {@link TableFile.load}; of kind `work` if the question needs more work than a table may ask for; of
   *   another kind if the table is damaged
   */
  outcome(position: Position): Outcome {
    this.#require("outcomes");
    const { world, police, thief, turn } = this.placement(position);
    this.file.begin();
    const code = this.game.code(world, police, thief, turn, this.effort.begin());
    this.file.settle();
    const { outcome } = valueOf(code, turn);
    return outcome === "draw" ? this.rules.undecided : outcome;
  }

  /**
   * Returns the position after a best move of the side to move, officers in reading order; `undefined` if the
   * position is terminal or there is no move. A move that the table keeps is always a legal one.
   *
   * @throws DragnetError of kind `not-kept` unless the table keeps the moves of the side to move; of kind
   *   `contents` if it keeps none that is legal; otherwise as {@link PartialTable.outcome}
   */
  bestMove(position: Position): FullPosition | undefined {
    const from = this.placement(position);
    this.#require(`${from.turn}-moves`);
    if (this.game.ending(from.world, from.police, from.thief) !== undefined) return undefined;
    const effort = this.effort.begin();
    this.file.begin();
    const code = this.store.code(from.world, from.police, from.thief, effort);
    this.file.settle();
    const after = this.#after(from, code, effort);
    return after && positionAfter(position, after, this.places);
  }

  *checkSumsInSteps(): Generator<number, CheckedSums> {
    this.file.need(0, this.byteLength);
    yield* this.checkGame();
    if (this.keeps === "outcomes") {
      return yield* checkOutcomes(this.store, this, (world, police, thief) => {
        // The slot is read even if the position is terminal, since its palette index must be valid.
        const stored = this.store.code(world, police, thief);
        return this.game.terminalCode(world, police, thief, "police") ?? checkedOutcome(stored);
      });
    }
    const turn: Side = this.keeps === "police-moves" ? "police" : "thief";
    const check = (world: number, police: Team, thief: number): void => {
      const code = this.store.code(world, police, thief);
      if (this.game.ending(world, police, thief) !== undefined) return;
      this.#after({ world, police, thief, turn }, code, Effort.UNLIMITED);
    };
    return yield* checkPlacements(this.store, check);
  }

  #require(asked: Keeps): void {
    if (asked === this.keeps) return;
    throw new DragnetError("not-kept", `expected a table that keeps ${asked}, found one that keeps ${this.keeps}`);
  }

  /** Returns the places of all pieces after the move with a code, `undefined` if there is no move. */
  #after(from: Placement, code: number, effort: Effort): Placement | undefined {
    const { game } = this;
    const { world, police, thief, turn } = from;
    const lists = (turn === "police" ? police : [thief]).map((cell) => game.targets(turn, world, cell, effort));
    const alone = this.rules.team === "one";
    const moves = lists.reduce((all, { length }) => (alone ? all + length : all * length), alone ? 0 : 1);
    if (moves > MOST_MOVES) refuseMove(`at most ${MOST_MOVES} moves of a position`, moves);
    if (moves === 0 && code === 0) return undefined;
    if (code === 0 || code > moves) refuseMove(moves === 0 ? "no move" : `a move from 1 to ${moves}`, code);
    let rest = code - 1;
    const chosen = lists.map((list) => {
      const spot = list[alone ? rest : rest % list.length];
      rest = alone ? rest - list.length : Math.floor(rest / list.length);
      return spot;
    });
    const to = game.worldAfter(turn, world, chosen);
    const cells = chosen.map((spot, piece) => (spot === undefined ? police[piece]! : game.cellOf(turn, spot)));
    if (turn === "thief") return { world: to, police, thief: cells[0]!, turn: "police" };
    return { world: to, police: sortedTeam(cells), thief, turn: "thief" };
  }
}

/** Returns the code of an outcome that a table stores, if it is one. */
function checkedOutcome(code: Code): Code {
  if (code <= WON) return code;
  refuse("block", "a code of an outcome", `0 to ${WON}`, code);
}

function refuseMove(expected: string, found: number): never {
  refuse("contents", "a kept move", expected, found);
}
