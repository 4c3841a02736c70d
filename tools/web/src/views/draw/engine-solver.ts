import { Engine } from "../../engine/client.js";
import type { BoardFacts, GameRequest, RulesInput } from "../../engine/protocol.js";
import { writeText } from "../../model/board-text.js";
import { rulesObject } from "../../model/rules-text.js";
import { EXIT, type Kind, OPEN, type Scenario, WALL } from "../../model/scenario.js";
import type { Game } from "../../model/share.js";
import type { Solver } from "./solver.js";

/** The most memory that a solve may take in a page, in bytes. */
const MOST_MEMORY = 3 * 2 ** 30;
const FILES = { worker: "worker.js", wasm: "engine.wasm" };

/** Creates the solver of the application. */
export function createSolver(): Solver {
  // A board that is read or a table that is compressed does not wait for the solve that runs.
  const [solving, others] = [new Engine(FILES), new Engine(FILES)];
  let running = new AbortController();
  let loadedAt = 0;
  solving.warm().then(
    () => (loadedAt = performance.now()),
    () => undefined,
  );
  return {
    get loadedAt() {
      return loadedAt;
    },
    async solve(game, level) {
      const onLevel = ({ level: number, here }: { level: number; here: number }): void =>
        level({ level: number, decided: here });
      return solving.solve({ ...requestOf(game), favour: "speed" }, { onLevel, signal: running.signal });
    },
    async compress(game) {
      return others.solve({ ...requestOf(game), favour: "size" });
    },
    async estimate(game) {
      const { positions, memory, refusal } = await others.estimate(requestOf(game));
      return { positions, memory, refusal: refusal ?? undefined };
    },
    async read(text) {
      const board = await others.read({ ground: { board: text } });
      if ("graph" in board) throw new Error("expected a board of squares, found a graph");
      return scenarioOf(board);
    },
    async write(scenario, to) {
      return others.write({ ground: { board: writeText(scenario) }, to });
    },
    async edges(six) {
      return others.write({ ground: { graph: { text: six, form: "six" } }, to: "edges" });
    },
    async make(options) {
      return scenarioOf(await others.make(options));
    },
    async check({ scenario }, rules) {
      await others.estimate({
        ground: { board: writeText(scenario) },
        rules: rules as RulesInput,
        memory: MOST_MEMORY,
      });
    },
    stop() {
      running.abort(new Error("the solve was stopped"));
      running = new AbortController();
    },
    close() {
      solving.close();
      others.close();
    },
  };
}

/** The kinds of squares that can be drawn, by their letters. */
const KINDS: Readonly<Record<string, Kind>> = { "#": WALL, ".": OPEN, E: EXIT };

function requestOf({ scenario, rules }: Game): GameRequest {
  const { officers, ...others } = rulesObject(rules);
  return {
    ground: { board: writeText(scenario) },
    rules: others,
    officers: officers as number,
    memory: MOST_MEMORY,
  };
}

function scenarioOf({ height, width, squares, police, thief }: BoardFacts): Scenario {
  const kindOf = (letter: string): number => {
    const kind = KINDS[letter];
    if (kind === undefined) throw new Error(`expected walls, open squares and exits alone, found a square ${letter}`);
    return kind;
  };
  return { height, width, squares: Uint8Array.from(squares, kindOf), police, thief: thief ?? undefined };
}
