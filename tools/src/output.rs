//! Output of the program: standard output and error, the terminal, numbers and boards for people, and
//! progress lines.

pub(crate) mod console;
pub(crate) mod json;
pub(crate) mod human;
pub(crate) mod settings;
pub(crate) mod terminal;
pub(crate) mod draw;
pub(crate) mod counted;
pub(crate) mod long_text;
mod progress_line;
pub(crate) mod progress;
