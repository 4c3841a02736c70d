//! Tablebases: the pursuit tables of one or several folders.

use crate::{
    border::{Handle, In, Out, Owned},
    convert::{copy_text, path_bytes},
    failure::{Failure, guard},
    opening::hand_out,
    types::{Status, TablebaseInfo},
};
use dragnet_probe::{AnyTable, Setting, Tablebase};
use std::{ffi::c_char, sync::Arc};

/// Opens folders of tables.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_tablebase_open(
    folders: In<In<c_char>>,
    count: usize,
    open_tables: u64,
    tablebase: Out<Owned<Tablebase>>,
) -> Status {
    hand_out(tablebase, "tablebase", || {
        let read = |(i, folder): (usize, &In<c_char>)| folder.path(&format!("folders[{i}]"));
        let folders = folders.slice(count, "folders")?.iter().enumerate().map(read);
        let folders = folders.collect::<Result<Vec<_>, Failure>>()?;
        let tablebase = Tablebase::open(folders)?;
        Ok(Arc::new(match open_tables {
            0 => tablebase,
            // More tables than a computer can address are as good as no limit.
            tables => tablebase.keep_open(usize::try_from(tables).unwrap_or(usize::MAX)),
        }))
    })
}

/// Closes a handle.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_tablebase_close(tablebase: Owned<Tablebase>) -> Status {
    guard(|| tablebase.close())
}

/// Finds the table for the board and the rules in a text.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_tablebase_table(
    tablebase: Handle<Tablebase>,
    source: In<c_char>,
    table: Out<Owned<AnyTable>>,
) -> Status {
    hand_out(table, "table", || {
        let tablebase = tablebase.get("tablebase")?;
        let source = source.text("source")?.to_str();
        let source = source
            .map_err(|error| Failure::argument(format_args!("source: expected UTF-8, found {error}")))?;
        let setting = Setting::from_source(source)
            .map_err(|error| Failure::argument(format_args!("source: {error}")))?;
        Ok(Arc::new(AnyTable::Pursuit(tablebase.table(&setting)?)))
    })
}

/// Writes the numbers of files.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_tablebase_info_of(
    tablebase: Handle<Tablebase>,
    info: Out<TablebaseInfo>,
) -> Status {
    guard(|| {
        let (tablebase, info) = (tablebase.get("tablebase")?, info.single("info")?);
        info.write(TablebaseInfo {
            tables: tablebase.paths().len() as u64,
            unreadable: tablebase.unreadable().len() as u64,
        });
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
