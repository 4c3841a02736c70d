//! Where a page is, and what it may link to.

use std::path::{Path, PathBuf};

/// The surroundings of a page that it may link to.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The folder of the page, from which links lead to files; `None` if the paths of tables begin at the
    /// page.
    pub(crate) folder: Option<PathBuf>,
    /// The address of the application that shows the tables under their names, without a hash. Without it the
    /// page has commands that show them.
    pub(crate) application: Option<String>,
}

impl Place {
    /// Returns the place of a page in this folder, with no application beside it.
    pub(crate) fn alone(folder: &Path) -> Place {
        Place { folder: Some(folder.to_owned()), application: None }
    }
}
