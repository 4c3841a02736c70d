import type { Arc, Digraph } from "./digraph.js";

/** A graph that the application brings along. */
export interface Sample {
  readonly name: string;
  readonly title: string;
  /** The point of the sample, in a sentence. */
  readonly about: string;
  readonly graph: Digraph;
  /** Where its vertices are drawn; `undefined` if they are laid out. */
  readonly places?: readonly (readonly [x: number, y: number])[];
}

/** The samples, the first one first. */
export const SAMPLES: readonly Sample[] = [
  {
    name: "text",
    title: "Five vertices",
    about: "One vertex is won, one is lost, and three are drawn, because a player who would lose can go round in a circle.",
    graph: { labels: [..."01234"], edges: [[0, 1], [0, 2], [1, 3], [2, 1], [2, 4], [4, 2]] },
    places: [[220, 40], [80, 100], [360, 100], [-60, 100], [360, 240]],
  },
  {
    name: "subtraction",
    title: "Take one, two or three",
    about: "A vertex is a number of stones. A player takes one, two or three, and who finds none has lost: every fourth number is lost.",
    graph: subtraction(12, 3),
  },
  {
    name: "chain",
    title: "A chase with two ways out",
    about: "Only when the counter of a vertex is 0, since every move of it loses, does it become lost.",
    graph: {
      labels: ["start", "hall", "yard", "cellar", "roof", "gate", "well", "shed"],
      edges: [[0, 1], [0, 2], [1, 3], [1, 4], [2, 5], [3, 5], [3, 6], [4, 7], [4, 6], [7, 4], [7, 0], [2, 1]],
    },
  },
  police("policeman-1x4", "Policeman, 1×4", ["E..."]),
  police("policeman-2x2", "Policeman, 2×2", ["..", ".."]),
  police("policeman-2x2-exit", "Policeman, 2×2 with an exit", [".E", ".."]),
  police("policeman-2x3", "Policeman, 2×3 with an exit", ["..E", "..."]),
  police("policeman-wall", "Policeman, 3×3 around a wall", ["...", ".#.", "..E"]),
];

/** Returns the sample of a name; `undefined` if there is none. */
export function sampleOf(name: string): Sample | undefined {
  return SAMPLES.find((sample) => sample.name === name);
}

/** Returns the game in which a player takes up to `most` of `stones` stones. */
function subtraction(stones: number, most: number): Digraph {
  const edges: Arc[] = [];
  for (let left = 1; left <= stones; left++) {
    for (let taken = 1; taken <= Math.min(most, left); taken++) edges.push([left, left - taken]);
  }
  return { labels: Array.from({ length: stones + 1 }, (_, left) => `${left}`), edges };
}

function police(name: string, title: string, rows: readonly string[]): Sample {
  return {
    name,
    title,
    about:
      "A vertex is a position: the policeman's cell, the thief's cell, and who moves. The policeman moves like a " +
      "king, the thief up, down, left and right, and both may pass. A thief who is caught, and a policeman whose thief stands on the exit E, have no move.",
    graph: policeGraph(rows),
  };
}

/**
 * Returns the graph of all positions of one policeman against the thief on a board, by classic rules.
 *
 * Cells are letters in reading order, from A. The position `AdP` has the policeman on A, the thief on D, and
 * the policeman to move. Only a player who has lost has no move: if the game ends with the winner to move,
 * the position has an edge to the one in which the loser is to move, so that the winner is won in one ply.
 */
export function policeGraph(rows: readonly string[]): Digraph {
  const cells = rows.flatMap((row, r) => [...row].flatMap((kind, c) => (kind === "#" ? [] : [{ r, c, kind }])));
  const near = (one: number, other: number, king: boolean): boolean => {
    const [down, right] = [Math.abs(cells[one]!.r - cells[other]!.r), Math.abs(cells[one]!.c - cells[other]!.c)];
    return king ? Math.max(down, right) <= 1 : down + right <= 1;
  };
  const name = (cell: number): string => String.fromCharCode(65 + cell);
  const vertex = (p: number, t: number, thiefMoves: 0 | 1): number => (p * cells.length + t) * 2 + thiefMoves;
  const labels: string[] = [];
  const edges: Arc[] = [];
  cells.forEach((_, p) =>
    cells.forEach(({ kind }, t) => {
      labels.push(`${name(p)}${name(t).toLowerCase()}P`, `${name(p)}${name(t).toLowerCase()}T`);
      const [policeMoves, thiefMoves] = [vertex(p, t, 0), vertex(p, t, 1)];
      if (p === t) edges.push([policeMoves, thiefMoves]);
      else if (kind === "E") edges.push([thiefMoves, policeMoves]);
      else {
        cells.forEach((_, to) => {
          if (near(p, to, true)) edges.push([policeMoves, vertex(to, t, 1)]);
          if (near(t, to, false)) edges.push([thiefMoves, vertex(p, to, 0)]);
        });
      }
    }),
  );
  return { labels, edges };
}
