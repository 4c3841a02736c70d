//! Which command takes which table: the list of which every refusal of a table is made.

use crate::failure::Failure;
use dragnet_probe::{AnyTable, Table};
use std::{path::Path, sync::Arc};

/// The contents of a table, as far as commands tell tables apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    /// A pursuit on a board of squares.
    Squares,
    /// A pursuit on a graph, or on a map of hexagons.
    Graph,
    /// A pursuit with several worlds, such as on a board with doors.
    Worlds,
    /// A game whose positions are numbers.
    Game,
    /// A part of the values of a pursuit.
    Part,
}

use Holds::{Game, Graph, Part, Squares, Worlds};

/// The tables that a command takes, and the words for them.
struct Taken {
    words: &'static str,
    holds: &'static [Holds],
}

const SQUARES: Taken = Taken { words: "a pursuit table of a board of squares", holds: &[Squares, Worlds] };
const PURSUIT: Taken = Taken { words: "a pursuit table", holds: &[Squares, Graph, Worlds] };
const WITHOUT_DOORS: Taken = Taken { words: "a pursuit table without doors", holds: &[Squares, Graph] };
const WHOLE: Taken = Taken { words: "a table with all values", holds: &[Squares, Graph, Worlds, Game] };
const ANY: Taken = Taken { words: "a table", holds: &[Squares, Graph, Worlds, Game, Part] };

/// The commands that read tables and come to an end. A test tries each with each kind of table.
const COMMANDS: [(&str, Taken); 14] = [
    ("probe", ANY),
    ("line", PURSUIT),
    ("show", SQUARES),
    ("play", SQUARES),
    ("policy", WITHOUT_DOORS),
    ("info", ANY),
    ("stats", WHOLE),
    ("verify", ANY),
    (AGAINST, PURSUIT),
    ("report", PURSUIT),
    ("site", WHOLE),
    ("pack", WHOLE),
    ("dump", WHOLE),
    ("bench --table", PURSUIT),
];

/// The option for the pursuit table against which another one is checked: nothing that one does with a table.
pub(super) const AGAINST: &str = "verify --against";

impl Holds {
    fn of(table: &AnyTable) -> Holds {
        match table {
            AnyTable::Pursuit(table) if table.header().worlds > 1 => Worlds,
            AnyTable::Pursuit(table) if table.board().graph().is_some() => Graph,
            AnyTable::Pursuit(_) => Squares,
            AnyTable::Game(_) => Game,
            AnyTable::Partial(_) => Part,
        }
    }

    /// Returns the commands that take a table with these contents, in a sentence.
    fn takers(self) -> String {
        let takers = COMMANDS.iter().filter(|(_, taken)| taken.holds.contains(&self));
        let takers: Vec<&str> = takers.map(|&(name, _)| name).filter(|name| *name != AGAINST).collect();
        let (last, others) = takers.split_last().expect("probe takes every table");
        format!("{} and {last} take it", others.join(", "))
    }
}

/// Returns the failure of `command`, which does not take the table in the file `path`. Its hint names the
/// commands that do.
pub(super) fn refused(command: &str, table: &AnyTable, path: &Path) -> Failure {
    let (_, Taken { words, .. }) = COMMANDS
        .iter()
        .find(|(name, _)| *name == command)
        .expect("a command that reads tables stands in the list");
    let holds = Holds::of(table);
    let found = match (holds, table) {
        (Squares, _) => "one of a board of squares".to_owned(),
        (Graph, _) => "one of a graph".to_owned(),
        (Worlds, _) => "one with several worlds".to_owned(),
        (_, AnyTable::Partial(table)) => format!("a partial table, which keeps {} alone", table.keep()),
        _ => "a game table, whose positions are numbers".to_owned(),
    };
    Failure::input(format!("expected {words}, found {found}")).in_file(path).with_hint(holds.takers())
}

/// Returns the table in the file `path`, for a command that takes pursuit tables.
///
/// # Errors
/// When it is another table.
pub(super) fn pursuit(command: &str, table: AnyTable, path: &Path) -> Result<Arc<Table>, Failure> {
    match table {
        AnyTable::Pursuit(table) => Ok(table),
        other => Err(refused(command, &other, path)),
    }
}
