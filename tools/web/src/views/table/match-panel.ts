import { Opponent, type Side, Strength } from "dragnet-probe";
import { html, replace } from "../../base/dom.js";
import { capital, opponent } from "../../base/text.js";
import { squareUnder } from "../../model/layers.js";
import type { Frame } from "../view.js";
import type { Choice } from "./choices.js";
import { type Match, endingOf, gameOf, hintText, verdictOf } from "./match.js";
import { asked, cellNames } from "./position.js";
import { ReviewPanel } from "./review.js";
import type { Session } from "./session.js";
import type { State } from "./state.js";
import { PRESET_NAMES, type PresetName, STYLES, difficultyText, randomSeed, readSeed } from "./strengths.js";

/** How long the table waits before it moves, in milliseconds. */
const PAUSE = 450;
/** The level of the dial that is offered first. */
const MIDDLE = Strength.LEVELS / 2;

/** A game of a human against the table: its parameters, its course and its review. */
export class MatchPanel {
  readonly element: HTMLElement;
  readonly #session: Session;
  readonly #frame: Frame;
  readonly #review: ReviewPanel;
  readonly #side = html("select", { id: "match-side" });
  readonly #strength = html("select", { id: "match-strength", change: () => this.#describe() });
  readonly #level = html("input", {
    id: "match-level",
    type: "number",
    min: 0,
    max: Strength.LEVELS,
    value: MIDDLE,
    input: () => this.#describe(),
  });
  readonly #levelRow = html(
    "div",
    { class: "row", hidden: true },
    html("label", { for: "match-level" }, `Level, 0 to ${Strength.LEVELS}`),
    this.#level,
  );
  readonly #style = html("select", { id: "match-style", change: () => this.#describe() });
  readonly #seed = html("input", { id: "match-seed", type: "text", inputmode: "numeric", placeholder: "by lot" });
  readonly #hints = html("input", { id: "match-hints", type: "checkbox", change: () => this.#setHints() });
  readonly #start = html("button", { type: "button", click: () => this.#toggle() }, "Start");
  readonly #difficulty = html("p", { class: "quiet difficulty" });
  readonly #status = html("p", { class: "match-status" });
  readonly #hint = html("p", { class: "match-hint" });
  #replying = new AbortController();

  constructor(session: Session, frame: Frame) {
    this.#session = session;
    this.#frame = frame;
    this.#review = new ReviewPanel(session, frame, (placement) => this.#playAgain(placement));
    for (const side of ["police", "thief"]) this.#side.append(html("option", { value: side }, capital(side)));
    for (const name of PRESET_NAMES) {
      this.#strength.append(html("option", { value: name, selected: name === "normal" }, capital(name)));
    }
    this.#strength.append(html("option", { value: "level" }, "Of a level"));
    for (const [name, { text }] of Object.entries(STYLES)) {
      this.#style.append(html("option", { value: name }, text));
    }
    const row = (...children: HTMLElement[]): HTMLElement => html("div", { class: "row" }, ...children);
    this.element = html(
      "details",
      { class: "panel match-panel" },
      html("summary", {}, html("h2", {}, "Play against the table")),
      row(html("label", { for: "match-side" }, "You play the"), this.#side),
      row(html("label", { for: "match-strength" }, "The table is"), this.#strength),
      this.#levelRow,
      row(html("label", { for: "match-style" }, "Where it cannot win, it"), this.#style),
      row(html("label", { for: "match-seed" }, "Seed of its lots"), this.#seed),
      this.#difficulty,
      row(
        this.#hints,
        html("label", { for: "match-hints" }, "Hints: values, moves, heat map"),
      ),
      row(this.#start),
      html("div", { "aria-live": "polite" }, this.#status, this.#hint),
      this.#review.element,
    );
    this.#describe();
    session.store.listen((state, before) => this.#follow(state, before));
  }

  close(): void {
    this.#replying.abort();
  }

  #toggle(): void {
    const { match } = this.#session.store.state;
    if (match === undefined) this.#begin();
    else this.#finish(match, "You have ended the game.");
  }

  #begin(): void {
    try {
      const { store } = this.#session;
      const opponent = this.#opponent();
      const match = { human: this.#side.value as Side, opponent, strengthName: this.#strengthName() };
      this.#review.hide();
      this.#session.forget();
      store.set({
        match: { ...match, seed: opponent.state, hints: this.#hints.checked },
        isRunning: false,
        line: undefined,
        picked: undefined,
      });
    } catch (error) {
      this.#frame.fail(error);
    }
  }

  #playAgain(placement: State["placement"]): void {
    this.#session.place(placement);
    this.#begin();
    this.#start.focus();
  }

  /** Returns the opponent that is chosen; throws if its level or its seed is out of range. */
  #opponent(): Opponent {
    const seed = this.#seed.value.trim();
    return new Opponent({
      strength: this.#chosenStrength(),
      style: STYLES[this.#style.value as keyof typeof STYLES].style,
      seed: seed === "" ? randomSeed() : readSeed(seed),
    });
  }

  #chosenStrength(): Strength {
    const name = this.#strength.value;
    if (name !== "level") return Strength.PRESETS[name as PresetName];
    return Strength.level(this.#level.value === "" ? NaN : Number(this.#level.value));
  }

  #strengthName(): string {
    const name = this.#strength.value;
    return name === "level" ? `of level ${this.#level.value}` : name;
  }

  /** Says how hard the chosen opponent is, or the one that plays. */
  #describe(): void {
    this.#levelRow.hidden = this.#strength.value !== "level";
    const { match } = this.#session.store.state;
    if (match !== undefined) {
      const { strength, style } = match.opponent;
      const text = difficultyText(match.strengthName, strength, style);
      replace(this.#difficulty, `${text} Seed ${match.seed}.`);
      return;
    }
    try {
      const { style } = STYLES[this.#style.value as keyof typeof STYLES];
      replace(this.#difficulty, difficultyText(this.#strengthName(), this.#chosenStrength(), style));
    } catch {
      replace(this.#difficulty, `Level: expected an integer from 0 to ${Strength.LEVELS}.`);
    }
  }

  #setHints(): void {
    const { match } = this.#session.store.state;
    if (match !== undefined) this.#session.store.set({ match: { ...match, hints: this.#hints.checked } });
  }

  #follow(state: State, before: State): void {
    const { match, answer } = state;
    if (match === before.match && answer === before.answer && state.at === before.at) return;
    this.#replying.abort();
    this.#control(state);
    if (match?.opponent !== before.match?.opponent) this.#describe();
    if (match === undefined || answer === undefined) return;
    if (state.at < before.at) match.opponent.forget();
    const { rules, board } = this.#session.table;
    const history = state.history.slice(0, state.at + 1);
    const end = endingOf(gameOf(history, match.human), rules.undecided, (cell) => {
      return board.square(...squareUnder(cell, board)) === "exit";
    });
    if (end !== undefined) {
      this.#finish(match, end);
      return;
    }
    const isTurn = match.human === state.placement.turn;
    replace(this.#status, verdictOf(history, match.human, rules.undecided), sentence(state, match));
    replace(this.#hint, isTurn && match.hints && hintText(answer.choices, match.human, rules.undecided));
    if (!isTurn) this.#replyLater();
  }

  /** Lets only what is possible now be chosen. */
  #control({ match, answer }: State): void {
    const isPlaying = match !== undefined;
    replace(this.#start, isPlaying ? "End the game" : "Start");
    this.#start.disabled = !isPlaying && answer?.choices.length === 0;
    const parameters = [this.#side, this.#strength, this.#level, this.#style, this.#seed];
    for (const parameter of parameters) parameter.disabled = isPlaying;
  }

  #replyLater(): void {
    const { signal } = (this.#replying = new AbortController());
    setTimeout(() => {
      if (signal.aborted) return;
      this.#reply(signal).catch((error: unknown) => {
        if (!signal.aborted) this.#frame.fail(error);
      });
    }, PAUSE);
  }

  /** Makes the move that the opponent chooses. */
  async #reply(signal: AbortSignal): Promise<void> {
    const { table, store } = this.#session;
    const { match, answer, placement } = store.state;
    const found = await table.load((t) => match?.opponent.choose(t, asked(placement)), { signal });
    if (signal.aborted || found === undefined) return;
    const isFound = ({ to, after }: Choice): boolean => {
      return String(to) === String(found.to) && after.world === found.position.world;
    };
    const choice = answer?.choices.find(isFound);
    if (choice === undefined) return;
    this.#session.play(choice);
    const moved = cellNames(choice.targets, placement.turn, this.#session);
    this.#frame.say(`The ${placement.turn} goes to ${moved}.`);
  }

  /** Ends the match and shows its review. */
  #finish({ human }: Match, end: string): void {
    const { history, at } = this.#session.store.state;
    this.#session.store.set({ match: undefined });
    replace(this.#status, end);
    replace(this.#hint);
    this.#review.show(gameOf(history.slice(0, at + 1), human));
  }
}

function sentence({ placement }: State, { human, strengthName }: Match): string {
  const turn = placement.turn === human ? "Your turn" : "The table thinks";
  const aim = human === "police" ? "catch the thief" : "get away";
  return `${turn}. You are the ${human}: ${aim}; the ${opponent(human)} is ${strengthName}.`;
}
