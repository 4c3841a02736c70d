//! Messages for people on standard error: how they begin, their colours, and how many of them are shown.

use anstyle::{AnsiColor, Style};
use clap::{Args, ColorChoice};
use parking_lot::Mutex;
use std::{
    borrow::Cow,
    collections::BTreeSet,
    io::{IsTerminal, Write, stderr},
    sync::OnceLock,
};
use unicode_width::UnicodeWidthStr;

/// The kind of a message, which its first word tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The reason why a command, or one table of a run, failed.
    Error,
    /// A probable mistake of the user, or damage that costs nothing but time.
    Warning,
    /// Advice about the error or the warning before it.
    Hint,
    /// An event of the work that its user should know.
    Note,
    /// A table of a run that is done, or a plain line of progress. Has no first word.
    Step,
    /// An event of the work that only `--verbose` shows.
    Detail,
}

impl Kind {
    /// Returns the first word of the message with its style.
    fn label(self) -> Option<(&'static str, Style)> {
        let (word, colour) = match self {
            Kind::Error => ("error", AnsiColor::Red),
            Kind::Warning => ("warning", AnsiColor::Yellow),
            Kind::Hint => ("hint", AnsiColor::Cyan),
            Kind::Note | Kind::Detail => ("note", AnsiColor::Green),
            Kind::Step => return None,
        };
        Some((word, colour.on_default().bold()))
    }

    /// Returns whether `volume` lets the message through.
    fn is_shown(self, volume: Volume) -> bool {
        match self {
            Kind::Error | Kind::Warning | Kind::Hint => true,
            Kind::Note | Kind::Step => volume != Volume::Quiet,
            Kind::Detail => volume == Volume::Verbose,
        }
    }
}

/// How much the program says beside its results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Volume {
    /// Errors, warnings and hints.
    Quiet,
    /// Progress and notes too.
    Normal,
    /// Details too.
    Verbose,
}

/// The volume of the process, once its arguments have been read.
static VOLUME: OnceLock<Volume> = OnceLock::new();

fn volume() -> Volume {
    VOLUME.get().copied().unwrap_or(Volume::Normal)
}

/// The place of these arguments in a help text: behind a command's own.
const LAST: usize = 900;

/// The arguments about messages, which every command takes.
#[derive(Args)]
pub(crate) struct MessageArguments {
    /// Say nothing but errors and warnings beside the result: no progress, no notes
    #[arg(long, short, global = true, conflicts_with = "verbose", display_order = LAST)]
    quiet: bool,
    /// Say more: each table that is begun, resumed or found finished, and each checkpoint
    #[arg(long, short, global = true, display_order = LAST + 1)]
    verbose: bool,
    /// When to use colours; auto looks at the terminal, NO_COLOR and CLICOLOR_FORCE
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", display_order = LAST + 2)]
    color: ColorChoice,
}

impl MessageArguments {
    /// Makes the arguments hold for the whole process.
    pub(crate) fn apply(&self) {
        let volume = match (self.quiet, self.verbose) {
            (true, _) => Volume::Quiet,
            (_, true) => Volume::Verbose,
            _ => Volume::Normal,
        };
        VOLUME.get_or_init(|| volume);
        match self.color {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// Returns whether the user wants neither progress nor notes.
pub(crate) fn is_quiet() -> bool {
    volume() == Volume::Quiet
}

/// Prints a message on standard error, as one line, which is broken where the terminal ends. Ignores a
/// failure to do so: there is no other place to report it.
pub(crate) fn say(kind: Kind, text: &str) {
    if !kind.is_shown(volume()) {
        return;
    }
    let label = match kind.label() {
        Some((word, style)) => format!("{style}{word}:{style:#} "),
        None => String::new(),
    };
    let first = kind.label().map_or(0, |(word, _)| word.len() + ": ".len());
    let text = wrapped(&printable(text), first, columns(&stderr()));
    let _ = anstream::stderr().write_all(format!("{label}{text}\n").as_bytes());
}

/// Prints a message as [`say`] does, unless it has been printed before: what is read several times may be
/// doubtful each time.
pub(crate) fn say_once(kind: Kind, text: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let is_new = SAID.lock().insert(text.to_owned());
    if is_new {
        say(kind, text);
    }
}

/// Columns of a terminal that does not tell how many it has.
const COLUMNS: usize = 80;

/// Returns the columns of an output: of a terminal as many as it has, of anything else all that there are.
pub(crate) fn columns(output: &impl IsTerminal) -> usize {
    match output.is_terminal() {
        true => terminal_size::terminal_size().map_or(COLUMNS, |(width, _)| width.0.into()),
        false => usize::MAX,
    }
}

/// Returns the text with line breaks in the place of spaces, so that no line is longer than `columns` unless
/// a word is. On the first line `first` columns are taken already.
pub(crate) fn wrapped(text: &str, first: usize, columns: usize) -> String {
    let mut lines = String::with_capacity(text.len());
    let mut used = first;
    for (number, word) in text.split(' ').enumerate() {
        let width = word.width();
        if number > 0 && used + 1 + width > columns {
            lines.push('\n');
            used = 0;
        } else if number > 0 {
            lines.push(' ');
            used += 1;
        }
        lines += word;
        used += width;
    }
    lines
}

/// Returns the text in one line that a terminal shows and does not obey: control characters, line breaks
/// among them, and characters that turn the direction of writing are escaped, as in `\u{1b}`.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_printable) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::new();
    for character in text.chars() {
        if is_printable(character) {
            escaped.push(character);
        } else {
            escaped.extend(character.escape_default());
        }
    }
    Cow::Owned(escaped)
}

/// Returns whether a terminal shows the character as it is, at its place.
pub(crate) fn is_printable(character: char) -> bool {
    // Marks, embeddings and isolates of the two directions of writing, and the line and paragraph separators.
    let turns =
        matches!(character, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !character.is_control() && !turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_a_terminal_would_obey_is_escaped() {
        assert_eq!(printable("ünïcode – 3×3.txt"), "ünïcode – 3×3.txt");
        assert_eq!(printable("\u{1b}[31mred\nline\u{202e}"), "\\u{1b}[31mred\\nline\\u{202e}");
    }

    #[test]
    fn long_messages_break_between_words() {
        let text = "the board has no exit, so the thief cannot win";
        assert_eq!(wrapped(text, 9, 30), "the board has no\nexit, so the thief cannot win");
        assert_eq!(wrapped(text, 9, usize::MAX), text);
        assert_eq!(wrapped("/a/very/long/path is in the way", 0, 10), "/a/very/long/path\nis in the\nway");
    }

    #[test]
    fn errors_are_shown_at_every_volume_and_details_only_at_the_greatest() {
        for kind in [Kind::Error, Kind::Warning, Kind::Hint] {
            assert!(kind.is_shown(Volume::Quiet), "{kind:?}");
        }
        assert!(!Kind::Note.is_shown(Volume::Quiet) && Kind::Note.is_shown(Volume::Normal));
        assert!(!Kind::Detail.is_shown(Volume::Normal) && Kind::Detail.is_shown(Volume::Verbose));
    }
}
