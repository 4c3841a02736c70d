//! The game of a pursuit table, as its sections say it: moves and ends.

use crate::{ProbeError, Work, effort::Effort, place_numbers::PlaceNumbers, position::Destination};
use dragnet_formats::{
    board::{Board, Square},
    cell::{Cell, Side},
    container::TableError,
    game::{
        DifferenceLists, ListsError, MoveTable, Span,
        kind_rows::{self, join_rows},
        terminal::TerminalRule,
    },
    header::{Header, Kind, Section},
    moves::TooManySteps,
    setting::Setting,
    stop::StopCheck,
    stored::{source_text, terminal_rule, truths},
};
use smallvec::SmallVec;
use std::sync::OnceLock;

/// Where a piece may move; for most rules without heap memory.
pub(crate) type Targets = SmallVec<[Destination; 10]>;

/// The most captures in the terminal rule of a table, over all places of officers in all worlds, 4 bytes
/// each. A few hundred bytes of a table can stand for thousands of millions. A guard who looks in one of four
/// directions and sees 250 cells has so many on an open board of 256x256.
pub(crate) const MOST_CAPTURES: u32 = 1 << 26;

/// The moves and ends of a game, and the text from which it was made.
#[derive(Debug)]
pub(crate) struct TableGame {
    worlds: u32,
    /// The kinds of officers.
    kinds: Vec<KindGame>,
    thief: KindGame,
    /// Whether an officer captures the thief on the officer's own square alone: they have one kind, and the
    /// thief's places.
    captures_here: bool,
    source: String,
    view: OnceLock<View>,
}

/// The game as people see it.
#[derive(Debug)]
enum View {
    /// As its source says it, on the squares of the game.
    Setting(Box<Setting>),
    /// As places and escapes tell it.
    Board(Board),
}

/// Returns whether the pieces of a setting have the places of a table with this header, and the thief escapes
/// on its exits, which are those among `squares`; with a limit he may have won everywhere.
fn is_on_squares(setting: &Setting, header: &Header, squares: &[Square]) -> bool {
    let places = |header: &Header| header.all_kinds().map(|kind| kind.places.clone()).collect::<Vec<_>>();
    let made = Header::of_setting(setting, header.tiles());
    let exit = |&square: &Square| square == Square::Exit;
    made.is_ok_and(|made| places(&made) == places(header))
        && (setting.rules.limit.is_some()
            || setting.board.squares().iter().map(exit).eq(squares.iter().map(exit)))
}

/// The moves and ends of one kind of pieces.
#[derive(Debug)]
struct KindGame {
    section: Section,
    worlds: u32,
    /// The number of rows of the grids of the kinds before this one, above which its own begins.
    first_row: u16,
    places: PlaceNumbers,
    /// Whether an officer has arrived, or the thief escaped, on each square in any world; empty if on none.
    /// Found sooner than the number of a place.
    may_end: Vec<bool>,
    // What follows has an element for each place of each world, world after world.
    moves: DifferenceLists,
    /// For each place of an officer where the thief is captured; `None` if that is the same square.
    captures: Option<DifferenceLists>,
    /// Whether an officer has arrived, or the thief escaped, on each place; empty if on none.
    ends: Vec<bool>,
}

impl TableGame {
    /// Reads the game of a table from its header and the bytes of its sections, which `bytes` returns.
    pub(crate) fn read(
        header: &Header,
        mut bytes: impl FnMut(Section) -> Result<Vec<u8>, ProbeError>,
    ) -> Result<TableGame, ProbeError> {
        let worlds = header.worlds;
        let mut kind_game = |kind: &Kind, first_row, section, captures: Option<Section>, ends| {
            let places = PlaceNumbers::new(&kind.places);
            let count = worlds as usize * places.count();
            let mut lists = |section: Section| {
                DifferenceLists::from_bytes(&bytes(section)?, count)
                    .map_err(|source| ProbeError::from(TableError::Section { section, source }))
            };
            let moves = lists(section)?;
            let captures = captures.filter(|_| kind.lens.captures > 0).map(&mut lists).transpose()?;
            let ends = truths(ends, &bytes(ends)?, count)?;
            let mut may_end = vec![false; if ends.is_empty() { 0 } else { places.squares() }];
            for (square, _) in kind.places.square_numbers().cycle().zip(&ends).filter(|&(_, &ends)| ends) {
                may_end[square as usize] = true;
            }
            Ok::<_, ProbeError>(KindGame {
                section,
                worlds,
                first_row,
                places,
                may_end,
                moves,
                captures,
                ends,
            })
        };
        let (mut kinds, mut first_row) = (Vec::with_capacity(header.kinds.len()), 0);
        for (number, kind) in (0..).zip(&header.kinds) {
            let [moves, captures] = [Section::OfficerMoves(number), Section::Captures(number)];
            kinds.push(kind_game(kind, first_row, moves, Some(captures), Section::Arrivals(number))?);
            first_row += kind.places.height();
        }
        let thief = kind_game(&header.thief, 0, Section::ThiefMoves, None, Section::Escapes)?;
        Ok(TableGame {
            worlds,
            captures_here: matches!(&kinds[..], [kind] if kind.captures.is_none()),
            kinds,
            thief,
            source: source_text(bytes(Section::Source)?)?,
            view: OnceLock::new(),
        })
    }

