//! A report for the terminal.

use crate::{
    messages::{printable, wrapped},
    output::human::{self, width},
    report::{entry::TableEntry, status::Status, totals::RunReport},
};
use dragnet_formats::header::Counts;
use std::fmt::Write;

/// The name of the page that has every table.
pub(crate) const PAGE: &str = "report.html";
/// The most finished tables that are all listed; of more, only those that took the longest.
const ROWS: usize = 40;
/// Finished tables that are listed if there are more than [`ROWS`].
const LONGEST: usize = 20;
/// The most boards without a table that are listed.
const TROUBLES: usize = 20;

const TITLES: [&str; 9] =
    ["board", "size", "positions", "police", "thief", "draw", "longest", "file", "seconds"];

/// The columns in the order in which a narrow terminal does without them.
const LEFT_OUT: [usize; 7] = [6, 5, 4, 3, 7, 1, 2];
/// The columns that are enough for the name of a board.
const SHORT_NAME: usize = 16;

/// Returns the summary for a terminal: finished tables, then boards without one, then the sums. What asks for
/// action stands at the end, where a terminal shows it. No line is longer than `columns` columns, unless a
/// word is.
pub(super) fn list(report: &RunReport, columns: usize) -> String {
    let (mut finished, troubles): (Vec<&TableEntry>, Vec<&TableEntry>) =
        report.entries.iter().partition(|entry| entry.status.is_finished());
    let mut text = String::new();
    let left_out = if finished.len() > ROWS { finished.len() - LONGEST } else { 0 };
    let by_seconds = finished.iter().any(|entry| entry.seconds().is_some());
    if left_out > 0 {
        finished.sort_by(|a, b| work(a).partial_cmp(&work(b)).unwrap_or(std::cmp::Ordering::Equal));
        finished.drain(..left_out);
    }
    if !finished.is_empty() {
        rows(&mut text, &finished, columns);
    }
    if left_out > 0 {
        let what = if by_seconds { "slowest" } else { "largest" };
        let _ =
            writeln!(text, "the {what} {LONGEST}; {} more are in {}", human::count(left_out as u64), PAGE);
    }
    // Failures come last.
    let order = |entry: &&TableEntry| Status::ALL.iter().position(|&status| status == entry.status);
    let mut troubles = troubles;
    troubles.sort_by_key(order);
    let more = troubles.len().saturating_sub(TROUBLES);
    if !text.is_empty() && !troubles.is_empty() {
        text.push('\n');
    }
    if more > 0 {
        let _ = writeln!(text, "{} more boards without a table are in {}", human::count(more as u64), PAGE);
    }
    let widest = troubles[more..].iter().map(|entry| width(&entry.name)).max().unwrap_or(0);
    for entry in &troubles[more..] {
        let note = entry.note().unwrap_or_default();
        let message = printable(&note);
        let name = padded(&entry.name, widest);
        let line = format!("{:<11}  {name}  {message}", entry.status);
        let _ = writeln!(text, "{}", wrapped(line.trim_end(), 0, columns));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text += &wrapped(&totals(report), 0, columns);
    text
}

/// Returns the key that orders the tables: the seconds they took, or else their positions.
fn work(entry: &TableEntry) -> (f64, u64) {
    (entry.seconds().unwrap_or(0.0), entry.positions.unwrap_or(0))
}

fn rows(text: &mut String, entries: &[&TableEntry], columns: usize) {
    let cells: Vec<[String; 9]> = entries.iter().map(|entry| row(entry)).collect();
    let mut widths = TITLES.map(width);
    for row in &cells {
        for (widest, cell) in widths.iter_mut().zip(row) {
            *widest = width(cell).max(*widest);
        }
    }
    let mut shown = [true; 9];
    let needed = |shown: [bool; 9]| -> usize {
        (1..9).filter(|&column| shown[column]).map(|column| 2 + widths[column]).sum()
    };
    for column in LEFT_OUT {
        if widths[0].min(SHORT_NAME) + needed(shown) > columns {
            shown[column] = false;
        }
    }
    let name = widths[0].min(columns.saturating_sub(needed(shown)));
    for row in std::iter::once(&TITLES.map(str::to_owned)).chain(&cells) {
        let mut line = padded(&human::shortened(&row[0], name), name);
        for column in (1..9).filter(|&column| shown[column]) {
            let cell = &row[column];
            let _ = write!(line, "  {}{cell}", " ".repeat(widths[column] - width(cell)));
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

fn row(entry: &TableEntry) -> [String; 9] {
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let outcomes = entry.outcomes();
    let share = |part: fn(&Counts) -> u64| {
        or_dash(outcomes.map(|counts| human::percent(part(&counts), counts.total())))
    };
    [
        printable(&entry.name).into_owned(),
        or_dash(entry.height.zip(entry.width).map(|(height, width)| format!("{height}x{width}"))),
        or_dash(entry.positions.map(human::count)),
        share(|counts| counts.police),
        share(|counts| counts.thief),
        share(|counts| counts.draw),
        or_dash(entry.longest.map(|longest| format!("{}/{}", longest.police, longest.thief))),
        or_dash(entry.bytes.map(human::bytes)),
        match (entry.seconds(), entry.status) {
            (Some(seconds), _) => format!("{seconds:.2}"),
            (None, status) => status.to_string(),
        },
    ]
}

fn totals(report: &RunReport) -> String {
    let totals = &report.totals;
    let boards =
        if totals.boards == 1 { "1 board" } else { &format!("{} boards", human::count(totals.boards)) };
    let counts = totals.counts.words();
    let mut text = boards.to_owned();
    if !counts.is_empty() {
        let _ = write!(text, ": {counts}");
    }
    let _ = write!(text, "; {} positions, {}", human::count(totals.positions), human::bytes(totals.bytes));
    if totals.seconds() > 0.0 {
        let _ = write!(text, ", {:.2} s of work", totals.seconds());
    }
    if let Some(elapsed) = totals.elapsed_seconds {
        let _ = write!(text, ", {elapsed:.2} s in all");
    }
    text.push('\n');
    text
}

fn padded(text: &str, to: usize) -> String {
    let text = printable(text);
    let spaces = " ".repeat(to.saturating_sub(width(&text)));
    format!("{text}{spaces}")
}
