//! A board with its doors, guards, rules and start cells, as the text from which a game is made.
//!
//! A table keeps this text in its source section (`FORMAT.md` §4), for people and for who compiles the game
//! again: what stands in the table is the game.

use crate::{
    board::{Board, BoardError, ParseBoardError, Scenario, text},
    cell::Cell,
    doors::{Door, DoorError, Doors, Opening},
    graph::{GraphBuilder, GraphError},
    guards::{Guard, GuardError, Guards},
    rules::{Rules, RulesError},
};
use serde::Deserialize;

/// A board, its doors, guards, rules and start cells.
///
/// ```
/// use dragnet_formats::{board::Scenario, rules::Rules, setting::Setting};
///
/// let setting = Setting::new(Scenario::parse(b"P.#\n..T\n")?, Rules::chase());
/// let source = setting.to_source();
/// assert_eq!(source, "board = '''\nP.#\n..T\n'''\n\n[rules]\ncorner_cutting = false\n\n\
///                     [rules.thief]\nmoves = \"king\"\n");
/// assert_eq!(Setting::from_source(&source)?, setting);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The board with its exits.
    pub board: Board,
    /// The rules.
    pub rules: Rules,
    /// The doors of the board, perhaps none.
    pub doors: Doors,
    /// The guards who walk rounds on the board, perhaps none.
    pub guards: Guards,
    /// The cells on which officers start, in reading order; there may be none, or fewer than officers.
    pub police: Vec<Cell>,
    /// The cell on which the thief starts, if any.
    pub thief: Option<Cell>,
}

