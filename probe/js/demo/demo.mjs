// The demo page: opens a table, lets the user move the pieces, and shows values, moves and a heat map.

import { Table } from "dragnet-probe";
import { BoardView, strength } from "./board-view.mjs";

const PLAY_MS = 350;
const SIDES = { police: "the police", thief: "the thief" };

const element = (id) => document.getElementById(id);
const view = new BoardView(element("board"));

/**
 * The state of the page. `table` is undefined until a table is open; `heat` is the piece of the heat map, or
 * "none".
 */
const state = { table: undefined, police: [0, 0], thief: [0, 0], turn: "police", heat: "police" };
/** The earlier positions, for the Back button. */
let history = [];
/** The timer that plays moves, undefined if none runs. */
let playing;
/** The side whose piece is being dragged, undefined if none is. */
let dragged;

function position() {
  const { police, thief, turn } = state;
  return { police, thief, turn };
}

function same(a, b) {
  return a[0] === b[0] && a[1] === b[1];
}

function plies(count) {
  return count === 1 ? "1 ply" : `${count} plies`;
}

function sentence({ outcome, dtw }) {
  if (outcome === "draw") return "nobody wins";
  return dtw === 0 ? `${SIDES[outcome]} has won` : `${SIDES[outcome]} wins in ${plies(dtw)}`;
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

/** Runs an action that fails if the table is damaged, and shows the error. */
function guarded(action) {
  try {
    action();
  } catch (error) {
    fail(error);
  }
}

function fail(error) {
  stop();
  element("error").textContent = capital(error.message);
  element("error").hidden = false;
}

function open(bytes, name) {
  const table = Table.fromBytes(bytes);
  if (table.rules.officers !== 1 || table.edges !== null) {
    throw new Error("expected a table with one officer on a board of squares, found several officers or a graph");
  }
  stop();
  state.table = table;
  [state.police, state.thief] = start(table);
  state.turn = "police";
  state.heat = "police";
  history = [];
  const { height, width, openCells } = table.board;
  element("about").textContent = `${name}: ${height}×${width}, ${(2 * openCells ** 2).toLocaleString("en")} positions`;
  element("error").hidden = true;
  element("empty").hidden = true;
  element("main").hidden = false;
  resize();
}

function openCells(board) {
  const cells = [];
  for (let row = 0; row < board.height; row++) {
    for (let column = 0; column < board.width; column++) {
      if (board.square(row, column) !== "wall") cells.push([row, column]);
    }
  }
  return cells;
}

/**
 * Returns the first position: the thief on the last open square, the officer where the game takes longest.
 */
function start(table) {
  const cells = openCells(table.board);
  const thief = cells.findLast(([row, column]) => table.board.square(row, column) === "open") ?? cells[0];
  const length = (police) => table.value({ police, thief, turn: "police" }).dtw ?? 0;
  return [cells.reduce((best, cell) => (length(cell) > length(best) ? cell : best)), thief];
}

/**
 * Returns the value of the position with one piece on each cell, by cell; undefined if the heat map is off.
 */
function heatMap() {
  const { table, heat } = state;
  if (heat === "none") return undefined;
  return new Map(openCells(table.board).map((cell) => [cell.join(), table.value({ ...position(), [heat]: cell })]));
}

/** Returns the longest win of each side among some values. */
function longestOf(values) {
  const longest = { police: 0, thief: 0 };
  for (const { outcome, dtw } of values) if (dtw !== null) longest[outcome] = Math.max(longest[outcome], dtw);
  return longest;
}

function resize() {
  if (state.table === undefined) return;
  const height = Math.max(window.innerHeight - 150, 240);
  view.fit(state.table.board, element("stage").clientWidth, height);
  show();
}

function show() {
  guarded(() => {
    const { table, heat, turn } = state;
    const value = table.value(position());
    const moves = table.moves(position());
    const map = heatMap();
    const longest = longestOf([...moves, ...(map?.values() ?? [])]);
    view.draw({
      ...position(),
      longest,
      moves: dragged === undefined ? moves : [],
      heat: map && ((cell) => map.get(cell.join())),
    });
    element("value").dataset.outcome = value.outcome;
    element("outcome").textContent = capital(value.dtw === 0 || value.dtw === null ? sentence(value) : winner(value));
    element("distance").textContent = value.dtw > 0 ? `in ${plies(value.dtw)}, ${SIDES[turn]} to move` : "";
    for (const button of document.querySelectorAll("[data-turn]")) press(button, button.dataset.turn === turn);
    for (const button of document.querySelectorAll("[data-heat]")) press(button, button.dataset.heat === heat);
    element("best").disabled = element("play").disabled = moves.length === 0;
    element("back").disabled = history.length === 0;
    element("play").textContent = playing === undefined ? "Play out" : "Stop";
    element("moves").replaceChildren(...moves.map((move) => listItem(move, longest)));
    element("none").hidden = moves.length > 0;
  });
}

function winner({ outcome }) {
  return `${SIDES[outcome]} wins`;
}

function press(button, isPressed) {
  button.setAttribute("aria-pressed", String(isPressed));
}

function listItem(move, longest) {
  const button = document.createElement("button");
  button.type = "button";
  const dot = document.createElement("span");
  dot.className = "dot";
  dot.style.background = `var(--${move.outcome})`;
  dot.style.opacity = String(strength(move, longest));
  const to = document.createElement("span");
  to.textContent = same(move.to, state[state.turn]) ? `${move.to.join()} stay` : move.to.join();
  const after = document.createElement("span");
  after.textContent = sentence(move).replace(/^the /, "");
  button.append(dot, to, after);
  button.addEventListener("click", () => {
    stop();
    make(move);
  });
  const item = document.createElement("li");
  item.append(button);
  return item;
}

/** Makes a move. The heat map then shows the piece of the side to move. */
function make({ to }) {
  history.push({ ...position(), heat: state.heat });
  state[state.turn] = to;
  state.turn = state.turn === "police" ? "thief" : "police";
  if (state.heat !== "none") state.heat = state.turn;
  show();
}

function play() {
  guarded(() => {
    const [best] = state.table.moves(position());
    if (best === undefined) stop();
    else make(best);
  });
}

function stop() {
  clearInterval(playing);
  playing = undefined;
}

/** Sets the cell of a piece. This is not a move: the side to move stays the same. */
function put(side, cell) {
  state[side] = cell;
  if (state.heat !== "none") state.heat = side;
  history = [];
  show();
}

function pointerDown(event) {
  const cell = view.cellAt(event);
  if (cell === undefined) return;
  stop();
  const side = [state.turn, "police", "thief"].find((piece) => same(state[piece], cell));
  if (side !== undefined) {
    dragged = side;
    element("board").setPointerCapture(event.pointerId);
    if (state.heat !== "none") state.heat = side;
    show();
    return;
  }
  const move = state.table.moves(position()).find(({ to }) => same(to, cell));
  if (move !== undefined) make(move);
}

function pointerMove(event) {
  const cell = view.cellAt(event);
  if (dragged !== undefined) {
    if (cell !== undefined && !same(cell, state[dragged])) put(dragged, cell);
    return;
  }
  element("board").style.cursor = cell !== undefined && isActive(cell) ? "pointer" : "default";
  const side = state.heat === "none" ? state.turn : state.heat;
  element("hint").textContent =
    cell === undefined
      ? "Drag a piece anywhere, or click a marked cell to move there."
      : `With ${SIDES[side]} on ${cell.join()}: ${sentence(state.table.value({ ...position(), [side]: cell }))}`;
}

function isActive(cell) {
  if (same(cell, state.police) || same(cell, state.thief)) return true;
  return state.table.moves(position()).some(({ to }) => same(to, cell));
}

function pointerUp() {
  if (dragged === undefined) return;
  dragged = undefined;
  show();
}

async function openFile(file) {
  if (file === undefined) return;
  try {
    open(await file.arrayBuffer(), file.name);
  } catch (error) {
    fail(error);
  }
}

async function openAddress(address) {
  try {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address}: status ${answer.status}`);
    open(await answer.arrayBuffer(), address.split("/").at(-1));
  } catch (error) {
    fail(error);
  }
}

const board = element("board");
board.addEventListener("pointerdown", (event) => guarded(() => pointerDown(event)));
board.addEventListener("pointermove", (event) => guarded(() => pointerMove(event)));
board.addEventListener("pointerup", pointerUp);
board.addEventListener("pointercancel", pointerUp);
for (const button of document.querySelectorAll("[data-turn]")) {
  button.addEventListener("click", () => {
    stop();
    state.turn = button.dataset.turn;
    if (state.heat !== "none") state.heat = state.turn;
    history = [];
    show();
  });
}
for (const button of document.querySelectorAll("[data-heat]")) {
  button.addEventListener("click", () => {
    state.heat = button.dataset.heat;
    show();
  });
}
element("best").addEventListener("click", () => {
  stop();
  play();
});
element("play").addEventListener("click", () => {
  if (playing === undefined) playing = setInterval(play, PLAY_MS);
  else stop();
  show();
});
element("back").addEventListener("click", () => {
  stop();
  Object.assign(state, history.pop());
  show();
});
element("file").addEventListener("change", ({ target }) => openFile(target.files[0]));
addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("over");
});
addEventListener("dragleave", () => document.body.classList.remove("over"));
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("over");
  openFile(event.dataTransfer.files[0]);
});
addEventListener("resize", resize);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", resize);

const address = new URLSearchParams(location.search).get("table");
if (address !== null) await openAddress(address);
document.documentElement.dataset.ready = "true";
