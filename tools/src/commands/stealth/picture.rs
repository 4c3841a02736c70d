//! A way past guards as an SVG that moves: one group for each moment, shown in turn.

use crate::{
    output::human,
    table::{
        picture::{
            BEGIN, FAINT, INK, LARGEST_SQUARE, MARGIN, PAPER, POLICE, TALLEST, THIEF, WIDTH, paint, short,
            text,
        },
        portrait::Colour,
    },
};
use dragnet_formats::{
    board::Square,
    cell::{Cell, Side},
    setting::Setting,
};
use dragnet_generator::stealth::{Moment, Way};
use std::fmt::{self, Write};

/// Seconds for each ply.
const PLY: f64 = 0.4;
/// Seconds that the last moment is shown for.
const REST: f64 = 2.0;
/// The squares that guards see, and a thief who is seen.
const SIGHT: &str = "#f0b400";
const SEEN: &str = "#c22d1e";

/// Draws a way on the board of a setting.
pub(super) fn svg(setting: &Setting, way: &Way, first: Side) -> String {
    let mut text = String::new();
    Picture::new(setting, way, first).write(&mut text).expect("a string takes all that is written");
    text
}

struct Picture<'a> {
    setting: &'a Setting,
    way: &'a Way,
    first: Side,
    /// The side of a square.
    square: f64,
    /// The board's left edge; its upper one is at [`TOP`].
    left: f64,
}

const TOP: f64 = 62.0;

