/** How a graph is written, and what its lines mean. */
export interface GraphText {
  readonly text: string;
  /** Lines "u v" (`edges`), the contest form (`lists`), or a line of graph6, sparse6 or digraph6 (`six`). */
  readonly form?: "edges" | "lists" | "six" | undefined;
  /** Whether vertices of an edge list are words and not numbers. */
  readonly names?: boolean | undefined;
  /**
   * Whether a line of an edge list is an edge one way only. By default it is one way in a game on a graph,
   * and both ways where pieces step along edges.
   */
  readonly directed?: boolean | undefined;
  /** The number of vertices, if an edge list does not begin with it. */
  readonly vertices?: number | undefined;
}

/** A cell of a board, `[row, column]` from 0, or a vertex of a graph. */
export type Exit = readonly [number, number] | number;

/** The ground on which pieces move: a board in any form that the program reads, or a graph. */
export type GroundText = ({ readonly board: string } | { readonly graph: GraphText }) & {
  /** The exits, in place of those that the board has. */
  readonly exits?: readonly Exit[] | undefined;
};

/** The name of a preset, or the rules that differ from classic, as a rules file has them. */
export type RulesInput = "classic" | "chase" | "cops" | Readonly<Record<string, unknown>>;

/** A pursuit game. */
export interface GameRequest {
  readonly ground: GroundText;
  /** The rules; if left out classic, on a graph cops. */
  readonly rules?: RulesInput | undefined;
  /** The number of officers; if left out as the rules say, and if they say 1, as many as the board marks. */
  readonly officers?: number | undefined;
  /** The guards, as a file of guards has them. */
  readonly guards?: readonly Readonly<Record<string, unknown>>[] | undefined;
  /** Whether the table is for quick answers or a small file; by default `size`, as the program writes it. */
  readonly favour?: "speed" | "size" | undefined;
  /** The most bytes of memory to take; by default 1 GiB. */
  readonly memory?: number | undefined;
}

/** A game on a graph, whose positions are its vertices. */
export interface GraphGameRequest {
  readonly graph: GraphText;
  /** The outcome for a player without a move; by default `loses`. */
  readonly stuck?: "loses" | "wins" | undefined;
  /** Values from outside: lines "vertex won", "vertex lost" or "vertex drawn". */
  readonly labels?: string | undefined;
  readonly favour?: "speed" | "size" | undefined;
  readonly memory?: number | undefined;
}

/** A search for the cop number. */
export interface CopsRequest {
  readonly ground: GroundText;
  readonly rules?: RulesInput | undefined;
  /** The most officers to search with, 1 to 6; by default 4. */
  readonly bound?: number | undefined;
  /** How many officers more than are needed to find capture times for; by default 0. */
  readonly more?: number | undefined;
  readonly memory?: number | undefined;
}

/** A board to be made. */
export interface MakeRequest {
  readonly kind: "open" | "random" | "maze" | "rooms";
  readonly height: number;
  readonly width: number;
  /** A whole number, or its digits beyond 2^53; by default 1. Open boards have none. */
  readonly seed?: number | string | undefined;
  /** The share of walls of a random board, 0 to 1; by default 0.2. */
  readonly density?: number | undefined;
  /** The passages of a maze beyond those that connect it; by default 0. */
  readonly extra?: number | undefined;
  /** Whether the first open cell is the exit. */
  readonly exit?: boolean | undefined;
}

/** A request for what the pieces of a game see. */
export interface SeenRequest {
  readonly game: GameRequest;
  /** The number of the world. */
  readonly world: number;
  /** The officers' cells, on the grid of their layers. */
  readonly police: readonly (readonly [number, number])[];
}

/** Everything that can be asked for, by name. */
export interface Requests {
  readonly solve: GameRequest;
  readonly estimate: GameRequest;
  readonly seen: SeenRequest;
  readonly solve_graph: GraphGameRequest;
  readonly cops: CopsRequest;
  readonly read: { readonly ground: GroundText };
  readonly write: { readonly ground: GroundText; readonly to: "text" | "contest" | "movingai" | "edges" };
  readonly make: MakeRequest;
}

/** The number of positions with each outcome. */
export interface OutcomeCounts {
  readonly police: number;
  readonly thief: number;
  readonly draw: number;
}

/** The facts about the table of a pursuit game. */
export interface GameFacts {
  readonly cells: number;
  readonly officers: number;
  /** Positions with either side to move. */
  readonly positions: number;
  readonly engine: string;
  readonly police_to_move: OutcomeCounts;
  readonly thief_to_move: OutcomeCounts;
  /** The longest win of each side, in plies. */
  readonly longest: { readonly police: number; readonly thief: number };
  readonly digest: string;
  /** Bytes of the table. */
  readonly bytes: number;
  readonly blocks: number;
  /** Blocks with contents of their own. */
  readonly distinct: number;
}

