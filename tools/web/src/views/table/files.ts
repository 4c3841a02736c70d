import { type AnyTable, type GameTable, type Table, open } from "dragnet-probe";
import type { Item, TableItem } from "../../model/catalogue.js";
import { openedTable, openedTables } from "../../model/opened.js";
import { type Setting, UNKNOWN, settingOf } from "../../model/setting.js";

/** A table that has values. */
type Valued = Table | GameTable;

/** A table that can be shown: its name, what the catalogue says of it, and what its source says. */
export interface Opened {
  readonly name: string;
  readonly table: Valued;
  readonly item: TableItem | undefined;
  readonly setting: Setting;
}

/** The tables that were opened from files of the user; they last as long as the page. */
const files = new Map<string, Valued>();

/** Opens a file of the user, and returns the name under which it can be found. */
export async function openFile(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const table = inFile(file.name, () => valued(open(bytes).any()));
  const name = file.name.replace(/\.dtb$/i, "");
  files.set(name, table);
  return name;
}

/** Returns the names of the tables that were opened or drawn, the last one first. */
export function openedFiles(): string[] {
  return [...new Set([...openedTables().map(({ name }) => name), ...files.keys()])].reverse();
}

/** Opens a table by its name: a file that was opened before, or a table of the catalogue in pieces. */
export async function openNamed(name: string, items: readonly Item[], signal: AbortSignal): Promise<Opened> {
  const file = files.get(name);
  if (file !== undefined) return shown(name, file, undefined, signal);
  const kept = openedTable(name);
  if (kept !== undefined) return shown(name, valued(open(kept.bytes).any()), undefined, signal);
  const item = items.find((item): item is TableItem => item.kind === "table" && item.name === name);
  if (item === undefined) {
    throw new Error(`table ${name}: expected one of the list or an opened file; open its file again`);
  }
  return shown(name, valued(await open(item.url, { signal }).any()), item, signal);
}

async function shown(
  name: string,
  table: Valued,
  item: TableItem | undefined,
  signal: AbortSignal,
): Promise<Opened> {
  if (table.kind === "game") return { name, table, item, setting: UNKNOWN };
  return { name, table, item, setting: await settingOf(table, signal) };
}

function valued(table: AnyTable): Valued {
  if (table.kind !== "partial") return table;
  throw new Error(`expected a table of values, found one that keeps ${table.keeps}`);
}

function inFile<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new Error(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
