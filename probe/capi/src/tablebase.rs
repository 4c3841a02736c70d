//! Tablebases: the pursuit tables of one or several folders.

use crate::{
    border::{Handle, In, Out, Owned},
    convert::{board, board_size, copy_text, graph, path, path_bytes},
    failure::{Failure, guard},
    table::hand_out,
    types::{Edge, Rules, Status, TablebaseOptions},
};
use dragnet_probe::{Table, Tablebase};
use std::{ffi::c_char, sync::Arc};

/// Opens folders of tables.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_tablebase_open(
    folders: In<In<c_char>>,
    count: usize,
    options: In<TablebaseOptions>,
    tablebase: Out<Owned<Tablebase>>,
) -> Status {
    hand_out(tablebase, "tablebase", || {
        let read = |(i, folder): (usize, &In<c_char>)| path(folder.text(&format!("folders[{i}]"))?);
        let folders = folders.slice(count, "folders")?.iter().enumerate().map(read);
        let folders = folders.collect::<Result<Vec<_>, Failure>>()?;
        let options = match options.optional("options")? {
            None => dragnet_probe::TablebaseOptions::default(),
            Some(options) => options.try_into()?,
        };
        Ok(Arc::new(Tablebase::open_with(folders, options)?))
    })
}

/// Writes another handle of the same tablebase.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_tablebase_clone(
    tablebase: Handle<Tablebase>,
    clone: Out<Owned<Tablebase>>,
) -> Status {
    hand_out(clone, "clone", || tablebase.share("tablebase"))
}

/// Closes a handle.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_tablebase_close(tablebase: Owned<Tablebase>) -> Status {
    guard(|| tablebase.close())
}

/// Finds the table for a board and rules.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_tablebase_table(
    tablebase: Handle<Tablebase>,
    height: u32,
    width: u32,
    squares: In<u8>,
    rules: In<Rules>,
    table: Out<Owned<Table>>,
) -> Status {
    hand_out(table, "table", || {
        let tablebase = tablebase.get("tablebase")?;
        let (height, width) = board_size(height, width)?;
        let board = board(height, width, squares.slice(height * width, "squares")?)?;
        let rules = dragnet_probe::Rules::try_from(&rules.get("rules")?)?;
        Ok(tablebase.table(&board, &rules)?)
    })
}

/// Finds the table for a graph and rules.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_tablebase_table_of_graph(
    tablebase: Handle<Tablebase>,
    vertices: u32,
    squares: In<u8>,
    edges: In<Edge>,
    edge_count: usize,
    rules: In<Rules>,
    table: Out<Owned<Table>>,
) -> Status {
    hand_out(table, "table", || {
        let tablebase = tablebase.get("tablebase")?;
        let (_, vertices) = board_size(1, vertices)?;
        let board = graph(squares.slice(vertices, "squares")?, edges.slice(edge_count, "edges")?)?;
        let rules = dragnet_probe::Rules::try_from(&rules.get("rules")?)?;
        Ok(tablebase.table(&board, &rules)?)
    })
}

/// Writes the number of tables.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_tablebase_tables(tablebase: Handle<Tablebase>, count: Out<usize>) -> Status {
    guard(|| {
        count.single("count")?.write(tablebase.get("tablebase")?.paths().len());
        Ok(())
    })
}

/// Writes the path of a table.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_tablebase_path(
    tablebase: Handle<Tablebase>,
    index: usize,
    path: Out<c_char>,
    capacity: usize,
    length: Out<usize>,
) -> Status {
    guard(|| {
        let path_of_table = element(tablebase.get("tablebase")?.paths(), index)?;
        copy_text(&path_bytes(path_of_table), path, capacity, length, "path")
    })
}

/// Writes the number of files with an invalid header.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_tablebase_unreadable(tablebase: Handle<Tablebase>, count: Out<usize>) -> Status {
    guard(|| {
        count.single("count")?.write(tablebase.get("tablebase")?.unreadable().len());
        Ok(())
    })
}

/// Writes the error of a file with an invalid header.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_tablebase_unreadable_message(
    tablebase: Handle<Tablebase>,
    index: usize,
    message: Out<c_char>,
    capacity: usize,
    length: Out<usize>,
) -> Status {
    guard(|| {
        let error = element(tablebase.get("tablebase")?.unreadable(), index)?;
        copy_text(error.to_string().as_bytes(), message, capacity, length, "message")
    })
}

fn element<T>(list: &[T], index: usize) -> Result<&T, Failure> {
    list.get(index).ok_or_else(|| {
        Failure::argument(format_args!("index: expected a number below {}, found {index}", list.len()))
    })
}
