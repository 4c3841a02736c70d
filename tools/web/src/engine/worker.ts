import { EngineFailure, EngineInstance } from "./instance.js";
import type { FailureFacts, FromWorker, Level, ToWorker } from "./protocol.js";

/** The part of a worker's global scope that is used here; the types of pages lack it. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
}

const scope = self as unknown as WorkerScope;

/** The shortest time between two messages about levels, in milliseconds: a frame of the screen. */
const FRAME = 16;
/** The most bytes of memory that an engine keeps for the next request. */
const KEPT = 256 * 2 ** 20;

let module: WebAssembly.Module | undefined;
let engine: Promise<EngineInstance> | undefined;

/** Sends levels and blocks of one request, not more often than they can be shown. */
class Reporter {
  readonly #id: number;
  #levels: Level[] = [];
  #sent = 0;

  constructor(id: number) {
    this.#id = id;
  }

  level(level: Level): void {
    this.#levels.push(level);
    if (performance.now() - this.#sent >= FRAME) this.flush();
  }

  written(done: number, blocks: number): void {
    this.flush();
    scope.postMessage({ kind: "written", id: this.#id, done, blocks });
  }

  flush(): void {
    if (this.#levels.length === 0) return;
    scope.postMessage({ kind: "levels", id: this.#id, levels: this.#levels });
    this.#levels = [];
    this.#sent = performance.now();
  }
}

function factsOf(error: unknown): FailureFacts {
  if (error instanceof EngineFailure) return error.facts;
  engine = undefined;
  return { kind: "internal", message: `the solver cannot be started: ${String(error)}` };
}

async function answer(message: ToWorker & { readonly kind: "ask" }): Promise<void> {
  const { id, ask, about } = message;
  try {
    if (module === undefined) throw new Error("expected the module before the first request");
    engine ??= EngineInstance.create(module);
    const instance = await engine;
    const reporter = new Reporter(id);
    try {
      const found = instance.ask(ask, about, reporter);
      reporter.flush();
      scope.postMessage({ kind: "answer", id, answer: found }, [found.table.buffer]);
    } finally {
      // Memory is given back only with the engine that took it.
      if (instance.isBroken || instance.memory > KEPT) engine = undefined;
    }
  } catch (error) {
    scope.postMessage({ kind: "failed", id, failure: factsOf(error) });
  }
}

scope.onmessage = ({ data }): void => {
  if (data.kind === "ask") {
    void answer(data);
    return;
  }
  module = data.module;
  engine = EngineInstance.create(module);
  // The first request reports a failure.
  engine.catch(() => undefined);
};
