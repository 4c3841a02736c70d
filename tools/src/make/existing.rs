//! Files that already have the name of a table which is to be made.

use crate::{
    failure::Failure,
    input::table_list::setting,
    make::journal::Record,
    output::{human, settings},
    report::{entry::TableEntry, status::Status},
};
use dragnet_formats::{
    board::Board,
    header::{Header, Section, Summary},
    numbering::EIGHT,
    rules::Undecided,
    setting::Setting,
    stop::StopCheck,
    stored::PackedGame,
};
use dragnet_generator::{GenerateError, Plan};
use dragnet_probe::{AnyTable, Open, ProbeError, Table, TableError};
use std::{io::ErrorKind, ops::ControlFlow, path::Path, sync::Arc, time::Duration};

/// The state of the file with the name of a planned table.
pub(crate) enum Existing {
    /// No file.
    Nothing,
    /// The very table that is planned, finished and undamaged.
    Finished,
    /// A table that is replaced, since it is damaged or contradicts the journal: the phrase for what it is,
    /// after "replaced".
    Damaged(&'static str),
    /// A table with other settings that come to the planned game: it has the values of the planned table.
    SameGame {
        /// How it differs.
        other: OtherTable,
        /// The table, which is undamaged.
        table: Arc<Table>,
        /// The planned game as its table stores it.
        packed: Box<PackedGame>,
    },
    /// A table with other settings, whose values are of no use.
    Other(OtherTable),
}

/// A table with other settings than those that are planned.
pub(crate) struct OtherTable {
    /// The phrase for what it is, after "replaced".
    pub(crate) what: &'static str,
    /// How its settings differ.
    difference: String,
    /// The positions of its game.
    positions: u64,
    /// The digest of its values, as the journal has it.
    digest: String,
}

/// A table that took longer than this is not replaced unless the user asks for that.
const COSTLY: Duration = Duration::from_secs(60);
/// A table of which no time is known took longer than that if its game has more positions: an engine solves
/// some ten million a second on one slow processor.
const COSTLY_POSITIONS: u64 = 600_000_000;

impl Existing {
    /// Looks at `path`, and reads the whole table if it is of the planned game. `record` is what the journal
    /// has under its name.
    ///
    /// # Errors
    /// When there is a file that is no table of a known version, which is not replaced unless the user asks
    /// for that; when no table can hold the planned game, or the work is to stop.
    pub(crate) fn at(
        path: &Path,
        plan: &Plan,
        record: Option<&Record>,
        check: &mut StopCheck,
    ) -> Result<Existing, Failure> {
        let in_the_way = |what: String| {
            Failure::input(format!("{} is in the way{what}", path.display())).with_hint("--force replaces it")
        };
        match Open::path(path).any() {
            Ok(table) => {
                let is_contradicted = record.is_some_and(|record| contradicts(&table, path, plan, record));
                Ok(match (OtherTable::than(plan, &table), table) {
                    (Some(other), AnyTable::Pursuit(table)) if !is_contradicted => {
                        match same_game(&table, plan, check)?.map(Box::new) {
                            Some(packed) => Existing::SameGame { other, table, packed },
                            None => Existing::Other(other),
                        }
                    }
                    (Some(other), _) => Existing::Other(other),
                    (None, table) if is_damaged(&table) => Existing::Damaged("a damaged table"),
                    (None, _) if is_contradicted => {
                        Existing::Damaged("a table whose values are not those in the journal")
                    }
                    (None, _) => Existing::Finished,
                })
            }
            Err(ProbeError::File { source, .. }) if source.kind() == ErrorKind::NotFound => {
                Ok(Existing::Nothing)
            }
            Err(error @ ProbeError::File { .. }) => Err(error.into()),
            Err(ProbeError::Table(TableError::Magic { found })) if !found.is_empty() => {
                Err(in_the_way(" and is no Dragnet table".to_owned()))
            }
            Err(ProbeError::Table(error @ (TableError::Version { .. } | TableError::Kind { .. }))) => {
                Err(in_the_way(format!(": {error}")))
            }
            Err(_) => Ok(Existing::Damaged("a damaged table")),
        }
    }
}

/// Returns the planned game as its table stores it, if `table` is undamaged and of the same game, whatever
/// its tiles and what people see of it.
///
/// # Errors
/// When no table can hold the planned game, or the work is to stop.
fn same_game(table: &Table, plan: &Plan, check: &mut StopCheck) -> Result<Option<PackedGame>, GenerateError> {
    let size = |header: &Header| (header.rows(), header.worlds, header.positions());
    if size(table.header()) != size(plan.header()) {
        return Ok(None);
    }
    let packed = plan.pack(check)?;
    let is_same = game_alone(table.header()) == game_alone(&packed.header)
        && (packed.header.sections())
            .filter(|section| !matches!(section, Section::Source | Section::Points))
            .all(|section| table.section(section).is_ok_and(|bytes| bytes == packed.section(section)))
        && table.check_sums(|_| ()).is_ok();
    Ok(is_same.then_some(packed))
}

/// Returns the header without values, tiles, and what people see of the game.
fn game_alone(header: &Header) -> Header {
    let mut header = header.clone();
    (header.summary, header.undecided) = (Summary::default(), Undecided::Draw);
    (header.source_len, header.points_len) = (0, 0);
    for kind in header.kinds.iter_mut().chain([&mut header.thief]) {
        kind.tile = EIGHT;
        kind.name.clear();
        kind.layers.clear();
    }
    header
}

fn is_damaged(table: &AnyTable) -> bool {
    table.check_sums_while(|_, _| ControlFlow::Continue(())).is_err()
}

/// Returns whether the journal has made this very table with other values.
fn contradicts(table: &AnyTable, path: &Path, plan: &Plan, record: &Record) -> bool {
    let AnyTable::Pursuit(table) = table else { return false };
    let entry = TableEntry::new("", Status::Kept).with_table(path, table);
    record.key == format!("{:032x}", plan.key()) && !record.entry.has_values_of(&entry)
}

impl OtherTable {
    /// Returns how `table` differs from the planned one, if it does.
    fn than(plan: &Plan, table: &AnyTable) -> Option<OtherTable> {
        let (positions, digest) = (table.positions(), format!("{:016x}", table.digest()));
        match table {
            AnyTable::Pursuit(table) => OtherTable::of_pursuit(table, plan),
            AnyTable::Game(_) => Some(OtherTable {
                what: "a table of another game",
                difference: "a game table instead of a pursuit table".to_owned(),
                positions,
                digest,
            }),
            AnyTable::Partial(table) => Some(OtherTable {
                what: "a partial table",
                difference: format!("a table that keeps {} instead of all values", table.keep()),
                positions,
                digest,
            }),
        }
    }

