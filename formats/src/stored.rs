//! Pursuit games as tables store them (`FORMAT.md`).

use crate::{
    bits,
    cell::Side,
    codec::RawBlock,
    compile::Stage,
    container::TableError,
    game::{
        DifferenceLists, ListsError, MoveRows, MoveTable, Places, PursuitGame, PursuitGameError, Span,
        kind_rows::{Targets, join, join_rows, split, split_rows},
        terminal::TerminalRule,
    },
    header::{Header, HeaderError, Kind, Section, SectionLens, Summary},
    moves::MoveTableError,
    numbering::TileSize,
    rules::Undecided,
    setting::Setting,
    stop::StopCheck,
};

/// A pursuit game, with what people see of it: that of a board ([`StoredGame::of_setting`]), or one of a
/// program's own ([`StoredGame::new`]).
///
/// ```
/// use dragnet_formats::{board::make, game::PursuitGame, stored::StoredGame, numbering::EIGHT, rules::Rules,
/// stop::StopCheck};
///
/// let game = PursuitGame::compile(&make::open(3, 5)?, &Rules::classic(), &mut StopCheck::never())?;
/// let packed = StoredGame::new(game).pack([EIGHT, EIGHT])?;
/// // One block of positions, one each for the moves of either side.
/// assert_eq!((packed.header.block_count(), packed.blocks().len()), (3, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct StoredGame {
    /// The game.
    pub game: PursuitGame,
    /// The names of the kinds of officers, and that of the thief behind them.
    pub names: Vec<String>,
    /// For each kind, the thief last, the names of its layers: boards of equally many rows, one below the
    /// other on the grid of its places.
    pub layers: Vec<Vec<String>>,
    /// The side for which a position counts that neither side can win by force.
    pub undecided: Undecided,
    /// A text from which the game was made: that of a [`Setting`], or what a program likes; may be empty.
    pub source: String,
    /// The point at which each square of the board is drawn, in reading order: right and down, in any unit.
    /// Empty for squares that stand in rows and columns.
    pub points: Vec<(i32, i32)>,
}

/// The reason why a game has no table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoredGameError {
    /// The parts of the game do not fit together.
    #[error(transparent)]
    Game(#[from] PursuitGameError),
    /// No header can say the game.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// No section can hold a part of it.
    #[error("{}: {source}", section.name())]
    Section {
        /// The section.
        section: Section,
        /// The reason.
        source: ListsError,
    },
}

/// A game as a table stores it.
#[derive(Clone, Debug)]
pub struct PackedGame {
    /// The header of the table, with a summary of draws: as if nobody won from any position.
    pub header: Header,
    /// The bytes of all sections, in order.
    sections: Vec<Vec<u8>>,
}

impl StoredGame {
    /// Stores a game of pieces with one layer, called officer and thief.
    #[must_use]
    pub fn new(game: PursuitGame) -> StoredGame {
        let mut names = vec![Kind::OFFICER.to_owned(); game.kinds.len()];
        names.push(Kind::THIEF.to_owned());
        StoredGame {
            layers: vec![vec![String::new()]; names.len()],
            names,
            game,
            undecided: Undecided::Draw,
            source: String::new(),
            points: Vec::new(),
        }
    }

