//! Tables: opening and closing them, and what each says as a whole.

use crate::{
    border::{Handle, In, Out, Owned},
    convert::{self, path, square_number},
    failure::{Failure, guard},
    types::{Edge, Info, Options, Rules, Status},
};
use dragnet_probe::{ProbeError, Table};
use std::{borrow::Cow, ffi::c_char, path::Path, sync::Arc};

/// Puts a new handle into its place, or NULL if there is none.
pub(crate) fn hand_out<T: Send + Sync>(
    out: Out<Owned<T>>,
    name: &str,
    make: impl FnOnce() -> Result<Arc<T>, Failure>,
) -> Status {
    guard(|| {
        let place = out.place(name)?;
        place.put(Owned::none());
        place.put(Owned::new(make()?));
        Ok(())
    })
}

fn options(options: In<Options>) -> Result<dragnet_probe::Options, Failure> {
    options.optional("options")?.map_or_else(|| Ok(dragnet_probe::Options::default()), TryInto::try_into)
}

/// The table that `open` makes of a file.
pub(crate) fn open<T>(
    file: In<c_char>,
    with: In<Options>,
    open: impl FnOnce(&Path, dragnet_probe::Options) -> Result<T, ProbeError>,
) -> Result<Arc<T>, Failure> {
    let (file, with) = (path(file.text("path")?)?, options(with)?);
    open(&file, with).map(Arc::new).map_err(|error| match error {
        // Says which file.
        ProbeError::File { .. } | ProbeError::InFile { .. } => error.into(),
        error => Failure::from(error).about(file.display()),
    })
}

/// Opens a file as a memory map.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_open(
    path: In<c_char>,
    options: In<Options>,
    table: Out<Owned<Table>>,
) -> Status {
    hand_out(table, "table", || open(path, options, |path, options| Table::open_with(path, options)))
}

/// Reads a file into memory.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_read(
    path: In<c_char>,
    options: In<Options>,
    table: Out<Owned<Table>>,
) -> Status {
    hand_out(table, "table", || open(path, options, |path, options| Table::read_with(path, options)))
}

/// The table in bytes that are copied.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_from_bytes(
    bytes: In<u8>,
    length: usize,
    options: In<Options>,
    table: Out<Owned<Table>>,
) -> Status {
    hand_out(table, "table", || from_bytes(copied(bytes, length)?.into(), options, Table::from_bytes_with))
}

/// The table in bytes that the caller keeps.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_from_kept_bytes(
    bytes: In<u8>,
    length: usize,
    options: In<Options>,
    table: Out<Owned<Table>>,
) -> Status {
    hand_out(table, "table", || {
        from_bytes(bytes.kept(length, "bytes")?.into(), options, Table::from_bytes_with)
    })
}

/// A copy of bytes, if there is memory for it.
pub(crate) fn copied(bytes: In<u8>, length: usize) -> Result<Vec<u8>, Failure> {
    let bytes = bytes.slice(length, "bytes")?;
    let mut copy = Vec::new();
    copy.try_reserve_exact(length)?;
    copy.extend_from_slice(bytes);
    Ok(copy)
}

/// The table that `open` makes of bytes.
pub(crate) fn from_bytes<T>(
    bytes: Cow<'static, [u8]>,
    with: In<Options>,
    open: impl FnOnce(Cow<'static, [u8]>, dragnet_probe::Options) -> Result<T, ProbeError>,
) -> Result<Arc<T>, Failure> {
    Ok(Arc::new(open(bytes, options(with)?)?))
}

/// Another handle for the same table.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_clone(table: Handle<Table>, clone: Out<Owned<Table>>) -> Status {
    hand_out(clone, "clone", || table.share("table"))
}

/// Gives a handle back.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_close(table: Owned<Table>) -> Status {
    guard(|| table.close())
}

/// Size, counts, longest wins, digest.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_info(table: Handle<Table>, info: Out<Info>) -> Status {
    guard(|| {
        let (table, info) = (table.get("table")?, info.place("info")?);
        let (board, header) = (table.board(), table.header());
        info.put(Info {
            height: board.height().into(),
            width: board.width().into(),
            open_cells: board.open_count() as u64,
            positions: header.positions(),
            police_to_move: header.summary.police_to_move.into(),
            thief_to_move: header.summary.thief_to_move.into(),
            longest_police: header.summary.longest.police,
            longest_thief: header.summary.longest.thief,
            digest: header.summary.digest,
            file_length: table.file_len(),
            memory: table.memory(),
        });
        Ok(())
    })
}

/// The squares of the board.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_squares(
    table: Handle<Table>,
    squares: Out<u8>,
    capacity: usize,
    count: Out<usize>,
) -> Status {
    guard(|| {
        let (table, count) = (table.get("table")?, count.place("count")?);
        let found = table.board().squares();
        squares.buffer(capacity, "squares")?.fill(found.iter().copied().map(square_number));
        count.put(found.len());
        Ok(())
    })
}

/// The edges of a graph.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_edges(
    table: Handle<Table>,
    edges: Out<Edge>,
    capacity: usize,
    count: Out<usize>,
) -> Status {
    guard(|| {
        let (table, count) = (table.get("table")?, count.place("count")?);
        let graph = table.board().graph();
        edges.buffer(capacity, "edges")?.fill(graph.into_iter().flat_map(convert::edges));
        count.put(graph.map_or(0, |graph| graph.edges() as usize));
        Ok(())
    })
}

/// The rules.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_rules(table: Handle<Table>, rules: Out<Rules>) -> Status {
    guard(|| {
        let (table, rules) = (table.get("table")?, rules.place("rules")?);
        rules.put(table.rules().into());
        Ok(())
    })
}

/// Checks every checksum.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_verify(table: Handle<Table>) -> Status {
    guard(|| {
        table.get("table")?.verify_checksums(|_| {})?;
        Ok(())
    })
}
