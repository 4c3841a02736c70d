//! `dragnet cops`: how many officers catch the thief on a graph or board, how soon, and from where.

use super::{output, print_json};
use crate::{
    failure::Failure,
    input::{
        arguments::{self, Threads},
        boards,
        graphs::{Form, Streets},
        limits::Memory,
    },
    maps::GroundSelectors,
    messages::columns,
    output::{
        human,
        progress::{self, Progress},
    },
    signals,
};
use clap::Args;
use dragnet_formats::{
    board::Board,
    graph::{
        family::{FAMILIES, Family, graph_of_family},
        names::VertexNames,
        sixes,
    },
    pieces::Pieces,
    rules::Rules,
};
use dragnet_generator::{
    Observer,
    cops::{Capture, CopsError, capture, memory_needed},
};
use rayon::prelude::*;
use serde_json::json;
use std::{
    collections::BTreeMap,
    io::{BufRead, Write, stdout},
    path::{Path, PathBuf},
};

/// Tell how many officers catch the thief wherever he begins, how soon, and from where
///
/// The game of cops and robbers: the police places all its officers, then the thief chooses his vertex. The
/// police moves first; each side moves along edges or stays, and all officers move in one turn. The cop
/// number is the smallest number of officers that always catches the thief. The capture time is the number of
/// the police's turns, with best placements and best play of both sides. A file with the ending .g6, .s6 or
/// .d6 has a graph in each line.
#[derive(Args)]
#[command(after_help = after_help())]
pub(crate) struct Cops {
    /// Files with graphs; '-' is standard input [default: - if there is no --family]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A graph by name, as in petersen:20,3; may be repeated. The families are listed below
    #[arg(long = "family", value_name = "NAME:NUMBERS")]
    families: Vec<String>,
    #[command(flatten)]
    streets: Streets,
    /// Vertices of edge lists are words, not numbers
    #[arg(long)]
    names: bool,
    /// The files are boards; exits on them are open cells
    #[arg(long, conflicts_with_all = ["form", "names", "directed", "undirected"])]
    board: bool,
    #[command(flatten)]
    ground: GroundSelectors,
    /// A preset, or a TOML file with the differences from classic [default: cops on graphs, classic on
    /// boards]
    #[arg(long, value_name = "PRESET|FILE")]
    rules: Option<String>,
    /// The most officers to search with, at most 6; a graph that needs more is listed as above the bound
    #[arg(long, value_name = "K", default_value_t = 4, value_parser = arguments::officers())]
    bound: u8,
    /// Also print the capture times with up to N officers more than are needed, whatever the bound, but with
    /// no more than 6
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = arguments::whole_number(0..=Pieces::MAX as u8))]
    more: u8,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    memory: Memory,
    /// Print only how many graphs have which cop number
    #[arg(long = "count")]
    only_count: bool,
    /// Print a JSON object for each graph, or one in all with --count
    #[arg(long)]
    json: bool,
    /// Print comma-separated values, a line for each number of officers of each graph
    #[arg(long, conflicts_with_all = ["json", "only_count"])]
    csv: bool,
}

const EXAMPLES: &str = "\
Examples:
  printf '0 1\\n1 2\\n2 3\\n3 0\\n' | dragnet cops
  dragnet cops petersen.g6 --more 2
  dragnet cops --family petersen:20,3 --family hypercube:4 --csv
  geng -c 7 | dragnet cops --form six --count
  dragnet cops --board castle.txt --rules chase";

/// Returns the families of graphs, and examples.
fn after_help() -> String {
    let name = |family: &Family| format!("{}:{}", family.name, family.numbers);
    let width = FAMILIES.iter().map(|family| name(family).len()).max().unwrap_or(0);
    let line = |family: &Family| format!("  {:width$}  {}\n", name(family), family.meaning);
    format!("Families:\n{}\n{EXAMPLES}", FAMILIES.iter().map(line).collect::<String>())
}

/// A graph or a board to examine.
struct Ground {
    name: String,
    board: Board,
    names: VertexNames,
}

/// A graph or a board with the numbers of officers that win on it.
struct Captures {
    ground: Ground,
    /// A capture for each number of officers from the cop number on; empty if the bound is too small.
    captures: Vec<(u8, Capture)>,
}

/// Stops the search when a signal has arrived.
struct UntilSignal;

impl Observer for UntilSignal {
    fn stop(&self) -> bool {
        signals::received()
    }
}

/// Lines of graphs that are gone through together.
const TOGETHER: usize = 1 << 12;

impl Cops {
    pub(crate) fn run(self) -> Result<(), Failure> {
        signals::watch(progress::say, "nothing is kept")?;
        let mut shown = ResultPrinter { cops: &self, counts: BTreeMap::new(), graphs: 0, header: false };
        let standard_input = [PathBuf::from("-")];
        let files =
            if self.files.is_empty() && self.families.is_empty() { &standard_input } else { &*self.files };
        self.threads.run(|| {
            self.families.iter().try_for_each(|name| self.family(name, &mut shown))?;
            files.iter().try_for_each(|path| self.file(path, &mut shown))
        })??;
        shown.finish()
    }