    /// Returns the game as a table with these sizes of tiles stores it, of the officers and of the thief.
    ///
    /// # Errors
    /// When the game contradicts itself, or is too large for a table.
    pub fn pack(&self, tiles: [TileSize; 2]) -> Result<PackedGame, StoredGameError> {
        self.game.check()?;
        let (game, ends) = (&self.game, &self.game.ends);
        let [officers, thief] = &game.places;
        let mut rows = 0;
        let grids: Vec<Places> = (game.kinds.iter())
            .map(|kind| {
                rows += kind.rows;
                officers.rows(rows - kind.rows..rows)
            })
            .collect();
        for places in grids.iter().chain([thief]) {
            Header::check_squares(game.worlds, places)?;
        }
        let lists = |section, table: &MoveTable, span| {
            let lists = DifferenceLists::new(table, span);
            lists.map(|lists| lists.to_bytes()).map_err(|source| StoredGameError::Section { section, source })
        };
        let truths = |truths: &[bool]| if truths.contains(&true) { bits::pack(truths) } else { Vec::new() };
        let (numbers, worlds) = (game.team_numbers(), game.worlds);
        let moves = split_rows(&numbers, worlds, Targets::OwnKind, &game.moves[0]);
        let captures = ends.captures().map(|table| split_rows(&numbers, worlds, Targets::Thief, table));
        let arrivals = match ends.arrivals() {
            [] => vec![Vec::new(); game.kinds.len()],
            arrivals => split(&numbers, worlds, arrivals),
        };
        let mut sections = Vec::new();
        for (at, grid) in grids.iter().enumerate() {
            let kind = at as u8;
            sections.push(lists(Section::OfficerMoves(kind), &moves[at], Span::moves(grid, worlds))?);
            sections.push(match &captures {
                Some(captures)
                    if !is_own_square(&captures[at], grid, thief) || numbers.kinds().len() == 1 =>
                {
                    lists(Section::Captures(kind), &captures[at], Span::captures(grid, thief, worlds))?
                }
                _ => Vec::new(),
            });
            sections.push(truths(&arrivals[at]));
        }
        let points = self.points.iter().flat_map(|&(right, down)| [right, down]).flat_map(i32::to_le_bytes);
        sections.push(lists(Section::ThiefMoves, &game.moves[1], Span::moves(thief, worlds))?);
        sections.push(truths(ends.escapes()));
        sections.push(self.source.as_bytes().to_vec());
        sections.push(points.collect());
        let kinds = game.kinds.len();
        let len = |section: Section| u32::try_from(sections[section.index(kinds)].len()).unwrap_or(u32::MAX);
        let kind = |at: usize, pieces, places: &Places, lens| Kind {
            name: self.names[at].clone(),
            pieces,
            layers: self.layers[at].clone(),
            places: places.clone(),
            tile: tiles[usize::from(at == kinds)],
            lens,
        };
        let of_officers = |(at, grid): (usize, &Places)| {
            let number = at as u8;
            let sections =
                [Section::OfficerMoves(number), Section::Captures(number), Section::Arrivals(number)];
            let [moves, captures, ends] = sections.map(len);
            kind(at, game.kinds[at].pieces, grid, SectionLens { moves, captures, ends })
        };
        let [moves, ends] = [Section::ThiefMoves, Section::Escapes].map(len);
        let mut header = Header {
            worlds,
            kinds: grids.iter().enumerate().map(of_officers).collect(),
            thief: kind(kinds, 1, thief, SectionLens { moves, captures: 0, ends }),
            team: game.team,
            stuck: game.stuck,
            undecided: self.undecided,
            summary: Summary::default(),
            source_len: len(Section::Source),
            points_len: len(Section::Points),
        };
        header.summary = Summary::of_draws(header.side_positions()?);
        // Nobody has the header's bytes before they are read again.
        header.to_bytes()?;
        Ok(PackedGame { header, sections })
    }

    /// Compiles the game of a setting, whose rules have been checked on its board. `check` may say that the
    /// work is to stop.
    ///
    /// # Errors
    /// When a side has more than 2^32 - 1 moves, or the work is to stop.
    pub fn of_setting(setting: &Setting, check: &mut StopCheck) -> Result<StoredGame, MoveTableError> {
        let game = PursuitGame::of_setting(setting, check)?;
        let (stage, rules) = (Stage::new(setting), &setting.rules);
        let of_officers = stage.officers.iter().map(|kind| (Side::Police, kind));
        let kinds = || of_officers.clone().chain([(Side::Thief, &stage.thief)]);
        Ok(StoredGame {
            game,
            names: kinds().map(|(_, kind)| kind.name.clone()).collect(),
            layers: kinds().map(|(side, kind)| kind.layer_names(side, rules)).collect(),
            undecided: rules.undecided,
            source: setting.to_source(),
            points: Vec::new(),
        })
    }

