//! The game of a pursuit table, as its sections say it: moves and ends.

use crate::{ProbeError, Work, effort::Effort, place_numbers::PlaceNumbers};
use dragnet_formats::{
    board::{Board, Square},
    cell::{Cell, Side},
    container::TableError,
    game::{DifferenceLists, ListsError, MoveTable, Places, terminal::TerminalRule},
    header::{Header, Kind, Section},
    moves::{Moves, TooManySteps},
    setting::Setting,
    stop::StopCheck,
    stored::{source_text, truths},
};
use std::sync::OnceLock;

/// The moves and ends of a game, and the text from which it was made.
#[derive(Debug)]
pub(crate) struct TableGame {
    kinds: [KindMoves; 2],
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
        let [officers, thief] = [&header.officers, &header.thief].map(|kind| &kind.places);
        let kind = |section, places, bytes| {
            let places = PlaceNumbers::new(places);
            Ok::<_, ProbeError>(KindMoves { section, lists: lists(section, bytes, places.count())?, places })
        };
        Ok(TableGame {
            kinds: [
                kind(Section::OfficerMoves, officers, bytes(Section::OfficerMoves)?)?,
                kind(Section::ThiefMoves, thief, bytes(Section::ThiefMoves)?)?,
            ],
            captures: match header.officers.lens.captures {
                0 => None,
                _ => Some(lists(Section::Captures, bytes(Section::Captures)?, officers.count())?),
            },
            arrivals: truths(Section::Arrivals, &bytes(Section::Arrivals)?, officers)?,
            escapes: truths(Section::Escapes, &bytes(Section::Escapes)?, thief)?,
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
    /// if the thief has escaped there.
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
        for (square, _) in thief.into_iter().zip(&self.escapes).filter(|&(_, &escaped)| escaped) {
            squares[square] = Square::Exit;
        }
        squares
    }

    /// Returns whether the thief has escaped on the place of a cell.
    #[inline(always)]
    pub(crate) fn escaped(&self, cell: Cell) -> bool {
        !self.escapes.is_empty() && self.kinds[1].number(cell).is_some_and(|number| self.escapes[number])
    }

    /// Returns whether an officer has arrived on the place of one of these cells.
    #[inline(always)]
    pub(crate) fn arrived(&self, officers: &[Cell]) -> bool {
        !self.arrivals.is_empty()
            && officers
                .iter()
                .any(|&cell| self.kinds[0].number(cell).is_some_and(|number| self.arrivals[number]))
    }

    /// Returns whether one of these officers captures a thief on this cell.
    #[inline(always)]
    pub(crate) fn captured(&self, officers: &[Cell], thief: Cell) -> bool {
        match &self.captures {
            None => officers.contains(&thief),
            Some(captures) => self.captured_from_elsewhere(captures, officers, thief),
        }
    }

    #[inline(never)]
    fn captured_from_elsewhere(&self, captures: &DifferenceLists, officers: &[Cell], thief: Cell) -> bool {
        let [of_officers, of_thief] = [&self.kinds[0].places, &self.kinds[1].places];
        let Some((thief, _)) = of_thief.of(thief) else { return false };
        officers.iter().any(|&officer| {
            of_officers.of(officer).is_some_and(|(square, number)| {
                captures.of(number).binary_search(&(thief as i32 - square as i32)).is_ok()
            })
        })
    }

    /// Returns the cells to which a piece of `side` on the place of `from` may move, rising.
    #[inline]
    pub(crate) fn moves_of(&self, side: Side, from: Cell, effort: &mut Effort) -> Result<Moves, ProbeError> {
        self.kinds[side as usize].moves_from(from, effort)
    }

    /// Returns the differences by which a piece of `side` on the place of `from` may move, rising.
    ///
    /// # Panics
    /// If there is no such place.
    pub(crate) fn differences(&self, side: Side, from: Cell) -> &[i32] {
        let kind = &self.kinds[side as usize];
        kind.lists.of(kind.number(from).expect("pieces stand on places"))
    }

    /// Returns whether a piece of `side` has a place on this cell.
    pub(crate) fn is_place(&self, side: Side, cell: Cell) -> bool {
        self.kinds[side as usize].number(cell).is_some()
    }

    /// Returns the place that lies so many squares from that of a cell.
    pub(crate) fn target(&self, side: Side, from: Cell, difference: i32) -> Option<Cell> {
        let places = &self.kinds[side as usize].places;
        places.cell(i64::from(places.of(from)?.0) + i64::from(difference))
    }

    /// Returns the moves of a side between its places, at most `most` of all places together.
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
        let rows = kind.lists.rows(places, places, most, check);
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
        let escapes = if self.escapes.is_empty() { vec![false; thief.count()] } else { self.escapes.clone() };
        let rule = TerminalRule::new(escapes, self.arrivals.clone());
        Ok(match &self.captures {
            None => rule,
            Some(captures) => {
                let rows = captures.rows(officers, thief, u32::MAX, check);
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
    #[inline(always)]
    fn number(&self, cell: Cell) -> Option<usize> {
        Some(self.places.of(cell)?.1)
    }

    #[inline]
    fn moves_from(&self, from: Cell, effort: &mut Effort) -> Result<Moves, ProbeError> {
        let Some((square, number)) = self.places.of(from) else { return Ok(Moves::new()) };
        let differences = self.lists.of(number);
        if differences.len() as u64 > Work::Moves.limit() {
            return Err(ProbeError::TooMuchWork { work: Work::Moves });
        }
        effort.steps = effort.steps.checked_sub(differences.len() as u64).ok_or(TooManySteps)?;
        let mut moves = Moves::with_capacity(differences.len());
        for &difference in differences {
            match self.places.cell(i64::from(square) + i64::from(difference)) {
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
