import type { Cell } from "dragnet-probe";
import type { BoardRules } from "../../model/board-rules.js";
import { CLASSIC, PRESETS } from "../../model/rules-text.js";
import type { Guard } from "../../model/scenario.js";
import { type Game, squaresIn } from "../../model/share.js";

/** A board that the page brings along, in the text form. */
export interface Sample {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  readonly rules: BoardRules;
  readonly guards?: readonly Guard[];
}

const TORUS: BoardRules = { ...PRESETS.chase, wrap: "both", police: { ...CLASSIC.police, moves: "knight" } };

/** The boards to begin with; the first one is shown where nothing else is asked for. */
export const SAMPLES: readonly [Sample, ...Sample[]] = [
  {
    name: "castle",
    title: "Castle, two ways out",
    rules: CLASSIC,
    text: `
#######E################
#......#...............#
#.####.#.#####.#######.#
#.#..#...#...#.#.....#.#
#.#..#####.#.#.#.###.#.#
#.#........#...#.#T#.#.#
#.######.#######.#...#.#
#......#.........###.#.#
#.####.#.#####.#.....#.#
#.#....#.#...#.#######.#
#.#.####.#.P.#.........#
#............#.#.#.#.#.#
#####.####.###.........E
########################
`,
  },
  {
    name: "yard",
    title: "Yard",
    rules: CLASSIC,
    text: `
#########E##
#..........#
#.###.####.#
#.#......#.#
#.#.####.#.#
#.........T#
#.###.####.#
#P.........#
############
`,
  },
  {
    name: "pillars",
    title: "Pillars: can one catch him?",
    rules: PRESETS.chase,
    text: `
...........
.#.#.#.#.#.
...........
.#.#.#.#.#.
P..........
.#.#.#.#.#.
..........T
.#.#.#.#.#.
...........
`,
  },
  {
    name: "pair",
    title: "Two officers, a loop each",
    rules: CLASSIC,
    text: `
###########
#.........#
#.###.###.#
#.#.#.#.#.#
#.###.###.#
#P...T...P#
#.###.###.#
#.#.#.#.#.#
#.###.###.#
#.........#
###########
`,
  },
  {
    name: "torus",
    title: "A knight hunts on a torus",
    rules: TORUS,
    text: `
.......
...#...
.......
P..#..T
.......
...#...
.......
`,
  },
  {
    name: "museum",
    title: "Museum: guards and mud",
    rules: { ...CLASSIC, more: { ground: { m: 3 }, ways: ["A"], cover: { b: "full" } } },
    guards: [
      { round: [[1, 1], [1, 11]], back: true, pause: 1, sight: 5, angle: 90 },
      { round: [[5, 3], [5, 9]], back: true, pause: 1, sight: 5, angle: 90 },
    ],
    text: `
#############
#.....b.....#
#.###.#.###.#
#A#..m.m..#.#
#.#.##b##.#.#
#.b.......b.E
#.#.#####.#.#
#T....b..A..#
#############
`,
  },
];

/** Returns the game of a sample. */
export function gameOf({ text, rules, guards = [] }: Sample): Game {
  const rows = text.trim().split("\n");
  const police: Cell[] = [];
  let thief: Cell | undefined;
  rows.forEach((line, row) =>
    [...line].forEach((letter, column) => {
      if (letter === "P") police.push([row, column]);
      if (letter === "T") thief = [row, column];
    }),
  );
  const scenario = {
    height: rows.length,
    width: rows[0]!.length,
    squares: squaresIn(rows.join("")),
    police,
    thief,
    guards,
  };
  return { scenario, rules: { ...rules, officers: police.length } };
}
