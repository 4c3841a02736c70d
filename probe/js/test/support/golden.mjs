import { readFileSync } from "node:fs";

const FOLDER = new URL("../../../../formats/tests/golden/", import.meta.url);

/**
 * The golden pursuit tables: optimised for size and for speed, with two officers on squares and on a graph,
 * and with doors; and of given games: a board, two officers of whom one moves, a guard who looks ahead, in a
 * layer for each direction, and two officers with searchlights, which turn from world to world.
 */
export const GOLDEN = [
  "v2-size",
  "v2-speed",
  "v2-team",
  "v2-cops",
  "v2-doors",
  "v2-board",
  "v2-ring",
  "v2-round",
  "v2-searchlights",
];

/** Returns the bytes of a golden table. */
export function goldenBytes(name) {
  return new Uint8Array(readFileSync(new URL(`${name}.dtb`, FOLDER)));
}

/** Returns the dump beside a golden table, which another reader has written. */
export function goldenDump(name) {
  return readFileSync(new URL(`${name}.txt`, FOLDER), "utf8");
}

/** Returns the offset of a field of the header in a golden table, which its dump tells. */
export function fieldAt(name, field) {
  const [, offset] = new RegExp(`^([0-9a-f]{6}) .* ${field}: `, "m").exec(goldenDump(name));
  return parseInt(offset, 16);
}

/** Yields all positions of a table, without a world if it has only one. */
export function* positions(table) {
  const { worlds } = table;
  const all = teams(table);
  const thieves = table.places.thief.cells();
  for (let world = 0; world < worlds; world++) {
    const inWorld = worlds === 1 ? {} : { world };
    for (const turn of ["police", "thief"]) {
      for (const police of all) for (const thief of thieves) yield { ...inWorld, police, thief, turn };
    }
  }
}

/** Returns the cells of a single officer, or all teams of several or none, kind by kind. */
function teams({ board, kinds, places, rules }) {
  const cells = places.police.cells();
  if (rules.officers === 1) return cells;
  let teams = [[]];
  let end = 0;
  for (const { pieces, layers } of kinds.police) {
    const first = end;
    end += layers.length;
    const own = cells.filter(([row]) => row >= first * board.height && row < end * board.height);
    for (let k = 0; k < pieces; k++) {
      const least = (team) => (k === 0 ? 0 : own.indexOf(team.at(-1)));
      teams = teams.flatMap((team) => own.slice(least(team)).map((cell) => [...team, cell]));
    }
  }
  return teams;
}

/** Returns random cells for the police of a table. */
export function randomPolice(table, cells, random) {
  const { officers } = table.rules;
  return officers === 1 ? random.pick(cells) : Array.from({ length: officers }, () => random.pick(cells));
}

/** Returns the open cells of a board in reading order. */
export function openCells(board) {
  const cells = [];
  for (let row = 0; row < board.height; row++) {
    for (let column = 0; column < board.width; column++) {
      if (board.square(row, column) !== "wall") cells.push([row, column]);
    }
  }
  return cells;
}
