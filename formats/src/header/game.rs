//! The header of a game table: of any game but pursuit on a board (`FORMAT.md` §9).

use super::error::MAX_HEADER_LEN;
use crate::{
    digest::digest_term,
    numbering::Location,
    value::{Plies, Value},
};
use bincode::Options;
use serde::{Deserialize, Serialize};

/// The counts, longest distances and digest of a game table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GameSummary {
    /// The positions that are won for the player to move.
    pub won: u64,
    /// The positions that are lost for the player to move.
    pub lost: u64,
    /// The positions that neither player can win.
    pub drawn: u64,
    /// The greatest distance of a won position, in plies; 0 if there is none.
    pub longest_win: Plies,
    /// The greatest distance of a lost position, in plies; 0 if there is none.
    pub longest_loss: Plies,
    /// The content digest: the wrapping sum of [`digest_term`] over all positions.
    pub digest: u64,
}

impl GameSummary {
    /// Adds the position with this number and value.
    #[inline]
    pub fn add(&mut self, number: u64, value: Value) {
        match value {
            Value::Win(dtw) => {
                self.won += 1;
                self.longest_win = self.longest_win.max(dtw);
            }
            Value::Loss(dtw) => {
                self.lost += 1;
                self.longest_loss = self.longest_loss.max(dtw);
            }
            Value::Draw => self.drawn += 1,
        }
        self.digest = self.digest.wrapping_add(digest_term(number, value.code()));
    }

    /// Returns the summary of these positions and those of `other`.
    #[must_use]
    pub fn merged(self, other: GameSummary) -> GameSummary {
        GameSummary {
            won: self.won + other.won,
            lost: self.lost + other.lost,
            drawn: self.drawn + other.drawn,
            longest_win: self.longest_win.max(other.longest_win),
            longest_loss: self.longest_loss.max(other.longest_loss),
            digest: self.digest.wrapping_add(other.digest),
        }
    }

    /// Returns the number of positions, at most `u64::MAX` for absurd counts.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.won.saturating_add(self.lost).saturating_add(self.drawn)
    }

    /// Returns the greatest distance of any position, in plies; 0 if all are drawn.
    #[must_use]
    pub fn longest(&self) -> Plies {
        self.longest_win.max(self.longest_loss)
    }
}

/// The numbering of a game table: one position after the other, in blocks of equally many slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameNumbering {
    positions: u64,
    slots: u32,
}

impl GameNumbering {
    /// The most slots of a block.
    pub const MAX_SLOTS: u32 = 1 << 16;
    /// The most blocks, so that the length of an index can be computed without overflow.
    pub const MAX_BLOCKS: u64 = 1 << 40;

    /// Creates the numbering of `positions` positions in blocks of `slots` slots.
    ///
    /// # Errors
    /// When there is no position, a block would have no slot or too many, or there would be too many blocks.
    pub const fn new(positions: u64, slots: u32) -> Result<GameNumbering, GameHeaderError> {
        if positions == 0 {
            return Err(GameHeaderError::NoPosition);
        }
        if slots == 0 || slots > GameNumbering::MAX_SLOTS {
            return Err(GameHeaderError::Slots { found: slots });
        }
        if positions.div_ceil(slots as u64) > GameNumbering::MAX_BLOCKS {
            return Err(GameHeaderError::Blocks { positions, slots });
        }
        Ok(GameNumbering { positions, slots })
    }

    /// Returns the number of positions.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Returns the number of slots of every block but the last.
    #[must_use]
    pub fn slots_per_block(&self) -> u32 {
        self.slots
    }

    /// Returns the number of blocks.
    #[must_use]
    pub fn block_count(&self) -> u64 {
        self.positions.div_ceil(self.slots.into())
    }

    /// Returns the positions of block number `block`; none if there is no such block.
    #[must_use]
    #[inline]
    pub fn positions_of(&self, block: u64) -> std::ops::Range<u64> {
        let place = |block: u64| block.saturating_mul(self.slots.into()).min(self.positions);
        place(block)..place(block.saturating_add(1))
    }

    /// Returns the location of the position with this number, or `None` if there is no such position.
    #[must_use]
    #[inline]
    pub fn locate(&self, position: u64) -> Option<Location> {
        if position >= self.positions {
            return None;
        }
        let (block, slot) = (position / u64::from(self.slots), (position % u64::from(self.slots)) as u32);
        let slots = (self.positions - (position - u64::from(slot))).min(self.slots.into()) as u32;
        Some(Location { block, slot, slots })
    }
}

