//! The terminal: its size, its colours, and lines that fit.

use super::human;
use crate::messages::wrapped;
use anstream::{AutoStream, ColorChoice};
use std::{
    env,
    fmt::{self, Write as _},
    io::stdout,
};

/// The colours that the output may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colours {
    /// No colours at all.
    Plain,
    /// The 256 colours of xterm.
    Palette,
    /// Red, green and blue, a byte each.
    True,
}

impl Colours {
    /// Returns the colours of standard output, as `--color` and the environment say.
    pub(crate) fn of_output() -> Colours {
        let variable = |name| env::var(name).unwrap_or_default();
        let (term, more) = (variable("TERM"), variable("COLORTERM"));
        let known = match more.as_str() {
            "truecolor" | "24bit" => Some(Colours::True),
            _ if term.ends_with("-direct") => Some(Colours::True),
            _ if term.contains("256color") => Some(Colours::Palette),
            _ => None,
        };
        match (ColorChoice::global(), AutoStream::choice(&stdout())) {
            (_, ColorChoice::Never) => Colours::Plain,
            (ColorChoice::Auto, _) => known.unwrap_or(Colours::Plain),
            _ => known.unwrap_or(Colours::Palette),
        }
    }

    /// Returns the escape sequence for the colour of the letters.
    pub(crate) fn ink(self, rgb: [u8; 3]) -> String {
        self.sequence(38, rgb)
    }

    /// Returns the escape sequence for the colour behind the letters.
    pub(crate) fn paper(self, rgb: [u8; 3]) -> String {
        self.sequence(48, rgb)
    }

    /// Returns the escape sequence that ends all colours.
    pub(crate) fn end(self) -> &'static str {
        if self == Colours::Plain { "" } else { "\x1b[0m" }
    }

    fn sequence(self, layer: u8, [red, green, blue]: [u8; 3]) -> String {
        let mut text = String::new();
        let _: fmt::Result = match self {
            Colours::Plain => Ok(()),
            Colours::Palette => write!(text, "\x1b[{layer};5;{}m", nearest([red, green, blue])),
            Colours::True => write!(text, "\x1b[{layer};2;{red};{green};{blue}m"),
        };
        text
    }
}

/// Returns the nearest of the 256 colours of xterm, which are a cube of 6x6x6 and 24 greys; the first 16 are
/// left out, since users choose these.
fn nearest(rgb: [u8; 3]) -> u8 {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let distance = |other: [u8; 3]| -> u32 {
        rgb.iter().zip(other).map(|(&a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
    };
    let level = rgb.map(|part| (0..6u8).min_by_key(|&i| part.abs_diff(LEVELS[usize::from(i)])).unwrap_or(0));
    let cube = level.map(|i| LEVELS[usize::from(i)]);
    let grey = (0..24u8).min_by_key(|&i| distance([8 + 10 * i; 3])).unwrap_or(0);
    if distance([8 + 10 * grey; 3]) < distance(cube) {
        232 + grey
    } else {
        16 + 36 * level[0] + 6 * level[1] + level[2]
    }
}

/// Returns the columns and rows of the terminal on standard output, if it is one.
pub(crate) fn size() -> Option<(usize, usize)> {
    let (width, height) = terminal_size::terminal_size_of(stdout())?;
    Some((usize::from(width.0), usize::from(height.0)))
}

/// A piece of a line that must not be broken: its text, perhaps with colours, and its columns.
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) columns: usize,
}

impl Piece {
    /// Returns the piece of a text without colours.
    pub(crate) fn plain(text: impl Into<String>) -> Piece {
        let text = text.into();
        Piece { columns: human::width(&text), text }
    }
}

/// Returns the pieces in lines of at most `columns` columns, `gap` spaces between two on a line.
pub(crate) fn lines(pieces: &[Piece], columns: usize, gap: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut taken = 0;
    for piece in pieces {
        match lines.last_mut() {
            Some(line) if taken + gap + piece.columns <= columns => {
                line.push_str(&" ".repeat(gap));
                line.push_str(&piece.text);
                taken += gap + piece.columns;
            }
            _ => {
                lines.push(piece.text.clone());
                taken = piece.columns;
            }
        }
    }
    lines
}

/// Returns a sentence in lines of at most `columns` columns, broken between words.
pub(crate) fn sentence(text: &str, columns: usize) -> Vec<String> {
    wrapped(text, 0, columns).split('\n').map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_of_the_palette_are_their_own_nearest() {
        assert_eq!(nearest([0, 0, 0]), 16);
        assert_eq!(nearest([255, 255, 255]), 231);
        assert_eq!(nearest([255, 135, 0]), 208);
        assert_eq!(nearest([8, 8, 8]), 232);
        assert_eq!(nearest([118, 118, 118]), 243);
    }

    #[test]
    fn no_line_is_wider_than_asked_unless_a_word_is() {
        let text = "police 7,1, thief 5,10, police to move: the thief wins in 12 plies";
        for columns in 7..100 {
            let lines = sentence(text, columns);
            assert!(lines.iter().all(|line| line.len() <= columns), "{columns}: {lines:?}");
            assert_eq!(lines.join(" "), text);
        }
    }
}
