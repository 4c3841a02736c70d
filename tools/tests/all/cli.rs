//! Tests of the real binary: what it prints, its exit status, and what it does with everything that can be
//! wrong.

mod ask;
mod bench;
mod cops;
mod damage;
mod doors;
mod game_table;
mod generate;
mod graph;
mod judge;
mod map_cases;
mod map_letters;
mod map_rounds;
mod maps;
mod memory;
mod options;
mod picture;
mod play;
mod policy;
mod schemas;
mod scratch;
mod shell;
mod show;
mod streams;
mod takers;
mod texts;

use crate::support::{self, run};
use serde_json::Value as Json;
use std::{fs, path::Path};
use tempfile::TempDir;

/// A small board with an exit.
pub(crate) const YARD: &str = "E...\n.##.\n....\n";

/// A folder with `yard.txt` and its table `yard.dtb`.
pub(crate) fn yard() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("yard.txt"), YARD).unwrap();
    run(folder.path(), "generate yard.txt --out .").done();
    folder
}

pub(crate) fn json(text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

pub(crate) fn keys(object: &Json) -> Vec<&str> {
    let mut keys: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

/// Every command of the program, as its words: what the help of each lists under `Commands:`, and `help`.
pub(crate) fn all_commands() -> Vec<Vec<String>> {
    fn add(words: &[String], all: &mut Vec<Vec<String>>) {
        let help = run(Path::new("."), &[words, &["--help".to_owned()]].concat().join(" ")).done();
        let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        let names = lines.take_while(|line| !line.is_empty()).filter_map(|line| line.strip_prefix("  "));
        for name in names.filter(|line| !line.starts_with(' ')).filter_map(|line| line.split(' ').next()) {
            let words = [words, &[name.to_owned()]].concat();
            if name != "help" {
                add(&words, all);
            }
            all.push(words);
        }
    }
    let mut all = Vec::new();
    add(&[], &mut all);
    all
}

/// The names of the files in a folder, sorted, without the folder of lock and journal.
pub(crate) fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name != ".dragnet");
    names.sort();
    names
}

/// The command that asks a table something, for each command that takes one.
pub(crate) const ASK: [&str; 6] = [
    "probe FILE --police 2,3 --thief 2,0",
    "line FILE --police 2,3 --thief 2,0",
    "info FILE",
    "stats FILE",
    "verify FILE",
    "dump FILE --binary",
];

pub(crate) fn flipped(bytes: &[u8], at: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at] ^= 4;
    bytes
}