/// Everything about a game table but its values.
///
/// ```
/// use dragnet_formats::header::{GameHeader, GameNumbering, GameSummary};
///
/// let header = GameHeader {
///     name: "nim".to_owned(),
///     key: 7,
///     numbering: GameNumbering::new(1000, 4096)?,
///     summary: GameSummary { drawn: 1000, ..GameSummary::default() },
/// };
/// assert_eq!(GameHeader::from_bytes(&header.to_bytes()?)?, header);
/// # Ok::<(), dragnet_formats::header::GameHeaderError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameHeader {
    /// The name of the game, for people: `graph` for a game on a graph.
    pub name: String,
    /// A number that tells games apart: for a game on a graph the sum that `FORMAT.md` §9 describes.
    pub key: u64,
    /// The number of positions, and their locations.
    pub numbering: GameNumbering,
    /// The counts, longest distances and digest.
    pub summary: GameSummary,
}

/// The reason why header bytes are not the header of a game table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameHeaderError {
    /// The bytes do not hold the fields.
    #[error("its fields cannot be read: {message}")]
    Fields {
        /// The message of bincode.
        message: String,
    },
    /// The table is not a game table.
    #[error("expected game {} (a game table), found game {found}", GameHeader::GAME)]
    Game {
        /// The number in the file.
        found: u32,
    },
    /// The name is too long.
    #[error("expected a name of at most {} bytes, found {found}", GameHeader::MAX_NAME)]
    NameLength {
        /// The length of the name in bytes.
        found: usize,
    },
    /// The name has characters that a terminal would obey.
    #[error("expected a name without control characters, found U+{found:04X} in it")]
    NameCharacter {
        /// The number of the first such character.
        found: u32,
    },
    /// There is no position.
    #[error("expected at least one position, found none")]
    NoPosition,
    /// No slot in a block, or too many.
    #[error("expected 1 to {} slots per block, found {found}", GameNumbering::MAX_SLOTS)]
    Slots {
        /// The number in the file.
        found: u32,
    },
    /// More blocks than a table can have.
    #[error(
        "expected at most {} blocks, found {positions} positions in blocks of {slots}",
        GameNumbering::MAX_BLOCKS
    )]
    Blocks {
        /// The number of positions.
        positions: u64,
        /// The number of slots per block.
        slots: u32,
    },
    /// The counts do not add up to the number of positions.
    #[error("expected won, lost and drawn positions to make {expected}, found {found}")]
    Counts {
        /// The number of positions.
        expected: u64,
        /// The sum of the counts.
        found: u64,
    },
}

/// The header's fields in the order and types of the file.
#[derive(Serialize, Deserialize)]
struct GameFields {
    game: u32,
    name: String,
    key: u64,
    positions: u64,
    slots: u32,
    summary: GameSummary,
}

fn unreadable(error: bincode::Error) -> GameHeaderError {
    GameHeaderError::Fields { message: error.to_string() }
}

fn options() -> impl Options {
    bincode::DefaultOptions::new().with_fixint_encoding().with_limit(MAX_HEADER_LEN.into())
}

impl GameHeader {
    /// The header's first field in a game table.
    pub const GAME: u32 = 1;
    /// The most bytes of a name.
    pub const MAX_NAME: usize = 255;
    /// The name of a game on a graph.
    pub const GRAPH: &str = "graph";

    /// Returns the header's bytes.
    ///
    /// # Errors
    /// When a reader would refuse them.
    pub fn to_bytes(&self) -> Result<Vec<u8>, GameHeaderError> {
        self.check()?;
        let fields = GameFields {
            game: GameHeader::GAME,
            name: self.name.clone(),
            key: self.key,
            positions: self.numbering.positions,
            slots: self.numbering.slots,
            summary: self.summary,
        };
        options().serialize(&fields).map_err(unreadable)
    }

    /// Reads the header in `bytes`. Allocates no more than their number.
    ///
    /// # Errors
    /// When the bytes are not a header whose table could exist.
    pub fn from_bytes(bytes: &[u8]) -> Result<GameHeader, GameHeaderError> {
        let fields: GameFields = options().deserialize(bytes).map_err(unreadable)?;
        if fields.game != GameHeader::GAME {
            return Err(GameHeaderError::Game { found: fields.game });
        }
        let header = GameHeader {
            name: fields.name,
            key: fields.key,
            numbering: GameNumbering::new(fields.positions, fields.slots)?,
            summary: fields.summary,
        };
        header.check()?;
        Ok(header)
    }

    /// Checks that a table may have this name.
    ///
    /// # Errors
    /// When the name is too long or has control characters.
    pub fn check_name(name: &str) -> Result<(), GameHeaderError> {
        if name.len() > GameHeader::MAX_NAME {
            return Err(GameHeaderError::NameLength { found: name.len() });
        }
        match name.chars().find(|c| c.is_control()) {
            Some(found) => Err(GameHeaderError::NameCharacter { found: found.into() }),
            None => Ok(()),
        }
    }

    fn check(&self) -> Result<(), GameHeaderError> {
        GameHeader::check_name(&self.name)?;
        let (expected, found) = (self.numbering.positions, self.summary.positions());
        if expected == found { Ok(()) } else { Err(GameHeaderError::Counts { expected, found }) }
    }

