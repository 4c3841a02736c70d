//! Tables that are to be made, before their boards are read.

use crate::{
    failure::Failure,
    input::{
        arguments::{self, EngineName, Exit, name_of},
        boards::{self, Maker, noted},
        graphs::Streets,
        limits::Limits,
        size::Size,
    },
    messages::{Kind, is_printable, say_once},
    output::human,
};
use dragnet_formats::{board::Scenario, doors::Door, guards::Guard, rules::Rules, setting::Setting};
use dragnet_generator::{Plan, encode::Encoding, save, schedule::Order};
use dragnet_maps::{MapReading, MapSelectors, within_a_screen};
use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

/// The source of a board. Only boards of the command line and levels of maps are held in memory; all others
/// are made or read when they are needed, since ranges of sizes can have more squares than memory.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// A board that was read from a file on the command line, which may be a pipe, or a level of a map.
    Given { path: PathBuf, level: Option<String>, reading: Arc<MapReading> },
    /// A board file, with what a user says of it if it is a map of an editor.
    File { path: PathBuf, selectors: Arc<MapSelectors> },
    /// A file of a graph.
    Graph { path: PathBuf, streets: Streets },
    /// An open board.
    Open(Size),
    /// A generated board.
    Made { maker: Maker, size: Size, seed: u64, density: f64, extra: usize },
}

impl Origin {
    /// Returns whether both are certainly the same board.
    pub(crate) fn is_same_board(&self, other: &Origin) -> bool {
        match (self, other) {
            (Origin::Given { reading: a, .. }, Origin::Given { reading: b, .. }) => {
                (&a.scenario.board, &a.guards) == (&b.scenario.board, &b.guards)
            }
            (Origin::File { path: a, selectors: of_a }, Origin::File { path: b, selectors: of_b }) => {
                (a, of_a) == (b, of_b)
            }
            (Origin::Graph { path: a, streets: of_a }, Origin::Graph { path: b, streets: of_b }) => {
                (a, of_a) == (b, of_b)
            }
            (Origin::Open(a), Origin::Open(b)) => a == b,
            _ => false,
        }
    }

    /// Returns the board with its start cells and its guards, and with the exits that it has by itself.
    fn read(&self) -> Result<MapReading, Failure> {
        let made = match self {
            Origin::Given { reading, .. } => return Ok((**reading).clone()),
            Origin::File { path, selectors } => return Ok(noted(path, boards::read_file(path, selectors)?)),
            Origin::Graph { path, streets } => {
                boards::require_file(path, "a graph")?;
                return Ok(MapReading::of_board(Scenario::from_board(streets.read_board(path)?)));
            }
            Origin::Open(size) => boards::open(*size),
            Origin::Made { maker, size, seed, density, extra } => maker.make(*size, *seed, *density, *extra),
        };
        let reading = |board| MapReading::of_board(Scenario::from_board(board));
        made.map(reading).map_err(|error| Failure::Input(error.into()))
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Given { path, level: Some(level), .. } => write!(f, "{}, level {level}", path.display()),
            Origin::Given { path, .. } | Origin::File { path, .. } | Origin::Graph { path, .. } => {
                write!(f, "{}", path.display())
            }
            Origin::Open(Size { height, width }) => write!(f, "an open board of {height}x{width}"),
            Origin::Made { maker, size: Size { height, width }, seed, .. } => {
                write!(f, "{} {height}x{width}, seed {seed}", arguments::name_of(maker))
            }
        }
    }
}

/// A table that is asked for: where its board comes from, and how it is to be made.
#[derive(Clone, Debug)]
pub(crate) struct ListedTable {
    /// The table's name: its file is `NAME.dtb` in the output folder.
    pub(crate) name: String,
    pub(crate) origin: Origin,
    /// Exits that replace the board's own; if there are none here, the board keeps its own. Shared by many
    /// tables, as the rules are.
    pub(crate) exit: Arc<[Exit]>,
    pub(crate) rules: Arc<Rules>,
    /// The doors of the board; none on most.
    pub(crate) doors: Arc<[Door]>,
    /// The guards on the board, in place of those of a map; none on most.
    pub(crate) guards: Arc<[Guard]>,
    /// The number of officers, if the user gives one beside the rules.
    pub(crate) officers: Option<u8>,
    /// The place in a manifest that asks for the table.
    pub(crate) place: Option<Arc<str>>,
    pub(crate) engine: EngineName,
    pub(crate) encoding: Encoding,
}

