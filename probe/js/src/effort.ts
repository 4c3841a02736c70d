import { DragnetError } from "./errors.js";

/** A kind of work of which a question may need too much. */
type Work = "steps" | "moves" | "values" | "bytes";

/** The most work of a question, a quarter of what FORMAT.md §10 allows: this reader takes longer for it. */
const LIMITS: Readonly<Record<Work, number>> = { steps: 2 ** 18, moves: 2 ** 16, values: 2 ** 17, bytes: 2 ** 21 };

const NAMES: Readonly<Record<Work, string>> = {
  steps: "steps of pieces to find their moves",
  moves: "moves",
  values: "values to look up",
  bytes: "bytes of blocks",
};

/** Blocks that count once if they are looked into in turn. */
const AT_HAND = 4;

/** The work that a question may still need. */
export class Effort {
  /** The work of programs that look at whole tables, which have no limit. */
  static readonly UNLIMITED = new Effort(Infinity);

  readonly #times: number;
  #steps = 0;
  #moves = 0;
  #values = 0;
  #bytes = 0;
  /** The numbers of the blocks that were looked into last. */
  readonly #blocks = new Float64Array(AT_HAND);
  #oldest = 0;

  /** @param times how many times the usual work is allowed */
  constructor(times = 1) {
    this.#times = times;
    this.begin();
  }

  /** Begins a new question. */
  begin(): this {
    this.#steps = LIMITS.steps * this.#times;
    this.#moves = LIMITS.moves * this.#times;
    this.#values = LIMITS.values * this.#times;
    this.#bytes = LIMITS.bytes * this.#times;
    this.#blocks.fill(-1);
    return this;
  }

  /** Notes that single steps were tried. */
  takeSteps(count: number): void {
    if ((this.#steps -= count) < 0) refuse("steps");
  }

  /** Notes that a move was found. */
  takeMove(): void {
    if (--this.#moves < 0) refuse("moves");
  }

  /** Notes that a value is looked up. */
  takeValue(): void {
    if (--this.#values < 0) refuse("values");
  }

  /** Notes that a block takes so many bytes to read. */
  takeBytes(count: number): void {
    if ((this.#bytes -= count) < 0) refuse("bytes");
  }

  /** Notes that a block of so many slots is looked into, unless it is at hand. */
  look(block: number, slots: number): void {
    const blocks = this.#blocks;
    if (blocks[0] === block || blocks[1] === block || blocks[2] === block || blocks[3] === block) return;
    blocks[this.#oldest] = block;
    this.#oldest = (this.#oldest + 1) % AT_HAND;
    this.takeBytes(slots);
  }
}

function refuse(work: Work): never {
  throw new DragnetError("work", `expected at most ${LIMITS[work]} ${NAMES[work]} for one question, found more`);
}
