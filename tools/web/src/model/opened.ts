/** A table that this session made or opened, in memory. */
export interface OpenedTable {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const tables = new Map<string, OpenedTable>();

/**
 * Keeps a table until the page is left, and returns the name under which it is kept: another table of that
 * name makes it `NAME 2`, and so on. Equal bytes keep their name.
 */
export function keepTable(name: string, bytes: Uint8Array): string {
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name} ${number}`;
    const kept = tables.get(free);
    if (kept !== undefined && !isEqual(kept.bytes, bytes)) continue;
    tables.set(free, { name: free, bytes });
    return free;
  }
}

/** Returns the table that is kept under a name. */
export function openedTable(name: string): OpenedTable | undefined {
  return tables.get(name);
}

/** Returns the tables of this session in the order in which they came. */
export function openedTables(): OpenedTable[] {
  return [...tables.values()];
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