impl<'a> Picture<'a> {
    fn new(setting: &'a Setting, way: &'a Way, first: Side) -> Picture<'a> {
        let (rows, columns) = (f64::from(setting.board.height()), f64::from(setting.board.width()));
        let widest = WIDTH - 2.0 * MARGIN;
        let square = (widest / columns).min(TALLEST / rows).min(LARGEST_SQUARE);
        Picture { setting, way, first, square, left: ((WIDTH - square * columns) / 2.0).floor() }
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        let board = &self.setting.board;
        let total = TOP + self.square * f64::from(board.height()) + MARGIN;
        let (plies, seen) = (human::counted(self.way.plies().into(), "ply", "plies"), self.way.seen());
        let heading = match seen {
            0 => format!("Unseen in {plies}"),
            _ => format!("Through in {plies}, seen {}", human::counted(seen.into(), "time", "times")),
        };
        writeln!(
            out,
            r#"{BEGIN}"http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {total}" width="{WIDTH}" height="{total}" role="img" font-family="system-ui,'Segoe UI','DejaVu Sans',sans-serif">"#
        )?;
        writeln!(out, "<title>{heading}</title>")?;
        // Its side is the clock of all groups: it begins anew when it ends.
        let all = PLY * self.way.moments.len() as f64 + REST;
        writeln!(
            out,
            r##"<rect x=".5" y=".5" width="{}" height="{}" rx="10" fill="{PAPER}" stroke="#c9ced6"><animate id="clock" attributeName="rx" values="10" begin="0s;clock.end" dur="{}s"/></rect>"##,
            WIDTH - 1.0,
            total - 1.0,
            short(all)
        )?;
        text(out, [MARGIN, 29.0], 17.0, INK, r#" font-weight="600""#, &heading)?;
        writeln!(out, r#"<g transform="translate({} {TOP}) scale({})">"#, self.left, short(self.square))?;
        let (wall, exit) = (paint(Colour::Wall), paint(Colour::Exit));
        writeln!(out, r#"<path fill="{wall}" d="M0 0h{1}v{0}h-{1}z"/>"#, board.height(), board.width())?;
        let on = |wanted: fn(Square) -> bool| board.cells().filter(move |(_, square)| wanted(*square));
        let open = squares(on(|square| square != Square::Wall).map(|(cell, _)| cell));
        let exits = squares(on(|square| square == Square::Exit).map(|(cell, _)| cell));
        writeln!(out, r#"<g shape-rendering="crispEdges"><path fill="white" d="{open}"/>"#)?;
        writeln!(out, r#"<path fill="{exit}" d="{exits}"/></g>"#)?;
        self.letters(out)?;
        for (number, moment) in self.way.moments.iter().enumerate() {
            self.moment(out, number, moment)?;
        }
        let way: Vec<String> = self.way.moments.iter().map(|moment| point(moment.thief)).collect();
        writeln!(
            out,
            r#"<polyline points="{}" fill="none" stroke="{THIEF}" stroke-width=".06" stroke-linejoin="round" stroke-dasharray=".02 .16" stroke-linecap="round"/>"#,
            way.join(" ")
        )?;
        writeln!(out, "</g></svg>")
    }

    /// Writes the letters of the board.
    fn letters(&self, out: &mut String) -> fmt::Result {
        writeln!(out, r#"<g font-size=".5" fill="{FAINT}" text-anchor="middle">"#)?;
        for (cell, letter) in self.setting.board.letters() {
            let [x, y] = [cell.col, cell.row].map(|at| f64::from(at) + 0.5);
            writeln!(out, r#"<text x="{x}" y="{}">{letter}</text>"#, y + 0.18)?;
        }
        writeln!(out, "</g>")
    }

    /// Writes a moment, which is shown when its time has come; the first one also where nothing moves.
    fn moment(&self, out: &mut String, number: usize, moment: &Moment) -> fmt::Result {
        let begin = short(PLY * number as f64);
        let last = number + 1 == self.way.moments.len();
        let lasts = if last { PLY + REST } else { PLY };
        match number {
            0 => writeln!(
                out,
                r#"<g><set attributeName="visibility" to="hidden" begin="clock.begin+{lasts}s" end="clock.end"/>"#
            )?,
            _ => writeln!(
                out,
                r#"<g visibility="hidden"><set attributeName="visibility" to="visible" begin="clock.begin+{begin}s" dur="{lasts}s"/>"#
            )?,
        }
        let mut seen: Vec<Cell> = self.setting.seen_by_guards(moment.world).into_iter().flatten().collect();
        seen.sort_unstable();
        seen.dedup();
        let world = self.setting.worlds().get(moment.world);
        let closed = squares(self.setting.doors.closed(world.doors));
        if !closed.is_empty() {
            writeln!(out, r#"<path fill="{FAINT}" d="{closed}"/>"#)?;
        }
        writeln!(out, r#"<path fill="{SIGHT}" fill-opacity=".45" d="{}"/>"#, squares(seen))?;
        for (number, (_, post)) in (1..).zip(self.setting.guards.at(world.tick)) {
            let (x, y) = (f64::from(post.cell.col), f64::from(post.cell.row));
            writeln!(
                out,
                r#"<rect x="{}" y="{}" width=".7" height=".7" rx=".12" fill="{POLICE}"/><text x="{}" y="{}" font-size=".5" font-weight="600" fill="white" text-anchor="middle">{number}</text>"#,
                x + 0.15,
                y + 0.15,
                x + 0.5,
                y + 0.68
            )?;
        }
        let ring = if moment.seen_by.is_empty() { THIEF } else { SEEN };
        let [x, y] = [moment.thief.col, moment.thief.row].map(|at| f64::from(at) + 0.5);
        writeln!(
            out,
            r#"<circle cx="{x}" cy="{y}" r=".3" fill="white" stroke="{ring}" stroke-width=".14"/>"#
        )?;
        // In the units of the picture, above the board.
        let scale = 1.0 / self.square;
        let mover = if (number % 2 == 1) == (self.first == Side::Thief) { "thief" } else { "guards" };
        let what = match (number, moment.seen_by.is_empty()) {
            (0, _) => "start".to_owned(),
            (_, true) => format!("ply {number}, {mover}"),
            (_, false) => format!("ply {number}, {mover}: seen"),
        };
        let (x, y) = ((MARGIN - self.left) * scale, -12.0 * scale);
        writeln!(
            out,
            r#"<g transform="translate({} {}) scale({})">"#,
            short(x * 10.0) / 10.0,
            short(y * 10.0) / 10.0,
            short(scale * 1000.0) / 1000.0
        )?;
        text(out, [0.0, 0.0], 12.5, FAINT, "", &what)?;
        writeln!(out, "</g></g>")
    }
}

/// Returns the middle of a cell.
fn point(cell: Cell) -> String {
    format!("{},{}", f64::from(cell.col) + 0.5, f64::from(cell.row) + 0.5)
}

/// Returns the path around cells, which rise, row by row.
fn squares(cells: impl IntoIterator<Item = Cell>) -> String {
    let cells: Vec<Cell> = cells.into_iter().collect();
    let runs = cells.chunk_by(|a, b| a.row == b.row && a.col + 1 == b.col);
    runs.map(|run| format!("M{} {}h{2}v1h-{2}z", run[0].col, run[0].row, run.len())).collect()
}
