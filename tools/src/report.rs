//! Reports on tables: a page for people, JSON for programs, a list for the terminal.

pub(crate) mod status;
pub(crate) mod place;
pub(crate) mod history;
pub(crate) mod entry;
pub(crate) mod totals;
mod list;
mod html;

use crate::{failure::Failure, leftovers, messages::columns, output::console::output};
use dragnet_generator::save::save;
pub(crate) use list::PAGE;
use place::Place;
use std::{
    fs,
    io::{self, Write, stdout},
    path::Path,
};
use totals::RunReport;

/// The name of the report for programs.
pub(crate) const JSON: &str = "report.json";

/// Prints the summary of the report on standard output.
pub(crate) fn print(report: &RunReport) -> Result<(), Failure> {
    let mut output = output();
    output.write_all(list::list(report, columns(&stdout())).as_bytes())?;
    Ok(output.flush()?)
}

/// Returns the note about tables that earlier runs have made in the folder and the manifest does not name any
/// more. It has some of their names.
pub(crate) fn not_named(tables: &[String], manifest: &Path) -> String {
    /// The most names.
    const LISTED: usize = 4;
    let names = tables.iter().take(LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = if tables.len() > LISTED { ", …" } else { "" };
    format!(
        "{}: {names}{more}; 'dragnet batch prune {}' lists them",
        html::not_named(tables.len()),
        manifest.display()
    )
}

/// Removes from `folder` what processes that were killed have left of their reports.
pub(crate) fn remove_leftovers(folder: &Path) {
    leftovers::remove(folder, |path| [JSON, PAGE].iter().any(|name| path.ends_with(name)));
}

/// Writes `report.json` and `report.html` into `folder`. Each appears only when it is complete, and replaces
/// a file of its name.
pub(crate) fn write(report: &RunReport, folder: &Path, place: &Place) -> Result<(), Failure> {
    // The links of the page are relative to the folder as it is on the disk.
    fs::create_dir_all(folder).map_err(|error| Failure::cannot("make the folder", folder, error))?;
    remove_leftovers(folder);
    for (name, text) in [(JSON, report.json()?), (PAGE, html::page(report, place))] {
        let path = folder.join(name);
        save(&path, true, |mut file| -> io::Result<_> {
            file.write_all(text.as_bytes())?;
            Ok((file, ()))
        })
        .map_err(|error| Failure::cannot("write", &path, error))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{entry::TableEntry, status::Status, totals::RunReport, *};
    use crate::table::portrait::{Histogram, Portrait};
    use dragnet_formats::{
        cell::Cell,
        header::{Counts, Longest},
    };
    use std::collections::BTreeSet;

    const NASTY: &str = "<img src=x onerror=\"alert('1')\">&amp;";

    fn made(name: &str, seconds: f64) -> TableEntry {
        let counts = Counts { police: 60, thief: 16, draw: 5 };
        let histogram = Histogram { step: 2, police: vec![9, 51], thief: vec![16, 0], draws: 5 };
        let portrait = Portrait {
            start: Cell::new(1, 1).into(),
            start_given: false,
            from_start: Counts { police: 8, thief: 1, draw: 0 },
            longest_from_start: Longest { police: 3, thief: 0 },
            capture_plies: 12,
            histogram,
            picture: b"\x89PNG\r\n\x1A\n".to_vec(),
        };
        TableEntry {
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
            ..TableEntry::new(name, Status::Made)
        }
    }

    fn here() -> Place {
        Place::alone(Path::new("."))
    }

    fn failed(name: &str, message: &str) -> TableEntry {
        TableEntry { message: Some(message.to_owned()), ..TableEntry::new(name, Status::Failed) }
    }

    #[test]
    fn json_round_trips_and_leaves_out_unknown_fields() {
        let report = RunReport::new("batch", vec![made("one", 0.5), failed("two", "too large")]);
        let text = report.json().unwrap();
        assert_eq!(serde_json::from_str::<RunReport>(&text).unwrap(), report);
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let keys: BTreeSet<&str> =
            json["entries"][1].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, BTreeSet::from(["message", "name", "status"]));
        assert_eq!(json["entries"][0]["portrait"]["start"], serde_json::json!([1, 1]));
        assert_eq!(
            (json["totals"]["failed"].as_u64(), json["totals"]["positions"].as_u64()),
            (Some(1), Some(162))
        );
        assert_eq!(json["totals"]["elapsed_seconds"], serde_json::Value::Null);
    }

    #[test]
    fn a_number_is_not_broken_and_a_long_one_has_small_letters() {
        for (positions, class) in [(4_203_361_678, ""), (1_300_000_000_000, "long")] {
            let entry = TableEntry { positions: Some(positions), ..made("one", 0.5) };
            let page = html::page(&RunReport::new("", vec![entry]), &here());
            let number = crate::output::human::count(positions);
            assert!(page.contains(&format!("<dd class=\"{class}\">{number}</dd>")), "{positions}");
            let rule = page.lines().find(|line| line.starts_with(".totals dd {")).unwrap();
            assert!(rule.contains("white-space: nowrap"), "{rule}");
        }
    }

    #[test]
    fn totals_count_finished_tables() {
        let kept = TableEntry {
            status: Status::Kept,
            solve_seconds: None,
            write_seconds: None,
            ..made("kept", 0.0)
        };
        let given_up = TableEntry { status: Status::Interrupted, ..made("half", 9.0) };
        let totals = RunReport::new("", vec![made("one", 0.5), kept, given_up, failed("two", "no")]).totals;
        let counts = totals.counts;
        assert_eq!(
            (totals.boards, counts.made, counts.kept, counts.interrupted, counts.failed),
            (4, 1, 1, 1, 1)
        );
        assert_eq!((totals.positions, totals.bytes, totals.seconds()), (324, 2048, 0.75));
    }

    #[test]
    fn a_page_escapes_text_and_loads_nothing() {
        let entries = vec![made(NASTY, 0.5), failed("two", NASTY), TableEntry::new("three", Status::Skipped)];
        let page = html::page(&RunReport::new(NASTY, entries), &here());
        assert!(!page.contains("<img src=x") && !page.contains("onerror=\""), "unescaped");
        assert_eq!(page.matches("&lt;img src=x onerror=&quot;alert(").count(), 9);
        assert!(page.contains("&amp;amp;"), "an escape in a name is text too");
        for outside in ["http:", "https:", "//fonts", "src=\"/", "@import", "url("] {
            assert!(!page.contains(outside), "{outside}");
        }
        assert_eq!(page.matches("<img ").count(), page.matches("src=\"data:image/png;base64,").count());
        assert_eq!(page.matches("<tr data-status").count(), 3);
    }

    #[test]
    fn an_empty_batch_has_a_report() {
        let report = RunReport::new("nothing", Vec::new());
        assert_eq!(list::list(&report, usize::MAX), "0 boards; 0 positions, 0 B\n");
        assert!(html::page(&report, &here()).contains("<tbody></tbody>"));
    }

    #[test]
    fn the_list_is_aligned_and_ends_with_the_sums() {
        let table = list::list(
            &RunReport::new("", vec![failed("second", "no\nmemory"), made("ünïcode", 1.0), made("b", 123.0)]),
            usize::MAX,
        );
        let lines: Vec<&str> = table.lines().collect();
        let expected = [
            "board    size  positions  police   thief   draw  longest      file  seconds",
            "ünïcode   3x3        162  74.1 %  19.8 %  6.2 %      3/2  1.00 KiB     1.25",
            "b         3x3        162  74.1 %  19.8 %  6.2 %      3/2  1.00 KiB   123.25",
            "",
            "failed       second  no\\nmemory",
            "",
            "3 boards: 2 made, 1 failed; 324 positions, 2.00 KiB, 124.50 s of work",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_list_fits_into_every_terminal() {
        let long = "a-board-with-a-very-long-name-of-fifty-letters-or-so";
        let entries =
            vec![made(long, 1.0), made("b", 12_345.0), failed("second", "no memory is left for it")];
        let report = RunReport::new("", entries);
        for columns in 20..200 {
            let text = list::list(&report, columns);
            let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(widest <= columns, "{columns}:\n{text}");
            assert!(text.contains("12345.25") && text.contains("3 boards"), "{columns}:\n{text}");
        }
        assert!(list::list(&report, 160).contains(long));
    }

    #[test]
    fn a_list_of_many_boards_has_the_slowest_and_the_failed() {
        let mut entries: Vec<TableEntry> =
            (0..600).map(|i| made(&format!("board-{i}"), f64::from(i * 7 % 600))).collect();
        entries.insert(300, failed("broken", "the file system is full"));
        let table = list::list(&RunReport::new("", entries), usize::MAX);
        assert!(table.contains("the slowest 20; 580 more are in report.html"), "{table}");
        assert!(table.contains("599.25") && !table.contains("579.25"), "{table}");
        assert!(table.find("broken") > table.find("599.25"), "{table}");
        assert!(table.lines().count() < 30, "{table}");
    }

    #[test]
    fn both_files_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let report = RunReport::new("batch", vec![made("one", 0.5)]);
        let new = folder.path().join("new");
        for _ in 0..2 {
            write(&report, &new, &Place::alone(&new)).unwrap();
        }
        let read = |name| std::fs::read_to_string(folder.path().join("new").join(name)).unwrap();
        assert_eq!(
            (read("report.json"), read(PAGE)),
            (report.json().unwrap(), html::page(&report, &Place::alone(&new)))
        );
        assert_eq!(std::fs::read_dir(folder.path().join("new")).unwrap().count(), 2);
        std::fs::write(folder.path().join("file"), "").unwrap();
        let failure = write(&report, &folder.path().join("file"), &here()).unwrap_err();
        assert!(matches!(failure, Failure::Trouble(_)), "{failure:?}");
    }
}