    /// Returns how a pursuit table differs from the planned one, if it does.
    fn of_pursuit(table: &Table, plan: &Plan) -> Option<OtherTable> {
        let (header, planned) = (table.header(), setting(plan));
        let (board, other) = (table.board(), &planned.board);
        let instead = |found: String, planned: String| format!("{found} instead of {planned}");
        let without_exits = |board: &Board| board.with_exits(&[]).ok();
        let (what, difference) = match table.setting() {
            _ if board != other => {
                if without_exits(board) == without_exits(other) {
                    ("a table with other exits", instead(settings::exits(board), settings::exits(other)))
                } else if (board.height(), board.width()) != (other.height(), other.width()) {
                    let size = |board: &Board| format!("{}x{}", board.height(), board.width());
                    ("a table of another board", instead(size(board), size(other)))
                } else {
                    ("a table of another board", "other walls".to_owned())
                }
            }
            None => ("a table of another game", "a game that a program gave".to_owned()),
            Some(found) if found.rules != planned.rules => {
                let rules = |setting: &Setting| format!("\"{}\"", settings::rules(&setting.rules));
                ("a table of other rules", instead(rules(found), rules(planned)))
            }
            Some(found) if found.doors != planned.doors => {
                ("a table of other doors", "other doors, or none".to_owned())
            }
            Some(found) if found.guards != planned.guards => {
                ("a table of other guards", "other guards, or none".to_owned())
            }
            _ if header.tiles() != plan.header().tiles() => {
                ("a table that favours something else", "another favour".to_owned())
            }
            Some(_) if table.source() != planned.to_source() => {
                ("a table with other start cells", "other marks P and T".to_owned())
            }
            Some(_) => return None,
        };
        let digest = format!("{:016x}", header.summary.digest);
        Some(OtherTable { what, difference, positions: header.positions(), digest })
    }

    /// Returns what the journal has of the table, if `record`, which is of its name, is of its values.
    pub(crate) fn entry_in<'r>(&self, record: Option<&'r Record>) -> Option<&'r TableEntry> {
        record.map(|record| &record.entry).filter(|entry| entry.digest.as_deref() == Some(&self.digest))
    }

    /// Checks that the table at `path` may be replaced: that to make it anew would not take long. `record` is
    /// what the journal has under its name.
    pub(crate) fn require_cheap(&self, path: &Path, record: Option<&Record>) -> Result<(), Failure> {
        let seconds = self.entry_in(record).and_then(TableEntry::seconds);
        let cost = match seconds.map(Duration::from_secs_f64) {
            Some(time) if time > COSTLY => format!("took {} to make", human::duration(time)),
            None if self.positions > COSTLY_POSITIONS => {
                format!("has {} positions", human::count(self.positions))
            }
            _ => return Ok(()),
        };
        let (path, difference) = (path.display(), &self.difference);
        Err(Failure::input(format!("{path} is in the way: it has other settings ({difference}), and {cost}"))
            .with_hint("--force replaces it; another folder or another name keeps both"))
    }
}
