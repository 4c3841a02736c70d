import { fetchFile } from "../base/fetch.js";
import type { Catalogue } from "./catalogue.js";
import type { Digraph } from "./digraph.js";
import { readGraphText } from "./graph-text.js";

/** Fetches a graph of the catalogue by its name, or by the name of the table that was made from it. */
export async function fetchGraph(name: string, { items }: Catalogue, signal: AbortSignal): Promise<Digraph> {
  const item = items.find(
    (item) => item.name === name && (item.kind === "graph" || (item.kind === "table" && item.graph !== undefined)),
  );
  const url = item?.kind === "table" ? item.graph : item?.url;
  if (url === undefined) throw new Error(`graph ${name}: expected one of the catalogue, found none of this name`);
  return readGraphText(await (await fetchFile(url, signal)).text());
}
