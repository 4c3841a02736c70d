"""Draws how long the game lasts for every cell of the thief, and an optimal line.

A script of cells (`# %%`) for notebooks and editors, or on the command line:

    python heat_map.py TABLE [--police ROW,COL] [--thief ROW,COL] [--out PICTURE.png]
"""

# %% What to draw
from __future__ import annotations

import argparse

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection
from matplotlib.colors import Colormap, LinearSegmentedColormap, Normalize, to_rgb
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from dragnet_probe import DRAW, POLICE, THIEF, WALL, Cell, Side, Table, Values

parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
parser.add_argument("table")
parser.add_argument(
    "--police", metavar="ROW,COL", help="the officer's cell; if left out, where he needs longest"
)
parser.add_argument(
    "--thief", metavar="ROW,COL", help="the thief's; if left out, where the game lasts longest"
)
parser.add_argument("--out", default="heat_map.png", metavar="PICTURE.png")
arguments = parser.parse_args()
table = Table.open(arguments.table)


# %% The cells of both pieces
def cell(text: str) -> Cell:
    """The cell in `ROW,COL`."""
    row, col = text.split(",")
    return int(row), int(col)


def longest(police: Cell) -> tuple[int, Cell]:
    """The longest win with the officer there, and the thief's cell."""
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
SIDE_COLOUR = {"police": "#0b3c7d", "thief": "#b03a00"}
SCALES: dict[int, Colormap] = {
    POLICE: LinearSegmentedColormap.from_list("police", ["#eaf3fb", "#8fc1e3", "#3f8cc5", "#1a5a9e"]),
    THIEF: LinearSegmentedColormap.from_list("thief", ["#fff1dc", "#fdc37a", "#f28e2b", "#c95a10"]),
}
RANGES = {
    winner: Normalize(
        0, max(1, *(int(row.dtw[row.outcome == winner].max(initial=0)) for row in rows.values()))
    )
    for winner in SCALES
}


def picture(values: Values) -> NDArray[np.float64]:
    """The colours of all squares."""
    colours = np.zeros((*values.outcome.shape, 3))
    colours[values.outcome == WALL] = to_rgb(WALLS)
    colours[values.outcome == DRAW] = to_rgb(DRAWN)
    for winner, scale in SCALES.items():
        won = values.outcome == winner
        colours[won] = scale(RANGES[winner](values.dtw[won]))[:, :3]
    return colours


# %% One board
def draw_board(axes: Axes, values: Values, title: str) -> None:
    """The board with colours, numbers if there is room for them, and exits."""
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
            axes.add_patch(plt.Rectangle((col - 0.42, row - 0.42), 0.84, 0.84, fill=False, ec=INK, lw=1.6))
        if max(height, width) <= 24 and (row, col) != police:
            luminance = colours[row, col] @ (0.299, 0.587, 0.114)
            text = str(values.dtw[row, col]) if values.dtw[row, col] >= 0 else "–"
            ink = INK if luminance > 0.55 else PAPER
            axes.text(col, row, text, ha="center", va="center", fontsize=8, color=ink)


def draw_piece(axes: Axes, at: Cell, side: Side) -> None:
    """A disc with the side's letter."""
    size = max(9, 300 / max(table.height, table.width))
    axes.plot(at[1], at[0], "o", ms=min(size, 19), mfc=SIDE_COLOUR[side], mec=PAPER, mew=1.5, zorder=5)
    axes.text(
        *at[::-1], side[0].upper(), ha="center", va="center", color=PAPER, fontsize=8, weight="bold", zorder=6
    )


def draw_line(axes: Axes, side: Side, start: Cell, shift: float) -> None:
    """The way of one piece, growing thicker; beside the middle of the cells, for that of the other."""
    steps = np.array([start, *(move.to for move in line.moves if move.side == side)], dtype=float)
    points = steps[:, ::-1] + shift
    pieces = np.stack([points[:-1], points[1:]], axis=1)
    widths = np.linspace(1.2, 3.2, max(1, len(pieces)))
    ways = LineCollection(
        list(pieces), colors=SIDE_COLOUR[side], linewidths=widths, capstyle="round", zorder=4
    )
    ways.set_path_effects([withStroke(linewidth=5, foreground=PAPER, alpha=0.55)])
    axes.add_collection(ways)
    axes.plot(*points[-1], "X", ms=8, mfc=SIDE_COLOUR[side], mec=PAPER, mew=1, zorder=5)


# %% Both boards, scales and legend
matplotlib.rcParams["font.family"] = "DejaVu Sans"
ratio = table.height / table.width
figure = plt.figure(figsize=(13, 2.6 + 5.4 * ratio), facecolor=PAPER, layout="constrained")
boards = figure.subplots(1, 2)
for axes, (turn, values) in zip(boards, rows.items(), strict=True):
    draw_board(axes, values, f"{turn.capitalize()} to move")
draw_line(boards[0], "police", police, -0.13)
draw_line(boards[0], "thief", thief, 0.13)
for axes in boards:
    draw_piece(axes, police, "police")
draw_piece(boards[0], thief, "thief")

for winner, side in ((THIEF, "thief"), (POLICE, "police")):
    if any((row.outcome == winner).any() for row in rows.values()):
        scale = ScalarMappable(RANGES[winner], SCALES[winner])
        bar = figure.colorbar(scale, ax=boards, fraction=0.022, pad=0.012, aspect=22)
        bar.set_label(f"the {side} wins in so many plies", fontsize=9, color=INK)
        bar.ax.tick_params(labelsize=8, length=0, colors=INK)
        bar.outline.set_visible(False)

verdict = (
    "nobody wins" if line.value.dtw is None else f"the {line.value.outcome} wins in {line.value.dtw} plies"
)
figure.suptitle(
    f"Officer on {police[0]},{police[1]}: how long the game lasts for each cell of the thief\n",
    fontsize=14,
    color=INK,
)
figure.legend(
    handles=[
        Patch(color=DRAWN, label="draw"),
        Patch(color=WALLS, label="wall"),
        Patch(fill=False, ec=INK, lw=1.6, label="exit"),
        Line2D(
            [], [], color=SIDE_COLOUR["police"], lw=2.5, marker="X", mec=PAPER, ms=9, label="officer's way"
        ),
        Line2D([], [], color=SIDE_COLOUR["thief"], lw=2.5, marker="X", mec=PAPER, ms=9, label="thief's way"),
        Line2D([], [], lw=0, label=f"Optimal line from thief {thief[0]},{thief[1]}: {verdict} ({line.end})"),
    ],
    loc="outside lower center",
    ncols=6,
    frameon=False,
    fontsize=9,
    labelcolor=INK,
)
figure.savefig(arguments.out, dpi=160)
