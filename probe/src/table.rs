//! A table that can be asked.

use crate::{
    ProbeError, PursuitTable, block_reader::BlockReader, effort::Effort, lookup::Lookup, position::Position,
    table_game::TableGame,
};
use dragnet_formats::{cell::Side, header::Header, value::Value};

/// The table of a pursuit game, open to be asked by any number of threads.
///
/// Every byte that an answer rests on has been checked against the table's checksums, in memory that nobody
/// else writes to. A damaged file, or one that is changed while the table is open, leads to errors and never
/// to a wrong answer.
///
/// ```
/// use dragnet_probe::{Cell, Open, Position, Side, Value};
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
/// let table = Open::path(path).pursuit()?;
/// let position = Position::new(Cell::new(0, 0), Cell::new(2, 1), Side::Police);
/// assert_eq!(table.value(position)?, Value::Win(5)); // the police, to move, wins in five plies
/// assert_eq!(table.best_moves(position)?[0].to.cell(), Cell::new(1, 0));
/// # Ok::<(), dragnet_probe::ProbeError>(())
/// ```
pub type Table = PursuitTable<Header>;

impl Table {
    /// Returns the value of the position for the side to move. At most one block is looked up with the police
    /// to move, one per thief move with the thief to move.
    ///
    /// ```
    /// use dragnet_probe::{Cell, Open, Outcome, Position, ProbeError, Side, Value};
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
    /// let table = Open::path(path).pursuit()?;
    /// let position = Position::new(Cell::new(0, 0), Cell::new(2, 3), Side::Thief);
    /// let value = table.value(position)?;
    /// assert_eq!((value, value.dtw()), (Value::Win(3), Some(3)));
    /// assert_eq!(value.outcome(position.turn), Outcome::Thief);
    ///
    /// let on_a_wall = Position { thief: Cell::new(1, 1), ..position };
    /// assert!(matches!(table.value(on_a_wall), Err(ProbeError::Position { side: Side::Thief, .. })));
    /// # Ok::<(), dragnet_probe::ProbeError>(())
    /// ```
    ///
    /// # Errors
    /// When a piece stands off the board or on a wall, or the table is damaged.
    #[inline]
    pub fn value(&self, position: Position) -> Result<Value, ProbeError> {
        let placement = self.placement();
        let Some((police, thief)) = placement.find(&position) else {
            return Err(placement.misplaced(&position));
        };
        match (placement.winner(&position.police, &police, &thief), position.turn) {
            (Some(winner), turn) => Ok(Value::terminal(winner, turn)),
            (None, Side::Police) => self.blocks.value(placement.location(&police, &thief)),
            (None, Side::Thief) => {
                self.lookup().with_thief_to_move(&position.police, &police, &thief, &mut Effort::new())
            }
        }
    }

    /// Returns the values of many positions, in their order. A block that is at hand is looked up in place.
    /// Each other one is read and decompressed once or twice, and the file is read from its beginning to its
    /// end, so that a batch is much quicker than single questions where blocks have to be decompressed or
    /// come from the disk. Takes at most 16 bytes of memory per position beside the values.
    ///
    /// ```
    /// use dragnet_probe::{Cell, Open, Position, Side, Value};
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
    /// let table = Open::path(path).pursuit()?;
    /// let at = |thief| Position::new(Cell::new(0, 0), thief, Side::Police);
    /// let values = table.values(&[at(Cell::new(2, 3)), at(Cell::new(2, 1)), at(Cell::new(0, 0))])?;
    /// assert_eq!(values, [Value::Loss(4), Value::Win(5), Value::Win(0)]);
    /// # Ok::<(), dragnet_probe::ProbeError>(())
    /// ```
    ///
    /// # Errors
    /// [`ProbeError::InBatch`] with the first position of which a piece stands off the board or on a wall, or
    /// else with one whose block is damaged.
    pub fn values(&self, positions: &[Position]) -> Result<Vec<Value>, ProbeError> {
        let in_batch = |index| move |error| ProbeError::InBatch { index, source: Box::new(error) };
        let placement = self.placement();
        let mut values = vec![Value::Draw; positions.len()];
        // The positions whose blocks must be read.
        let mut later = Vec::new();
        let mut lookup = None;
        for ((index, position), value) in positions.iter().enumerate().zip(&mut values) {
            // By reference: what is moved from one place in memory to another is waited for.
            let Some((police, thief)) = &placement.find(position) else {
                return Err(in_batch(index)(placement.misplaced(position)));
            };
            if let Some(winner) = placement.winner(&position.police, police, thief) {
                *value = Value::terminal(winner, position.turn);
                continue;
            }
            let at = placement.location(police, thief);
            match (self.blocks.value_at_hand(at), position.turn) {
                (Some(stored), Side::Police) => *value = stored,
                (Some(_), Side::Thief) => {
                    let lookup = lookup.get_or_insert_with(|| self.lookup());
                    match lookup.with_thief_to_move(&position.police, police, thief, &mut Effort::new()) {
                        Ok(derived) => *value = derived,
                        Err(_) => later.push((at.block, index)),
                    }
                }
                (None, _) => later.push((at.block, index)),
            }
        }
        later.sort_unstable();
        for (_, index) in later {
            let lookup = lookup.get_or_insert_with(|| self.lookup());
            let position = &positions[index];
            let placed = placement.find(position);
            let value = match (&placed, position.turn) {
                (Some((police, thief)), Side::Police) => lookup.value(police, thief, &mut Effort::new()),
                (Some((police, thief)), Side::Thief) => {
                    lookup.with_thief_to_move(&position.police, police, thief, &mut Effort::new())
                }
                (None, _) => unreachable!("a position that had a place"),
            };
            values[index] = value.map_err(in_batch(index))?;
        }
        Ok(values)
    }

    /// Returns the game.
    #[inline(always)]
    pub(crate) fn table_game(&self) -> &TableGame {
        &self.game
    }

    /// Returns the table's blocks.
    #[inline(always)]
    pub(crate) fn blocks(&self) -> &BlockReader<Header> {
        &self.blocks
    }

    /// Returns a lookup with no block at hand.
    #[inline(always)]
    pub(crate) fn lookup(&self) -> Lookup<'_> {
        Lookup::new(&self.blocks, self.placement())
    }
}
