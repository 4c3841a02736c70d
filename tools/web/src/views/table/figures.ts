import type { Board, Cell, Side } from "dragnet-probe";
import { capital } from "../../base/text.js";
import type { Mark, Piece, Scene } from "../../board/scene.js";
import { isSameCell } from "../../model/cell.js";
import { layerOf, squareUnder } from "../../model/layers.js";
import { type Choice, type Distance, assign, following } from "./choices.js";
import { type PieceName, type Placement } from "./position.js";
import { type State, areValuesHidden } from "./state.js";

/** Returns the pieces on the squares of a board. */
export function piecesOf({ placement, officer, picked }: State, board: Board): Piece[] {
  const { police, thief, turn } = placement;
  const isSingle = police.length === 1;
  const officers = police.map((cell, k): Piece => ({
    side: "police",
    cell: squareUnder(cell, board),
    ...(!isSingle && { officer: k }),
    selected: picked === k || (picked === undefined && turn === "police" && (isSingle || k === officer)),
  }));
  const isThief = picked === "thief" || (picked === undefined && turn === "thief");
  return [...officers, { side: "thief", cell: squareUnder(thief, board), selected: isThief }];
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

/**
 * Returns for each square to which the piece can move what a choice of it plays: the best move to the layer
 * that is shown, or else to any.
 */
export function choicesBySquare(state: State, board: Board): ReadonlyMap<string, Choice> {
  const mover = moverOf(state);
  const shown = state.layers[state.placement.turn];
  const isShown = ({ targets }: Choice): boolean => layerOf(targets[mover]!, board) === shown;
  const chosen = new Map<string, Choice>();
  for (const choice of openChoices(state)) {
    const square = squareUnder(choice.targets[mover]!, board).join();
    const other = chosen.get(square);
    if (other === undefined || (isShown(choice) && !isShown(other))) chosen.set(square, choice);
  }
  return chosen;
}

/**
 * Returns a mark for each square to which the piece can move, with the value of what a choice of it plays.
 */
export function marksOf(state: State, board: Board): Mark[] {
  if (!isHumanToMove(state) || state.isRunning || state.picked !== undefined) return [];
  const isHidden = areValuesHidden(state);
  const best = openChoices(state)[0];
  return [...choicesBySquare(state, board).values()].map((choice): Mark => {
    const cell = squareUnder(choice.targets[moverOf(state)]!, board);
    if (isHidden) return { cell, kind: "move", outcome: "draw", text: "" };
    const isBest = choice.outcome === best!.outcome && choice.dtw === best!.dtw;
    const text = choice.dtw === null ? "–" : String(choice.dtw);
    return { cell, kind: isBest ? "best" : "move", outcome: choice.outcome, text };
  });
}

/** Returns the arrows of the move that is pointed at. */
export function arrowsOf({ pointed, placement }: State, board: Board): NonNullable<Scene["arrows"]> {
  if (pointed === undefined) return [];
  const from = placement.turn === "thief" ? [placement.thief] : placement.police;
  return pointed.targets.map((to, k) => {
    return { side: placement.turn, from: squareUnder(from[k]!, board), to: squareUnder(to, board) };
  });
}

/** Returns the ways of all pieces along the line. */
export function pathsOf({ line, placement }: State, distance: Distance, board: Board): NonNullable<Scene["paths"]> {
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
  const way = (side: Side, cells: readonly Cell[]): NonNullable<Scene["paths"]>[number] => {
    return { side, cells: cells.map((cell) => squareUnder(cell, board)) };
  };
  return [...officers.map((cells) => way("police", cells)), way("thief", thief)];
}

/** Returns the name of a piece for the start of a sentence. */
export function nameOf(piece: PieceName, { placement }: { placement: Placement }): string {
  if (piece === "thief") return "The thief";
  return capital(placement.police.length === 1 ? "the police" : `officer ${piece + 1}`);
}
