//! Partial tables: a part of what a pursuit table knows.

use crate::{
    border::{Handle, In, Out, Owned},
    convert::side_number,
    failure::{Failure, guard},
    table::{copied, follower, from_bytes, from_source, hand_out, open},
    types::{Cell, Options, Position, Progress, Source, Status, keep},
};
use dragnet_probe::{Keep, PartialTable, Side};
use std::ffi::c_char;

/// Opens a file, whose blocks are read when they are needed.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_partial_table_open(
    path: In<c_char>,
    options: In<Options>,
    table: Out<Owned<PartialTable>>,
) -> Status {
    hand_out(table, "table", || open(path, options, |path, options| PartialTable::open_with(path, options)))
}

/// Opens a table in a copy of the bytes.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_partial_table_from_bytes(
    bytes: In<u8>,
    length: usize,
    options: In<Options>,
    table: Out<Owned<PartialTable>>,
) -> Status {
    hand_out(table, "table", || {
        from_bytes(copied(bytes, length)?.into(), options, |bytes, options| {
            PartialTable::from_bytes_with(bytes, options)
        })
    })
}

/// Opens a table in bytes that the caller keeps.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_partial_table_from_kept_bytes(
    bytes: In<u8>,
    length: usize,
    options: In<Options>,
    table: Out<Owned<PartialTable>>,
) -> Status {
    hand_out(table, "table", || {
        from_bytes(bytes.kept(length, "bytes")?.into(), options, |bytes, options| {
            PartialTable::from_bytes_with(bytes, options)
        })
    })
}

/// Opens a table in a source of the caller's own.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_partial_table_from_source(
    source: In<Source>,
    options: In<Options>,
    table: Out<Owned<PartialTable>>,
) -> Status {
    from_source(source, options, table, PartialTable::from_source_with)
}

/// Writes another handle of the same table.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_partial_table_clone(
    table: Handle<PartialTable>,
    clone: Out<Owned<PartialTable>>,
) -> Status {
    hand_out(clone, "clone", || table.share("table"))
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
pub extern "C" fn dragnet_partial_table_check_sums(table: Handle<PartialTable>) -> Status {
    guard(|| {
        table.get("table")?.check_sums(|_| {})?;
        Ok(())
    })
}

/// Checks a table as long as the caller wants.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_partial_table_check_sums_while(
    table: Handle<PartialTable>,
    progress: In<Progress>,
) -> Status {
    guard(|| {
        table.get("table")?.check_sums_while(follower(progress)?)?;
        Ok(())
    })
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

/// Writes where the side to move best goes.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_partial_table_best_move(
    table: Handle<PartialTable>,
    position: In<Position>,
    cells: Out<Cell>,
    capacity: usize,
    count: Out<usize>,
) -> Status {
    guard(|| {
        let (table, position, count) = (table.get("table")?, read(position)?, count.single("count")?);
        let cells = cells.buffer(capacity, "cells")?;
        let to = table.best_move(position)?;
        let to = to.as_ref().map_or(&[][..], |to| to.cells());
        cells.fill(to.iter().copied().map(Cell::from));
        count.write(to.len());
        Ok(())
    })
}
