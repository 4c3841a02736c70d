/** Bytes of a list beside its targets: the object, its buffer, and its place. */
const OVERHEAD = 160;
/** The most targets of a list that is kept: those of pieces that go anywhere would fill the memory. */
const MOST_TARGETS = 64;
/** Bytes of the longest list that is kept, rounded up to a power of two. */
const MOST_BYTES = 512;
/** The limit beyond which no more places are made. */
const MOST_LIMIT = 2 ** 24;

/**
 * The move lists that tables keep, each in a place that its cell decides: a list that comes to a taken place
 * puts the one that is there out. Tables take places one after another, so that the lists of neighbouring
 * cells do not meet.
 */
export class MoveLists {
  /** The number of the list in each place: its cell's number beyond those of all tables before. */
  #numbers = new Float64Array(0);
  #lists: Int32Array[] = [];
  #mask = -1;
  /** The cells of all tables so far. */
  #cells = 0;
  #bytes = 0;

  /** @param limit the most bytes for all lists */
  constructor(limit: number) {
    this.resize(limit);
  }

  /** The bytes of all lists that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Lets go of all lists, and takes another limit. */
  resize(limit: number): void {
    const most = Math.min(limit, MOST_LIMIT) / MOST_BYTES;
    const places = most < 1 ? 0 : 2 ** Math.floor(Math.log2(most));
    this.#mask = places - 1;
    this.#numbers = new Float64Array(places).fill(-1);
    this.#lists = [];
    this.#bytes = 0;
  }

  /** Returns the number of the first of so many cells, whose numbers no other cells have. */
  register(cells: number): number {
    const first = this.#cells;
    this.#cells += cells;
    return first;
  }

  /** Returns the list with a number, `undefined` if it is not kept. */
  get(number: number): Int32Array | undefined {
    const place = number & this.#mask;
    return this.#numbers[place] === number ? this.#lists[place] : undefined;
  }

  /** Keeps a list under a number that has none, unless it is too long. */
  set(number: number, list: Int32Array): void {
    if (this.#mask < 0 || list.length > MOST_TARGETS) return;
    const place = number & this.#mask;
    const before = this.#lists[place];
    if (before !== undefined) this.#bytes -= bytesOf(before);
    this.#numbers[place] = number;
    this.#lists[place] = list;
    this.#bytes += bytesOf(list);
  }
}

function bytesOf(list: Int32Array): number {
  return OVERHEAD + list.byteLength;
}
