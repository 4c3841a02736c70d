import type { Cell, Move, Position, Side, Table } from "dragnet-probe";
import { isSameCell } from "../../model/cell.js";
import { isPlace, layerNames, layerOf, onLayer, squareUnder } from "../../model/layers.js";
import { hasPolice } from "../../model/scenario.js";
import type { Game } from "../../model/share.js";
import { html, replace } from "../../base/dom.js";
import { capital, bytes, count, plies, sentence } from "../../base/text.js";
import type { Editor } from "./editor.js";
import { switches } from "../../base/fields.js";
import { createMomentFields } from "./moment-fields.js";
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

/**
 * Returns the position of a game, `undefined` if a piece is missing. In a table of a game without officers a
 * piece stands for the clock of the guards.
 */
export function positionOf({ scenario, moment }: Game, turn: Side, table?: Table): Position | undefined {
  const { police, thief } = scenario;
  if (thief === undefined || !hasPolice(scenario)) return undefined;
  const layered = (cell: Cell, piece: number): Cell => onLayer(cell, moment?.layers[piece] ?? 0, scenario);
  const clock = table?.places.police.cells().slice(0, 1) ?? [];
  const officers = police.length === 0 ? clock : police.map(layered);
  return {
    world: moment?.world ?? 0,
    police: officers.length === 1 ? officers[0]! : officers,
    thief: layered(thief, police.length),
    turn,
  };
}

/** Returns whether every piece of a position stands where a table lets it. */
export function isPossible(table: Table, { police, thief }: Position): boolean {
  return cellsOf(police).every((cell) => isPlace(table, "police", cell)) && isPlace(table, "thief", thief);
}

/** Returns one cell or several as a list. */
export function cellsOf(cells: Cell | readonly Cell[]): readonly Cell[] {
  return (typeof cells[0] === "number" ? [cells] : cells) as readonly Cell[];
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
  const moment = createMomentFields(editor);
  const element = html(
    "section",
    { class: "panel answer", "aria-label": "Answer" },
    value,
    html("div", { class: "row" }, turn.element, heat.element),
    moment.element,
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
    if (table === undefined || position === undefined || !isPossible(table, position)) return replace(moves);
    const all = movesOf(table, position);
    moves.classList.toggle("several", position.turn === "police" && table.rules.officers > 1);
    replace(moves, ...all.slice(0, MOST_MOVES).map((move) => html("li", {}, moveButton(table, position, move))));
  };

  const textOf = (position: Position, to: Move["to"], table: Table): string => {
    const { police } = editor.state.game.scenario;
    if (position.turn === "police" && police.length === 0) return "guards go on";
    return isStay(position, to) ? "stay" : cellsText(to, position.turn, table);
  };

  const moveButton = (table: Table, position: Position, move: Move): HTMLElement =>
    html(
      "button",
      {
        type: "button",
        class: `reply ${move.outcome}`,
        pointerenter: () => events.point(move),
        focus: () => events.point(move),
        blur: () => events.point(undefined),
        click: () => editor.place(move.position),
      },
      html("span", {}, textOf(position, move.to, table)),
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
      const table = solving.solved?.table;
      const position = positionOf(state.game, state.turn, table);
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
      moment.show(table, position);
      const isBarred = position !== undefined && table !== undefined && !isPossible(table, position);
      const found = position === undefined || isBarred ? undefined : table?.value(position);
      value.dataset["outcome"] = found?.outcome ?? "";
      element.dataset["state"] = solving.kind;
      replace(value, valueText(shown, position, isBarred ? "A piece stands on ground that is barred for it" : found && `${capital(sentence(found))}`));
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
  const cells = cellsOf(turn === "thief" ? thief : police);
  return cells.every((cell, at) => isSameCell(cell, cellsOf(to)[at]));
}

/** Returns the cells to which a side moves as text, each with the name of its layer. */
function cellsText(cells: Cell | readonly Cell[], side: Side, { kinds, board }: Table): string {
  const names = layerNames(kinds[side]);
  const isBase = (layer: number): boolean => names.length === 1 || names[layer] === "layer 0";
  const name = (cell: Cell): string => {
    const [square, layer] = [squareUnder(cell, board).join(), layerOf(cell, board)];
    return isBase(layer) ? square : `${square} ${names[layer]}`;
  };
  return cellsOf(cells).map(name).join(" + ");
}
