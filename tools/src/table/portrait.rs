//! A finished table at a glance: how its distances spread, and a picture of the board from the best cell of
//! the police.

mod histogram;
mod tally;

pub(crate) use histogram::Histogram;

use crate::{
    failure::Failure,
    output::json::{JsonPieces, cells},
    palette::{Palette, Rgb, along},
    table::{
        places::{square_of, values_at},
        statistics::Reading,
    },
};
use base64::{Engine, engine::general_purpose::STANDARD};
use dragnet_formats::{
    board::Square,
    cell::{Cell, Side},
    header::{Counts, Longest},
    pieces::Pieces,
    value::{Outcome, Plies, Value},
};
use dragnet_probe::{Position, Table};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{cmp::Reverse, collections::BTreeMap};
use tally::Tally;

/// A finished table at a glance.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Portrait {
    /// Where the police of the picture stands.
    #[serde(with = "cells")]
    #[schemars(with = "JsonPieces")]
    pub(crate) start: Pieces,
    /// Whether the user asked for `start`. Otherwise these are the best cells for the police: those from
    /// which it wins against the most cells of the thief, among equals with the shortest longest win, then
    /// with the fewest plies of all wins together.
    pub(crate) start_given: bool,
    /// Outcomes against a thief on each of his places, police to move.
    pub(crate) from_start: Counts,
    /// Plies of the longest of these wins of each side.
    pub(crate) longest_from_start: Longest,
    /// Plies of all these wins of the police together.
    pub(crate) capture_plies: u64,
    /// All positions with the police to move.
    pub(crate) histogram: Histogram,
    /// The board as a PNG, one pixel per square.
    #[serde(with = "base64_text")]
    #[schemars(with = "String", title = "base64")]
    pub(crate) picture: Vec<u8>,
}

/// Bytes in JSON, in base64.
mod base64_text {
    use super::{Deserialize, Engine, STANDARD};
    use serde::{Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&STANDARD.encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        STANDARD.decode(String::deserialize(from)?).map_err(D::Error::custom)
    }
}

impl Portrait {
    /// Returns the portrait of `table` with the police on `start`, or on the best cells. Reads every value
    /// with the police to move, on the threads of the current pool.
    ///
    /// # Errors
    /// When `start` is no place of officers, the table is damaged or cannot be
    /// read within the bounds.
    pub(crate) fn of(table: &Table, start: Option<Pieces>, reading: Reading) -> Result<Portrait, Failure> {
        let scan = reading.scan(table, Tally::memory_needed(table), false)?;
        let tally = Tally::of(&scan, reading)?;
        let best = tally.best(&scan).ok_or_else(|| Failure::input("the board has no open cell"))?;
        let officers = start.unwrap_or(best);
        let position = Position::new(officers, Cell::new(0, 0), Side::Police);
        let row = values_at(table, Side::Thief, position)?;
        let mut portrait = Portrait {
            start: officers,
            start_given: start.is_some(),
            from_start: Counts::default(),
            longest_from_start: Longest::default(),
            capture_plies: 0,
            histogram: tally.codes.histogram(),
            picture: Vec::new(),
        };
        for value in row.iter().flatten() {
            let (outcome, dtw) = (value.outcome(Side::Police), value.dtw().unwrap_or(0));
            portrait.from_start.add(outcome, 1);
            portrait.longest_from_start.add(outcome, dtw);
            if outcome == Outcome::Police {
                portrait.capture_plies += u64::from(dtw);
            }
        }
        portrait.picture = portrait.png(table, &row)?;
        Ok(portrait)
    }

    /// Returns the mean distance of the wins of the police from `start`, in plies.
    pub(crate) fn mean_capture(&self) -> f64 {
        self.capture_plies as f64 / self.from_start.police.max(1) as f64
    }

