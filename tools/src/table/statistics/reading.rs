//! The bounds within which a whole table is read.

use crate::{failure::Failure, output::human, signals};
use dragnet_formats::{container::TableError, game::ListsError, numbering::Numbering, stop::StopCheck};
use dragnet_probe::{ProbeError, Scan, Table};
use std::fmt;

/// The bounds within which a whole table is read.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    /// The most bytes of memory to take, beside the cache of blocks.
    pub(crate) memory: u64,
    /// Returns whether nobody wants the result any more.
    pub(crate) stop: &'a (dyn Fn() -> bool + Sync),
}

/// Reading a table takes more memory than it may.
#[derive(Debug)]
pub(crate) struct TooMuchMemory {
    most: u64,
}

impl fmt::Display for TooMuchMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = human::bytes(self.most);
        write!(f, "to read all values of the table takes more than {most} of memory, which is the limit")
    }
}

impl std::error::Error for TooMuchMemory {}

/// Bytes of memory that a move of the thief takes while all are found: 4 in a list that grows, and 4 where it
/// stays.
const MOVE: u64 = 16;

impl Reading<'static> {
    /// The bounds of a command: it takes the memory that it needs, and ends at a signal.
    pub(crate) const OF_COMMAND: Reading<'static> = Reading { memory: u64::MAX, stop: &signals::received };
}

impl Reading<'_> {
    /// Returns a failure if the work is to stop.
    pub(crate) fn go_on(&self) -> Result<(), Failure> {
        if (self.stop)() { Err(Failure::Silent(signals::status())) } else { Ok(()) }
    }

    /// Prepares to read `table` with so many bytes beside what every reader takes. Finds the thief's moves if
    /// `moves` says that they are needed.
    ///
    /// # Errors
    /// [`TooMuchMemory`]; and a failure without a message if the work is to stop.
    pub(crate) fn scan<'t>(&self, table: &'t Table, beside: u64, moves: bool) -> Result<Scan<'t>, Failure> {
        let too_much = || Failure::Trouble(anyhow::Error::new(TooMuchMemory { most: self.memory }));
        let cells = u64::from(table.officers()).saturating_mul(size_of::<u32>() as u64);
        let lists = table.numbering().police().count().saturating_mul(cells);
        let left = self.memory.checked_sub(lists.saturating_add(beside)).ok_or_else(too_much)?;
        let scan = Scan::new(table)?;
        if moves {
            let most = u32::try_from(left / MOVE).unwrap_or(u32::MAX);
            let stop = || (self.stop)();
            scan.find_thief_moves(most, &mut StopCheck::new(&stop)).map_err(|error| match error {
                ProbeError::Table(TableError::Section { source: ListsError::Moves(_), .. }) => too_much(),
                ProbeError::Table(TableError::Section { source: ListsError::Stopped(_), .. }) => {
                    Failure::Silent(signals::status())
                }
                error => error.into(),
            })?;
        }
        Ok(scan)
    }
}

/// Returns the bytes that one thread takes for the scores of a police tile with either side to move, and for
/// a block.
pub(super) fn bytes_of_tile(table: &Table) -> u64 {
    let tiling = table.numbering().police().tiling();
    let cells = (0..tiling.tile_count()).map(|tile| u64::from(tiling.size_of(tile))).max().unwrap_or(0);
    let teams = cells.saturating_pow(table.officers().into()).min(Numbering::MAX_SLOTS);
    let scores = (teams + 1).saturating_mul(table.board().open_count() as u64);
    scores.saturating_add(Numbering::MAX_SLOTS).saturating_mul(size_of::<u32>() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{portrait::Portrait, statistics::PursuitStatistics};
    use dragnet_formats::{
        board::make,
        rules::{MoveSet, Movement, Rules},
    };
    use dragnet_generator::{Generator, Plan, encode::Encoding};
    use dragnet_probe::Open;
    use std::io::Cursor;

    /// Returns a table of a board on which each side may move anywhere.
    fn table() -> Table {
        let far = Movement { steps: 255, ..Movement::new(MoveSet::King) };
        let rules = Rules { police: far.clone(), thief: far, ..Rules::classic() };
        let plan = Plan::new(make::open(12, 12).unwrap(), rules, Encoding::default()).unwrap();
        let generator = Generator::new(1).unwrap();
        let solution = generator.solve(&plan, &()).unwrap();
        let (header, blocks) = generator.encode(&*solution, &plan, &()).unwrap();
        Open::bytes(blocks.write(&header, Cursor::new(Vec::new())).unwrap().0.into_inner()).pursuit().unwrap()
    }

    #[test]
    fn moves_that_take_more_than_the_memory_are_refused_and_pictures_need_none() {
        let table = table();
        let moves = 144 * 144 * MOVE;
        let within = |memory| Reading { memory, stop: &|| false };
        let beside = 1 << 20;
        assert!(within(beside + moves + 1_000).scan(&table, beside, true).is_ok());
        for (memory, moves) in [(beside + moves / 2, true), (beside - 1, false)] {
            let Err(Failure::Trouble(error)) = within(memory).scan(&table, beside, moves) else {
                panic!("expected a refusal of {memory} bytes")
            };
            assert!(error.is::<TooMuchMemory>(), "{error}");
        }
        assert!(within(beside + 1_000).scan(&table, beside, false).is_ok());
    }

    #[test]
    fn what_nobody_wants_any_more_is_not_read() {
        let table = table();
        let given_up = Reading { memory: u64::MAX, stop: &|| true };
        assert!(matches!(PursuitStatistics::of(&table, given_up), Err(Failure::Silent(_))));
        assert!(matches!(Portrait::of(&table, None, given_up), Err(Failure::Silent(_))));
    }
}
