/**
 * Reads Dragnet tables: who wins every position of policeman against thief on a board, in how many plies, and with
 * which move.
 *
 * @packageDocumentation
 */
export type { Board, Cell, Square } from "./board.js";
export type { Outcome, Value } from "./codes.js";
export { DragnetError, type ErrorKind } from "./errors.js";
export type { Counts } from "./header.js";
export type { Line, LineMove } from "./line.js";
export type { MoveSet, Rules, Side, SideRules, Step } from "./rules.js";
export { type Move, type OpenOptions, type Position, Table } from "./table.js";
export type { Verified } from "./verify.js";
