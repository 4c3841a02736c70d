//! Numbers as people read them.

use crate::messages::printable;
use dragnet_formats::{
    board::Board,
    cell::Side,
    pieces::Pieces,
    rules::{Undecided, Wrap},
    value::{Outcome, Plies, Value},
};
use dragnet_probe::{Position, Table};
use std::{path::Path, time::Duration};

/// Returns a number with its digits in groups: 21,164,018.
pub(crate) fn count(number: u64) -> String {
    indicatif::HumanCount(number).to_string()
}

/// Returns a number of things: `1 edge`, `1,024 edges`.
pub(crate) fn counted(number: u64, one: &str, several: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { several })
}

/// Returns a number in few characters: `7.3`, `36 k`, `153 M`, `2.1 G`.
pub(crate) fn short(number: f64) -> String {
    let (number, unit) = match number {
        1e9.. => (number / 1e9, " G"),
        1e6.. => (number / 1e6, " M"),
        1e4.. => (number / 1e3, " k"),
        _ => (number, ""),
    };
    if number < 10.0 {
        format!("{number:.1}{unit}")
    } else {
        format!("{}{unit}", count(number.round() as u64))
    }
}

/// Returns a time to the two greatest units that matter: `13 s`, `1 min 10 s`, `3 h 20 min`, `5 days`,
/// `9 years`.
pub(crate) fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64().round() as u64;
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match (days, hours, minutes) {
        (730.., ..) => format!("{} years", count(days / 365)),
        (2.., ..) => format!("{days} days"),
        (_, 1.., _) => format!("{hours} h {} min", minutes % 60),
        (_, _, 10..) => format!("{minutes} min"),
        (_, _, 1..) => format!("{minutes} min {} s", seconds % 60),
        _ => format!("{seconds} s"),
    }
}

/// Returns the path as a terminal can show it.
pub(crate) fn path(path: &Path) -> String {
    printable(&path.to_string_lossy()).into_owned()
}

/// Returns the columns that a text takes on a terminal.
pub(crate) fn width(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

/// Returns the text, cut short with an ellipsis if it takes more than `columns` columns.
pub(crate) fn shortened(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut short = String::new();
    for character in text.chars() {
        short.push(character);
        if width(&short) + 1 > columns {
            short.pop();
            break;
        }
    }
    if columns > 0 {
        short.push('…');
    }
    short
}

/// Returns as many of the parts in one line as fit, without those of the greatest ranks.
pub(crate) fn fitted(parts: &[(u8, String)], columns: usize) -> String {
    let most = parts.iter().map(|&(rank, _)| rank).max().unwrap_or(0);
    let line = |most: u8| {
        let shown = parts.iter().filter(|&&(rank, _)| rank <= most).map(|(_, part)| part.as_str());
        shown.collect::<Vec<_>>().join("  ")
    };
    let fits = |line: &String| width(line) <= columns;
    (0..=most).rev().map(line).find(fits).unwrap_or_else(|| shortened(line(0).trim_end(), columns))
}

/// Returns a number of bytes with its unit.
pub(crate) fn bytes(number: u64) -> String {
    indicatif::BinaryBytes(number).to_string()
}

/// Returns a number of needed bytes with its unit, rounded up, so that the text is enough as a limit.
pub(crate) fn needed_bytes(number: u64) -> String {
    let unit = 1u128 << (number.max(1).ilog2() / 10 * 10);
    let hundredths = (u128::from(number) * 100).div_ceil(unit);
    bytes(u64::try_from(hundredths * unit / 100).unwrap_or(u64::MAX))
}

/// Returns the share of `part` in `whole` as a percentage, or `-` if `whole` is 0.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "-".to_owned() } else { format!("{:.1} %", part as f64 * 100.0 / whole as f64) }
}

/// Returns the number with its unit: `1 ply`, `7 plies`.
pub(crate) fn plies(number: Plies) -> String {
    if number == 1 { "1 ply".to_owned() } else { format!("{number} plies") }
}

/// Returns the value in a sentence: `the police wins in 7 plies`.
pub(crate) fn value(value: Value, turn: Side) -> String {
    match (value.outcome(turn), value.dtw()) {
        (Outcome::Draw, _) | (_, None) => "a draw: neither side can force a win".to_owned(),
        (winner, Some(0)) => format!("the {winner} has won"),
        (winner, Some(dtw)) => format!("the {winner} wins in {}", plies(dtw)),
    }
}

/// Returns the end of a sentence about a draw under rules that count it as a win; empty under others.
pub(crate) fn counted_draw(undecided: Undecided) -> String {
    let winner = Outcome::Draw.counted(undecided).winner();
    winner.map_or_else(String::new, |side| format!(", which counts as a win of the {side}"))
}

/// Returns the distance, or `-` for a draw.
pub(crate) fn distance(value: Value) -> String {
    value.dtw().map_or_else(|| "-".to_owned(), |dtw| dtw.to_string())
}

/// Returns the edges of a table's board that are joined; none if a program gave the game.
pub(crate) fn wrap(table: &Table) -> Wrap {
    table.setting().map_or(Wrap::None, |setting| setting.rules.wrap)
}

/// Returns the cells of a side's pieces: `3,12`, `0,7+3,12`, on a graph the vertices `3+12`.
pub(crate) fn pieces(board: &Board, pieces: &Pieces) -> String {
    match board.graph() {
        Some(_) => pieces.iter().map(|cell| cell.col.to_string()).collect::<Vec<_>>().join("+"),
        None => pieces.to_string(),
    }
}

/// Returns the position in a phrase: `police 7,7, thief 0,3, police to move`, without the police if there are
/// no officers.
pub(crate) fn position(board: &Board, position: &Position) -> String {
    let (police, thief) = (pieces(board, &position.police), pieces(board, &position.thief.into()));
    let world = if position.world > 0 { format!("world {}, ", position.world) } else { String::new() };
    let police = if police.is_empty() { police } else { format!("police {police}, ") };
    format!("{world}{police}thief {thief}, {} to move", position.turn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needed_bytes_are_rounded_up() {
        for (number, expected) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.00 KiB"),
            (1025, "1.01 KiB"),
            ((1 << 20) - 1, "1.00 MiB"),
            ((1 << 20) + 1, "1.01 MiB"),
            (u64::MAX, "16.00 EiB"),
        ] {
            assert_eq!(needed_bytes(number), expected);
        }
    }
}
