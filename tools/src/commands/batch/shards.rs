//! The text in which `dragnet batch status` shows shards.

use crate::{
    make::{
        shards::{PartStatus, ShardsStatus},
        status::TaskState,
    },
    messages::printable,
    output::human,
};
use std::time::Duration;

/// The most shards that are listed.
const LISTED: usize = 20;

/// Returns the status in lines: sums, then the shards that are at work or in trouble.
pub(super) fn text(status: &ShardsStatus) -> Vec<String> {
    let name = printable(status.manifest.as_deref().unwrap_or("generate"));
    let shards = human::counted(status.shards, "shard", "shards");
    let mut lines = vec![format!(
        "{name}: {shards}{}",
        parts(&[
            (status.running, "at work"),
            (status.ended, "ended"),
            (status.killed, "killed"),
            (status.not_begun, "not begun"),
            (status.of_other_divisions, "not counted, of an earlier division"),
        ])
    )];
    let counts = status.counts;
    let left = status.tables.saturating_sub(counts.sum());
    let mut line = format!(
        "{} of {} tables done{}",
        human::count(counts.finished()),
        human::count(status.tables),
        parts(&[
            (counts.kept, "of them kept"),
            (counts.skipped, "skipped"),
            (counts.interrupted, "interrupted"),
            (counts.failed, "failed"),
            (left, "left"),
        ])
    );
    if status.positions > 0 {
        line += &format!(", {} of all positions", human::percent(status.positions_done, status.positions));
    }
    if let Some(seconds) = status.seconds_left {
        line += &format!(", {} left with these tasks", human::duration(Duration::from_secs_f64(seconds)));
    }
    lines.push(line);
    let is_listed = |part: &&PartStatus| part.status != Some(0);
    let listed = status.parts.iter().filter(is_listed).count();
    lines.extend(status.parts.iter().filter(is_listed).take(LISTED).map(part));
    if listed > LISTED {
        lines.push(format!("  and {} more", human::count((listed - LISTED) as u64)));
    }
    lines.extend(status.troubles.iter().map(|trouble| {
        format!("  {} {}: {}", trouble.status, printable(&trouble.name), printable(&trouble.message))
    }));
    lines
}

/// Returns the numbers that are not 0, each behind a comma.
fn parts(parts: &[(u64, &str)]) -> String {
    let words = |&(number, what): &(u64, &str)| format!(", {} {what}", human::count(number));
    parts.iter().filter(|(number, _)| *number > 0).map(words).collect()
}

fn part(part: &PartStatus) -> String {
    let time = human::duration(Duration::from_secs_f64(part.seconds));
    let how = match part.status {
        Some(status) => format!("ended with status {status}"),
        None if part.state == TaskState::Running => format!("at work for {time}"),
        None => format!("killed after {time}"),
    };
    let working: Vec<_> = part.working.iter().map(|name| printable(name)).collect();
    let working = if working.is_empty() { String::new() } else { format!(": {}", working.join(", ")) };
    format!("  shard {}  {how}, {} of {} tables{working}", part.shard, part.finished, part.tables)
}
