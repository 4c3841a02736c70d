//! Questions about positions of a pursuit table.

use crate::{
    border::{Handle, In, Out},
    convert::side_number,
    failure::{Failure, guard},
    opening::pursuit,
    types::{Move, Position, Status, Value},
};
use dragnet_probe::{AnyTable, Choice, ProbeError};
use std::cell::RefCell;

fn read(position: In<Position>) -> Result<dragnet_probe::Position, Failure> {
    position.get("position")?.try_into()
}

/// Writes the value of a position.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_value(
    table: Handle<AnyTable>,
    position: In<Position>,
    value: Out<Value>,
) -> Status {
    guard(|| {
        let (table, position, value) = (pursuit(&table)?, read(position)?, value.single("value")?);
        value.write(Value::of(table.value(position)?, position.turn));
        Ok(())
    })
}

/// Writes the values of many positions.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_values(
    table: Handle<AnyTable>,
    positions: In<Position>,
    count: usize,
    values: Out<Value>,
    failed: Out<usize>,
) -> Status {
    guard(|| {
        let (table, failed) = (pursuit(&table)?, failed.optional("failed")?);
        let report = |index| failed.iter().for_each(|failed| failed.write(index));
        // `count` says that no position is to blame.
        report(count);
        let asked = positions.slice(count, "positions")?;
        let values = values.buffer(count, "values")?;
        let mut positions = Vec::new();
        positions.try_reserve_exact(count)?;
        for (index, position) in asked.iter().enumerate() {
            positions.push(dragnet_probe::Position::try_from(*position).map_err(|failure| {
                report(index);
                failure.about(format_args!("position {index} of those asked (from 0)"))
            })?);
        }
        let found = table.values(&positions).inspect_err(|error| {
            if let ProbeError::InBatch { index, .. } = error {
                report(*index);
            }
        })?;
        values.fill(found.iter().zip(&positions).map(|(value, position)| Value::of(*value, position.turn)));
        Ok(())
    })
}

/// Writes every legal move, best first.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_moves(
    table: Handle<AnyTable>,
    position: In<Position>,
    moves: Out<Move>,
    capacity: usize,
    count: Out<usize>,
) -> Status {
    guard(|| {
        let (table, position, count) = (pursuit(&table)?, read(position)?, count.single("count")?);
        let moves = moves.buffer(capacity, "moves")?;
        CHOICES.with_borrow_mut(|choices| {
            table.best_moves_into(position, choices)?;
            moves.fill(choices.iter().map(Move::from));
            count.write(choices.len());
            Ok(())
        })
    })
}

thread_local! {
    /// Room for the moves of a position.
    static CHOICES: RefCell<Vec<Choice>> = const { RefCell::new(Vec::new()) };
}

/// Writes the best move.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_best_move(
    table: Handle<AnyTable>,
    position: In<Position>,
    best: Out<Move>,
    count: Out<usize>,
) -> Status {
    guard(|| {
        let (table, position) = (pursuit(&table)?, read(position)?);
        let (best, count) = (best.single("best")?, count.single("count")?);
        let choice = table.best_move(position)?;
        count.write(usize::from(choice.is_some()));
        if let Some(choice) = choice {
            best.write(Move::from(&choice));
        }
        Ok(())
    })
}

/// Writes optimal play to the end.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_line(
    table: Handle<AnyTable>,
    position: In<Position>,
    moves: Out<Move>,
    capacity: usize,
    count: Out<usize>,
    winner: Out<i32>,
) -> Status {
    guard(|| {
        let (table, position, count) = (pursuit(&table)?, read(position)?, count.single("count")?);
        let (moves, winner) = (moves.buffer(capacity, "moves")?, winner.optional("winner")?);
        let line = table.line(position)?;
        moves.fill(line.moves.iter().map(Move::from));
        count.write(line.moves.len());
        if let Some(winner) = winner {
            winner.write(side_number(line.end.winner()));
        }
        Ok(())
    })
}

/// Writes the side that has won a terminal position.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_winner(
    table: Handle<AnyTable>,
    position: In<Position>,
    winner: Out<i32>,
) -> Status {
    guard(|| {
        let (table, position, winner) = (pursuit(&table)?, read(position)?, winner.single("winner")?);
        winner.write(side_number(table.winner(position)?));
        Ok(())
    })
}
