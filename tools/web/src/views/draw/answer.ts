import type { Cell, Move, Position, Side, Table } from "dragnet-probe";
import { html, replace } from "../../base/dom.js";
import { capital, bytes, count, plies, sentence } from "../../base/text.js";
import type { Scenario } from "../../model/scenario.js";
import type { Editor } from "./editor.js";
import { switches } from "../../base/fields.js";
import { createLevelBar } from "./level-bar.js";
import type { Part, Shown } from "./part.js";
import type { Estimate } from "./solver.js";
import type { SolvingState } from "./solving.js";

/** The most officers of whom all move at once, so that the list of moves stays short enough to compute. */
const MOST_TOGETHER = 2;
/** The positions that a slow computer solves in a second. */
const POSITIONS_A_SECOND = 3e7;
/** The most moves that are listed. */
const MOST_MOVES = 100;

/** The requests of the answer to the page. */
export interface AnswerEvents {
  stop(): void;
  solveAnyway(): void;
  /** Points to a move on the board, or to none. */
  point(move: Move | undefined): void;
}

/** Returns the position of a scenario, `undefined` if a piece is missing. */
export function positionOf({ police, thief }: Scenario, turn: Side): Position | undefined {
  if (thief === undefined || police.length === 0) return undefined;
  return { police: police.length === 1 ? police[0]! : police, thief, turn };
}

/** Returns the moves of a position, best first; none if they are too many to list. */
export function movesOf(table: Table, position: Position): Move[] {
  const together = table.rules.team === "all" && table.rules.officers > MOST_TOGETHER;
  return position.turn === "police" && together ? [] : table.moves(position);
}

/** Creates the panel with the value of the drawn position, its moves and the figures of the solve. */
export function createAnswer(editor: Editor, events: AnswerEvents): Part {
  const value = html("p", { class: "verdict" });
  const figures = html("p", { class: "figures quiet" });
  const bar = createLevelBar();
  const stop = html("button", { type: "button", click: () => events.stop() }, "Stop");
  const anyway = html("button", { type: "button", click: () => events.solveAnyway() }, "Solve anyway");
  const moves = html("ol", {
    class: "replies",
    "aria-label": "Moves, best first",
    pointerleave: () => events.point(undefined),
  });
  const turn = switches("To move", { police: "Police", thief: "Thief" }, (turn) => editor.set({ turn }));
  const heat = switches("Values of", { police: "Police", thief: "Thief", none: "None" }, (heat) =>
    editor.set({ heat }),
  );
  const element = html(
    "section",
    { class: "panel answer", "aria-label": "Answer" },
    value,
    html("div", { class: "row" }, turn.element, heat.element),
    bar.element,
    figures,
    html("div", { class: "row" }, stop, anyway),
    moves,
  );
  let listed: string | undefined;

  const list = (shown: Shown, position: Position | undefined): void => {
    const table = shown.solving.solved?.table;
    const key =
      position === undefined || table === undefined ? "" : `${table.digest} ${JSON.stringify(position)}`;
    if (key === listed) return;
    listed = key;
    if (table === undefined || position === undefined) return replace(moves);
    const all = movesOf(table, position);
    moves.classList.toggle("several", position.turn === "police" && table.rules.officers > 1);
    replace(moves, ...all.slice(0, MOST_MOVES).map((move) => html("li", {}, moveButton(position, move))));
  };

  const moveButton = (position: Position, move: Move): HTMLElement =>
    html(
      "button",
      {
        type: "button",
        class: `reply ${move.outcome}`,
        pointerenter: () => events.point(move),
        focus: () => events.point(move),
        blur: () => events.point(undefined),
        click: () => editor.play(move.to),
      },
      html("span", {}, isStay(position, move.to) ? "stay" : cellsText(move.to)),
      html(
        "span",
        {},
        move.dtw === null
          ? "draw"
          : move.dtw === 0
            ? `${move.outcome} has won`
            : `${move.outcome} ${move.dtw}`,
      ),
    );

  return {
    element,
    show(shown) {
      const { editor: state, solving } = shown;
      const position = positionOf(state.game.scenario, state.turn);
      turn.show(state.turn);
      heat.show(state.heat);
      bar.show(solving.levels);
      stop.hidden = solving.kind !== "solving";
      anyway.hidden = !(
        solving.kind === "stopped" ||
        (solving.kind === "too-large" && isAllowed(solving.estimate))
      );
      anyway.textContent = solving.kind === "stopped" ? "Solve" : "Solve anyway";
      replace(figures, figuresOf(solving));
      list(shown, position);
      const found = position === undefined ? undefined : solving.solved?.table.value(position);
      value.dataset["outcome"] = found?.outcome ?? "";
      element.dataset["state"] = solving.kind;
      replace(value, valueText(shown, position, found && `${capital(sentence(found))}`));
    },
  };
}

function isAllowed(estimate: Estimate | undefined): boolean {
  return estimate !== undefined && estimate.refusal === undefined;
}

function valueText(
  { solving, editor }: Shown,
  position: Position | undefined,
  found?: string,
): string {
  if (found !== undefined) return found;
  switch (solving.kind) {
    case "too-large":
      return "Too large to solve unasked";
    case "failed":
      return "This game cannot be solved";
    case "stopped":
      return "Stopped";
    default:
      if (position !== undefined || editor.drawing) return "Solving…";
      return "Place the officer and the thief to see who wins";
  }
}

function figuresOf({ kind, solved, levels, positions, estimate, trouble }: SolvingState): string {
  if (kind === "failed") return capital(trouble ?? "");
  if (kind === "too-large" && estimate !== undefined) {
    const needs = `${count(estimate.positions)} positions need about ${bytes(estimate.memory)} of memory`;
    return estimate.refusal === undefined
      ? `${needs}, and perhaps ${duration(estimate.positions)}.`
      : `${needs}. ${capital(estimate.refusal)}.`;
  }
  const last = levels.at(-1);
  if (kind === "solving") {
    const level = last === undefined ? "" : `, level ${last.level}`;
    return `${count(positions)} positions${level}`;
  }
  if (kind === "solved" && solved !== undefined) {
    const { police, thief } = solved.table.longest;
    const size = `${count(positionsOf(solved.table))} positions, ${count(levels.filter(({ decided }) => decided > 0).length)} levels`;
    const longest = `longest wins: police ${plies(police)}, thief ${plies(thief)}`;
    return `${size}, in ${count(Math.round(solved.milliseconds))} ms; ${longest}`;
  }
  return "";
}

function positionsOf({ counts }: Table): number {
  return [counts.police, counts.thief].reduce(
    (sum, { police, thief, draw }) => sum + police + thief + draw,
    0,
  );
}

/** Returns the time that so many positions may take, for people. */
function duration(positions: number): string {
  const seconds = positions / POSITIONS_A_SECOND;
  return seconds < 100 ? `${Math.ceil(seconds)} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

function isStay({ police, thief, turn }: Position, to: Move["to"]): boolean {
  return (turn === "thief" ? thief : police).join(";") === to.join(";");
}

/** Returns one cell or several as text. */
export function cellsText(cells: Cell | readonly Cell[]): string {
  return typeof cells[0] === "number" ? cells.join() : cells.map((cell) => String(cell)).join(" + ");
}
