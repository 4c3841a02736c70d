//! The table of a given game, to be asked.

mod places;

use crate::{
    Choice, Options, ProbeError, ReadAt,
    block_reader::{BlockReader, Views},
    effort::Effort,
    position::Position,
    source::Source,
};
use bytes::Bytes;
use dragnet_formats::{
    cell::{Cell, Side},
    container::{BlockStatistics, TableError, index::IndexEntry},
    game::{DifferenceLists, ListsError, terminal},
    given::{GivenGame, source_text, truths},
    header::{GivenHeader, Section},
    moves::{Moves, TeamMoves, TooManySteps},
    numbering::{Location, Numbering, Place, TeamPlace},
    pieces::Pieces,
    stop::StopCheck,
    value::{Outcome, Successors, Value},
};
use places::PlaceNumbers;
use smallvec::SmallVec;
use std::{ops::ControlFlow, path::Path};

/// The table of a game that a program gave by its places, moves and ends, open to be asked by any number of
/// threads. It knows no board and no rules: all that it needs stands in the file.
///
/// The cells of a position are squares of the grid of the piece's kind: of its layers, one below the other.
/// [`GivenHeader`] has their names.
///
/// ```
/// use dragnet_probe::{Cell, GivenTable, Position, Side, Value};
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/round.dtb");
/// // A guard on a round of four cells who looks ahead, in a layer for each direction.
/// let table = GivenTable::open(path)?;
/// assert_eq!(table.header().officers.layers.len(), 4);
/// let position = Position::new(Cell::new(0, 0), Cell::new(2, 2), Side::Police);
/// for choice in table.best_moves(position)? {
///     println!("{} -> {:?}", choice.to, choice.value);
/// }
/// # Ok::<(), dragnet_probe::ProbeError>(())
/// ```
#[derive(Debug)]
pub struct GivenTable {
    blocks: BlockReader<GivenHeader, Bytes>,
    officer: KindMoves,
    thief: KindMoves,
    /// For each place of an officer where the thief is captured; `None` if that is the same square.
    captures: Option<DifferenceLists>,
    /// Whether an officer has arrived on each place; empty if on none.
    arrivals: Vec<bool>,
    /// Whether the thief has escaped on each place; empty if on none.
    escapes: Vec<bool>,
}

/// The places of a kind of pieces, and the moves between them.
#[derive(Debug)]
struct KindMoves {
    section: Section,
    places: PlaceNumbers,
    moves: DifferenceLists,
}

/// A cell of the thief, with its place in the table.
#[derive(Clone, Copy)]
struct PlacedThief {
    cell: Cell,
    place: Place,
    square: u32,
    escaped: bool,
}

/// A team of officers, with its place in the table.
#[derive(Clone, Copy)]
struct PlacedTeam {
    officers: Pieces,
    place: TeamPlace,
    arrived: bool,
}

impl GivenTable {
    /// Opens the table in a file, as safely as [`Table::open`](crate::Table::open) does. Reads the moves and
    /// ends of the game, and no values.
    ///
    /// # Errors
    /// When the file cannot be read or is no table of a given game.
    pub fn open(path: impl AsRef<Path>) -> Result<GivenTable, ProbeError> {
        GivenTable::open_with(path, Options::default())
    }

    /// Opens the table in a file like [`GivenTable::open`], with options.
    ///
    /// # Errors
    /// As for [`GivenTable::open`].
    pub fn open_with(path: impl AsRef<Path>, options: Options) -> Result<GivenTable, ProbeError> {
        GivenTable::of_blocks(BlockReader::in_source(Source::file(path.as_ref())?, options)?)
    }

    /// Opens the table in a source of your own: see [`Table::from_source`](crate::Table::from_source).
    ///
    /// # Errors
    /// When the source cannot be read or is no table of a given game.
    pub fn from_source_with(
        source: impl ReadAt + 'static,
        options: Options,
    ) -> Result<GivenTable, ProbeError> {
        GivenTable::of_blocks(BlockReader::in_source(Source::new(Box::new(source))?, options)?)
    }

    /// Opens the table in these bytes: a `Vec<u8>`, a `&'static [u8]` from `include_bytes!`, or [`Bytes`].
    ///
    /// # Errors
    /// When the bytes are no table of a given game.
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<GivenTable, ProbeError> {
        GivenTable::from_bytes_with(bytes, Options::default())
    }

