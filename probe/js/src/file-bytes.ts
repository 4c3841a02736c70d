import { DragnetError } from "./errors.js";

/** Bytes of a chunk, the unit in which bytes arrive. */
const CHUNK = 512;

/**
 * The bytes of a table's file, of which some may not have arrived yet.
 *
 * A question to the table calls {@link FileBytes.begin}, looks at bytes only where {@link FileBytes.has} says
 * that they are there, and goes on without the others, so that `has` notes everything that it lacks. Then it
 * calls {@link FileBytes.settle}, which throws if anything was lacking.
 */
export class FileBytes {
  /** The whole file; bytes that have not arrived are 0 and take no memory on most systems. */
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** 1 for each chunk that has arrived; `undefined` if the whole file is there. */
  #arrived: Uint8Array | undefined;
  /** The number of chunks that have not arrived. */
  #left = 0;
  #fetched: number;
  /** The chunks that the present question lacks, perhaps several times. */
  #lacking: number[] = [];
  #thrown: DragnetError | undefined;

  private constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#fetched = bytes.length;
  }

  /** Returns a file whose bytes are all there. */
  static whole(bytes: Uint8Array): FileBytes {
    return new FileBytes(bytes);
  }

  /**
   * Returns a file of `length` bytes, none of which has arrived.
   *
   * @throws DragnetError of kind `unsupported` if the system has no room for so many bytes
   */
  static empty(length: number): FileBytes {
    try {
      const file = new FileBytes(new Uint8Array(length));
      file.#left = Math.ceil(length / CHUNK);
      file.#arrived = new Uint8Array(file.#left);
      file.#fetched = 0;
      return file;
    } catch (cause) {
      throw new DragnetError("unsupported", `expected a file that fits into memory, found ${length} bytes`, { cause });
    }
  }

  /** Whether all bytes are there. */
  get isWhole(): boolean {
    return this.#arrived === undefined;
  }

  /** The number of bytes that are there. */
  get fetched(): number {
    return this.#fetched;
  }

  /** Begins a question, which lacks nothing so far. */
  begin(): void {
    if (this.#lacking.length > 0) this.#lacking = [];
  }

  /**
   * Returns whether `bytes[start, end)` is there, and notes the bytes that are not. The range is not empty.
   */
  has(start: number, end: number): boolean {
    const arrived = this.#arrived;
    if (arrived === undefined) return true;
    const last = Math.floor((end - 1) / CHUNK);
    let whole = true;
    for (let chunk = Math.floor(start / CHUNK); chunk <= last; chunk++) {
      if (arrived[chunk] === 1) continue;
      this.#lacking.push(chunk);
      whole = false;
    }
    return whole;
  }

  /** Ends a question. Throws a {@link DragnetError} of kind `missing` if it lacked bytes. */
  settle(): void {
    if (this.#lacking.length > 0) this.#refuse();
  }

  /** Throws a {@link DragnetError} of kind `missing` unless `bytes[start, end)` is there. */
  need(start: number, end: number): void {
    this.begin();
    this.has(start, end);
    this.settle();
  }

  /** Returns whether an error says that this file lacks bytes. */
  hasThrown(error: unknown): error is DragnetError {
    return error === this.#thrown && error !== undefined;
  }

  /**
   * Takes bytes that have arrived. Bytes that are there already stay, since they may have been checked.
   *
   * @param start the offset of the bytes in the file, which is a multiple of the size of a chunk
   * @param part the bytes, whose end is also a multiple of it, or the end of the file
   */
  put(start: number, part: Uint8Array): void {
    const arrived = this.#arrived;
    if (arrived === undefined) return;
    for (let at = 0; at < part.length; at += CHUNK) {
      const chunk = (start + at) / CHUNK;
      if (arrived[chunk] === 1) continue;
      const bytes = part.subarray(at, at + CHUNK);
      this.bytes.set(bytes, start + at);
      arrived[chunk] = 1;
      this.#left--;
      this.#fetched += bytes.length;
    }
    if (this.#left === 0) this.#arrived = undefined;
  }

  #refuse(): never {
    const chunks = Uint32Array.from(this.#lacking).sort();
    this.#lacking = [];
    const ranges: { start: number; end: number }[] = [];
    let lacked = 0;
    for (const chunk of chunks) {
      const start = chunk * CHUNK;
      const end = Math.min(start + CHUNK, this.bytes.length);
      const before = ranges.at(-1);
      if (before !== undefined && before.end > start) continue;
      lacked += end - start;
      if (before?.end === start) before.end = end;
      else ranges.push({ start, end });
    }
    const message = `expected bytes of the file that are here, found ${lacked} that are not; \`load\` fetches them`;
    this.#thrown = new DragnetError("missing", message, { ranges });
    throw this.#thrown;
  }
}
