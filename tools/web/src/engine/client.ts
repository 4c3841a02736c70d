import { EngineFailure } from "./instance.js";
import type { Answer, Answers, Asked, FromWorker, Level, Requests, ToWorker } from "./protocol.js";

export { EngineFailure } from "./instance.js";
export type * from "./protocol.js";

/** Where the files of the engine are. */
export interface EngineFiles {
  readonly worker: URL | string;
  readonly wasm: URL | string;
}

/** Receivers of what happens while a request is answered, and its cancellation. */
export interface AskOptions {
  /** Receives each level of a solve, in order, soon after it is solved. */
  readonly onLevel?: ((level: Level) => void) | undefined;
  /** Receives how many of a table's blocks are encoded. */
  readonly onWritten?: ((done: number, blocks: number) => void) | undefined;
  /** Cancels the request. The promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A request that has no answer yet. */
interface Pending {
  readonly id: number;
  readonly ask: Asked;
  readonly about: Requests[Asked];
  readonly options: AskOptions;
  resolve(answer: Answer): void;
  reject(reason: unknown): void;
}

/**
 * The solver, in a worker of its own. Requests are answered one after another. Failures are `EngineFailure`s
 * with the message of the library and the place in the text.
 */
export class Engine {
  readonly #files: EngineFiles;
  #module: Promise<WebAssembly.Module> | undefined;
  #worker: Worker | undefined;
  /** The requests in their order; the first one is being answered if `#busy`. */
  #queue: Pending[] = [];
  #busy = false;
  #next = 0;

  /** Creates a solver, which loads its files when it is first asked, or warmed. */
  constructor(files: EngineFiles) {
    this.#files = files;
  }

  /** Loads the files and starts the worker, so that the first answer comes sooner. */
  async warm(): Promise<void> {
    await this.#started();
  }

  /** Solves a pursuit game. Returns the bytes of its table, those that the program writes. */
  async solve(request: Requests["solve"], options?: AskOptions): Promise<Uint8Array<ArrayBuffer>> {
    return (await this.ask("solve", request, options)).table;
  }

  /** Tells what a solve would take, and why it is refused if it is too large. */
  async estimate(request: Requests["estimate"], options?: AskOptions): Promise<Answers["estimate"]> {
    return (await this.ask("estimate", request, options)).facts;
  }

  /** Tells where guards stand, and what they and officers see. */
  async seen(request: Requests["seen"], options?: AskOptions): Promise<Answers["seen"]> {
    return (await this.ask("seen", request, options)).facts;
  }

  /** Solves a game on a graph. Returns its table with the graph. */
  solveGraph(request: Requests["solve_graph"], options?: AskOptions): Promise<Answer<"solve_graph">> {
    return this.ask("solve_graph", request, options);
  }

  /** Finds the cop number and best placements. */
  async cops(request: Requests["cops"], options?: AskOptions): Promise<Answers["cops"]> {
    return (await this.ask("cops", request, options)).facts;
  }

  /** Reads a board in any form that the program reads. */
  async read(request: Requests["read"], options?: AskOptions): Promise<Answers["read"]> {
    return (await this.ask("read", request, options)).facts;
  }

  /** Writes a board in another form. */
  async write(request: Requests["write"], options?: AskOptions): Promise<string> {
    return (await this.ask("write", request, options)).facts.text;
  }

  /** Makes a board. */
  async make(request: Requests["make"], options?: AskOptions): Promise<Answers["make"]> {
    return (await this.ask("make", request, options)).facts;
  }

  /** Answers a request. */
  ask<K extends Asked>(ask: K, about: Requests[K], options: AskOptions = {}): Promise<Answer<K>> {
    const { signal } = options;
    return new Promise<Answer>((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason as unknown);
        return;
      }
      const cancel = (): void => {
        this.#cancel(pending);
        reject(signal?.reason as unknown);
      };
      const settled = (): void => signal?.removeEventListener("abort", cancel);
      const pending: Pending = {
        id: this.#next++,
        ask,
        about,
        options,
        resolve(answer) {
          settled();
          resolve(answer);
        },
        reject(reason) {
          settled();
          reject(reason);
        },
      };
      signal?.addEventListener("abort", cancel, { once: true });
      this.#queue.push(pending);
      void this.#advance();
    }) as Promise<Answer<K>>;
  }

  /** Ends the worker. Requests without an answer are rejected; a later one starts a new worker. */
  close(): void {
    this.#end(new EngineFailure({ kind: "internal", message: "the solver was closed" }));
  }

  /** Takes a request out of the queue. One that is being answered ends with its worker; a new one starts. */
  #cancel(pending: Pending): void {
    const running = this.#busy && this.#queue[0] === pending;
    this.#queue = this.#queue.filter((other) => other !== pending);
    if (!running) return;
    this.#busy = false;
    this.#stopWorker();
    void this.#started().catch(() => undefined);
    void this.#advance();
  }

  /** Sends the first request, unless the worker is busy. */
  async #advance(): Promise<void> {
    const first = this.#queue[0];
    if (this.#busy || first === undefined) return;
    this.#busy = true;
    try {
      const worker = await this.#started();
      // It may have been cancelled meanwhile; then another call has gone on.
      if (this.#queue[0] !== first || this.#worker !== worker) return;
      this.#send(worker, { kind: "ask", id: first.id, ask: first.ask, about: first.about });
    } catch (error) {
      this.#end(failureOf(error));
    }
  }

  #send(worker: Worker, message: ToWorker): void {
    worker.postMessage(message);
  }

  /** Returns the worker, which has the module. The module is compiled once: a new worker starts at once. */
  async #started(): Promise<Worker> {
    this.#module ??= compile(this.#files.wasm);
    let module: WebAssembly.Module;
    try {
      module = await this.#module;
    } catch (error) {
      this.#module = undefined;
      throw error;
    }
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(this.#files.worker, { type: "module" });
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>): void => this.#receive(worker, data);
    worker.onerror = (event): void => {
      event.preventDefault();
      if (this.#worker === worker) this.#end(failureOf(event.message || "its worker cannot be loaded"));
    };
    this.#send(worker, { kind: "module", module });
    return worker;
  }

  #receive(worker: Worker, message: FromWorker): void {
    const first = this.#queue[0];
    if (worker !== this.#worker || first === undefined || message.id !== first.id) return;
    switch (message.kind) {
      case "levels":
        for (const level of message.levels) first.options.onLevel?.(level);
        return;
      case "written":
        first.options.onWritten?.(message.done, message.blocks);
        return;
      case "answer":
        this.#finish(() => first.resolve(message.answer));
        return;
      case "failed":
        this.#finish(() => first.reject(new EngineFailure(message.failure)));
        return;
    }
  }

  #finish(settle: () => void): void {
    this.#queue.shift();
    this.#busy = false;
    settle();
    void this.#advance();
  }

  #stopWorker(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #end(reason: EngineFailure): void {
    this.#stopWorker();
    const queue = this.#queue;
    this.#queue = [];
    this.#busy = false;
    for (const pending of queue) pending.reject(reason);
  }
}

function failureOf(error: unknown): EngineFailure {
  const message = error instanceof Error ? error.message : String(error);
  const facts = { kind: "internal", message: `the solver cannot be started: ${message}` } as const;
  return new EngineFailure(facts, { cause: error });
}

/** Fetches and compiles the engine, also from a host that names its type wrongly. */
async function compile(wasm: URL | string): Promise<WebAssembly.Module> {
  const response = await fetch(wasm);
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`.trim());
  const type = response.headers.get("Content-Type");
  if (type === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
