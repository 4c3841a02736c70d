"""Draws how long the game takes for every cell of the thief, and optimal play.

A script of cells (`# %%`) for notebooks and editors, or on the command line:

    python heat_map.py TABLE [--police ROW,COL] [--thief ROW,COL] [--out PICTURE.png]
"""

# %% What to draw
from __future__ import annotations

import argparse

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection
from matplotlib.colors import Colormap, LinearSegmentedColormap, Normalize, to_rgb
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from dragnet_probe import DRAW, POLICE, THIEF, WALL, Cell, Open, Side, Values

parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
parser.add_argument("table")
parser.add_argument("--police", metavar="ROW,COL", help="the officer's cell; else where he needs longest")
parser.add_argument("--thief", metavar="ROW,COL", help="the thief's; else where the game lasts longest")
parser.add_argument("--out", default="heat_map.png", metavar="PICTURE.png")
arguments = parser.parse_args()
table = Open.path(arguments.table).pursuit()


# %% The cells of both pieces
def cell(text: str) -> Cell:
    """Parses a cell in the form `ROW,COL`."""
    row, col = text.split(",")
    return int(row), int(col)


def longest(police: Cell) -> tuple[int, Cell]:
    """Returns the longest win with the officer on a cell, and the thief's cell in it."""
    dtw = table.row(police=police, turn="police").dtw
    row, col = np.unravel_index(dtw.argmax(), dtw.shape)
    return int(dtw.max()), (int(row), int(col))


open_cells: list[Cell] = [(row, col) for row, col in table.cells.tolist()]
police = cell(arguments.police) if arguments.police else max(open_cells, key=longest)
thief = cell(arguments.thief) if arguments.thief else longest(police)[1]
line = table.line(police, thief, "police")
rows: dict[Side, Values] = {
    "police": table.row(police=police, turn="police"),
    "thief": table.row(police=police, turn="thief"),
}

# %% Colours that the colour-blind tell apart: blue where the police wins, orange where the thief does; the
# longer, the darker
INK, WALLS, DRAWN, PAPER = "#1c1f26", "#4a4f59", "#dcd8cf", "#ffffff"
SIDE_COLOUR: dict[Side, str] = {"police": "#0b3c7d", "thief": "#b03a00"}
SCALES: dict[int, Colormap] = {
    POLICE: LinearSegmentedColormap.from_list("police", ["#eaf3fb", "#8fc1e3", "#3f8cc5", "#1a5a9e"]),
    THIEF: LinearSegmentedColormap.from_list("thief", ["#fff1dc", "#fdc37a", "#f28e2b", "#c95a10"]),
}


def greatest(winner: int) -> int:
    """Returns the longest win of a side in plies, at least 1."""
    return max(int(values.dtw[values.outcome == winner].max(initial=1)) for values in rows.values())


RANGES = {winner: Normalize(0, greatest(winner)) for winner in SCALES}


def picture(values: Values) -> NDArray[np.float64]:
    """Returns the colour of every square."""
    colours = np.zeros((*values.outcome.shape, 3))
    colours[values.outcome == WALL] = to_rgb(WALLS)
    colours[values.outcome == DRAW] = to_rgb(DRAWN)
    for winner, scale in SCALES.items():
        won = values.outcome == winner
        colours[won] = scale(RANGES[winner](values.dtw[won]))[:, :3]
    return colours


