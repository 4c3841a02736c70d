//! Other files that a map names.

use super::limits::MOST_BYTES;
use crate::error::MapError;
use dragnet_formats::plain_text;
use std::{
    borrow::Cow,
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

/// A function that reads the file with this name, as a map writes it.
pub type ReadFile<'a> = dyn Fn(&str) -> Result<Vec<u8>, MapError> + 'a;

/// Returns the text of the file with this name. No message shows a part of it if it does not contain one of
/// `signs`, which every file of its kind does: a map may name any file.
///
/// # Errors
/// When the file cannot be read, or it is another file.
pub(super) fn text(read_file: &ReadFile, name: &str, kind: &str, signs: &[&str]) -> Result<String, MapError> {
    let bytes = read_file(name)?;
    let text = decoded(&bytes).ok().filter(|text| signs.iter().any(|sign| text.contains(sign)));
    Ok(text.ok_or_else(|| MapError::unusable(format!("expected {kind}, found another file")))?.into_owned())
}

/// Returns the text of a map, or of a file that belongs to it.
///
/// # Errors
/// When it is in no encoding that is read.
pub(super) fn decoded(bytes: &[u8]) -> Result<Cow<'_, str>, MapError> {
    plain_text::decode(bytes).map_err(MapError::unusable)
}

/// Reads a whole map, or a file that belongs to one.
///
/// # Errors
/// When the file cannot be read or is too long for a map.
pub fn read_whole(path: &Path) -> Result<Vec<u8>, MapError> {
    let cannot = |source| MapError::Unreadable { message: format!("cannot read {}", path.display()), source };
    let mut bytes = Vec::new();
    File::open(path).map_err(cannot)?.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(cannot)?;
    check_length(&bytes).map_err(|error| error.about(path.display()))?;
    Ok(bytes)
}

/// Returns an error if a map, or a file that belongs to it, is too long.
pub(super) fn check_length(bytes: &[u8]) -> Result<(), MapError> {
    if bytes.len() as u64 <= MOST_BYTES {
        return Ok(());
    }
    Err(MapError::unusable(format!("expected a map of at most {} MiB, found a longer one", MOST_BYTES >> 20)))
}

/// Reads a file whose name a map in `folder` writes, as on Windows or as elsewhere. A name that begins with
/// `res://` begins at the folder of the Godot project.
pub(super) fn read_in(folder: &Path, name: &str) -> Result<Vec<u8>, MapError> {
    let path = |name: &str| match name.strip_prefix("res://") {
        Some(name) => project_of(folder).join(name),
        None => folder.join(name),
    };
    let path =
        Some(path(name)).filter(|path| path.exists()).unwrap_or_else(|| path(&name.replace('\\', "/")));
    // To open a pipe would wait for its other end.
    if path.exists() && !path.is_file() {
        return Err(MapError::unusable("expected a file, found something else").about(path.display()));
    }
    read_whole(&path)
}

/// Returns the nearest folder, from `folder` upwards, that holds a Godot project; `folder` itself if none
/// does.
fn project_of(folder: &Path) -> PathBuf {
    let whole = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let found = whole.ancestors().find(|folder| folder.join("project.godot").is_file());
    found.map_or_else(|| folder.to_owned(), Path::to_owned)
}
