//! What became of a batch of tables: a page for people, JSON for programs, a list for the terminal.

mod html;
mod list;
pub(crate) mod portrait;

use crate::{
    commands::stats::Counted, failure::Failure, output::console::output, report::portrait::Portrait,
};
use dragnet_formats::header::{Counts, Longest};
use dragnet_generator::save::save;
use dragnet_probe::Table;
use serde::{Deserialize, Serialize};
use std::{
    fmt,
    io::{self, Write},
    path::Path,
};

/// What became of one table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// It was made now.
    Made,
    /// It was there already, and right.
    Kept,
    /// It was not to be made.
    Skipped,
    /// It could not be made.
    Failed,
    /// The work was stopped before it was finished.
    Interrupted,
}

impl Status {
    /// All of them, in the order in which they are counted.
    const ALL: [Status; 5] =
        [Status::Made, Status::Kept, Status::Skipped, Status::Interrupted, Status::Failed];

    /// Whether there is a table.
    fn finished(self) -> bool {
        matches!(self, Status::Made | Status::Kept)
    }

    fn name(self) -> &'static str {
        match self {
            Status::Made => "made",
            Status::Kept => "kept",
            Status::Skipped => "skipped",
            Status::Failed => "failed",
            Status::Interrupted => "interrupted",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One board and its table, as far as there is one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) status: Status,
    /// Why there is no table, or what else is to be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
    /// The table's file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) height: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) width: Option<u16>,
    /// Open cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cells: Option<u64>,
    /// Both sides to move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) positions: Option<u64>,
    /// The engine that solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) engine: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) police_to_move: Option<Counts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) thief_to_move: Option<Counts>,
    /// The longest win of each side, in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) longest: Option<Longest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) digest: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bits_per_position: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) solve_seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) write_seconds: Option<f64>,
    /// Memory that the work took, or was reckoned to need.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) memory_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) portrait: Option<Portrait>,
}

impl Entry {
    /// The entry of a board about which no more is known.
    pub(crate) fn new(name: impl Into<String>, status: Status) -> Entry {
        Entry {
            name: name.into(),
            status,
            message: None,
            path: None,
            height: None,
            width: None,
            cells: None,
            positions: None,
            engine: None,
            police_to_move: None,
            thief_to_move: None,
            longest: None,
            digest: None,
            bytes: None,
            bits_per_position: None,
            solve_seconds: None,
            write_seconds: None,
            memory_bytes: None,
            portrait: None,
        }
    }

    /// The entry of the finished table in `path`, with all that the table itself says.
    pub(crate) fn of(name: impl Into<String>, status: Status, path: &Path, table: &Table) -> Entry {
        let header = table.header();
        let counted = Counted::new(header.board.open_count() as u64, &header.summary);
        Entry {
            path: Some(path.display().to_string()),
            height: Some(header.board.height()),
            width: Some(header.board.width()),
            cells: Some(counted.cells),
            positions: Some(counted.positions),
            police_to_move: Some(counted.police_to_move),
            thief_to_move: Some(counted.thief_to_move),
            longest: Some(counted.longest),
            digest: Some(counted.digest),
            bytes: Some(table.file_len()),
            bits_per_position: Some(table.file_len() as f64 * 8.0 / counted.positions as f64),
            ..Entry::new(name, status)
        }
    }

    /// Seconds of solving and writing, if any was done.
    fn seconds(&self) -> Option<f64> {
        let known = [self.solve_seconds, self.write_seconds];
        known.iter().any(Option::is_some).then(|| known.iter().flatten().sum())
    }

    /// Outcomes of all positions, whoever is to move.
    fn outcomes(&self) -> Option<Counts> {
        let mut counts = self.police_to_move?;
        counts += self.thief_to_move?;
        Some(counts)
    }

    /// The longest win of either side.
    fn longest_chase(&self) -> Option<u32> {
        self.longest.map(|longest| longest.police.max(longest.thief))
    }
}

/// Sums over a report's entries.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Totals {
    pub(crate) boards: u64,
    pub(crate) made: u64,
    pub(crate) kept: u64,
    pub(crate) skipped: u64,
    pub(crate) failed: u64,
    pub(crate) interrupted: u64,
    /// Of the finished tables, as all that follows.
    pub(crate) positions: u64,
    pub(crate) bytes: u64,
    pub(crate) solve_seconds: f64,
    pub(crate) write_seconds: f64,
    /// From the first board to the last, if somebody looked at the clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) elapsed_seconds: Option<f64>,
}