# %% One board
def draw_board(axes: Axes, values: Values, title: str) -> None:
    """Draws the board with colours, exits, and numbers if there is room for them."""
    height, width = values.dtw.shape
    colours = picture(values)
    axes.imshow(colours, interpolation="nearest")
    axes.set_title(title, color=INK, fontsize=12, pad=10, loc="left", fontweight="bold")
    axes.set_xticks(range(0, width, max(1, width // 12)))
    axes.set_yticks(range(0, height, max(1, height // 12)))
    axes.tick_params(length=0, labelsize=8, colors=INK)
    axes.set_xlabel("column of the thief", fontsize=9, color=INK)
    axes.set_ylabel("row of the thief", fontsize=9, color=INK)
    axes.spines[:].set_visible(False)
    if max(height, width) <= 32:
        axes.set_xticks(np.arange(width + 1) - 0.5, minor=True)
        axes.set_yticks(np.arange(height + 1) - 0.5, minor=True)
        axes.grid(which="minor", color=PAPER, linewidth=1)
        axes.tick_params(which="minor", length=0)
    for row, col in open_cells:
        if table.board[row, col] == 2:
            axes.add_patch(Rectangle((col - 0.42, row - 0.42), 0.84, 0.84, fill=False, ec=INK, lw=1.6))
        if max(height, width) <= 16 and values.outcome[row, col] != DRAW:
            # In the corner, beside the ways of the pieces.
            ink = INK if colours[row, col] @ (0.299, 0.587, 0.114) > 0.55 else PAPER
            text = str(values.dtw[row, col])
            axes.text(col - 0.42, row + 0.42, text, va="bottom", fontsize=6.5, color=ink, zorder=6)


def draw_piece(axes: Axes, at: Cell, side: Side) -> None:
    """Draws a piece as a disc with the letter of its side."""
    row, col = at
    size = min(19, max(11, 300 / max(table.height, table.width)))
    axes.plot(col, row, "o", ms=size, mfc=SIDE_COLOUR[side], mec=PAPER, mew=1.5, zorder=5)
    letter = side[0].upper()
    axes.text(
        col, row, letter, ha="center", va="center_baseline", color=PAPER, fontsize=0.55 * size, zorder=6
    )


def draw_line(axes: Axes, side: Side, start: Cell, shift: float) -> None:
    """Draws the path of a piece, growing thicker; `shift` keeps the two paths apart."""
    steps = np.array([start, *(move.to for move in line.moves if move.side == side)], dtype=float)
    points = steps[:, ::-1] + shift
    pieces = np.stack([points[:-1], points[1:]], axis=1)
    axes.plot(*points.T, color=PAPER, lw=5, alpha=0.6, solid_capstyle="round", zorder=3)
    widths = np.linspace(1.2, 3.2, max(1, len(pieces)))
    ways = LineCollection(list(pieces), colors=SIDE_COLOUR[side], linewidths=widths, zorder=4)
    ways.set_capstyle("round")
    axes.add_collection(ways)
    axes.plot(*points[-1], "X", ms=8, mfc=SIDE_COLOUR[side], mec=PAPER, mew=1, zorder=5)


# %% Both boards, scales and legend
# Beside each other, but wide boards one above the other.
wide = table.width > 2 * table.height
ratio = table.height / table.width
height = max(5.0, 3 + 20 * ratio) if wide else 2.1 + 5.2 * ratio
figure = plt.figure(figsize=(13, height), facecolor=PAPER, layout="constrained")
boards = figure.subplots(2, 1) if wide else figure.subplots(1, 2)
dtw = line.value.dtw
verdict = "nobody wins" if dtw is None else f"the {line.value.outcome} wins in {dtw} plies ({line.end})"
titles = ["Police to move, with the optimal line", "Thief to move"]
for axes, values, title in zip(boards, rows.values(), titles, strict=True):
    draw_board(axes, values, title)
    draw_piece(axes, police, "police")
draw_line(boards[0], "police", police, -0.13)
draw_line(boards[0], "thief", thief, 0.13)
draw_piece(boards[0], thief, "thief")

for winner, side in ((THIEF, "thief"), (POLICE, "police")):
    if any((values.outcome == winner).any() for values in rows.values()):
        scale = ScalarMappable(RANGES[winner], SCALES[winner])
        bar = figure.colorbar(scale, ax=boards, fraction=0.022, pad=0.012, aspect=25)
        bar.set_label(f"the {side} wins in so many plies", fontsize=9, color=INK)
        bar.ax.tick_params(labelsize=8, length=0, colors=INK)
        bar.locator = MaxNLocator(integer=True)
        bar.update_ticks()
        bar.outline.set_visible(False)

places = [f"{row},{col}" for row, col in (police, thief)]
figure.suptitle(
    f"Officer on {places[0]}: how long the game lasts for each cell of the thief\n"
    f"From {places[1]}, with the police to move, {verdict}",
    fontsize=13,
    color=INK,
)
figure.legend(
    handles=[
        Patch(color=DRAWN, label="draw"),
        Patch(color=WALLS, label="wall"),
        Patch(fill=False, ec=INK, lw=1.6, label="exit"),
        *(
            Line2D([], [], color=colour, lw=2.5, marker="X", mec=PAPER, ms=9, label=f"optimal line, {side}")
            for side, colour in SIDE_COLOUR.items()
        ),
    ],
    loc="outside lower center",
    ncols=5,
    frameon=False,
    fontsize=9,
    labelcolor=INK,
)
figure.savefig(arguments.out, dpi=160, bbox_inches="tight", pad_inches=0.2)
