//! The results of `dragnet cops` as a table, as comma-separated values, as JSON, or counted.

use crate::{
    commands::{output, print_json},
    failure::Failure,
    messages::columns,
    output::human,
};
use clap::Args;
use dragnet_formats::{board::Board, cell::Cell, graph::names::VertexNames};
use dragnet_policy::cops::Capture;
use schemars::JsonSchema;
use serde::Serialize;
use std::{
    collections::BTreeMap,
    io::{Write, stdout},
};

/// The text in place of the canonical form of a graph for which none was found. It has blanks, which no form
/// has.
const NO_FORM: &str = "too large or too symmetric";

/// A graph or a board.
#[derive(Serialize, JsonSchema)]
pub(crate) struct CopsAnswer {
    /// The file, or the line that is the graph.
    name: String,
    /// Vertices or open cells.
    vertices: usize,
    /// Edges. `null` for a board.
    edges: Option<usize>,
    /// The least number of cops that wins. `null` if it is above `bound`.
    cop_number: Option<u8>,
    /// The graph in a numbering that isomorphic graphs share, as graph6, or digraph6 if edges lead one way.
    /// `null` for a board, and for a graph with more than 1,024 vertices or whose search takes too long.
    canonical: Option<String>,
    /// The most cops that were tried.
    bound: u8,
    /// Each number of cops that wins and was tried; empty if none wins.
    captures: Vec<CaptureAnswer>,
}

/// A number of cops that wins.
#[derive(Serialize, JsonSchema)]
struct CaptureAnswer {
    /// Cops.
    cops: u8,
    /// Turns that they need from their best placement.
    moves: u32,
    /// The first of the best placements: names of vertices, on a board `ROW,COL`.
    placement: Vec<String>,
    /// How many placements are as good. `null` if more than 64 bits can count.
    placements: Option<u64>,
}

/// Numbers of graphs.
#[derive(Serialize, JsonSchema)]
pub(crate) struct CopNumbersAnswer {
    /// Graphs.
    graphs: u64,
    /// How many graphs have which cop number; "more than N" counts the graphs above the bound.
    #[schemars(title = "object: cop number → graphs")]
    cop_numbers: BTreeMap<String, u64>,
}

/// A graph or a board to examine.
pub(super) struct Ground {
    pub(super) name: String,
    pub(super) board: Board,
    pub(super) names: VertexNames,
}

/// A graph or a board with the numbers of officers that win on it.
pub(super) struct Captures {
    pub(super) ground: Ground,
    /// The canonical form of a graph, if it is printed and was found.
    pub(super) canonical: Option<String>,
    /// A capture for each number of officers from the cop number on; empty if the bound is too small.
    pub(super) captures: Vec<(u8, Capture)>,
}

/// How results are printed.
#[derive(Args)]
pub(super) struct Printing {
    /// Print only how many graphs have which cop number
    #[arg(long = "count")]
    only_count: bool,
    /// Print a JSON object for each graph, with its canonical form, or one in all with --count
    #[arg(long)]
    json: bool,
    /// Print comma-separated values, a line for each number of officers of each graph. The last field is
    /// the same text for all isomorphic graphs
    #[arg(long, conflicts_with_all = ["json", "only_count"])]
    csv: bool,
}

impl Printing {
    /// Returns whether each graph is printed with its canonical form.
    pub(super) fn has_canonical_forms(&self) -> bool {
        self.csv || (self.json && !self.only_count)
    }
}

/// Prints results, and counts them.
pub(super) struct ResultPrinter<'a> {
    printing: &'a Printing,
    /// The most officers that are searched with.
    bound: u8,
    /// Graphs by cop number.
    counts: BTreeMap<u8, u64>,
    /// Graphs that need more officers than the bound.
    beyond: u64,
    graphs: u64,
    header: bool,
}

