//! Tables that are mapped into memory: the only `unsafe` code of the program.
//!
//! A mapped table must not be written to or cut short while it is open; else it may answer wrongly, or the
//! system may end the process. The program cannot see to that, so it maps a table only where the user asks
//! for it: with `--mapped`, and in `bench --table`, whose help texts state the condition.
#![allow(unsafe_code)]

use dragnet_probe::Open;
use std::path::Path;

/// Returns the table in a file, to be opened as a memory map.
pub(crate) fn table(path: &Path) -> Open {
    // SAFETY: the user has promised that nobody writes to the file or cuts it short; see above.
    unsafe { Open::mapped(path) }
}