    /// Returns the kind of a piece of `side` on this cell, on whose grid the cell may be a place.
    #[inline(always)]
    fn kind(&self, side: Side, cell: Cell) -> Option<&KindGame> {
        match (side, &self.kinds[..]) {
            (Side::Thief, _) => Some(&self.thief),
            (Side::Police, [kind]) => Some(kind),
            (Side::Police, kinds) => kinds.iter().rev().find(|kind| kind.first_row <= cell.row),
        }
    }

    /// Returns the text from which the game was made.
    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    /// Returns the board: that of the setting, or else squares as places and escapes tell them.
    pub(crate) fn board(&self, header: &Header) -> &Board {
        match self.view(header) {
            View::Setting(setting) => &setting.board,
            View::Board(board) => board,
        }
    }

    /// Returns the setting of the source, if it has one on the squares of this game.
    pub(crate) fn setting(&self, header: &Header) -> Option<&Setting> {
        match self.view(header) {
            View::Setting(setting) => Some(setting),
            View::Board(_) => None,
        }
    }

    fn view(&self, header: &Header) -> &View {
        self.view.get_or_init(|| {
            let squares = self.squares(header);
            let (height, width) = (header.rows(), header.columns());
            let setting = Setting::from_source(&self.source).ok();
            let setting = setting.filter(|setting| is_on_squares(setting, header, &squares));
            match setting {
                Some(setting) => View::Setting(Box::new(setting)),
                None => {
                    let board = Board::new(height.into(), width.into(), squares);
                    View::Board(board.expect("a header has such a board"))
                }
            }
        })
    }

    /// Returns the squares of the board: open if a piece of any kind has a place there in any layer, an exit
    /// if the thief has escaped there in any world.
    fn squares(&self, header: &Header) -> Vec<Square> {
        let (rows, columns) = (usize::from(header.rows()), usize::from(header.columns()));
        let mut squares = vec![Square::Wall; rows * columns];
        for square in header.all_kinds().flat_map(|kind| kind.places.square_numbers()) {
            squares[square as usize % (rows * columns)] = Square::Open;
        }
        for (square, _) in self.thief.may_end.iter().enumerate().filter(|&(_, &may_end)| may_end) {
            squares[square % (rows * columns)] = Square::Exit;
        }
        squares
    }

    /// Returns the number of worlds.
    #[inline(always)]
    pub(crate) fn worlds(&self) -> u32 {
        self.worlds
    }

    /// Returns whether the thief has escaped on the place of a cell in a world.
    #[inline(always)]
    pub(crate) fn escaped(&self, world: u32, cell: Cell) -> bool {
        self.thief.ends_on(world, cell)
    }

    /// Returns whether an officer has arrived on the place of one of these cells in a world.
    #[inline(always)]
    pub(crate) fn arrived(&self, world: u32, officers: &[Cell]) -> bool {
        match &self.kinds[..] {
            [kind] if kind.ends.is_empty() => false,
            _ => officers
                .iter()
                .any(|&cell| self.kind(Side::Police, cell).is_some_and(|kind| kind.ends_on(world, cell))),
        }
    }

    /// Returns whether an officer captures the thief on the officer's own square alone, which takes no list.
    #[inline(always)]
    pub(crate) fn captures_here(&self) -> bool {
        self.captures_here
    }

