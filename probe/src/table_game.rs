//! The game of a pursuit table, as its sections say it: moves and ends.

use crate::{ProbeError, Work, effort::Effort, place_numbers::PlaceNumbers, position::Destination};
use dragnet_formats::{
    board::{Board, Square},
    cell::{Cell, Side},
    container::TableError,
    game::{DifferenceLists, ListsError, MoveTable, Places, Span, terminal::TerminalRule},
    header::{Header, Kind, Section},
    moves::TooManySteps,
    setting::Setting,
    stop::StopCheck,
    stored::{source_text, truths},
};
use smallvec::SmallVec;
use std::sync::OnceLock;

/// Where a piece may move; for most rules without heap memory.
pub(crate) type Targets = SmallVec<[Destination; 10]>;

/// The moves and ends of a game, and the text from which it was made.
#[derive(Debug)]
pub(crate) struct TableGame {
    worlds: u32,
    kinds: [KindMoves; 2],
    // What follows has an element for each place of each world, world after world.
    /// For each place of an officer where the thief is captured; `None` if that is the same square.
    captures: Option<DifferenceLists>,
    /// Whether an officer has arrived on each place; empty if on none.
    arrivals: Vec<bool>,
    /// Whether the thief has escaped on each place; empty if on none.
    escapes: Vec<bool>,
    source: String,
    view: OnceLock<View>,
}

/// The game as people see it.
#[derive(Debug)]
enum View {
    /// As its source says it, on the squares of the game.
    Setting(Setting),
    /// As places and escapes tell it.
    Board(Board),
}

/// The moves of one kind of pieces.
#[derive(Debug)]
struct KindMoves {
    section: Section,
    worlds: u32,
    places: PlaceNumbers,
    lists: DifferenceLists,
}