impl ListedTable {
    /// Reads or makes the board, with its exits, start cells and guards.
    pub(crate) fn read(&self) -> Result<MapReading, Failure> {
        let in_file = |failure: Failure| match &self.origin {
            Origin::Given { path, .. } | Origin::File { path, .. } | Origin::Graph { path, .. } => {
                failure.in_file(path)
            }
            _ => failure,
        };
        let exit = |failure: Failure| match &self.place {
            Some(place) => failure.about(format!("{place}: exit")),
            None => failure.about("--exit"),
        };
        let reading = self.origin.read()?;
        let Scenario { board, police, thief } = reading.scenario;
        let board = arguments::with_exits(board, &self.exit).map_err(|failure| in_file(exit(failure)))?;
        boards::require_open_cell(&board).map_err(|failure| failure.about(&self.origin))?;
        Ok(MapReading { scenario: Scenario { board, police, thief }, ..reading })
    }

    /// Returns the probable mistakes about the table of this plan: a board without an exit, where the moves
    /// are those of the classic rules and nobody said that there is to be none; fewer officers than are
    /// marked; and an officer beside guards whom nobody mentions.
    pub(crate) fn doubt(&self, plan: &Plan) -> Option<String> {
        let (Setting { board, rules, guards, police, .. }, classic) = (setting(plan), Rules::classic());
        let moves_of_classic = (&rules.police, &rules.thief) == (&classic.police, &classic.thief);
        let no_exit = moves_of_classic && self.exit.is_empty() && board.exits().next().is_none();
        let no_exit = no_exit.then(|| {
            "the board has no exit, so the thief cannot win; --exit ROW,COL or exit in a manifest names one, and \
             none says that there is none"
                .to_owned()
        });
        let (officers, marked) = (rules.all_officers(), police.len());
        let too_few = (marked > officers)
            .then(|| format!("the board marks the start cells of {marked} officers, and {officers} play"));
        let unmarked = officers == 1 && marked == 0 && self.officers.is_none();
        let guarded = (unmarked && !guards.list().is_empty()).then(|| {
            "1 officer plays beside the guards; officers = 0 in the rules leaves the thief alone with them"
                .to_owned()
        });
        let doubts: Vec<String> = no_exit.into_iter().chain(too_few).chain(guarded).collect();
        (!doubts.is_empty()).then(|| doubts.join("; "))
    }

    /// Returns a note about the officers of this plan, if their number was taken from the board.
    pub(crate) fn officers_note(&self, plan: &Plan) -> Option<String> {
        let officers = setting(plan).rules.officers;
        let taken = self.officers.is_none() && officers != self.rules.officers;
        taken.then(|| format!("{officers} officers, as many as the board marks with P"))
    }

    /// Reads or makes the board, and returns the generator's plan for its table. Says if guards of a map are
    /// replaced.
    pub(crate) fn plan(&self) -> Result<Plan, Failure> {
        let MapReading { scenario, guards: of_map, .. } = self.read()?;
        let rules = (*self.rules).clone().for_officers(self.officers, scenario.police.len())?;
        let about = |part: &str, error: anyhow::Error| {
            Failure::Input(error).about(match &self.place {
                Some(place) => format!("{place}: {part}"),
                None => format!("--{part}"),
            })
        };
        let setting = Setting::new(scenario, rules).with_doors(self.doors.to_vec());
        let setting = setting.map_err(|error| about("doors", error.into()))?;
        let setting = match self.guards.is_empty() {
            true => setting
                .with_guards(of_map)
                .map_err(|error| Failure::Input(error.into()).about(&self.origin))?,
            false => {
                if !of_map.is_empty() {
                    say_once(Kind::Note, &format!("{}: the guards of the map are replaced", self.origin));
                }
                let setting = setting.with_guards(self.guards.to_vec());
                setting.map_err(|error| about("guards", error.into()))?
            }
        };
        if self.engine == EngineName::Bitboard && !setting.doors.keys().is_empty() {
            let other = name_of(&EngineName::Counters);
            return Err(about(
                "doors",
                anyhow::anyhow!("expected the engine {other}, which alone solves boards with keys"),
            ));
        }
        Ok(Plan::of_setting(setting, self.encoding)?.with_engine(self.engine.into()))
    }
}

/// Returns board, doors and rules of a plan.
pub(crate) fn setting(plan: &Plan) -> &Setting {
    plan.setting().expect("this program plans the tables of boards")
}

/// Tables of a lot: enough that threads seldom wait for each other at its end. Their boards are in memory.
const LOT: usize = 256;

