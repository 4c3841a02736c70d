//! Links from the page to the files of tables.

use crate::link::encoded;
use std::{
    fs,
    path::{Component, Path, PathBuf},
};

/// Returns the address of the file called `path` relative to a page in `folder`; `None` if no link leads
/// there: the file is on another drive, or its name is no Unicode.
pub(super) fn href(path: &str, folder: &Path) -> Option<String> {
    if path.contains(char::REPLACEMENT_CHARACTER) {
        return None;
    }
    let file = Path::new(path);
    let around = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (to, from) = (resolved(around)?.join(file.file_name()?), resolved(folder)?);
    let (to, from): (Vec<Component>, Vec<Component>) =
        (to.components().collect(), from.components().collect());
    let common = to.iter().zip(&from).take_while(|(one, other)| one == other).count();
    if common == 0 {
        return None;
    }
    let mut steps = vec!["..".to_owned(); from.len() - common];
    for component in &to[common..] {
        steps.push(encoded(component.as_os_str().to_str()?));
    }
    Some(steps.join("/"))
}

/// Returns the absolute path, without symbolic links if there is such a folder.
fn resolved(folder: &Path) -> Option<PathBuf> {
    fs::canonicalize(folder).or_else(|_| std::path::absolute(folder)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_relative_to_the_folder_of_the_page() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path).to_str().unwrap().to_owned();
        fs::create_dir_all(folder.path().join("a/b")).unwrap();
        let from = |page: &str, table: &str| href(&at(table), &folder.path().join(page)).unwrap();
        assert_eq!(from("a", "a/yard.dtb"), "yard.dtb");
        assert_eq!(from("a/b", "a/yard.dtb"), "../yard.dtb");
        assert_eq!(from("a", "a/b/yard.dtb"), "b/yard.dtb");
        assert_eq!(from("new/page", "new/yard.dtb"), "../yard.dtb");
        assert_eq!(from("a", "a/100% #1?: <ö>.dtb"), "100%25%20%231%3F%3A%20%3C%C3%B6%3E.dtb");
        assert_eq!(href(&at("a/\u{fffd}.dtb"), folder.path()), None);
        assert_eq!(href("yard.dtb", Path::new(".")).as_deref(), Some("yard.dtb"));
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_through_symbolic_links_of_folders() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("far/away")).unwrap();
        std::os::unix::fs::symlink(folder.path().join("far/away"), folder.path().join("near")).unwrap();
        let table = folder.path().join("yard.dtb");
        assert_eq!(
            href(table.to_str().unwrap(), &folder.path().join("near")).as_deref(),
            Some("../../yard.dtb")
        );
    }
}
