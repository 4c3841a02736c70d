// Checked by types.test.mjs: a single officer's and the thief's move lead to one cell, and those of a table
// with an unknown number of officers to one or several.

import { type Cell, type Position, Opponent, Review, Tablebase, open } from "dragnet-probe";

declare const bytes: Uint8Array;
declare const position: Position;

const table = open(bytes).pursuit({ officers: 1 });
const [row, column] = table.bestMove(position)!.to;
export const sum: number = row + column;
for (const { to } of table.moves(position)) [...to] satisfies number[];
for (const { to } of table.line(position).moves) [...to] satisfies number[];
export const chosen: Cell = new Opponent().choose(table, position)!.to;
export const worst: Cell = new Review(table, [position], "police").worst(1)[0]!.best.to;
export const found: Cell = (await new Tablebase([bytes]).table({ officers: 1 })).bestMove(position)!.to;
export const fetched: Cell = (await open("yard.dtb").pursuit({ officers: 1 })).moves(position)[0]!.to;

// @ts-expect-error the number of officers is not known
const [first, second]: Cell = open(bytes).pursuit().bestMove(position)!.to;
// @ts-expect-error two officers
const [third, fourth]: Cell = open(bytes).pursuit({ officers: 2 }).bestMove(position)!.to;
export const all = [first, second, third, fourth];
