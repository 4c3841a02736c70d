//! Partial tables: a part of what a pursuit table knows.

use crate::{
    border::{Handle, In, Out},
    convert::side_number,
    failure::{Failure, guard},
    opening::partial,
    types::{Position, Status, keep},
};
use dragnet_probe::{AnyTable, Keep, Side};

/// Writes what the table keeps.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_partial_table_keeps(table: Handle<AnyTable>, keeps: Out<i32>) -> Status {
    guard(|| {
        let (table, keeps) = (partial(&table)?, keeps.single("keeps")?);
        keeps.write(match table.keep() {
            Keep::Outcomes => keep::OUTCOMES,
            Keep::MovesOf(Side::Police) => keep::MOVES_OF_POLICE,
            Keep::MovesOf(Side::Thief) => keep::MOVES_OF_THIEF,
        });
        Ok(())
    })
}

fn read(position: In<Position>) -> Result<dragnet_probe::Position, Failure> {
    position.get("position")?.try_into()
}

/// Writes who wins a position.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_partial_table_outcome(
    table: Handle<AnyTable>,
    position: In<Position>,
    outcome: Out<i32>,
) -> Status {
    guard(|| {
        let (table, position, outcome) = (partial(&table)?, read(position)?, outcome.single("outcome")?);
        outcome.write(side_number(table.outcome(position)?.winner()));
        Ok(())
    })
}

/// Writes the position after a best move.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_partial_table_best_move(
    table: Handle<AnyTable>,
    position: In<Position>,
    after: Out<Position>,
    count: Out<usize>,
) -> Status {
    guard(|| {
        let (table, position) = (partial(&table)?, read(position)?);
        let (after, count) = (after.single("after")?, count.single("count")?);
        let found = table.best_move(position)?;
        count.write(usize::from(found.is_some()));
        if let Some(found) = found {
            after.write(found.into());
        }
        Ok(())
    })
}
