//! A line of progress that fits its terminal.

use super::human;
use std::time::Duration;

/// The state of one piece of work, to be shown in one line.
pub(super) struct ProgressLine<'a> {
    /// The name of the work.
    pub(super) name: &'a str,
    /// Units that are done.
    pub(super) done: u64,
    /// All units, or as many as `done` if it is not known how many there are.
    pub(super) total: u64,
    /// The unit, in the plural.
    pub(super) unit: &'static str,
    /// Time since the first unit.
    pub(super) elapsed: Duration,
    /// More about the work, perhaps nothing.
    pub(super) note: &'a str,
}

/// The least columns of a bar, and the most.
const BAR: (usize, usize) = (8, 24);

/// The share of the units before which the time left is not estimated: until then it is often wrong by more
/// than a factor of two.
const SOON: f64 = 0.1;

impl ProgressLine<'_> {
    /// Returns the line with everything in it.
    pub(super) fn whole(&self) -> String {
        let parts: Vec<String> = self.parts().into_iter().map(|(_, part)| part).collect();
        format!("{}: {}", self.name, parts.join(", "))
    }

    /// Returns the line with as much of it as fits into `columns` columns: first the name and the share, then
    /// the time left, the rate, the note, the counts, and a bar in what is still free.
    pub(super) fn fit(&self, columns: usize) -> String {
        let parts = self.parts();
        let mut chosen: Vec<&(u8, String)> = parts.iter().collect();
        let width = |chosen: &[&(u8, String)]| -> usize {
            chosen.iter().map(|(_, part)| 2 + human::width(part)).sum()
        };
        while chosen.len() > 1 && human::width(self.name) + width(&chosen) > columns {
            let last = chosen.iter().map(|(rank, _)| *rank).max();
            chosen.retain(|(rank, _)| Some(*rank) != last);
        }
        let rest = width(&chosen);
        let mut line = human::shortened(self.name, columns.saturating_sub(rest));
        let free = columns.saturating_sub(human::width(&line) + rest);
        if self.total > self.done && free >= BAR.0 + 2 && chosen.len() == parts.len() {
            let bar = (free - 2).min(BAR.1);
            let full = (self.share() * bar as f64) as usize;
            line = format!("{line}  {}{}", "█".repeat(full), "░".repeat(bar - full));
        }
        chosen.iter().for_each(|(_, part)| line += &format!("  {part}"));
        human::shortened(&line, columns)
    }

    fn share(&self) -> f64 {
        if self.total == 0 { 1.0 } else { (self.done as f64 / self.total as f64).min(1.0) }
    }

    /// Returns the parts behind the name, each with its rank: the greatest are left out first.
    fn parts(&self) -> Vec<(u8, String)> {
        let ProgressLine { done, total, unit, elapsed, note, .. } = *self;
        let seconds = elapsed.as_secs_f64();
        let rate = if seconds > 0.0 { done as f64 / seconds } else { 0.0 };
        let mut parts = Vec::new();
        if total > done {
            parts.push((0, format!("{:.0} %", (100.0 * self.share()).floor())));
            parts.push((4, format!("{} of {} {unit}", human::count(done), human::count(total))));
        } else {
            parts.push((0, format!("{} {unit}", human::count(done))));
        }
        if rate > 0.0 {
            parts.push((2, format!("{}/s", human::short(rate))));
        }
        if total > done && rate > 0.0 && self.share() >= SOON {
            let left = Duration::from_secs_f64(((total - done) as f64 / rate).min(1e9));
            parts.push((1, format!("{} left", human::duration(left))));
        }
        if !note.is_empty() {
            parts.push((3, note.to_owned()));
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: ProgressLine = ProgressLine {
        name: "open-200x200",
        done: 1_135_268_034,
        total: 3_200_000_000,
        unit: "positions",
        elapsed: Duration::from_millis(7_400),
        note: "level 270",
    };

    #[test]
    fn every_width_has_a_line_that_fits_and_says_the_most_important() {
        for columns in 0..=200 {
            let line = LINE.fit(columns);
            assert!(human::width(&line) <= columns, "{columns}: {line:?}");
            assert!(columns < 9 || line.contains("35 %"), "{columns}: {line:?}");
            assert!(columns < 34 || line.contains("13 s left"), "{columns}: {line:?}");
        }
        assert_eq!(LINE.fit(20), "open-200x200  35 %");
        assert_eq!(LINE.fit(30), "open-200x200  35 %  13 s left");
        assert_eq!(LINE.fit(40), "open-200x200  35 %  153 M/s  13 s left");
        assert_eq!(LINE.fit(80), "open-200x200  35 %  153 M/s  13 s left  level 270");
        let wide = LINE.fit(120);
        assert!(wide.contains("████░"), "{wide}");
        assert!(
            wide.contains("35 %  1,135,268,034 of 3,200,000,000 positions  153 M/s  13 s left  level 270"),
            "{wide}"
        );
        let long = ProgressLine { name: "a-board-with-a-very-long-name-of-fifty-letters-or-so", ..LINE };
        assert_eq!(long.fit(20), "a-board-with-…  35 %");
    }

    #[test]
    fn the_time_left_is_not_said_before_a_tenth_is_done_nor_when_the_total_is_unknown() {
        let early = ProgressLine { done: 263_166, total: 8_657_174_528, ..LINE };
        assert_eq!(early.whole(), "open-200x200: 0 %, 263,166 of 8,657,174,528 positions, 36 k/s, level 270");
        let slow = ProgressLine {
            name: "bench",
            done: 2,
            total: 9,
            unit: "rounds",
            elapsed: Duration::from_secs(20),
            note: "",
        };
        assert_eq!(slow.whole(), "bench: 22 %, 2 of 9 rounds, 0.1/s, 1 min 10 s left");
        let unknown =
            ProgressLine { name: "cops", done: 4_096, total: 4_096, unit: "graphs", note: "", ..LINE };
        assert_eq!(unknown.whole(), "cops: 4,096 graphs, 554/s");
    }
}
