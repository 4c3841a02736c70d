//! `dragnet graph make`: a graph from a seed.

use super::output;
use crate::{
    failure::Failure,
    input::arguments::{Threads, whole_number},
    output::long_text,
};
use clap::Args;
use dragnet_formats::graph::{Graph, make::random_edge};
use std::io::Write;

/// Make a random graph, as an edge list
///
/// Equal numbers make equal graphs. Edges lead anywhere. Low vertices have more edges than high ones, and
/// some have none, so that the game on a graph with ten edges per vertex has wins, losses and draws.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct MakeCommand {
    /// Number of vertices
    #[arg(long, value_name = "N", value_parser = whole_number(1..=Graph::MAX_VERTICES))]
    vertices: u32,
    /// Number of edges
    #[arg(long, value_name = "N", value_parser = whole_number(0..=Graph::MAX_EDGES))]
    edges: u32,
    /// The seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole_number(0..=u64::MAX))]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
}

const AFTER_HELP: &str = "\
Examples:
  dragnet graph make --vertices 1000000 --edges 10000000 > graph.txt
  dragnet graph make --vertices 20 --edges 40 --seed 7 | dragnet graph solve";

impl MakeCommand {
    pub(super) fn run(self) -> Result<(), Failure> {
        let generator = self.threads.generator()?;
        let mut output = output();
        writeln!(output, "{}", self.vertices)?;
        long_text::write(&generator, self.edges.into(), &mut output, |numbers, text| {
            for number in numbers {
                let (from, to) = random_edge(self.vertices, self.seed, number);
                writeln!(text, "{from} {to}")?;
            }
            Ok(())
        })?;
        Ok(output.flush()?)
    }
}
