//! Properties of this machine and resources that the process has taken, as far as the system tells.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{
    fmt,
    fs::File,
    io::{BufRead, BufReader},
    sync::OnceLock,
};

/// The machine on which measurements were taken.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Machine {
    /// Processor.
    processor: String,
    /// Processors that the process may use.
    processors: usize,
    /// Memory of the machine. Absent where the system does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_bytes: Option<u64>,
    /// Operating system.
    system: String,
}

impl Machine {
    /// Returns the description of this machine.
    pub(crate) fn here() -> Machine {
        Machine {
            processor: field("/proc/cpuinfo", "model name")
                .unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
            processors: processors(),
            memory_bytes: field("/proc/meminfo", "MemTotal").and_then(kibibytes),
            system: std::env::consts::OS.to_owned(),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} processors", self.processor, self.processors)?;
        match self.memory_bytes {
            Some(bytes) => write!(f, ", {}", indicatif::BinaryBytes(bytes)),
            None => Ok(()),
        }
    }
}

/// Returns the number of processors that this process may use.
pub(crate) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the name of this machine in its network, if the system tells.
pub(crate) fn host() -> Option<String> {
    #[cfg(unix)]
    let name = rustix::system::uname().nodename().to_str().ok().map(str::to_owned);
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").ok();
    name.filter(|name| !name.is_empty())
}

/// Returns the most memory that this process has taken so far, in bytes; `None` except on Linux.
pub(crate) fn peak_memory() -> Option<u64> {
    field("/proc/self/status", "VmHWM").and_then(kibibytes)
}

/// Returns the memory that this process takes now, in bytes; `None` except on Linux.
#[cfg(feature = "serve")]
pub(crate) fn resident_memory() -> Option<u64> {
    field("/proc/self/status", "VmRSS").and_then(kibibytes)
}

/// Returns the text after the colon in the line of `file` that begins with `name`.
fn field(file: &str, name: &str) -> Option<String> {
    // Not the whole file: the system makes it as it is read, and takes long where there are many processors.
    let lines = BufReader::with_capacity(1 << 10, File::open(file).ok()?).lines();
    let line = lines.map_while(Result::ok).find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn kibibytes(text: String) -> Option<u64> {
    text.strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kibibytes| kibibytes * 1024)
}

/// Returns the bytes of memory that this process may take, if the system tells: the machine's, or those of
/// the control group if it has fewer. The system is asked once: that takes longer than a search on a small
/// graph.
pub(crate) fn memory() -> Option<u64> {
    static BYTES: OnceLock<Option<u64>> = OnceLock::new();
    *BYTES.get_or_init(|| {
        let mut system = sysinfo::System::new().ok()?;
        system.refresh_memory();
        let group = system.cgroup_limits().map(|limits| limits.total_memory).filter(|&bytes| bytes > 0);
        Some(group.unwrap_or(u64::MAX).min(system.total_memory()))
    })
}

/// Returns the bytes that this user may still write on the disk of a folder.
pub(crate) fn disk_free(folder: &std::path::Path) -> std::io::Result<u64> {
    fs4::available_space(folder)
}
