//! Output of the program: standard output and error, numbers and boards for people, progress lines.

pub(crate) mod console;
pub(crate) mod human;
pub(crate) mod settings;
pub(crate) mod draw;
pub(crate) mod counted;
pub(crate) mod pieces;
mod progress_line;
pub(crate) mod progress;
