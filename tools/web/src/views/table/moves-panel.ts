import type { Cell } from "dragnet-probe";
import { isSameCell } from "../../model/cell.js";
import { html, replace } from "../../base/dom.js";
import { capital, count, plies } from "../../base/text.js";
import { type Choice, type Worth, worthOf } from "./choices.js";
import { isHumanToMove } from "./figures.js";
import { cellName } from "./position.js";
import type { Session } from "./session.js";
import { type State, areValuesHidden } from "./state.js";

/** The most moves of one group that are listed at once. */
const MOST = 150;
const TITLES: Readonly<Record<Worth, string>> = { wins: "Wins", draws: "Draws", loses: "Loses" };

/** All moves, best first, in groups by what they are for the side that moves. */
export class MovesPanel {
  readonly element: HTMLElement;
  readonly #session: Session;
  readonly #title = html("h2", {}, "Moves");
  readonly #groups = html("div", { class: "moves" });
  #shown: readonly Choice[] | undefined;
  #match: State["match"];

  constructor(session: Session) {
    this.#session = session;
    this.element = html(
      "section",
      { class: "panel moves-panel", "aria-label": "Moves" },
      this.#title,
      this.#groups,
    );
    session.store.listen((state) => this.#draw(state));
    this.#draw(session.store.state);
  }

  #draw(state: State): void {
    const { answer, match, isDragging, placement } = state;
    if (isDragging || (answer?.choices === this.#shown && match === this.#match && this.#shown !== undefined))
      return;
    this.#shown = answer?.choices;
    this.#match = match;
    if (answer === undefined) return;
    const focused = this.#groups.contains(document.activeElement);
    const { choices } = answer;
    replace(this.#title, `Moves of the ${placement.turn}: ${count(choices.length)}`);
    if (choices.length === 0) {
      const isOver = answer.value.dtw === 0;
      replace(
        this.#groups,
        html("p", { class: "quiet" }, isOver ? "The game is over." : "No move is possible."),
      );
    } else if (!isHumanToMove(state) || areValuesHidden(state)) {
      const text = !isHumanToMove(state)
        ? "The table is to move."
        : "Your turn. Hints are off: choose a marked cell of the board.";
      replace(this.#groups, html("p", { class: "quiet" }, text));
    } else {
      const groups = (["wins", "draws", "loses"] as const).map((worth) => this.#group(worth, choices, state));
      replace(this.#groups, ...groups);
    }
    if (focused) this.#groups.querySelector("button")?.focus();
  }

  #group(worth: Worth, choices: readonly Choice[], state: State): HTMLElement | undefined {
    const { turn } = state.placement;
    const group = choices.filter((choice) => worthOf(choice.outcome, turn) === worth);
    if (group.length === 0) return undefined;
    const list = html("ol", {}, ...group.slice(0, MOST).map((choice) => this.#item(choice, state)));
    if (group.length > MOST) {
      const more = html("button", { type: "button" }, `Show ${count(group.length - MOST)} more`);
      more.addEventListener("click", () => {
        more.remove();
        list.append(...group.slice(MOST).map((choice) => this.#item(choice, state)));
      });
      list.after(more);
      return html("div", { class: "group" }, html("h3", { class: worth }, TITLES[worth]), list, more);
    }
    return html("div", { class: "group" }, html("h3", { class: worth }, TITLES[worth]), list);
  }

  #item(choice: Choice, state: State): HTMLElement {
    const point = (pointed: Choice | undefined) => (): void => this.#session.store.set({ pointed });
    const text = moveText(choice, state, this.#session);
    const distance = choice.dtw === null ? "–" : String(choice.dtw);
    const words = `${text}, ${capital(worthOf(choice.outcome, state.placement.turn))}${inPlies(choice)}`;
    return html(
      "li",
      {},
      html(
        "button",
        {
          type: "button",
          class: choice.isBest ? "move best" : "move",
          title: words,
          click: () => this.#session.play(choice),
          pointerenter: point(choice),
          pointerleave: point(undefined),
          focus: point(choice),
          blur: point(undefined),
        },
        html("span", { class: "to" }, text),
        html("span", { class: "unseen" }, ` ${worthOf(choice.outcome, state.placement.turn)} `),
        html("span", { class: `badge ${choice.outcome}` }, distance),
        html("span", { class: "unseen" }, choice.isBest ? " plies later, a best move" : " plies later"),
      ),
    );
  }
}

/**
 * Returns a move as text: the cell of the piece, or of each officer that moves, and the world after it if
 * moves lead to several.
 */
function moveText({ targets, after: { world } }: Choice, { placement, answer }: State, session: Session): string {
  const from = placement.turn === "thief" ? [placement.thief] : placement.police;
  const name = (cell: Cell): string => cellName(cell, placement.turn, session);
  const isApart = answer!.choices.some(({ after }) => after.world !== world);
  const inWorld = isApart ? `, world ${world}` : "";
  if (from.length === 1) return `${name(targets[0]!)}${isSameCell(from[0], targets[0]) ? " pass" : ""}${inWorld}`;
  const moved = targets.flatMap((cell, k) => (isSameCell(cell, from[k]) ? [] : [`${k + 1}→${name(cell)}`]));
  return `${moved.length === 0 ? "pass" : moved.join("  ")}${inWorld}`;
}

function inPlies({ dtw }: Choice): string {
  if (dtw === null) return "";
  return dtw === 0 ? " at once" : `, ${plies(dtw)} later`;
}
