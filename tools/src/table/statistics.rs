//! The statistics of whole tables: counts, longest wins with an example, and the histogram of distances.

mod histogram;
mod reading;

pub(crate) use histogram::DistanceHistogram;
pub(crate) use reading::Reading;
#[cfg(feature = "serve")]
pub(crate) use reading::TooMuchMemory;

use crate::{
    failure::Failure,
    game_table,
    output::{counted::Counted, human, progress::Progress},
};
use dragnet_formats::{
    cell::Side,
    value::{Plies, Score, Value},
};
use dragnet_probe::{GameTable, Position, Scan, Table};
use rayon::prelude::*;
use serde_json::{Value as Json, json};
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
                (dtw, Position::new(scan.officers(police), scan.cells()[thief as usize], turn))
            })
        });
        let counted = Counted::new(header.board.open_count() as u64, &header.summary);
        Ok(PursuitStatistics { counted, histogram, examples })
    }

    /// Returns the statistics as `stats --json` prints them, of the table called `table`.
    pub(crate) fn json(&self, table: impl serde::Serialize) -> Json {
        let example = |side: Side| {
            self.examples[side as usize].map(|(dtw, position)| {
                json!({
                    "dtw": dtw,
                    "police": human::pieces_json(&position.police),
                    "thief": [position.thief.row, position.thief.col],
                    "turn": position.turn,
                })
            })
        };
        let pairs = |side: Side| self.histogram.pairs(side as usize);
        let mut value = json!(self.counted);
        value["table"] = json!(table);
        value["longest_examples"] = json!({ "police": example(Side::Police), "thief": example(Side::Thief) });
        value["histogram"] = json!({ "police": pairs(Side::Police), "thief": pairs(Side::Thief) });
        value
    }
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
            scan.thief_to_move(team, police_to_move, &mut thief_to_move);
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

/// Returns the statistics of a game table as `stats --json` prints them, of the table called `name`.
pub(crate) fn game_table_json(
    name: impl serde::Serialize,
    table: &GameTable,
    histogram: &ValueHistogram,
) -> Json {
    let example = |group: usize| {
        histogram.longest(group).map(|(dtw, position)| json!({ "dtw": dtw, "position": position }))
    };
    let header = table.header();
    let summary = &header.summary;
    json!({
        "table": name,
        "game": header.name,
        "positions": header.positions(),
        "won": summary.won,
        "lost": summary.lost,
        "drawn": summary.drawn,
        "longest": { "won": summary.longest_win, "lost": summary.longest_loss },
        "longest_examples": { "won": example(0), "lost": example(1) },
        "histogram": { "won": histogram.pairs(0), "lost": histogram.pairs(1) },
        "key": format!("{:016x}", header.key),
        "digest": format!("{:016x}", summary.digest),
    })
}
