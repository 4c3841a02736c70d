import type { Side } from "dragnet-probe";
import { isSameCell } from "../../model/cell.js";
import { html, replace } from "../../base/dom.js";
import { capital, opponent, plies } from "../../base/text.js";
import type { Frame } from "../view.js";
import { worthOf } from "./choices.js";
import { STRENGTHS, type Strength, choose } from "./opponent.js";
import { cellText, keyOf } from "./position.js";
import type { Session } from "./session.js";
import type { State } from "./state.js";

/** How long the table waits before it moves, in milliseconds. */
const PAUSE = 450;
/** As often as this a position may occur; then the game is a draw. */
const REPETITIONS = 3;

/** A game of a human against the table. */
export class MatchPanel {
  readonly element: HTMLElement;
  readonly #session: Session;
  readonly #frame: Frame;
  readonly #side = html("select", { id: "match-side" });
  readonly #strength = html("select", { id: "match-strength" });
  readonly #hints = html("input", { id: "match-hints", type: "checkbox" });
  readonly #start = html("button", { type: "button", click: () => this.#toggle() }, "Start");
  readonly #status = html("p", { "aria-live": "polite" });
  #timer = 0;
  #verdict = "";

  constructor(session: Session, frame: Frame) {
    this.#session = session;
    this.#frame = frame;
    for (const side of ["police", "thief"]) this.#side.append(html("option", { value: side }, capital(side)));
    for (const { name, text } of STRENGTHS) {
      this.#strength.append(html("option", { value: name, selected: name === "normal" }, text));
    }
    this.#hints.addEventListener("change", () => this.#setHints());
    this.element = html(
      "details",
      { class: "panel match-panel" },
      html("summary", {}, html("h2", {}, "Play against the table")),
      html("div", { class: "row" }, html("label", { for: "match-side" }, "You play the"), this.#side),
      html("div", { class: "row" }, html("label", { for: "match-strength" }, "The table is"), this.#strength),
      html(
        "div",
        { class: "row" },
        this.#hints,
        html("label", { for: "match-hints" }, "Hints: values, best moves and heat map"),
      ),
      html("div", { class: "row" }, this.#start),
      this.#status,
    );
    session.store.listen((state, before) => this.#follow(state, before));
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #toggle(): void {
    const { store } = this.#session;
    this.#verdict = "";
    if (store.state.match !== undefined) {
      store.set({ match: undefined });
      return;
    }
    this.#session.forget();
    const human = this.#side.value as Side;
    const strength = this.#strength.value as Strength;
    store.set({
      match: { human, strength, hints: this.#hints.checked },
      isRunning: false,
      line: undefined,
      picked: undefined,
    });
  }

  #setHints(): void {
    const { match } = this.#session.store.state;
    if (match !== undefined) this.#session.store.set({ match: { ...match, hints: this.#hints.checked } });
  }

  #follow(state: State, before: State): void {
    const { match, answer } = state;
    if (match === before.match && answer === before.answer && state.at === before.at) return;
    clearTimeout(this.#timer);
    replace(this.#start, match === undefined ? "Start" : "End the game");
    this.#side.disabled = this.#strength.disabled = match !== undefined;
    if (match === undefined) {
      if (before.match !== undefined) replace(this.#status);
      return;
    }
    if (answer === undefined) return;
    if (state.at > before.at) this.#judge(state, match.human);
    const end = ending(state, match.human, this.#session.table);
    replace(this.#status, end ?? this.#sentence(state));
    if (end !== undefined || match.human === state.placement.turn) return;
    this.#timer = window.setTimeout(() => this.#reply(), PAUSE);
  }

  #reply(): void {
    const { match, answer, placement } = this.#session.store.state;
    if (match === undefined || answer === undefined || placement.turn === match.human) return;
    const choice = choose(answer.choices, match.strength);
    if (choice === undefined) return;
    this.#session.play(choice);
    const moved = choice.targets.map(cellText).join(" ");
    this.#frame.say(`The ${placement.turn} goes to ${moved}.`);
  }

  /** Notes whether the human's last move gave a win or a draw away. */
  #judge({ history, at }: State, human: Side): void {
    const made = history[at - 1];
    const value = history[at]?.answer?.value ?? this.#session.store.state.answer?.value;
    if (made?.placement.turn !== human || made.answer === undefined || value === undefined) return;
    const [best, now] = [made.answer.value, value].map(({ outcome }) => worthOf(outcome, human));
    this.#verdict =
      best === "wins" && now !== "wins"
        ? `That gave the win away: now ${now === "draws" ? "it is a draw" : "you lose"}. `
        : best === "draws" && now === "loses"
          ? "That gave the draw away: now you lose. "
          : "";
  }

  #sentence({ placement, match }: State): string {
    const { human, strength } = match!;
    const turn = placement.turn === human ? "Your turn" : "The table thinks";
    const aim = human === "police" ? "catch the thief" : "get away";
    return `${this.#verdict}${turn}. You are the ${human}: ${aim}; the ${opponent(human)} is ${strength}.`;
  }
}

/** Returns how the game has ended; `undefined` if it goes on. */
function ending(
  { answer, history, at, placement }: State,
  human: Side,
  table: Session["table"],
): string | undefined {
  const made = plies(history.slice(0, at + 1).filter(({ byMove }) => byMove).length);
  if (answer!.choices.length === 0) {
    const { outcome } = answer!.value;
    const you = outcome === "draw" ? "a draw" : outcome === human ? "you win" : "you lose";
    return `${capital(how(outcome, placement, table))} after ${made}: ${you}.`;
  }
  const key = keyOf(placement);
  const times = history.slice(0, at + 1).filter((entry) => keyOf(entry.placement) === key).length;
  if (times < REPETITIONS) return undefined;
  return `The position occurs for the third time, after ${made}: a draw.`;
}

function how(winner: string, { police, thief }: State["placement"], { board }: Session["table"]): string {
  if (winner === "police" && police.some((cell) => isSameCell(cell, thief))) return "the thief is caught";
  if (winner === "thief" && board.square(thief[0], thief[1]) === "exit") return "the thief has escaped";
  return `the ${winner} has won`;
}
