//! `dragnet stats` of a game table.

use super::{Stats, histogram};
use crate::{
    failure::Failure,
    game_table,
    output::{
        console::{output, print_json},
        human,
        progress::Progress,
    },
};
use dragnet_formats::value::{Plies, Value};
use dragnet_probe::{GameHeader, GameTable};
use serde_json::json;
use std::{io::Write, path::Path};

/// Distances of won positions, then of lost positions.
type ValueHistogram = histogram::DistanceHistogram<u64>;
const GROUPS: [&str; 2] = ["won", "lost"];

fn add(histogram: &mut ValueHistogram, position: u64, value: Value) {
    match value {
        Value::Win(dtw) => histogram.add(0, dtw, position),
        Value::Loss(dtw) => histogram.add(1, dtw, position),
        Value::Draw => {}
    }
}

impl Stats {
    pub(super) fn game_table(&self, path: &Path, table: &GameTable) -> Result<(), Failure> {
        let progress = Progress::new("scanning", "blocks", table.numbering().block_count());
        let scanned = self.threads.run(|| game_table::fold(table, &progress, add, ValueHistogram::merge));
        progress.finish();
        let histogram = scanned?.map_err(|failure| failure.in_file(path))?;
        table.check_unchanged()?;
        let header = table.header();
        if self.json { print_json(&json(path, header, &histogram)) } else { print(header, &histogram) }
    }
}

fn json(path: &Path, header: &GameHeader, histogram: &ValueHistogram) -> serde_json::Value {
    let example = |group: usize| {
        histogram.longest(group).map(|(dtw, position)| json!({ "dtw": dtw, "position": position }))
    };
    let summary = &header.summary;
    json!({
        "table": path,
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

fn print(header: &GameHeader, histogram: &ValueHistogram) -> Result<(), Failure> {
    let mut output = output();
    let summary = &header.summary;
    writeln!(output, "{} positions of the game {:?}\n", human::count(header.positions()), header.name)?;
    for (what, count) in [("won", summary.won), ("lost", summary.lost), ("drawn", summary.drawn)] {
        let share = human::percent(count, header.positions());
        writeln!(output, "{what:<8} {:>16} {share:>8}", human::count(count))?;
    }
    writeln!(output)?;
    for (group, what) in GROUPS.into_iter().enumerate() {
        let longest: Option<(Plies, u64)> = histogram.longest(group);
        match longest {
            Some((dtw, position)) => {
                writeln!(output, "longest of a {what} position: {}, from {position}", human::plies(dtw))?;
            }
            None => writeln!(output, "no position is {what}")?,
        }
    }
    histogram.write(GROUPS, &mut output)?;
    writeln!(output, "\ndigest {:016x}", summary.digest)?;
    Ok(output.flush()?)
}
