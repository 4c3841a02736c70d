import type { Cell, Side, Slice, Statistics, Table } from "dragnet-probe";
import { isSameCell } from "../../model/cell.js";
import { html, replace } from "../../base/dom.js";
import { fetchFile } from "../../base/fetch.js";
import { bytes, capital, messageOf, opponent } from "../../base/text.js";
import { createBoardCanvas } from "../../board/canvas.js";
import type { Piece, Scene } from "../../board/scene.js";
import { valuesOf } from "../../board/values.js";
import { Doors } from "../../model/doors.js";
import { layerOf, onLayer, placeInLayer, placeOn, squareUnder } from "../../model/layers.js";
import { knownAt, levelCounts, sliceHistogram } from "../../model/levels.js";
import { type Place, linkTo } from "../../model/link.js";
import type { Setting } from "../../model/setting.js";
import {
  type Placement,
  asked,
  cellName,
  cellOf,
  cellText,
  placed,
  readPlacement,
  sideOf,
  teamText,
} from "../table/position.js";
import { type Switch, layerSwitch, worldSwitch } from "../table/switches.js";
import type { Frame } from "../view.js";
import { readStep } from "./graph-page.js";
import { LevelChart } from "./level-chart.js";
import { Player, isWriting } from "./player.js";

/** The most fresh cells that are outlined one by one. */
const MOST_OUTLINES = 4000;

/** The table whose wave is shown on a board. */
export interface BoardSubject {
  readonly title: string;
  readonly table: Table;
  readonly setting: Setting;
  /** The address of the table's statistics. */
  readonly statistics?: string | undefined;
  readonly path: readonly string[];
}

/**
 * The wave on a board, level by level: one piece stands, and each cell of the other has the level that
 * decides it.
 */
export class BoardWavePage {
  readonly element: HTMLElement;
  readonly #subject: BoardSubject;
  readonly #frame: Frame;
  readonly #stop = new AbortController();
  readonly #canvas;
  readonly #chart = new LevelChart((level) => this.#jump(level));
  readonly #player: Player;
  readonly #sentence = html("p", { class: "wave-sentence" });
  readonly #hovered = html("p", { class: "quiet wave-hover" });
  readonly #more = html("div", { class: "row" });
  readonly #heat: HTMLSelectElement;
  readonly #turn: HTMLSelectElement;
  readonly #world: Switch | undefined;
  readonly #layerSwitches: Readonly<Record<Side, Switch | undefined>>;
  readonly #doors: Doors;
  readonly #last: number;
  #place: Placement;
  #varied: Side = "thief";
  #officer = 0;
  /** The layer of each side that is shown, and in which its piece is put. */
  #layers: Record<Side, number> = { police: 0, thief: 0 };
  #slice: Slice | undefined;
  #asked = 0;
  #isWhole = false;

