//! Limits of a run: threads, memory, time, disk.

use crate::{failure::Failure, input::arguments, machine, output::human};
use bytesize::ByteSize;
use clap::Args;
use dragnet_generator::{CheckpointFile, Needs, checkpoints_of, scratch_logs};
use serde::{Deserialize, Deserializer, de};
use std::{
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

/// Limits that a manifest sets for its run. Without a manifest all are left out.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Limits {
    /// Threads; one per processor if left out.
    #[serde(default, deserialize_with = "threads")]
    threads: Option<usize>,
    /// The memory of the whole process.
    #[serde(default)]
    memory: Memory,
    /// Wall time of the run.
    #[serde(default, deserialize_with = "duration")]
    pub(crate) time: Option<Duration>,
    /// Wall time of a single board.
    #[serde(default, deserialize_with = "duration")]
    pub(crate) board_time: Option<Duration>,
    /// Bytes that must stay free on the disk of the output folder.
    #[serde(default, deserialize_with = "bytes")]
    pub(crate) disk_free: Option<u64>,
    /// The folder for the logs of long solves; beside the tables if left out.
    #[serde(default, deserialize_with = "optional_folder")]
    pub(crate) scratch: Option<PathBuf>,
    /// Bytes that must stay free on the disk of the scratch folder.
    #[serde(default, deserialize_with = "bytes")]
    scratch_free: Option<u64>,
    /// Time between the checkpoints of a long solve.
    #[serde(default, deserialize_with = "duration")]
    pub(crate) checkpoints: Option<Duration>,
}

impl Limits {
    /// Returns the limits with the memory that the command line allows, if it says how much.
    pub(crate) fn with_memory(self, given: Memory) -> Limits {
        Limits { memory: given.limit.map_or(self.memory, |_| given), ..self }
    }

    /// Returns the limits of a manifest in `folder`, at which the paths in it begin.
    pub(crate) fn in_folder(self, folder: &Path) -> Limits {
        Limits { scratch: self.scratch.map(|scratch| folder.join(scratch)), ..self }
    }

    /// Returns the limits with the scratch folder that the command line names, if it names one.
    pub(crate) fn with_scratch(self, given: Option<&Path>) -> Limits {
        Limits { scratch: given.map(Path::to_owned).or(self.scratch), ..self }
    }

    /// Returns the memory that the process may take.
    pub(crate) fn memory(&self) -> Memory {
        self.memory
    }

    /// Checks that the disks of a folder of tables and of the scratch folder have as much free space as the
    /// limits ask for.
    pub(crate) fn require_disk(&self, folder: &Path) -> Result<(), Failure> {
        require_free(folder, self.disk_free, "the disk")?;
        match &self.scratch {
            Some(scratch) => require_free(
                existing_folder(scratch),
                self.scratch_free,
                &format!("the disk of the scratch folder {}", scratch.display()),
            ),
            None => require_free(folder, self.scratch_free, "the disk, where the scratch files are"),
        }
    }

    /// Returns whether the table `table`, a file path, with these needs is likely to stay in memory while it
    /// is made. If not, scratch files have room.
    ///
    /// # Errors
    /// Why the table is not begun.
    pub(crate) fn is_in_memory(&self, needs: Needs, table: &Path) -> Result<bool, Refusal> {
        let memory = self.memory;
        if needs.likely <= memory.limit() {
            return Ok(true);
        }
        if needs.least > memory.limit() {
            let hint = "--memory SIZE sets another limit; fewer threads (--threads N) need less";
            return Err(Refusal { message: memory.refusal(needs), hint });
        }
        let out = table.parent().unwrap_or(Path::new(""));
        let folder = self.scratch.as_deref().unwrap_or(out);
        let hint = "--memory SIZE sets another limit, --scratch DIR another folder";
        let existing = existing_folder(folder);
        let free = machine::disk_free(existing).map_err(|error| Refusal {
            message: format!("cannot look at {}: {error}", existing.display()),
            hint,
        })?;
        // What an earlier run has written there is a part of what is needed.
        let logs = self.scratch.as_deref().map(|scratch| scratch_logs(out, scratch).unwrap_or_default());
        let is_own = |file: &&CheckpointFile| file.is_log && file.table == table;
        let written =
            checkpoints_of(table).iter().chain(logs.iter().flatten()).find(is_own).map(|log| log.bytes);
        let left = self.scratch_free.unwrap_or(0);
        if free.saturating_add(written.unwrap_or(0)) >= needs.scratch.saturating_add(left) {
            return Ok(false);
        }
        let of_which = match left {
            0 => String::new(),
            left => format!(", of which {} are to be left", human::bytes(left)),
        };
        let message = format!(
            "{}; {} are free for scratch in {}{of_which}",
            memory.refusal(needs),
            human::bytes(free),
            folder.display()
        );
        Err(Refusal { message, hint })
    }

    /// Returns the number of threads of a run for which the command line asked for `given` threads.
    pub(crate) fn threads(&self, given: Option<usize>) -> usize {
        let asked = given.or(self.threads).filter(|&threads| threads > 0);
        asked.unwrap_or_else(machine::processors)
    }
}

