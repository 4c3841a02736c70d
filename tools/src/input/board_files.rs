//! The files that a section of a manifest names, and the levels in them.

use crate::{
    failure::Failure,
    input::{boards, tables::files_below},
};
use dragnet_generator::save::require_file;
use dragnet_maps::{MapError, MapForm, MapReading, MapSelectors, has_ending, read_whole};
use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

/// Returns the files which match a pattern, relative to a folder.
type FindFiles = dyn Fn(&Path, &str) -> Result<Vec<PathBuf>, Failure>;
/// Returns the boards of a map that has levels, each with the name of its level, or `None` of any other file.
type FindLevels = dyn Fn(&Path, &MapSelectors) -> Result<Option<Vec<(String, MapReading)>>, Failure>;

/// The ways in which a manifest finds its boards.
pub(crate) struct Lookup<'a> {
    pub(crate) files: &'a FindFiles,
    pub(crate) levels: &'a FindLevels,
}

impl Lookup<'_> {
    /// Returns the lookup in the files of the system.
    pub(crate) fn on_disk() -> Lookup<'static> {
        Lookup { files: &files, levels: &levels }
    }
}

/// Returns the boards of a map that has levels, of which the selectors may name one.
fn levels(path: &Path, selectors: &MapSelectors) -> Result<Option<Vec<(String, MapReading)>>, Failure> {
    if !has_ending(path) || require_file(path).is_err() {
        return Ok(None);
    }
    boards::of_levels(path, &read_whole(path)?, selectors)
}

/// Returns the boards in a folder and in the folders within it, in the order of their paths. Pictures count
/// only if there are no other maps of editors, which have their tiles in pictures.
pub(crate) fn boards_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = files_below(folder)?;
    files.retain(|path| is_board(path));
    let ends_in = |path: &Path, endings: &[&str]| {
        path.extension().is_some_and(|ending| endings.iter().any(|known| ending.eq_ignore_ascii_case(known)))
    };
    if files.iter().any(|path| ends_in(path, &["tmx", "tmj", "json", "ldtk", "tscn"])) {
        files.retain(|path| !ends_in(path, &["png"]));
    }
    Ok(files)
}

/// Returns whether a file in a folder of boards is one. JSON and scenes are read for it: there are others.
/// A file that cannot be read counts, so that the user hears of it.
fn is_board(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let holds = |is_map: &dyn Fn(&[u8]) -> bool| match read_whole(path) {
        Ok(bytes) => is_map(&bytes),
        Err(error) => matches!(error, MapError::Unreadable { .. }),
    };
    match ending.as_deref() {
        Some("txt" | "map") => true,
        Some("tscn") => holds(&|bytes| {
            let parts: [&[u8]; 2] = [b"tile_map_data", b"/tile_data"];
            parts.iter().any(|part| bytes.windows(part.len()).any(|bytes| bytes == *part))
        }),
        Some("json") => holds(&|bytes| MapForm::of(path, bytes).is_ok()),
        _ => has_ending(path),
    }
}

/// Returns the files which match a pattern, or the boards in the folder that it names, in the order of their
/// names.
fn files(folder: &Path, pattern: &str) -> Result<Vec<PathBuf>, Failure> {
    let whole = folder.join(pattern);
    let text = whole.to_str().ok_or_else(|| Failure::input("expected a folder name in UTF-8"))?;
    let paths = glob::glob(text).map_err(|error| {
        Failure::input(format!("{pattern:?}: character {}: {}", error.pos + 1, error.msg))
    })?;
    if whole.is_dir() {
        let boards = boards_in(&whole)?;
        return match boards.is_empty() {
            true => Err(Failure::input(format!(
                "expected a folder with boards or maps, found none in {pattern:?}"
            ))),
            false => Ok(boards),
        };
    }
    let mut files = Vec::new();
    for path in paths {
        let path = path.map_err(|error| {
            let path = error.path().display().to_string();
            Failure::from(std::io::Error::from(error)).about(format!("cannot read {path}"))
        })?;
        if !path.is_dir() {
            files.push(path);
        }
    }
    if files.is_empty() {
        // A file at which the system does not let anybody look is not found either.
        return Err(match fs::symlink_metadata(&whole) {
            Err(error) if error.kind() != ErrorKind::NotFound && glob::Pattern::escape(text) == text => {
                Failure::cannot("read", &whole, error)
            }
            _ => Failure::input(format!("expected a file, found none by {pattern:?}")),
        });
    }
    Ok(files)
}
