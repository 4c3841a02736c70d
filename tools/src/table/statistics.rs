//! The statistics of whole tables: counts, longest wins with an example, and the histogram of distances.

mod histogram;
mod reading;

use histogram::DistanceCount;
pub(crate) use histogram::DistanceHistogram;
pub(crate) use reading::Reading;
#[cfg(feature = "serve")]
pub(crate) use reading::TooMuchMemory;

use crate::{
    failure::Failure,
    game_table,
    output::{
        counted::Counted,
        json::{Hex, JsonCell, JsonPieces, cells, is_zero},
        progress::Progress,
    },
};
use dragnet_formats::{
    cell::Side,
    pieces::Pieces,
    value::{Plies, Score, Value},
};
use dragnet_probe::{GameTable, Position, Scan, Table};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, Ordering};

/// Wins of each [`Side`] by distance. A key is the number of the team, the thief's cell in reading order and
/// the turn.
type PursuitHistogram = DistanceHistogram<(u64, u32, u8)>;

/// The statistics of a pursuit table.
pub(crate) struct PursuitStatistics {
    pub(crate) counted: Counted,
    pub(crate) histogram: PursuitHistogram,
    /// For each side the distance of its longest win and a position that has it.
    pub(crate) examples: [Option<(Plies, Position)>; 2],
}

impl PursuitStatistics {
    /// Reads every value of `table`, on the threads of the current pool.
    ///
    /// # Errors
    /// When the table is damaged or changes meanwhile, and when it cannot be read within the bounds.
    pub(crate) fn of(table: &Table, reading: Reading) -> Result<PursuitStatistics, Failure> {
        let beside = reading::bytes_of_tile(table).saturating_mul(rayon::current_num_threads() as u64);
        let scan = reading.scan(table, beside, true)?;
        let progress = Progress::new("scanning", "police tiles", scan.police_tiles());
        let scanned = pursuit_histogram(&scan, reading, &progress);
        progress.finish();
        let histogram = scanned?;
        table.check_unchanged()?;
        let header = table.header();
        let examples = Side::BOTH.map(|side| {
            histogram.longest(side as usize).map(|(dtw, (police, thief, turn))| {
                let turn = if turn == Side::Police as u8 { Side::Police } else { Side::Thief };
                (dtw, scan.position_of(police, thief, turn))
            })
        });
        let counted = Counted::new(table.board().open_count() as u64, &header.summary);
        Ok(PursuitStatistics { counted, histogram, examples })
    }

    /// Returns the statistics as `stats --json` prints them, of the table called `table`.
    pub(crate) fn json(&self, table: String) -> PursuitStatisticsAnswer {
        let pairs = |side: Side| self.histogram.pairs(side as usize);
        PursuitStatisticsAnswer {
            table,
            counted: self.counted.clone(),
            longest_examples: LongestExamples::of(self),
            histogram: WinHistogram { police: pairs(Side::Police), thief: pairs(Side::Thief) },
        }
    }
}

/// A pursuit table.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PursuitStatisticsAnswer {
    /// Path of the table.
    table: String,
    #[serde(flatten)]
    counted: Counted,
    /// Where the longest wins start.
    longest_examples: LongestExamples,
    /// How many positions are won in how many plies.
    histogram: WinHistogram,
}

/// A position with the longest win of each side, if it wins any.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct LongestExamples {
    /// The first position from which the longest win of the police starts. `null` if the side wins no
    /// position.
    pub(crate) police: Option<Example>,
    /// The first position from which the longest win of the thief starts. `null` if the side wins no
    /// position.
    pub(crate) thief: Option<Example>,
}

/// A position, and how far it is from its end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Example {
    /// The distance.
    pub(crate) dtw: Plies,
    /// The world. Absent in world 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) world: u32,
    /// Where the officers stand.
    #[serde(with = "cells")]
    #[schemars(with = "JsonPieces")]
    pub(crate) police: Pieces,
    /// Where the thief stands.
    pub(crate) thief: JsonCell,
    /// The side to move.
    pub(crate) turn: Side,
}

impl LongestExamples {
    /// Returns the examples of a table's statistics.
    pub(crate) fn of(statistics: &PursuitStatistics) -> LongestExamples {
        let example =
            |side: Side| {
                statistics.examples[side as usize].map(|(dtw, Position { world, police, thief, turn })| {
                    Example { dtw, world, police, thief: thief.into(), turn }
                })
            };
        LongestExamples { police: example(Side::Police), thief: example(Side::Thief) }
    }

    /// Returns the examples that there are, with the side that wins.
    pub(crate) fn both(&self) -> impl Iterator<Item = (Side, &Example)> {
        let sides = [(Side::Police, &self.police), (Side::Thief, &self.thief)];
        sides.into_iter().filter_map(|(side, example)| Some((side, example.as_ref()?)))
    }
}

/// The wins of each side by their distances.
#[derive(Serialize, JsonSchema)]
struct WinHistogram {
    /// Wins of the police.
    police: Vec<DistanceCount>,
    /// Wins of the thief.
    thief: Vec<DistanceCount>,
}