    /// Returns whether one of these officers captures a thief on this cell in a world.
    #[inline(always)]
    pub(crate) fn captured(&self, world: u32, officers: &[Cell], thief: Cell) -> bool {
        match self.captures_here {
            true => officers.contains(&thief),
            false => self.captured_from_elsewhere(world, officers, thief),
        }
    }

    #[inline(never)]
    fn captured_from_elsewhere(&self, world: u32, officers: &[Cell], thief: Cell) -> bool {
        let Some((thief, _)) = self.thief.of(thief) else { return false };
        officers.iter().any(|&officer| {
            let kind = self.kind(Side::Police, officer);
            let Some((kind, (square, number))) = kind.and_then(|kind| Some((kind, kind.of(officer)?))) else {
                return false;
            };
            match &kind.captures {
                None => square == thief,
                Some(captures) => {
                    let list = captures.of(kind.in_world(world, number));
                    list.binary_search(&(thief as i32 - square as i32)).is_ok()
                }
            }
        })
    }

    /// Returns where a piece of `side` on the place of `from` in a world may move, rising.
    #[inline]
    pub(crate) fn moves_of(
        &self,
        side: Side,
        world: u32,
        from: Cell,
        effort: &mut Effort,
    ) -> Result<Targets, ProbeError> {
        match self.kind(side, from) {
            Some(kind) => kind.moves_from(world, from, effort),
            None => Ok(Targets::new()),
        }
    }

    /// Returns the differences by which a piece of `side` on the place of `from` in a world may move, rising.
    ///
    /// # Panics
    /// If there is no such place.
    pub(crate) fn differences(&self, side: Side, world: u32, from: Cell) -> &[i32] {
        let kind = self.kind(side, from).expect("pieces stand on places");
        kind.moves.of(kind.number(world, from).expect("pieces stand on places"))
    }

    /// Returns whether a piece of `side` has a place on this cell.
    pub(crate) fn is_place(&self, side: Side, cell: Cell) -> bool {
        self.kind(side, cell).is_some_and(|kind| kind.of(cell).is_some())
    }

    /// Returns the number of the kind of officers on whose grid this cell is.
    pub(crate) fn kind_number(&self, cell: Cell) -> Option<usize> {
        self.kinds.iter().rposition(|kind| kind.first_row <= cell.row)
    }

    /// Returns the place that lies so many squares from that of a cell in a world.
    pub(crate) fn target(&self, side: Side, world: u32, from: Cell, difference: i32) -> Option<Destination> {
        let kind = self.kind(side, from)?;
        kind.target(world, kind.of(from)?.0, difference)
    }

    /// Returns the moves of a side between its places, world after world, at most `most` of all together.
    ///
    /// # Errors
    /// When a move leads to no place, there are more moves, or `check` says that the work is to stop.
    pub(crate) fn move_table(
        &self,
        header: &Header,
        side: Side,
        most: u32,
        check: &mut StopCheck,
    ) -> Result<MoveTable, TableError> {
        let mut rows = |game: &KindGame, kind: &Kind| {
            let rows = game.moves.rows(Span::moves(&kind.places, self.worlds), most, check);
            rows.map_err(|source| TableError::Section { section: game.section, source })
        };
        match side {
            Side::Thief => rows(&self.thief, &header.thief),
            Side::Police => {
                let parts = self.kinds.iter().zip(&header.kinds).map(|(game, kind)| rows(game, kind));
                let parts = parts.collect::<Result<_, _>>()?;
                Ok(join_rows(&header.team_numbers(), self.worlds, kind_rows::Targets::OwnKind, parts))
            }
        }
    }

    /// Returns the rule by which positions are terminal.
    ///
    /// # Errors
    /// When a capture leads to no place, there are more than [`MOST_CAPTURES`], or `check` says that the work
    /// is to stop.
    pub(crate) fn terminal_rule(
        &self,
        header: &Header,
        check: &mut StopCheck,
    ) -> Result<TerminalRule, TableError> {
        let mut captures = Vec::new();
        for (number, (game, kind)) in (0..).zip(self.kinds.iter().zip(&header.kinds)) {
            let span = Span::captures(&kind.places, &header.thief.places, self.worlds);
            let rows = game.captures.as_ref().map(|captures| captures.rows(span, MOST_CAPTURES, check));
            let section = Section::Captures(number);
            captures.push(rows.transpose().map_err(|source| TableError::Section { section, source })?);
        }
        let arrivals = self.kinds.iter().map(|kind| kind.ends.clone()).collect();
        Ok(terminal_rule(header, captures, arrivals, self.thief.ends.clone()))
    }

