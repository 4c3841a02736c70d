//! `dragnet pack` of game tables.

use super::{Before, Pack};
use crate::failure::Failure;
use dragnet_formats::{codec::RawBlock, header::GameHeader};
use dragnet_generator::solution::{BlockSink, BlockSource, SourceError};
use dragnet_probe::{GameNumbering, GameSummary, GameTable, ProbeError};
use rayon::prelude::*;

impl Pack {
    pub(super) fn game_table(&self, table: &GameTable) -> Result<(), Failure> {
        let in_file = |failure: Failure| failure.in_file(&self.table);
        table.check_sums(|_| ()).map_err(|error| in_file(error.into()))?;
        let slots = self.encoding().slots();
        let numbering = GameNumbering::new(table.positions(), slots)
            .map_err(|error| in_file(Failure::Input(error.into())))?;
        let header = GameHeader { numbering, ..table.header().clone() };
        let before =
            Before { bytes: table.file_len(), positions: table.positions(), digest: header.summary.digest };
        self.write(&before, &header, &[], &RepackedGame { table, numbering })
    }
}

/// The values of a game table in blocks of another size.
struct RepackedGame<'a> {
    table: &'a GameTable,
    numbering: GameNumbering,
}

/// The last block of the table that was read.
#[derive(Default)]
struct Last {
    block: Option<u64>,
    codes: Vec<u32>,
}

impl BlockSource<GameSummary> for RepackedGame<'_> {
    fn blocks(&self, sink: BlockSink) -> Result<GameSummary, SourceError> {
        let scratch = || (Last::default(), Vec::new());
        (0..self.numbering.block_count()).into_par_iter().try_for_each_init(
            scratch,
            |(last, codes), block| {
                self.codes(block, last, codes).map_err(|error| SourceError::Values(error.into()))?;
                sink(block, RawBlock::new(codes))
            },
        )?;
        self.table.check_unchanged().map_err(|error| SourceError::Values(error.into()))?;
        Ok(*self.table.summary())
    }
}

impl RepackedGame<'_> {
    /// Reads the codes of a block of the new numbering into `codes`.
    fn codes(&self, block: u64, last: &mut Last, codes: &mut Vec<u32>) -> Result<(), ProbeError> {
        codes.clear();
        let wanted = self.numbering.positions_of(block);
        let there = self.table.numbering();
        let mut position = wanted.start;
        while position < wanted.end {
            let at = there.locate(position).expect("both numberings have every position");
            if last.block != Some(at.block) {
                last.block = None;
                self.table.block_codes(at.block, &mut last.codes)?;
                last.block = Some(at.block);
            }
            let end = there.positions_of(at.block).end.min(wanted.end);
            let slot = at.slot as usize;
            codes.extend_from_slice(&last.codes[slot..slot + (end - position) as usize]);
            position = end;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{super::tests::assert_changes_are_noticed, *};
    use dragnet_probe::Open;

    #[test]
    fn packing_a_game_table_whose_file_is_written_to_ends_with_an_error() {
        assert_changes_are_noticed(
            "probe/src/doc/stones.dtb",
            |path| Open::path(path).game().unwrap(),
            |table| RepackedGame { table, numbering: *table.numbering() }.blocks(&|_, _| Ok(())),
        );
    }
}
