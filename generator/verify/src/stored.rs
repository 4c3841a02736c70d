//! The two kinds of tables with a value for each position of a pursuit game.

use dragnet_formats::{container::index::IndexEntry, header::Summary, numbering::Numbering};
use dragnet_probe::{GivenTable, ProbeError, Table};
use std::ops::ControlFlow;

/// A table whose values are checked.
pub(super) trait StoredTable: Sync {
    /// Returns the numbering of the positions.
    fn numbering(&self) -> &Numbering;

    /// Returns the summary in the header.
    fn summary(&self) -> &Summary;

    /// Puts the codes of a block into `codes`.
    fn block_codes(&self, block: u64, codes: &mut Vec<u32>) -> Result<(), ProbeError>;

    /// Returns the index entry of a block.
    fn block_entry(&self, block: u64) -> Result<IndexEntry, ProbeError>;

    /// Checks every checksum. Calls `progress` now and then, which may stop the work.
    fn check_sums_while(
        &self,
        progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<(), ProbeError>;

    /// Checks that the file has not been changed since it was opened.
    fn check_unchanged(&self) -> Result<(), ProbeError>;
}

macro_rules! stored_table {
    ($table:ty) => {
        impl StoredTable for $table {
            fn numbering(&self) -> &Numbering {
                self.numbering()
            }

            fn summary(&self) -> &Summary {
                &self.header().summary
            }

            fn block_codes(&self, block: u64, codes: &mut Vec<u32>) -> Result<(), ProbeError> {
                self.block_codes(block, codes)
            }

            fn block_entry(&self, block: u64) -> Result<IndexEntry, ProbeError> {
                self.block_entry(block)
            }

            fn check_sums_while(
                &self,
                progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
            ) -> Result<(), ProbeError> {
                self.check_sums_while(progress).map(drop)
            }

            fn check_unchanged(&self) -> Result<(), ProbeError> {
                self.check_unchanged()
            }
        }
    };
}

stored_table!(Table);
stored_table!(GivenTable);
