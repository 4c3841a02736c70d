import { Strength, type Style } from "dragnet-probe";
import { capital, plies } from "../../base/text.js";

/** The name of a preset of the reader's strengths. */
export type PresetName = keyof typeof Strength.PRESETS;

/** The names of the presets, the weakest first. */
export const PRESET_NAMES = Object.keys(Strength.PRESETS) as PresetName[];

/** The styles that a match offers: what the table does where it cannot win. */
export const STYLES = {
  longest: { style: "longest", text: "plays for time" },
  trickiest: { style: { trickiest: "uniform" }, text: "sets traps" },
} as const satisfies Record<string, { style: Style; text: string }>;

/** The greatest seed. */
const MOST_SEED = 2n ** 64n - 1n;

/** Returns the parameters of a strength in words, such as "errs in up to 20 % of its turns". */
export function strengthText({ errors, horizon, reaction }: Strength): string {
  const isFar = horizon >= Strength.UNLIMITED;
  const parts = [
    errors === 0 ? "never errs" : `errs in up to ${errors / 10} % of its turns`,
    isFar ? "sees every end" : `sees ${plies(horizon)} ahead`,
  ];
  if (reaction > 0) parts.push(`notices your moves ${reaction === 1 ? "a round" : `${reaction} rounds`} late`);
  return errors === 0 && isFar && reaction === 0 ? parts[0]! : parts.join(", ");
}

/** Returns a sentence about how hard it is to play against the table. */
export function difficultyText(name: string, strength: Strength, style: Style): string {
  const { text } = style === "longest" ? STYLES.longest : STYLES.trickiest;
  return `${capital(name)}: ${strengthText(strength)}. Where it cannot win, it ${text}.`;
}

/**
 * Reads a seed that a user wrote.
 *
 * @throws Error if it is not a number of 64 bits
 */
export function readSeed(text: string): bigint {
  const seed = /^\d{1,20}$/.test(text) ? BigInt(text) : MOST_SEED + 1n;
  if (seed <= MOST_SEED) return seed;
  throw new Error(`seed: expected a number from 0 to ${MOST_SEED}, found ${text}`);
}

/** Returns a seed by lot, short enough to be noted down. */
export function randomSeed(): bigint {
  return BigInt(crypto.getRandomValues(new Uint32Array(1))[0]!);
}
