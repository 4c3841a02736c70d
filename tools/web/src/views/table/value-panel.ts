import type { Side } from "dragnet-probe";
import { html, replace } from "../../base/dom.js";
import { capital, sentence } from "../../base/text.js";
import type { Frame } from "../view.js";
import { placed } from "./position.js";
import type { Session } from "./session.js";
import type { Heat, State } from "./state.js";

const HEATS: readonly [Heat, string][] = [
  ["police", "Police"],
  ["thief", "Thief"],
  ["none", "Off"],
];

/** The value of the position in words, the side to move, and the piece of the heat map. */
export class ValuePanel {
  readonly element: HTMLElement;
  readonly #session: Session;
  readonly #frame: Frame;
  readonly #value = html("p", { class: "value" });
  readonly #turns: ReadonlyMap<Side, HTMLButtonElement>;
  readonly #heats: ReadonlyMap<Heat, HTMLButtonElement>;
  readonly #officers: readonly HTMLButtonElement[];
  #said = "";

  constructor(session: Session, frame: Frame) {
    this.#session = session;
    this.#frame = frame;
    this.#turns = new Map(
      (["police", "thief"] as const).map((turn) => [turn, button(capital(turn), () => this.#setTurn(turn))]),
    );
    this.#heats = new Map(HEATS.map(([heat, text]) => [heat, button(text, () => session.setHeat(heat))]));
    const { officers } = session.table.rules;
    this.#officers = Array.from({ length: officers }, (_, k) =>
      button(String(k + 1), () => session.setOfficer(k)),
    );
    this.element = html(
      "section",
      { class: "panel value-panel", "aria-label": "Value" },
      this.#value,
      group("To move", ...this.#turns.values()),
      group("Heat map", ...this.#heats.values()),
      officers > 1 && group("Officer", ...this.#officers),
    );
    session.store.listen((state) => this.#draw(state));
    this.#draw(session.store.state);
  }

  #setTurn(turn: Side): void {
    const { placement } = this.#session.store.state;
    this.#session.place({ ...placed(placement, "thief", placement.thief), turn });
  }

  #draw(state: State): void {
    const { placement, answer, heat, officer, match, isDragging } = state;
    const text = valueText(state);
    replace(this.#value, text);
    this.#value.dataset["outcome"] = match && !match.hints ? "" : (answer?.value.outcome ?? "");
    for (const [turn, element] of this.#turns) {
      press(element, turn === placement.turn);
      element.disabled = match !== undefined;
    }
    for (const [kind, element] of this.#heats) press(element, kind === heat);
    this.#officers.forEach((element, k) => press(element, k === officer));
    const sentence = `${text}. ${capital(placement.turn)} to move.`;
    if (answer === undefined || isDragging || sentence === this.#said) return;
    this.#said = sentence;
    this.#frame.say(sentence);
  }
}

function valueText({ answer, match, placement }: State): string {
  if (answer === undefined) return "…";
  if (answer.choices.length > 0 && match !== undefined && !match.hints)
    return `${capital(placement.turn)} to move`;
  return capital(sentence(answer.value));
}

function button(text: string, click: () => void): HTMLButtonElement {
  return html("button", { type: "button", click }, text);
}

function press(element: HTMLButtonElement, isPressed: boolean): void {
  element.setAttribute("aria-pressed", String(isPressed));
}

function group(name: string, ...buttons: HTMLElement[]): HTMLElement {
  const caption = html("span", { class: "caption", "aria-hidden": "true" }, name);
  return html("div", { class: "row", role: "group", "aria-label": name }, caption, ...buttons);
}
