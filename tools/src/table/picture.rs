//! A picture of a chase: the board as a heat map, and optimal play drawn over it, as an SVG.

mod tracks;

use crate::{
    failure::Failure,
    leftovers,
    output::human,
    palette::{Palette, hex, ink_on},
    table::{heat_map::HeatMap, portrait::Colour},
};
use dragnet_formats::{
    board::Square,
    cell::{Cell, Side},
};
use dragnet_generator::save::save;
use dragnet_probe::{Line, Table};
use std::{
    collections::BTreeMap,
    fmt::{self, Write as _},
    fs,
    io::{self, Write as _},
    path::Path,
};
use tracks::{Track, displacement};

/// Width of the picture, in the SVG's units.
pub(crate) const WIDTH: f64 = 600.0;
/// Space around the board and the texts.
pub(crate) const MARGIN: f64 = 16.0;
/// Space for row numbers left of the board and for column numbers above it.
const RULER: f64 = 20.0;
/// The board's greatest height.
pub(crate) const TALLEST: f64 = 800.0;
/// The side of the largest square: small boards would look coarse otherwise.
pub(crate) const LARGEST_SQUARE: f64 = 56.0;
/// The side of the smallest square whose stops are numbered one by one.
const NUMBERED_SQUARE: f64 = 17.0;
/// The paint that makes drawn cells different without their colour.
const HATCH: &str = "url(#hatch)";
/// Most distances that the legend shows for each side's wins.
const SAMPLES: usize = 7;

pub(crate) const PAPER: &str = "#fcfcfa";
pub(crate) const INK: &str = "#20232a";
pub(crate) const FAINT: &str = "#667080";
pub(crate) const POLICE: &str = "#1747c4";
pub(crate) const THIEF: &str = "#111318";

/// Draws the board of `table` and the chase `line` over it. The colour of a cell says what becomes of a thief
/// who starts there, in the layer in which he does, the police and the side to move being those of the line's
/// start.
///
/// # Errors
/// When the cells are the vertices of a graph, or the table is damaged.
pub(crate) fn svg(table: &Table, line: &Line) -> Result<String, Failure> {
    if table.board().graph().is_some() {
        return Err(Failure::input(
            "no picture is possible: the cells of this table are the vertices of a graph, which have no place on a board",
        ));
    }
    let layer = line.start.thief.row / table.header().rows();
    let map = HeatMap::of(table, Side::Thief, layer.into(), line.start)?;
    let picture = Picture::new(table, line, map);
    let mut text = String::new();
    picture.write(&mut text).expect("a string takes all that is written");
    Ok(text)
}

/// The first characters of every picture.
pub(crate) const BEGIN: &str = "<svg xmlns=";

/// Writes a picture to the file `path`, which is whole or not there; an SVG file of that name is replaced.
///
/// # Errors
/// When the file cannot be written, or is there and is no SVG file.
pub(crate) fn write(picture: &str, path: &Path) -> Result<(), Failure> {
    let cannot = |error| Failure::cannot("write", path, error);
    match fs::read(path) {
        Ok(bytes) if !bytes.starts_with(BEGIN.as_bytes()) => {
            return Err(Failure::input(format!(
                "{} is in the way: it is no picture of dragnet",
                path.display()
            )));
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(cannot(error)),
        _ => {}
    }
    leftovers::remove_beside(path);
    save(path, false, |mut file| -> io::Result<_> {
        file.write_all(picture.as_bytes())?;
        Ok((file, ()))
    })
    .map_err(cannot)
}

struct Picture<'a> {
    table: &'a Table,
    line: &'a Line,
    map: HeatMap,
    /// The side of a square.
    square: f64,
    /// The board's left and upper edge.
    left: f64,
    top: f64,
    tracks: Vec<Track>,
}