/// All tables of a run, where they go and which limits hold.
#[derive(Debug)]
pub(crate) struct TableList {
    /// The manifest from which the list comes, if it does.
    pub(crate) manifest: Option<PathBuf>,
    /// A hash of the manifest's text, or 0.
    pub(crate) key: u128,
    /// The output folder.
    pub(crate) out: PathBuf,
    pub(crate) limits: Limits,
    /// The order in which the tables are made.
    pub(crate) order: Order,
    /// The command that is run when the tables are done.
    pub(crate) on_end: Option<String>,
    /// Whether these are not all tables of the manifest, but those of a shard.
    pub(crate) is_part: bool,
    pub(crate) tables: Vec<ListedTable>,
}

impl TableList {
    /// Returns a word that tells this list from others, and what to call it. Runs may not make tables of two
    /// lists in one folder at a time. All boards without a manifest are one list, as are all shards of one.
    pub(crate) fn title(&self) -> (String, String) {
        let word = format!("{:032x}{}", self.key, if self.is_part { "-shards" } else { "" });
        (word, self.manifest.as_ref().map_or("boards".to_owned(), |path| path.display().to_string()))
    }

    /// Returns the path of the table called `name`.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.out.join(format!("{name}.dtb"))
    }

    /// Returns what is to be said of tables that are too many to be planned together: how many there are, and
    /// how many positions those of open boards have.
    pub(crate) fn announcement(&self) -> Option<String> {
        let positions = |table: &ListedTable| match table.origin {
            Origin::Open(Size { height, width }) => {
                let cells = u128::from(height) * u128::from(width);
                let officers = table.officers.unwrap_or(table.rules.officers);
                // Teams of so many officers, who may share cells.
                let teams = (0..u128::from(officers))
                    .fold(1_u128, |teams, officer| teams.saturating_mul(cells + officer) / (officer + 1));
                2_u128.saturating_mul(teams).saturating_mul(cells)
            }
            _ => 0,
        };
        let sum = || self.tables.iter().map(positions).fold(0, u128::saturating_add);
        let several = self.manifest.is_none() && self.tables.len() > LOT;
        several.then(|| {
            let positions = human::count(u64::try_from(sum()).unwrap_or(u64::MAX));
            format!("{} tables, {positions} positions", human::count(self.tables.len() as u64))
        })
    }

    /// Returns the tables in lots whose boards are read together before the first table of the lot is
    /// made.
    ///
    /// The lot of a manifest is all of it: nothing is made before every board has proved usable. Boards on
    /// the command line have been read already, and what is left are open boards, of which there may be a
    /// million.
    pub(crate) fn lots(&self) -> impl Iterator<Item = &[ListedTable]> {
        let lot = if self.manifest.is_some() { self.tables.len().max(1) } else { LOT };
        self.tables.chunks(lot)
    }
}

/// The longest name of a table, in bytes: most file systems allow file names of 255 bytes, and while
/// `NAME.dtb` is made there are files with longer names beside it.
const MAX_NAME: usize = 255 - ".dtb".len() - save::LONGEST_SUFFIX;

/// Checks that a table of this name, and all files beside it, can have their names.
fn check_length(name: &str) -> Result<(), Failure> {
    if name.len() > MAX_NAME {
        let found = name.len();
        return Err(Failure::input(format!(
            "name: expected a name of at most {MAX_NAME} bytes, found {found}"
        )));
    }
    Ok(())
}

/// Checks that a table may have this name, which a user has chosen.
pub(crate) fn check_name(name: &str) -> Result<(), Failure> {
    let bad = |c: char| c == '/' || c == '\\' || !is_printable(c);
    if name.is_empty() || name.starts_with('.') || name.contains(bad) {
        return Err(Failure::input(format!(
            "name: expected a file name of printable characters that does not begin with a dot, found {name:?}"
        )));
    }
    check_length(name)
}

/// Returns the board of a level of the map in the file `path`, with the name of its table. Without levels the
/// table would have the name `map`.
pub(crate) fn of_level(
    path: &Path,
    map: &str,
    (level, reading): (String, MapReading),
) -> Result<(String, Origin), Failure> {
    let name = format!("{map}-{level}");
    check_name(&name)
        .map_err(|failure| failure.about(format!("level {level:?}")).text())
        .map_err(|text| Failure::input(within_a_screen(&text)).in_file(path))?;
    let reading = Arc::new(reading);
    Ok((name, Origin::Given { path: path.to_owned(), level: Some(level), reading }))
}

/// Returns the name of the table that is made of the file `path`.
pub(crate) fn table_name(path: &Path) -> Result<String, Failure> {
    let name = path.file_stem().and_then(|stem| stem.to_str());
    let name = name.ok_or_else(|| Failure::input("expected a file name in UTF-8").in_file(path))?;
    check_length(name).map_err(|failure| failure.in_file(path))?;
    Ok(name.to_owned())
}
