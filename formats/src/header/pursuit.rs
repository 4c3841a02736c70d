//! The header of a pursuit table (`FORMAT.md` §3).

use super::{
    error::{HeaderError, MAX_HEADER_LEN},
    summary::Summary,
};
use crate::{
    bits,
    cell::{Cell, Side},
    compile::{Stage, StageKind},
    game::{OfficerKind, Places, Stuck, Team},
    numbering::{Location, Numbering, TileSize, Tiling},
    pieces::{Pieces, PiecesError},
    rules::Undecided,
    setting::Setting,
    team_numbers::TeamNumbers,
};
use bincode::Options;
use serde::{Deserialize, Serialize};

/// Everything about a pursuit table but its sections and its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The number of worlds, 1 to 4096.
    pub worlds: u32,
    /// The kinds of officers, of whom there are at most [`Pieces::MAX`]. None if the thief is alone.
    pub kinds: Vec<Kind>,
    /// The thief.
    pub thief: Kind,
    /// The number of officers that move in one turn.
    pub team: Team,
    /// The result for a side to move that has no move.
    pub stuck: Stuck,
    /// The side for which a position counts that neither side can win by force.
    pub undecided: Undecided,
    /// Counts, longest wins and digest of all positions.
    pub summary: Summary,
    /// The bytes of the section with the text from which the game was made; 0 if there is none.
    pub source_len: u32,
    /// The bytes of the section with the points at which squares are drawn; 0 if there is none.
    pub points_len: u32,
}

/// A kind of pieces: the officers, or the thief.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The name of the kind, for people.
    pub name: String,
    /// The number of its pieces, 1 to [`Pieces::MAX`]; 1 for the thief.
    pub pieces: u8,
    /// The names of its layers, at least one: boards that stand one below the other on its grid.
    pub layers: Vec<String>,
    /// The places of its grid.
    pub places: Places,
    /// The size of its tiles.
    pub tile: TileSize,
    /// The bytes of its sections.
    pub lens: SectionLens,
}

/// The bytes of the sections of a kind of pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SectionLens {
    /// The bytes of the moves.
    pub moves: u32,
    /// The bytes of the captures: 0 if an officer captures on the officer's own square alone. 0 for the
    /// thief.
    pub captures: u32,
    /// The bytes of the arrivals of officers, or the escapes of the thief; 0 if there are none.
    pub ends: u32,
}

/// A section of the file, with the number of the kind of officers that it is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Section {
    /// The moves of an officer.
    OfficerMoves(u8),
    /// The places of the thief that an officer captures.
    Captures(u8),
    /// The places where an officer has arrived.
    Arrivals(u8),
    /// The moves of the thief.
    ThiefMoves,
    /// The places where the thief has escaped.
    Escapes,
    /// The text from which the game was made.
    Source,
    /// The points at which squares are drawn.
    Points,
}

impl Section {
    /// The bytes of a block of a section, but for its last one.
    pub const BLOCK: u32 = 1 << 16;

    /// The most bytes of a section.
    pub const MAX_LEN: u32 = 1 << 25;

    /// Returns the sections of a table with so many kinds of officers, in the order in which they stand.
    pub fn all(kinds: usize) -> impl Iterator<Item = Section> {
        let of_kind = |kind| [Section::OfficerMoves(kind), Section::Captures(kind), Section::Arrivals(kind)];
        let last = [Section::ThiefMoves, Section::Escapes, Section::Source, Section::Points];
        (0..kinds as u8).flat_map(of_kind).chain(last)
    }

    /// Returns the place of the section among all.
    #[must_use]
    pub fn index(self, kinds: usize) -> usize {
        match self {
            Section::OfficerMoves(kind) => 3 * usize::from(kind),
            Section::Captures(kind) => 3 * usize::from(kind) + 1,
            Section::Arrivals(kind) => 3 * usize::from(kind) + 2,
            Section::ThiefMoves => 3 * kinds,
            Section::Escapes => 3 * kinds + 1,
            Section::Source => 3 * kinds + 2,
            Section::Points => 3 * kinds + 3,
        }
    }

