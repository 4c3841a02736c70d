//! Takes corpora apart for libFuzzer, and puts them together again.
//!
//! ```sh
//! cargo run -p dragnet-fuzz --example corpus -- unpack TARGET FOLDER    # a file for each case
//! cargo run -p dragnet-fuzz --example corpus -- pack TARGET FOLDER      # its files become the corpus
//! cargo run -p dragnet-fuzz --example corpus -- add TARGET FILE NAME    # one case more
//! ```
#![forbid(unsafe_code)]

use dragnet_fuzz::corpus::{self, Case};
use std::{fs, path::Path};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let target = *words.get(1).ok_or("expected unpack, pack or add, a target, and a folder or a file")?;
    if !corpus::path(target).is_file() {
        return Err(format!("expected a target, found {target:?}, which has no corpus").into());
    }
    let cases = match words[..] {
        ["unpack", _, folder] => {
            fs::create_dir_all(folder)?;
            let cases = corpus::read(target)?;
            for case in &cases {
                fs::write(Path::new(folder).join(&case.name), &case.bytes)?;
            }
            cases
        }
        ["pack", _, folder] => {
            let mut cases = Vec::new();
            for entry in fs::read_dir(folder)? {
                let entry = entry?;
                let name = entry.file_name().into_string().map_err(|name| format!("no text: {name:?}"))?;
                cases.push(Case { name, bytes: fs::read(entry.path())? });
            }
            corpus::write(target, cases.clone())?;
            cases
        }
        ["add", _, file, name] => {
            let mut cases = corpus::read(target)?;
            cases.push(Case { name: name.to_owned(), bytes: fs::read(file)? });
            corpus::write(target, cases.clone())?;
            cases
        }
        _ => return Err("expected unpack TARGET FOLDER, pack TARGET FOLDER or add TARGET FILE NAME".into()),
    };
    println!("{target}: {} cases", cases.len());
    Ok(())
}
