//! Pursuit games as tables store them (`FORMAT.md`).

use crate::{
    bits,
    codec::RawBlock,
    container::TableError,
    game::{DifferenceLists, ListsError, PursuitGame, PursuitGameError, Span, terminal::TerminalRule},
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
    /// The names of the kinds of pieces: of the officers, and of the thief.
    pub names: [String; 2],
    /// For each kind the names of its layers: boards of equally many rows, one below the other on the grid of
    /// its places.
    pub layers: [Vec<String>; 2],
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
    sections: [Vec<u8>; Section::ALL.len()],
}

impl StoredGame {
    /// Stores a game of pieces with one layer, called officer and thief.
    #[must_use]
    pub fn new(game: PursuitGame) -> StoredGame {
        StoredGame {
            game,
            names: [Kind::OFFICER, Kind::THIEF].map(str::to_owned),
            layers: [vec![String::new()], vec![String::new()]],
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
        for places in &game.places {
            Header::check_squares(game.worlds, places)?;
        }
        let lists = |section, table, span| {
            let lists = DifferenceLists::new(table, span);
            lists.map(|lists| lists.to_bytes()).map_err(|source| StoredGameError::Section { section, source })
        };
        let truths = |truths: &[bool]| if truths.contains(&true) { bits::pack(truths) } else { Vec::new() };
        let [officers, thief] = &game.places;
        let sees = Span::captures(officers, thief, game.worlds);
        let captures = ends.captures().map(|captures| lists(Section::Captures, captures, sees));
        let points = self.points.iter().flat_map(|&(right, down)| [right, down]).flat_map(i32::to_le_bytes);
        let sections = [
            lists(Section::OfficerMoves, &game.moves[0], Span::moves(officers, game.worlds))?,
            captures.transpose()?.unwrap_or_default(),
            truths(ends.arrivals()),
            lists(Section::ThiefMoves, &game.moves[1], Span::moves(thief, game.worlds))?,
            truths(ends.escapes()),
            self.source.as_bytes().to_vec(),
            points.collect(),
        ];
        let len = |section: Section| u32::try_from(sections[section as usize].len()).unwrap_or(u32::MAX);
        let kind = |side: usize, pieces, lens| Kind {
            name: self.names[side].clone(),
            pieces,
            layers: self.layers[side].clone(),
            places: game.places[side].clone(),
            tile: tiles[side],
            lens,
        };
        let [moves, captures, ends] = [Section::OfficerMoves, Section::Captures, Section::Arrivals].map(len);
        let officers = kind(0, game.officers, SectionLens { moves, captures, ends });
        let [moves, ends] = [Section::ThiefMoves, Section::Escapes].map(len);
        let mut header = Header {
            worlds: game.worlds,
            officers,
            thief: kind(1, 1, SectionLens { moves, captures: 0, ends }),
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
        let Setting { board, rules, doors, .. } = setting;
        let game = PursuitGame::compile_with_doors(board, rules, doors, check)?;
        let (undecided, source) = (setting.rules.undecided, setting.to_source());
        Ok(StoredGame { undecided, source, ..StoredGame::new(game) })
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
        let kinds = [&header.officers, &header.thief];
        let places = kinds.map(|kind| kind.places.clone());
        let counts = places.each_ref().map(|places| header.worlds as usize * places.count());
        let mut rows = |which, span| {
            let bytes = section(which)?;
            let from = if which == Section::ThiefMoves { counts[1] } else { counts[0] };
            DifferenceLists::from_bytes(&bytes, from)
                .and_then(|lists| lists.rows(span, u32::MAX, check))
                .map_err(|source| E::from(TableError::Section { section: which, source }))
        };
        let [officers, thief] = &places;
        let officer_moves = rows(Section::OfficerMoves, Span::moves(officers, header.worlds))?;
        let captures = match header.officers.lens.captures {
            0 => None,
            _ => Some(rows(Section::Captures, Span::captures(officers, thief, header.worlds))?),
        };
        let thief_moves = rows(Section::ThiefMoves, Span::moves(thief, header.worlds))?;
        let arrivals = truths(Section::Arrivals, &section(Section::Arrivals)?, counts[0])?;
        let escapes = truths(Section::Escapes, &section(Section::Escapes)?, counts[1])?;
        let escapes = if escapes.is_empty() { vec![false; counts[1]] } else { escapes };
        let ends = TerminalRule::new(escapes, arrivals).with_worlds(header.worlds);
        let ends = match captures {
            Some(captures) => ends.with_captures(captures),
            None => ends,
        };
        let points = section(Section::Points)?;
        let number = |bytes: &[u8]| i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        Ok(StoredGame {
            game: PursuitGame {
                worlds: header.worlds,
                officers: header.officers.pieces,
                team: header.team,
                stuck: header.stuck,
                places,
                moves: [officer_moves, thief_moves],
                ends,
            },
            names: kinds.map(|kind| kind.name.clone()),
            layers: kinds.map(|kind| kind.layers.clone()),
            undecided: header.undecided,
            source: source_text(section(Section::Source)?)?,
            points: points.chunks_exact(8).map(|point| (number(point), number(&point[4..]))).collect(),
        })
    }
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
        &self.sections[section as usize]
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
        let mut sections: [Vec<u8>; Section::ALL.len()] = Default::default();
        for (section, len) in sections.iter_mut().zip(header.section_lens()) {
            let (bytes, after) = rest.split_at_checked(len as usize)?;
            *section = bytes.to_vec();
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
