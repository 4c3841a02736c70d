//! Tells the program from which commit it is built, for `dragnet --version`.
//!
//! The commit is, in this order: `DRAGNET_COMMIT` in the environment, with `SOURCE_DATE_EPOCH` as its time;
//! the one that `git archive` wrote into `COMMIT`; the one that is checked out; the one that `cargo package`
//! noted. If none is known, the program has no commit to name, and the build goes on.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Digits of a commit that the version shows.
const DIGITS: usize = 9;

/// A commit, and the day on which it was made, as far as they are known.
#[derive(Default)]
struct Commit {
    hash: Option<String>,
    /// The day, as in 2026-11-22.
    date: Option<String>,
}

impl Commit {
    /// Reads a line of the form `HASH DATE`, the date of which may be missing.
    fn from_line(line: &str) -> Option<Commit> {
        let mut words = line.split_whitespace();
        let hash = words.next().filter(|word| word.len() >= DIGITS);
        let hash = hash.filter(|word| word.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        Some(Commit { hash: Some(hash.to_owned()), date: words.next().map(str::to_owned) })
    }

    /// Returns the commit that the environment names.
    fn from_environment() -> Option<Commit> {
        println!("cargo::rerun-if-env-changed=DRAGNET_COMMIT");
        Commit::from_line(&env::var("DRAGNET_COMMIT").ok()?)
    }

    /// Returns the commit of an archive that git made.
    fn from_archive(folder: &Path) -> Option<Commit> {
        let path = folder.join("COMMIT");
        println!("cargo::rerun-if-changed={}", path.display());
        Commit::from_line(&fs::read_to_string(path).ok()?)
    }

    /// Returns the commit that is checked out, if `folder` is this crate's in a clone of its repository.
    fn from_clone(folder: &Path) -> Option<Commit> {
        let root = PathBuf::from(git(folder, &["rev-parse", "--show-toplevel"])?);
        // A crate inside another project's repository is of no commit of that project.
        if root.canonicalize().ok()?.join("tools") != folder.canonicalize().ok()? {
            return None;
        }
        let branch = git(folder, &["symbolic-ref", "--quiet", "HEAD"]);
        for name in ["HEAD", "logs/HEAD", "packed-refs"].into_iter().chain(branch.as_deref()) {
            let path = git(folder, &["rev-parse", "--git-path", name]).map(|path| folder.join(path));
            // A file that is missing would make every build begin here again.
            if let Some(path) = path.filter(|path| path.exists()) {
                println!("cargo::rerun-if-changed={}", path.display());
            }
        }
        let format = ["-c", "log.showSignature=false", "show", "--no-patch", "--format=%H %cs", "HEAD"];
        Commit::from_line(&git(folder, &format)?)
    }

    /// Returns the commit that `cargo package` has noted.
    fn from_package(folder: &Path) -> Option<Commit> {
        let noted = fs::read_to_string(folder.join(".cargo_vcs_info.json")).ok()?;
        let (_, after) = noted.split_once("\"sha1\"")?;
        Commit::from_line(after.split('"').nth(1)?)
    }
}

/// Returns what git prints, if it can be run and succeeds.
fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(folder).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    Some(text.trim_end().to_owned())
}

/// Returns the day, in UTC, of `SOURCE_DATE_EPOCH`.
fn source_date() -> Option<String> {
    println!("cargo::rerun-if-env-changed=SOURCE_DATE_EPOCH");
    let seconds: i64 = env::var("SOURCE_DATE_EPOCH").ok()?.trim().parse().ok()?;
    // Days since the first of March of the year 0, so that a leap day ends a year; a calendar of 400 years
    // has 146,097 days.
    let days = seconds.div_euclid(86_400).checked_add(719_468)?;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    Some(format!("{:04}-{month:02}-{day:02}", 400 * era + year + next))
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let given = source_date();
    let mut commit = match Commit::from_environment() {
        Some(commit) => Commit { date: commit.date.or(given.clone()), ..commit },
        None => Commit::from_archive(&folder)
            .or_else(|| Commit::from_clone(&folder))
            .or_else(|| Commit::from_package(&folder))
            .unwrap_or_default(),
    };
    commit.date = commit.date.or(given);
    let hash = commit.hash.map(|hash| hash[..DIGITS].to_ascii_lowercase());
    let known: Vec<&str> = [hash.as_deref(), commit.date.as_deref()].into_iter().flatten().collect();
    let suffix = if known.is_empty() { String::new() } else { format!(" ({})", known.join(" ")) };
    println!("cargo::rustc-env=DRAGNET_BUILD={suffix}");
    println!("cargo::rustc-env=DRAGNET_BUILD_DATE={}", commit.date.as_deref().unwrap_or_default());
}