    /// Opens the table in these bytes like [`GivenTable::from_bytes`], with options.
    ///
    /// # Errors
    /// As for [`GivenTable::from_bytes`].
    pub fn from_bytes_with(bytes: impl Into<Bytes>, options: Options) -> Result<GivenTable, ProbeError> {
        GivenTable::of_blocks(BlockReader::in_memory(bytes.into(), options)?)
    }

    fn of_blocks(blocks: BlockReader<GivenHeader, Bytes>) -> Result<GivenTable, ProbeError> {
        let header = blocks.structure().header();
        let [officers, thief] = [&header.officers, &header.thief].map(|kind| &kind.places);
        let lists = |section, count| {
            let lists = DifferenceLists::from_bytes(&section_bytes(&blocks, section)?, count);
            lists.map_err(|source| ProbeError::from(TableError::Section { section, source }))
        };
        let kind = |section, places| {
            let places = PlaceNumbers::new(places);
            Ok::<_, ProbeError>(KindMoves { section, moves: lists(section, places.count())?, places })
        };
        let ends = |section, places| {
            Ok::<_, ProbeError>(truths(section, &section_bytes(&blocks, section)?, places)?)
        };
        Ok(GivenTable {
            captures: match header.officers.lens.captures {
                0 => None,
                _ => Some(lists(Section::Captures, officers.count())?),
            },
            arrivals: ends(Section::Arrivals, officers)?,
            escapes: ends(Section::Escapes, thief)?,
            officer: kind(Section::OfficerMoves, officers)?,
            thief: kind(Section::ThiefMoves, thief)?,
            blocks,
        })
    }

    /// Returns the header: kinds of pieces with their places and layers, how a turn goes, tiles, counts.
    #[must_use]
    pub fn header(&self) -> &GivenHeader {
        self.blocks.structure().header()
    }

    /// Returns the numbering of the positions.
    #[must_use]
    pub fn numbering(&self) -> &Numbering {
        self.blocks.structure().numbering().positions()
    }

    /// Returns the number of bytes of the file.
    #[must_use]
    pub fn file_len(&self) -> u64 {
        self.blocks.structure().file_len()
    }

    /// Reads the whole game, as the program gave it, whose moves may take much memory: `check` may say that
    /// the work is to stop, which is [`ListsError::Stopped`].
    ///
    /// # Errors
    /// When the table is damaged or cannot be read, or the work is to stop.
    pub fn game(&self, check: &mut StopCheck) -> Result<GivenGame, ProbeError> {
        GivenGame::unpack(self.header(), |section| section_bytes(&self.blocks, section), check)
    }

    /// Reads the text from which the game was made; empty if there is none.
    ///
    /// # Errors
    /// When the table is damaged or cannot be read.
    pub fn source(&self) -> Result<String, ProbeError> {
        Ok(source_text(section_bytes(&self.blocks, Section::Source)?)?)
    }

    /// Returns the side that has won the position without a move, or `None` if the game goes on.
    ///
    /// # Errors
    /// When a piece stands where it has no place, or there are not as many officers as in the table.
    pub fn winner(&self, position: Position) -> Result<Option<Side>, ProbeError> {
        let (police, thief) = self.place(position)?;
        Ok(self.winner_of(&police, &thief))
    }

    /// Returns the value of a position for the side to move.
    ///
    /// # Errors
    /// When a piece stands where it has no place, there are not as many officers as in the table, the table
    /// is damaged or cannot be read, or the question needs too much work.
    pub fn value(&self, position: Position) -> Result<Value, ProbeError> {
        let (police, thief) = self.place(position)?;
        let mut lookup = self.lookup();
        match (self.winner_of(&police, &thief), position.turn) {
            (Some(winner), turn) => Ok(Value::terminal(winner, turn)),
            (None, Side::Police) => lookup.value(&police, &thief),
            (None, Side::Thief) => {
                let replies = self.thief_moves(&thief, &mut lookup.effort)?;
                lookup.before_replies(&police, &replies)
            }
        }
    }

    /// Returns who wins a position by force, as far as anybody does, else for whom it counts.
    ///
    /// # Errors
    /// As for [`GivenTable::value`].
    pub fn outcome(&self, position: Position) -> Result<Outcome, ProbeError> {
        Ok(self.value(position)?.outcome(position.turn).counted(self.header().undecided))
    }