impl Totals {
    fn of(entries: &[Entry]) -> Totals {
        let mut totals = Totals { boards: entries.len() as u64, ..Totals::default() };
        for entry in entries {
            *totals.count_mut(entry.status) += 1;
            if entry.status.finished() {
                totals.positions = totals.positions.saturating_add(entry.positions.unwrap_or(0));
                totals.bytes = totals.bytes.saturating_add(entry.bytes.unwrap_or(0));
                totals.solve_seconds += entry.solve_seconds.unwrap_or(0.0);
                totals.write_seconds += entry.write_seconds.unwrap_or(0.0);
            }
        }
        totals
    }

    fn count_mut(&mut self, status: Status) -> &mut u64 {
        match status {
            Status::Made => &mut self.made,
            Status::Kept => &mut self.kept,
            Status::Skipped => &mut self.skipped,
            Status::Failed => &mut self.failed,
            Status::Interrupted => &mut self.interrupted,
        }
    }

    fn count(&self, status: Status) -> u64 {
        *self.clone().count_mut(status)
    }

    fn seconds(&self) -> f64 {
        self.solve_seconds + self.write_seconds
    }
}

/// What became of a batch of tables.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Report {
    /// What the page is called: the name of the batch.
    pub(crate) title: String,
    pub(crate) totals: Totals,
    pub(crate) entries: Vec<Entry>,
}

impl Report {
    /// The report of these entries, which it keeps in their order.
    pub(crate) fn new(title: impl Into<String>, entries: Vec<Entry>) -> Report {
        Report { title: title.into(), totals: Totals::of(&entries), entries }
    }

    /// All of it as JSON.
    pub(crate) fn json(&self) -> Result<String, Failure> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// A page that needs no other file and no network.
    pub(crate) fn html(&self) -> String {
        html::page(self)
    }

    /// Prints the summary.
    pub(crate) fn print(&self) -> Result<(), Failure> {
        let mut output = output();
        output.write_all(self.table().as_bytes())?;
        Ok(output.flush()?)
    }

    /// The summary for a terminal, its lines ended.
    pub(crate) fn table(&self) -> String {
        list::list(self)
    }
}

/// The names of the files that [`write()`] makes.
pub(crate) const FILES: [&str; 2] = ["report.json", "report.html"];

