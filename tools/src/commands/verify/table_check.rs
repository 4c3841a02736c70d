//! The result of checking a table, and of all tables together.

use crate::output::human;
use schemars::JsonSchema;
use serde::Serialize;
use std::{path::Path, time::Duration};

/// The depth of a check that a table has passed.
#[derive(Clone, Copy)]
pub(super) enum CheckDepth {
    /// Checksums alone, because no more was asked for.
    Quick,
    /// Checksums alone, because what would decide the values was not given: that option.
    Checksums(&'static str),
    /// Every value was derived again.
    Values,
    /// Some values were derived again.
    Sample(SampleCheck),
}

/// The positions of a sample.
#[derive(Clone, Copy, Serialize, JsonSchema)]
pub(super) struct SampleCheck {
    /// Positions whose values were derived again.
    pub(super) positions: u64,
    /// Positions with the police to move, whose values the table holds.
    pub(super) of: u64,
    /// The number by which the positions were drawn, from `--seed`.
    pub(super) seed: u64,
}

/// The facts about a table that has passed.
pub(super) struct Passed {
    pub(super) positions: u64,
    pub(super) bytes: u64,
    pub(super) depth: CheckDepth,
}

/// One object per table, in the order of the arguments. The exit status is not 0 if a table fails.
#[derive(Serialize, JsonSchema)]
pub(crate) struct TableCheck<'a> {
    /// The path.
    table: &'a Path,
    /// Whether the table passed.
    ok: bool,
    /// Fault that was found. Absent if the table passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// Positions of the table. Absent if it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<u64>,
    /// Length of the file. Absent if it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    /// Whether each value was derived again: `false` with `--quick` and `--sample`, and of a game table
    /// without its graph. Absent if the table failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    derived: Option<bool>,
    /// The positions of `--sample`. Absent without it, and if the table failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    sample: Option<SampleCheck>,
    /// Time of the check. Absent if the table failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    /// Speed of the check, of a sample by its own positions. Absent if the table failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    positions_per_second: Option<f64>,
}

impl<'a> TableCheck<'a> {
    /// Returns the result of a table that has passed after a check that took `time`.
    pub(super) fn passed(table: &'a Path, passed: &Passed, time: Duration) -> TableCheck<'a> {
        let seconds = time.as_secs_f64();
        let sample = match passed.depth {
            CheckDepth::Sample(sample) => Some(sample),
            _ => None,
        };
        let checked = sample.map_or(passed.positions, |sample| sample.positions);
        TableCheck {
            table,
            ok: true,
            error: None,
            positions: Some(passed.positions),
            bytes: Some(passed.bytes),
            derived: Some(matches!(passed.depth, CheckDepth::Values)),
            sample,
            seconds: Some(seconds),
            positions_per_second: Some(checked as f64 / seconds),
        }
    }

    /// Returns the result of a table that has failed.
    pub(super) fn failed(table: &'a Path, error: String) -> TableCheck<'a> {
        TableCheck {
            table,
            ok: false,
            error: Some(error),
            positions: None,
            bytes: None,
            derived: None,
            sample: None,
            seconds: None,
            positions_per_second: None,
        }
    }
}

/// Returns the line about a table that has passed after a check that took `time`.
pub(super) fn line(table: &Path, passed: &Passed, time: Duration) -> String {
    let (table, size) = (human::path(table), human::count(passed.positions));
    let rate = |number: u64| (number as f64 / time.as_secs_f64()) as u64;
    match passed.depth {
        CheckDepth::Quick => {
            let bytes = passed.bytes;
            format!("{table}: whole, {}, {} per second", human::bytes(bytes), human::bytes(rate(bytes)))
        }
        CheckDepth::Checksums(option) => {
            format!("{table}: whole, {size} positions; for their values add {option}")
        }
        CheckDepth::Values => {
            format!("{table}: right, {size} positions, {} per second", human::count(rate(passed.positions)))
        }
        CheckDepth::Sample(SampleCheck { positions, of, .. }) => format!(
            "{table}: a sample, no wrong value in {} of {} positions with the police to move ({})",
            human::count(positions),
            human::count(of),
            share(positions, of)
        ),
    }
}

/// Returns the share of `part` in `whole`, which may be small, with two digits that are not 0.
fn share(part: u64, whole: u64) -> String {
    let percent = part as f64 * 100.0 / whole.max(1) as f64;
    let decimals = (1.0 - percent.max(1e-20).log10().floor()).clamp(0.0, 12.0) as usize;
    format!("{percent:.decimals$} %")
}

/// The tables that were checked, by result.
#[derive(Default)]
pub(super) struct Outcomes {
    right: u64,
    whole: u64,
    sampled: u64,
    damaged: Vec<String>,
    unread: Vec<String>,
}

impl Outcomes {
    /// Adds a table that has passed.
    pub(super) fn add_passed(&mut self, depth: CheckDepth) {
        *match depth {
            CheckDepth::Values => &mut self.right,
            CheckDepth::Quick | CheckDepth::Checksums(_) => &mut self.whole,
            CheckDepth::Sample(_) => &mut self.sampled,
        } += 1;
    }

    /// Adds a table that has failed the check, or that has not been checked if it is not `damaged`.
    pub(super) fn add_failed(&mut self, table: &Path, damaged: bool) {
        let names = if damaged { &mut self.damaged } else { &mut self.unread };
        names.push(human::path(table));
    }

    /// Returns the last line: `14 right, 1 damaged: castle`.
    pub(super) fn line(&self) -> String {
        let counts = [
            (self.right, "right", &[][..]),
            (self.whole, "whole", &[]),
            (self.sampled, "without a wrong value in the sample", &[]),
            (self.damaged.len() as u64, "damaged", &self.damaged),
            (self.unread.len() as u64, "not checked", &self.unread),
        ];
        let parts: Vec<String> = (counts.into_iter().filter(|&(count, ..)| count > 0))
            .map(|(count, what, names)| match names {
                [] => format!("{} {what}", human::count(count)),
                names => format!("{} {what}: {}", human::count(count), names.join(" ")),
            })
            .collect();
        parts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_shares_keep_two_digits() {
        assert_eq!(share(1, 1), "100 %");
        assert_eq!(share(1, 3), "33 %");
        assert_eq!(share(9, 200), "4.5 %");
        assert_eq!(share(1000, 68_719_476_736), "0.0000015 %");
    }
}
