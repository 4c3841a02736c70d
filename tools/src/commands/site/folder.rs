//! The folder of a site.

use crate::{failure::Failure, leftovers};
use dragnet_generator::save::{save, save_link};
use std::{
    cell::RefCell,
    collections::HashSet,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// The list of what a site shows; a folder that has it is a site.
pub(super) const CATALOGUE: &str = "catalogue.json";

/// A folder that is a site, or becomes one.
pub(super) struct Folder {
    path: PathBuf,
    /// The folders in it from which leftovers have been removed.
    tidied: RefCell<HashSet<PathBuf>>,
}

impl Folder {
    /// Returns the folder at `path`, which is made when something is written there.
    ///
    /// # Errors
    /// When there is something else than a site or an empty folder.
    pub(super) fn new(path: &Path) -> Result<Folder, Failure> {
        let cannot = |error: io::Error| Failure::cannot("read", path, error);
        // What the first run has left that was killed before the folder was a site.
        leftovers::remove(path, |path| path.ends_with(CATALOGUE));
        match fs::read_dir(path) {
            Ok(mut entries) => {
                if entries.next().transpose().map_err(cannot)?.is_some() && !is_site(path) {
                    let message = "expected an empty folder or one that 'dragnet site' has made, found one with other things";
                    return Err(Failure::input(message).in_file(path));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(Failure::input("expected a folder, found a file").in_file(path));
            }
            Err(error) => return Err(cannot(error)),
        }
        Ok(Folder { path: path.to_owned(), tidied: RefCell::default() })
    }

    /// Returns the path of the file called `name`, which is to be written. Nobody but the site has files in
    /// its folder, so every temporary file there is a leftover.
    fn to_write(&self, name: &str) -> PathBuf {
        let path = self.path.join(name);
        let folder = path.parent().unwrap_or(&self.path);
        if self.tidied.borrow_mut().insert(folder.to_owned()) {
            leftovers::remove(folder, |_| true);
        }
        path
    }

    /// Makes an empty folder a site, so that a run that is killed does not keep the next one from going on.
    pub(super) fn begin(&self, empty: &[u8]) -> Result<(), Failure> {
        if is_site(&self.path) { Ok(()) } else { self.write(CATALOGUE, empty).map(drop) }
    }

    /// Writes the file called `name`, which is there only when it is complete. Returns its length.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> Result<u64, Failure> {
        let path = self.to_write(name);
        // Only the catalogue waits for the disk: without it the folder is no site.
        save(&path, name == CATALOGUE, |mut file| -> io::Result<_> {
            file.write_all(bytes)?;
            Ok((file, bytes.len() as u64))
        })
        .map_err(|error| cannot_write(error, &path))
    }

    /// Brings the file `from` into the folder under the name `name`, as a second name of the file if `link`
    /// is set and the disk allows, else as a copy. Returns its length.
    pub(super) fn bring(&self, from: &Path, name: &str, link: bool) -> Result<u64, Failure> {
        let path = self.to_write(name);
        let cannot_read = |error: io::Error| Failure::cannot("read", from, error);
        let source = fs::canonicalize(from).map_err(cannot_read)?;
        let mut file = File::open(&source).map_err(cannot_read)?;
        let length = file.metadata().map_err(cannot_read)?.len();
        if fs::canonicalize(&path).is_ok_and(|path| path == source) {
            return Ok(length);
        }
        if link && save_link(&source, &path).is_ok() {
            return Ok(length);
        }
        save(&path, false, |mut copy| -> io::Result<_> {
            let length = io::copy(&mut file, &mut copy)?;
            Ok((copy, length))
        })
        .map_err(|error| cannot_write(error, &path))
    }
}

/// Returns whether a folder has the catalogue of a site.
fn is_site(path: &Path) -> bool {
    let catalogue = fs::read(path.join(CATALOGUE)).unwrap_or_default();
    let catalogue: serde_json::Value = serde_json::from_slice(&catalogue).unwrap_or_default();
    catalogue["home"] == "site" && catalogue["items"].is_array()
}

fn cannot_write(error: io::Error, path: &Path) -> Failure {
    Failure::cannot("write", path, error)
}

/// Returns the path that an address of the catalogue stands for.
pub(super) fn decoded(url: &str) -> String {
    let mut bytes = Vec::with_capacity(url.len());
    let mut rest = url.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if first == b'%' => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::encoded;

    #[test]
    fn addresses_name_the_files_that_they_were_made_of() {
        for name in ["yard", "a/b c", "100% #1?: <ö>", "%41", "x%"] {
            assert_eq!(decoded(&encoded(name)), name);
        }
    }
}
