import type { Side, Table } from "dragnet-probe";
import { Store } from "../../base/store.js";
import type { TableItem } from "../../model/catalogue.js";
import { layerOf, placeInLayer } from "../../model/layers.js";
import type { Place } from "../../model/link.js";
import type { Setting } from "../../model/setting.js";
import type { Frame } from "../view.js";
import { type Choice, choicesOf } from "./choices.js";
import type { Opened } from "./files.js";
import { type Placement, asked, cellOf, isEqual, placed, readPlacement } from "./position.js";
import { type Entry, type Heat, type State, linkOf, placedPiece, readHeat, sliceKey } from "./state.js";

/** A table that is looked at: its state, and what can be done with it. */
export class Session {
  readonly store: Store<State>;
  readonly table: Table;
  readonly setting: Setting;
  readonly name: string;
  readonly item: TableItem | undefined;
  readonly #frame: Frame;
  readonly #closed = new AbortController();
  #asking = new AbortController();
  #sliceKey = "";

  constructor({ name, item, setting }: Opened, table: Table, frame: Frame, place: Place) {
    this.table = table;
    this.setting = setting;
    this.name = name;
    this.item = item;
    this.#frame = frame;
    const { placement, heat } =
      this.#read(place) ?? this.#read({ ...place, parameters: new URLSearchParams() })!;
    this.store = new Store<State>({
      placement,
      heat,
      layers: layersOf(placement, 0, table),
      officer: 0,
      plan: [],
      answer: undefined,
      slice: undefined,
      history: [{ placement, byMove: false }],
      at: 0,
      picked: undefined,
      isDragging: false,
      pointed: undefined,
      hovered: undefined,
      line: undefined,
      match: undefined,
      isRunning: false,
    });
  }

  /** Asks for what the first picture needs. Call it once all listeners are there. */
  start(): void {
    this.#writeLink(false);
    this.#ask();
  }

  /** A signal that is aborted when the view closes. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  close(): void {
    this.#closed.abort();
    this.#asking.abort();
  }

  /** Shows the position of a link: a step back or forth in the history if it is one. */
  follow(place: Place): void {
    const read = this.#read(place);
    if (read === undefined) return;
    const { placement, heat } = read;
    const { history, at } = this.store.state;
    if (heat !== this.store.state.heat) this.setHeat(heat);
    if (isEqual(placement, history[at]!.placement)) return;
    const before = [at - 1, at + 1].find((k) => history[k] && isEqual(history[k].placement, placement));
    if (before !== undefined) this.#visit(history, before);
    else this.#add({ placement, byMove: false });
  }

  /** Puts pieces elsewhere or gives the turn to the other side. */
  place(placement: Placement): void {
    if (isEqual(placement, this.store.state.history[this.store.state.at]!.placement)) {
      this.#show({ placement, isDragging: false, picked: undefined });
      return;
    }
    this.#add({ placement, byMove: false });
    this.#writeLink(true);
  }

  /** Shows a position without keeping it, while a piece is dragged. */
  preview(placement: Placement): void {
    this.#show({ placement, isDragging: true });
  }

  /** Plays a move. */
  play(choice: Choice): void {
    this.#add({ placement: choice.after, byMove: true });
    this.#writeLink(true);
  }

  /** Plays a move from a position of the history, and forgets what came after it. */
  playFrom(at: number, choice: Choice): void {
    const history = this.store.state.history.slice(0, at + 1);
    this.#visit([...history, { placement: choice.after, byMove: true }], at + 1);
    this.#writeLink(true);
  }

  /** Goes to a position of the history. */
  jump(at: number): void {
    const { history } = this.store.state;
    if (at < 0 || at >= history.length) return;
    this.#visit(history, at);
    this.#writeLink(true);
  }

  /** Goes to a position of a game that was played, and brings the game back if the history is another one. */
  revisit(game: readonly Entry[], at: number): void {
    const { history } = this.store.state;
    const isKept = game.every(({ placement }, k) => history[k] && isEqual(history[k].placement, placement));
    this.#visit(isKept ? history : game, at);
    this.#writeLink(true);
  }

  /** Forgets all of the history but the position that is shown. */
  forget(): void {
    const { history, at } = this.store.state;
    this.store.set({ history: [{ ...history[at]!, byMove: false }], at: 0 });
  }

  setHeat(heat: Heat): void {
    this.store.set({ heat });
    this.#writeLink(false);
    this.#ask();
  }

