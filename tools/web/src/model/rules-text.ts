import type { BoardRules, SideRules } from "./board-rules.js";

/** The rules of a rules file in JSON: the keys of the file. */
export type RulesObject = { readonly [key: string]: RulesValue };
type RulesValue = string | number | boolean | RulesObject | readonly RulesValue[];

/** The sets of moves that have names, in the order of their numbers, as are the words below. */
export const SETS = ["king", "orthogonal", "diagonal", "knight"] as const;
/** The sides at which boards wrap. */
export const WRAPS = ["none", "horizontal", "vertical", "both"] as const;
/** The meanings of exits for the police. */
export const ON_EXIT = ["allowed", "barred", "wins"] as const;

const CLASSIC_SIDE = { mayPass: true, steps: 1, reach: 1 } as const;

/** The preset `classic`. */
export const CLASSIC: BoardRules = {
  officers: 1,
  police: { moves: "king", ...CLASSIC_SIDE },
  thief: { moves: "orthogonal", ...CLASSIC_SIDE },
  cornerCutting: true,
  wrap: "none",
  stuck: "loses",
  team: "all",
  policeOnExit: "allowed",
  undecided: "draw",
};

/** The presets for boards of squares. */
export const PRESETS: Readonly<Record<"classic" | "chase", BoardRules>> = {
  classic: CLASSIC,
  chase: { ...CLASSIC, thief: { moves: "king", ...CLASSIC_SIDE }, cornerCutting: false },
};

/** Returns the preset that rules equal, whatever the number of officers. */
export function presetOf(rules: BoardRules): keyof typeof PRESETS | undefined {
  const text = (other: BoardRules): string => JSON.stringify(rulesObject({ ...other, officers: 1 }));
  return (["classic", "chase"] as const).find((name) => text(PRESETS[name]) === text(rules));
}

/** Returns rules with all keys of a rules file. */
export function rulesObject(rules: BoardRules): RulesObject {
  return {
    officers: rules.officers,
    team: rules.team,
    corner_cutting: rules.cornerCutting,
    wrap: rules.wrap,
    stuck: rules.stuck,
    police_on_exit: rules.policeOnExit,
    undecided: rules.undecided,
    police: sideObject(rules.police),
    thief: sideObject(rules.thief),
  };
}

function sideObject({ moves, mayPass, steps, reach }: SideRules): RulesObject {
  return {
    moves: typeof moves === "string" ? moves : { offsets: moves.offsets },
    may_pass: mayPass,
    steps,
    reach,
  };
}

/**
 * Returns rules from an object that names what differs from classic, and that the engine has accepted. Throws
 * an error if the engine knows a rule or a value that the application does not know.
 */
export function rulesFrom(object: RulesObject): BoardRules {
  refuseUnknown(object, rulesObject(CLASSIC));
  const side = (name: "police" | "thief"): SideRules => {
    const { moves, may_pass, steps, reach } = (object[name] ?? {}) as Record<string, RulesValue | undefined>;
    const usual = CLASSIC[name];
    return {
      moves: (moves ?? usual.moves) as SideRules["moves"],
      mayPass: (may_pass ?? usual.mayPass) as boolean,
      steps: (steps ?? usual.steps) as number,
      reach: (reach ?? usual.reach) as number,
    };
  };
  const rule = <K extends keyof BoardRules>(key: K, name: string): BoardRules[K] =>
    (object[name] ?? CLASSIC[key]) as BoardRules[K];
  return {
    officers: rule("officers", "officers"),
    police: side("police"),
    thief: side("thief"),
    cornerCutting: rule("cornerCutting", "corner_cutting"),
    wrap: rule("wrap", "wrap"),
    stuck: rule("stuck", "stuck"),
    team: rule("team", "team"),
    policeOnExit: rule("policeOnExit", "police_on_exit"),
    undecided: rule("undecided", "undecided"),
  };
}

/** Throws an error if rules have a key that the usual ones lack, or a value of another type. */
function refuseUnknown(object: RulesObject, usual: RulesObject): void {
  for (const [key, value] of Object.entries(object)) {
    const known = usual[key];
    if (isTable(key)) refuseUnknown(value as RulesObject, known as RulesObject);
    else if (known === undefined || (key !== "moves" && typeof value !== typeof known))
      throw new Error(`expected rules that can be shown here, found ${key} = ${toml(value)}`);
  }
}

/** Returns the text of a rules file, which names what differs from classic. */
export function writeRules(rules: BoardRules): string {
  const [own, usual] = [rulesObject(rules), rulesObject(CLASSIC)];
  const differing = (object: RulesObject, usual: RulesObject): string[] =>
    Object.keys(object)
      .filter((key) => !isTable(key) && JSON.stringify(object[key]) !== JSON.stringify(usual[key]))
      .map((key) => `${key} = ${toml(object[key]!)}`);
  const lines = differing(own, usual);
  for (const side of ["police", "thief"]) {
    const keys = differing(own[side] as RulesObject, usual[side] as RulesObject);
    if (keys.length > 0) lines.push("", `[${side}]`, ...keys);
  }
  return lines.length === 0 ? "# classic\n" : `${lines.join("\n").trim()}\n`;
}

function isTable(key: string): boolean {
  return key === "police" || key === "thief";
}

function toml(value: RulesValue): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${key} = ${toml(inner)}`)
    .join(", ")} }`;
}
