//! Pursuit tables: opening, closing, and properties.

use crate::{
    border::{CallerSource, Handle, In, Out, Owned, open_mapped},
    convert::{self, path},
    failure::{Failure, guard},
    types::{Edge, Info, Options, Progress, Rules, Source, Status},
};
use dragnet_probe::{Bytes, ProbeError, Table};
use std::{ffi::c_char, ops::ControlFlow, path::Path, sync::Arc};

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

fn options(options: In<Options>) -> Result<dragnet_probe::Options, Failure> {
    options.optional("options")?.map_or_else(|| Ok(dragnet_probe::Options::default()), TryInto::try_into)
}

/// Converts the arguments of a call that opens a file, and opens it with `open`.
pub(crate) fn open<T>(
    file: In<c_char>,
    with: In<Options>,
    open: impl FnOnce(&Path, dragnet_probe::Options) -> Result<T, ProbeError>,
) -> Result<Arc<T>, Failure> {
    let (file, with) = (path(file.text("path")?)?, options(with)?);
    open(&file, with).map(Arc::new).map_err(|error| match error {
        // These name the file already.
        ProbeError::File { .. } | ProbeError::InFile { .. } | ProbeError::Changed { .. } => error.into(),
        error => Failure::from(error).about(file.display()),
    })
}

/// Opens a file, whose blocks are read when they are needed.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_open(
    path: In<c_char>,
    options: In<Options>,
    table: Out<Owned<Table>>,
) -> Status {
    hand_out(table, "table", || open(path, options, |path, options| Table::open_with(path, options)))
}

/// Opens a file as a memory map, under the contract that nobody changes the file.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_open_mapped(
    path: In<c_char>,
    options: In<Options>,
    table: Out<Owned<Table>>,
) -> Status {
    hand_out(table, "table", || open(path, options, open_mapped))
}

/// Reads a whole file into memory and opens it.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_read(
    path: In<c_char>,
    options: In<Options>,
    table: Out<Owned<Table>>,
) -> Status {
    hand_out(table, "table", || open(path, options, |path, options| Table::read_with(path, options)))
}

/// Opens a table in a copy of the bytes.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_from_bytes(
    bytes: In<u8>,
    length: usize,
    options: In<Options>,
    table: Out<Owned<Table>>,
) -> Status {
    hand_out(table, "table", || {
        from_bytes(copied(bytes, length)?.into(), options, |bytes, options| {
            Table::from_bytes_with(bytes, options)
        })
    })
}

/// Opens a table in bytes that the caller keeps.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_from_kept_bytes(
    bytes: In<u8>,
    length: usize,
    options: In<Options>,
    table: Out<Owned<Table>>,
) -> Status {
    hand_out(table, "table", || {
        from_bytes(bytes.kept(length, "bytes")?.into(), options, |bytes, options| {
            Table::from_bytes_with(bytes, options)
        })
    })
}

/// Opens a table in a source of the caller's own.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_from_source(
    source: In<Source>,
    options: In<Options>,
    table: Out<Owned<Table>>,
) -> Status {
    from_source(source, options, table, Table::from_source_with)
}

/// Opens a table in a source with `open`, and writes a handle of it. Whatever fails, the source is closed.
pub(crate) fn from_source<T: Send + Sync>(
    source: In<Source>,
    with: In<Options>,
    table: Out<Owned<T>>,
    open: impl FnOnce(CallerSource, dragnet_probe::Options) -> Result<T, ProbeError>,
) -> Status {
    let source = source.get("source").map(CallerSource::new);
    hand_out(table, "table", move || {
        let source = source?;
        source.check()?;
        Ok(Arc::new(open(source, options(with)?)?))
    })
}

/// Returns a copy of bytes, or a failure if the system refuses the memory.
pub(crate) fn copied(bytes: In<u8>, length: usize) -> Result<Vec<u8>, Failure> {
    let bytes = bytes.slice(length, "bytes")?;
    let mut copy = Vec::new();
    copy.try_reserve_exact(length)?;
    copy.extend_from_slice(bytes);
    Ok(copy)
}

/// Opens a table in bytes with `open`.
pub(crate) fn from_bytes<T>(
    bytes: Bytes,
    with: In<Options>,
    open: impl FnOnce(Bytes, dragnet_probe::Options) -> Result<T, ProbeError>,
) -> Result<Arc<T>, Failure> {
    Ok(Arc::new(open(bytes, options(with)?)?))
}

/// Writes another handle of the same table.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_clone(table: Handle<Table>, clone: Out<Owned<Table>>) -> Status {
    hand_out(clone, "clone", || table.share("table"))
}

/// Closes a handle.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_close(table: Owned<Table>) -> Status {
    guard(|| table.close())
}

/// Writes size, counts, longest wins and digest.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_info(table: Handle<Table>, info: Out<Info>) -> Status {
    guard(|| {
        let (table, info) = (table.get("table")?, info.single("info")?);
        let (board, header) = (table.board(), table.header());
        info.write(Info {
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

/// Writes the squares of the board.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_squares(
    table: Handle<Table>,
    squares: Out<u8>,
    capacity: usize,
    count: Out<usize>,
) -> Status {
    guard(|| {
        let (table, count) = (table.get("table")?, count.single("count")?);
        let found = table.board().squares();
        squares.buffer(capacity, "squares")?.fill(found.iter().map(|square| square.byte()));
        count.write(found.len());
        Ok(())
    })
}

/// Writes the edges of a graph.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_edges(
    table: Handle<Table>,
    edges: Out<Edge>,
    capacity: usize,
    count: Out<usize>,
) -> Status {
    guard(|| {
        let (table, count) = (table.get("table")?, count.single("count")?);
        let graph = table.board().graph();
        edges.buffer(capacity, "edges")?.fill(graph.into_iter().flat_map(convert::edges));
        // A board of squares has no edges.
        count.write(graph.map_or(0, |graph| graph.edges() as usize));
        Ok(())
    })
}

/// Writes the rules.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_rules(table: Handle<Table>, rules: Out<Rules>) -> Status {
    guard(|| {
        let (table, rules) = (table.get("table")?, rules.single("rules")?);
        rules.write(table.rules().into());
        Ok(())
    })
}

/// Checks every checksum and the structure of every block.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_check_sums(table: Handle<Table>) -> Status {
    guard(|| {
        table.get("table")?.check_sums(|_| {})?;
        Ok(())
    })
}

/// Checks a table as long as the caller wants.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_check_sums_while(table: Handle<Table>, progress: In<Progress>) -> Status {
    guard(|| {
        table.get("table")?.check_sums_while(follower(progress)?)?;
        Ok(())
    })
}

/// Returns a function that calls the caller's and says whether to go on.
pub(crate) fn follower(progress: In<Progress>) -> Result<impl FnMut(u64, u64) -> ControlFlow<()>, Failure> {
    let Progress { context, report } = progress.get("progress")?;
    let Some(report) = report else {
        return Err(Failure::argument("progress.report is NULL; expected a function"));
    };
    Ok(move |done, blocks| match report(context, done, blocks) {
        0 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    })
}
