//! `dragnet cops`: how many officers catch the thief on a graph or board, how soon, and from where.

pub(crate) mod results;

use crate::{
    failure::Failure,
    input::{
        arguments::{self, Threads},
        boards,
        graphs::{self, Form, Streets},
        limits::Memory,
        map_options::GroundOptions,
        text,
    },
    messages::{self, Kind},
    output::{
        human,
        progress::{self, Progress},
    },
    signals,
};
use clap::Args;
use dragnet_formats::{
    board::Board,
    graph::{names::VertexNames, nauty},
    plain_text::{MOST_BYTES, PlainText},
    rules::Rules,
};
use dragnet_generator::Observer;
use dragnet_policy::cops::{
    Capture, CopsError, MOST_OFFICERS, Variant, canonical_form, capture,
    family::{FAMILIES, Family, graph_of_family},
    memory_needed,
};
use rayon::prelude::*;
use results::{Captures, Ground, Printing, ResultPrinter};
use std::{
    io::{BufRead, BufReader},
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
    /// The files are boards; exits on them are open cells
    #[arg(long, conflicts_with_all = ["form", "names", "directed", "undirected"])]
    board: bool,
    #[command(flatten)]
    map: GroundOptions,
    /// A preset, or a TOML file with the differences from classic [default: cops on graphs, classic on
    /// boards]
    #[arg(long, value_name = "PRESET|FILE")]
    rules: Option<String>,
    #[command(flatten)]
    variant: VariantArguments,
    /// The most officers to search with, at most 255; a graph that needs more is listed as above the bound
    #[arg(long, value_name = "K", default_value_t = 4, value_parser = arguments::whole_number(1..=MOST_OFFICERS))]
    bound: u8,
    /// Also print the capture times with up to N officers more than are needed, whatever the bound
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = arguments::whole_number(0..=MOST_OFFICERS))]
    more: u8,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    printing: Printing,
}

/// Variants of the game, each a change of the rules.
#[derive(Args)]
struct VariantArguments {
    /// Only one officer may move in a turn
    #[arg(long)]
    lazy: bool,
    /// No piece may stay: each must move whenever it is its side's turn
    #[arg(long)]
    active: bool,
    /// The thief moves up to N steps in a turn; officers do not block his way
    #[arg(long, value_name = "N", value_parser = arguments::whole_number(1..=u8::MAX))]
    speed: Option<u8>,
}

const EXAMPLES: &str = "\
Examples:
  printf '0 1\\n1 2\\n2 3\\n3 0\\n' | dragnet cops
  dragnet cops petersen.g6 --more 2
  dragnet cops --family petersen:20,3 --family hypercube:4 --csv
  dragnet cops --family hypercube:4 --lazy
  geng -cq 7 | dragnet cops --form six --count
  dragnet cops --board castle.txt --rules chase";

