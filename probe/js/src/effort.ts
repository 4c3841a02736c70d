import { DragnetError } from "./errors.js";

/** A kind of work of which a question may need too much, as an index of {@link LIMITS}. */
export type Work = typeof STEPS | typeof MOVES | typeof VALUES | typeof BYTES;

/** Differences of lists of moves that are read. */
export const STEPS = 0;
/** Moves that are found. */
export const MOVES = 1;
/** Values that are looked up. */
export const VALUES = 2;
/** Bytes of blocks that are looked into. */
export const BYTES = 3;

/** The most work of a question, a quarter of what FORMAT.md §10 allows: this reader takes longer for it. */
const LIMITS = [2 ** 18, 2 ** 16, 2 ** 17, 2 ** 21] as const;
const NAMES = ["steps of pieces to find their moves", "moves", "values to look up", "bytes of blocks"] as const;

/** Blocks that count once if they are looked into in turn. */
const AT_HAND = 4;

/** The work that a question may still need. */
export class Effort {
  /** The work of programs that look at whole tables, which have no limit. */
  static readonly UNLIMITED = new Effort(Infinity);

  readonly #times: number;
  readonly #left = new Float64Array(LIMITS.length);
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
    for (let work = 0; work < LIMITS.length; work++) this.#left[work] = LIMITS[work]! * this.#times;
    this.#blocks.fill(-1);
    return this;
  }

  /** Notes work that is about to be done. */
  take(work: Work, count = 1): void {
    if ((this.#left[work]! -= count) >= 0) return;
    const most = `at most ${LIMITS[work]} ${NAMES[work]} for one question`;
    throw new DragnetError("work", `expected ${most}, found more`);
  }

  /** Notes that a block of so many slots is looked into, unless it is at hand. */
  look(block: number, slots: number): void {
    const blocks = this.#blocks;
    if (blocks[0] === block || blocks[1] === block || blocks[2] === block || blocks[3] === block) return;
    blocks[this.#oldest] = block;
    this.#oldest = (this.#oldest + 1) % AT_HAND;
    this.take(BYTES, slots);
  }
}
