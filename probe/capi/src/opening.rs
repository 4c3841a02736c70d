//! The ways to open a table, which are the same for tables of every kind.

use crate::{
    border::{CallerSource, In, Out, Owned, open_mapped, open_mapped_game, open_mapped_partial},
    convert::path,
    failure::{Failure, guard},
    types::{Options, Progress, Source, Status, memory},
};
use dragnet_probe::{BlockStatistics, Bytes, GameTable, PartialTable, ProbeError, Table};
use std::{ffi::c_char, ops::ControlFlow, path::Path, sync::Arc};

/// A table of any kind.
pub(crate) trait Opened: Sized + Send + Sync {
    /// Opens a file, whose blocks are read when they are needed.
    fn in_file(path: &Path, options: dragnet_probe::Options) -> Result<Self, ProbeError>;

    /// Opens a file as a memory map, under the contract that nobody changes the file.
    fn in_map(path: &Path, options: dragnet_probe::Options) -> Result<Self, ProbeError>;

    /// Reads a whole file into memory and opens it.
    fn in_memory(path: &Path, options: dragnet_probe::Options) -> Result<Self, ProbeError>;

    /// Opens a table in bytes.
    fn in_bytes(bytes: Bytes, options: dragnet_probe::Options) -> Result<Self, ProbeError>;

    /// Opens a table in a source of the caller's own.
    fn in_source(source: CallerSource, options: dragnet_probe::Options) -> Result<Self, ProbeError>;

    /// Checks every checksum and the structure of every block, until `report` stops it.
    fn check(&self, report: impl FnMut(u64, u64) -> ControlFlow<()>) -> Result<BlockStatistics, ProbeError>;
}

macro_rules! opened {
    ($table:ty, $open_mapped:path) => {
        impl Opened for $table {
            fn in_file(path: &Path, options: dragnet_probe::Options) -> Result<Self, ProbeError> {
                <$table>::open_with(path, options)
            }

            fn in_map(path: &Path, options: dragnet_probe::Options) -> Result<Self, ProbeError> {
                $open_mapped(path, options)
            }

            fn in_memory(path: &Path, options: dragnet_probe::Options) -> Result<Self, ProbeError> {
                <$table>::read_with(path, options)
            }

            fn in_bytes(bytes: Bytes, options: dragnet_probe::Options) -> Result<Self, ProbeError> {
                <$table>::from_bytes_with(bytes, options)
            }

            fn in_source(source: CallerSource, options: dragnet_probe::Options) -> Result<Self, ProbeError> {
                <$table>::from_source_with(source, options)
            }

            fn check(
                &self,
                report: impl FnMut(u64, u64) -> ControlFlow<()>,
            ) -> Result<BlockStatistics, ProbeError> {
                self.check_sums_while(report)
            }
        }
    };
}

opened!(Table, open_mapped);
opened!(GameTable, open_mapped_game);
opened!(PartialTable, open_mapped_partial);

/// Writes a handle of a new object, or NULL if `create` fails.
pub(crate) fn hand_out<T: Send + Sync>(
    out: Out<Owned<T>>,
    name: &str,
    create: impl FnOnce() -> Result<Arc<T>, Failure>,
) -> Status {
    guard(|| {
        let handle = out.single(name)?;
        handle.write(Owned::null());
        handle.write(Owned::new(create()?));
        Ok(())
    })
}

/// Returns the options of a call, and one of [`memory`].
fn options(options: In<Options>) -> Result<(dragnet_probe::Options, i32), Failure> {
    let Some(options) = options.optional("options")? else {
        return Ok((dragnet_probe::Options::default(), memory::COPIED));
    };
    match options.memory {
        memory::COPIED..=memory::SHARED => Ok((options.try_into()?, options.memory)),
        found => Err(Failure::argument(format_args!("memory: expected 0 to 2, found {found}"))),
    }
}

/// Opens a file.
pub(crate) fn open<T: Opened>(file: In<c_char>, with: In<Options>, table: Out<Owned<T>>) -> Status {
    hand_out(table, "table", || {
        let (file, (options, memory)) = (path(file.text("path")?)?, options(with)?);
        let opened = match memory {
            memory::WHOLE => T::in_memory(&file, options),
            memory::SHARED => T::in_map(&file, options),
            _ => T::in_file(&file, options),
        };
        opened.map(Arc::new).map_err(|error| match error {
            // These name the file already.
            ProbeError::File { .. } | ProbeError::InFile { .. } | ProbeError::Changed { .. } => error.into(),
            error => Failure::from(error).about(file.display()),
        })
    })
}

/// Opens a table in bytes: in a copy, unless the options say that the caller keeps them.
pub(crate) fn from_bytes<T: Opened>(
    bytes: In<u8>,
    length: usize,
    with: In<Options>,
    table: Out<Owned<T>>,
) -> Status {
    hand_out(table, "table", || {
        let (options, memory) = options(with)?;
        let bytes = match memory {
            memory::SHARED => bytes.kept(length, "bytes")?.into(),
            _ => copied(bytes, length)?.into(),
        };
        Ok(Arc::new(T::in_bytes(bytes, options)?))
    })
}

/// Returns a copy of bytes, or a failure if the system refuses the memory.
fn copied(bytes: In<u8>, length: usize) -> Result<Vec<u8>, Failure> {
    let bytes = bytes.slice(length, "bytes")?;
    let mut copy = Vec::new();
    copy.try_reserve_exact(length)?;
    copy.extend_from_slice(bytes);
    Ok(copy)
}

/// Opens a table in a source. Whatever fails, the source is closed.
pub(crate) fn from_source<T: Opened>(source: In<Source>, with: In<Options>, table: Out<Owned<T>>) -> Status {
    let source = source.get("source").map(CallerSource::new);
    hand_out(table, "table", move || {
        let source = source?;
        source.check()?;
        match options(with)? {
            (options, memory::COPIED) => Ok(Arc::new(T::in_source(source, options)?)),
            (_, found) => {
                Err(Failure::argument(format_args!("memory: expected 0 for a source, found {found}")))
            }
        }
    })
}

/// Checks a table, as long as the caller's function wants if there is one.
pub(crate) fn check_sums<T: Opened>(table: &T, progress: In<Progress>) -> Result<(), Failure> {
    let follower = progress.optional("progress")?;
    let report = match follower {
        None => None,
        Some(Progress { report: Some(report), context }) => Some((report, context)),
        Some(_) => return Err(Failure::argument("progress.report is NULL; expected a function")),
    };
    table.check(|done, blocks| match report {
        Some((report, context)) if report(context, done, blocks) != 0 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    })?;
    Ok(())
}
