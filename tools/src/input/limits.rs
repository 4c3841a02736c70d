//! Limits of a run: threads, memory, time, disk.

use crate::{input::arguments, machine};
use bytesize::ByteSize;
use serde::{Deserialize, Deserializer, de};
use std::{str::FromStr, time::Duration};

/// Limits that a manifest sets for its run. Without a manifest all are left out.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Limits {
    /// Threads; one per processor if left out.
    #[serde(default, deserialize_with = "threads")]
    threads: Option<usize>,
    /// Bytes of memory of the whole process; three quarters of the machine's if left out.
    #[serde(default, deserialize_with = "bytes")]
    memory: Option<u64>,
    /// Wall time of the run.
    #[serde(default, deserialize_with = "duration")]
    pub(crate) time: Option<Duration>,
    /// Bytes that must stay free on the disk of the output folder.
    #[serde(default, deserialize_with = "bytes")]
    pub(crate) disk_free: Option<u64>,
    /// Time between the checkpoints of a long solve.
    #[serde(default, alias = "check-points", deserialize_with = "duration")]
    pub(crate) checkpoints: Option<Duration>,
}

impl Limits {
    /// Returns the bytes of memory that the process may take.
    pub(crate) fn memory(&self) -> u64 {
        self.memory.unwrap_or_else(|| machine::memory().map_or(u64::MAX, |bytes| bytes / 4 * 3))
    }

    /// Returns the number of threads of a run for which the command line asked for `given` threads.
    pub(crate) fn threads(&self, given: Option<usize>) -> usize {
        let asked = given.or(self.threads).filter(|&threads| threads > 0);
        asked.unwrap_or_else(machine::processors)
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
    match ByteSize::from_str(&text) {
        Ok(size) => Ok(Some(size.as_u64())),
        Err(_) => {
            Err(de::Error::custom(format!("expected a number of bytes like \"12 GiB\", found {text:?}")))
        }
    }
}

fn duration<'de, D: Deserializer<'de>>(text: D) -> Result<Option<Duration>, D::Error> {
    let text = String::deserialize(text)?;
    humantime::parse_duration(&text)
        .map(Some)
        .map_err(|_| de::Error::custom(format!("expected a time like \"8h 30min\", found {text:?}")))
}
