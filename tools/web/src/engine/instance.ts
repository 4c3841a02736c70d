import type { Answer, Asked, FailureFacts, Level, Requests } from "./protocol.js";

/** The functions of engine.wasm. */
interface EngineExports {
  readonly memory: WebAssembly.Memory;
  request(length: number): number;
  answer(): number;
  text_len(): number;
  table_len(): number;
  piece_len(): number;
  piece(number: number): number;
}

/** Receives reports while a request is answered. */
export interface Reports {
  level(level: Level): void;
  written(done: number, blocks: number): void;
}

/** The state while a request is answered. */
interface InstanceState {
  reports: Reports | undefined;
  /** The message of the panic that has ended the engine. */
  panic: string | undefined;
}

/** A failure of a request, as the engine tells it. */
export class EngineFailure extends Error {
  override readonly name = "EngineFailure";
  readonly facts: FailureFacts;

  constructor(facts: FailureFacts, options?: ErrorOptions) {
    super(facts.message, options);
    this.facts = facts;
  }
}

/** The engine, which answers one request after another. After a fault it is of no use any more. */
export class EngineInstance {
  readonly #exports: EngineExports;
  readonly #state: InstanceState;
  #broken = false;

  private constructor(exports: EngineExports, state: InstanceState) {
    this.#exports = exports;
    this.#state = state;
  }

  /** Creates an engine with memory of its own. */
  static async create(module: WebAssembly.Module): Promise<EngineInstance> {
    const state: InstanceState = { reports: undefined, panic: undefined };
    const dragnet = {
      level(level: number, here: number, decided: number, positions: number): void {
        state.reports?.level({ level, here, decided, positions });
      },
      written(done: number, blocks: number): void {
        state.reports?.written(done, blocks);
      },
      panicked(at: number, length: number): void {
        state.panic = textAt(exports.memory, at, length);
      },
    };
    const instance = await WebAssembly.instantiate(module, { dragnet });
    const exports = instance.exports as unknown as EngineExports;
    return new EngineInstance(exports, state);
  }

  /** Whether a fault has left the engine in a state that cannot be used. */
  get isBroken(): boolean {
    return this.#broken;
  }

  /** The bytes of its memory, which never shrinks. */
  get memory(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /** Answers a request. Throws an `EngineFailure` if it has no answer. */
  ask<K extends Asked>(ask: K, about: Requests[K], reports?: Reports): Answer<K> {
    return this.askBytes(new TextEncoder().encode(JSON.stringify({ ask, ...about })), reports) as Answer<K>;
  }

  /** Answers a request, JSON in UTF-8. */
  askBytes(request: Uint8Array, reports?: Reports): Answer {
    this.#state.reports = reports;
    let text: string;
    let table: Uint8Array<ArrayBuffer>;
    try {
      const exports = this.#exports;
      const at = exports.request(request.length);
      if (at === 0) throw outOfMemory();
      new Uint8Array(exports.memory.buffer, at >>> 0, request.length).set(request);
      const answer = exports.answer();
      text = textAt(exports.memory, answer, exports.text_len());
      table = tableOf(exports);
    } catch (error) {
      this.#broken = true;
      throw this.#failure(error);
    } finally {
      this.#state.reports = undefined;
    }
    const facts = JSON.parse(text) as Answer["facts"] | { readonly error: FailureFacts };
    if ("error" in facts) throw new EngineFailure(facts.error);
    return { facts, table };
  }

  #failure(error: unknown): EngineFailure {
    if (error instanceof EngineFailure) return error;
    const { panic } = this.#state;
    if (panic !== undefined) {
      return new EngineFailure({ kind: "internal", message: `the solver has a fault: ${panic}` });
    }
    // The engine ends at once, without a word, when a small request for memory is refused.
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) return outOfMemory(error);
    return new EngineFailure({ kind: "internal", message: String(error) }, { cause: error });
  }
}

function outOfMemory(cause?: unknown): EngineFailure {
  return new EngineFailure({ kind: "memory", message: "the memory did not suffice" }, { cause });
}

function textAt(memory: WebAssembly.Memory, at: number, length: number): string {
  return new TextDecoder().decode(new Uint8Array(memory.buffer, at >>> 0, length >>> 0));
}

function tableOf(exports: EngineExports): Uint8Array<ArrayBuffer> {
  const table = new Uint8Array(exports.table_len() >>> 0);
  const most = exports.piece_len();
  for (let from = 0, number = 0; from < table.length; from += most, number += 1) {
    const length = Math.min(most, table.length - from);
    table.set(new Uint8Array(exports.memory.buffer, exports.piece(number) >>> 0, length), from);
  }
  return table;
}
