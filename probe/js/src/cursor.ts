import { refuse } from "./errors.js";

const MOST_NAME = 255;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Reads the fields of a header one after the other. Each call names its field, so that an error can name it
 * too.
 */
export class Cursor {
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The number of bytes not read yet. */
  get left(): number {
    return this.#view.byteLength - this.#at;
  }

  u8(field: string): number {
    return this.#view.getUint8(this.#take(1, field));
  }

  u16(field: string): number {
    return this.#view.getUint16(this.#take(2, field), true);
  }

  u32(field: string): number {
    return this.#view.getUint32(this.#take(4, field), true);
  }

  u64(field: string): bigint {
    return this.#view.getBigUint64(this.#take(8, field), true);
  }

  /** Reads a u64 that must be at most `most`, which is below 2^53. */
  boundedU64(field: string, most: number): number {
    const value = this.u64(field);
    if (value > BigInt(most)) refuseField(field, `at most ${most}`, value);
    return Number(value);
  }

  /** Reads a u32 as an index into `choices`. */
  enumeration<T>(field: string, choices: readonly T[]): T {
    const value = this.u32(field);
    if (value >= choices.length) refuseField(field, `at most ${choices.length - 1}`, value);
    return choices[value]!;
  }

  /** Reads `count` bytes, as a view and not a copy. */
  bytes(field: string, count: number): Uint8Array {
    const at = this.#take(count, field);
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + at, count);
  }

  #take(count: number, field: string): number {
    if (count > this.left) refuseField(field, `${count} bytes more`, this.left);
    const at = this.#at;
    this.#at += count;
    return at;
  }
}

/** Reads a name for people. */
export function readName(fields: Cursor, field: string): string {
  const bytes = fields.bytes(field, fields.boundedU64(`${field}, bytes`, MOST_NAME));
  let name: string;
  try {
    name = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    refuseField(field, "UTF-8", "other bytes", cause);
  }
  if (CONTROL.test(name)) {
    const found = JSON.stringify(name);
    refuseField(field, "no control characters", found);
  }
  return name;
}

/** Reads numbers of positions by their names, which must have a sum. */
export function readCounts<K extends string>(
  fields: Cursor,
  field: string,
  names: readonly K[],
  sum: number,
): Readonly<Record<K, number>> {
  const counts = names.map((name) => [name, fields.boundedU64(`${field}, ${name}`, sum)] as const);
  // Each count is below 2^53, but their sum may not be.
  if (counts.reduce((all, [, count]) => all + BigInt(count), 0n) !== BigInt(sum)) {
    refuseField(field, `a sum of ${sum}`, counts.map(([, count]) => count).join(" + "));
  }
  return Object.fromEntries(counts) as Record<K, number>;
}

/** Returns a length that must be 0 or `length`. */
export function optional(field: string, found: number, length: number): number {
  if (found !== 0 && found !== length) refuseField(field, `0 or ${length}`, found);
  return found;
}

/** Returns a number that must be at least `least` and at most `most`. */
export function within(field: string, found: number, least: number, most: number): number {
  if (found < least || found > most) refuseField(field, `${least} to ${most}`, found);
  return found;
}

/** Throws the error for a field that breaks a rule of the format. */
export function refuseField(field: string, expected: string, found: unknown, cause?: unknown): never {
  refuse("header", `header, ${field}`, expected, found, cause);
}
