//! `dragnet stats` of a game table.

use super::Stats;
use crate::{
    failure::Failure,
    output::{
        console::{output, print_json},
        human,
    },
    table::statistics::{self, DistanceHistogram, GameStatisticsAnswer, Reading},
};
use dragnet_formats::value::Plies;
use dragnet_probe::{GameHeader, GameTable};
use std::{io::Write, path::Path};

/// The names of the groups of positions in a histogram.
const GROUPS: [&str; 2] = ["won", "lost"];

impl Stats {
    pub(super) fn game_table(&self, path: &Path, table: &GameTable) -> Result<(), Failure> {
        let scanned = self.threads.run(|| statistics::of_game_table(table, Reading::OF_COMMAND));
        let histogram = scanned?.map_err(|failure| failure.in_file(path))?;
        if self.json {
            let name = path.to_string_lossy().into_owned();
            print_json(&GameStatisticsAnswer::new(name, table, &histogram))
        } else {
            print(table.header(), &histogram)
        }
    }
}

fn print(header: &GameHeader, histogram: &DistanceHistogram<u64>) -> Result<(), Failure> {
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
