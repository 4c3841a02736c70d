/**
 * Reads Dragnet tables, which {@link open} opens. A {@link Table} knows for every position of a pursuit game
 * who wins, in how many plies, and with which move. A {@link GameTable} knows the values of any other game
 * whose positions are numbered from 0. A {@link PartialTable} keeps a part of what a pursuit table knows.
 *
 * @packageDocumentation
 */
export type { Board, Cell, Square } from "./board.js";
export { Cache } from "./cache.js";
export type { Outcome, Value } from "./codes.js";
export { type ByteRange, DragnetError, type ErrorKind } from "./errors.js";
export type { Ending } from "./game.js";
export type { GameCounts, GameLongest } from "./game-header.js";
export type { GameStatistics, LongestGame } from "./game-statistics.js";
export { type GameChoice, type GameTable, type GameValue, type Result, gameValueOf } from "./game-table.js";
export type { Counts } from "./header.js";
export type { Kind, Kinds, Places } from "./kind.js";
export type { Line, LineMove, Move, Target } from "./line.js";
export {
  type AnyTable,
  type OfficersOption,
  type OpenOptions,
  type Opened,
  type Opening,
  type TableBytes,
  type TableSource,
  open,
} from "./open.js";
export {
  type Calibration,
  type CalibrationTarget,
  calibrate,
  calibrateInSteps,
} from "./opponent/calibration.js";
export type { Cost } from "./opponent/cost.js";
export { Duel } from "./opponent/duel.js";
export { Lots, type Seed } from "./opponent/lots.js";
export { Opponent, type OpponentOptions } from "./opponent/opponent.js";
export { Review, type ReviewedMove } from "./opponent/review.js";
export { Strength } from "./opponent/strength.js";
export type { Replier, Style } from "./opponent/style.js";
export type { Destination, FullPosition, Position } from "./placing.js";
export type { Rules, Side } from "./rules.js";
export { SLICE_OUTCOMES, type Slice } from "./slice.js";
export type { ByWinner, LongestWin, Statistics } from "./statistics.js";
export { Tablebase, type TablebaseOptions, type TableQuery } from "./tablebase.js";
export type { PartialTable } from "./partial-table.js";
export type { Keeps, TableKind } from "./preamble.js";
export type { PursuitFile } from "./pursuit-file.js";
export type { Table } from "./table.js";
export type { LoadOptions, TableFile } from "./table-file.js";
export type { HistogramBar } from "./tally.js";
export type { CheckedSums } from "./check-sums.js";