    /// Returns the words for it in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Section::OfficerMoves(_) => "the moves of an officer",
            Section::Captures(_) => "the captures",
            Section::Arrivals(_) => "the arrivals",
            Section::ThiefMoves => "the moves of the thief",
            Section::Escapes => "the escapes",
            Section::Source => "the source",
            Section::Points => "the points",
        }
    }
}

/// The blocks of a pursuit table: those of positions, then those of sections.
#[derive(Clone, Debug)]
pub struct SectionedNumbering {
    positions: Numbering,
    kinds: usize,
    /// The length of each section.
    lens: Vec<u32>,
}

impl SectionedNumbering {
    /// Returns the numbering of the positions.
    #[must_use]
    #[inline(always)]
    pub fn positions(&self) -> &Numbering {
        &self.positions
    }

    /// Returns the number of blocks.
    #[must_use]
    pub fn block_count(&self) -> u64 {
        self.positions.block_count() + section_blocks(&self.lens)
    }

    /// Returns the number of slots of a block, or 0 if there is no such block.
    #[must_use]
    pub fn slots(&self, block: u64) -> u32 {
        let Some(mut after) = block.checked_sub(self.positions.block_count()) else {
            return self.positions.slots(block);
        };
        for &len in &self.lens {
            let blocks = blocks_of(len);
            if after < blocks {
                return Section::BLOCK.min(len - after as u32 * Section::BLOCK);
            }
            after -= blocks;
        }
        0
    }

    /// Returns the places of the bytes of a section, block by block: each with slot 0.
    pub fn section(&self, section: Section) -> impl Iterator<Item = Location> + '_ {
        let index = section.index(self.kinds);
        let first = self.positions.block_count() + section_blocks(&self.lens[..index]);
        let blocks = first..first + blocks_of(self.lens[index]);
        blocks.map(|block| Location { block, slot: 0, slots: self.slots(block) })
    }

    /// Returns the number of slots of all blocks together.
    #[must_use]
    pub fn slot_count(&self) -> u64 {
        self.positions.slot_count().saturating_add(self.lens.iter().map(|&len| u64::from(len)).sum())
    }
}

fn blocks_of(len: u32) -> u64 {
    len.div_ceil(Section::BLOCK).into()
}

fn section_blocks(lens: &[u32]) -> u64 {
    lens.iter().map(|&len| blocks_of(len)).sum()
}

/// The fields in the order in which the file has them.
#[derive(Serialize, Deserialize)]
struct Fields {
    table: u32,
    keeps: u32,
    worlds: u32,
    rows: u16,
    columns: u16,
    kinds: Vec<KindFields>,
    thief: KindFields,
    team: Team,
    stuck: Stuck,
    undecided: Undecided,
    summary: Summary,
    source_len: u32,
    points_len: u32,
}

#[derive(Serialize, Deserialize)]
struct KindFields {
    name: Vec<u8>,
    pieces: u8,
    layers: Vec<Vec<u8>>,
    places: Vec<u8>,
    tile: (u8, u8),
    lens: (u32, u32, u32),
}

/// The field `keeps` of a table of values.
const VALUES: u32 = 0;
/// The most bytes of a source.
const MAX_SOURCE: u32 = 1 << 22;
/// The most squares of a board.
const MAX_BOARD: u32 = 1 << 20;
/// The most squares of the grid of a kind in all worlds together.
const MAX_GRID: u64 = 1 << 22;
/// The most worlds.
const MAX_WORLDS: u32 = 1 << 12;
/// The most layers of a kind.
const MAX_LAYERS: usize = 256;
/// The most bytes of a name.
const MAX_NAME: usize = 255;

impl Header {
    /// Returns the kinds of officers, and the thief behind them.
    pub fn all_kinds(&self) -> impl Iterator<Item = &Kind> {
        self.kinds.iter().chain([&self.thief])
    }

