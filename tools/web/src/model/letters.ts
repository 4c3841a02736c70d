import type { BoardRules, RulesObject, RulesValue } from "./board-rules.js";
import { ARROWS, letterOf, type Scenario } from "./scenario.js";

/**
 * The meaning of a letter of the board: keys of a rules file, each with the value that the letter has there.
 * `ways` is the letter to which ways lead from squares with this one, which is itself for portals.
 */
export interface Meaning {
  readonly ground?: RulesValue;
  readonly ways?: string;
  readonly cover?: RulesValue;
  readonly opaque?: true;
}

/** A square that the application offers, with its usual letter. */
export interface Stuff {
  readonly name: string;
  readonly letter: string;
  readonly meaning: Meaning;
}

/** The squares with a meaning that the application offers. */
export const STUFF: readonly Stuff[] = [
  { name: "Mud, 2 turns", letter: "m", meaning: { ground: 2 } },
  { name: "Pit, barred", letter: "x", meaning: { ground: "barred" } },
  { name: "Portal", letter: "A", meaning: { ways: "A" } },
  { name: "Second portal", letter: "B", meaning: { ways: "B" } },
  { name: "Bush, hides the thief", letter: "b", meaning: { cover: "full" } },
  { name: "Low wall, hides from afar", letter: "h", meaning: { cover: "beside" } },
  { name: "Curtain, bars sight", letter: "t", meaning: { opaque: true } },
];

/** The names of arrows. */
export const ARROW_NAMES: Readonly<Record<string, string>> = {
  ">": "One way right",
  "<": "One way left",
  "^": "One way up",
  v: "One way down",
};

/** Returns whether a character is a letter to which rules may give a meaning. */
export function isRulesLetter(character: string): boolean {
  return /^[A-Za-z]$/.test(character) && !/[vEPT]/.test(character);
}

/** Returns the letters on a board, in order. */
export function lettersOn({ squares }: Scenario): string[] {
  const letters = [...new Set(squares)].map(letterOf).filter((letter) => letter !== undefined);
  return letters.filter((letter) => ARROWS[letter] === undefined).sort();
}

/** Returns the meaning of a letter. */
export function meaningOf({ more }: BoardRules, letter: string): Meaning {
  const of = (key: "ground" | "cover"): RulesValue | undefined => (more[key] as RulesObject | undefined)?.[letter];
  const [ground, cover] = [of("ground"), of("cover")];
  const way = waysOf(more).find((way) => way[0] === letter);
  return {
    ...(ground !== undefined && { ground }),
    ...(way !== undefined && { ways: way.at(-1)! }),
    ...(cover !== undefined && { cover }),
    ...(String(more["opaque"] ?? "").includes(letter) && { opaque: true }),
  };
}

/** Returns whether rules name a letter anywhere. */
export function isMeant(rules: BoardRules, letter: string): boolean {
  const { more, police } = rules;
  const loot = more["loot"] as RulesObject | undefined;
  const others = [...waysOf(more), loot?.["squares"], police.more["start"], rules.thief.more["start"]];
  const grounds = [police, rules.thief].map(({ more }) => Object.keys(more["ground"] ?? {}).join(""));
  return (
    Object.keys(meaningOf(rules, letter)).length > 0 || [...others, ...grounds].some((text) => String(text ?? "").includes(letter))
  );
}

/** Returns rules in which a letter has another meaning. */
export function withMeaning(rules: BoardRules, letter: string, { ground, ways, cover, opaque }: Meaning): BoardRules {
  const { more } = rules;
  const values = (key: "ground" | "cover", value: RulesValue | undefined): RulesObject => {
    const { [letter]: _, ...others } = (more[key] ?? {}) as RulesObject;
    return value === undefined ? others : { ...others, [letter]: value };
  };
  const way = ways === undefined ? [] : [ways === letter ? letter : `${letter}>${ways}`];
  const letters = String(more["opaque"] ?? "").replace(letter, "");
  const meant: RulesObject = {
    ground: values("ground", ground),
    ways: [...waysOf(more).filter((other) => other[0] !== letter), ...way],
    cover: values("cover", cover),
    opaque: opaque === true ? letters + letter : letters,
  };
  const others = Object.entries(more).filter(([key]) => !(key in meant));
  const given = Object.entries(meant).filter(([, value]) => Object.keys(value).length > 0);
  return { ...rules, more: Object.fromEntries([...others, ...given]) };
}

function waysOf(more: RulesObject): readonly string[] {
  return (more["ways"] ?? []) as readonly string[];
}

/** Returns a meaning in a few words. */
export function meaningText({ ground, ways, cover, opaque }: Meaning, letter: string): string {
  const words = [
    ground === "barred" ? "barred" : ground !== undefined && `${String(ground)} turns`,
    ways !== undefined && (ways === letter ? "portal" : `way to ${ways}`),
    cover !== undefined && (cover === "full" ? "hides the thief" : "hides the thief from afar"),
    opaque === true && "bars sight",
  ];
  return words.filter(Boolean).join(", ");
}
