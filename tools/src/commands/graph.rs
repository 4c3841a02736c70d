//! `dragnet graph`: games on graphs.

mod make;
pub(crate) mod show;
pub(crate) mod solo;

use super::{may_replace, output, print_json};
use crate::{
    failure::Failure,
    input::{
        arguments::{FavourName, Threads, levels},
        graphs::{GraphArguments, TerminalArguments},
    },
    leftovers,
    output::{
        human,
        json::Hex,
        progress::{self, Progress},
    },
    signals,
};
use clap::{Args, Subcommand};
use dragnet_formats::{codec::Encoder, header::GameHeader};
use dragnet_generator::{
    GameReport, GameSolution, Generator, GraphGame, encode::Encoding, graph_memory_needed,
};
use show::{GraphSummary, SolvedGraph, SolvedVertexAnswer, WrittenTableAnswer};
use std::{
    io::Write,
    path::{Path, PathBuf},
    time::Instant,
};

/// Solve games on graphs
#[derive(Args)]
pub(crate) struct GraphCommand {
    #[command(subcommand)]
    command: GraphSubcommand,
}

#[derive(Subcommand)]
enum GraphSubcommand {
    Solve(Solve),
    Solo(solo::SoloCommand),
    Make(make::MakeCommand),
}

impl GraphCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.command {
            GraphSubcommand::Solve(command) => command.run(),
            GraphSubcommand::Solo(command) => command.run(),
            GraphSubcommand::Make(command) => command.run(),
        }
    }
}

/// Label every vertex won, lost or drawn for the player to move, with the distance
///
/// Each vertex is a position, and the player to move chooses an edge. A player without a move loses, or wins
/// with --stuck wins. Loops, parallel edges and several components are allowed. Distances are in plies: the
/// winner plays the shortest way, the loser the longest.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
struct Solve {
    #[command(flatten)]
    graph: GraphArguments,
    #[command(flatten)]
    ends: TerminalArguments,
    /// Show one vertex: its value, every move and optimal play
    #[arg(long, value_name = "VERTEX", conflicts_with_all = ["csv", "dot"])]
    vertex: Option<String>,
    #[command(flatten)]
    table: GraphTableArguments,
    #[command(flatten)]
    threads: Threads,
    /// Print all vertices as comma-separated values
    #[arg(long, conflicts_with_all = ["json", "dot"])]
    csv: bool,
    /// Print JSON instead of the list
    #[arg(long, conflicts_with = "dot")]
    json: bool,
    /// Print only sums: counts, the longest win, the digest of all values and times
    #[arg(long, conflicts_with_all = ["csv", "dot", "vertex"])]
    summary: bool,
    /// Print a drawing for the dot program of Graphviz
    #[arg(long)]
    dot: bool,
}

const AFTER_HELP: &str = "\
Examples:
  printf '0 1\\n1 2\\n2 0\\n1 3\\n' | dragnet graph solve
  dragnet graph solve game.txt --names --vertex start
  dragnet graph solve game.txt --csv > values.csv
  dragnet graph solve --form six petersen.g6 --dot | dot -Tsvg > petersen.svg
  dragnet graph solve game.txt --names --out game.dtb
  dragnet probe game.dtb --vertex start --graph game.txt --names";

/// Options for the table to write.
#[derive(Args)]
struct GraphTableArguments {
    /// The file for a table of the values, for probe, stats, info, verify, dump and pack; a table of that
    /// name is replaced
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Optimise the table for fast answers or for a small file
    #[arg(long, value_enum, default_value = "size", requires = "out")]
    favour: FavourName,
    /// Level of zstd with --favour size, 1 to 22
    #[arg(long, value_name = "N", default_value_t = Encoder::DEFAULT_LEVEL, value_parser = levels(), requires = "out")]
    level: i32,
    /// Do not flush the table to the disk; it may be lost when the power fails
    #[arg(long, requires = "out")]
    no_sync: bool,
    /// Replace FILE even if it is not a table
    #[arg(long, requires = "out")]
    force: bool,
}