    /// Returns the number of officers.
    #[must_use]
    #[inline]
    pub fn officers(&self) -> u8 {
        self.kinds.iter().map(|kind| kind.pieces).sum()
    }

    /// Returns the kinds of officers as a game has them.
    #[must_use]
    pub fn officer_kinds(&self) -> Vec<OfficerKind> {
        let kind = |kind: &Kind| OfficerKind { pieces: kind.pieces, rows: kind.places.height() };
        self.kinds.iter().map(kind).collect()
    }

    /// Returns the places of the pieces of `side`, those of several kinds on grids one below the other.
    #[must_use]
    pub fn places(&self, side: Side) -> Places {
        match (side, &self.kinds[..]) {
            (Side::Thief, _) => self.thief.places.clone(),
            (Side::Police, [kind]) => kind.places.clone(),
            (Side::Police, kinds) => Places::stacked(self.columns(), kinds.iter().map(|kind| &kind.places)),
        }
    }

    /// Returns whether a piece of `side` may stand on a cell of the grid of [`Header::places`]; `false` off
    /// it.
    #[must_use]
    pub fn is_place(&self, side: Side, cell: Cell) -> bool {
        if side == Side::Thief {
            return self.thief.places.is_place(cell);
        }
        let mut row = cell.row;
        for Kind { places, .. } in &self.kinds {
            match row.checked_sub(places.height()) {
                Some(below) => row = below,
                None => return places.is_place(Cell::new(row, cell.col)),
            }
        }
        false
    }

    /// Returns the names of the layers of `side`, those of several kinds one after the other.
    pub fn layers(&self, side: Side) -> impl Iterator<Item = &str> {
        let kinds = match side {
            Side::Police => &self.kinds[..],
            Side::Thief => std::slice::from_ref(&self.thief),
        };
        kinds.iter().flat_map(|kind| &kind.layers).map(String::as_str)
    }

    /// Returns the sizes of the tiles of the first kind of officers and of the thief; those of the thief for
    /// both if he is alone.
    #[must_use]
    pub fn tiles(&self) -> [TileSize; 2] {
        [self.kinds.first().unwrap_or(&self.thief).tile, self.thief.tile]
    }

    /// Returns the rows of the largest grid.
    #[must_use]
    pub fn height(&self) -> u16 {
        self.all_kinds().map(|kind| kind.places.height()).max().unwrap_or(1)
    }

    /// Returns the columns of the board.
    #[must_use]
    pub fn columns(&self) -> u16 {
        self.thief.places.width()
    }

