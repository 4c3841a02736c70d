import type { MoveSet, Rules, SideRules, Table } from "dragnet-probe";
import { capital, count } from "../../base/text.js";

const SETS: Readonly<Record<string, string>> = {
  king: "one square in any direction",
  orthogonal: "one square up, down, left or right",
  diagonal: "one square diagonally",
  knight: "like a knight in chess",
  edges: "along an edge",
};

/** Returns the rules of a table as sentences. */
export function rulesInWords({ rules, board }: Table): string[] {
  const officers = rules.officers === 1 ? "The officer" : "Each officer";
  const sentences = [`${officers} moves ${ofSide(rules.police)}.`, `The thief moves ${ofSide(rules.thief)}.`];
  if (rules.officers > 1) {
    const who = rules.team === "all" ? "All officers move" : "One officer moves";
    sentences.push(`${who} in a turn of the police.`);
  }
  if (hasDiagonals(rules)) {
    sentences.push(`Diagonal steps ${rules.cornerCutting ? "may" : "may not"} pass the corner of a wall.`);
  }
  if (rules.wrap !== "none") sentences.push(wrapInWords(rules.wrap));
  const exits = exitsOf(board);
  if (exits > 0) {
    sentences.push(`The thief wins on ${exits === 1 ? "the exit" : `one of ${count(exits)} exits`}.`);
    if (rules.policeOnExit === "barred") sentences.push("Officers may not step on exits.");
    if (rules.policeOnExit === "wins") sentences.push("The police wins when an officer reaches an exit.");
  }
  sentences.push(`A side that has no move ${rules.stuck}.`);
  if (rules.undecided !== "draw")
    sentences.push(`A game without end counts as won by the ${rules.undecided}.`);
  return sentences;
}

function exitsOf(board: Table["board"]): number {
  let exits = 0;
  for (let row = 0; row < board.height; row++) {
    for (let column = 0; column < board.width; column++) if (board.square(row, column) === "exit") exits++;
  }
  return exits;
}

function ofSide({ moves, mayPass, steps, reach }: SideRules): string {
  const parts = [setInWords(moves)];
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

function hasDiagonals({ police, thief }: Rules): boolean {
  return [police, thief].some(({ moves }) =>
    typeof moves === "string"
      ? moves === "king" || moves === "diagonal"
      : moves.offsets.some(([down, right]) => Math.abs(down) === 1 && Math.abs(right) === 1),
  );
}

function wrapInWords(wrap: Rules["wrap"]): string {
  if (wrap === "both") return "Opposite edges of the board are joined.";
  return capital(
    `the ${wrap === "horizontal" ? "left and right" : "upper and lower"} edges of the board are joined.`,
  );
}
