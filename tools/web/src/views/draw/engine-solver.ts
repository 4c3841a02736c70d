import type { Cell } from "dragnet-probe";
import { rulesObject } from "../../model/rules-text.js";
import { writeText } from "../../model/board-text.js";
import { EXIT, OPEN, type Scenario, WALL } from "../../model/scenario.js";
import type { Game } from "../../model/share.js";
import type { Solver } from "./solver.js";
import { DevEngine } from "./dev-engine.js";

/** The most memory that a solve may take in a page, in bytes. */
const MOST_MEMORY = 3 * 2 ** 30;

/** Creates the solver of the application: the engine in its worker. */
export function createSolver(): Solver {
  const engine = new DevEngine();
  const about = ({ scenario, rules }: Game): object => ({
    ground: { board: writeText(scenario) }, rules: rulesObject(rules), officers: rules.officers, memory: MOST_MEMORY,
  });
  return {
    async solve(game, favour, level) {
      const { table } = await engine.ask({ ask: "solve", ...about(game), favour }, (l, decided) => level({ level: l, decided }));
      return table!;
    },
    async estimate(game) {
      const { answer } = await engine.ask({ ask: "estimate", ...about(game) });
      return answer as never;
    },
    async read(text) {
      const { answer } = await engine.ask({ ask: "read", ground: { board: text } });
      return scenarioOf(answer as never);
    },
    async write(scenario, to) {
      const { answer } = await engine.ask({ ask: "write", ground: { board: writeText(scenario) }, to });
      return (answer as { text: string }).text;
    },
    async make(options) {
      const { answer } = await engine.ask({ ask: "make", ...options });
      return scenarioOf(answer as never);
    },
    async check(game, rules) {
      await engine.ask({ ask: "estimate", ground: { board: writeText(game.scenario) }, rules, memory: MOST_MEMORY });
    },
    stop: () => engine.stop(),
    close: () => engine.stop(),
  };
}

/** The description of a board in the engine's answers. */
interface Description {
  readonly height: number;
  readonly width: number;
  /** The squares in reading order: `#`, `.` or `E`. */
  readonly squares: string;
  readonly police: readonly Cell[];
  readonly thief: Cell | null;
}

function scenarioOf({ height, width, squares, police, thief }: Description): Scenario {
  const kinds = Uint8Array.from(squares, (letter) => (letter === "#" ? WALL : letter === "E" ? EXIT : OPEN));
  return { height, width, squares: kinds, police, thief: thief ?? undefined };
}
