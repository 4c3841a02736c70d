import { html, replace } from "../../base/dom.js";
import { bytes, count, plies } from "../../base/text.js";
import type { Item, TableItem } from "../../model/catalogue.js";
import { linkTo } from "../../model/link.js";
import type { Frame } from "../view.js";
import { openFile, openedFiles } from "./files.js";

/** The most tables that are listed at once. */
const MOST = 300;

interface Column {
  readonly title: string;
  readonly isNumber: boolean;
  /** Returns the number or text by which tables are sorted. */
  key(item: TableItem): number | string;
  text(item: TableItem): string;
}

/** Returns the column of a number that not all tables have. */
function number(
  title: string,
  of: (item: TableItem) => number | undefined,
  words: (number: number) => string,
): Column {
  const text = (item: TableItem): string => {
    const number = of(item);
    return number === undefined ? "" : words(number);
  };
  return { title, isNumber: true, key: (item) => of(item) ?? 0, text };
}

/** The columns of the list. */
export const COLUMNS: readonly Column[] = [
  { title: "Table", isNumber: false, key: ({ name }) => name, text: ({ name }) => name },
  { title: "Board", isNumber: false, key: (item) => (item.game === "pursuit" ? item.cells : 0), text: boardOf },
  number("Officers", officersOf, String),
  number("Positions", (item) => (item.game === "damaged" ? undefined : item.positions), count),
  number("Longest win", longestOf, plies),
  number("Size", (item) => item.bytes, bytes),
];

/** The list of all tables that can be opened, and the button that opens a file. */
export class TableList {
  readonly element: HTMLElement;
  readonly #items: readonly TableItem[];
  readonly #search = html("input", {
    type: "search",
    id: "search",
    autocomplete: "off",
    input: () => this.#draw(),
  });
  readonly #found = html("p", { class: "quiet", "aria-live": "polite" });
  readonly #rows = html("tbody", {});
  readonly #heads: readonly HTMLElement[];
  #sorted = COLUMNS[0]!;
  #isDescending = false;

  constructor(frame: Frame, open: (name: string) => void) {
    this.#items = frame.catalogue.items.filter((item): item is TableItem => item.kind === "table");
    this.#heads = COLUMNS.map((column) => this.#head(column));
    const files = openedFiles();
    const isEmpty = this.#items.length === 0;
    this.element = html(
      "div",
      { class: "table-list" },
      html("h1", {}, "Tables"),
      html(
        "p",
        {},
        "A table knows of every position of a pursuit who wins, in how many plies, and with which move.",
      ),
      opener(frame, open),
      files.length > 0 && html("p", {}, "Opened before: ", ...files.flatMap((name) => [fileLink(name), " "])),
      isEmpty &&
        html("p", { class: "quiet" }, "No tables lie beside this page. Open a file, or drop one anywhere."),
      !isEmpty &&
        html(
          "div",
          {},
          html(
            "div",
            { class: "row" },
            html("label", { for: "search" }, "Search"),
            this.#search,
            this.#found,
          ),
          html("table", { class: "tables" }, html("thead", {}, html("tr", {}, ...this.#heads)), this.#rows),
        ),
      sourcesOf(frame.catalogue.items, "board"),
      sourcesOf(frame.catalogue.items, "graph"),
    );
    this.#draw();
  }

  #head(column: Column): HTMLElement {
    const sort = (): void => {
      this.#isDescending = this.#sorted === column ? !this.#isDescending : column.isNumber;
      this.#sorted = column;
      this.#draw();
    };
    const kind = column.isNumber ? "number" : "";
    return html(
      "th",
      { scope: "col", class: kind },
      html("button", { type: "button", click: sort }, column.title),
    );
  }

  #draw(): void {
    const words = this.#search.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== "");
    const found = this.#items.filter((item) => {
      const text = `${item.name} ${boardOf(item)} ${officersOf(item) ?? ""} officers ${item.game}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    const { key } = this.#sorted;
    const order = this.#isDescending ? -1 : 1;
    const sorted = [...found].sort((a, b) => order * compare(key(a), key(b)));
    replace(this.#rows, ...sorted.slice(0, MOST).map(rowOf));
    const rest = sorted.length > MOST ? `; the first ${count(MOST)} are listed` : "";
    replace(this.#found, `${count(found.length)} of ${count(this.#items.length)} tables${rest}`);
    for (const [k, head] of this.#heads.entries()) {
      const isSorted = COLUMNS[k] === this.#sorted;
      head.setAttribute("aria-sort", !isSorted ? "none" : this.#isDescending ? "descending" : "ascending");
    }
  }
}

/** Returns the button that opens a file of the user. */
export function opener(frame: Frame, open: (name: string) => void): HTMLElement {
  const input = html("input", {
    type: "file",
    accept: ".dtb",
    class: "unseen",
    tabindex: -1,
    "aria-label": "Table file",
  });
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file === undefined) return;
    openFile(file)
      .then(open)
      .catch((error: unknown) => frame.fail(error));
    input.value = "";
  });
  const button = html("button", { type: "button", click: () => input.click() }, "Open a file…");
  return html(
    "div",
    { class: "row" },
    button,
    input,
    html("span", { class: "quiet" }, "or drop a .dtb file on the page"),
  );
}

function rowOf(item: TableItem): HTMLElement {
  const cells = COLUMNS.slice(1).map((column) => {
    return html(
      "td",
      { class: column.isNumber ? "number" : "", "data-title": column.title },
      column.text(item),
      unitOf(column, item),
    );
  });
  const link = html("a", { href: linkTo(["table", item.name], {}) }, item.name);
  return html("tr", {}, html("th", { scope: "row" }, link), ...cells);
}

/** Returns the unit after a number, which narrow pages show instead of the titles of columns. */
function unitOf({ title, text }: Column, item: TableItem): HTMLElement | undefined {
  if (text(item) === "") return undefined;
  const units: Readonly<Record<string, string>> = {
    Officers: officersOf(item) === 1 ? " officer" : " officers",
    Positions: " positions",
  };
  return units[title] ? html("span", { class: "unit" }, units[title]) : undefined;
}

/** Returns links to the boards or graphs that are solved when they are opened, if there are any. */
function sourcesOf(items: readonly Item[], kind: "board" | "graph"): HTMLElement | false {
  const [title, view] = kind === "board" ? ["Boards", "draw"] : ["Graphs", "graph"];
  const links = items
    .filter((item) => item.kind === kind)
    .map(({ name }) => html("li", {}, html("a", { href: linkTo([view], { item: name }) }, name)));
  if (links.length === 0) return false;
  return html("section", { "aria-label": title }, html("h2", {}, title), html("ul", { class: "row sources" }, ...links));
}

function fileLink(name: string): HTMLElement {
  return html("a", { href: linkTo(["table", name], {}) }, name);
}

/** Returns what a table is of, or why it cannot be shown. */
function boardOf(item: TableItem): string {
  switch (item.game) {
    case "pursuit": {
      const { height, width, cells } = item;
      return height === 1 && cells === width ? `${count(width)} cells in a row` : `${height} × ${width}`;
    }
    case "graph":
      return "game on a graph";
    case "damaged":
      return item.message;
  }
}

function officersOf(item: TableItem): number | undefined {
  return item.game === "pursuit" ? item.officers : undefined;
}

function longestOf(item: TableItem): number | undefined {
  return item.game === "pursuit" ? Math.max(item.longest.police, item.longest.thief) : undefined;
}

function compare(a: number | string, b: number | string): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}