/// Writes `report.json` and `report.html` into `folder`, each of which is whole or not there. What has these names is replaced.
pub(crate) fn write(report: &Report, folder: &Path) -> Result<(), Failure> {
    for (name, text) in FILES.into_iter().zip([report.json()?, report.html()]) {
        let path = folder.join(name);
        save(&path, true, |mut file| -> io::Result<_> {
            file.write_all(text.as_bytes())?;
            Ok((file, ()))
        })
        .map_err(|error| Failure::from(error).about(format!("cannot write {}", path.display())))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::portrait::Histogram;
    use dragnet_formats::cell::Cell;

    const NASTY: &str = "<img src=x onerror=\"alert('1')\">&amp;";

    fn made(name: &str, seconds: f64) -> Entry {
        let counts = Counts { police: 60, thief: 16, draw: 5 };
        let histogram = Histogram { step: 2, police: vec![9, 51], thief: vec![16, 0], draws: 5 };
        let portrait = Portrait {
            start: Cell::new(1, 1).into(),
            start_given: false,
            from_start: Counts { police: 8, thief: 1, draw: 0 },
            longest_from_start: Longest { police: 3, thief: 0 },
            capture_plies: 12,
            histogram,
            picture: "iVBORw0KGgo=".to_owned(),
        };
        Entry {
            path: Some(format!("tables/{name}.dtb")),
            height: Some(3),
            width: Some(3),
            cells: Some(9),
            positions: Some(162),
            engine: Some("bitboard".to_owned()),
            police_to_move: Some(counts),
            thief_to_move: Some(counts),
            longest: Some(Longest { police: 3, thief: 2 }),
            digest: Some("0123456789abcdef".to_owned()),
            bytes: Some(1024),
            bits_per_position: Some(50.5),
            solve_seconds: Some(seconds),
            write_seconds: Some(0.25),
            memory_bytes: Some(1 << 20),
            portrait: Some(portrait),
            ..Entry::new(name, Status::Made)
        }
    }

    fn failed(name: &str, message: &str) -> Entry {
        Entry { message: Some(message.to_owned()), ..Entry::new(name, Status::Failed) }
    }

    #[test]
    fn json_round_trips_and_leaves_out_what_is_not_known() {
        let report = Report::new("batch", vec![made("one", 0.5), failed("two", "too large")]);
        let text = report.json().unwrap();
        assert_eq!(serde_json::from_str::<Report>(&text).unwrap(), report);
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let keys: Vec<&String> = json["entries"][1].as_object().unwrap().keys().collect();
        assert_eq!(keys, ["message", "name", "status"]);
        assert_eq!(json["entries"][0]["portrait"]["start"], serde_json::json!([1, 1]));
        assert_eq!(
            (json["totals"]["failed"].as_u64(), json["totals"]["positions"].as_u64()),
            (Some(1), Some(162))
        );
        assert_eq!(json["totals"]["elapsed_seconds"], serde_json::Value::Null);
    }

    #[test]
    fn totals_count_finished_tables() {
        let kept =
            Entry { status: Status::Kept, solve_seconds: None, write_seconds: None, ..made("kept", 0.0) };
        let given_up = Entry { status: Status::Interrupted, ..made("half", 9.0) };
        let totals = Report::new("", vec![made("one", 0.5), kept, given_up, failed("two", "no")]).totals;
        assert_eq!(
            (totals.boards, totals.made, totals.kept, totals.interrupted, totals.failed),
            (4, 1, 1, 1, 1)
        );
        assert_eq!((totals.positions, totals.bytes, totals.seconds()), (324, 2048, 0.75));
    }

    #[test]
    fn a_page_is_made_of_text_and_asks_nobody_else() {
        let entries = vec![made(NASTY, 0.5), failed("two", NASTY), Entry::new("three", Status::Skipped)];
        let page = Report::new(NASTY, entries).html();
        assert!(!page.contains("<img src=x") && !page.contains("onerror=\""), "unescaped");
        assert_eq!(page.matches("&lt;img src=x onerror=&quot;alert(").count(), 8);
        assert!(page.contains("&amp;amp;"), "an escape in a name is text too");
        for outside in ["http:", "https:", "//fonts", "src=\"/", "@import", "url("] {
            assert!(!page.contains(outside), "{outside}");
        }
        assert_eq!(page.matches("<img ").count(), page.matches("src=\"data:image/png;base64,").count());
        assert_eq!(page.matches("<tr data-status").count(), 3);
    }

    #[test]
    fn an_empty_batch_has_a_report() {
        let report = Report::new("nothing", Vec::new());
        assert_eq!(report.table(), "0 boards; 0 positions, 0 B\n");
        assert!(report.html().contains("<tbody></tbody>"));
    }

    #[test]
    fn the_list_is_aligned_and_ends_with_what_matters() {
        let table =
            Report::new("", vec![failed("second", "no\nmemory"), made("ünïcode", 1.0), made("b", 123.0)])
                .table();
        let lines: Vec<&str> = table.lines().collect();
        let expected = [
            "board    size  positions  police   thief   draw  longest      file  seconds",
            "ünïcode   3x3        162  74.1 %  19.8 %  6.2 %      3/2  1.00 KiB     1.25",
            "b         3x3        162  74.1 %  19.8 %  6.2 %      3/2  1.00 KiB   123.25",
            "",
            "failed       second  no memory",
            "",
            "3 boards: 2 made, 1 failed; 324 positions, 2.00 KiB, 124.50 s of work",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn of_many_boards_the_slowest_and_the_failed_are_listed() {
        let mut entries: Vec<Entry> =
            (0..600).map(|i| made(&format!("board-{i}"), f64::from(i * 7 % 600))).collect();
        entries.insert(300, failed("broken", "the file system is full"));
        let table = Report::new("", entries).table();
        assert!(table.contains("the slowest 20; 580 more are in report.html"), "{table}");
        assert!(table.contains("599.25") && !table.contains("579.25"), "{table}");
        assert!(table.find("broken") > table.find("599.25"), "{table}");
        assert!(table.lines().count() < 30, "{table}");
    }

    #[test]
    fn both_files_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let report = Report::new("batch", vec![made("one", 0.5)]);
        for _ in 0..2 {
            write(&report, &folder.path().join("new")).unwrap();
        }
        let read = |name| std::fs::read_to_string(folder.path().join("new").join(name)).unwrap();
        assert_eq!((read(FILES[0]), read(FILES[1])), (report.json().unwrap(), report.html()));
        assert_eq!(std::fs::read_dir(folder.path().join("new")).unwrap().count(), 2);
        std::fs::write(folder.path().join("file"), "").unwrap();
        let failure = write(&report, &folder.path().join("file")).unwrap_err();
        assert!(matches!(failure, Failure::Trouble(_)), "{failure:?}");
    }
}
