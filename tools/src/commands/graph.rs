//! `dragnet graph`: games on graphs.

mod show;
mod solo;

use super::{output, print_json};
use crate::{
    arguments::Threads,
    failure::Failure,
    graphs::{self, GraphArguments},
    progress::Progress,
    signals,
};
use clap::{Args, Subcommand, ValueEnum};
use dragnet_formats::rules::Stuck;
use dragnet_generator::GraphGame;
use show::Shown;
use std::{io::Write, path::PathBuf};

/// Solve games on graphs
#[derive(Args)]
pub(crate) struct GraphCommand {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Solve(Solve),
    Solo(solo::SoloCommand),
}

impl GraphCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.command {
            Command::Solve(command) => command.run(),
            Command::Solo(command) => command.run(),
        }
    }
}

/// Label every vertex won, lost or drawn for the player to move, with the distance
///
/// A vertex is a position; the player to move chooses an edge. A player without a move loses (or wins, with --stuck wins). Loops,
/// parallel edges and several components are welcome. Distances are plies: the winner takes the quickest way, the loser the
/// slowest.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
struct Solve {
    #[command(flatten)]
    graph: GraphArguments,
    /// What becomes of a player without a move
    #[arg(long, value_enum, default_value = "loses")]
    stuck: StuckName,
    /// Values from outside: lines "vertex won", "vertex lost" or "vertex drawn", whatever the edges of these vertices are
    #[arg(long, value_name = "FILE")]
    label: Option<PathBuf>,
    /// Show this vertex: its value, every move, and optimal play
    #[arg(long, value_name = "VERTEX", conflicts_with_all = ["csv", "dot"])]
    vertex: Option<String>,
    #[command(flatten)]
    threads: Threads,
    /// All vertices as comma-separated values
    #[arg(long, conflicts_with_all = ["json", "dot"])]
    csv: bool,
    /// JSON instead of the list
    #[arg(long, conflicts_with = "dot")]
    json: bool,
    /// A drawing for the dot program of Graphviz
    #[arg(long)]
    dot: bool,
}

const AFTER_HELP: &str = "\
Examples:
  printf '0 1\\n1 2\\n2 0\\n1 3\\n' | dragnet graph solve
  dragnet graph solve game.txt --names --vertex start
  dragnet graph solve game.txt --csv > values.csv
  dragnet graph solve --form six petersen.g6 --dot | dot -Tsvg > petersen.svg";

/// `--stuck`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StuckName {
    /// Who cannot move loses: normal play
    Loses,
    /// Who cannot move wins: misère play
    Wins,
}

impl Solve {
    fn run(self) -> Result<(), Failure> {
        signals::watch()?;
        let generator = self.threads.generator()?;
        let named = self.graph.read()?;
        let vertices = named.graph.vertices();
        let labels = match &self.label {
            Some(path) => graphs::labels(path, &named.names, vertices)?,
            None => Vec::new(),
        };
        let vertex = match &self.vertex {
            Some(name) => Some(
                named
                    .names
                    .vertex(name, vertices)
                    .map_err(|message| Failure::input(format!("--vertex: {message}")))?,
            ),
            None => None,
        };
        let stuck = match self.stuck {
            StuckName::Loses => Stuck::Loses,
            StuckName::Wins => Stuck::Wins,
        };
        let begin = std::time::Instant::now();
        let game = generator.install(|| GraphGame::new(named.graph, stuck, labels));
        let progress = Progress::new("graph", "vertices", vertices.into());
        let solution = generator.solve_graph(game, &progress);
        progress.finish();
        let solution = solution?;
        let seconds = begin.elapsed().as_secs_f64();
        let solved = Shown { play: solution.play(), names: &named.names };
        let mut output = output();
        match vertex {
            Some(vertex) if self.json => return print_json(&solved.vertex_json(vertex)),
            Some(vertex) => solved.show_vertex(vertex, &mut output)?,
            None if self.csv => solved.csv(&mut output)?,
            None if self.dot => solved.dot(&mut output)?,
            None => {
                let summary = generator.install(|| solution.summary());
                if self.json {
                    solved.json(&summary, seconds, None, &mut output)?;
                } else {
                    solved.show(&summary, seconds, &mut output)?;
                }
            }
        }
        Ok(output.flush()?)
    }
}
