import type { Digraph } from "./digraph.js";

/** The most vertices of a graph that is shown as a picture; larger ones are lists. */
export const MOST_DRAWN_VERTICES = 200;
/** The most edges of a graph that is shown as a picture. */
export const MOST_DRAWN_EDGES = 1200;
/** The most vertices of a graph that a page reads. */
export const MOST_VERTICES = 2_000_000;

const NUMBER = /^\d+$/;

/** A word of a text and where it stands, from 1. */
interface Word {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** A fault in the text of a graph, with its place. */
export class GraphTextError extends Error {
  override readonly name = "GraphTextError";
  readonly line: number;
  readonly column: number;

  constructor({ line, column }: Word, expected: string, found: string) {
    super(`line ${line}, column ${column}: expected ${expected}, found ${found}`);
    this.line = line;
    this.column = column;
  }
}

/** Returns whether a graph is small enough for a picture. */
export function isDrawable({ labels, edges }: Digraph): boolean {
  return labels.length <= MOST_DRAWN_VERTICES && edges.length <= MOST_DRAWN_EDGES;
}

/**
 * Returns whether the vertices of an edge list are names and not numbers, which is so if any of its words is
 * no number, or if a line that is not its first has a single word.
 */
export function hasNames(text: string): boolean {
  const lines = wordsOf(text);
  return lines.some((words, line) => words.some(({ text }) => !NUMBER.test(text)) || (words.length === 1 && line > 0));
}

/**
 * Reads an edge list, as `dragnet graph solve` does: a line `u v` is an edge from u to v; empty lines and
 * comments are skipped, which begin with `#` or `%`, and a blank if vertices have names. Vertices are numbers
 * from 0, and the first line may have their count alone; or they are names, and a line with one name is a
 * vertex. What may be the numbers of vertices and edges, or names with another separator, is refused. Throws
 * a {@link GraphTextError}.
 */
export function readGraphText(text: string, names: boolean = hasNames(text)): Digraph {
  const lines = wordsOf(text, names ? /^[#%]+$/ : /^[#%]/);
  const graph = names ? readNames(lines) : readNumbers(lines);
  refuseSize(lines, names);
  return graph;
}

/** Throws if the first line may be the numbers of vertices and edges of the other lines. */
function refuseSize([head, ...rest]: readonly Word[][], names: boolean): void {
  if (head?.length !== 2 || !head.every(({ text }) => NUMBER.test(text))) return;
  const [vertices, edges] = head.map(({ text }) => Number(text)) as [number, number];
  if (edges === 0 || edges !== rest.filter((words) => words.length > 1).length) return;
  const used = new Set<string>();
  for (const words of rest) for (const { text } of words) used.add(text);
  let most = -1;
  if (!names) for (const text of used) most = Math.max(most, Number(text));
  if (names ? used.size === vertices : vertices > most || (vertices === most && !used.has("0"))) {
    const found = `"${vertices} ${edges}", which may be the numbers of vertices and edges`;
    throw new GraphTextError(head[0]!, "an edge, or the number of vertices alone", found);
  }
}

function readNames(lines: readonly Word[][]): Digraph {
  const numbers = new Map<string, number>();
  const edges: [number, number][] = [];
  const vertex = (word: Word): number => {
    const { text } = word;
    if (/^[#%,;|{]|[,;|:]$|^-[->]/.test(text)) {
      throw new GraphTextError(word, "names with blanks between them, and nothing else", quoted(text));
    }
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  for (const [first, second, third] of lines) {
    const from = vertex(first!);
    if (second === undefined) {
      if (/[,;|]|-[->]/.test(first!.text)) {
        throw new GraphTextError(first!, "two names with a blank between them, or one name", quoted(first!.text));
      }
      continue;
    }
    edges.push([from, vertex(second)]);
    if (third !== undefined) throw new GraphTextError(third, "two vertices in a line", quoted(third.text));
  }
  return { labels: [...numbers.keys()], edges };
}

function readNumbers(lines: readonly Word[][]): Digraph {
  let announced: number | undefined;
  let vertices = 0;
  const edges: [number, number][] = [];
  const vertex = (word: Word): number => {
    const number = numberOf(word);
    if (announced !== undefined && number >= announced) {
      throw new GraphTextError(word, `a vertex below ${announced}, the number of vertices given`, quoted(word.text));
    }
    vertices = Math.max(vertices, number + 1);
    return number;
  };
  lines.forEach(([first, second, third], line) => {
    if (second === undefined) {
      if (line > 0) throw new GraphTextError(first!, "a second vertex", "the end of the line");
      announced = numberOf(first!);
      return;
    }
    edges.push([vertex(first!), vertex(second)]);
    if (third !== undefined) throw new GraphTextError(third, "two vertices in a line", quoted(third.text));
  });
  return { labels: Array.from({ length: announced ?? vertices }, (_, vertex) => `${vertex}`), edges };
}

function numberOf(word: Word): number {
  const number = NUMBER.test(word.text) ? Number(word.text) : Infinity;
  if (number > MOST_VERTICES) {
    throw new GraphTextError(word, `a vertex, a number from 0 to ${MOST_VERTICES}`, quoted(word.text));
  }
  return number;
}

/** Returns the words of the lines that have any and do not begin with a word that begins a comment. */
function wordsOf(text: string, comment: RegExp = /^[#%]/): Word[][] {
  const lines: Word[][] = [];
  text.replace(/^\uFEFF/, "").split(/\r\n?|\n/).forEach((content, line) => {
    const words = [...content.matchAll(/\S+/g)].map(({ 0: text, index }) => ({ text, line: line + 1, column: index + 1 }));
    if (words.length > 0 && !comment.test(words[0]!.text)) lines.push(words);
  });
  return lines;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

/** Returns whether the labels of a graph are the numbers of its vertices. */
export function isNumbered({ labels }: Digraph): boolean {
  return labels.every((label, vertex) => label === `${vertex}`);
}

/**
 * Returns the edge list of a graph, which {@link readGraphText} reads back: the number of vertices and then
 * edges; if vertices have names, a line for each vertex, so that they keep their order.
 */
export function writeGraphText(graph: Digraph): string {
  const { labels, edges } = graph;
  const lines = edges.map(([from, to]) => `${labels[from]} ${labels[to]}`);
  const head = isNumbered(graph) ? [`${labels.length}`] : labels;
  return [...head, ...lines, ""].join("\n");
}

/**
 * Returns why a name cannot be given to a vertex in an edge list; `undefined` if it can. Names are words, no
 * comments, and have no separators of other lists.
 */
export function nameTrouble(name: string): string | undefined {
  if (name === "") return "a name: expected a word, found nothing";
  if (/\s/.test(name)) return `a name: expected one word, found ${quoted(name)}`;
  if (/[,;|]|^\{|:$|-[->]/.test(name)) return `a name: expected a word without separators, found ${quoted(name)}`;
  return /^[#%]/.test(name) ? `a name: expected a word that begins with neither # nor %, found ${quoted(name)}` : undefined;
}