    fn png(&self, table: &Table, row: &[Option<Value>]) -> Result<Vec<u8>, Failure> {
        let board = table.board();
        let captures = Shades::new(row, Colour::LATEST_CAPTURE, |value| matches!(value, Value::Win(_)));
        let escapes = Shades::new(row, Colour::LATEST_ESCAPE, |value| matches!(value, Value::Loss(_)));
        let start: Vec<Cell> = self.start.iter().map(|&officer| square_of(table, officer)).collect();
        // The thief's layers lie one below the other, as on his grid.
        let layers = row.chunks_exact(board.squares().len());
        let pixels = layers.flat_map(|row| board.cells().zip(row));
        let pixels = pixels.map(|((cell, square), value)| match (square, value) {
            _ if start.contains(&cell) => Colour::Start,
            (Square::Exit, _) => Colour::Exit,
            (Square::Wall, _) | (_, None) => Colour::Wall,
            (Square::Open, Some(Value::Draw)) => Colour::Draw,
            (Square::Open, Some(Value::Win(dtw))) => Colour::Capture(captures.of(*dtw)),
            (Square::Open, Some(Value::Loss(dtw))) => Colour::Escape(escapes.of(*dtw)),
        });
        // Only the colours that are there go to the file: small boards have a few of them.
        let mut palette = Vec::new();
        let mut places = BTreeMap::new();
        let mut data = Vec::with_capacity(row.len());
        for colour in pixels {
            let place = *places.entry(colour).or_insert_with(|| {
                palette.extend(colour.rgb());
                // At most `Colour::COUNT` of them, which fit.
                (palette.len() / 3 - 1) as u8
            });
            data.push(place);
        }
        let mut file = Vec::new();
        let mut encoder =
            png::Encoder::new(&mut file, board.width().into(), table.header().thief.places.height().into());
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette(palette);
        encoder.set_compression(png::Compression::High);
        // Differences between numbers of colours mean nothing.
        encoder.set_filter(png::Filter::NoFilter);
        let write = |encoder: png::Encoder<_>| {
            let mut writer = encoder.write_header()?;
            writer.write_image_data(&data)?;
            writer.finish()
        };
        write(encoder).map_err(|error| Failure::Trouble(error.into()).about("cannot draw the board"))?;
        Ok(file)
    }
}

/// The most positions of a table of which the best cells are looked for while somebody waits: all of them are
/// read for it, which takes some tenths of a second.
const MOST_POSITIONS: u64 = 1 << 26;

/// Returns a good start of a game in world 0: the officers on `police`, or else on their best cells as in a
/// portrait; and the cell on which the thief is caught last, or if he never is, the one from which he wins
/// last. `None` if the table is so large that somebody would have to wait for the best cells.
///
/// # Errors
/// When `police` are no places of officers or the table is damaged.
pub(crate) fn best_start(table: &Table, police: Option<Pieces>) -> Result<Option<(Pieces, Cell)>, Failure> {
    let police = match police {
        None if table.header().positions() > MOST_POSITIONS => None,
        None => {
            let reading = Reading::OF_COMMAND;
            let scan = reading.scan(table, Tally::memory_needed(table), false)?;
            Tally::of(&scan, reading)?.best(&scan)
        }
        given => given,
    };
    let Some(police) = police else { return Ok(None) };
    let position = Position::new(police, Cell::new(0, 0), Side::Police);
    let values = values_at(table, Side::Thief, position)?;
    let cells = table.header().thief.places.cells().zip(values.into_iter().flatten());
    let lasts = |&(_, value): &(Cell, Value)| match value {
        Value::Win(dtw) => (2, dtw),
        Value::Loss(dtw) => (1, dtw),
        Value::Draw => (0, 0),
    };
    // Of equals the first in reading order.
    let thief = cells.min_by_key(|cell| Reverse(lasts(cell)));
    Ok(thief.map(|(thief, _)| (police, thief)))
}

/// The meaning of a pixel of the picture.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Colour {
    /// A wall.
    Wall,
    /// An exit.
    Exit,
    /// The police officer.
    Start,
    /// A cell on which the thief is never caught and never escapes.
    Draw,
    /// A cell on which the thief is caught: the later, the greater the shade.
    Capture(u8),
    /// A cell from which the thief escapes: the later, the greater the shade.
    Escape(u8),
}

impl Colour {
    /// The last shade of a capture.
    pub(crate) const LATEST_CAPTURE: u8 = 191;
    /// The last shade of an escape.
    pub(crate) const LATEST_ESCAPE: u8 = 47;
    /// Returns red, green and blue.
    pub(crate) fn rgb(self) -> Rgb {
        let share = |shade: u8, last: u8| f64::from(shade) / f64::from(last);
        let palette = Palette::get();
        match self {
            Colour::Wall => palette.wall,
            Colour::Exit => palette.exit,
            Colour::Start => palette.start,
            Colour::Draw => palette.draw,
            Colour::Capture(shade) => along(&palette.police, share(shade, Colour::LATEST_CAPTURE)),
            Colour::Escape(shade) => along(&palette.thief, share(shade, Colour::LATEST_ESCAPE)),
        }
    }
}

/// The shades of distances, half by distance and half by rank. A thief who plays well lasts about as long
/// from most cells, so that by distance alone nearly all of a board has one shade; by rank alone a difference
/// of one ply looks like a hundred.
pub(crate) struct Shades {
    /// The distances, in rising order, with repeats.
    distances: Vec<Plies>,
    last: u8,
}

impl Shades {
    /// Returns the shades for the values of `row` that `which` takes; the last shade is for the longest of
    /// them.
    pub(crate) fn new(row: &[Option<Value>], last: u8, which: impl Fn(&Value) -> bool) -> Shades {
        let mut distances: Vec<Plies> =
            row.iter().flatten().filter(|value| which(value)).filter_map(|value| value.dtw()).collect();
        distances.sort_unstable();
        Shades { distances, last }
    }