fn pursuit_histogram(
    scan: &Scan,
    reading: Reading,
    progress: &Progress,
) -> Result<PursuitHistogram, Failure> {
    let done = AtomicU64::new(0);
    let tile = |tile| {
        let mut histogram = PursuitHistogram::default();
        let mut thief_to_move = Vec::new();
        for (team, police_to_move) in scan.team_rows(tile)?.iter() {
            // With moves over a whole large board a team takes some tenths of a second.
            reading.go_on()?;
            let number = scan.teams().number(team);
            scan.thief_to_move(team, police_to_move, &mut thief_to_move)?;
            for (turn, row) in [(Side::Police, police_to_move), (Side::Thief, &thief_to_move)] {
                for (thief, &score) in (0..).zip(row) {
                    add_score(&mut histogram, score, turn, || (number, thief, turn as u8));
                }
            }
        }
        progress.set(done.fetch_add(1, Ordering::Relaxed) + 1, String::new);
        Ok(histogram)
    };
    (0..scan.police_tiles())
        .into_par_iter()
        .map(tile)
        .try_reduce(PursuitHistogram::default, |a, b| Ok(a.merge(b)))
}

#[inline]
fn add_score(histogram: &mut PursuitHistogram, score: Score, turn: Side, key: impl Fn() -> (u64, u32, u8)) {
    let value = Value::from_score(score);
    if let (Some(winner), Some(dtw)) = (value.outcome(turn).winner(), value.dtw()) {
        histogram.add(winner as usize, dtw, key());
    }
}

/// Distances of won positions, then of lost positions, with the numbers of positions as keys.
type ValueHistogram = DistanceHistogram<u64>;

/// Returns the histogram of a game table: distances of its won positions, then of its lost positions. Reads
/// every value, on the threads of the current pool.
///
/// # Errors
/// When the table is damaged or changes meanwhile, and when the work is to stop.
pub(crate) fn of_game_table(table: &GameTable, reading: Reading) -> Result<ValueHistogram, Failure> {
    let progress = Progress::new("scanning", "blocks", table.numbering().block_count());
    let scanned = game_table::fold(table, &progress, || reading.go_on(), add_value, ValueHistogram::merge);
    progress.finish();
    let histogram = scanned?;
    table.check_unchanged()?;
    Ok(histogram)
}

fn add_value(histogram: &mut ValueHistogram, position: u64, value: Value) {
    match value {
        Value::Win(dtw) => histogram.add(0, dtw, position),
        Value::Loss(dtw) => histogram.add(1, dtw, position),
        Value::Draw => {}
    }
}

/// A game table.
#[derive(Serialize, JsonSchema)]
pub(crate) struct GameStatisticsAnswer {
    /// Path of the table.
    table: String,
    /// Name of the game; "graph" for a graph.
    game: String,
    /// Key of the game: a hash.
    key: Hex,
    /// Positions.
    positions: u64,
    /// Positions won for the player to move.
    won: u64,
    /// Positions lost for the player to move.
    lost: u64,
    /// Drawn positions.
    drawn: u64,
    /// The longest distances, 0 if there is no such position.
    longest: LongestResults,
    /// Where the longest distances occur.
    longest_examples: LongestResultExamples,
    /// How many positions have which distance.
    histogram: ResultHistogram,
    /// Digest of all values.
    digest: Hex,
}

/// The longest distance of each result.
#[derive(Serialize, JsonSchema)]
struct LongestResults {
    /// Plies of a won position.
    won: Plies,
    /// Plies of a lost position.
    lost: Plies,
}

/// A position with the longest distance of each result.
#[derive(Serialize, JsonSchema)]
struct LongestResultExamples {
    /// The first won position with the longest distance. `null` if there is none.
    won: Option<NumberedExample>,
    /// The first lost position with the longest distance. `null` if there is none.
    lost: Option<NumberedExample>,
}

/// A position of a game whose positions are numbers, and how far it is from its end.
#[derive(Serialize, JsonSchema)]
struct NumberedExample {
    /// The distance.
    dtw: Plies,
    /// Number of the position.
    position: u64,
}

/// The positions with each result by their distances.
#[derive(Serialize, JsonSchema)]
struct ResultHistogram {
    /// Positions won.
    won: Vec<DistanceCount>,
    /// Positions lost.
    lost: Vec<DistanceCount>,
}

impl GameStatisticsAnswer {
    /// Returns the statistics of a game table as `stats --json` prints them, of the table called `table`.
    pub(crate) fn new(table: String, of: &GameTable, histogram: &ValueHistogram) -> GameStatisticsAnswer {
        let example =
            |group| histogram.longest(group).map(|(dtw, position)| NumberedExample { dtw, position });
        let header = of.header();
        let summary = &header.summary;
        GameStatisticsAnswer {
            table,
            game: header.name.clone(),
            key: Hex(header.key),
            positions: header.positions(),
            won: summary.won,
            lost: summary.lost,
            drawn: summary.drawn,
            longest: LongestResults { won: summary.longest_win, lost: summary.longest_loss },
            longest_examples: LongestResultExamples { won: example(0), lost: example(1) },
            histogram: ResultHistogram { won: histogram.pairs(0), lost: histogram.pairs(1) },
            digest: Hex(summary.digest),
        }
    }
}
