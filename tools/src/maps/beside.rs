//! Files to which a map refers.

use super::limits::MOST_BYTES;
use crate::failure::Failure;
use dragnet_formats::plain_text;
use dragnet_generator::save::require_file;
use std::{
    borrow::Cow,
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

/// A function that reads the file with this name, as a map writes it.
pub(crate) type ReadBeside<'a> = dyn Fn(&str) -> Result<Vec<u8>, Failure> + 'a;

/// Returns the text of the file with this name. No message shows a part of it if it does not contain one of
/// `signs`, which every file of its kind does: a map may name any file.
///
/// # Errors
/// When the file cannot be read, or it is another file.
pub(super) fn text(beside: &ReadBeside, name: &str, kind: &str, signs: &[&str]) -> Result<String, Failure> {
    let bytes = beside(name)?;
    let text = decoded(&bytes).ok().filter(|text| signs.iter().any(|sign| text.contains(sign)));
    Ok(text.ok_or_else(|| Failure::input(format!("expected {kind}, found another file")))?.into_owned())
}

/// Returns the text of a map, or of a file that belongs to it.
///
/// # Errors
/// When it is in no encoding that is read.
pub(super) fn decoded(bytes: &[u8]) -> Result<Cow<'_, str>, Failure> {
    plain_text::decode(bytes).map_err(|error| Failure::Input(error.into()))
}

/// Reads a whole file that belongs to a map.
pub(crate) fn read_whole(path: &Path) -> Result<Vec<u8>, Failure> {
    let cannot = |error| Failure::from(error).about(format!("cannot read {}", path.display()));
    let mut bytes = Vec::new();
    File::open(path).map_err(cannot)?.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(cannot)?;
    check_length(&bytes).map_err(|failure| failure.in_file(path))?;
    Ok(bytes)
}

/// Returns an error if a map, or a file that belongs to it, is too long.
pub(crate) fn check_length(bytes: &[u8]) -> Result<(), Failure> {
    if bytes.len() as u64 <= MOST_BYTES {
        return Ok(());
    }
    Err(Failure::input(format!("expected a map of at most {} MiB, found a longer one", MOST_BYTES >> 20)))
}

/// Reads a file whose name a map in `folder` writes, as on Windows or as elsewhere. A name that begins with
/// `res://` begins at the folder of the Godot project.
pub(super) fn read_in(folder: &Path, name: &str) -> Result<Vec<u8>, Failure> {
    let path = |name: &str| match name.strip_prefix("res://") {
        Some(name) => project_of(folder).join(name),
        None => folder.join(name),
    };
    let path =
        Some(path(name)).filter(|path| path.exists()).unwrap_or_else(|| path(&name.replace('\\', "/")));
    if path.exists() {
        require_file(&path)
            .map_err(|_| Failure::input("expected a file, found something else").in_file(&path))?;
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