    /// Returns the distances, rising, each as often as it occurs.
    pub(crate) fn distances(&self) -> &[Plies] {
        &self.distances
    }

    /// Returns the shade of a distance.
    pub(crate) fn of(&self, dtw: Plies) -> u8 {
        let below = |dtw| self.distances.partition_point(|&other| other < dtw);
        let longest = self.distances.last().copied().unwrap_or(0);
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 1.0 };
        let by_distance = share(dtw.into(), longest.into());
        let by_rank = share(below(dtw) as f64, below(longest) as f64);
        ((by_distance + by_rank) / 2.0 * f64::from(self.last)).round() as u8
    }
}

#[cfg(test)]
mod tests {
    use super::{
        tally::{CodeCounts, Reach},
        *,
    };
    use dragnet_formats::{
        board::{Board, make},
        codec::{Encoder, Favour},
        rules::Rules,
    };
    use dragnet_generator::{Generator, Plan, encode::Encoding};
    use std::io::Cursor;

    fn table(board: Board, rules: Rules, favour: Favour) -> Table {
        let encoding = Encoding { favour, level: Encoder::DEFAULT_LEVEL };
        let plan = Plan::new(board, rules, encoding).unwrap();
        let generator = Generator::new(1).unwrap();
        let solution = generator.solve(&plan, &()).unwrap();
        let (header, blocks) = generator.encode(&*solution, &plan, &()).unwrap();
        let (file, _) = blocks.write(&header, Cursor::new(Vec::new())).unwrap();
        dragnet_probe::Open::bytes(file.into_inner()).pursuit().unwrap()
    }

    fn classic(board: Board) -> Table {
        table(board, Rules::classic(), Favour::Size)
    }

    /// Returns height, width and colours of the picture of a portrait.
    fn pixels(portrait: &Portrait) -> (u32, u32, Vec<[u8; 3]>) {
        let mut decoder = png::Decoder::new(Cursor::new(&portrait.picture));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        assert_eq!(info.color_type, png::ColorType::Rgb);
        let colours = bytes[..info.buffer_size()].chunks_exact(3).map(|rgb| [rgb[0], rgb[1], rgb[2]]);
        (info.height, info.width, colours.collect())
    }

    /// Returns the portrait made slowly, by probing each position.
    fn by_probes(table: &Table) -> (Vec<Reach>, Histogram) {
        let cells: Vec<Cell> = table.board().open_cells().collect();
        let mut codes = CodeCounts::default();
        let mut reach = vec![Reach::default(); cells.len()];
        for (reach, &police) in reach.iter_mut().zip(&cells) {
            for &thief in &cells {
                let value = table.value(Position::new(police, thief, Side::Police)).unwrap();
                codes.add(&[value.code()], 1);
                if let Value::Win(dtw) = value {
                    reach.add(&Reach { won: 1, longest: dtw, plies: dtw.into() }, 1);
                }
            }
        }
        (reach, codes.histogram())
    }

    #[test]
    fn the_open_board_of_nine_cells() {
        let table = classic(make::open(3, 3).unwrap());
        let portrait = Portrait::of(&table, None, Reading::OF_COMMAND).unwrap();
        // From the centre every cell is one step away.
        assert_eq!((portrait.start, portrait.start_given), (Cell::new(1, 1).into(), false));
        assert_eq!(portrait.from_start, Counts { police: 9, thief: 0, draw: 0 });
        assert_eq!(
            (portrait.longest_from_start, portrait.capture_plies),
            (Longest { police: 1, thief: 0 }, 8)
        );
        assert_eq!(portrait.histogram.police.iter().sum::<u64>(), 81);
        let (height, width, colours) = pixels(&portrait);
        assert_eq!((height, width), (3, 3));
        for (place, colour) in colours.into_iter().enumerate() {
            let expected = if place == 4 { Colour::Start } else { Colour::Capture(Colour::LATEST_CAPTURE) };
            assert_eq!(colour, expected.rgb(), "square {place}");
        }
        // From a corner the opposite one is farther.
        let corner = Portrait::of(&table, Some(Cell::new(0, 0).into()), Reading::OF_COMMAND).unwrap();
        assert!(corner.start_given && corner.longest_from_start.police > 1);
        assert_eq!(corner.histogram, portrait.histogram);
    }

