//! Checks of a palette that both codecs share.

use super::error::BlockError;

/// The most codes of a palette whose indices have one byte.
pub(super) const ONE_BYTE: usize = 256;

/// Returns the code with this index, which is that of `slot`.
///
/// # Errors
/// [`BlockError::Index`] if the index is not in the palette.
pub(super) fn code_at(palette: &[u32], slot: u32, index: u16) -> Result<u32, BlockError> {
    palette.get(usize::from(index)).copied().ok_or(BlockError::Index { slot, index, entries: palette.len() })
}

/// Checks that the codes of a palette rise.
///
/// # Errors
/// [`BlockError::Palette`] with the first code that does not.
pub(super) fn check_rising(palette: impl IntoIterator<Item = u32>) -> Result<(), BlockError> {
    let mut last = None;
    for (entry, code) in palette.into_iter().enumerate() {
        if last.is_some_and(|last| last >= code) {
            return Err(BlockError::Palette { entry });
        }
        last = Some(code);
    }
    Ok(())
}
