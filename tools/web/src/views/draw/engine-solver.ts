import { Engine } from "../../engine/client.js";
import type { BoardFacts, GameRequest, RulesInput } from "../../engine/protocol.js";
import { writeText } from "../../model/board-text.js";
import { rulesObject } from "../../model/rules-text.js";
import type { Scenario } from "../../model/scenario.js";
import { type Game, squaresIn } from "../../model/share.js";
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
    async check(game, rules) {
      await others.estimate({ ...requestOf(game), rules: rules as RulesInput });
    },
    async seen(game, world, police) {
      return others.seen({ game: requestOf(game), world, police });
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

function requestOf({ scenario, rules }: Game): GameRequest {
  return {
    ground: { board: writeText(scenario) },
    rules: rulesObject(rules),
    guards: scenario.guards,
    memory: MOST_MEMORY,
  };
}

function scenarioOf({ text, height, width, squares, police, thief }: BoardFacts): Scenario {
  const scenario = { height, width, squares: squaresIn(squares), police, thief: thief ?? undefined, guards: [] };
  if (writeText(scenario) !== text) throw new Error("expected a board without floors and thin walls, which cannot be drawn here");
  return scenario;
}
