import type { Table } from "dragnet-probe";
import type { BoardRules, MoveSet, SideRules } from "../../model/board-rules.js";
import { capital, count } from "../../base/text.js";
import type { Door, Setting } from "../../model/setting.js";

const SETS: Readonly<Record<string, string>> = {
  king: "one square in any direction",
  orthogonal: "one square up, down, left or right",
  diagonal: "one square diagonally",
  knight: "like a knight in chess",
};

/** Returns the rules of a table as sentences: all of them if its source has them. */
export function rulesInWords({ rules, board }: Table, { rules: all, edges, doors }: Setting): string[] {
  const sentences = [];
  if (all !== undefined) {
    const officers = rules.officers === 1 ? "The officer" : "Each officer";
    const ofSide = (side: SideRules): string =>
      inWords(side, edges === null ? setInWords(side.moves) : "along an edge");
    sentences.push(`${officers} moves ${ofSide(all.police)}.`, `The thief moves ${ofSide(all.thief)}.`);
  }
  if (rules.officers > 1) {
    const who = rules.team === "all" ? "All officers move" : "One officer moves";
    sentences.push(`${who} in a turn of the police.`);
  }
  if (all !== undefined && edges === null && hasDiagonals(all)) {
    sentences.push(`Diagonal steps ${all.cornerCutting ? "may" : "may not"} pass the corner of a wall.`);
  }
  if (all !== undefined && all.wrap !== "none") sentences.push(wrapInWords(all.wrap));
  sentences.push(...doors.map(doorInWords));
  const exits = board.exits().length;
  if (exits > 0) {
    sentences.push(`The thief wins on ${exits === 1 ? "the exit" : `one of ${count(exits)} exits`}.`);
    if (all?.policeOnExit === "barred") sentences.push("Officers may not step on exits.");
    if (all?.policeOnExit === "wins") sentences.push("The police wins when an officer reaches an exit.");
  }
  sentences.push(`A side that has no move ${rules.stuck}.`);
  if (rules.undecided !== "draw")
    sentences.push(`A game without end counts as won by the ${rules.undecided}.`);
  return sentences;
}

function doorInWords(door: Door): string {
  const name = `The door on ${door.cell.join()}`;
  if ("schedule" in door) return `${name} opens and closes by the schedule ${door.schedule}, a sign for each ply.`;
  const first = door.open ? "open" : "closed";
  return `${name} is ${first} in the beginning, and turns when a piece steps on ${door.key.join()}.`;
}

function inWords({ mayPass, steps, reach }: SideRules, moves: string): string {
  const parts = [moves];
  if (reach > 1) parts.push(`up to ${reach} times on in its direction`);
  if (steps > 1) parts.push(`up to ${steps} steps in a turn`);
  parts.push(mayPass ? "and may stay" : "and must move");
  return parts.join(", ").replace(", and", " and");
}

function setInWords(moves: MoveSet): string {
  if (typeof moves === "string") return SETS[moves]!;
  if (moves.offsets.length === 0) return "nowhere";
  return `by ${moves.offsets.map(([down, right]) => `${down},${right}`).join(" or ")} rows and columns`;
}

function hasDiagonals({ police, thief }: BoardRules): boolean {
  return [police, thief].some(({ moves }) =>
    typeof moves === "string"
      ? moves === "king" || moves === "diagonal"
      : moves.offsets.some(([down, right]) => Math.abs(down) === 1 && Math.abs(right) === 1),
  );
}

function wrapInWords(wrap: BoardRules["wrap"]): string {
  if (wrap === "both") return "Opposite edges of the board are joined.";
  return capital(
    `the ${wrap === "horizontal" ? "left and right" : "upper and lower"} edges of the board are joined.`,
  );
}
