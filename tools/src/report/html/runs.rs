//! The runs in the output folder: when they began, how they ended, what they made.

use crate::{
    output::human,
    report::{
        history::RunSummary,
        html::words::{badge, moment, seconds},
        totals::RunReport,
    },
};
use maud::{Markup, html};

/// The most runs that are listed; of more, the last ones.
const ROWS: usize = 200;
/// The most runs that are shown without a click.
const OPEN: usize = 3;

pub(super) const COLUMNS: [&str; 6] = ["Began", "Ended", "Time", "Tables", "Peak memory", "Threads"];

pub(super) fn runs(report: &RunReport) -> Markup {
    let all = &report.runs;
    let left_out = all.len().saturating_sub(ROWS);
    html! { @if !all.is_empty() {
        section aria-labelledby="runs" {
            details.panel open[all.len() <= OPEN] {
                summary { h2 #runs { (human::counted(all.len() as u64, "run", "runs")) } " " span.small { (outcomes(all)) } }
                table.runs.cards {
                    thead { tr { @for title in COLUMNS { th scope="col" { (title) } } } }
                    tbody { @for run in all.iter().rev().take(ROWS) { (row(run, report)) } }
                }
                @if left_out > 0 { p.small { (human::counted(left_out as u64, "earlier run is", "earlier runs are")) " in report.json" } }
            }
        }
    } }
}

fn row(run: &RunSummary, report: &RunReport) -> Markup {
    let (class, ended) = end(run);
    html! {
        tr {
            th scope="row" {
                (moment(&run.began))
                @if run.version != report.version { p.small { "version " (run.version) } }
                @if run.machine != report.machine { p.small { "on " (run.machine) } }
            }
            td { (badge(class, &ended)) }
            td { @if let Some(time) = run.seconds { (seconds(time)) } @else { "not known" } }
            td { (counts(run)) }
            td { @if let Some(bytes) = run.process_peak_memory_bytes { (human::bytes(bytes)) } @else { "not known" } }
            td { (run.threads) }
        }
    }
}

/// Returns how a run ended: the class of its colour, and words.
fn end(run: &RunSummary) -> (&'static str, String) {
    match run.status {
        Some(0) => ("made", "finished".to_owned()),
        Some(129) => ("interrupted", "ended by SIGHUP".to_owned()),
        Some(130) => ("interrupted", "ended by Ctrl-C".to_owned()),
        Some(143) => ("interrupted", "ended by SIGTERM".to_owned()),
        Some(status) => ("failed", format!("with exit status {status}")),
        None => ("failed", "killed".to_owned()),
    }
}

/// Returns how often runs ended in each way, the last way first: `1 finished, 2 killed`.
fn outcomes(runs: &[RunSummary]) -> String {
    let mut ways: Vec<(String, u64)> = Vec::new();
    for (_, ended) in runs.iter().rev().map(end) {
        match ways.iter_mut().find(|(way, _)| *way == ended) {
            Some((_, times)) => *times += 1,
            None => ways.push((ended, 1)),
        }
    }
    let words: Vec<String> =
        ways.into_iter().map(|(way, times)| format!("{} {way}", human::count(times))).collect();
    words.join(", ")
}

/// Returns what became of the tables of a run: `3 made, 1 failed of 4`.
fn counts(run: &RunSummary) -> String {
    let words = run.counts.words();
    let words = if words.is_empty() { "none" } else { &words };
    format!("{words} of {}", human::count(run.tables))
}