    /// Returns whether an officer captures the thief on the officer's own square alone, and arrives nowhere:
    /// where the thief stands decides all other ends.
    pub(crate) fn ends_are_near(&self) -> bool {
        self.captures_here && self.kinds.iter().all(|kind| kind.ends.is_empty())
    }

    /// Returns the bytes of memory that the game takes.
    pub(crate) fn memory(&self) -> usize {
        let kinds = self.kinds.iter().chain([&self.thief]).map(KindGame::memory).sum::<usize>();
        // The view has a board with a byte for each square, and rules of a few hundred bytes.
        kinds + size_of_val(&self.kinds[..]) + self.source.len() + self.thief.places.squares() + 512
    }
}

impl KindGame {
    /// Returns the bytes of memory that the moves and ends take.
    fn memory(&self) -> usize {
        let captures = self.captures.as_ref().map_or(0, DifferenceLists::memory);
        self.places.memory() + self.moves.memory() + captures + self.ends.len() + self.may_end.len()
    }

    /// Returns the number of the square of a cell on the kind's own grid, and the number of its place; `None`
    /// if it is no place.
    #[inline(always)]
    fn of(&self, cell: Cell) -> Option<(u32, usize)> {
        self.places.of(self.own_cell(cell))
    }

    /// Returns a cell on the kind's own grid.
    #[inline(always)]
    fn own_cell(&self, Cell { row, col }: Cell) -> Cell {
        Cell::new(row.wrapping_sub(self.first_row), col)
    }

    /// Returns the cell of a square of the kind's own grid, if it is a place.
    #[inline(always)]
    fn cell(&self, square: i64) -> Option<Cell> {
        let Cell { row, col } = self.places.cell(square)?;
        Some(Cell::new(row + self.first_row, col))
    }

    /// Returns whether the game ends with the piece on the place of a cell in a world.
    #[inline(always)]
    fn ends_on(&self, world: u32, cell: Cell) -> bool {
        let may_end =
            || self.places.square(self.own_cell(cell)).is_some_and(|square| self.may_end[square as usize]);
        !self.ends.is_empty() && may_end() && self.number(world, cell).is_some_and(|number| self.ends[number])
    }

    /// Returns the number in a world of the place with this number in each.
    #[inline(always)]
    fn in_world(&self, world: u32, number: usize) -> usize {
        if self.worlds == 1 { number } else { world as usize * self.places.count() + number }
    }

    #[inline(always)]
    fn number(&self, world: u32, cell: Cell) -> Option<usize> {
        Some(self.in_world(world, self.of(cell)?.1))
    }

    /// Returns the place that lies so many squares from a square in a world.
    #[inline(always)]
    fn target(&self, world: u32, square: u32, difference: i32) -> Option<Destination> {
        if self.worlds == 1 {
            let cell = self.cell(i64::from(square) + i64::from(difference))?;
            return Some(Destination { world: 0, cell });
        }
        let squares = self.places.squares() as i64;
        let target = i64::from(world) * squares + i64::from(square) + i64::from(difference);
        let world = u32::try_from(target / squares).ok().filter(|&world| world < self.worlds)?;
        Some(Destination { world, cell: self.cell(target % squares)? })
    }

    #[inline]
    fn moves_from(&self, world: u32, from: Cell, effort: &mut Effort) -> Result<Targets, ProbeError> {
        let Some((square, number)) = self.of(from) else { return Ok(Targets::new()) };
        let differences = self.moves.of(self.in_world(world, number));
        if differences.len() as u64 > Work::Moves.limit() {
            return Err(ProbeError::TooMuchWork { work: Work::Moves });
        }
        effort.steps = effort.steps.checked_sub(differences.len() as u64).ok_or(TooManySteps)?;
        let mut moves = Targets::with_capacity(differences.len());
        for &difference in differences {
            match self.target(world, square, difference) {
                Some(target) => moves.push(target),
                None => {
                    let source = ListsError::NoPlace { square, difference };
                    return Err(TableError::Section { section: self.section, source }.into());
                }
            }
        }
        Ok(moves)
    }
}
