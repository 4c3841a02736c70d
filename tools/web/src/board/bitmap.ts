import { DRAW, OPEN as OPEN_COLOUR, OUTCOME_COLOURS, WALL as WALL_COLOUR, colourOf, tintOf } from "../base/palette.js";
import { DRAWN, NO_VALUE, POLICE_WINS, type Scene, type Values, WALL, letterOf } from "./scene.js";

/** A picture of a board with a pixel for each square, which is scaled to draw the board. */
export class Bitmap {
  readonly canvas = document.createElement("canvas");
  readonly #context = this.canvas.getContext("2d", { willReadFrequently: true })!;
  #image: ImageData | undefined;
  #pixels = new Uint32Array(0);
  #squares: Uint8Array | undefined;
  #values: Values | undefined;
  #fine = false;
  #police: Uint32Array = new Uint32Array(0);
  #thief: Uint32Array = new Uint32Array(0);

  /**
   * Draws the squares and values of a scene. Returns whether anything changed.
   *
   * @param fine whether squares are too small to be hatched one by one, so that draws get lines of squares
   */
  draw({ height, width, squares, values }: Scene, fine: boolean): boolean {
    const { canvas } = this;
    const resized = canvas.height !== height || canvas.width !== width;
    const shown = this.#squares === squares && this.#values === values && this.#fine === fine;
    if (!resized && shown) return false;
    this.#fine = fine;
    if (resized || this.#image === undefined) {
      canvas.height = height;
      canvas.width = width;
      this.#image = this.#context.createImageData(width, height);
      this.#pixels = new Uint32Array(this.#image.data.buffer);
    }
    this.#squares = squares;
    if (values !== undefined) this.#prepareScales(values);
    this.#values = values;
    this.#paint(squares, values);
    this.#context.putImageData(this.#image, 0, 0);
    return true;
  }

  #paint(squares: Uint8Array, values: Values | undefined): void {
    const pixels = this.#pixels;
    const [police, thief] = [this.#police, this.#thief];
    const { width } = this.canvas;
    const draw = (square: number): number => {
      const diagonal = square + Math.floor(square / width) * (HATCH_PERIOD + 1 - (width % HATCH_PERIOD));
      return this.#fine && diagonal % HATCH_PERIOD === 0 ? HATCH_PIXEL : DRAW_PIXEL;
    };
    for (let square = 0; square < pixels.length; square++) {
      if (squares[square] === WALL) {
        pixels[square] = WALL_PIXEL;
        continue;
      }
      const outcome = values === undefined ? NO_VALUE : values.outcomes[square]!;
      if (outcome === NO_VALUE) pixels[square] = GROUND_PIXELS[squares[square]!]!;
      else if (outcome === DRAWN) pixels[square] = draw(square);
      else {
        const scale = outcome === POLICE_WINS ? police : thief;
        pixels[square] = scale[Math.min(values!.distances[square]!, scale.length - 1)]!;
      }
    }
  }

  /** Prepares the colour of each distance: only one where distances are not shown. */
  #prepareScales(values: Values): void {
    const { longest, onlyOutcomes } = values;
    const scale = (side: "police" | "thief"): Uint32Array =>
      onlyOutcomes
        ? Uint32Array.of(pixelOf(OUTCOME_COLOURS[side]))
        : Uint32Array.from({ length: longest[side] + 1 }, (_, dtw) => pixelOf(colourOf(side, dtw, longest)));
    const before = this.#values;
    if (scaleKey(before, "police") !== scaleKey(values, "police")) this.#police = scale("police");
    if (scaleKey(before, "thief") !== scaleKey(values, "thief")) this.#thief = scale("thief");
  }
}

/** Returns what the colours of a side depend on. */
function scaleKey(values: Values | undefined, side: "police" | "thief"): number | "outcomes" | undefined {
  return values?.onlyOutcomes ? "outcomes" : values?.longest[side];
}

/** The distance of the lines of squares that hatch draws. */
const HATCH_PERIOD = 4;
const HATCH_COLOUR = "#8a8a8a";
const HATCH_PIXEL = pixelOf(HATCH_COLOUR);
const [WALL_PIXEL, OPEN_PIXEL, DRAW_PIXEL] = [WALL_COLOUR, OPEN_COLOUR, DRAW].map(pixelOf) as [
  number,
  number,
  number,
];

/** The pixel of each kind of square that is no wall and has no value. */
const GROUND_PIXELS = Uint32Array.from({ length: 128 }, (_, kind) => {
  const letter = letterOf(kind);
  return letter === undefined ? OPEN_PIXEL : pixelOf(tintOf(letter));
});

/** Returns a colour, written #rrggbb, as a pixel of an image. */
function pixelOf(colour: string): number {
  const bytes = Uint8Array.of(...[1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)), 255);
  return new Uint32Array(bytes.buffer)[0]!;
}
