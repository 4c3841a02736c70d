import { html } from "../../base/dom.js";

/** The steps that a player goes through. */
export interface PlayerHost {
  /** Shows the state after so many steps. */
  go(step: number): void;
  /** The name of a step in the buttons, such as "step" or "level". */
  readonly unit: string;
}

/** The pause between two steps in milliseconds, by the place of the speed's slider. */
const PAUSES = [1600, 1000, 600, 350, 200, 100, 40];

/**
 * The controls of an animation: step, step back, run with a speed, reset, and a timeline. It starts paused.
 * Keys: → or n steps, ← or b steps back, space runs or pauses, Home resets, End goes to the end.
 */
export class Player {
  readonly element: HTMLElement;
  readonly #host: PlayerHost;
  readonly #back: HTMLButtonElement;
  readonly #step: HTMLButtonElement;
  readonly #run: HTMLButtonElement;
  readonly #reset: HTMLButtonElement;
  readonly #timeline = html("input", { type: "range", min: 0, max: 0, value: 0, class: "timeline" });
  readonly #speed = html("input", { type: "range", min: 0, max: PAUSES.length - 1, value: 2, class: "speed" });
  readonly #count = html("output", {});
  #at = 0;
  #last = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: PlayerHost) {
    this.#host = host;
    const button = (text: string, title: string, click: () => void): HTMLButtonElement =>
      html("button", { type: "button", title, click }, text);
    this.#back = button("Step back", "Step back (← or b)", () => this.#jump(this.#at - 1));
    this.#step = button("Step", "Step (→ or n)", () => this.#jump(this.#at + 1));
    this.#run = button("Run", "Run or pause (space)", () => this.#toggle());
    this.#reset = button("Reset", "Reset (Home)", () => this.#jump(0));
    this.#timeline.setAttribute("aria-label", `Timeline: ${host.unit}`);
    this.#timeline.addEventListener("input", () => this.#jump(Number(this.#timeline.value)));
    this.element = html(
      "div",
      { class: "player panel", role: "group", "aria-label": "Controls" },
      html("div", { class: "row" }, this.#reset, this.#back, this.#step, this.#run, html("label", { class: "row" }, "Speed", this.#speed)),
      html("div", { class: "row timeline-row" }, this.#timeline, this.#count),
    );
  }

  /** The number of steps that are shown. */
  get at(): number {
    return this.#at;
  }

  /** Begins with other steps, at one of them, paused. */
  begin(last: number, at: number): void {
    this.pause();
    this.#last = last;
    this.#timeline.max = `${last}`;
    this.#show(at);
  }

  /** Stops running. */
  pause(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#run.textContent = "Run";
    this.#run.setAttribute("aria-pressed", "false");
  }

  /** Uses a key. Returns whether it means anything here. */
  key(event: KeyboardEvent): boolean {
    const target = event.target instanceof Element ? event.target : undefined;
    if (event.ctrlKey || event.metaKey || event.altKey || target?.closest("input, select, textarea") != null) return false;
    const isButton = target?.closest("button, a, summary") != null;
    if (event.key === " " && !isButton) this.#toggle();
    else if (event.key === "ArrowRight" || event.key === "n") this.#jump(this.#at + 1);
    else if (event.key === "ArrowLeft" || event.key === "b") this.#jump(this.#at - 1);
    else if (event.key === "Home") this.#jump(0);
    else if (event.key === "End") this.#jump(this.#last);
    else return false;
    return true;
  }

  #jump(step: number): void {
    this.pause();
    this.#show(step);
  }

  #toggle(): void {
    if (this.#timer !== undefined) {
      this.pause();
      return;
    }
    if (this.#at >= this.#last) this.#show(0);
    this.#run.textContent = "Pause";
    this.#run.setAttribute("aria-pressed", "true");
    this.#wait();
  }

  #wait(): void {
    this.#timer = setTimeout(() => {
      this.#show(this.#at + 1);
      if (this.#at >= this.#last) this.pause();
      else this.#wait();
    }, PAUSES[Number(this.#speed.value)]!);
  }

  #show(step: number): void {
    this.#at = Math.min(Math.max(step, 0), this.#last);
    this.#timeline.value = `${this.#at}`;
    this.#count.textContent = `${this.#host.unit} ${this.#at} of ${this.#last}`;
    this.#back.disabled = this.#reset.disabled = this.#at === 0;
    this.#step.disabled = this.#at === this.#last;
    this.#host.go(this.#at);
  }
}