  constructor(subject: BoardSubject, frame: Frame, place: Place) {
    this.#subject = subject;
    this.#frame = frame;
    const { table } = subject;
    this.#last = Math.max(table.longest.police, table.longest.thief);
    this.#doors = new Doors(table);
    this.#place = readPlacement(place.parameters, table);
    this.#canvas = createBoardCanvas(`The board ${subject.title}`, {
      press: (cell) => this.#press(cell),
      drag: (cell) => this.#move(cell),
      release: () => this.#link(),
      hover: (cell) => this.#hover(cell),
      key: (event, cursor) => this.#canvasKey(event, cursor),
    });
    this.#player = new Player({ unit: "level", go: (_, running) => this.#go(running) });
    const option = (value: string, text: string): HTMLElement => html("option", { value }, text);
    const choose = (): void => this.#choose();
    const police = table.rules.officers > 0 && option("police", "police");
    this.#heat = html("select", { change: choose }, option("thief", "thief"), police);
    this.#turn = html("select", { change: choose }, option("police", "police"), option("thief", "thief"));
    this.#world = worldSwitch(table, (world) => this.#show({ ...this.#place, world }));
    const layerOfSide = (side: Side): Switch | undefined => {
      return layerSwitch(table, side, (layer) => this.#setLayer(side, layer));
    };
    this.#layerSwitches = { police: layerOfSide("police"), thief: layerOfSide("thief") };
    this.element = html(
      "div",
      { class: "wave-page", keydown: (event: KeyboardEvent) => this.#key(event) },
      html("p", { class: "quiet" }, "A level decides the positions that are won or lost in as many plies. Drag the piece that stands; the cells show the other one."),
      this.#player.element,
      this.#sentence,
      html(
        "div",
        { class: "wave-columns" },
        this.#canvas.element,
        html(
          "div",
          { class: "wave-side" },
          html("div", { class: "row" }, html("label", {}, "Cells of the ", this.#heat), html("label", {}, "To move ", this.#turn)),
          this.#world?.element,
          this.#layerSwitches.police?.element,
          this.#layerSwitches.thief?.element,
          this.#hovered,
          html("h2", {}, "Positions decided on each level"),
          this.#chart.element,
          this.#more,
          html("p", { class: "quiet" }, "Outlined cells are decided on this level; draws settle after the last one."),
        ),
      ),
    );
    this.#read(place);
    this.#count();
  }

  follow(place: Place): void {
    this.#player.stop();
    this.#place = readPlacement(place.parameters, this.#subject.table);
    this.#read(place);
  }

  close(): void {
    this.#player.stop();
    this.#stop.abort();
    this.#canvas.close();
  }

  #read({ parameters }: Place): void {
    const heat = parameters.get("heat") ?? "thief";
    if (heat !== "thief" && heat !== "police") throw new Error(`link, heat: expected police or thief, found ${heat}`);
    this.#varied = heat;
    this.#heat.value = heat;
    this.#turn.value = this.#place.turn;
    this.#followPieces();
    this.#player.show(readStep(parameters, "level"), this.#last + 1);
    this.#ask();
  }

  #choose(): void {
    this.#varied = this.#heat.value === "police" ? "police" : "thief";
    this.#show({ ...this.#place, turn: this.#turn.value === "thief" ? "thief" : "police" });
  }

  /** Shows another position. */
  #show(place: Placement): void {
    this.#place = place;
    this.#world?.show(place.world);
    this.#link();
    this.#ask();
  }

  /** Shows the layers in which the pieces are. */
  #followPieces(): void {
    const { board } = this.#subject.table;
    const { world, police, thief } = this.#place;
    const layer = police.length === 0 ? 0 : layerOf(cellOf(this.#place, this.#officer), board);
    this.#layers = { police: layer, thief: layerOf(thief, board) };
    this.#world?.show(world);
    this.#layerSwitches.police?.show(this.#layers.police);
    this.#layerSwitches.thief?.show(this.#layers.thief);
  }

  /** Shows a layer of a side, and puts its piece there if it has a place on its square. */
  #setLayer(side: Side, layer: number): void {
    const { table } = this.#subject;
    this.#layers = { ...this.#layers, [side]: layer };
    const piece = side === "thief" ? "thief" : this.#officer;
    const cell = placeInLayer(table, side, cellOf(this.#place, piece), layer);
    if (cell !== undefined) this.#show(placed(this.#place, piece, cell));
    else this.#draw();
  }

  /** Gets the slice of the present position, and draws it. */
  #ask(): void {
    const number = ++this.#asked;
    const { table } = this.#subject;
    const position = asked(this.#place);
    table
      .load((table) => table.slice(position, this.#varied, this.#varied === "police" ? this.#officer : undefined), { signal: this.#stop.signal })
      .then((slice) => {
        if (number !== this.#asked) return;
        this.#slice = slice;
        if (!this.#isWhole) this.#chart.show(levelCounts(sliceHistogram(slice)), "of the cells in this picture");
        this.#draw();
      })
      .catch((error: unknown) => {
        if (!this.#stop.signal.aborted) this.#frame.fail(error);
      });
  }

  /** Counts the positions of the whole table, if that costs no large transfer; else offers to. */
  #count(): void {
    const { table, statistics } = this.#subject;
    if (statistics !== undefined) this.#try(() => fetchStatistics(statistics, this.#stop.signal));
    else if (table.isLocal) this.#try(() => Promise.resolve(table.statistics()));
    else {
      const all = async (): Promise<Statistics> => {
        await table.load((table) => table.bytes, { signal: this.#stop.signal });
        return table.statistics();
      };
      const text = `Count the whole table (${bytes(table.byteLength)})`;
      replace(this.#more, html("button", { type: "button", click: () => this.#try(all) }, text));
    }
  }

  #try(counted: () => Promise<Statistics>): void {
    replace(this.#more);
    counted()
      .then(({ histogram }) => {
        this.#isWhole = true;
        this.#chart.show(levelCounts(histogram), "of the whole table");
        this.#chart.light(this.#player.at);
      })
      .catch((error: unknown) => {
        if (!this.#stop.signal.aborted) replace(this.#more, html("p", { role: "alert" }, capital(messageOf(error))));
      });
  }

  #go(running: boolean): void {
    this.#draw();
    if (running) return;
    this.#link();
    this.#frame.say(this.#sentence.textContent ?? "");
  }

  #jump(level: number): void {
    this.#player.stop();
    this.#player.show(level, this.#last + 1);
    this.#go(false);
  }

  #link(): void {
    const { world, police, thief, turn } = this.#place;
    const level = this.#player.at === 0 ? undefined : String(this.#player.at);
    const inWorld = world === 0 ? undefined : String(world);
    const pieces = { world: inWorld, police: teamText(police), thief: cellText(thief), turn };
    const parameters = { level, heat: this.#varied, ...pieces };
    this.#frame.setLink(linkTo(this.#subject.path, parameters), false);
  }

  #draw(): void {
    const slice = this.#slice;
    if (slice === undefined) return;
    const { board } = this.#subject.table;
    const { height, width } = board;
    const level = this.#player.at;
    const known = knownAt(slice, level, this.#last);
    const layer = this.#layers[this.#varied];
    const values = valuesOf({ ...slice, outcome: known.outcomes }, layer, board);
    const first = layer * height * width;
    const fresh = known.fresh.map((at) => at - first).filter((at) => at >= 0 && at < height * width);
    const scene: Scene = {
      height,
      width,
      squares: this.#doors.squaresIn(this.#place.world),
      values,
      pieces: this.#pieces(),
      wrap: this.#subject.setting.rules?.wrap ?? "none",
      ...(fresh.length > MOST_OUTLINES ? {} : { outline: fresh.map((at): Cell => [Math.floor(at / width), at % width]) }),
    };
    this.#canvas.show(scene);
    this.#chart.light(level);
    const { police, thief, draw } = slice.counts;
    const decided = known.outcomes.reduce((sum, outcome) => sum + Number(outcome !== 0), 0);
    const what = level > this.#last ? "What no level reached settles as drawn" : `Level ${level}`;
    const isNew = `${known.fresh.length} ${known.fresh.length === 1 ? "cell" : "cells"} of the ${this.#varied}`;
    replace(
      this.#sentence,
      `${what}: ${isNew} ${level > this.#last ? "are drawn" : "are decided now"}, ${decided} of ${police + thief + draw} in all, with the ${this.#place.turn} to move.`,
    );
  }

  #pieces(): Piece[] {
    const { board } = this.#subject.table;
    const { police, thief } = this.#place;
    const officers = police.map((place, officer): Piece => {
      const cell = squareUnder(place, board);
      return { side: "police", cell, ...(police.length > 1 ? { officer } : {}) };
    });
    if (this.#varied === "thief") return officers;
    return [{ side: "thief", cell: squareUnder(thief, board) }, ...officers.filter((_, officer) => officer !== this.#officer)];
  }

  #press(cell: Cell): boolean {
    if (this.#varied === "thief") {
      const { board } = this.#subject.table;
      const officer = this.#place.police.findIndex((own) => isSameCell(squareUnder(own, board), cell));
      if (officer >= 0) {
        this.#officer = officer;
        this.#followPieces();
      }
    }
    return this.#move(cell);
  }

  /** Moves the piece that stands. Returns whether it can stand there. */
  #move(cell: Cell): boolean {
    const piece = this.#varied === "thief" ? this.#officer : "thief";
    const side = sideOf(piece);
    if (piece === 0 && this.#place.police.length === 0) return false;
    const from = cellOf(this.#place, piece);
    const to = placeOn(this.#subject.table, side, from, cell, this.#layers[side]);
    if (to === undefined) return false;
    if (isSameCell(from, to)) return true;
    this.#place = placed(this.#place, piece, to);
    this.#followPieces();
    this.#ask();
    return true;
  }

  #hover(cell: Cell | undefined): void {
    const slice = this.#slice;
    if (cell === undefined || slice === undefined || !this.#subject.table.board.has(...cell)) return;
    const place = onLayer(cell, this.#layers[this.#varied], this.#subject.table.board);
    const at = place[0] * slice.width + place[1];
    const outcome = slice.outcome[at]!;
    if (outcome === 0) return;
    const decided = outcome === 3 ? this.#last + 1 : slice.dtw[at]!;
    const name = outcome === 3 ? "a draw" : `won by the ${outcome === 1 ? "police" : "thief"}, level ${decided}`;
    replace(this.#hovered, `${cellName(place, this.#varied, this.#subject)}: ${decided <= this.#player.at ? name : "not decided yet"}`);
  }

  #canvasKey(event: KeyboardEvent, cursor: Cell): boolean {
    if (event.key === "Enter" || event.key === " ") {
      this.#press(cursor);
      this.#link();
      return true;
    }
    if (event.key === "t") {
      this.#turn.value = opponent(this.#place.turn);
      this.#choose();
      return true;
    }
    return this.#player.key(event);
  }

  #key(event: KeyboardEvent): void {
    if (isWriting(event.target) || event.target instanceof HTMLCanvasElement) return;
    if (this.#player.key(event)) event.preventDefault();
  }
}

async function fetchStatistics(url: string, signal: AbortSignal): Promise<Statistics> {
  return (await (await fetchFile(url, signal)).json()) as Statistics;
}