    /// Returns the number of positions.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.numbering.positions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn header(name: &str, positions: u64, slots: u32) -> GameHeader {
        let mut summary = GameSummary { drawn: positions, ..GameSummary::default() };
        summary.digest = 77;
        GameHeader {
            name: name.to_owned(),
            key: 0xFEED,
            numbering: GameNumbering::new(positions, slots).unwrap(),
            summary,
        }
    }

    /// The bytes of the header called "nim" with those from `at` on replaced.
    fn altered(at: usize, by: &[u8]) -> Result<GameHeader, GameHeaderError> {
        let mut bytes = header("nim", 9, 4).to_bytes().unwrap();
        assert_eq!(bytes.len(), 75);
        bytes[at..at + by.len()].copy_from_slice(by);
        GameHeader::from_bytes(&bytes)
    }

    #[test]
    fn every_check_of_a_game_header_fires() {
        use GameHeaderError as E;
        assert_eq!(altered(0, &[1]), Ok(header("nim", 9, 4)));
        assert_eq!(altered(0, &[0]), Err(E::Game { found: 0 }));
        assert_eq!(altered(0, &[2]), Err(E::Game { found: 2 }));
        for len in [2u64, 4, 1 << 20, u64::MAX] {
            assert!(matches!(altered(4, &len.to_le_bytes()), Err(E::Fields { .. })), "{len}");
        }
        assert!(matches!(altered(12, &[0xFF]), Err(E::Fields { .. })), "no UTF-8");
        assert_eq!(altered(13, &[0x1B]), Err(E::NameCharacter { found: 0x1B }));
        assert_eq!(altered(12, "\u{9B}".as_bytes()), Err(E::NameCharacter { found: 0x9B }));
        assert_eq!(altered(23, &[0]), Err(E::NoPosition));
        assert_eq!(altered(23, &[8]), Err(E::Counts { expected: 8, found: 9 }));
        assert_eq!(altered(31, &[0]), Err(E::Slots { found: 0 }));
        assert_eq!(altered(31, &[1, 0, 1]), Err(E::Slots { found: 65_537 }));
        let positions = (4 << 40) + 1u64;
        assert_eq!(altered(23, &positions.to_le_bytes()), Err(E::Blocks { positions, slots: 4 }));
        assert_eq!(altered(35, &[1]), Err(E::Counts { expected: 9, found: 10 }));
        assert_eq!(altered(35, &[0xFF; 16]), Err(E::Counts { expected: 9, found: u64::MAX }));
        let mut long = header("nim", 9, 4).to_bytes().unwrap();
        long.push(0);
        assert!(matches!(GameHeader::from_bytes(&long), Err(E::Fields { .. })));
        assert!(matches!(GameHeader::from_bytes(&long[..3]), Err(E::Fields { .. })));
        let name = "n".repeat(256);
        assert_eq!(header(&name, 9, 4).to_bytes(), Err(E::NameLength { found: 256 }));
        let mut longer = header(&name[..255], 9, 4).to_bytes().unwrap();
        longer[5] = 1;
        longer.splice(12..13, [b'n', b'n']);
        longer[4] = 0;
        assert_eq!(GameHeader::from_bytes(&longer), Err(E::NameLength { found: 256 }));
    }

    #[test]
    fn positions_fill_blocks_one_after_the_other() {
        for (positions, slots) in [(1, 1), (1, 65_536), (9, 4), (8, 4), (7, 1)] {
            let numbering = GameNumbering::new(positions, slots).unwrap();
            let mut expected = 0;
            for block in 0..numbering.block_count() {
                let range = numbering.positions_of(block);
                assert_eq!(range.start, expected);
                for (slot, position) in (0..).zip(range.clone()) {
                    let slots = (range.end - range.start) as u32;
                    assert_eq!(numbering.locate(position), Some(Location { block, slot, slots }));
                }
                expected = range.end;
            }
            assert_eq!(expected, positions);
            assert_eq!(numbering.locate(positions), None);
            assert!(numbering.positions_of(numbering.block_count()).is_empty());
            assert!(numbering.positions_of(u64::MAX).is_empty());
        }
    }

    proptest! {
        #[test]
        fn game_headers_round_trip(name in "[^\\x00-\\x1F\\x7F-\\u{9F}]{0,60}", positions in 1u64..1 << 56, key in any::<u64>()) {
            let header = GameHeader { key, ..header(&name, positions, 1 << 16) };
            prop_assert_eq!(GameHeader::from_bytes(&header.to_bytes().unwrap()), Ok(header));
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            let _ = GameHeader::from_bytes(&bytes);
            let _ = GameHeader::from_bytes(&[&[1, 0, 0, 0], &bytes[..]].concat());
        }
    }
}