    /// Creates the header of the game of a setting without sections, with a summary of draws: as far as it is
    /// known before the game is compiled.
    ///
    /// # Errors
    /// When no piece can stand anywhere, the tiles are too large, or there are too many positions.
    pub fn of_setting(setting: &Setting, tiles: [TileSize; 2]) -> Result<Header, HeaderError> {
        let (stage, rules) = (Stage::new(setting), &setting.rules);
        let kind = |side: Side, kind: &StageKind<'_>| Kind {
            name: kind.name.clone(),
            pieces: kind.pieces,
            layers: kind.layer_names(side, rules),
            places: kind.places.clone(),
            tile: tiles[side as usize],
            // Lists of captures are needed where officers have other places; nobody knows their lengths yet.
            lens: SectionLens {
                captures: u32::from(kind.places != stage.thief.places),
                ..SectionLens::default()
            },
        };
        let mut header = Header {
            worlds: u32::try_from(setting.worlds().count()).unwrap_or(u32::MAX),
            kinds: stage.officers.iter().map(|officers| kind(Side::Police, officers)).collect(),
            thief: kind(Side::Thief, &stage.thief),
            team: rules.team,
            stuck: rules.stuck,
            undecided: rules.undecided,
            summary: Summary::default(),
            source_len: 0,
            points_len: 0,
        };
        header.summary = Summary::of_draws(header.side_positions()?);
        header.check()?;
        Ok(header)
    }

    /// Returns the header's bytes.
    ///
    /// # Errors
    /// When a reader would refuse them.
    pub fn to_bytes(&self) -> Result<Vec<u8>, HeaderError> {
        self.to_bytes_keeping(VALUES)
    }

    /// Returns the bytes of the header of a table that keeps what this number stands for.
    pub(super) fn to_bytes_keeping(&self, keeps: u32) -> Result<Vec<u8>, HeaderError> {
        self.check()?;
        let first = self.kinds.first().unwrap_or(&self.thief);
        let later = |kind: &Kind| kind.fields(kind.places == first.places);
        let others = self.kinds.iter().skip(1).map(later);
        let fields = Fields {
            table: 0,
            keeps,
            worlds: self.worlds,
            rows: self.rows(),
            columns: self.columns(),
            kinds: self.kinds.first().map(|kind| kind.fields(false)).into_iter().chain(others).collect(),
            thief: if self.kinds.is_empty() { self.thief.fields(false) } else { later(&self.thief) },
            team: self.team,
            stuck: self.stuck,
            undecided: self.undecided,
            summary: self.summary,
            source_len: self.source_len,
            points_len: self.points_len,
        };
        options().serialize(&fields).map_err(|error| unreadable(&error))
    }

    /// Reads a header. Takes memory in proportion to the bytes.
    ///
    /// # Errors
    /// When the bytes are not a header whose table could exist.
    pub fn from_bytes(bytes: &[u8]) -> Result<Header, HeaderError> {
        match Header::from_bytes_with_keeps(bytes)? {
            (header, VALUES) => Ok(header),
            (_, found) => {
                Err(HeaderError::Field { expected: "a table that keeps 0 (values)", found: found.into() })
            }
        }
    }

    /// Reads a header and the number of what its table keeps.
    pub(super) fn from_bytes_with_keeps(bytes: &[u8]) -> Result<(Header, u32), HeaderError> {
        let fields: Fields = options().deserialize(bytes).map_err(|error| unreadable(&error))?;
        let field = |expected, found: u32| Err(HeaderError::Field { expected, found: found.into() });
        if fields.table != 0 {
            return field("table 0 (pursuit)", fields.table);
        }
        let found = fields.kinds.len();
        if found > Pieces::MAX {
            return Err(HeaderError::Field { expected: "at most 6 kinds of officers", found: found as u64 });
        }
        let grid = (fields.rows, fields.columns);
        let mut kinds: Vec<Kind> = Vec::new();
        for kind in fields.kinds {
            kinds.push(Kind::read(kind, grid, kinds.first())?);
        }
        let header = Header {
            worlds: fields.worlds,
            thief: Kind::read(fields.thief, grid, kinds.first())?,
            kinds,
            team: fields.team,
            stuck: fields.stuck,
            undecided: fields.undecided,
            summary: fields.summary,
            source_len: fields.source_len,
            points_len: fields.points_len,
        };
        header.check()?;
        Ok((header, fields.keeps))
    }

    fn check(&self) -> Result<(), HeaderError> {
        let thief = &self.thief;
        let field = |expected, found: u64| Err(HeaderError::Field { expected, found });
        if self.worlds == 0 || self.worlds > MAX_WORLDS {
            return field("1 to 4096 worlds", self.worlds.into());
        }
        for kind in self.all_kinds() {
            kind.check()?;
            Header::check_squares(self.worlds, &kind.places)?;
        }
        if thief.pieces != 1 {
            return field("1 thief", thief.pieces.into());
        }
        let found: usize = self.kinds.iter().map(|kind| usize::from(kind.pieces)).sum();
        if found > Pieces::MAX {
            return Err(PiecesError { found }.into());
        }
        let rows = self.kinds.iter().map(|kind| u64::from(kind.places.height())).sum();
        if rows > u16::MAX.into() {
            return field("at most 65,535 rows of the grids of all officers", rows);
        }
        let found = u32::from(thief.rows()) * u32::from(thief.places.width());
        let board = (thief.rows(), thief.places.width());
        if self.kinds.iter().any(|kind| (kind.rows(), kind.places.width()) != board) {
            return field("the same board for officers and thief", found.into());
        }
        if found > MAX_BOARD {
            return field("a board of at most 1,048,576 squares", found.into());
        }
        if thief.lens.captures != 0 {
            return field("no captures by the thief", thief.lens.captures.into());
        }
        if self.kinds.iter().any(|kind| kind.lens.captures == 0 && kind.places != thief.places) {
            return field("captures, since officers and thief have different places", 0);
        }
        for kind in self.all_kinds() {
            let places = self.worlds as usize * kind.places.count();
            let (found, bits) = (kind.lens.ends, places.div_ceil(8));
            if found != 0 && u64::from(found) != bits as u64 {
                return field("a bit for each place that ends the game, or nothing", found.into());
            }
        }
        for len in self.section_lens() {
            if len > Section::MAX_LEN {
                return field("a section of at most 33,554,432 bytes", len.into());
            }
        }
        if self.source_len > MAX_SOURCE {
            return field("a source of at most 4,194,304 bytes", self.source_len.into());
        }
        let points = 8 * found;
        if self.points_len != 0 && self.points_len != points {
            return field("8 bytes for the point of each square of the board", self.points_len.into());
        }
        Numbering::check(self.kinds.iter().map(|kind| (kind.pieces, kind.tile)), thief.tile)?;
        check_counts(&self.summary, self.side_positions()?)
    }

    /// Checks that a header can say places in so many worlds.
    pub(crate) fn check_squares(worlds: u32, places: &Places) -> Result<(), HeaderError> {
        let found = u64::from(worlds) * places.squares().len() as u64;
        let expected = "a grid of at most 4,194,304 squares in all worlds together";
        if found > MAX_GRID { Err(HeaderError::Field { expected, found }) } else { Ok(()) }
    }

    /// Returns the number of rows of the board.
    #[must_use]
    pub fn rows(&self) -> u16 {
        self.thief.rows()
    }

    /// Returns the sections of the table, in the order in which they stand.
    pub fn sections(&self) -> impl Iterator<Item = Section> + use<> {
        Section::all(self.kinds.len())
    }

    /// Returns the lengths of all sections, in their order.
    pub(crate) fn section_lens(&self) -> Vec<u32> {
        let of_kind = |kind: &Kind| [kind.lens.moves, kind.lens.captures, kind.lens.ends];
        let last = [self.thief.lens.moves, self.thief.lens.ends, self.source_len, self.points_len];
        self.kinds.iter().flat_map(of_kind).chain(last).collect()
    }

    /// Returns the bytes of memory that the kinds take.
    #[must_use]
    pub fn memory(&self) -> usize {
        let kind = |kind: &Kind| size_of_val(&kind.layers[..]) + kind.places.squares().len();
        size_of_val(&self.kinds[..]) + self.all_kinds().map(kind).sum::<usize>()
    }

    /// Returns the numbers of the teams in one world.
    #[must_use]
    pub fn team_numbers(&self) -> TeamNumbers {
        TeamNumbers::new(self.kinds.iter().map(|kind| (kind.places.count() as u32, kind.pieces)))
    }

    /// Returns the number of positions with one side to move.
    ///
    /// # Errors
    /// When no table could hold them.
    pub fn side_positions(&self) -> Result<u64, HeaderError> {
        let teams = self.team_numbers().count().saturating_mul(self.worlds.into());
        let cells = self.thief.places.count() as u64;
        let positions = teams.checked_mul(cells).filter(|&positions| positions <= 1 << 60);
        positions.ok_or(HeaderError::TooManyPositions { teams, cells })
    }

    /// Returns the number of all positions.
    #[must_use]
    pub fn positions(&self) -> u64 {
        2 * self.summary.police_to_move.total()
    }

    /// Returns the blocks of positions that begin the file.
    fn position_blocks(&self) -> u64 {
        let tiles = |kind: &Kind| Tiling::count(&kind.places, kind.tile);
        let police = TeamNumbers::new(self.kinds.iter().map(|kind| (tiles(kind), kind.pieces)));
        u64::from(self.worlds) * police.count() * u64::from(tiles(&self.thief))
    }

    /// Returns the number of blocks, of positions and of sections.
    #[must_use]
    pub fn block_count(&self) -> u64 {
        self.position_blocks() + section_blocks(&self.section_lens())
    }

    /// Creates the numbering of the blocks.
    #[must_use]
    pub fn numbering(&self) -> SectionedNumbering {
        let tiles = self.kinds.iter().map(|kind| kind.tile);
        let kinds: Vec<_> = self.officer_kinds().into_iter().zip(tiles).collect();
        let places = [&self.places(Side::Police), &self.thief.places];
        SectionedNumbering {
            positions: Numbering::new(self.worlds, places, &kinds, self.thief.tile),
            kinds: kinds.len(),
            lens: self.section_lens(),
        }
    }
}