impl GraphTableArguments {
    fn write(
        &self,
        generator: &Generator,
        solution: &GameSolution<GraphGame>,
        progress: &Progress,
    ) -> Result<Option<WrittenTable<'_>>, Failure> {
        let Some(path) = &self.out else { return Ok(None) };
        let encoding = Encoding { favour: self.favour.into(), level: self.level };
        leftovers::remove_beside(path);
        let report = generator
            .write_game(solution, GameHeader::GRAPH, encoding, path, progress)
            .map_err(|error| Failure::of_table(error, path))?;
        Ok(Some(WrittenTable { path, report }))
    }
}

/// A table that has been written.
struct WrittenTable<'a> {
    path: &'a Path,
    report: GameReport,
}

impl WrittenTable<'_> {
    fn sentence(&self) -> String {
        let bytes = self.report.written.bytes;
        let bits = bytes as f64 * 8.0 / self.report.header.positions() as f64;
        format!("{}: {}, {bits:.2} bits per vertex", human::path(self.path), human::bytes(bytes))
    }

    fn json(&self) -> WrittenTableAnswer {
        WrittenTableAnswer {
            path: self.path.to_string_lossy().into_owned(),
            bytes: self.report.written.bytes,
            key: Hex(self.report.header.key),
            digest: Hex(self.report.header.summary.digest),
        }
    }
}

impl Solve {
    fn run(self) -> Result<(), Failure> {
        let generator = self.threads.generator()?;
        let generator = if self.table.no_sync { generator.without_sync() } else { generator };
        if let Some(path) = &self.table.out {
            may_replace(path, self.table.force)?;
        }
        let begin = Instant::now();
        let named = generator.install(|| self.graph.read())?;
        let read_seconds = begin.elapsed().as_secs_f64();
        // Until here a signal ends the process at once: there is nothing to tidy up.
        signals::watch(progress::say, "nothing is kept")?;
        let vertices = named.graph.vertices();
        if vertices == 0 && self.table.out.is_some() {
            return Err(Failure::input("--out: the graph has no vertex, and no table is empty"));
        }
        let vertex = match &self.vertex {
            Some(name) => Some(
                named
                    .names
                    .vertex(name, vertices)
                    .map_err(|message| Failure::input(format!("--vertex: {message}")))?,
            ),
            None => None,
        };
        let (edges, threads) = (named.graph.edges(), self.threads.count());
        self.graph.writing.memory.require(
            &format!(
                "a graph of {} and {}",
                human::counted(vertices.into(), "vertex", "vertices"),
                human::counted(edges.into(), "edge", "edges")
            ),
            graph_memory_needed(vertices.into(), edges.into(), threads),
        )?;
        let begin = Instant::now();
        let named = generator.install(|| self.ends.game(named))?;
        let progress = Progress::new("graph", "vertices", vertices.into());
        let solved = generator.solve_graph(named.game, &progress).map_err(Failure::from);
        let seconds = begin.elapsed().as_secs_f64();
        let made = solved.and_then(|solution| {
            let table = self.table.write(&generator, &solution, &progress)?;
            Ok((solution, table))
        });
        progress.finish();
        let (solution, table) = made?;
        let solved = SolvedGraph { play: solution.play(), names: &named.names };
        let mut output = output();
        match vertex {
            Some(vertex) if self.json => {
                let table = table.as_ref().map(WrittenTable::json);
                return print_json(&SolvedVertexAnswer { vertex: solved.moves_json(vertex), table });
            }
            Some(vertex) => solved.show_vertex(vertex, &mut output)?,
            None if self.csv => solved.csv(&generator, &mut output)?,
            None if self.dot => solved.dot(&mut output)?,
            None => {
                let summary = generator.install(|| solution.summary());
                let whole = GraphSummary {
                    summary,
                    read_seconds,
                    seconds,
                    table: table.as_ref().map(WrittenTable::json),
                };
                if self.json {
                    drop(output);
                    return print_json(&solved.json(whole, !self.summary));
                } else if self.summary {
                    solved.summary(&whole, &mut output)?;
                } else {
                    solved.show(&whole, &mut output)?;
                }
            }
        }
        if let Some(made) = table.filter(|_| !self.csv && !self.dot && !self.json) {
            writeln!(output, "\n{}", made.sentence())?;
        }
        Ok(output.flush()?)
    }
}