impl<'a> Picture<'a> {
    fn new(table: &'a Table, line: &'a Line, map: HeatMap) -> Picture<'a> {
        let (rows, columns) = (f64::from(table.board().height()), f64::from(table.board().width()));
        let widest = WIDTH - 2.0 * MARGIN - RULER;
        let square = (widest / columns).min(TALLEST / rows).min(LARGEST_SQUARE);
        // Squares of a whole number of units have sharp edges.
        let square = if square > 3.0 { square.floor() } else { square };
        let left = MARGIN + RULER + ((widest - square * columns) / 2.0).floor();
        let tracks = Track::all(table, line);
        Picture { table, line, map, square, left, top: 62.0 + RULER, tracks }
    }

    fn size(&self) -> [f64; 2] {
        let board = self.table.board();
        [self.square * f64::from(board.width()), self.square * f64::from(board.height())]
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        let [width, height] = self.size();
        let mut legend = String::new();
        let bottom = self.legend(&mut legend, self.top + height + 26.0)?;
        let total = bottom + MARGIN;
        let start = human::position(self.table.board(), &self.line.start);
        let value = human::value(self.line.value, self.line.start.turn);
        writeln!(
            out,
            r#"{BEGIN}"http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {total}" width="{WIDTH}" height="{total}" role="img" font-family="system-ui,'Segoe UI','DejaVu Sans',sans-serif">"#
        )?;
        writeln!(out, "<title>{start}: {value}</title>")?;
        writeln!(
            out,
            r##"<rect x=".5" y=".5" width="{}" height="{}" rx="10" fill="{PAPER}" stroke="#c9ced6"/>"##,
            WIDTH - 1.0,
            total - 1.0
        )?;
        let heading = value[..1].to_uppercase() + &value[1..];
        text(out, [MARGIN, 29.0], 17.0, INK, r#" font-weight="600""#, &heading)?;
        text(out, [MARGIN, 50.0], 12.5, FAINT, "", &start)?;
        self.rulers(out)?;
        writeln!(
            out,
            r#"<clipPath id="board"><rect x="{}" y="{}" width="{width}" height="{height}"/></clipPath>"#,
            self.left, self.top
        )?;
        writeln!(
            out,
            r#"<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0v6" stroke="{INK}" stroke-opacity=".4" stroke-width="1.6"/></pattern>"#
        )?;
        self.squares(out)?;
        self.exits(out)?;
        self.ways(out)?;
        out.push_str(&legend);
        writeln!(out, "</svg>")
    }

    /// Writes the numbers of rows and columns, as many as there is room for.
    fn rulers(&self, out: &mut String) -> fmt::Result {
        let board = self.table.board();
        let step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]
            .into_iter()
            .find(|&step| f64::from(step) * self.square >= 16.0)
            .unwrap_or(10_000);
        writeln!(out, r#"<g font-size="9.5" fill="{FAINT}" text-anchor="middle">"#)?;
        for col in (0..board.width()).step_by(step as usize) {
            let x = self.left + (f64::from(col) + 0.5) * self.square;
            writeln!(out, r#"<text x="{}" y="{}">{col}</text>"#, short(x), short(self.top - 6.0))?;
        }
        writeln!(out, r#"</g><g font-size="9.5" fill="{FAINT}" text-anchor="end">"#)?;
        for row in (0..board.height()).step_by(step as usize) {
            let y = self.top + (f64::from(row) + 0.5) * self.square + 3.4;
            writeln!(out, r#"<text x="{}" y="{}">{row}</text>"#, short(self.left - 6.0), short(y))?;
        }
        writeln!(out, "</g>")
    }

    /// Draws the squares, one path for each colour.
    fn squares(&self, out: &mut String) -> fmt::Result {
        let board = self.table.board();
        let mut paths: BTreeMap<Colour, String> = BTreeMap::new();
        let mut hatched = String::new();
        let columns = usize::from(board.width());
        for (row, (values, squares)) in
            self.map.values().chunks(columns).zip(board.squares().chunks(columns)).enumerate()
        {
            let colours: Vec<Colour> = values
                .iter()
                .zip(squares)
                .map(|(value, square)| match (square, value) {
                    (Square::Wall, _) | (_, None) => Colour::Wall,
                    (Square::Exit, _) => Colour::Exit,
                    (Square::Open, Some(value)) => self.map.colour(*value),
                })
                .collect();
            let mut col = 0;
            for run in colours.chunk_by(|a, b| a == b) {
                let length = run.len();
                let piece = format!("M{col} {row}h{length}v1h-{length}z");
                if run[0] == Colour::Draw {
                    hatched += &piece;
                }
                if run[0] != Colour::Wall {
                    *paths.entry(run[0]).or_default() += &piece;
                }
                col += length;
            }
        }
        let [width, height] = self.size();
        let place = format!(r#"transform="translate({} {}) scale({})""#, self.left, self.top, self.square);
        writeln!(
            out,
            r#"<rect x="{}" y="{}" width="{width}" height="{height}" fill="{}"/>"#,
            self.left,
            self.top,
            paint(Colour::Wall)
        )?;
        writeln!(out, r#"<g shape-rendering="crispEdges" {place}>"#)?;
        for (colour, path) in &paths {
            writeln!(out, r#"<path fill="{}" d="{path}"/>"#, paint(*colour))?;
        }
        writeln!(out, "</g>")?;
        if !hatched.is_empty() {
            // Hatched in the picture's own units, so the path is scaled and the pattern is not.
            writeln!(out, r#"<clipPath id="drawn"><path {place} d="{hatched}"/></clipPath>"#)?;
            writeln!(
                out,
                r#"<rect x="{}" y="{}" width="{width}" height="{height}" fill="{HATCH}" clip-path="url(#drawn)"/>"#,
                self.left, self.top
            )?;
        }
        if self.square >= 8.0 {
            let mut lines = String::new();
            for col in 1..board.width() {
                write!(lines, "M{col} 0v{}", board.height())?;
            }
            for row in 1..board.height() {
                write!(lines, "M0 {row}h{}", board.width())?;
            }
            let stroke = short(1.0 / self.square);
            writeln!(
                out,
                r#"<path {place} d="{lines}" stroke="{INK}" stroke-opacity=".16" stroke-width="{stroke}"/>"#
            )?;
        }
        Ok(())
    }

    fn exits(&self, out: &mut String) -> fmt::Result {
        if self.square < 9.0 {
            return Ok(());
        }
        let size = short(self.square * 0.5);
        let ink = hex(ink_on(Palette::get().exit));
        writeln!(out, r#"<g font-size="{size}" font-weight="700" fill="{ink}" text-anchor="middle">"#)?;
        for cell in self.table.board().exits() {
            let [x, y] = self.centre(cell);
            writeln!(
                out,
                r#"<text x="{}" y="{}">E</text>"#,
                short(x - self.square * 0.1),
                short(y + self.square * 0.08)
            )?;
        }
        writeln!(out, "</g>")
    }

    fn centre(&self, cell: Cell) -> [f64; 2] {
        let along = |from: f64, index: u16| from + (f64::from(index) + 0.5) * self.square;
        [along(self.left, cell.col), along(self.top, cell.row)]
    }

    /// Returns the point where track number `track` passes through a cell. Each track has its own corner of
    /// the cell.
    fn point(&self, track: usize, cell: Cell) -> [f64; 2] {
        const CORNERS: [[f64; 2]; 7] =
            [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [0.0, -0.6], [-0.6, 0.0], [0.4, 0.0], [1.0, 1.0]];
        let thief = track + 1 == self.tracks.len();
        let [x, y] = CORNERS[if thief { CORNERS.len() - 1 } else { track }];
        let off = self.square * 0.19;
        let [centre_x, centre_y] = self.centre(cell);
        [centre_x + off * x, centre_y + off * y]
    }

    /// Draws the ways of all pieces, then the numbers of their plies.
    fn ways(&self, out: &mut String) -> fmt::Result {
        let thickness = (self.square * 0.1).clamp(1.6, 4.0);
        writeln!(
            out,
            r#"<g clip-path="url(#board)" fill="none" stroke-linejoin="round" stroke-linecap="round">"#
        )?;
        for (number, track) in self.tracks.iter().enumerate() {
            let path = self.way(number, track)?;
            if !path.is_empty() {
                let (wide, thin) = (short(thickness + 2.4), short(thickness));
                let (colour, dashes) = style(track.side);
                writeln!(
                    out,
                    r#"<path d="{path}" stroke="white" stroke-width="{wide}"/><path d="{path}" stroke="{colour}" stroke-width="{thin}"{dashes}/>"#
                )?;
            }
        }
        writeln!(out, "</g>")?;
        // On a large board there is no room for the numbers of all stops.
        let most = self.tracks.iter().map(|track| track.stops.len()).max().unwrap_or(0);
        let step = if self.square >= NUMBERED_SQUARE {
            1
        } else {
            [5, 10, 25, 50, 100, 250, 500].into_iter().find(|step| most / step <= 12).unwrap_or(1000)
        };
        let height = if step == 1 { (self.square * 0.42).clamp(9.0, 17.0) } else { 11.0 };
        writeln!(out, r#"<g font-size="{}" font-weight="600" text-anchor="middle">"#, short(height * 0.72))?;
        for (number, track) in self.tracks.iter().enumerate() {
            for (cell, label) in labels(track, step) {
                badge(out, self.point(number, cell), height, track.side, &label)?;
            }
        }
        writeln!(out, "</g>")
    }

    fn way(&self, number: usize, track: &Track) -> Result<String, fmt::Error> {
        let mut path = String::new();
        let mut pen: Option<Cell> = None;
        for two in track.stops.windows(2) {
            let [from, to] = [two[0].1, two[1].1];
            if from == to {
                continue;
            }
            let [x, y] = self.point(number, from);
            let [down, right] = displacement(self.table, from, to).map(|cells| cells as f64 * self.square);
            if pen != Some(from) {
                write!(path, "M{} {}", short(x), short(y))?;
            }
            write!(path, "l{} {}", short(right), short(down))?;
            // Over a joined edge the way goes on at the other side of the board.
            let plain = i64::from(to.row) - i64::from(from.row) == displacement(self.table, from, to)[0]
                && i64::from(to.col) - i64::from(from.col) == displacement(self.table, from, to)[1];
            if !plain {
                let [x, y] = self.point(number, to);
                write!(path, "M{} {}l{} {}", short(x - right), short(y - down), short(right), short(down))?;
            }
            pen = Some(to);
        }
        Ok(path)
    }

    /// Writes what the colours and signs mean, from `top` on. Returns where the legend ends.
    fn legend(&self, out: &mut String, top: f64) -> Result<f64, fmt::Error> {
        let mut y = top;
        let turn = self.line.start.turn;
        let who = human::pieces(self.table.board(), &self.line.start.police);
        let heading =
            format!("A thief who starts on a cell of this colour, police on {who}, {turn} to move:");
        text(out, [MARGIN, y], 12.0, INK, "", &heading)?;
        y += 14.0;
        let sides = [(Side::Police, "is caught after … plies"), (Side::Thief, "escapes after … plies")];
        for (side, what) in sides {
            let samples = self.map.samples(side, SAMPLES);
            if samples.is_empty() {
                continue;
            }
            text(out, [MARGIN, y + 13.0], 12.0, FAINT, "", what)?;
            for (i, dtw) in samples.into_iter().enumerate() {
                let x = 168.0 + 58.0 * i as f64;
                swatch(out, [x, y], &paint(self.map.colour_of_win(side, dtw)), "")?;
                text(out, [x + 23.0, y + 13.0], 12.0, FAINT, "", &dtw.to_string())?;
            }
            y += 23.0;
        }
        let mut x = MARGIN;
        let draws = self.map.counts().draw > 0;
        let walls = self.map.values().iter().any(Option::is_none);
        let exits = self.table.board().exits().next().is_some();
        for (there, colour, hatch, what) in [
            (draws, Colour::Draw, HATCH, "drawn"),
            (walls, Colour::Wall, "", "wall"),
            (exits, Colour::Exit, "", "exit"),
        ] {
            if there {
                swatch(out, [x, y], &paint(colour), hatch)?;
                text(out, [x + 23.0, y + 13.0], 12.0, FAINT, "", what)?;
                x += 72.0;
            }
        }
        for (side, what) in [(Side::Police, "police"), (Side::Thief, "thief")] {
            let (colour, dashes) = style(side);
            writeln!(
                out,
                r#"<path d="M{x} {}h26" stroke="{colour}" stroke-width="3" stroke-linecap="round"{dashes}/>"#,
                y + 9.0
            )?;
            writeln!(out, r#"<g font-size="10" font-weight="600" text-anchor="middle">"#)?;
            badge(out, [x + 13.0, y + 9.0], 14.0, side, if side == Side::Police { "P" } else { "T" })?;
            writeln!(out, "</g>")?;
            text(out, [x + 33.0, y + 13.0], 12.0, FAINT, "", what)?;
            x += 82.0;
        }
        text(out, [x, y + 13.0], 12.0, FAINT, "", "numbers: plies")?;
        Ok(y + 20.0)
    }
}

/// Returns the colour of a side's way and the dashes of its line, which differ for people who see no colours.
fn style(side: Side) -> (&'static str, &'static str) {
    match side {
        Side::Police => (POLICE, ""),
        Side::Thief => (THIEF, r#" stroke-dasharray=".1 5""#),
    }
}

/// Returns the cells of a track that are labelled, with the plies in which the piece is there: the start, the
/// end, and each `step`th stop.
fn labels(track: &Track, step: usize) -> Vec<(Cell, String)> {
    let last = track.stops.len() - 1;
    let mut plies: BTreeMap<Cell, Vec<usize>> = BTreeMap::new();
    for (i, &(ply, cell)) in track.stops.iter().enumerate() {
        if i % step == 0 || i == last {
            plies.entry(cell).or_default().push(ply);
        }
    }
    let letter = if track.side == Side::Police { "P" } else { "T" };
    let word = |ply: &usize| if *ply == 0 { letter.to_owned() } else { ply.to_string() };
    let label = |plies: &[usize]| match plies {
        [first, .., last] if plies.len() > 2 => format!("{}…{}", word(first), word(last)),
        few => few.iter().map(word).collect::<Vec<_>>().join("·"),
    };
    plies.into_iter().map(|(cell, plies)| (cell, label(&plies))).collect()
}

/// Draws a sign with a text: with corners for the police, round for the thief.
fn badge(out: &mut String, [x, y]: [f64; 2], height: f64, side: Side, label: &str) -> fmt::Result {
    let font = height * 0.72;
    let width = (label.chars().count() as f64 * font * 0.62 + height * 0.34).max(height);
    let (fill, ink, stroke, radius) = match side {
        Side::Police => (POLICE, "white", "white", 2.0),
        Side::Thief => ("white", THIEF, THIEF, height / 2.0),
    };
    writeln!(
        out,
        r#"<rect x="{}" y="{}" width="{}" height="{}" rx="{}" fill="{fill}" stroke="{stroke}" stroke-width="1.2"/><text x="{}" y="{}" fill="{ink}">{label}</text>"#,
        short(x - width / 2.0),
        short(y - height / 2.0),
        short(width),
        short(height),
        short(radius),
        short(x),
        short(y + font * 0.36),
    )
}

/// Draws a square of the legend.
fn swatch(out: &mut String, [x, y]: [f64; 2], fill: &str, hatch: &str) -> fmt::Result {
    let place = format!(r#"x="{x}" y="{y}" width="18" height="18" rx="3""#);
    writeln!(out, r##"<rect {place} fill="{fill}" stroke="#9aa1ac" stroke-width=".8"/>"##)?;
    if hatch.is_empty() { Ok(()) } else { writeln!(out, r#"<rect {place} fill="{hatch}"/>"#) }
}

pub(crate) fn text(
    out: &mut String,
    [x, y]: [f64; 2],
    size: f64,
    fill: &str,
    attributes: &str,
    content: &str,
) -> fmt::Result {
    writeln!(out, r#"<text x="{x}" y="{y}" font-size="{size}" fill="{fill}"{attributes}>{content}</text>"#)
}

/// Returns a colour as an SVG writes it.
pub(crate) fn paint(colour: Colour) -> String {
    hex(colour.rgb())
}

/// Rounds a number to two digits after the point.
pub(crate) fn short(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