  /** Chooses the officer that is moved. */
  setOfficer(officer: number): void {
    if (officer >= this.table.rules.officers) return;
    this.store.set({ officer, layers: layersOf(this.store.state.placement, officer, this.table) });
    this.#ask();
  }

  /** Shows the position in another world. */
  setWorld(world: number): void {
    this.place({ ...this.store.state.placement, world });
  }

  /** Shows a layer of a side, and puts its piece there, unless a match is played or it has no place there. */
  setLayer(side: Side, layer: number): void {
    const { placement, layers, officer, match } = this.store.state;
    const piece = side === "thief" ? "thief" : officer;
    const cell = placeInLayer(this.table, side, cellOf(placement, piece), layer);
    this.store.set({ layers: { ...layers, [side]: layer } });
    if (match === undefined && cell !== undefined) this.place(placed(placement, piece, cell));
  }

  /** Fetches and shows the optimal line from the present position. */
  async showLine(): Promise<void> {
    const { placement } = this.store.state;
    const { signal } = this.#asking;
    const line = await this.table.load((table) => table.line(asked(placement)), { signal });
    if (!signal.aborted) this.store.set({ line });
  }

  /** Reads a link; reports what is wrong in it and returns `undefined`. */
  #read({ parameters }: Place): { placement: Placement; heat: Heat } | undefined {
    try {
      return { placement: readPlacement(parameters, this.table), heat: readHeat(parameters) };
    } catch (error) {
      this.#frame.fail(error);
      return undefined;
    }
  }

  #add(entry: Entry): void {
    const { history, at } = this.store.state;
    this.#visit([...history.slice(0, at + 1), entry], at + 1);
  }

  #visit(history: readonly Entry[], at: number): void {
    this.#show({ history, at, placement: history[at]!.placement, isDragging: false, picked: undefined });
  }

  #show(change: Partial<State>): void {
    const { officer, placement } = this.store.state;
    const isOther = change.placement !== undefined && !isEqual(change.placement, placement);
    const entry = change.history?.[change.at ?? 0];
    this.store.set({
      ...change,
      ...(isOther && {
        answer: entry?.answer,
        plan: [],
        line: undefined,
        pointed: undefined,
        layers: layersOf(change.placement!, officer, this.table),
      }),
      officer,
    });
    if (isOther || this.store.state.answer === undefined) this.#ask();
  }

  /** Asks the table about the placement and the heat map; an earlier question is dropped. */
  #ask(): void {
    this.#asking.abort();
    const asking = (this.#asking = new AbortController());
    const failed = (error: unknown): void => {
      if (!asking.signal.aborted) this.#frame.fail(error);
    };
    this.#askAnswer(asking.signal).catch(failed);
    this.#askSlice(asking.signal).catch(failed);
  }

  async #askAnswer(signal: AbortSignal): Promise<void> {
    const { placement, answer } = this.store.state;
    if (answer !== undefined) return;
    const found = await this.table.load(
      (table) => ({ value: table.value(asked(placement)), choices: choicesOf(table, this.setting, placement) }),
      { signal },
    );
    if (signal.aborted) return;
    const { history, at, isDragging } = this.store.state;
    const isKept = !isDragging && isEqual(history[at]!.placement, placement);
    const known = history.map((entry, k) => (k === at ? { ...entry, answer: found } : entry));
    this.store.set({ answer: found, ...(isKept && { history: known }) });
  }

  async #askSlice(signal: AbortSignal): Promise<void> {
    const { placement, heat, officer } = this.store.state;
    const key = sliceKey(placement, heat, officer);
    if (key === this.#sliceKey && this.store.state.slice !== undefined) return;
    if (heat === "none" || (heat === "police" && placement.police.length === 0)) {
      this.store.set({ slice: undefined });
      return;
    }
    const piece = placedPiece(heat);
    const slice = await this.table.load((table) => table.slice(asked(placement), piece, officer), { signal });
    if (signal.aborted) return;
    this.#sliceKey = key;
    this.store.set({ slice });
  }

  #writeLink(keep: boolean): void {
    const { history, at, heat } = this.store.state;
    this.#frame.setLink(linkOf(this.name, history[at]!.placement, heat), keep);
  }
}

/** Returns the layers in which an officer and the thief are. */
function layersOf(placement: Placement, officer: number, { board }: Table): State["layers"] {
  const police = placement.police.length === 0 ? 0 : layerOf(cellOf(placement, officer), board);
  return { police, thief: layerOf(placement.thief, board) };
}