impl<'a> ResultPrinter<'a> {
    /// Creates the printer of the results of a command.
    pub(super) fn new(printing: &'a Printing, bound: u8) -> ResultPrinter<'a> {
        ResultPrinter { printing, bound, counts: BTreeMap::new(), beyond: 0, graphs: 0, header: false }
    }

    /// Returns how many graphs have been shown.
    pub(super) fn graphs(&self) -> u64 {
        self.graphs
    }

    /// Counts a result, and prints it unless only the counts are asked for.
    pub(super) fn show(&mut self, found: Captures) -> Result<(), Failure> {
        let Captures { ground, canonical, captures } = found;
        self.graphs += 1;
        match captures.first() {
            Some(&(cops, _)) => *self.counts.entry(cops).or_default() += 1,
            None => self.beyond += 1,
        }
        if self.printing.only_count {
            return Ok(());
        }
        let cells = ground.board.open_count();
        let edges = ground.board.streets();
        let place = |officers: &[Cell]| place(&ground.board, &ground.names, officers);
        if self.printing.json {
            let captures: Vec<_> = captures
                .iter()
                .map(|&(cops, ref capture)| CaptureAnswer {
                    cops,
                    moves: capture.moves,
                    placement: place(&capture.placement),
                    placements: capture.placements,
                })
                .collect();
            return print_json(&CopsAnswer {
                name: ground.name,
                vertices: cells,
                edges,
                cop_number: captures.first().map(|first| first.cops),
                canonical,
                bound: self.bound,
                captures,
            });
        }
        if self.printing.csv {
            let canonical = match canonical {
                None if edges.is_some() => NO_FORM.to_owned(),
                form => form.unwrap_or_default(),
            };
            let edges = edges.map_or_else(String::new, |edges| edges.to_string());
            let graph = [&*ground.name, &cells.to_string(), &edges, &canonical];
            return self.show_csv(graph, &captures, place);
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
            let cops = format!(">{}", self.bound);
            line([&ground.name, &vertices, &edges, &cops, "-", "no placement catches the thief"])?;
        }
        for (i, (cops, capture)) in captures.iter().enumerate() {
            let placement = place(&capture.placement).join(" + ");
            let others = match capture.placements {
                Some(1) => String::new(),
                Some(n) => format!(", one of {}", human::count(n)),
                None => format!(", one of more than {}", human::count(u64::MAX)),
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
        [name, vertices, edges, canonical]: [&str; 4],
        captures: &[(u8, Capture)],
        place: impl Fn(&[Cell]) -> Vec<String>,
    ) -> Result<(), Failure> {
        let mut output = csv::Writer::from_writer(output());
        let wrong = |error: csv::Error| Failure::from(std::io::Error::from(error));
        if !std::mem::replace(&mut self.header, true) {
            let header =
                ["name", "vertices", "edges", "cops", "moves", "placement", "placements", "canonical"];
            output.write_record(header).map_err(wrong)?;
        }
        let none = [const { String::new() }; 4];
        let lines = captures.iter().map(|(cops, capture)| {
            let placement = place(&capture.placement).join(" ");
            let placements = capture.placements.map_or_else(String::new, |n| n.to_string());
            [cops.to_string(), capture.moves.to_string(), placement, placements]
        });
        for line in lines.chain(captures.is_empty().then_some(none)) {
            let line = line.iter().map(String::as_str);
            output
                .write_record([name, vertices, edges].into_iter().chain(line).chain([canonical]))
                .map_err(wrong)?;
        }
        Ok(output.flush()?)
    }

    /// Prints the counts if only they are asked for.
    pub(super) fn finish(self) -> Result<(), Failure> {
        if !self.printing.only_count {
            return Ok(());
        }
        let beyond = Some((format!("more than {}", self.bound), self.beyond)).filter(|_| self.beyond > 0);
        let counts = self.counts.iter().map(|(cops, &graphs)| (cops.to_string(), graphs)).chain(beyond);
        if self.printing.json {
            let counts: BTreeMap<String, u64> = counts.collect();
            return print_json(&CopNumbersAnswer { graphs: self.graphs, cop_numbers: counts });
        }
        let mut output = output();
        writeln!(output, "{} graphs", human::count(self.graphs))?;
        for (name, graphs) in counts {
            writeln!(output, "cop number {name}: {}", human::count(graphs))?;
        }
        Ok(output.flush()?)
    }
}

/// Returns the names of the officers' cells.
fn place(board: &Board, names: &VertexNames, officers: &[Cell]) -> Vec<String> {
    let name = |cell: &Cell| match board.graph() {
        Some(_) => names.of(cell.col.into()),
        None => cell.to_string(),
    };
    officers.iter().map(name).collect()
}
