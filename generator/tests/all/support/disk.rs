//! Small disks, which can be full.

use std::{
    fs,
    path::Path,
    process::Command,
    sync::{Mutex, MutexGuard, PoisonError},
};
use tempfile::TempDir;

/// Held by a test that starts processes. Until a process that is being started runs its program it has the
/// open files of this one, and a file that has been removed keeps its room on the disk as long.
static STARTING: Mutex<()> = Mutex::new(());

pub(crate) fn starting() -> MutexGuard<'static, ()> {
    STARTING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The bytes in which a file system in memory counts.
pub(crate) const PAGE: u64 = 4096;

/// A file system in memory, which is unmounted when this is dropped.
pub(crate) struct SmallDisk {
    folder: TempDir,
    _alone: MutexGuard<'static, ()>,
}

impl SmallDisk {
    /// Mounts a file system, if this process may.
    pub(crate) fn mount() -> Option<SmallDisk> {
        let alone = starting();
        let folder = tempfile::tempdir().unwrap();
        let done = mount(&["-t", "tmpfs", "-o", "size=64m", "small"], folder.path());
        if !done {
            println!("skipped: only root can mount a small file system");
        }
        done.then(|| SmallDisk { folder, _alone: alone })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the bytes of memory that the files take.
    fn used(&self) -> u64 {
        let entries = fs::read_dir(self.path()).unwrap();
        entries.map(|entry| entry.unwrap().metadata().unwrap().len().next_multiple_of(PAGE)).sum()
    }

    /// Leaves as many bytes free, or a page more.
    pub(crate) fn leave(&self, bytes: u64) {
        let size = (self.used() + bytes).next_multiple_of(PAGE) + PAGE;
        assert!(mount(&["-o", &format!("remount,size={size}")], self.path()));
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.path()).status();
    }
}

fn mount(arguments: &[&str], at: &Path) -> bool {
    let mount = Command::new("mount").args(arguments).arg(at).output();
    mount.is_ok_and(|output| output.status.success())
}
