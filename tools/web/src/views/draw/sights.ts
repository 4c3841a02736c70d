import type { Cell } from "dragnet-probe";
import type { Seen } from "../../engine/protocol.js";
import type { RulesObject } from "../../model/board-rules.js";
import type { Game } from "../../model/share.js";
import { cellsOf, positionOf } from "./answer.js";
import type { Solver } from "./solver.js";

/** The squares that the pieces of the newest game see, from the engine. */
export class Sights {
  readonly #solver: Solver;
  readonly #tell: () => void;
  #game: Game | undefined;
  #seen: Seen | undefined;

  constructor(solver: Solver, tell: () => void) {
    this.#solver = solver;
    this.#tell = tell;
  }

  /** The newest answer, perhaps of the game before; `undefined` if nobody sees anything. */
  get seen(): Seen | undefined {
    return this.#seen;
  }

  /** Asks what the pieces of a game see, if any of them sees or walks a round. */
  ask(game: Game): void {
    if (game === this.#game) return;
    this.#game = game;
    const { police, guards } = game.scenario;
    const capture = game.rules.police.more["capture"] ?? game.rules.more["capture"];
    if (guards.length === 0 && (police.length === 0 || (capture as RulesObject | undefined)?.["sight"] === undefined)) {
      this.#seen = undefined;
      return;
    }
    const position = positionOf(game, "police");
    const cells = position === undefined ? police : cellsOf(position.police);
    const answer = (seen: Seen | undefined): void => {
      if (game !== this.#game) return;
      this.#seen = seen;
      this.#tell();
    };
    // The solve of the same game says what is wrong with it.
    this.#solver.seen(game, position?.world ?? 0, cells).then(answer, () => answer(undefined));
  }
}

/** Returns the squares that officers and guards see, each once. */
export function seenSquares({ police, guards }: Seen): Cell[] {
  const all = [...police, ...guards.map(({ seen }) => seen)].flat();
  return [...new Map(all.map((cell) => [cell.join(), cell])).values()];
}