/** The needs of a solve. */
export interface Estimate {
  readonly cells: number;
  readonly officers: number;
  readonly positions: number;
  readonly engine: string;
  /** Bytes of memory that it takes at most. */
  readonly memory: number;
  /** Bytes of memory that the request allows. */
  readonly limit: number;
  /** Why it is not begun, with the figures; `null` if it is within the limit. */
  readonly refusal: string | null;
}

/** The squares that pieces see. */
export interface Seen {
  /** The squares that each officer sees; none of one whose sight does not capture. */
  readonly police: readonly (readonly Cell[])[];
  readonly guards: readonly { readonly cell: Cell; readonly seen: readonly Cell[] }[];
}

type Cell = readonly [number, number];

/** A graph to be drawn. */
export interface GraphFacts {
  readonly vertices: number;
  readonly edge_count: number;
  /** Pairs of vertices, one after another: from, to. `null` if they are too many to draw. */
  readonly edges: readonly number[] | null;
  /** The names of the vertices, `null` if they are numbers. */
  readonly names: readonly string[] | null;
  /** The number that vertex 0 has in the text, if vertices are numbers. */
  readonly first: number;
}

/** The facts about the table of a game on a graph. */
export interface GraphGameFacts {
  readonly positions: number;
  readonly won: number;
  readonly lost: number;
  readonly drawn: number;
  readonly longest_win: number;
  readonly longest_loss: number;
  readonly digest: string;
  readonly key: string;
  readonly bytes: number;
  readonly graph: GraphFacts;
}

/** How a number of officers catches the thief. */
export interface Capture {
  readonly cops: number;
  /** Turns of the police from a best placement. */
  readonly moves: number;
  /** A best placement: cells "row,column", or names of vertices. */
  readonly placement: readonly string[];
  /** The number of best placements. */
  readonly placements: number;
}

/** The cop number of a board or graph. */
export interface CopsFacts {
  readonly vertices: number;
  /** `null` on a board of squares. */
  readonly edges: number | null;
  /** `null` if it is above the bound. */
  readonly cop_number: number | null;
  readonly bound: number;
  readonly captures: readonly Capture[];
}

/** A board of squares. */
export interface BoardFacts {
  /** The text form. */
  readonly text: string;
  readonly height: number;
  readonly width: number;
  /** The number of open cells. */
  readonly cells: number;
  /** The letter of each square in the text form, in reading order: `#` wall, `.` open, `E` exit, others. */
  readonly squares: string;
  readonly exits: readonly (readonly [number, number])[];
  /** The cells marked `P`, in reading order. */
  readonly police: readonly (readonly [number, number])[];
  /** The cell marked `T`. */
  readonly thief: readonly [number, number] | null;
}

/** A board that is a graph. Vertex v is the cell 0,v. */
export interface GraphBoardFacts {
  readonly graph: GraphFacts;
  readonly exits: readonly (readonly [number, number])[];
  readonly cells: number;
}

/** The facts in the answer to each request. */
export interface Answers {
  readonly solve: GameFacts;
  readonly estimate: Estimate;
  readonly seen: Seen;
  readonly solve_graph: GraphGameFacts;
  readonly cops: CopsFacts;
  readonly read: BoardFacts | GraphBoardFacts;
  readonly write: { readonly text: string };
  readonly make: BoardFacts;
}

/** The name of something that can be asked for. */
export type Asked = keyof Requests;

/** Facts, and the bytes of a table; without bytes if the answer has none. */
export interface Answer<K extends Asked = Asked> {
  readonly facts: Answers[K];
  readonly table: Uint8Array<ArrayBuffer>;
}

/** Why a request has no answer. */
export interface FailureFacts {
  /**
   * `input`: the input cannot be used. `too_large`: it would take more memory than allowed. `memory`: the
   * memory did not suffice. `internal`: the engine has a fault, or cannot be loaded.
   */
  readonly kind: "input" | "too_large" | "memory" | "internal";
  readonly message: string;
  /** The place in the text, from 1. */
  readonly line?: number;
  readonly column?: number;
  /** Bytes of memory that are needed and allowed. */
  readonly needed?: number;
  readonly limit?: number;
}

/** A level that has been solved. */
export interface Level {
  /** The distance in plies of the positions that it decides. */
  readonly level: number;
  /** The positions that it decides. */
  readonly here: number;
  /** The positions that are decided so far. */
  readonly decided: number;
  /** The positions of the game. */
  readonly positions: number;
}

/** A message from the page to the worker. */
export type ToWorker =
  | { readonly kind: "module"; readonly module: WebAssembly.Module }
  | { readonly kind: "ask"; readonly id: number; readonly ask: Asked; readonly about: Requests[Asked] };

/** A message from the worker to the page. */
export type FromWorker =
  | { readonly kind: "levels"; readonly id: number; readonly levels: readonly Level[] }
  | { readonly kind: "written"; readonly id: number; readonly done: number; readonly blocks: number }
  | { readonly kind: "answer"; readonly id: number; readonly answer: Answer }
  | { readonly kind: "failed"; readonly id: number; readonly failure: FailureFacts };