    /// Returns all moves with their values, the best first. There is none in a position that is over.
    ///
    /// # Errors
    /// As for [`GivenTable::value`].
    pub fn best_moves(&self, position: Position) -> Result<Vec<Choice>, ProbeError> {
        let (police, thief) = self.place(position)?;
        let mut choices = Vec::new();
        if self.winner_of(&police, &thief).is_some() {
            return Ok(choices);
        }
        let mut lookup = self.lookup();
        let mut add = |to: Pieces, value, effort: &mut Effort| {
            choices.push(Choice { to, position: position.after(to), value });
            effort.take_move()
        };
        match position.turn {
            Side::Police => {
                let replies = self.thief_moves(&thief, &mut lookup.effort)?;
                for team in self.team_moves(&police.officers, &mut lookup.effort)? {
                    let team = self.place_team(team).ok_or_else(|| self.misplaced(position))?;
                    let value = match self.winner_of(&team, &thief) {
                        Some(winner) => Value::terminal(winner, Side::Thief),
                        None => lookup.before_replies(&team, &replies)?,
                    };
                    add(team.officers, value, &mut lookup.effort)?;
                }
            }
            Side::Thief => {
                for thief in self.thief_moves(&thief, &mut lookup.effort)? {
                    let value = match self.winner_of(&police, &thief) {
                        Some(winner) => Value::terminal(winner, Side::Police),
                        None => lookup.value(&police, &thief)?,
                    };
                    add(thief.cell.into(), value, &mut lookup.effort)?;
                }
            }
        }
        choices.sort_unstable_by(Choice::compare);
        Ok(choices)
    }

    /// Returns a best move, the first in reading order of several, or `None` if there is no move.
    ///
    /// # Errors
    /// As for [`GivenTable::value`].
    pub fn best_move(&self, position: Position) -> Result<Option<Choice>, ProbeError> {
        Ok(self.best_moves(position)?.into_iter().next())
    }

    /// Checks every checksum and the form of every block, until `progress` breaks it off: it is called after
    /// each block, with the number of blocks done and of all blocks.
    ///
    /// # Errors
    /// When the table is damaged or cannot be read, or `progress` stops the work: [`ProbeError::Stopped`].
    pub fn check_sums_while(
        &self,
        progress: impl FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<BlockStatistics, ProbeError> {
        self.blocks.check_while(progress)
    }

    /// Checks that the file has not been changed since it was opened, as far as the system can tell.
    ///
    /// # Errors
    /// [`ProbeError::Changed`] if it has.
    pub fn check_unchanged(&self) -> Result<(), ProbeError> {
        self.blocks.check_unchanged()
    }

    /// Puts the stored codes of a block into `codes`, slot by slot, whatever was there before. The codes of
    /// terminal positions have no meaning.
    ///
    /// # Errors
    /// When there is no such block, or the table is damaged or cannot be read.
    pub fn block_codes(&self, block: u64, codes: &mut Vec<u32>) -> Result<(), ProbeError> {
        self.blocks.codes(block, codes)
    }

    /// Returns the index entry of a block: blocks with the same entry and as many slots are equal.
    ///
    /// # Errors
    /// When there is no such block, or the index is damaged or cannot be read.
    pub fn block_entry(&self, block: u64) -> Result<IndexEntry, ProbeError> {
        self.blocks.entry(block)
    }

    /// Returns the bytes of memory that the table takes beside its cache: places, lists of moves, index.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let kinds = [&self.officer, &self.thief].map(|kind| kind.places.memory() + kind.moves.memory());
        let ends = self.captures.as_ref().map_or(0, DifferenceLists::memory)
            + self.arrivals.len()
            + self.escapes.len();
        let header = [&self.header().officers, &self.header().thief].map(|kind| kind.places.squares().len());
        let sums = [kinds, header].map(|two| two.iter().sum::<usize>());
        (size_of::<GivenTable>() + self.blocks.memory() + sums[0] + sums[1] + ends) as u64
    }