/// Returns the families of graphs, and examples.
fn after_help() -> String {
    let name = |family: &Family| format!("{}:{}", family.name, family.numbers);
    let width = FAMILIES.iter().map(|family| name(family).len()).max().unwrap_or(0);
    let line = |family: &Family| format!("  {:width$}  {}\n", name(family), family.meaning);
    format!("Families:\n{}\n{EXAMPLES}", FAMILIES.iter().map(line).collect::<String>())
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
        let mut shown = ResultPrinter::new(&self.printing, self.bound);
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
        self.show(ground, &self.rules(false)?, shown)
    }

    /// Returns the rules on a board or, if it is none, on a graph.
    fn rules(&self, is_board: bool) -> Result<Rules, Failure> {
        let rules = match &self.rules {
            Some(name) => arguments::rules(name)?,
            None if is_board => Rules::classic(),
            None => Rules::cops(),
        };
        let VariantArguments { lazy, active, speed } = self.variant;
        Ok(Variant { lazy, active, speed }.of(rules))
    }

    fn file(&self, path: &Path, shown: &mut ResultPrinter) -> Result<(), Failure> {
        let rules = self.rules(self.board)?;
        let name = path.display().to_string();
        if let Some(option) = self.map.first_given().filter(|_| !self.board) {
            return Err(Failure::input(format!("--{option} is for --board")));
        }
        if self.board {
            let board = boards::read(path, &self.map.selectors())?.board.with_exits(&[]);
            let board = board.map_err(|error| Failure::Input(error.into()).in_file(path))?;
            return self.show(Ground { name, board, names: VertexNames::numbered(0) }, &rules, shown);
        }
        if self.streets.form(path) == Form::Six {
            return self.lines(path, &rules, shown);
        }
        let (board, names) = self.streets.read(path)?;
        say_parts(path, &board);
        self.show(Ground { name, board, names }, &rules, shown)
    }

    /// Examines a file with a graph in each line, some lines at a time on all threads.
    fn lines(&self, path: &Path, rules: &Rules, shown: &mut ResultPrinter) -> Result<(), Failure> {
        let input = BufReader::new(PlainText::new(text::open(path, "graphs")?));
        let mut lines = (1u64..).zip(input.split(b'\n'));
        let progress = Progress::new("cops", "graphs", 0);
        let before = shown.graphs();
        loop {
            let (mut some, mut bytes) = (Vec::new(), 0);
            while some.len() < TOGETHER && bytes < MOST_BYTES {
                let Some((number, line)) = lines.next() else { break };
                let line = line.map_err(|error| text::cannot_read(error, path))?;
                if !nauty::body(&line).is_empty() {
                    bytes += line.len();
                    some.push((number, line));
                }
            }
            if some.is_empty() && shown.graphs() == before {
                return Err(Failure::input("expected a graph in each line, found none").in_file(path));
            }
            if some.is_empty() {
                progress.finish();
                return Ok(());
            }
            let one = |(number, text): &(u64, Vec<u8>)| {
                let graph = nauty::read(text, *number, Streets::MOST_VERTICES)
                    .map_err(|error| graphs::of_reading(error, path))?;
                let board = Board::of_graph(&graph).map_err(|error| {
                    Failure::Input(error.into()).about(format!("line {number}")).in_file(path)
                })?;
                let name = String::from_utf8_lossy(nauty::body(text)).into_owned();
                self.examine(Ground { name, board, names: VertexNames::numbered(0) }, rules, &UntilSignal)
            };
            let results: Vec<Result<Captures, Failure>> = some.par_iter().map(one).collect();
            results.into_iter().try_for_each(|result| shown.show(result?))?;
            progress.lengthen(shown.graphs());
        }
    }

    /// Examines one graph, and shows how far the search is.
    fn show(&self, ground: Ground, rules: &Rules, shown: &mut ResultPrinter) -> Result<(), Failure> {
        let progress = Progress::new(&ground.name, "positions", 0);
        let captures = self.examine(ground, rules, &progress);
        progress.finish();
        shown.show(captures?)
    }

    fn examine(&self, ground: Ground, rules: &Rules, observer: &dyn Observer) -> Result<Captures, Failure> {
        let mut captures: Vec<(u8, Capture)> = Vec::new();
        for officers in 1..=MOST_OFFICERS {
            // The bound is about the search; --more begins where it has ended.
            if captures.is_empty() && officers > self.bound {
                break;
            }
            let rules = Rules { officers, ..rules.clone() };
            let needed = memory_needed(&ground.board, &rules);
            if needed > self.memory.limit() {
                let counted = |officers: u8| human::counted(officers.into(), "officer", "officers");
                let few = match officers - 1 {
                    few if few > 0 && captures.is_empty() => {
                        format!("it takes more than {}, and ", counted(few))
                    }
                    _ => String::new(),
                };
                let what = format!("{few}the search with {}", counted(officers));
                return Err(self.memory.refused(&what, needed).about(&ground.name));
            }
            let found = capture(&ground.board, &rules, observer).map_err(|error| match error {
                CopsError::Stopped => Failure::Silent(signals::status()),
                error => Failure::Input(error.into()).about(&ground.name),
            })?;
            captures.extend(found.map(|found| (officers, found)));
            if captures.len() > usize::from(self.more) {
                break;
            }
        }
        let is_printed = self.printing.has_canonical_forms();
        let canonical = ground.board.graph().filter(|_| is_printed).and_then(canonical_form);
        Ok(Captures { ground, canonical, captures })
    }
}

/// Says that a graph is not connected, if it is not: each part needs officers of its own.
fn say_parts(path: &Path, board: &Board) {
    let Some(graph) = board.graph() else { return };
    let mut parts = graph.vertices();
    let mut leader: Vec<u32> = (0..graph.vertices()).collect();
    let find = |leader: &mut Vec<u32>, mut vertex: u32| {
        while leader[vertex as usize] != vertex {
            leader[vertex as usize] = leader[leader[vertex as usize] as usize];
            vertex = leader[vertex as usize];
        }
        vertex
    };
    for from in 0..graph.vertices() {
        for &to in graph.successors(from) {
            let (a, b) = (find(&mut leader, from), find(&mut leader, to));
            parts -= u32::from(a != b);
            leader[a as usize] = b;
        }
    }
    // Who announces vertices and no edge wants them apart.
    if parts > 1 && graph.edges() > 0 {
        let said = format!("the graph has {} parts, with no edge between them", human::count(parts.into()));
        messages::say(Kind::Note, &Failure::input(said).in_file(path).text());
    }
}