    /// Reads the game of a table from its header and the bytes of its sections, which `section` returns.
    /// `check` may say that the work is to stop.
    ///
    /// # Errors
    /// When a section says something impossible, or `section` fails.
    pub fn unpack<E: From<TableError>>(
        header: &Header,
        mut section: impl FnMut(Section) -> Result<Vec<u8>, E>,
        check: &mut StopCheck,
    ) -> Result<StoredGame, E> {
        let (worlds, thief) = (header.worlds, &header.thief.places);
        let numbers = header.team_numbers();
        let mut rows = |which, span, places: &Places, check: &mut StopCheck| {
            DifferenceLists::from_bytes(&section(which)?, worlds as usize * places.count())
                .and_then(|lists| lists.rows(span, u32::MAX, check))
                .map_err(|source| E::from(TableError::Section { section: which, source }))
        };
        let (mut moves, mut captures) = (Vec::new(), Vec::new());
        for (kind, Kind { places, lens, .. }) in (0..).zip(&header.kinds) {
            moves.push(rows(Section::OfficerMoves(kind), Span::moves(places, worlds), places, check)?);
            captures.push(match lens.captures {
                0 => None,
                _ => {
                    let span = Span::captures(places, thief, worlds);
                    Some(rows(Section::Captures(kind), span, places, check)?)
                }
            });
        }
        let thief_moves = rows(Section::ThiefMoves, Span::moves(thief, worlds), thief, check)?;
        let mut ends_of = |which, places: &Places| {
            Ok::<_, E>(truths(which, &section(which)?, worlds as usize * places.count())?)
        };
        let mut arrivals = Vec::new();
        for (kind, Kind { places, .. }) in (0..).zip(&header.kinds) {
            arrivals.push(ends_of(Section::Arrivals(kind), places)?);
        }
        let escapes = ends_of(Section::Escapes, thief)?;
        let points = section(Section::Points)?;
        let number = |bytes: &[u8]| i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        Ok(StoredGame {
            game: PursuitGame {
                worlds,
                kinds: header.officer_kinds(),
                team: header.team,
                stuck: header.stuck,
                places: Side::BOTH.map(|side| header.places(side)),
                moves: [join_rows(&numbers, worlds, Targets::OwnKind, moves), thief_moves],
                ends: terminal_rule(header, captures, arrivals, escapes),
            },
            names: header.all_kinds().map(|kind| kind.name.clone()).collect(),
            layers: header.all_kinds().map(|kind| kind.layers.clone()).collect(),
            undecided: header.undecided,
            source: source_text(section(Section::Source)?)?,
            points: points.chunks_exact(8).map(|point| (number(point), number(&point[4..]))).collect(),
        })
    }
}

/// Returns the terminal rule of the table with this header, given what it says of each kind of officers and
/// of the thief: the captures, `None` if an officer captures the thief on the officer's own square alone; and
/// whether an officer has arrived, or the thief escaped, on each place, nothing if on none.
#[must_use]
pub fn terminal_rule(
    header: &Header,
    captures: Vec<Option<MoveTable>>,
    arrivals: Vec<Vec<bool>>,
    escapes: Vec<bool>,
) -> TerminalRule {
    let (worlds, numbers) = (header.worlds, header.team_numbers());
    let of_all = |found: Vec<bool>, places: &Places| match found.is_empty() {
        true => vec![false; worlds as usize * places.count()],
        false => found,
    };
    let arrivals: Vec<_> =
        arrivals.into_iter().zip(&header.kinds).map(|(found, kind)| of_all(found, &kind.places)).collect();
    let arrivals = join(&numbers, worlds, &arrivals);
    let arrivals = if arrivals.contains(&true) { arrivals } else { Vec::new() };
    let ends = TerminalRule::new(of_all(escapes, &header.thief.places), arrivals).with_worlds(worlds);
    if let [None] = captures[..] {
        return ends;
    }
    let captures = captures.into_iter().zip(&header.kinds);
    let captures = captures.map(|(found, kind)| found.unwrap_or_else(|| own_squares(worlds, &kind.places)));
    ends.with_captures(join_rows(&numbers, worlds, Targets::Thief, captures.collect()))
}

