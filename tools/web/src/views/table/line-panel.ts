import type { Line } from "dragnet-probe";
import { html, replace } from "../../base/dom.js";
import { capital, plies, sentence } from "../../base/text.js";
import type { Frame } from "../view.js";
import { isHumanToMove } from "./figures.js";
import { cellNames } from "./position.js";
import type { Session } from "./session.js";
import { type State, areValuesHidden } from "./state.js";

const SPEEDS = [0.5, 1, 2, 4, 8, 16] as const;
const ENDS: Readonly<Record<Line["end"], string>> = {
  caught: "the thief is caught",
  escaped: "the thief escapes",
  arrived: "an officer reaches an exit",
  stuck: "a side has no move",
  repetition: "the position occurs again",
};

/** The optimal line: its plies, its ways on the board, and playing it out. */
export class LinePanel {
  readonly element: HTMLElement;
  readonly #session: Session;
  readonly #frame: Frame;
  readonly #show = html(
    "button",
    { type: "button", "aria-pressed": "false", click: () => this.#toggle() },
    "Line",
  );
  readonly #best = html("button", { type: "button", click: () => this.#step() }, "Best");
  readonly #run = html("button", { type: "button", click: () => this.#toggleRun() }, "Play out");
  readonly #speed = html("select", { "aria-label": "Speed" });
  readonly #plies = html("div", { class: "line" });
  #timer = 0;

  constructor(session: Session, frame: Frame) {
    this.#session = session;
    this.#frame = frame;
    for (const speed of SPEEDS) {
      this.#speed.append(html("option", { value: speed, selected: speed === 2 }, `${speed} plies/s`));
    }
    this.element = html(
      "section",
      { class: "panel line-panel", "aria-label": "Optimal play" },
      html("h2", {}, "Optimal play"),
      html("div", { class: "row" }, this.#show, this.#best, this.#run, this.#speed),
      this.#plies,
    );
    session.store.listen((state, before) => this.#draw(state, before));
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #toggle(): void {
    const { line } = this.#session.store.state;
    if (line !== undefined) this.#session.store.set({ line: undefined });
    else this.#session.showLine().catch((error: unknown) => this.#frame.fail(error));
  }

  #step(): void {
    const best = this.#session.store.state.answer?.choices[0];
    if (best !== undefined) this.#session.play(best);
  }

  #toggleRun(): void {
    const { isRunning } = this.#session.store.state;
    clearTimeout(this.#timer);
    this.#session.store.set({ isRunning: !isRunning });
    if (!isRunning) this.#advance();
  }

  /** Plays the best move and waits; stops at the end, and when a draw repeats a position. */
  #advance(): void {
    const { store } = this.#session;
    if (!store.state.isRunning) return;
    const { answer, history, at } = store.state;
    if (answer === undefined) {
      this.#timer = window.setTimeout(() => this.#advance(), 30);
      return;
    }
    const best = answer.choices[0];
    if (best === undefined) {
      store.set({ isRunning: false });
      return;
    }
    this.#session.play(best);
    const after = JSON.stringify(store.state.placement);
    const isRepeated = history.slice(0, at + 1).some(({ placement }) => JSON.stringify(placement) === after);
    if (isRepeated && best.outcome === "draw") {
      store.set({ isRunning: false });
      this.#frame.say("The position occurs again: a draw.");
      return;
    }
    this.#timer = window.setTimeout(() => this.#advance(), 1000 / Number(this.#speed.value));
  }

  #draw(state: State, before: State): void {
    const { line, isRunning, answer, match } = state;
    const canMove = (answer?.choices.length ?? 0) > 0;
    const isBlind = areValuesHidden(state);
    this.#show.disabled = isBlind || !canMove;
    this.#best.disabled =
      isBlind || !canMove || isRunning || !isHumanToMove(state);
    this.#run.disabled = match !== undefined || (!canMove && !isRunning);
    this.#run.setAttribute("aria-pressed", String(isRunning));
    replace(this.#run, isRunning ? "Stop" : "Play out");
    this.#show.setAttribute("aria-pressed", String(line !== undefined));
    if (line === before.line) return;
    if (line === undefined) replace(this.#plies);
    else replace(this.#plies, this.#summary(line), this.#list(line));
  }

  #summary(line: Line): HTMLElement {
    const text = `${capital(sentence(line))}: ${ENDS[line.end]} after ${plies(line.moves.length)}.`;
    this.#frame.say(text);
    return html("p", {}, text);
  }

  #list(line: Line): HTMLElement {
    const items = line.moves.map(({ side, to }) => {
      const letter = side === "police" ? "P" : "T";
      return html("li", { class: side }, html("abbr", { title: capital(side) }, letter), ` ${cellNames(to, side, this.#session)}`);
    });
    return html("ol", { tabindex: 0, "aria-label": "Plies of the line" }, ...items);
  }
}
