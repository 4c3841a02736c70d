/** A thing that can be opened: a table, a board or a graph beside the pages. */
export type Item = TableItem | { readonly kind: "board" | "graph"; readonly name: string; readonly url: string };

/** A table beside the pages, and what the list knows of it. */
export type TableItem = PursuitItem | GraphItem | DamagedItem;

interface AnyTableItem {
  readonly kind: "table";
  readonly name: string;
  readonly url: string;
  /** The address of what `dragnet stats --json` prints of the table. */
  readonly statistics?: string;
  readonly bytes: number;
  /** The address of the graph from which a game table was made. */
  readonly graph?: string;
}

/** A table of a pursuit game, and the facts in its header. */
export interface PursuitItem extends AnyTableItem {
  readonly game: "pursuit";
  readonly positions: number;
  readonly height: number;
  readonly width: number;
  readonly cells: number;
  readonly officers: number;
  readonly longest: { readonly police: number; readonly thief: number };
}

/** A table of a game on a graph. */
interface GraphItem extends AnyTableItem {
  readonly game: "graph";
  readonly positions: number;
}

/** A table that cannot be shown, and why. */
interface DamagedItem extends AnyTableItem {
  readonly game: "damaged";
  readonly message: string;
}

/** The things that can be opened here. */
export interface Catalogue {
  readonly items: readonly Item[];
}

const VERSION = 1;

/** Fetches the catalogue beside the pages. Where there is none, nothing can be opened but files. */
export async function fetchCatalogue(): Promise<Catalogue> {
  const answer = await fetch("catalogue.json");
  if (answer.status === 404) return { items: [] };
  if (!answer.ok) throw new Error(`catalogue.json: expected success, found status ${answer.status}`);
  const catalogue: { version: number; items: Item[] } = await answer.json();
  if (catalogue.version !== VERSION) {
    throw new Error(`catalogue.json: expected version ${VERSION}, found ${catalogue.version}`);
  }
  return catalogue;
}