impl Kind {
    /// The name of the officers, if a game has no other.
    pub const OFFICER: &'static str = "officer";
    /// The name of the thief, if a game has no other.
    pub const THIEF: &'static str = "thief";

    /// Returns the rows of the board: those of a layer.
    fn rows(&self) -> u16 {
        self.places.height() / self.layers.len() as u16
    }

    fn check(&self) -> Result<(), HeaderError> {
        let field = |expected, found: u64| Err(HeaderError::Field { expected, found });
        if self.pieces == 0 || usize::from(self.pieces) > Pieces::MAX {
            return Err(PiecesError { found: self.pieces.into() }.into());
        }
        for name in self.layers.iter().chain([&self.name]) {
            if name.len() > MAX_NAME || name.chars().any(char::is_control) {
                return field("names of at most 255 bytes without control characters", name.len() as u64);
            }
        }
        let layers = self.layers.len();
        if layers == 0 || layers > MAX_LAYERS {
            return field("1 to 256 layers", layers as u64);
        }
        if usize::from(self.places.height()) % layers != 0 {
            return field("equally many rows in each layer", self.places.height().into());
        }
        if self.places.count() == 0 {
            return Err(HeaderError::NoOpenCell);
        }
        Ok(())
    }

    /// Returns the fields of the header; without the places, if they are the `same` as those of the kind
    /// before.
    fn fields(&self, same: bool) -> KindFields {
        KindFields {
            name: self.name.as_bytes().to_vec(),
            pieces: self.pieces,
            layers: self.layers.iter().map(|name| name.as_bytes().to_vec()).collect(),
            places: if same { Vec::new() } else { bits::pack(self.places.squares()) },
            tile: (self.tile.rows(), self.tile.cols()),
            lens: (self.lens.moves, self.lens.captures, self.lens.ends),
        }
    }