    /// Examines a graph that is named by its family.
    fn family(&self, name: &str, shown: &mut ResultPrinter) -> Result<(), Failure> {
        let wrong = |error: anyhow::Error| Failure::Input(error).about(format!("--family {name}"));
        let graph = graph_of_family(name, Streets::MOST_VERTICES).map_err(|error| wrong(error.into()))?;
        let board = Board::of_graph(&graph).map_err(|error| wrong(error.into()))?;
        let ground = Ground { name: name.to_owned(), board, names: VertexNames::numbered(0) };
        shown.show(self.examine(ground, &self.rules(false)?)?)
    }

    /// Returns the rules on a board or, if it is none, on a graph.
    fn rules(&self, is_board: bool) -> Result<Rules, Failure> {
        match &self.rules {
            Some(name) => arguments::rules(name),
            None if is_board => Ok(Rules::classic()),
            None => Ok(Rules::cops()),
        }
    }

    fn file(&self, path: &Path, shown: &mut ResultPrinter) -> Result<(), Failure> {
        let rules = self.rules(self.board)?;
        let name = path.display().to_string();
        if let Some(option) = self.ground.first_given().filter(|_| !self.board) {
            return Err(Failure::input(format!("--{option} is for --board")));
        }
        if self.board {
            let board = boards::read(path, &self.ground.alone())?.board.with_exits(&[]);
            let board = board.map_err(|error| Failure::Input(error.into()).in_file(path))?;
            return shown
                .show(self.examine(Ground { name, board, names: VertexNames::numbered(0) }, &rules)?);
        }
        if self.streets.form(path) == Form::Six {
            return self.lines(path, &rules, shown);
        }
        let (board, names) = self.streets.read(path, self.names).map_err(|failure| match failure {
            Failure::Input(_) if boards::is_board(path) => {
                Failure::input("expected a graph; this looks like a board: use --board").in_file(path)
            }
            failure => failure,
        })?;
        shown.show(self.examine(Ground { name, board, names }, &rules)?)
    }

    /// Examines a file with a graph in each line, some lines at a time on all threads.
    fn lines(&self, path: &Path, rules: &Rules, shown: &mut ResultPrinter) -> Result<(), Failure> {
        let mut lines = (1u64..).zip(crate::input::graphs::open(path)?.split(b'\n'));
        let progress = Progress::new("cops", "graphs", 0);
        loop {
            let some: Vec<(u64, Vec<u8>)> = lines
                .by_ref()
                .map(|(number, line)| Ok((number, line?)))
                .filter(|line| !matches!(line, Ok((_, text)) if text.trim_ascii().is_empty()))
                .take(TOGETHER)
                .collect::<std::io::Result<_>>()
                .map_err(|error| Failure::from(error).about(format!("cannot read {}", path.display())))?;
            if some.is_empty() {
                progress.finish();
                return Ok(());
            }
            let one = |(number, text): &(u64, Vec<u8>)| {
                let graph = sixes::read(text, *number, Streets::MOST_VERTICES)
                    .map_err(|error| crate::input::graphs::of_reading(error, path))?;
                let board = Board::of_graph(&graph).map_err(|error| {
                    Failure::Input(error.into()).about(format!("line {number}")).in_file(path)
                })?;
                let name = String::from_utf8_lossy(text.trim_ascii()).into_owned();
                self.examine(Ground { name, board, names: VertexNames::numbered(0) }, rules)
            };
            let results: Vec<Result<Captures, Failure>> = some.par_iter().map(one).collect();
            results.into_iter().try_for_each(|result| shown.show(result?))?;
            progress.lengthen(shown.graphs);
        }
    }

    fn examine(&self, ground: Ground, rules: &Rules) -> Result<Captures, Failure> {
        let mut captures: Vec<(u8, Capture)> = Vec::new();
        for officers in 1..=Pieces::MAX as u8 {
            // The bound is about the search; --more begins where it has ended.
            if captures.is_empty() && officers > self.bound {
                break;
            }
            let rules = Rules { officers, ..rules.clone() };
            let needed = memory_needed(&ground.board, &rules);
            self.memory
                .require(
                    &format!("the search with {}", human::counted(officers.into(), "officer", "officers")),
                    needed,
                )
                .map_err(|failure| failure.about(&ground.name))?;
            let found = capture(&ground.board, &rules, &UntilSignal).map_err(|error| match error {
                CopsError::Stopped => Failure::Silent(signals::status()),
                error => Failure::Input(error.into()).about(&ground.name),
            })?;
            captures.extend(found.map(|found| (officers, found)));
            if captures.len() > usize::from(self.more) {
                break;
            }
        }
        Ok(Captures { ground, captures })
    }
}

/// Prints results, and counts them.
struct ResultPrinter<'a> {
    cops: &'a Cops,
    /// Graphs by cop number; 0 for those that need more than the bound.
    counts: BTreeMap<u8, u64>,
    graphs: u64,
    header: bool,
}