/// Returns the captures by officers who capture the thief on their own squares alone, which are the thief's
/// places too.
fn own_squares(worlds: u32, places: &Places) -> MoveTable {
    let count = places.count() as u32;
    let mut rows = MoveRows::new((worlds * count) as usize, u32::MAX);
    for place in (0..worlds).flat_map(|_| 0..count) {
        rows.push([place]).expect("one capture for each place");
    }
    rows.finish()
}

/// Returns whether these are the captures of [`own_squares`].
fn is_own_square(captures: &MoveTable, officers: &Places, thief: &Places) -> bool {
    let count = thief.count();
    officers == thief && (0..captures.places()).all(|place| captures.of(place) == [(place % count) as u32])
}

/// Returns whether an officer has arrived, or the thief escaped, on each of so many places, those of all
/// worlds: nothing if there is no such place.
///
/// # Errors
/// When the bytes of the section are anything but a bit for each place.
pub fn truths(section: Section, bytes: &[u8], places: usize) -> Result<Vec<bool>, TableError> {
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    let source =
        ListsError::Field { expected: "a bit for each place and no other", found: bytes.len() as u64 };
    bits::unpack(bytes, places).ok_or(TableError::Section { section, source })
}

/// Returns the text of a source section.
///
/// # Errors
/// When the bytes are no UTF-8.
pub fn source_text(bytes: Vec<u8>) -> Result<String, TableError> {
    String::from_utf8(bytes).map_err(|error| TableError::Section {
        section: Section::Source,
        source: ListsError::Field {
            expected: "text in UTF-8",
            found: error.as_bytes()[error.utf8_error().valid_up_to()].into(),
        },
    })
}

/// Returns the blocks of a section with these bytes.
pub fn section_blocks(bytes: &[u8]) -> impl Iterator<Item = RawBlock> {
    let codes = |bytes: &[u8]| bytes.iter().map(|&byte| byte.into()).collect::<Vec<u32>>();
    bytes.chunks(Section::BLOCK as usize).map(move |bytes| RawBlock::new(&codes(bytes)))
}

impl PackedGame {
    /// Returns the bytes of a section.
    #[must_use]
    pub fn section(&self, section: Section) -> &[u8] {
        &self.sections[section.index(self.header.kinds.len())]
    }

    /// Reads the game again.
    ///
    /// # Errors
    /// When `check` says that the work is to stop.
    pub fn unpack(&self, check: &mut StopCheck) -> Result<StoredGame, TableError> {
        StoredGame::unpack(&self.header, |section| Ok(self.section(section).to_vec()), check)
    }

    /// Returns the header and the sections as one message.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let header = self.header.to_bytes().expect("a header that a reader takes");
        [&(header.len() as u32).to_le_bytes()[..], &header, &self.sections.concat()].concat()
    }

    /// Reads what [`PackedGame::to_bytes`] returns; `None` if the bytes are anything else.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<PackedGame> {
        let (len, rest) = bytes.split_first_chunk()?;
        let (header, mut rest) = rest.split_at_checked(u32::from_le_bytes(*len) as usize)?;
        let header = Header::from_bytes(header).ok()?;
        let mut sections = Vec::new();
        for len in header.section_lens() {
            let (bytes, after) = rest.split_at_checked(len as usize)?;
            sections.push(bytes.to_vec());
            rest = after;
        }
        rest.is_empty().then_some(PackedGame { header, sections })
    }

    /// Returns the blocks of the sections, in the order in which they follow those of the positions.
    #[must_use]
    pub fn blocks(&self) -> Vec<RawBlock> {
        self.sections.iter().flat_map(|bytes| section_blocks(bytes)).collect()
    }
}