    /// Reads a kind on a board of so many rows and columns, whose places may be those of the kind `first`.
    fn read(
        fields: KindFields,
        (rows, columns): (u16, u16),
        first: Option<&Kind>,
    ) -> Result<Kind, HeaderError> {
        let field = |expected, found: u64| HeaderError::Field { expected, found };
        let text = |bytes: Vec<u8>| {
            let len = bytes.len() as u64;
            String::from_utf8(bytes).map_err(|_| field("names in UTF-8", len))
        };
        let layers = fields.layers.len();
        let grid = u16::try_from(usize::from(rows) * layers.min(MAX_LAYERS + 1)).ok();
        let (Some(height), true) = (grid.filter(|&height| height > 0), columns > 0) else {
            let found = u64::from(rows) * layers as u64;
            return Err(field("1 to 65,535 rows of the grid and at least a column", found));
        };
        let squares = usize::from(height) * usize::from(columns);
        let places = match first.filter(|_| fields.places.is_empty()) {
            Some(first) if first.places.height() == height => first.places.clone(),
            Some(_) => return Err(field("places, since the first kind has another grid", 0)),
            None => {
                let squares = bits::unpack(&fields.places, squares);
                let found = fields.places.len() as u64;
                let squares = squares.ok_or(field("a bit for each square of the grid", found))?;
                Places::new(height, columns, squares)
            }
        };
        let (moves, captures, ends) = fields.lens;
        Ok(Kind {
            name: text(fields.name)?,
            pieces: fields.pieces,
            layers: fields.layers.into_iter().map(text).collect::<Result<_, _>>()?,
            places,
            tile: TileSize::new(fields.tile.0, fields.tile.1)?,
            lens: SectionLens { moves, captures, ends },
        })
    }
}

