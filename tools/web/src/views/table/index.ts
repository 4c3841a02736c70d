import { html, replace } from "../../base/dom.js";
import { type Place, linkTo } from "../../model/link.js";
import type { Frame, Mounted, View } from "../view.js";
import { openFile, openNamed } from "./files.js";
import { GamePage } from "./game-page.js";
import { TableList } from "./list.js";
import { TablePage } from "./table-page.js";

/** The view of tables: the list of them, or one of them. */
class TableView implements Mounted {
  readonly #host: HTMLElement;
  readonly #frame: Frame;
  readonly #stop = new AbortController();
  #opening = new AbortController();
  #name: string | undefined;
  #page: { follow(place: Place): void; close?(): void } | undefined;

  constructor(host: HTMLElement, frame: Frame, place: Place) {
    this.#host = host;
    this.#frame = frame;
    const { signal } = this.#stop;
    addEventListener("dragover", (event) => this.#dragOver(event), { signal });
    addEventListener("dragleave", () => delete this.#host.dataset["drop"], { signal });
    addEventListener("drop", (event) => this.#drop(event), { signal });
    this.#show(place);
  }

  show(place: Place): void {
    this.#show(place);
  }

  close(): void {
    this.#stop.abort();
    this.#leave();
  }

  #show(place: Place): void {
    const name = place.path[1];
    if (name !== undefined && name === this.#name && this.#page !== undefined) {
      this.#page.follow(place);
      return;
    }
    this.#leave();
    this.#name = name;
    if (name === undefined) {
      this.#frame.setTitle("Tables");
      replace(this.#host, new TableList(this.#frame, (file) => this.#go(file)).element);
      return;
    }
    this.#frame.setTitle(name);
    replace(this.#host, html("p", { class: "quiet" }, `Opening ${name}…`));
    const { signal } = (this.#opening = new AbortController());
    this.#open(name, place, signal).catch((error: unknown) => {
      if (signal.aborted) return;
      this.#frame.fail(error);
      replace(this.#host, new TableList(this.#frame, (file) => this.#go(file)).element);
    });
  }

  async #open(name: string, place: Place, signal: AbortSignal): Promise<void> {
    const opened = await openNamed(name, this.#frame.catalogue.items, signal);
    if (signal.aborted) return;
    const { table } = opened;
    const page =
      table.kind === "pursuit"
        ? new TablePage(opened, table, this.#frame, place)
        : new GamePage(opened, table, this.#frame, place);
    this.#page = page;
    replace(this.#host, page.element);
  }

  #leave(): void {
    this.#opening.abort();
    this.#page?.close?.();
    this.#page = undefined;
    this.#name = undefined;
  }

  /** Opens a table from its first position. */
  #go(name: string): void {
    this.#frame.setLink(linkTo(["table", name], {}), true);
    this.#leave();
    this.#show({ path: ["table", name], parameters: new URLSearchParams() });
  }

  #dragOver(event: DragEvent): void {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.#host.dataset["drop"] = "";
  }

  #drop(event: DragEvent): void {
    delete this.#host.dataset["drop"];
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    openFile(file)
      .then((name) => this.#go(name))
      .catch((error: unknown) => this.#frame.fail(error));
  }
}

export const view: View = {
  name: "table",
  title: "Tables",
  mount: (host, frame, place) => new TableView(host, frame, place),
};
