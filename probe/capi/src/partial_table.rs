//! Partial tables: a part of what a pursuit table knows.

use crate::{
    border::{Handle, In, Out, Owned},
    convert::side_number,
    failure::{Failure, guard},
    opening::{check_sums, from_bytes, from_source, open},
    types::{Options, Position, Progress, Source, Status, keep},
};
use dragnet_probe::{Keep, PartialTable, Side};
use std::ffi::c_char;

/// Opens a file.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_partial_table_open(
    path: In<c_char>,
    options: In<Options>,
    table: Out<Owned<PartialTable>>,
) -> Status {
    open(path, options, table)
}

/// Opens a table in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_partial_table_from_bytes(
    bytes: In<u8>,
    length: usize,
    options: In<Options>,
    table: Out<Owned<PartialTable>>,
) -> Status {
    from_bytes(bytes, length, options, table)
}

/// Opens a table in a source of the caller's own.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_partial_table_from_source(
    source: In<Source>,
    options: In<Options>,
    table: Out<Owned<PartialTable>>,
) -> Status {
    from_source(source, options, table)
}

/// Closes a handle.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_partial_table_close(table: Owned<PartialTable>) -> Status {
    guard(|| table.close())
}

/// Writes what the table keeps.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_partial_table_keeps(table: Handle<PartialTable>, keeps: Out<i32>) -> Status {
    guard(|| {
        let (table, keeps) = (table.get("table")?, keeps.single("keeps")?);
        keeps.write(match table.keep() {
            Keep::Outcomes => keep::OUTCOMES,
            Keep::MovesOf(Side::Police) => keep::MOVES_OF_POLICE,
            Keep::MovesOf(Side::Thief) => keep::MOVES_OF_THIEF,
        });
        Ok(())
    })
}

/// Checks every checksum and the structure of every block.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_partial_table_check_sums(
    table: Handle<PartialTable>,
    progress: In<Progress>,
) -> Status {
    guard(|| check_sums(table.get("table")?, progress))
}

fn read(position: In<Position>) -> Result<dragnet_probe::Position, Failure> {
    position.get("position")?.try_into()
}

/// Writes who wins a position.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_partial_table_outcome(
    table: Handle<PartialTable>,
    position: In<Position>,
    outcome: Out<i32>,
) -> Status {
    guard(|| {
        let (table, position, outcome) = (table.get("table")?, read(position)?, outcome.single("outcome")?);
        outcome.write(side_number(table.outcome(position)?.winner()));
        Ok(())
    })
}

/// Writes the position after a best move.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_partial_table_best_move(
    table: Handle<PartialTable>,
    position: In<Position>,
    after: Out<Position>,
    count: Out<usize>,
) -> Status {
    guard(|| {
        let (table, position) = (table.get("table")?, read(position)?);
        let (after, count) = (after.single("after")?, count.single("count")?);
        let found = table.best_move(position)?;
        count.write(usize::from(found.is_some()));
        if let Some(found) = found {
            after.write(found.into());
        }
        Ok(())
    })
}