    fn lookup(&self) -> Lookup<'_> {
        Lookup { table: self, views: Views::new(&self.blocks), effort: Effort::new() }
    }

    fn place(&self, position: Position) -> Result<(PlacedTeam, PlacedThief), ProbeError> {
        match (self.place_team(position.police), self.place_thief(position.thief)) {
            (Some(police), Some(thief)) => Ok((police, thief)),
            _ => Err(self.misplaced(position)),
        }
    }

    fn place_team(&self, officers: Pieces) -> Option<PlacedTeam> {
        let place = self.numbering().police().place(&officers)?;
        let arrived = |&cell: &Cell| Some(self.arrivals[self.officer.places.of(cell)?.1]);
        let arrived = !self.arrivals.is_empty() && officers.iter().any(|cell| arrived(cell) == Some(true));
        Some(PlacedTeam { officers, place, arrived })
    }

    fn place_thief(&self, cell: Cell) -> Option<PlacedThief> {
        let (square, number) = self.thief.places.of(cell)?;
        let escaped = !self.escapes.is_empty() && self.escapes[number];
        Some(PlacedThief { cell, place: self.numbering().thief().place(cell)?, square, escaped })
    }

    #[cold]
    fn misplaced(&self, position: Position) -> ProbeError {
        let (expected, found) = (usize::from(self.header().officers.pieces), position.police.len());
        if expected != found {
            return ProbeError::Officers { expected, found };
        }
        let nowhere = |cell: &&Cell| self.officer.places.of(**cell).is_none();
        match position.police.iter().find(nowhere) {
            Some(&cell) => ProbeError::NoPlace { side: Side::Police, cell },
            None => ProbeError::NoPlace { side: Side::Thief, cell: position.thief },
        }
    }

    /// Returns the side that has won with these pieces.
    fn winner_of(&self, police: &PlacedTeam, thief: &PlacedThief) -> Option<Side> {
        let captured = match &self.captures {
            None => police.officers.contains(&thief.cell),
            Some(captures) => police.officers.iter().any(|&officer| {
                self.officer.places.of(officer).is_some_and(|(square, number)| {
                    let difference = thief.square as i32 - square as i32;
                    captures.of(number).binary_search(&difference).is_ok()
                })
            }),
        };
        terminal::winner(captured, thief.escaped, police.arrived)
    }

    fn thief_moves(
        &self,
        from: &PlacedThief,
        effort: &mut Effort,
    ) -> Result<SmallVec<[PlacedThief; 10]>, ProbeError> {
        let cells = self.thief.moves_from(from.cell, effort)?;
        // Cells to which a move leads are places.
        Ok(cells.into_iter().filter_map(|cell| self.place_thief(cell)).collect())
    }

    fn team_moves(&self, officers: &Pieces, effort: &mut Effort) -> Result<TeamMoves, ProbeError> {
        let mut moves = SmallVec::new();
        for &from in officers.iter() {
            moves.push(self.officer.moves_from(from, effort)?);
        }
        Ok(TeamMoves::new(self.header().team, officers, moves))
    }
}

impl KindMoves {
    /// Returns the cells to which a piece on the place `from` may move, rising.
    fn moves_from(&self, from: Cell, effort: &mut Effort) -> Result<Moves, ProbeError> {
        let Some((square, number)) = self.places.of(from) else { return Ok(Moves::new()) };
        let differences = self.moves.of(number);
        effort.steps = effort.steps.checked_sub(differences.len() as u64).ok_or(TooManySteps)?;
        let target = |&difference: &i32| {
            let target = self.places.cell(i64::from(square) + i64::from(difference));
            target.ok_or_else(|| {
                let source = ListsError::NoPlace { square, difference };
                TableError::Section { section: self.section, source }.into()
            })
        };
        differences.iter().map(target).collect()
    }
}

/// Reads the bytes of a section.
fn section_bytes(blocks: &BlockReader<GivenHeader, Bytes>, section: Section) -> Result<Vec<u8>, ProbeError> {
    let (mut bytes, mut codes) = (Vec::new(), Vec::new());
    for Location { block, .. } in blocks.structure().numbering().section(section) {
        blocks.codes(block, &mut codes)?;
        for &code in &codes {
            let source = ListsError::Field { expected: "bytes, of 0 to 255", found: code.into() };
            bytes.push(u8::try_from(code).map_err(|_| TableError::Section { section, source })?);
        }
    }
    Ok(bytes)
}

/// The work of one question.
struct Lookup<'a> {
    table: &'a GivenTable,
    views: Views<'a, GivenHeader, Bytes>,
    effort: Effort,
}

impl Lookup<'_> {
    /// Returns the value of a position that is not terminal, with the police to move.
    fn value(&mut self, police: &PlacedTeam, thief: &PlacedThief) -> Result<Value, ProbeError> {
        self.effort.take_value()?;
        self.views.value(self.table.numbering().location(police.place, thief.place), &mut self.effort)
    }

    /// Returns the value of a position that is not terminal, with the thief to move, who has these moves.
    fn before_replies(&mut self, police: &PlacedTeam, replies: &[PlacedThief]) -> Result<Value, ProbeError> {
        let mut successors = Successors::default();
        for thief in replies {
            successors.add(match self.table.winner_of(police, thief) {
                Some(winner) => Value::terminal(winner, Side::Police),
                None => self.value(police, thief)?,
            });
        }
        Ok(successors.value(self.table.header().stuck))
    }
}
