//! Tables of boards with doors that are to be made: all that is known of them before a game is solved.

use crate::{
    plan::graph_memory_needed,
    table::{
        encode::{self, Encoding},
        game_table::header,
    },
};
use dragnet_formats::{
    doors::DoorBoard,
    header::{GameHeader, GameHeaderError},
};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_128;

/// A table of a board with doors to be made: the game, and how its table is encoded.
///
/// ```
/// use dragnet_formats::{board::make, cell::Cell, doors::{Door, DoorBoard, Opening, Schedule}, rules::Rules};
/// use dragnet_generator::{DoorPlan, encode::Encoding};
///
/// let gate = Door { cell: Cell::new(8, 8), opening: Opening::Schedule(Schedule::new("..##")?) };
/// let game = DoorBoard::new(make::open(16, 16)?, Rules::classic(), vec![gate])?;
/// let plan = DoorPlan::new(game, Encoding::default())?;
/// assert_eq!(plan.positions(), 4 * 2 * 256 * 256);
/// assert!((20 << 20..200 << 20).contains(&plan.memory_needed(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DoorPlan {
    header: GameHeader,
    game: Arc<DoorBoard>,
    encoding: Encoding,
    key: u128,
}

impl DoorPlan {
    /// Plans the table of `game`.
    ///
    /// # Errors
    /// When no table could hold it.
    pub fn new(game: DoorBoard, encoding: Encoding) -> Result<DoorPlan, GameHeaderError> {
        let game = Arc::new(game);
        let mut header = header(game.positions(), GameHeader::DOORS, encoding)?;
        header.doors = Some(Arc::clone(&game));
        header.summary.drawn = game.positions();
        let mut bytes = header.to_bytes()?;
        bytes.extend(format!("{:?} {}", encoding.favour, encoding.level).bytes());
        Ok(DoorPlan { header, game, encoding, key: xxh3_128(&bytes) })
    }

    /// Returns the header of the table as if every position were a draw, without the game's key.
    #[must_use]
    pub fn header(&self) -> &GameHeader {
        &self.header
    }

    /// Returns the game.
    #[must_use]
    pub fn game(&self) -> &DoorBoard {
        &self.game
    }

    /// Returns how the blocks are encoded.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns the number of positions, in all states of the doors and with both sides to move.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.game.positions()
    }

    /// Returns a hash of all that the bytes of the table depend on: board, rules, doors and encoding.
    #[must_use]
    pub fn key(&self) -> u128 {
        self.key
    }

    /// Returns the most bytes of memory that a process takes which makes this table with `threads` threads.
    /// An estimate from above.
    #[must_use]
    pub fn memory_needed(&self, threads: usize) -> u64 {
        graph_memory_needed(self.positions(), self.game.moves(), threads)
            .saturating_add(encode::ENCODER.saturating_mul(threads as u64))
            .saturating_add(self.game.memory() as u64)
    }
}