impl TableGame {
    /// Reads the game of a table from its header and the bytes of its sections, which `bytes` returns.
    pub(crate) fn read(
        header: &Header,
        mut bytes: impl FnMut(Section) -> Result<Vec<u8>, ProbeError>,
    ) -> Result<TableGame, ProbeError> {
        let lists = |section, bytes: Vec<u8>, places: usize| {
            DifferenceLists::from_bytes(&bytes, places)
                .map_err(|source| ProbeError::from(TableError::Section { section, source }))
        };
        let [officers, thief] = [&header.officers, &header.thief].map(|kind| PlaceNumbers::new(&kind.places));
        let worlds = header.worlds;
        let [of_officers, of_thief] = [&officers, &thief].map(|places| worlds as usize * places.count());
        let kind = |section, places, count, bytes| {
            let lists = lists(section, bytes, count)?;
            Ok::<_, ProbeError>(KindMoves { section, worlds, places, lists })
        };
        Ok(TableGame {
            worlds,
            kinds: [
                kind(Section::OfficerMoves, officers, of_officers, bytes(Section::OfficerMoves)?)?,
                kind(Section::ThiefMoves, thief, of_thief, bytes(Section::ThiefMoves)?)?,
            ],
            captures: match header.officers.lens.captures {
                0 => None,
                _ => Some(lists(Section::Captures, bytes(Section::Captures)?, of_officers)?),
            },
            arrivals: truths(Section::Arrivals, &bytes(Section::Arrivals)?, of_officers)?,
            escapes: truths(Section::Escapes, &bytes(Section::Escapes)?, of_thief)?,
            source: source_text(bytes(Section::Source)?)?,
            view: OnceLock::new(),
        })
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
            let (height, width) = (header.rows(), header.officers.places.width());
            let setting = Setting::from_source(&self.source).ok().filter(|Setting { board, .. }| {
                (board.height(), board.width()) == (height, width) && board.squares() == squares
            });
            match setting {
                Some(setting) => View::Setting(setting),
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
        let (rows, columns) = (usize::from(header.rows()), usize::from(header.officers.places.width()));
        let mut squares = vec![Square::Wall; rows * columns];
        let places = |kind: &Kind| {
            kind.places.square_numbers().map(|square| square as usize % (rows * columns)).collect::<Vec<_>>()
        };
        let thief = places(&header.thief);
        for &square in places(&header.officers).iter().chain(&thief) {
            squares[square] = Square::Open;
        }
        for (&square, _) in thief.iter().cycle().zip(&self.escapes).filter(|&(_, &escaped)| escaped) {
            squares[square] = Square::Exit;
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
        !self.escapes.is_empty()
            && self.kinds[1].number(world, cell).is_some_and(|number| self.escapes[number])
    }

    /// Returns whether an officer has arrived on the place of one of these cells in a world.
    #[inline(always)]
    pub(crate) fn arrived(&self, world: u32, officers: &[Cell]) -> bool {
        !self.arrivals.is_empty()
            && officers
                .iter()
                .any(|&cell| self.kinds[0].number(world, cell).is_some_and(|number| self.arrivals[number]))
    }

    /// Returns whether one of these officers captures a thief on this cell in a world.
    #[inline(always)]
    pub(crate) fn captured(&self, world: u32, officers: &[Cell], thief: Cell) -> bool {
        match &self.captures {
            None => officers.contains(&thief),
            Some(captures) => self.captured_from_elsewhere(captures, world, officers, thief),
        }
    }

    #[inline(never)]
    fn captured_from_elsewhere(
        &self,
        captures: &DifferenceLists,
        world: u32,
        officers: &[Cell],
        thief: Cell,
    ) -> bool {
        let [of_officers, of_thief] = self.kinds.each_ref();
        let Some((thief, _)) = of_thief.places.of(thief) else { return false };
        officers.iter().any(|&officer| {
            of_officers.places.of(officer).is_some_and(|(square, number)| {
                let list = captures.of(of_officers.in_world(world, number));
                list.binary_search(&(thief as i32 - square as i32)).is_ok()
            })
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
        self.kinds[side as usize].moves_from(world, from, effort)
    }

    /// Returns the differences by which a piece of `side` on the place of `from` in a world may move, rising.
    ///
    /// # Panics
    /// If there is no such place.
    pub(crate) fn differences(&self, side: Side, world: u32, from: Cell) -> &[i32] {
        let kind = &self.kinds[side as usize];
        kind.lists.of(kind.number(world, from).expect("pieces stand on places"))
    }

    /// Returns whether a piece of `side` has a place on this cell.
    pub(crate) fn is_place(&self, side: Side, cell: Cell) -> bool {
        self.kinds[side as usize].places.of(cell).is_some()
    }

    /// Returns the place that lies so many squares from that of a cell in a world.
    pub(crate) fn target(&self, side: Side, world: u32, from: Cell, difference: i32) -> Option<Destination> {
        let kind = &self.kinds[side as usize];
        kind.target(world, kind.places.of(from)?.0, difference)
    }

    /// Returns the moves of a side between its places, world after world, at most `most` of all together.
    ///
    /// # Errors
    /// When a move leads to no place, there are more moves, or `check` says that the work is to stop.
    pub(crate) fn move_table(
        &self,
        side: Side,
        places: &Places,
        most: u32,
        check: &mut StopCheck,
    ) -> Result<MoveTable, TableError> {
        let kind = &self.kinds[side as usize];
        let rows = kind.lists.rows(Span::moves(places, self.worlds), most, check);
        rows.map_err(|source| TableError::Section { section: kind.section, source })
    }

    /// Returns the rule by which positions are terminal.
    ///
    /// # Errors
    /// When a capture leads to no place, or `check` says that the work is to stop.
    pub(crate) fn terminal_rule(
        &self,
        header: &Header,
        check: &mut StopCheck,
    ) -> Result<TerminalRule, TableError> {
        let (officers, thief) = (&header.officers.places, &header.thief.places);
        let escapes = match self.escapes.is_empty() {
            true => vec![false; self.worlds as usize * thief.count()],
            false => self.escapes.clone(),
        };
        let rule = TerminalRule::new(escapes, self.arrivals.clone()).with_worlds(self.worlds);
        Ok(match &self.captures {
            None => rule,
            Some(captures) => {
                let rows = captures.rows(Span::captures(officers, thief, self.worlds), u32::MAX, check);
                let section = Section::Captures;
                rule.with_captures(rows.map_err(|source| TableError::Section { section, source })?)
            }
        })
    }

    /// Returns whether an officer captures the thief on the officer's own square alone, and arrives nowhere:
    /// where the thief stands decides all other ends.
    pub(crate) fn ends_are_near(&self) -> bool {
        self.captures.is_none() && self.arrivals.is_empty()
    }

    /// Returns the bytes of memory that the game takes.
    pub(crate) fn memory(&self) -> usize {
        let kinds = self.kinds.each_ref().map(|kind| kind.places.memory() + kind.lists.memory());
        let captures = self.captures.as_ref().map_or(0, DifferenceLists::memory);
        let lists = kinds.iter().sum::<usize>() + captures;
        let ends = self.arrivals.len() + self.escapes.len();
        // The view has a board with a byte for each square, and rules of a few hundred bytes.
        lists + ends + self.source.len() + self.kinds[1].places.squares() + 512
    }
}

impl KindMoves {
    /// Returns the number in a world of the place with this number in each.
    #[inline(always)]
    fn in_world(&self, world: u32, number: usize) -> usize {
        if self.worlds == 1 { number } else { world as usize * self.places.count() + number }
    }

    #[inline(always)]
    fn number(&self, world: u32, cell: Cell) -> Option<usize> {
        Some(self.in_world(world, self.places.of(cell)?.1))
    }

    /// Returns the place that lies so many squares from a square in a world.
    #[inline(always)]
    fn target(&self, world: u32, square: u32, difference: i32) -> Option<Destination> {
        if self.worlds == 1 {
            let cell = self.places.cell(i64::from(square) + i64::from(difference))?;
            return Some(Destination { world: 0, cell });
        }
        let squares = self.places.squares() as i64;
        let target = i64::from(world) * squares + i64::from(square) + i64::from(difference);
        let world = u32::try_from(target / squares).ok().filter(|&world| world < self.worlds)?;
        Some(Destination { world, cell: self.places.cell(target % squares)? })
    }

    #[inline]
    fn moves_from(&self, world: u32, from: Cell, effort: &mut Effort) -> Result<Targets, ProbeError> {
        let Some((square, number)) = self.places.of(from) else { return Ok(Targets::new()) };
        let differences = self.lists.of(self.in_world(world, number));
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
