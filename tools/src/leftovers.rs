//! Files that processes which were killed have left behind.

use crate::{messages::Kind, output::progress};
use dragnet_generator::save::{self, Leftover, table_of};
use std::{
    fs,
    io::{self, ErrorKind},
    path::Path,
};
use tracing::info;

/// Says which of the leftovers could not be removed.
pub(crate) fn tell(found: impl IntoIterator<Item = Leftover>) {
    for Leftover { path, removed } in found {
        match removed {
            Ok(()) => info!(event = "removed", file = %path.display()),
            // Another process may have been quicker.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
            Err(error) => {
                let text = format!("cannot remove {}, which is left over: {error}", path.display());
                progress::say(Kind::Warning, &text);
            }
        }
    }
}

/// Removes from `folder` the temporary files that were to become files for whose paths `is_own` returns true,
/// and on which no process works. Says what cannot be looked at or removed; what is no folder has none.
pub(crate) fn remove(folder: &Path, is_own: impl Fn(&Path) -> bool) {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match save::remove_leftovers(folder, is_own) {
        Ok(found) => tell(found),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
        Err(error) => progress::say(Kind::Warning, &cannot_look(folder, &error)),
    }
}

/// Returns the message that a folder cannot be listed.
pub(crate) fn cannot_look(folder: &Path, error: &io::Error) -> String {
    format!("cannot look for what is left over in {}: {error}", folder.display())
}

/// Removes the temporary files beside the file `path`, which is to be written: its own, and those of tables.
pub(crate) fn remove_beside(path: &Path) {
    // The target of a link is replaced, not the link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let is_own = |path: &Path| path.file_name() == target.file_name() || table_of(path).is_some();
    remove(target.parent().unwrap_or(Path::new("")), is_own);
}
