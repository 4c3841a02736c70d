//! The contents of one block: a palette of value codes and, for each slot, an index into the palette.
//!
//! [`RawBlock`] is a block before it is encoded. [`packed`] and [`zstd`] are the two codecs, and an
//! [`Encoder`] chooses between them for a [`Favour`]. [`Block`] is a block as a reader sees it.
//!
//! ```
//! use dragnet_formats::codec::{Encoded, Encoder, RawBlock, packed::Packed};
//!
//! let block = RawBlock::new(&[5, 5, 9, 5]);
//! let Encoded::Packed(body) = Encoder::for_speed().encode(&block) else { panic!("two codes are packed") };
//! let packed = Packed::new(&body, 4)?;
//! assert_eq!((packed.code(2)?, packed.code(3)?), (9, 5));
//! # Ok::<(), dragnet_formats::codec::BlockError>(())
//! ```

mod error;

mod palette;

mod raw;

pub mod packed;

pub mod zstd;

mod block;

mod encoder;

pub use block::{Block, Codec, Stored};
pub use encoder::{Encoded, Encoder, Favour};
pub use error::{BlockError, value_of};
pub use raw::{ANY_CODE, RawBlock};
