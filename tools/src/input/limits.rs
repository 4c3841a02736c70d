//! Limits of a run: threads, memory, time, disk.

use crate::{failure::Failure, input::arguments, machine, output::human};
use bytesize::ByteSize;
use clap::Args;
use serde::{Deserialize, Deserializer, de};
use std::{path::Path, str::FromStr, time::Duration};

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
    /// Time between the checkpoints of a long solve.
    #[serde(default, alias = "check-points", deserialize_with = "duration")]
    pub(crate) checkpoints: Option<Duration>,
}

impl Limits {
    /// Returns the limits with the memory that the command line allows, if it says how much.
    pub(crate) fn with_memory(self, given: Memory) -> Limits {
        Limits { memory: given.limit.map_or(self.memory, |_| given), ..self }
    }

    /// Returns the memory that the process may take.
    pub(crate) fn memory(&self) -> Memory {
        self.memory
    }

    /// Checks that the disk of a folder has as much free space as the limits ask for.
    pub(crate) fn require_disk(&self, folder: &Path) -> Result<(), Failure> {
        let Some(least) = self.disk_free else { return Ok(()) };
        let free = machine::disk_free(folder)
            .map_err(|error| Failure::from(error).about(format!("cannot look at {}", folder.display())))?;
        if free >= least {
            return Ok(());
        }
        let (free, least) = (human::bytes(free), human::bytes(least));
        Err(Failure::Trouble(anyhow::anyhow!("{free} are free on the disk, and {least} are to be left")))
    }

    /// Returns the number of threads of a run for which the command line asked for `given` threads.
    pub(crate) fn threads(&self, given: Option<usize>) -> usize {
        let asked = given.or(self.threads).filter(|&threads| threads > 0);
        asked.unwrap_or_else(machine::processors)
    }
}

/// The argument `--memory`: how much memory the process may take.
#[derive(Args, Clone, Copy, Debug, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct Memory {
    /// The most memory to take, as in 12GiB; what needs more is refused [default: three quarters of the
    /// machine's or of its control group's]
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

    /// Returns why work that needs this many bytes is not begun, with the figures.
    pub(crate) fn refusal(self, needed: u64) -> String {
        let (needed, limit) = (human::bytes(needed), human::bytes(self.limit()));
        let of = if self.limit.is_some() { "" } else { ", three quarters of the machine's" };
        format!("needs about {needed} of memory, and the limit is {limit}{of}")
    }

    /// Checks that `what`, which needs this many bytes, is within the limit.
    pub(crate) fn require(self, what: &str, needed: u64) -> Result<(), Failure> {
        if needed <= self.limit() {
            return Ok(());
        }
        Err(self.refused(what, needed))
    }

    /// Returns the failure of `what`, which needs this many bytes, more than the limit.
    pub(crate) fn refused(self, what: &str, needed: u64) -> Failure {
        let message = anyhow::anyhow!("{what} {}", self.refusal(needed));
        Failure::Trouble(message).with_hint(Memory::HINT)
    }
}

fn threads<'de, D: Deserializer<'de>>(number: D) -> Result<Option<usize>, D::Error> {
    let number = i64::deserialize(number)?;
    arguments::threads(&number.to_string())
        .map(Some)
        .map_err(|error| de::Error::custom(format!("{error}, found {number}")))
}

fn bytes<'de, D: Deserializer<'de>>(text: D) -> Result<Option<u64>, D::Error> {
    let text = String::deserialize(text)?;
    byte_count(&text).map(Some).map_err(|error| de::Error::custom(format!("{error}, found {text:?}")))
}

/// Reads a number of bytes.
pub(crate) fn byte_count(text: &str) -> Result<u64, String> {
    ByteSize::from_str(text)
        .map(|size| size.as_u64())
        .map_err(|_| "expected a number of bytes like \"12 GiB\"".to_owned())
}

fn duration<'de, D: Deserializer<'de>>(text: D) -> Result<Option<Duration>, D::Error> {
    let text = String::deserialize(text)?;
    humantime::parse_duration(&text)
        .map(Some)
        .map_err(|_| de::Error::custom(format!("expected a time like \"8h 30min\", found {text:?}")))
}
