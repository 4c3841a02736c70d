//! The level of the day: everybody who plays on one date plays one game.

use crate::{app::Settings, difficulty::Difficulty, maps::MAPS, start::Start};
use anyhow::{Context, ensure};
use dragnet_probe::{Side, opponent::Lots};
use std::{
    fmt,
    str::FromStr,
    time::{SystemTime, UNIX_EPOCH},
};

/// The seed whose number for each day is the seed of that day's lots.
const YEARBOOK: u64 = 0x6765_7461_7761_7921;

/// The days before 1970-01-01 since the first of March of the year 0.
const BEFORE_1970: u64 = 719_468;
/// The days of 400 years, after which the calendar repeats itself.
const ERA: u64 = 146_097;

/// A date from 1970-01-01 to 9999-12-31, as the number of days since the first of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Day(u64);

impl Day {
    /// Returns the date in Greenwich.
    ///
    /// # Errors
    /// Returns an error if the clock is before 1970 or after 9999.
    pub(crate) fn today() -> anyhow::Result<Day> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).context("the clock is before 1970")?;
        let day = Day(since.as_secs() / 86_400);
        ensure!(day.date().0 <= 9999, "the clock is after the year 9999");
        Ok(day)
    }

    /// Returns the number of days between 1970-01-01 and a date, which need not exist: the 31st of a month
    /// with 30 days is the first of the next.
    fn count(year: u64, month: u64, day: u64) -> u64 {
        // Years begin with March, so that the leap day is the last one.
        let year = if month > 2 { year } else { year - 1 };
        let months = (month + 9) % 12;
        let of_year = (153 * months + 2) / 5 + day - 1;
        year * 365 + year / 4 - year / 100 + year / 400 + of_year - BEFORE_1970
    }

    /// Returns year, month and day.
    fn date(self) -> (u64, u64, u64) {
        let days = self.0 + BEFORE_1970;
        let of_era = days % ERA;
        let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let months = (5 * of_year + 2) / 153;
        let month = (months + 2) % 12 + 1;
        let year = days / ERA * 400 + year_of_era + u64::from(month <= 2);
        (year, month, of_year - (153 * months + 2) / 5 + 1)
    }

    /// Returns the choices of the day's game, and its lots for the start and the opponent.
    #[must_use]
    pub(crate) fn level(self, difficulty: Difficulty) -> (Settings, Lots) {
        let mut lots = Lots::new(Lots::nth(YEARBOOK, self.0));
        let map = Lots::scale(lots.draw(), MAPS.len() as u64) as usize;
        let side = if Lots::scale(lots.draw(), 2) == 0 { Side::Police } else { Side::Thief };
        (Settings { map, side, difficulty, start: Start::Won }, lots)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.date();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl FromStr for Day {
    type Err = String;

    fn from_str(text: &str) -> Result<Day, String> {
        let expected = || "expected a date from 1970-01-01 to 9999-12-31, as YEAR-MONTH-DAY".to_owned();
        let number = |from: usize, to: usize| {
            let digits = text.get(from..to).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
            digits.and_then(|digits| digits.parse::<u64>().ok()).ok_or_else(expected)
        };
        let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
        if year < 1970 || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return Err(expected());
        }
        let date = Day(Day::count(year, month, day));
        // A date that does not exist is written differently.
        if date.to_string() == text { Ok(date) } else { Err(expected()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_the_calendar_are_read_and_others_are_refused() {
        // Days since 1970 from GNU date.
        for (text, days) in
            [("1970-01-01", 0), ("2000-02-29", 11_016), ("2026-11-23", 20_780), ("9999-12-31", 2_932_896)]
        {
            assert_eq!(text.parse(), Ok(Day(days)));
        }
        let years: u64 = (1970..=9999)
            .map(|year| 365 + u64::from(year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)))
            .sum();
        assert_eq!(years, 2_932_897);
        let mut before = String::new();
        for day in 0..years {
            let text = Day(day).to_string();
            assert!(before < text, "{before} {text}");
            assert_eq!(text.parse(), Ok(Day(day)));
            before = text;
        }
        for text in [
            "",
            "2026",
            "2026-02-29",
            "2100-02-29",
            "1969-12-31",
            "2026-13-01",
            "2026-00-10",
            "2026-04-31",
            "2026/01/01",
            "2026-1-1",
            "２０２６-01-01",
            "+026-01-01",
        ] {
            assert!(text.parse::<Day>().is_err(), "{text}");
        }
    }

    #[test]
    fn every_day_of_a_year_is_fair_to_maps_and_sides() {
        let mut counts = [[0; 2]; MAPS.len()];
        for day in 0..365 {
            let (settings, lots) = Day(20_000 + day).level(Difficulty::Normal);
            assert_eq!((settings, lots), Day(20_000 + day).level(Difficulty::Normal));
            counts[settings.map][usize::from(settings.side == Side::Thief)] += 1;
        }
        assert!(counts.iter().flatten().all(|&count| (20..=75).contains(&count)), "{counts:?}");
    }
}
