import { SLICE_OUTCOMES, type Side, type Slice } from "dragnet-probe";
import { html, replace } from "../../base/dom.js";
import { capital, count, sentence } from "../../base/text.js";
import type { Frame } from "../view.js";
import { placed } from "./position.js";
import type { Session } from "./session.js";
import { type Heat, type State, areValuesHidden } from "./state.js";
import { type Switch, layerSwitch, worldSwitch } from "./switches.js";

const HEATS: readonly [Heat, string][] = [
  ["police", "Police"],
  ["thief", "Thief"],
  ["escapes", "Escapes"],
  ["none", "Off"],
];

/** The value of the position in words, the side to move, and what the heat map shows. */
export class ValuePanel {
  readonly element: HTMLElement;
  readonly #session: Session;
  readonly #frame: Frame;
  readonly #value = html("p", { class: "value" });
  readonly #turns: ReadonlyMap<Side, HTMLButtonElement>;
  readonly #heats: ReadonlyMap<Heat, HTMLButtonElement>;
  readonly #officers: readonly HTMLButtonElement[];
  readonly #world: Switch | undefined;
  readonly #layers: Readonly<Record<Side, Switch | undefined>>;
  readonly #escapes = html("p", { class: "quiet escapes" });
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
    const layerOf = (side: Side): Switch | undefined => {
      return layerSwitch(session.table, side, (layer) => session.setLayer(side, layer));
    };
    this.#world = worldSwitch(session.table, (world) => session.setWorld(world));
    this.#layers = { police: layerOf("police"), thief: layerOf("thief") };
    this.element = html(
      "section",
      { class: "panel value-panel", "aria-label": "Value" },
      this.#value,
      group("To move", ...this.#turns.values()),
      this.#world?.element,
      group("Heat map", ...this.#heats.values()),
      this.#escapes,
      officers > 1 && group("Officer", ...this.#officers),
      this.#layers.police?.element,
      this.#layers.thief?.element,
    );
    session.store.listen((state) => this.#draw(state));
    this.#draw(session.store.state);
  }

  #setTurn(turn: Side): void {
    const { placement } = this.#session.store.state;
    this.#session.place({ ...placed(placement, "thief", placement.thief), turn });
  }

  #draw(state: State): void {
    const { placement, answer, heat, slice, officer, match, isDragging } = state;
    const text = valueText(state);
    replace(this.#value, text);
    this.#value.dataset["outcome"] = areValuesHidden(state) ? "" : (answer?.value.outcome ?? "");
    for (const [turn, element] of this.#turns) {
      press(element, turn === placement.turn);
      element.disabled = match !== undefined;
    }
    this.#world?.show(placement.world);
    this.#world?.enable(match === undefined);
    this.#layers.police?.show(state.layers.police);
    this.#layers.thief?.show(state.layers.thief);
    for (const [kind, element] of this.#heats) press(element, kind === heat);
    this.#officers.forEach((element, k) => press(element, k === officer));
    const areShown = heat === "escapes" && slice !== undefined && !areValuesHidden(state);
    replace(this.#escapes, areShown && escapesText(slice));
    const sentence = `${text}. ${capital(placement.turn)} to move.`;
    if (answer === undefined || isDragging || sentence === this.#said) return;
    this.#said = sentence;
    this.#frame.say(sentence);
  }
}

function valueText(state: State): string {
  const { answer, placement } = state;
  if (answer === undefined) return "…";
  if (answer.choices.length > 0 && areValuesHidden(state)) return `${capital(placement.turn)} to move`;
  return capital(sentence(answer.value));
}

/** Returns from how many cells the thief gets away, as the slice of the thief's values says. */
function escapesText({ outcome }: Slice): string {
  const of = { wall: 0, police: 0, thief: 0, draw: 0 };
  for (const kind of outcome) of[SLICE_OUTCOMES[kind]!]++;
  const { police: caught, thief: free, draw: drawn } = of;
  const draws = drawn === 0 ? "" : `draws on ${count(drawn)}, `;
  return `The thief gets away from ${count(free)} ${free === 1 ? "cell" : "cells"}, ${draws}is caught on ${count(caught)}.`;
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
