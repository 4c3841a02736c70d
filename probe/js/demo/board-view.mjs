// Draws a board, its heat map and its pieces on a canvas, and finds the cell under the pointer. Sizes are CSS
// pixels.

const MOST_CELL = 64;
const LEAST_CELL = 4;
/** The least size of a cell that shows a number. */
const NUMBER_CELL = 24;
/** The opacity of the slowest win. */
const FAINTEST = 0.3;
/** The opacity of a draw. */
const DRAWN = 0.6;
/** The least radius of a piece, which may exceed a small cell. */
const LEAST_RADIUS = 8;

/**
 * Returns the opacity of a value, from 0 to 1: quick wins are the strongest, the `longest` win of a side the
 * faintest.
 */
export function strength({ outcome, dtw }, longest) {
  if (outcome === "draw") return DRAWN;
  return 1 - (1 - FAINTEST) * Math.sqrt(dtw / Math.max(longest[outcome], 1));
}

/** A canvas that shows a board. */
export class BoardView {
  #canvas;
  #context;
  #board;
  #cell = MOST_CELL;

  constructor(canvas) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d");
  }

  /** Sets the board and scales the canvas to fit a width and a height. */
  fit(board, width, height) {
    const cell = Math.floor(Math.min(width / board.width, height / board.height, MOST_CELL));
    this.#board = board;
    this.#cell = Math.max(cell, LEAST_CELL);
    const scale = window.devicePixelRatio || 1;
    const [across, down] = [board.width * this.#cell, board.height * this.#cell];
    this.#canvas.width = Math.round(across * scale);
    this.#canvas.height = Math.round(down * scale);
    this.#canvas.style.width = `${across}px`;
    this.#canvas.style.height = `${down}px`;
    this.#context.setTransform(scale, 0, 0, scale, 0, 0);
  }

  /** Returns the cell under a pointer event, undefined on a wall and off the board. */
  cellAt({ clientX, clientY }) {
    const { left, top } = this.#canvas.getBoundingClientRect();
    const row = Math.floor((clientY - top) / this.#cell);
    const column = Math.floor((clientX - left) / this.#cell);
    const open = this.#board.has(row, column) && this.#board.square(row, column) !== "wall";
    return open ? [row, column] : undefined;
  }

  /**
   * Draws the board, the heat map, the moves and the pieces.
   *
   * @param scene the position, `heat` (a function from a cell to its value, or undefined), the `moves` to
   *   mark, and the
   *   `longest` win of each side among the values shown
   */
  draw(scene) {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const colours = Object.fromEntries(
      ["wall", "open", "line", "ink", "card", "police", "thief", "draw", "exit"].map((name) => [name, colour(name)]),
    );
    for (let row = 0; row < this.#board.height; row++) {
      for (let column = 0; column < this.#board.width; column++) this.#drawCell([row, column], scene, colours);
    }
    for (const [rank, move] of scene.moves.entries()) this.#drawMove(move, rank === 0, colours);
    this.#drawPiece("thief", scene, colours);
    this.#drawPiece("police", scene, colours);
  }

  #drawCell([row, column], { heat, longest, moves }, colours) {
    const context = this.#context;
    const cell = this.#cell;
    const [x, y] = [column * cell, row * cell];
    const gap = cell >= 10 ? 1 : 0;
    const square = this.#board.square(row, column);
    context.fillStyle = colours.wall;
    context.fillRect(x, y, cell, cell);
    if (square === "wall") return;
    context.fillStyle = colours.open;
    context.fillRect(x + gap / 2, y + gap / 2, cell - gap, cell - gap);
    const value = heat?.([row, column]);
    if (value !== undefined) {
      context.globalAlpha = strength(value, longest);
      context.fillStyle = colours[value.outcome];
      context.fillRect(x + gap / 2, y + gap / 2, cell - gap, cell - gap);
      context.globalAlpha = 1;
    }
    if (square === "exit") this.#drawExit(x, y, colours);
    const isTarget = moves.some(({ to }) => to[0] === row && to[1] === column);
    if (value !== undefined && value.dtw !== null && cell >= NUMBER_CELL && !isTarget) {
      context.fillStyle = strength(value, longest) > 0.55 ? "#ffffff" : colours.ink;
      context.globalAlpha = 0.8;
      this.#text(String(value.dtw), x + cell / 2, y + cell / 2, cell * 0.3, "400");
      context.globalAlpha = 1;
    }
  }

  #drawExit(x, y, colours) {
    const context = this.#context;
    const cell = this.#cell;
    const width = Math.max(2, cell * 0.12);
    context.strokeStyle = colours.exit;
    context.lineWidth = width;
    context.strokeRect(x + width / 2 + 1, y + width / 2 + 1, cell - width - 2, cell - width - 2);
  }

  #drawMove({ to: [row, column], outcome, dtw }, isBest, colours) {
    const context = this.#context;
    const cell = this.#cell;
    const [x, y] = [(column + 0.5) * cell, (row + 0.5) * cell];
    context.beginPath();
    context.arc(x, y, cell * 0.34, 0, 2 * Math.PI);
    context.fillStyle = colours[outcome];
    context.fill();
    context.lineWidth = Math.max(1, cell * 0.04);
    context.strokeStyle = "#ffffff";
    context.stroke();
    if (isBest) {
      context.beginPath();
      context.arc(x, y, cell * 0.42, 0, 2 * Math.PI);
      context.lineWidth = Math.max(1.5, cell * 0.05);
      context.strokeStyle = colours.ink;
      context.stroke();
    }
    if (cell < NUMBER_CELL) return;
    context.fillStyle = "#ffffff";
    this.#text(dtw === null ? "=" : String(dtw), x, y, cell * 0.3, isBest ? "700" : "600");
  }

  #drawPiece(side, scene, colours) {
    const context = this.#context;
    const cell = this.#cell;
    const [row, column] = scene[side];
    const [x, y] = [(column + 0.5) * cell, (row + 0.5) * cell];
    const radius = Math.max(cell * 0.4, LEAST_RADIUS);
    if (scene.turn === side) {
      context.beginPath();
      context.arc(x, y, radius + Math.max(2, cell * 0.08), 0, 2 * Math.PI);
      context.strokeStyle = colours.ink;
      context.lineWidth = Math.max(1.5, cell * 0.05);
      context.stroke();
    }
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fillStyle = colours[side];
    context.fill();
    context.strokeStyle = "#ffffff";
    context.lineWidth = Math.max(1, cell * 0.05);
    context.stroke();
    if (side === "police") this.#drawStar(x, y, radius * 0.62);
    else this.#drawMask(x, y, radius);
  }

  #drawStar(x, y, radius) {
    const context = this.#context;
    context.beginPath();
    for (let k = 0; k < 10; k++) {
      const angle = (k * Math.PI) / 5 - Math.PI / 2;
      const length = k % 2 === 0 ? radius : radius * 0.42;
      context.lineTo(x + length * Math.cos(angle), y + length * Math.sin(angle));
    }
    context.closePath();
    context.fillStyle = "#ffffff";
    context.fill();
  }

  #drawMask(x, y, radius) {
    const context = this.#context;
    context.save();
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.clip();
    context.fillStyle = "#20242b";
    context.fillRect(x - radius, y - radius * 0.42, 2 * radius, radius * 0.62);
    context.fillStyle = "#ffffff";
    for (const eye of [-0.4, 0.4]) {
      context.beginPath();
      context.arc(x + eye * radius, y - radius * 0.11, radius * 0.17, 0, 2 * Math.PI);
      context.fill();
    }
    context.restore();
  }

  #text(text, x, y, size, weight) {
    const context = this.#context;
    context.font = `${weight} ${Math.max(9, size)}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(text, x, y);
  }
}
