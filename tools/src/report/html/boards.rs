//! The table of boards, a row for each; on a narrow page a card for each.

use crate::{
    link::encoded,
    output::human,
    report::{
        entry::TableEntry,
        history::TableEvent,
        html::{
            drawings::{histogram, outcome_bar, picture, view},
            link::href,
            positions::positions,
            words::{badge, bits, moment, seconds},
        },
        place::Place,
        status::Status,
        totals::RunReport,
    },
};
use maud::{Markup, html};

/// The most outcomes of a table in earlier runs that are listed; of more, the last ones.
const EVENTS: usize = 10;

/// A column: its title, whether greater numbers come first when it is sorted, and its explanation.
pub(super) const COLUMNS: [(&str, bool, &str); 9] = [
    ("Picture", false, "In the order of the batch"),
    ("Board", false, "Name and what became of it"),
    ("Size", true, "Squares, open cells, positions with either side to move"),
    (
        "Outcomes",
        true,
        "Shares of all positions that the police wins, the thief wins, and neither; sorted by the police’s",
    ),
    ("Longest", true, "Plies of the longest win of each side"),
    (
        "Distances",
        true,
        "Positions with the police to move by distance: police wins upwards, thief wins downwards; sorted by the longest",
    ),
    ("File", true, "Bytes of the table"),
    ("Time", true, "Seconds of solving and writing"),
    (
        "Memory",
        true,
        "The most that the process had taken when the table was finished; of a table left out, what it needs",
    ),
];

/// Returns the table of boards for a page at `place`.
pub(super) fn boards(report: &RunReport, place: &Place) -> Markup {
    html! {
        table.boards.cards.no-time[!report.entries.iter().any(|entry| entry.seconds().is_some())]
            .no-memory[!report.entries.iter().any(|entry| memory(entry).is_some())] {
            thead { tr { @for (title, falling, what) in COLUMNS {
                th scope="col" data-falling=[falling.then_some("")] { button type="button" title=(what) { (title) } }
            } } }
            tbody { @for (number, entry) in report.entries.iter().enumerate() { (board(number, entry, report, place)) } }
        }
    }
}

fn board(number: usize, entry: &TableEntry, report: &RunReport, place: &Place) -> Markup {
    let outcomes = entry.outcomes();
    let share = outcomes.map(|counts| counts.police as f64 / counts.total().max(1) as f64);
    html! {
        tr data-status=(entry.status) {
            td.portrait data-v=(number) { @if let Some(portrait) = &entry.portrait { (picture(entry, portrait)) } }
            (name(entry, report, place))
            td.number data-v=[entry.cells] {
                @if let Some((height, width)) = entry.height.zip(entry.width) { p { (height) "×" (width) } }
                @if let Some(cells) = entry.cells { p.small { (human::counted(cells, "cell", "cells")) } }
                @if let Some(positions) = entry.positions { p.small { (human::count(positions)) " positions" } }
            }
            td.outcomes data-v=[share] {
                @for (who, counts) in [("police first", entry.police_to_move), ("thief first", entry.thief_to_move)] {
                    @if let Some(counts) = counts { (outcome_bar(who, &counts)) }
                }
            }
            td.number data-v=[entry.longest_win()] { @if let Some(longest) = entry.longest {
                p { span.police { (longest.police) } " / " span.thief { (longest.thief) } }
                @if let Some(engine) = &entry.engine { p.small { (engine) } }
            } }
            td data-v=[entry.longest_win()] {
                @if let Some(portrait) = &entry.portrait { (histogram(&portrait.histogram)) }
            }
            td.number data-v=[entry.bytes] { @if let Some(bytes) = entry.bytes {
                p { (human::bytes(bytes)) }
                @if let Some(each) = entry.bits_per_position { p.small { (bits(each)) " each" } }
            } }
            td.number data-v=[entry.seconds()] { @if let Some(all) = entry.seconds() {
                p { (seconds(all)) }
                @if let Some((solve, write)) = entry.solve_seconds.zip(entry.write_seconds) {
                    p.small { "solving " (seconds(solve)) } p.small { "writing " (seconds(write)) }
                }
            } }
            td.number data-v=[memory(entry)] { @if let Some(bytes) = memory(entry) {
                p { (human::bytes(bytes)) }
                @if !entry.status.is_finished() { p.small { "needed" } }
            } }
        }
    }
}

/// Returns the bytes of memory that a table took or, if it was left out, needs.
fn memory(entry: &TableEntry) -> Option<u64> {
    if entry.status.is_finished() { entry.process_peak_memory_bytes } else { entry.memory_bytes }
}

/// Returns the cell with the name of a board and with all about it that is no figure.
fn name(entry: &TableEntry, report: &RunReport, place: &Place) -> Markup {
    let address = |path: &String| match &place.folder {
        Some(folder) => href(path, folder),
        None => Some(path.split('/').map(encoded).collect::<Vec<_>>().join("/")),
    };
    let link = |path: &String| entry.status.is_finished().then(|| address(path)).flatten();
    html! {
        th.name scope="row" data-v=(entry.name) {
            b { (entry.name) } " " (badge(entry.status.name(), entry.status.name()))
            @if let Some(note) = entry.note() { p.message { (note) } }
            @if let Some(portrait) = &entry.portrait { p.view { (view(portrait)) } }
            (positions(entry, place))
            @if let Some(path) = &entry.path {
                p.path { @if let Some(href) = link(path) { a href=(href) { (path) } } @else { (path) } }
            }
            @if let Some(digest) = &entry.digest { p.path { "digest " (digest) } }
            @if let Some(at) = &entry.made_at {
                p.small {
                    "made " (moment(at))
                    @if let Some(version) = entry.made_by.as_ref().filter(|&version| *version != report.version) {
                        " by version " (version)
                    }
                }
            }
            (history(entry))
        }
    }
}

/// Returns the outcomes of a table in earlier runs, unless the row says all that is known.
fn history(entry: &TableEntry) -> Markup {
    let is_shown = |event: &TableEvent| match entry.status {
        Status::Made | Status::Kept => event.status == Status::Made,
        status => event.status == status,
    };
    let events = match entry.history.split_last() {
        Some((last, before)) if is_shown(last) => before,
        _ => entry.history.as_slice(),
    };
    let left_out = events.len().saturating_sub(EVENTS);
    html! { @if !events.is_empty() {
        details.history {
            summary { (human::counted(events.len() as u64, "outcome", "outcomes")) " before" }
            ul {
                @for event in events.iter().rev().take(EVENTS) {
                    li {
                        (moment(&event.at)) " " (badge(event.status.name(), event.status.name()))
                        @if let Some(message) = &event.message { " " (message) }
                    }
                }
                @if left_out > 0 { li { (human::count(left_out as u64)) " earlier in report.json" } }
            }
        }
    } }
}
