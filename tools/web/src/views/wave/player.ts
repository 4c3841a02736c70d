import { html, replace } from "../../base/dom.js";

/** The speeds of a run, in steps a second. */
const SPEEDS = [1, 2, 4, 8, 20, 60];

/** The steps that a player moves through. */
export interface Track {
  /** The name of a step, such as "step" or "level". */
  readonly unit: string;
  /** Called when another step is to be shown; `running` while steps follow each other quickly. */
  go(step: number, running: boolean): void;
}

/** The buttons, the speed and the timeline that go through the steps of a wave. It starts paused. */
export class Player {
  readonly element: HTMLElement;
  readonly #track: Track;
  readonly #reset: HTMLButtonElement;
  readonly #back: HTMLButtonElement;
  readonly #next: HTMLButtonElement;
  readonly #run: HTMLButtonElement;
  readonly #speed: HTMLSelectElement;
  readonly #slider: HTMLInputElement;
  readonly #count = html("output", { class: "quiet" });
  #at = 0;
  #last = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(track: Track) {
    this.#track = track;
    const button = (text: string, title: string, click: () => void): HTMLButtonElement =>
      html("button", { type: "button", title, click }, text);
    this.#reset = button("Reset", "Go to the beginning (Home)", () => this.#go(0));
    this.#back = button("Step back", "Go one step back (B)", () => this.#go(this.#at - 1));
    this.#next = button("Step", "Go one step on (N)", () => this.#go(this.#at + 1));
    this.#run = button("Run", "Go on by itself, or stop (R)", () => this.#toggle());
    const options = SPEEDS.map((speed) => html("option", { value: speed, selected: speed === 4 }, `${speed} a second`));
    this.#speed = html("select", { "aria-label": "Speed" }, ...options);
    this.#slider = html("input", {
      type: "range",
      min: 0,
      step: 1,
      class: "timeline",
      "aria-label": `Timeline: ${track.unit}`,
      input: () => this.#go(Number(this.#slider.value)),
    });
    this.element = html(
      "div",
      { class: "player", role: "group", "aria-label": "Steps" },
      html("div", { class: "row" }, this.#reset, this.#back, this.#next, this.#run, this.#speed, this.#count),
      this.#slider,
    );
  }

  /** The step that is shown. */
  get at(): number {
    return this.#at;
  }

  /** The number of the last step. */
  get last(): number {
    return this.#last;
  }

  /** Shows a step of a track with a number of steps, without telling the track. */
  show(at: number, last: number): void {
    this.#last = last;
    this.#at = Math.min(Math.max(Math.trunc(at), 0), last);
    this.#draw();
  }

  /** Uses a key: N next, B back, R run, Home and End. Returns whether it did. */
  key({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    if (ctrlKey || metaKey || altKey) return false;
    const act: Readonly<Record<string, () => void>> = {
      n: () => this.#go(this.#at + 1),
      b: () => this.#go(this.#at - 1),
      r: () => this.#toggle(),
      Home: () => this.#go(0),
      End: () => this.#go(this.#last),
    };
    const found = Object.hasOwn(act, key) ? act[key] : undefined;
    found?.();
    return found !== undefined;
  }

  /** Stops a run. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#draw();
  }

  #go(step: number): void {
    this.stop();
    this.#move(step, false);
  }

  #move(step: number, running: boolean): void {
    const to = Math.min(Math.max(step, 0), this.#last);
    if (to === this.#at) return;
    this.#at = to;
    this.#draw();
    this.#track.go(to, running);
  }

  #toggle(): void {
    if (this.#timer !== undefined) {
      this.stop();
      this.#track.go(this.#at, false);
      return;
    }
    if (this.#at === this.#last) this.#move(0, true);
    this.#tick();
    this.#draw();
  }

  #tick(): void {
    this.#timer = setTimeout(() => {
      const isLast = this.#at + 1 >= this.#last;
      if (isLast) this.stop();
      this.#move(this.#at + 1, !isLast);
      if (!isLast) this.#tick();
    }, 1000 / Number(this.#speed.value));
  }

  #draw(): void {
    const isRunning = this.#timer !== undefined;
    this.#reset.disabled = this.#back.disabled = this.#at === 0;
    this.#next.disabled = this.#at === this.#last;
    this.#run.setAttribute("aria-pressed", String(isRunning));
    replace(this.#run, isRunning ? "Pause" : "Run");
    this.#slider.max = String(this.#last);
    this.#slider.value = String(this.#at);
    this.#slider.setAttribute("aria-valuetext", `${this.#track.unit} ${this.#at} of ${this.#last}`);
    replace(this.#count, `${this.#track.unit} ${this.#at} of ${this.#last}`);
  }
}

/** Returns whether a key was pressed where it writes, or where it has a meaning of its own. */
export function isWriting(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, select, textarea") !== null;
}
