//! The page of a report, which needs no other file and no network. The templates escape every text.

mod words;
mod link;
mod drawings;
mod positions;
mod key;
mod runs;
mod boards;

use crate::{
    output::human,
    report::{place::Place, status::Status, totals::RunReport},
};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use words::{badge, bits, labels, moment, seconds};

/// The content security policy of the page: nothing may be loaded from anywhere.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// The pixels of width from which on boards are rows of a table.
const WIDE: u32 = 1180;

/// The most characters of a number that fits into its card in the large letters: a number is not broken.
const LONG: usize = 13;

/// Returns the page for this place.
pub(super) fn page(report: &RunReport, place: &Place) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (report.title) " – Dragnet" }
                link rel="icon" href="data:,";
                style { (PreEscaped(style())) }
            }
            body {
                header {
                    p.product { "Dragnet" }
                    h1 { (report.title) }
                    p.about {
                        span { time datetime=(report.created_at) { (moment(&report.created_at)) } }
                        span { "dragnet " (report.version) }
                        span { (report.machine) }
                    }
                }
                main {
                    (totals(report))
                    (runs::runs(report))
                    (key::key())
                    section aria-label="Boards" {
                        (controls(report))
                        (boards::boards(report, place))
                        @if !report.not_named.is_empty() {
                            p.about { (not_named(report.not_named.len())) ": " (report.not_named.join(", ")) }
                        }
                    }
                }
                dialog aria-label="Enlarged picture" {
                    figure { div.large {} figcaption {} } form method="dialog" { button { "Close" } }
                }
                script { (PreEscaped(include_str!("page.js"))) }
            }
        }
    }
    .into_string()
}

/// Returns the sentence that says how many tables are not named any more.
pub(super) fn not_named(tables: usize) -> String {
    let are = human::counted(tables as u64, "table in the folder is", "tables in the folder are");
    format!("{are} not named any more")
}

/// Returns the style sheet. Its part for narrow pages, where a row is a card, has the titles of the columns.
fn style() -> String {
    format!(
        "{}{}@media screen and (width<{WIDE}px){{{}{}{}}}",
        key::colours(),
        include_str!("page.css"),
        include_str!("cards.css"),
        labels("boards", boards::COLUMNS.iter().map(|&(title, ..)| title)),
        labels("runs", runs::COLUMNS.into_iter()),
    )
}

fn totals(report: &RunReport) -> Markup {
    let totals = &report.totals;
    let counted = Status::ALL.into_iter().filter(|&status| totals.counts.of(status) > 0);
    let longest = report.entries.iter().max_by_key(|entry| entry.longest_win());
    let longest = longest.and_then(|entry| Some((entry.longest_win()?, &entry.name)));
    let peak = report.runs.last().and_then(|run| run.process_peak_memory_bytes);
    let positions = human::count(totals.positions);
    html! {
        dl.totals {
            div {
                dt { "Boards" }
                dd { (human::count(totals.boards)) }
                dd.more { @for status in counted {
                    (badge(status.name(), &format!("{} {status}", human::count(totals.counts.of(status))))) " "
                } }
            }
            div {
                dt { "Positions" }
                dd.long[positions.len() > LONG] { (positions) }
                dd.more { "solved, either side to move" }
            }
            div {
                dt { "Tables" }
                dd { (human::bytes(totals.bytes)) }
                @if totals.positions > 0 {
                    dd.more { (bits(totals.bytes as f64 * 8.0 / totals.positions as f64)) " per position" }
                }
            }
            @if totals.seconds() > 0.0 || totals.elapsed_seconds.is_some() {
                div {
                    dt { "Time" }
                    dd { (seconds(totals.elapsed_seconds.unwrap_or(totals.seconds()))) }
                    dd.more {
                        "solving " (seconds(totals.solve_seconds)) ", writing " (seconds(totals.write_seconds))
                    }
                }
            }
            @if let Some(bytes) = peak {
                div { dt { "Peak memory" } dd { (human::bytes(bytes)) } dd.more { "of the last run" } }
            }
            @if let Some((plies, name)) = longest {
                div { dt { "Longest chase" } dd { (human::plies(plies)) } dd.more { (name) } }
            }
        }
    }
}

fn controls(report: &RunReport) -> Markup {
    html! {
        div.controls {
            input type="search" placeholder="Filter by name" aria-label="Filter by name";
            @for status in Status::ALL { @if report.totals.counts.of(status) > 0 {
                label { input type="checkbox" value=(status) checked; " " (status) }
            } }
            output {}
        }
    }
}
