//! The reasons why a file is no map that can become a board, and the words of such messages.

use std::{borrow::Cow, fmt::Display, io};

/// The reason why a file is no map that can become a board. The message is one line; within a map it begins
/// with the line and column, or with the part of the map that it is about.
#[derive(Debug, thiserror::Error)]
pub enum MapError {
    /// The map, or another file that it names, cannot be used.
    #[error("{message}")]
    Unusable {
        /// The reason: what was expected and what was found.
        message: String,
        /// Advice, where there is some.
        hint: Option<&'static str>,
    },
    /// A file cannot be read.
    #[error("{message}")]
    Unreadable {
        /// The name of the file, and the part of the map that names it.
        message: String,
        /// The reason that the system gives.
        source: io::Error,
    },
}

impl MapError {
    /// Returns the error of a map that cannot be used.
    pub(crate) fn unusable(message: impl Display) -> MapError {
        MapError::Unusable { message: message.to_string(), hint: None }
    }

    /// Returns the error with advice.
    pub(crate) fn with_hint(self, advice: &'static str) -> MapError {
        match self {
            MapError::Unusable { message, .. } => MapError::Unusable { message, hint: Some(advice) },
            unreadable @ MapError::Unreadable { .. } => unreadable,
        }
    }

    /// Returns the error with `part` of the map before its message.
    pub(crate) fn about(self, part: impl Display) -> MapError {
        self.with_message(|message| format!("{part}: {message}"))
    }

    /// Returns the error with a message of at most some lines: names in a file, and texts that libraries
    /// return, may have any length.
    pub(crate) fn within_a_screen(self) -> MapError {
        self.with_message(|message| within_a_screen(&message).into_owned())
    }

    fn with_message(self, changed: impl FnOnce(String) -> String) -> MapError {
        match self {
            MapError::Unusable { message, hint } => MapError::Unusable { message: changed(message), hint },
            MapError::Unreadable { message, source } => {
                MapError::Unreadable { message: changed(message), source }
            }
        }
    }
}

/// The most characters of a message that are shown from its beginning; from its end it is a quarter of that.
const SHOWN_OF_MESSAGE: usize = 800;

/// Returns a message that may hold a long name with its middle left out, so that it fits on a screen.
#[must_use]
pub fn within_a_screen(message: &str) -> Cow<'_, str> {
    let Some((head, _)) = message.char_indices().nth(SHOWN_OF_MESSAGE) else { return Cow::Borrowed(message) };
    let tail =
        message.char_indices().rev().nth(SHOWN_OF_MESSAGE / 4).map_or(head, |(tail, _)| tail.max(head));
    Cow::Owned(format!("{} … {}", &message[..head], &message[tail..]))
}

/// Returns the error at a line and column, both from 1.
pub(crate) fn fault((line, column): (usize, usize), message: impl Display) -> MapError {
    MapError::unusable(format!("line {line}, column {column}: {message}"))
}

/// The most characters of a text that a message shows.
const SHOWN: usize = 40;

/// Returns a name of a map for a message, cut short.
pub(crate) fn shortened(name: &str) -> String {
    let name = name.replace(char::is_control, " ");
    match name.char_indices().nth(SHOWN) {
        None => name,
        Some((at, _)) => format!("{}…", &name[..at]),
    }
}

/// Returns a text in quotes, cut short.
pub(crate) fn quoted(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        None => format!("{text:?}"),
        Some((at, _)) => format!("{:?} and more", &text[..at]),
    }
}

/// Returns a number with its digits in groups: 21,164,018.
pub(crate) fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Returns a number of things: `1 cell`, `1,024 cells`.
pub(crate) fn counted(number: usize, one: &str, several: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { several })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_is_cut_to_a_screen() {
        let long = MapError::unusable("ä".repeat(1 << 20) + "b").about("layer").within_a_screen();
        let text = long.to_string();
        assert!(text.chars().count() < 1100 && text.starts_with("layer: ää"), "{}", text.len());
        assert!(text.ends_with("ääb"));
        assert_eq!(within_a_screen("short"), "short");
    }

    #[test]
    fn long_names_are_cut_short() {
        assert_eq!(shortened("a\nb"), "a b");
        assert_eq!(shortened(&"é\n".repeat(50)).chars().count(), SHOWN + 1);
    }

    #[test]
    fn digits_are_in_groups_of_three() {
        let counts = [0, 999, 1000, 21_164_018].map(count);
        assert_eq!(counts, ["0", "999", "1,000", "21,164,018"]);
    }
}