/// The reason why a text is no setting.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingError {
    /// The text is no TOML document with the keys of a setting.
    #[error("{message}")]
    Toml {
        /// The message of the reader.
        message: String,
    },
    /// The text does not begin as a setting does.
    #[error(
        "expected the line board = ''' or graph = ''' first, and ''' behind the lines of the board or the graph"
    )]
    Begin,
    /// The text behind the board or the graph is longer than that of any rules, exits and starts.
    #[error("expected at most {MAX_REST} bytes behind the board or the graph, found {found}")]
    Long {
        /// The number of bytes.
        found: usize,
    },
    /// A picture of a board has its exits and starts as letters.
    #[error("expected exits, police and thief behind a graph only")]
    OfGraph,
    /// The board cannot be read.
    #[error("board: {0}")]
    Text(#[from] ParseBoardError),
    /// The board or its exits are impossible.
    #[error("board: {0}")]
    Board(#[from] BoardError),
    /// A line of the graph is no list of vertices.
    #[error("graph: expected vertices below the number of lines, {lines}, found {found:?} in line {line}")]
    Vertex {
        /// The number of lines.
        lines: usize,
        /// The number of the line, from 1.
        line: usize,
        /// The word that is no vertex.
        found: String,
    },
    /// The graph has too many edges.
    #[error("graph: {0}")]
    Graph(#[from] GraphError),
    /// The rules cannot be played on the board.
    #[error("rules: {0}")]
    Rules(#[from] RulesError),
    /// The board cannot have these doors.
    #[error("doors: {0}")]
    Doors(#[from] DoorError),
    /// The board cannot have these guards.
    #[error("guards: {0}")]
    Guards(#[from] GuardError),
}

/// The keys behind the picture of the board or the lines of the graph.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    /// The vertices that are exits.
    #[serde(default)]
    exits: Vec<u16>,
    /// The vertices on which officers start.
    #[serde(default)]
    police: Vec<u16>,
    /// The vertex on which the thief starts.
    thief: Option<u16>,
    /// The doors.
    #[serde(default)]
    doors: Vec<Door>,
    /// The guards.
    #[serde(default)]
    guards: Vec<Guard>,
    /// The rules that differ from [`Rules::classic`].
    #[serde(default)]
    rules: toml::Table,
}

impl Setting {
    /// Creates the setting of a scenario's board and start cells under these rules, without doors or guards.
    #[must_use]
    pub fn new(Scenario { board, police, thief }: Scenario, rules: Rules) -> Setting {
        Setting { board, rules, doors: Doors::default(), guards: Guards::default(), police, thief }
    }

    /// Returns the setting with these doors, or none.
    ///
    /// # Errors
    /// When the board cannot have them under its rules.
    pub fn with_doors(self, doors: Vec<Door>) -> Result<Setting, DoorError> {
        Ok(Setting { doors: Doors::new(doors, &self.board, &self.rules)?, ..self })
    }

    /// Returns the setting with these guards, or none.
    ///
    /// # Errors
    /// When the board cannot have them, or the game has too many worlds with its doors and its limit.
    pub fn with_guards(self, guards: Vec<Guard>) -> Result<Setting, GuardError> {
        let guards = Guards::new(guards, &self.board)?;
        let plies = self.rules.limit.map_or(0, |limit| u64::from(limit.plies));
        let worlds = u64::from(self.doors.worlds()) * u64::from(guards.ticks()) * (plies + 1);
        let squares = self.board.squares().len() as u64 * self.rules.most_layers(&self.board);
        match worlds == 1 || worlds <= Doors::MAX_WORLDS.into() && worlds * squares <= Guards::MAX_SQUARES {
            true => Ok(Setting { guards, ..self }),
            false => Err(GuardError::Worlds { worlds, squares }),
        }
    }

    /// Returns the text, which [`Setting::from_source`] reads back.
    ///
    /// Starts that no text can have, such as those on exits, are left out.
    #[must_use]
    pub fn to_source(&self) -> String {
        let mut source = match self.board.graph() {
            None => {
                let scenario =
                    Scenario { board: self.board.clone(), police: self.police.clone(), thief: self.thief };
                let rows = text::write(&scenario)
                    .or_else(|_| text::write(&Scenario::from_board(scenario.board)))
                    .expect("a board without starts has a text");
                format!("board = '''\n{rows}'''\n")
            }
            Some(graph) => {
                let words = |numbers: &[u32]| numbers.iter().map(u32::to_string).collect::<Vec<_>>();
                let lines = (0..graph.vertices()).map(|from| words(graph.successors(from)).join(" ") + "\n");
                let mut source = format!("graph = '''\n{}'''\n", lines.collect::<String>());
                let exits: Vec<Cell> = self.board.exits().collect();
                for (key, cells) in [("exits", &exits), ("police", &self.police)] {
                    if !cells.is_empty() {
                        let vertices: Vec<u16> = cells.iter().map(|cell| cell.col).collect();
                        source += &format!("{key} = {vertices:?}\n");
                    }
                }
                source + &self.thief.map(|cell| format!("thief = {}\n", cell.col)).unwrap_or_default()
            }
        };
        for door in self.doors.list() {
            source += &door_text(door);
        }
        for guard in self.guards.list() {
            source += &format!("\n{guard}");
        }
        let rules = self.differing();
        if !rules.is_empty() {
            let rules = toml::Table::from_iter([("rules".to_owned(), rules.into())]);
            source.push('\n');
            source += &toml::to_string(&rules).expect("rules can be written");
        }
        source
    }

    /// Returns the keys of the rules that differ from those of [`Rules::classic`].
    fn differing(&self) -> toml::Table {
        let table = |rules: &Rules| toml::Table::try_from(rules).expect("rules are a table");
        let (mut rules, usual) = (table(&self.rules), table(&Rules::classic()));
        rules.retain(|key, value| match (value, usual.get(key)) {
            (toml::Value::Table(side), Some(toml::Value::Table(usual))) => {
                side.retain(|key, value| Some(&*value) != usual.get(key));
                !side.is_empty()
            }
            (value, usual) => Some(&*value) != usual,
        });
        rules
    }

    /// Reads the text of a setting.
    ///
    /// # Errors
    /// When the text is none, or its rules cannot be played on its board.
    pub fn from_source(source: &str) -> Result<Setting, SettingError> {
        let toml = |error: toml::de::Error| SettingError::Toml { message: error.to_string() };
        let board = literal(source, "board");
        let (picture, rest) = board.or_else(|| literal(source, "graph")).ok_or(SettingError::Begin)?;
        if rest.len() > MAX_REST {
            return Err(SettingError::Long { found: rest.len() });
        }
        let keys: Keys = toml::from_str(rest).map_err(toml)?;
        let rules: Rules = keys.rules.try_into().map_err(toml)?;
        let cell = |&col: &u16| Cell::new(0, col);
        let of_graph = keys.police.len() + keys.exits.len() > 0 || keys.thief.is_some();
        let scenario = match board {
            Some(_) if of_graph => return Err(SettingError::OfGraph),
            Some(_) => text::parse(picture.as_bytes())?,
            None => Scenario {
                board: graph_board(picture)?.with_exits(&keys.exits.iter().map(cell).collect::<Vec<_>>())?,
                police: keys.police.iter().map(cell).collect(),
                thief: keys.thief.as_ref().map(cell),
            },
        };
        for &start in scenario.police.iter().chain(&scenario.thief) {
            scenario.board.require_open(start)?;
        }
        rules.check_on(&scenario.board)?;
        Ok(Setting::new(scenario, rules).with_doors(keys.doors)?.with_guards(keys.guards)?)
    }
}

/// Returns a door as a doors file has it.
fn door_text(door: &Door) -> String {
    let cell = |cell: Cell| format!("[{}, {}]", cell.row, cell.col);
    let opening = match &door.opening {
        Opening::Key { cell: key, open, once } => {
            let key = format!("key = {}\n", cell(*key));
            key + if *open { "open = true\n" } else { "" } + if *once { "once = true\n" } else { "" }
        }
        Opening::Schedule(schedule) => format!("schedule = \"{schedule}\"\n"),
    };
    format!("\n[[doors]]\ncell = {}\n{opening}", cell(door.cell))
}

/// The most bytes of exits, starts, doors and rules.
const MAX_REST: usize = 1 << 19;

/// Returns the lines of the string with which the text begins, if it is the value of `key`, and the text
/// behind it.
fn literal<'a>(source: &'a str, key: &str) -> Option<(&'a str, &'a str)> {
    let (lines, rest) = source.strip_prefix(key)?.strip_prefix(" = '''\n")?.split_once("'''")?;
    (rest.is_empty() || rest.starts_with('\n')).then_some((lines, rest))
}

/// Reads the graph with a line for each vertex.
fn graph_board(text: &str) -> Result<Board, SettingError> {
    let lines = text.lines().count();
    let mut builder = GraphBuilder::new();
    for (from, line) in text.lines().enumerate() {
        for word in line.split_ascii_whitespace() {
            let vertex = word.parse().ok().filter(|&to: &u64| to < lines as u64);
            let Some(to) = vertex else {
                return Err(SettingError::Vertex { lines, line: from + 1, found: word.to_owned() });
            };
            builder.add(from as u64, to)?;
        }
    }
    Ok(Board::of_graph(&builder.build_with(lines as u32))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{MoveSet, Movement, Wrap};

    #[test]
    fn settings_come_back_from_their_source() {
        let scenario = Scenario::parse(b"P.#E\n.>TP\n").unwrap();
        let knight = Movement { reach: 2, ..Movement::new(MoveSet::Offsets(vec![(1, 2), (-1, 0)])) };
        let odd = Rules { officers: 2, police: knight.without_pass(), wrap: Wrap::Both, ..Rules::chase() };
        for rules in [Rules::classic(), Rules::chase(), odd] {
            let setting = Setting::new(scenario.clone(), rules);
            let source = setting.to_source();
            assert_eq!(Setting::from_source(&source), Ok(setting), "{source}");
        }
        let mut edges = GraphBuilder::new();
        for (from, to) in [(0, 1), (1, 0), (1, 3)] {
            edges.add(from, to).unwrap();
        }
        let board = Board::of_graph(&edges.build_with(6)).unwrap().with_exits(&[Cell::new(0, 5)]).unwrap();
        let mut setting = Setting::new(Scenario::from_board(board), Rules::cops());
        setting.police = vec![Cell::new(0, 1)];
        setting.thief = Some(Cell::new(0, 3));
        let source = setting.to_source();
        let begin = "graph = '''\n1\n0 3\n\n\n\n\n'''\nexits = [5]\npolice = [1]\nthief = 3\n\n[rules";
        assert!(source.starts_with(begin), "{source}");
        assert_eq!(Setting::from_source(&source), Ok(setting));
    }

    #[test]
    fn what_is_no_setting_is_refused() {
        let refused = |source: &str| Setting::from_source(source).unwrap_err().to_string();
        for source in ["", "board = 3", "board = '.'\n", "board = '''\n..\n"] {
            assert!(refused(source).contains("expected the line board = '''"), "{source}");
        }
        assert!(refused("board = '''\n.\n'''\nexits = [0]").contains("behind a graph only"));
        assert!(refused("board = '''\n.?\n'''\n").starts_with("board: "));
        let long = format!("board = '''\n.\n'''\n{}", "#".repeat(MAX_REST));
        assert!(refused(&long).contains("found 524289"));
        assert!(refused("graph = '''\n1\n2\n'''\n").contains("found \"2\" in line 2"));
        assert!(refused("graph = '''\n1\n0\n'''\nthief = 2").contains("off the board"));
        assert!(refused("board = '''\n.\n'''\nrules.officers = 9").contains("a number from 0 to 6"));
        assert!(refused("board = '''\n.\n'''\nrules.police.moves = 'edges'").starts_with("rules: "));
    }
}
