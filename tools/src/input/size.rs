//! Sizes of boards and ranges of sizes.

use dragnet_formats::board::Board;
use std::str::FromStr;

/// The size of a board, written `8x12`: height, then width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) height: u16,
    pub(crate) width: u16,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let error = || {
            format!("expected HEIGHTxWIDTH with numbers from 1 to 65535, for example 8x12; found {text:?}")
        };
        let (height, width) = text.split_once(['x', 'X']).ok_or_else(error)?;
        // `parse` alone would accept a plus sign.
        let digits = |text: &&str| text.bytes().all(|byte| byte.is_ascii_digit());
        let number = |text: &str| {
            let number = Some(text).filter(digits).and_then(|text| text.parse().ok());
            number.filter(|&n: &u16| n > 0).ok_or_else(error)
        };
        let size = Size { height: number(height)?, width: number(width)? };
        Board::check_size(size.height.into(), size.width.into()).map_err(|error| error.to_string())?;
        Ok(size)
    }
}

/// All sizes from one to another, written `3x3..16x16`, or a single size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SizeRange {
    pub(crate) from: Size,
    to: Size,
}

impl FromStr for SizeRange {
    type Err = String;

    fn from_str(text: &str) -> Result<SizeRange, String> {
        let (from, to) = match text.split_once("..") {
            Some((from, to)) => (from.parse()?, to.parse()?),
            None => (text.parse()?, text.parse()?),
        };
        let range = SizeRange { from, to };
        if range.from.height > range.to.height || range.from.width > range.to.width {
            return Err(format!("expected the smaller size first, found {text:?}"));
        }
        Ok(range)
    }
}

impl SizeRange {
    /// Returns the number of sizes.
    pub(crate) fn count(self) -> u64 {
        let sizes = |from: u16, to: u16| u64::from(to - from) + 1;
        sizes(self.from.height, self.to.height) * sizes(self.from.width, self.to.width)
    }

    /// Returns every size, heights and widths rising.
    pub(crate) fn sizes(self) -> impl Iterator<Item = Size> {
        (self.from.height..=self.to.height).flat_map(move |height| {
            (self.from.width..=self.to.width).map(move |width| Size { height, width })
        })
    }
}
