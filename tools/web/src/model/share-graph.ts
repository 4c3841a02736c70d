import type { Digraph } from "./digraph.js";
import { GraphTextError, isNumbered, readGraphText, writeGraphText } from "./graph-text.js";
import { inflated, linkData, linkDataBytes } from "./packed.js";
import type { Stuck } from "./retrograde.js";

/**
 * A graph, the rule of its game, and where its vertices are drawn. Its link has the version, one byte, and
 * then, deflated, in UTF-8: a line of the letters of its flags, `n` for names and `w` for "stuck wins", or
 * `-` for neither; a line with the places of vertices as whole numbers `x,y`, separated by blanks, empty if
 * they are laid out anew; and the edge list.
 */
export interface SharedGraph {
  readonly graph: Digraph;
  readonly stuck: Stuck;
  readonly places?: readonly (readonly [x: number, y: number])[] | undefined;
}

const VERSION = 1;
const MOST_BYTES = 1 << 20;

/** Returns the data of a link to a graph. Throws an error if it is too large for a link. */
export async function shareGraph({ graph, stuck, places = [] }: SharedGraph): Promise<string> {
  const flags = `${isNumbered(graph) ? "" : "n"}${stuck === "wins" ? "w" : ""}` || "-";
  const placed = places.map(([x, y]) => `${Math.round(x)},${Math.round(y)}`).join(" ");
  const bytes = new TextEncoder().encode(`${flags}\n${placed}\n${writeGraphText(graph)}`);
  if (bytes.length > MOST_BYTES) {
    throw new Error(`link: expected a graph of at most ${MOST_BYTES} bytes of text, found ${bytes.length}`);
  }
  return linkData(VERSION, bytes);
}

/** Reads the data of a link. Throws an error, whose message names the trouble, if it is no graph. */
export async function readSharedGraph(data: string): Promise<SharedGraph> {
  const bytes = await inflated(linkDataBytes(data, VERSION, MOST_BYTES), MOST_BYTES);
  const text = new TextDecoder().decode(bytes);
  const head = /^([a-z-]*)\n([-\d, ]*)\n/.exec(text);
  if (head === null) throw new Error("link: expected the data of a graph, found something else");
  const [whole, flags = "", placed = ""] = head;
  const graph = readBody(text.slice(whole.length), flags.includes("n"));
  const places = placed === "" ? undefined : placed.split(" ").map(readPlace);
  if (places !== undefined && places.length !== graph.labels.length) {
    throw new Error(`link: expected a place for each of ${graph.labels.length} vertices, found ${places.length}`);
  }
  return { graph, stuck: flags.includes("w") ? "wins" : "loses", places };
}

function readBody(text: string, names: boolean): Digraph {
  try {
    return readGraphText(text, names);
  } catch (error) {
    if (error instanceof GraphTextError) throw new Error(`link: the graph: ${error.message}`, { cause: error });
    throw error;
  }
}

function readPlace(text: string): [number, number] {
  const [x, y, more] = text.split(",").map(Number);
  if (!Number.isInteger(x) || !Number.isInteger(y) || more !== undefined) {
    throw new Error(`link: expected a place such as 120,80, found ${text}`);
  }
  return [x!, y!];
}