/// Why a table is not begun for want of room, with the figures.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) message: String,
    /// Advice.
    pub(crate) hint: &'static str,
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        Failure::Trouble(anyhow::anyhow!(refusal.message)).with_hint(refusal.hint)
    }
}

/// Returns the folder, or the nearest one above it that exists.
pub(crate) fn existing_folder(folder: &Path) -> &Path {
    let existing = folder.ancestors().find(|folder| folder.exists());
    existing.filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

/// Checks that the disk of `folder`, called `what` in the message, has as much free space as is to be left.
fn require_free(folder: &Path, left: Option<u64>, what: &str) -> Result<(), Failure> {
    let Some(least) = left else { return Ok(()) };
    let free = machine::disk_free(folder).map_err(|error| Failure::cannot("look at", folder, error))?;
    if free >= least {
        return Ok(());
    }
    let (free, least) = (human::bytes(free), human::bytes(least));
    Err(Failure::Trouble(anyhow::anyhow!("{free} are free on {what}, and {least} are to be left")))
}

/// The argument `--memory`: how much memory the process may take.
#[derive(Args, Clone, Copy, Debug, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct Memory {
    /// The most memory to take, as in 12GiB; what needs more is refused, unless 'generate' can make it with
    /// scratch files [default: three quarters of the machine's or of its control group's]
    #[arg(long = "memory", value_name = "SIZE", value_parser = byte_count)]
    #[serde(deserialize_with = "bytes")]
    limit: Option<u64>,
}

impl Memory {
    /// Returns the most bytes that the process may take.
    pub(crate) fn limit(self) -> u64 {
        self.limit.unwrap_or_else(|| machine::memory().map_or(u64::MAX, |bytes| bytes / 4 * 3))
    }

    /// Advice about work that was refused for its memory.
    pub(crate) const HINT: &str = "--memory SIZE sets another limit";

    /// Returns why work with these needs is not begun, with the figures.
    pub(crate) fn refusal(self, needs: Needs) -> String {
        let limit = human::bytes(self.limit());
        let of = if self.limit.is_some() { "" } else { ", three quarters of the machine's" };
        let [likely, least, scratch] = [needs.likely, needs.least, needs.scratch].map(human::needed_bytes);
        let or = match least == likely {
            true => String::new(),
            false => format!(", or {least} and {scratch} of scratch"),
        };
        let about = if needs.likely == u64::MAX { "more than" } else { "about" };
        format!("needs {about} {likely} of memory{or}, and the limit is {limit}{of}")
    }

    /// Checks that `what`, which needs this many bytes and has no scratch file, is within the limit.
    pub(crate) fn require(self, what: &str, needed: u64) -> Result<(), Failure> {
        if needed <= self.limit() {
            return Ok(());
        }
        Err(self.refused(what, needed))
    }

    /// Returns the failure of `what`, which needs this many bytes, more than the limit.
    pub(crate) fn refused(self, what: &str, needed: u64) -> Failure {
        let message = format!("{what} {}", self.refusal(Needs::in_memory(needed)));
        Refusal { message, hint: Memory::HINT }.into()
    }
}

fn threads<'de, D: Deserializer<'de>>(number: D) -> Result<Option<usize>, D::Error> {
    let number = i64::deserialize(number)?;
    arguments::threads(&number.to_string())
        .map(Some)
        .map_err(|error| de::Error::custom(format!("{error}, found {number}")))
}

/// Reads the path of a folder.
pub(super) fn folder<'de, D: Deserializer<'de>>(text: D) -> Result<PathBuf, D::Error> {
    let path = PathBuf::deserialize(text)?;
    if path.as_os_str().is_empty() {
        return Err(de::Error::custom("expected the path of a folder, found an empty text"));
    }
    Ok(path)
}

fn optional_folder<'de, D: Deserializer<'de>>(text: D) -> Result<Option<PathBuf>, D::Error> {
    folder(text).map(Some)
}

fn bytes<'de, D: Deserializer<'de>>(text: D) -> Result<Option<u64>, D::Error> {
    let text = String::deserialize(text)?;
    byte_count(&text).map(Some).map_err(|error| de::Error::custom(format!("{error}, found {text:?}")))
}

/// Reads a number of bytes. Without a unit a small one is a slip: nobody means 4 bytes by 4.
pub(crate) fn byte_count(text: &str) -> Result<u64, String> {
    let expected = || "expected a number of bytes like \"12 GiB\"";
    let bytes = ByteSize::from_str(text).map_err(|_| expected().to_owned())?.as_u64();
    let has_unit = text.contains(|c: char| c.is_ascii_alphabetic());
    if !has_unit && (1..1 << 20).contains(&bytes) {
        return Err(format!("{}, with its unit", expected()));
    }
    Ok(bytes)
}

fn duration<'de, D: Deserializer<'de>>(text: D) -> Result<Option<Duration>, D::Error> {
    let text = String::deserialize(text)?;
    humantime::parse_duration(&text)
        .map(Some)
        .map_err(|_| de::Error::custom(format!("expected a time like \"8h 30min\", found {text:?}")))
}