fn options() -> impl Options + Copy {
    bincode::DefaultOptions::new().with_fixint_encoding().with_limit(MAX_HEADER_LEN.into())
}

fn unreadable(error: &bincode::ErrorKind) -> HeaderError {
    match error {
        bincode::ErrorKind::SizeLimit => HeaderError::TooLong,
        error => HeaderError::Fields { message: error.to_string() },
    }
}

/// Checks that the counts of each side are of so many positions.
fn check_counts(summary: &Summary, expected: u64) -> Result<(), HeaderError> {
    for counts in [summary.police_to_move, summary.thief_to_move] {
        if counts.total() != expected {
            return Err(HeaderError::Counts { expected, found: counts.total() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbering::tile;
    use proptest::prelude::*;

    /// Two officers on two layers of a board of 2×3 squares, and a thief on one.
    fn sample() -> Header {
        let kind = |name: &str, pieces, layers: &[&str], squares: &str, lens| Kind {
            name: name.to_owned(),
            pieces,
            layers: layers.iter().map(|&name| name.to_owned()).collect(),
            places: Places::new(
                2 * layers.len() as u16,
                3,
                squares.bytes().map(|byte| byte == b'.').collect(),
            ),
            tile: tile(4, 4),
            lens,
        };
        let lens = |moves, captures, ends| SectionLens { moves, captures, ends };
        let mut header = Header {
            worlds: 1,
            kinds: vec![kind("guard", 2, &["up", "down"], ".#..##.#.#.#", lens(70_000, 7, 1))],
            thief: kind("thief", 1, &[""], "......", lens(9, 0, 0)),
            team: Team::One,
            stuck: Stuck::Wins,
            undecided: Undecided::Thief,
            summary: Summary::default(),
            source_len: 3,
            points_len: 48,
        };
        header.summary = Summary::of_draws(header.side_positions().unwrap());
        header
    }

    #[test]
    fn sections_follow_the_positions_block_by_block() {
        let header = sample();
        assert_eq!(Header::from_bytes(&header.to_bytes().unwrap()), Ok(header.clone()));
        assert_eq!((header.positions(), header.rows()), (2 * 21 * 6, 2));
        let numbering = header.numbering();
        let slots: Vec<u32> = (0..header.block_count()).map(|block| numbering.slots(block)).collect();
        // 6 places of officers, 21 teams, against 6 cells; then moves in two blocks, and the others.
        assert_eq!(slots, [21 * 6, 65_536, 4_464, 7, 1, 9, 3, 48]);
        assert_eq!((numbering.block_count(), numbering.slots(8)), (8, 0));
        assert_eq!(numbering.slot_count(), 21 * 6 + 70_000 + 7 + 1 + 9 + 3 + 48);
        let blocks: Vec<Vec<_>> = (header.sections())
            .map(|section| numbering.section(section).map(|at| (at.block, at.slots)).collect())
            .collect();
        assert_eq!(blocks[0], [(1, 65_536), (2, 4_464)]);
        assert_eq!(
            (&blocks[4][..], &blocks[5][..], &blocks[6][..]),
            (&[][..], &[(6, 3)][..], &[(7, 48)][..])
        );
    }

    #[test]
    fn every_check_of_a_header_fires() {
        let refused = |change: fn(&mut Header)| {
            let mut header = sample();
            change(&mut header);
            header.to_bytes().unwrap_err()
        };
        let field = |change| match refused(change) {
            HeaderError::Field { expected, .. } => expected,
            other => panic!("{other}"),
        };
        assert!(matches!(refused(|header| header.kinds[0].pieces = 0), HeaderError::Pieces(_)));
        assert!(matches!(refused(|header| header.kinds[0].pieces = 7), HeaderError::Pieces(_)));
        assert!(matches!(refused(|header| header.kinds[0].pieces = 4), HeaderError::Slots(_)));
        assert!(matches!(
            refused(|header| header.summary = Summary::of_draws(5)),
            HeaderError::Counts { .. }
        ));
        let walls = |header: &mut Header| header.thief.places = Places::new(2, 3, vec![false; 6]);
        assert_eq!(refused(walls), HeaderError::NoOpenCell);
        assert_eq!(field(|header| header.thief.pieces = 2), "1 thief");
        let low = |header: &mut Header| header.thief.places = Places::new(1, 6, vec![true; 6]);
        assert_eq!(field(low), "the same board for officers and thief");
        assert_eq!(field(|header| header.thief.lens.captures = 1), "no captures by the thief");
        let captures = "captures, since officers and thief have different places";
        assert_eq!(field(|header| header.kinds[0].lens.captures = 0), captures);
        let long = "a section of at most 33,554,432 bytes";
        assert_eq!(field(|header| header.thief.lens.moves = (1 << 25) + 1), long);
        let ends = "a bit for each place that ends the game, or nothing";
        assert_eq!(field(|header| header.kinds[0].lens.ends = 2), ends);
        let source = "a source of at most 4,194,304 bytes";
        assert_eq!(field(|header| header.source_len = (1 << 22) + 1), source);
        let points = "8 bytes for the point of each square of the board";
        assert_eq!(field(|header| header.points_len = 47), points);
        let names = "names of at most 255 bytes without control characters";
        assert_eq!(field(|header| header.thief.name = "x".repeat(256)), names);
        assert_eq!(field(|header| header.kinds[0].layers[1].push('\n')), names);
        assert_eq!(field(|header| header.thief.layers.clear()), "1 to 256 layers");
        let uneven = "equally many rows in each layer";
        assert_eq!(field(|header| header.kinds[0].layers.push(String::new())), uneven);
        assert_eq!(field(|header| header.worlds = 0), "1 to 4096 worlds");
        assert_eq!(field(|header| header.worlds = 4097), "1 to 4096 worlds");
        assert_eq!(field(|header| header.worlds = 2), ends);
        let worlds = |header: &mut Header| (header.worlds, header.kinds[0].lens.ends) = (2, 2);
        assert!(matches!(refused(worlds), HeaderError::Counts { .. }));
    }

    #[test]
    fn what_is_not_read_yet_is_refused_by_name() {
        let altered = |at: usize, byte| {
            let mut bytes = sample().to_bytes().unwrap();
            bytes[at] = byte;
            Header::from_bytes(&bytes).unwrap_err().to_string()
        };
        assert_eq!(altered(0, 1), "expected table 0 (pursuit), found 1");
        assert_eq!(altered(4, 2), "expected a table that keeps 0 (values), found 2");
        // The columns, and the first letter of the name.
        assert_eq!(altered(14, 0), "expected 1 to 65,535 rows of the grid and at least a column, found 4");
        assert_eq!(altered(14, 6), "expected a bit for each square of the grid, found 2");
        assert_eq!(altered(32, 0xFF), "expected names in UTF-8, found 5");
    }

    proptest! {
        /// No bytes make the reader panic, whether they are any or those of a header with one altered.
        #[test]
        fn any_bytes_are_read_or_refused(
            bytes in prop::collection::vec(any::<u8>(), 0..300), at in any::<prop::sample::Index>(),
            byte in any::<u8>(),
        ) {
            let _ = Header::from_bytes(&bytes);
            let mut bytes = sample().to_bytes().unwrap();
            let at = at.index(bytes.len());
            bytes[at] = byte;
            if let Ok(header) = Header::from_bytes(&bytes) {
                prop_assert_eq!(header.to_bytes(), Ok(bytes));
            }
        }
    }
}
