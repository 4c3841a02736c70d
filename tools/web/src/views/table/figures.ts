import type { Cell } from "dragnet-probe";
import { capital } from "../../base/text.js";
import type { Mark, Piece, Scene } from "../../board/scene.js";
import { isSameCell } from "../../model/cell.js";
import { type Choice, type Distance, assign, following } from "./choices.js";
import { type PieceName, type Placement } from "./position.js";
import { type State, areValuesHidden } from "./state.js";

export function piecesOf({ placement, officer, picked }: State): Piece[] {
  const { police, thief, turn } = placement;
  const isSingle = police.length === 1;
  const officers = police.map((cell, k): Piece => ({
    side: "police",
    cell,
    ...(!isSingle && { officer: k }),
    selected: picked === k || (picked === undefined && turn === "police" && (isSingle || k === officer)),
  }));
  const isThief = picked === "thief" || (picked === undefined && turn === "thief");
  return [...officers, { side: "thief", cell: thief, selected: isThief }];
}

/** Returns the index of the piece that moves among the targets of a choice. */
export function moverOf({ placement, officer }: State): number {
  return placement.turn === "thief" ? 0 : officer;
}

/** Returns the moves that are still possible after what is planned. */
export function openChoices({ answer, plan }: State): readonly Choice[] {
  return following(answer?.choices ?? [], plan);
}

export function isHumanToMove({ match, placement }: State): boolean {
  return match === undefined || match.human === placement.turn;
}

export function planOf(state: State, cell: Cell): (Cell | undefined)[] {
  const plan = [...state.plan];
  plan[moverOf(state)] = cell;
  return plan;
}

/** Returns the officer who is to be moved next; `undefined` if the moves that follow are all the same. */
export function nextOfficer(
  { placement }: State,
  followed: readonly Choice[],
  plan: readonly unknown[],
): number | undefined {
  if (placement.turn === "thief" || followed.length === 1) return undefined;
  const free = placement.police.findIndex((_, k) => {
    return (
      plan[k] === undefined && followed.some(({ targets }) => !isSameCell(targets[k], followed[0]!.targets[k]))
    );
  });
  return free < 0 ? undefined : free;
}

/** Returns a mark for each cell to which the piece can move, with the best that follows. */
export function marksOf(state: State): Mark[] {
  if (!isHumanToMove(state) || state.isRunning || state.picked !== undefined) return [];
  const isHidden = areValuesHidden(state);
  const marks = new Map<string, Mark>();
  const choices = openChoices(state);
  const best = choices[0];
  for (const choice of choices) {
    const cell = choice.targets[moverOf(state)]!;
    if (marks.has(cell.join())) continue;
    const isBest = choice.outcome === best!.outcome && choice.dtw === best!.dtw;
    const text = choice.dtw === null ? "–" : String(choice.dtw);
    marks.set(
      cell.join(),
      isHidden
        ? { cell, kind: "move", outcome: "draw", text: "" }
        : { cell, kind: isBest ? "best" : "move", outcome: choice.outcome, text },
    );
  }
  return [...marks.values()];
}

export function arrowsOf({ pointed, placement }: State): NonNullable<Scene["arrows"]> {
  if (pointed === undefined) return [];
  const from = placement.turn === "thief" ? [placement.thief] : placement.police;
  return pointed.targets.map((to, k) => ({ side: placement.turn, from: from[k]!, to }));
}

/** Returns the ways of all pieces along the line. */
export function pathsOf({ line, placement }: State, distance: Distance): NonNullable<Scene["paths"]> {
  if (line === undefined) return [];
  const officers = placement.police.map((cell): Cell[] => [cell]);
  const thief: Cell[] = [placement.thief];
  for (const { side, to } of line.moves) {
    if (side === "thief") thief.push(to as Cell);
    else {
      const cells = typeof to[0] === "number" ? [to as Cell] : (to as readonly Cell[]);
      const targets = assign(
        officers.map((way) => way.at(-1)!),
        cells,
        distance,
      );
      officers.forEach((way, k) => way.push(targets[k]!));
    }
  }
  return [...officers.map((cells) => ({ side: "police" as const, cells })), { side: "thief", cells: thief }];
}

/** Returns the name of a piece for the start of a sentence. */
export function nameOf(piece: PieceName, { placement }: { placement: Placement }): string {
  if (piece === "thief") return "The thief";
  return capital(placement.police.length === 1 ? "the police" : `officer ${piece + 1}`);
}
