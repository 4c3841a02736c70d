//! `dragnet stats`: counts, longest wins and the histogram of distances.

mod histogram;
mod game_table;

use super::{open_whole, output, print_json, show_each};
use crate::{
    failure::Failure,
    input::{arguments::Threads, tables::TablePaths},
    output::{counted::Counted, human, progress::Progress},
};
use clap::Args;
use dragnet_formats::{
    cell::Side,
    value::{Outcome, Plies, Score, Value},
};
use dragnet_probe::{AnyTable, Position, Scan, Table};
use rayon::prelude::*;
use std::{
    io::Write,
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
};

/// Show counts, the longest wins with an example, and the histogram of distances
///
/// Looks at every position of the tables.
#[derive(Args)]
#[command(after_help = "Examples:\n  dragnet stats tables/open-08x08.dtb\n  dragnet stats tables --json")]
pub(crate) struct Stats {
    #[command(flatten)]
    tables: TablePaths,
    #[command(flatten)]
    threads: Threads,
    /// A JSON object per table instead of text
    #[arg(long)]
    json: bool,
}

/// Wins of each [`Side`] by distance. A key is the number of the team, the thief's cell in reading order and
/// the turn.
type PursuitHistogram = histogram::DistanceHistogram<(u64, u32, u8)>;

fn histogram(scan: &Scan, progress: &Progress) -> Result<PursuitHistogram, Failure> {
    let done = AtomicU64::new(0);
    let tile = |tile| {
        let mut histogram = PursuitHistogram::default();
        let mut thief_to_move = Vec::new();
        for (team, police_to_move) in scan.team_rows(tile)?.iter() {
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

impl Stats {
    pub(crate) fn run(self) -> Result<(), Failure> {
        show_each(&self.tables, self.json, |path| match open_whole(path)? {
            AnyTable::Pursuit(table) => self.pursuit(path, &table),
            AnyTable::Game(table) => self.game_table(path, &table),
        })
    }

    fn pursuit(&self, path: &Path, table: &Table) -> Result<(), Failure> {
        let scan = Scan::new(table);
        let progress = Progress::new("scanning", "police tiles", scan.police_tiles());
        let scanned = self.threads.run(|| histogram(&scan, &progress));
        progress.finish();
        let histogram = scanned?.map_err(|failure| failure.in_file(path))?;
        table.check_unchanged()?;
        let header = table.header();
        let counted = Counted::new(header.board.open_count() as u64, &header.summary);
        let examples = Side::BOTH.map(|side| {
            histogram.longest(side as usize).map(|(dtw, (police, thief, turn))| {
                let turn = if turn == Side::Police as u8 { Side::Police } else { Side::Thief };
                (dtw, Position::new(scan.officers(police), scan.cells()[thief as usize], turn))
            })
        });
        if self.json {
            print_json(&json(path, &counted, &histogram, examples))
        } else {
            print(table, &counted, &histogram, examples)
        }
    }
}

type Examples = [Option<(Plies, Position)>; 2];

fn json(
    path: &Path,
    counted: &Counted,
    histogram: &PursuitHistogram,
    examples: Examples,
) -> serde_json::Value {
    let example = |side: Side| {
        examples[side as usize].map(|(dtw, position)| {
            serde_json::json!({
                "dtw": dtw,
                "police": human::pieces_json(&position.police),
                "thief": [position.thief.row, position.thief.col],
                "turn": position.turn,
            })
        })
    };
    let mut value = serde_json::json!(counted);
    value["table"] = serde_json::json!(path);
    value["longest_examples"] =
        serde_json::json!({ "police": example(Side::Police), "thief": example(Side::Thief) });
    let pairs = |side: Side| histogram.pairs(side as usize);
    value["histogram"] = serde_json::json!({ "police": pairs(Side::Police), "thief": pairs(Side::Thief) });
    value
}

fn print(
    table: &Table,
    counted: &Counted,
    histogram: &PursuitHistogram,
    examples: Examples,
) -> Result<(), Failure> {
    let mut output = output();
    let cells = human::count(counted.cells);
    writeln!(output, "{} positions on {cells} open cells\n", human::count(counted.positions))?;
    writeln!(output, "to move  {:>22} {:>22} {:>22}", "police wins", "thief wins", "draw")?;
    for (side, counts) in [(Side::Police, &counted.police_to_move), (Side::Thief, &counted.thief_to_move)] {
        let column = |n| format!("{} {:>8}", human::count(n), human::percent(n, counts.total()));
        writeln!(
            output,
            "{:<8} {:>22} {:>22} {:>22}",
            side.to_string(),
            column(counts.police),
            column(counts.thief),
            column(counts.draw)
        )?;
    }
    if let Some(side) = Outcome::Draw.counted(table.rules().undecided).winner() {
        writeln!(output, "a draw counts as a win of the {side}")?;
    }
    writeln!(output)?;
    for (side, example) in Side::BOTH.into_iter().zip(examples) {
        match example {
            Some((dtw, position)) => {
                let from = human::position(table.board(), &position);
                writeln!(output, "longest win of the {side}: {}, from {from}", human::plies(dtw))?;
            }
            None => writeln!(output, "the {side} wins no position")?,
        }
    }
    histogram.write(["police wins", "thief wins"], &mut output)?;
    writeln!(output, "\ndigest {}", counted.digest)?;
    Ok(output.flush()?)
}
