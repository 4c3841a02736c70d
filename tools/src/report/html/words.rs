//! Numbers and moments as the page writes them.

use crate::output::human;
use maud::{Markup, html};

pub(super) fn bits(number: f64) -> String {
    format!("{number:.2} bits")
}

pub(super) fn seconds(number: f64) -> String {
    if number < 100.0 {
        format!("{number:.2} s")
    } else {
        format!("{} s", human::count(number.round() as u64))
    }
}

/// Returns a moment in the form of RFC 3339 to the minute: `2026-11-22 18:04 UTC`.
pub(super) fn moment(at: &str) -> String {
    match at.parse::<jiff::Timestamp>() {
        Ok(at) => at.strftime("%Y-%m-%d %H:%M UTC").to_string(),
        Err(_) => at.to_owned(),
    }
}

/// Returns rules that give each cell of a table of class `table` the title of its column, for a page so
/// narrow that the titles do not stand above them.
pub(super) fn labels<'a>(table: &str, titles: impl Iterator<Item = &'a str>) -> String {
    let rule =
        |(number, title)| format!(".{table} tr>:nth-child({})::before{{content:\"{title}\"}}", number + 1);
    titles.enumerate().map(rule).collect()
}

/// Returns a word in the colours of a status.
pub(super) fn badge(class: &str, word: &str) -> Markup {
    html! { span class={ "status " (class) } { (word) } }
}
