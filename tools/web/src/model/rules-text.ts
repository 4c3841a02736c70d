import type { BoardRules, RulesObject, RulesValue, SideRules } from "./board-rules.js";

/** The sets of moves that have names, in the order of their numbers, as are the words below. */
export const SETS = ["king", "orthogonal", "diagonal", "knight"] as const;
/** The sides at which boards wrap. */
export const WRAPS = ["none", "horizontal", "vertical", "both"] as const;
/** The meanings of exits for the police. */
export const ON_EXIT = ["allowed", "barred", "wins"] as const;

const CLASSIC_SIDE = { mayPass: true, steps: 1, reach: 1, more: {} } as const;

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
  more: {},
};

/** The presets for boards of squares. */
export const PRESETS: Readonly<Record<"classic" | "chase", BoardRules>> = {
  classic: CLASSIC,
  chase: { ...CLASSIC, thief: { moves: "king", ...CLASSIC_SIDE }, cornerCutting: false },
};

/** Returns the preset that rules equal, whatever the number of officers and the meanings of letters are. */
export function presetOf(rules: BoardRules): keyof typeof PRESETS | undefined {
  const text = (other: BoardRules): string =>
    JSON.stringify(rulesObject({ ...other, officers: 1, more: {} }));
  return (["classic", "chase"] as const).find((name) => text(PRESETS[name]) === text(rules));
}

/** Returns rules with all keys of a rules file that have a usual value, and the others that are given. */
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
    ...rules.more,
  };
}

function sideObject({ moves, mayPass, steps, reach, more }: SideRules): RulesObject {
  return {
    moves: typeof moves === "string" ? moves : { offsets: moves.offsets },
    may_pass: mayPass,
    steps,
    reach,
    ...more,
  };
}

/**
 * Returns rules from an object that names what differs from classic, and that the engine has accepted. Throws
 * an error if a value is one that the application cannot show, such as several kinds of officers.
 */
export function rulesFrom(object: RulesObject): BoardRules {
  const usual = rulesObject(CLASSIC);
  refuseOdd(object, usual);
  const side = (name: "police" | "thief"): SideRules => {
    const { moves, may_pass, steps, reach, ...more } = (object[name] ?? {}) as RulesObject;
    return {
      moves: (moves ?? CLASSIC[name].moves) as SideRules["moves"],
      mayPass: (may_pass ?? true) as boolean,
      steps: (steps ?? 1) as number,
      reach: (reach ?? 1) as number,
      more,
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
    more: Object.fromEntries(Object.entries(object).filter(([key]) => !(key in usual))),
  };
}

/** Throws an error if rules have a value of another type than the usual one. */
function refuseOdd(object: RulesObject, usual: RulesObject): void {
  for (const [key, value] of Object.entries(object)) {
    const known = usual[key];
    if (known === undefined) continue;
    if (isTable(key) && !Array.isArray(value)) refuseOdd(value as RulesObject, known as RulesObject);
    else if (key !== "moves" && (typeof value !== typeof known || Array.isArray(value)))
      throw new Error(`expected rules that can be shown here, found ${key} = ${toml(value)}`);
  }
}

/** Returns the keys of rules that differ from classic, as a rules file has them. */
export function differing(rules: BoardRules): RulesObject {
  const own = (object: RulesObject, usual: RulesObject): RulesObject =>
    Object.fromEntries(
      Object.entries(object)
        .map(([key, value]) => [key, isTable(key) ? own(value as RulesObject, usual[key] as RulesObject) : value])
        .filter(([key, value]) =>
          isTable(key as string)
            ? Object.keys(value as RulesObject).length > 0
            : JSON.stringify(value) !== JSON.stringify(usual[key as string]),
        ) as [string, RulesValue][],
    );
  return own(rulesObject(rules), rulesObject(CLASSIC));
}

/** Returns the text of a rules file, which names what differs from classic. */
export function writeRules(rules: BoardRules): string {
  const { police, thief, ...others } = differing(rules);
  const lines = (keys: RulesValue): string[] => Object.entries(keys).map(([key, value]) => `${key} = ${toml(value)}`);
  const sides = Object.entries({ police, thief }).flatMap(([side, keys]) =>
    keys === undefined ? [] : ["", `[${side}]`, ...lines(keys)],
  );
  return `${[...lines(others), ...sides].join("\n").trim() || "# classic"}\n`;
}

function isTable(key: string): boolean {
  return key === "police" || key === "thief";
}

/** Returns a value as TOML, on one line. */
export function toml(value: RulesValue): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${key} = ${toml(inner)}`)
    .join(", ")} }`;
}