impl ResultPrinter<'_> {
    fn show(&mut self, found: Captures) -> Result<(), Failure> {
        let Captures { ground, captures } = found;
        self.graphs += 1;
        *self.counts.entry(captures.first().map_or(0, |&(cops, _)| cops)).or_default() += 1;
        if self.cops.only_count {
            return Ok(());
        }
        let cells = ground.board.open_count();
        let edges = ground.board.graph().map(|graph| {
            let loops = (0..graph.vertices())
                .flat_map(|from| graph.successors(from).iter().map(move |&to| (from, to)));
            loops.filter(|&(from, to)| from < to || !graph.successors(to).contains(&from)).count()
        });
        let place = |pieces: &Pieces| -> Vec<String> {
            let name = |cell: &dragnet_formats::cell::Cell| match ground.board.graph() {
                Some(_) => ground.names.of(cell.col.into()),
                None => cell.to_string(),
            };
            pieces.iter().map(name).collect()
        };
        if self.cops.json {
            let captures: Vec<_> = captures
                .iter()
                .map(|(cops, capture)| {
                    json!({
                        "cops": cops,
                        "moves": capture.moves,
                        "placement": place(&capture.placement),
                        "placements": capture.placements,
                    })
                })
                .collect();
            return print_json(&json!({
                "name": ground.name,
                "vertices": cells,
                "edges": edges,
                "cop_number": captures.first().map(|first| first["cops"].clone()),
                "bound": self.cops.bound,
                "captures": captures,
            }));
        }
        if self.cops.csv {
            return self.show_csv(&ground.name, cells, edges, &captures, place);
        }
        let columns = columns(&stdout());
        let mut output = output();
        let mut line = |[name, vertices, edges, cops, moves, placement]: [&str; 6]| {
            // The greatest numbers are left out first where the terminal is narrow.
            let parts = [
                (0, format!("{name:<23}")),
                (4, format!("{vertices:>8}")),
                (5, format!("{edges:>7}")),
                (1, format!("{cops:>4}")),
                (2, format!("{moves:>5}")),
                (3, placement.to_owned()),
            ];
            writeln!(output, "{}", human::fitted(&parts, columns))
        };
        if !std::mem::replace(&mut self.header, true) {
            line(["name", "vertices", "edges", "cops", "moves", "placement"])?;
        }
        let (vertices, edges) =
            (cells.to_string(), edges.map_or_else(|| "-".to_owned(), |edges| edges.to_string()));
        if captures.is_empty() {
            let cops = format!(">{}", self.cops.bound);
            line([&ground.name, &vertices, &edges, &cops, "-", "no placement catches the thief"])?;
        }
        for (i, (cops, capture)) in captures.iter().enumerate() {
            let placement = place(&capture.placement).join(" + ");
            let others = match capture.placements {
                1 => String::new(),
                n => format!(", one of {}", human::count(n)),
            };
            let [name, vertices, edges] = if i == 0 { [&*ground.name, &vertices, &edges] } else { [""; 3] };
            let (cops, moves) = (cops.to_string(), capture.moves.to_string());
            line([name, vertices, edges, &cops, &moves, &format!("{placement}{others}")])?;
        }
        Ok(output.flush()?)
    }

    /// Prints a line for each number of officers, or one without a number if the bound is too small.
    fn show_csv(
        &mut self,
        name: &str,
        vertices: usize,
        edges: Option<usize>,
        captures: &[(u8, Capture)],
        place: impl Fn(&Pieces) -> Vec<String>,
    ) -> Result<(), Failure> {
        let mut output = csv::Writer::from_writer(output());
        let wrong = |error: csv::Error| Failure::from(std::io::Error::from(error));
        if !std::mem::replace(&mut self.header, true) {
            let header = ["name", "vertices", "edges", "cops", "moves", "placement", "placements"];
            output.write_record(header).map_err(wrong)?;
        }
        let edges = edges.map_or_else(String::new, |edges| edges.to_string());
        let begin = [name, &vertices.to_string(), &edges].map(str::to_owned);
        let none = [const { String::new() }; 4];
        let lines = captures.iter().map(|(cops, capture)| {
            let placement = place(&capture.placement).join(" ");
            [cops.to_string(), capture.moves.to_string(), placement, capture.placements.to_string()]
        });
        for line in lines.chain(captures.is_empty().then_some(none)) {
            output.write_record(begin.iter().chain(&line)).map_err(wrong)?;
        }
        Ok(output.flush()?)
    }

    fn finish(self) -> Result<(), Failure> {
        if !self.cops.only_count {
            return Ok(());
        }
        let beyond = format!("more than {}", self.cops.bound);
        let name = |cops: u8| if cops == 0 { beyond.clone() } else { cops.to_string() };
        if self.cops.json {
            let counts: BTreeMap<String, u64> =
                self.counts.iter().map(|(&cops, &n)| (name(cops), n)).collect();
            return print_json(&json!({ "graphs": self.graphs, "cop_numbers": counts }));
        }
        let mut output = output();
        writeln!(output, "{} graphs", human::count(self.graphs))?;
        for (&cops, &count) in &self.counts {
            writeln!(output, "cop number {}: {}", name(cops), human::count(count))?;
        }
        Ok(output.flush()?)
    }
}
