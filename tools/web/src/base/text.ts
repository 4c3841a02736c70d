import type { Outcome, Side } from "dragnet-probe";

const NUMBERS = new Intl.NumberFormat("en");

/** Returns a count with separators between thousands. */
export function count(number: number | bigint): string {
  return NUMBERS.format(number);
}

/** Returns a distance, such as "1 ply" or "12 plies". */
export function plies(distance: number): string {
  return distance === 1 ? "1 ply" : `${count(distance)} plies`;
}

/** Returns a size in bytes for people, such as "12.5 MiB". */
export function bytes(size: number): string {
  const units = ["bytes", "KiB", "MiB", "GiB"];
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit++;
  }
  const digits = unit === 0 || size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return `${size.toFixed(digits)} ${units[unit]}`;
}

/** Returns a sentence without its full stop about a value, such as "the police wins in 12 plies". */
export function sentence({ outcome, dtw }: { outcome: Outcome; dtw: number | null }): string {
  if (outcome === "draw" || dtw === null) return "nobody wins";
  return dtw === 0 ? `the ${outcome} has won` : `the ${outcome} wins in ${plies(dtw)}`;
}

/** Returns a text with a capital first letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the side that moves after `side`. */
export function opponent(side: Side): Side {
  return side === "police" ? "thief" : "police";
}

/** Returns the message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
