//! Where the file of a solve's logs is: beside the table, or in a scratch folder that the tables of many
//! folders may share.

use crate::{
    budget::Budget,
    save::{self, folder_of},
};
use std::{
    ffi::{OsStr, OsString},
    fs, io,
    path::{self, Path, PathBuf},
    sync::Arc,
};
use xxhash_rust::xxh3::xxh3_64;

/// Room for the words of a solve's sets: what the budget leaves them of memory, and a folder for the file of
/// the others.
#[derive(Clone, Debug)]
pub(crate) struct SetRoom {
    pub(crate) budget: Arc<Budget>,
    /// The folder of the file, which has no name there.
    pub(crate) folder: PathBuf,
}

/// Hexadecimal digits in the name of a log in a scratch folder. With them the name is no longer than those
/// for which [`save::LONGEST_SUFFIX`] leaves room.
const DIGITS: usize = 12;

/// Returns the absolute path of a folder without links in it, as far as the system tells.
fn real_folder(folder: &Path) -> PathBuf {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let real = fs::canonicalize(folder).or_else(|_| path::absolute(folder));
    real.unwrap_or_else(|_| folder.to_owned())
}

/// Returns whether logs in the folder `scratch` are beside the table, as without a scratch folder.
fn is_beside(table: &Path, scratch: &Path) -> bool {
    real_folder(folder_of(table)) == real_folder(scratch)
}

fn log_name(table: &OsStr, mark: &str) -> OsString {
    let mut name = OsString::from(".");
    name.push(table);
    name.push(mark);
    name.push(".log");
    name
}

/// Returns the file of the logs of the solve for `table`: `.NAME.dtb.log` beside it. In a folder `scratch`
/// the name has a hash of the table's folder too, so that tables of one name do not meet there.
pub(super) fn log_path(table: &Path, scratch: Option<&Path>) -> PathBuf {
    let name = table.file_name().unwrap_or_default();
    match scratch.filter(|scratch| !is_beside(table, scratch)) {
        None => table.with_file_name(log_name(name, "")),
        Some(scratch) => {
            let hash = xxh3_64(real_folder(folder_of(table)).as_os_str().as_encoded_bytes());
            scratch.join(log_name(name, &format!("-{:0DIGITS$x}", hash >> (64 - 4 * DIGITS))))
        }
    }
}

/// Returns the name of a file of logs or of encoded blocks without its suffix.
fn stem(name: &str) -> Option<&str> {
    name.strip_suffix(".log").or(name.strip_suffix(".blocks"))
}

/// Returns the table whose logs or encoded blocks a file of this name has beside it, in a name without the
/// dot before it.
pub(super) fn table_of_log(name: &str) -> Option<&str> {
    let table = stem(name)?;
    (table.len() > save::TABLE.len() && table.ends_with(save::TABLE)).then_some(table)
}

/// Returns the tables in `folder` whose logs or encoded blocks are in the folder `scratch`, in the order of
/// their names.
///
/// # Errors
/// When the scratch folder cannot be read.
pub(super) fn tables_with_scratch(folder: &Path, scratch: &Path) -> io::Result<Vec<PathBuf>> {
    let mut tables = Vec::new();
    for entry in fs::read_dir(scratch)? {
        let name = entry?.file_name();
        let table = name.to_str().and_then(|text| {
            let (table, _) = stem(text.strip_prefix('.')?)?.rsplit_once('-')?;
            Some(folder.join(table))
        });
        let of_file = Path::new(&name).file_stem();
        tables.extend(table.filter(|table| log_path(table, Some(scratch)).file_stem() == of_file));
    }
    tables.sort();
    tables.dedup();
    Ok(tables)
}

/// Creates the folder `scratch` if need be, and checks that files can be written there.
///
/// # Errors
/// When there is something else of this name, the folder cannot be created, or it is not to be written to.
pub fn prepare_scratch(scratch: &Path) -> io::Result<()> {
    if scratch.exists() && !scratch.is_dir() {
        return Err(io::Error::new(io::ErrorKind::NotADirectory, "expected a folder, found something else"));
    }
    fs::create_dir_all(scratch)?;
    // The file has no name and is gone at once.
    tempfile::tempfile_in(scratch).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_in_a_scratch_folder_have_names_of_their_own_that_are_found_again() {
        let root = tempfile::tempdir().unwrap();
        let [one, other, scratch] = ["one", "other", "scratch"].map(|name| root.path().join(name));
        for folder in [&one, &other, &scratch] {
            fs::create_dir(folder).unwrap();
        }
        let longest = format!("{}.dtb", "n".repeat(255 - ".dtb".len() - save::LONGEST_SUFFIX));
        for name in ["a.dtb", "a-b.dtb", longest.as_str()] {
            let table = one.join(name);
            assert_eq!(log_path(&table, None), one.join(format!(".{name}.log")));
            assert_eq!(log_path(&table, Some(&one)), log_path(&table, None));
            let log = log_path(&table, Some(&scratch));
            assert_eq!(log.parent(), Some(&*scratch));
            assert_eq!(log, log_path(&one.join("../one").join(name), Some(&scratch)));
            assert_ne!(log, log_path(&other.join(name), Some(&scratch)));
            fs::write(&log, "").unwrap();
        }
        for name in [".a.dtb.log", ".a.dtb-0123456789ab.log", "a.log", ".log", ".-.log"] {
            fs::write(scratch.join(name), "").unwrap();
        }
        let found = tables_with_scratch(&one, &scratch).unwrap();
        assert_eq!(found, ["a-b.dtb", "a.dtb", &longest].map(|name| one.join(name)));
        assert!(tables_with_scratch(&other, &scratch).unwrap().is_empty());
        assert!(tables_with_scratch(&one, &root.path().join("none")).is_err());
    }

    #[test]
    fn a_scratch_folder_is_created_and_a_file_of_its_name_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let scratch = root.path().join("deep/scratch");
        prepare_scratch(&scratch).unwrap();
        prepare_scratch(&scratch).unwrap();
        assert_eq!(fs::read_dir(&scratch).unwrap().count(), 0);
        let file = root.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(prepare_scratch(&file).is_err());
        assert!(prepare_scratch(&file.join("below")).is_err());
    }
}
