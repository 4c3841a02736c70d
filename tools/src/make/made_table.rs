//! Finished tables of boards, with and without doors.

use crate::{
    failure::Failure, game_table, output::progress::Progress, report::entry::TableEntry,
    table::statistics::Reading,
};
use dragnet_formats::{
    cell::Side,
    header::{Counts, Longest},
};
use dragnet_probe::{AnyTable, DoorTable, Options, ProbeError, Table};
use std::path::Path;

/// A finished table.
pub(super) enum MadeTable {
    Pursuit(Box<Table>),
    Doors(Box<DoorTable>),
}

impl MadeTable {
    /// Opens the table in a file; `None` if it is of another kind.
    ///
    /// # Errors
    /// When the file cannot be read or is no table.
    pub(super) fn open(path: &Path) -> Result<Option<MadeTable>, ProbeError> {
        Ok(match AnyTable::open_with(path, Options::default())? {
            AnyTable::Pursuit(table) => Some(MadeTable::Pursuit(table)),
            AnyTable::Game(table) if table.header().doors.is_some() => {
                Some(MadeTable::Doors(Box::new(DoorTable::new(*table)?)))
            }
            AnyTable::Game(_) | AnyTable::Partial(_) => None,
        })
    }

    /// Returns the number of blocks.
    pub(super) fn block_count(&self) -> u64 {
        match self {
            MadeTable::Pursuit(table) => table.header().block_count(),
            MadeTable::Doors(table) => table.table().numbering().block_count(),
        }
    }

    /// Puts the codes of a block into `codes`.
    pub(super) fn block_codes(&self, block: u64, codes: &mut Vec<u32>) -> Result<(), ProbeError> {
        match self {
            MadeTable::Pursuit(table) => table.block_codes(block, codes),
            MadeTable::Doors(table) => table.table().block_codes(block, codes),
        }
    }

    /// Returns whether no block is damaged.
    pub(super) fn is_whole(&self) -> bool {
        match self {
            MadeTable::Pursuit(table) => table.check_sums(|_| ()).is_ok(),
            MadeTable::Doors(table) => table.table().check_sums(|_| ()).is_ok(),
        }
    }

    /// Returns the entry with everything that the header of the table in the file `path` holds.
    pub(super) fn described(&self, entry: TableEntry, path: &Path) -> TableEntry {
        match self {
            MadeTable::Pursuit(table) => entry.with_table(path, table),
            MadeTable::Doors(table) => entry.with_doors(path, table),
        }
    }
}

/// The counts of the positions that each side wins in a table with doors, which its header does not tell.
#[derive(Clone, Copy, Default)]
pub(super) struct DoorCounts {
    /// The outcomes with the police to move, and with the thief to move.
    to_move: [Counts; 2],
    longest: Longest,
}

impl DoorCounts {
    /// Reads every value of `table`, on the threads of the current pool.
    ///
    /// # Errors
    /// When the table is damaged.
    pub(super) fn of(table: &DoorTable) -> Result<DoorCounts, Failure> {
        let game = table.game();
        let progress = Progress::new("counting", "blocks", table.table().numbering().block_count());
        let add = |counts: &mut DoorCounts, number, value: dragnet_formats::value::Value| {
            let turn = game.turn(number);
            let outcome = value.outcome(turn);
            counts.to_move[usize::from(turn == Side::Thief)].add(outcome, 1);
            if let Some(dtw) = value.dtw() {
                counts.longest.add(outcome, dtw);
            }
        };
        let counted = game_table::fold(
            table.table(),
            &progress,
            || Reading::OF_COMMAND.go_on(),
            add,
            DoorCounts::merged,
        );
        progress.finish();
        counted
    }

    fn merged(mut self, other: DoorCounts) -> DoorCounts {
        for (counts, more) in self.to_move.iter_mut().zip(other.to_move) {
            *counts += more;
        }
        self.longest.police = self.longest.police.max(other.longest.police);
        self.longest.thief = self.longest.thief.max(other.longest.thief);
        self
    }

    /// Returns the entry with these counts.
    pub(super) fn counted(self, entry: TableEntry) -> TableEntry {
        let [police_to_move, thief_to_move] = self.to_move.map(Some);
        TableEntry { police_to_move, thief_to_move, longest: Some(self.longest), ..entry }
    }
}
