//! `dragnet pack --keep`: tables that keep a part of what a pursuit table knows.

use super::{Before, Pack, sections};
use crate::{failure::Failure, table::partial::PartialSlots};
use dragnet_formats::{
    codec::RawBlock,
    header::{Keep, PartialHeader},
};
use dragnet_generator::solution::{BlockSink, BlockSource, SourceError};
use dragnet_probe::{ProbeError, Table};
use rayon::prelude::*;

impl Pack {
    pub(super) fn partial(&self, table: &Table, keep: Keep) -> Result<(), Failure> {
        let in_file = |failure: Failure| failure.in_file(&self.table);
        table.check_sums(|_| ()).map_err(|error| in_file(error.into()))?;
        let header = PartialHeader { game: self.retiled(table), keep };
        let game = &header.game;
        let before =
            Before { bytes: table.file_len(), positions: game.positions(), digest: game.summary.digest };
        let slots = PartialSlots::new(table, &header).map_err(in_file)?;
        self.write(&before, &header, &sections(table)?, &PartialSource { table, slots })
    }
}

/// A part of what a table knows, block by block.
struct PartialSource<'a> {
    table: &'a Table,
    slots: PartialSlots<'a>,
}

/// The reason why a block could not be delivered.
struct Undelivered(SourceError);

impl From<ProbeError> for Undelivered {
    fn from(error: ProbeError) -> Undelivered {
        Undelivered(SourceError::Values(error.into()))
    }
}

impl BlockSource<()> for PartialSource<'_> {
    fn blocks(&self, sink: BlockSink) -> Result<(), SourceError> {
        let tile = |codes: &mut Vec<u32>, tile| {
            self.slots.for_each_block(tile, |block, slots| {
                slots.choose(codes);
                sink(block, RawBlock::new(codes)).map_err(Undelivered)
            })
        };
        let delivered = (0..self.slots.thief_tiles()).into_par_iter().try_for_each_init(Vec::new, tile);
        delivered.map_err(|Undelivered(error)| error)?;
        self.table.check_unchanged().map_err(|error| SourceError::Values(error.into()))
    }
}