    #[test]
    fn boards_on_which_little_or_nothing_happens() {
        let alone = Portrait::of(&classic(make::open(1, 1).unwrap()), None, Reading::OF_COMMAND).unwrap();
        assert_eq!(alone.from_start, Counts { police: 1, thief: 0, draw: 0 });
        assert_eq!(pixels(&alone), (1, 1, vec![Colour::Start.rgb()]));
        // Two rooms without a way between them: a thief in the other one is never caught.
        let rooms = dragnet_formats::board::text::parse(b"..#.\n").unwrap().board;
        let portrait = Portrait::of(&classic(rooms), None, Reading::OF_COMMAND).unwrap();
        assert_eq!(portrait.from_start, Counts { police: 2, thief: 0, draw: 1 });
        assert_eq!(pixels(&portrait).2[2..], [Colour::Wall.rgb(), Colour::Draw.rgb()]);
        assert_eq!(portrait.histogram.draws, 4);
        let exits = dragnet_formats::board::text::parse(b"EEE\n").unwrap().board;
        let portrait = Portrait::of(&classic(exits), None, Reading::OF_COMMAND).unwrap();
        assert_eq!(portrait.from_start, Counts { police: 1, thief: 2, draw: 0 });
        assert_eq!(pixels(&portrait).2, [Colour::Start, Colour::Exit, Colour::Exit].map(Colour::rgb));
    }

    #[test]
    fn the_officer_stands_on_an_open_cell() {
        let table = classic(dragnet_formats::board::text::parse(b"..#.\n").unwrap().board);
        for start in [Cell::new(0, 2), Cell::new(0, 4)] {
            assert!(
                matches!(
                    Portrait::of(&table, Some(start.into()), Reading::OF_COMMAND),
                    Err(Failure::Input(_))
                ),
                "{start}"
            );
        }
    }

    #[test]
    fn the_pass_agrees_with_probes() {
        for seed in 0..24 {
            let (height, width) = (1 + seed as usize * 7 % 19, 2 + seed as usize * 5 % 23);
            let board = make::random(height, width, 0.25, seed).unwrap();
            if board.open_count() == 0 {
                continue;
            }
            let exits: Vec<Cell> = board.open_cells().step_by(17).take(seed as usize % 4).collect();
            let board = board.with_exits(&exits).unwrap();
            let rules = if seed % 3 == 0 { Rules::chase() } else { Rules::classic() };
            let table = table(board, rules, if seed % 2 == 0 { Favour::Size } else { Favour::Speed });
            let (reach, histogram) = by_probes(&table);
            let portrait = Portrait::of(&table, None, Reading::OF_COMMAND).unwrap();
            assert_eq!(portrait.histogram, histogram, "seed {seed}");
            let (best, cell) =
                reach.iter().zip(table.board().open_cells()).min_by_key(|(r, _)| r.rank()).unwrap();
            assert_eq!(portrait.start, cell, "seed {seed}");
            assert_eq!(
                (portrait.from_start.police, portrait.capture_plies),
                (best.won, best.plies),
                "seed {seed}"
            );
            assert_eq!(portrait.longest_from_start.police, best.longest, "seed {seed}");
            let sum = |buckets: &[u64]| buckets.iter().sum();
            let counted = Counts {
                police: sum(&histogram.police),
                thief: sum(&histogram.thief),
                draw: histogram.draws,
            };
            assert_eq!(counted, table.header().summary.police_to_move, "seed {seed}");
        }
    }

    #[test]
    fn every_distance_has_a_bucket() {
        for (deepest, step) in [(0, 2), (119, 2), (120, 4), (240, 10), (600, 20), (1 << 30, 20_000_000)] {
            assert_eq!(Histogram::step_for(deepest), step, "{deepest}");
        }
        let mut codes = CodeCounts::default();
        let far = Value::Win(dragnet_formats::value::MAX_DTW).code();
        codes.add(&[Value::Loss(3).code(), far, far], 5);
        let histogram = codes.histogram();
        assert_eq!((histogram.thief[0], histogram.police.last()), (5, Some(&10)));
        assert!(histogram.police.len() <= Histogram::BUCKETS as usize);
    }

    #[test]
    fn colours_differ() {
        let captures = (0..=Colour::LATEST_CAPTURE).map(Colour::Capture);
        let escapes = (0..=Colour::LATEST_ESCAPE).map(Colour::Escape);
        let others = [Colour::Wall, Colour::Exit, Colour::Start, Colour::Draw];
        // As many as a palette of a byte holds.
        assert!(captures.clone().chain(escapes.clone()).chain(others).count() <= 256);
        for special in others {
            assert!(captures.clone().chain(escapes.clone()).all(|colour| colour.rgb() != special.rgb()));
        }
    }

    #[test]
    fn portraits_are_small_and_round_trip() {
        let table = classic(make::open(5, 9).unwrap().with_exits(&[Cell::new(0, 0)]).unwrap());
        let portrait = Portrait::of(&table, None, Reading::OF_COMMAND).unwrap();
        let json = serde_json::to_string(&portrait).unwrap();
        assert_eq!(serde_json::from_str::<Portrait>(&json).unwrap(), portrait);
        assert!(json.len() < 1000, "{}", json.len());
    }
}
