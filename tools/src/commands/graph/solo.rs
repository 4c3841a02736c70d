//! `dragnet graph solo`: one player moves for both.

use super::super::{output, print_json};
use crate::{failure::Failure, input::graphs::GraphArguments};
use clap::Args;
use dragnet_formats::graph::Vertex;
use dragnet_generator::solo::{Solo, solo};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;

/// Show what a player reaches who makes the moves of both sides
///
/// A player who cannot move loses. Prints "Win" and a shortest walk of odd length to a vertex without an
/// edge; else "Draw" if there is a walk without end; else "Lose". This is the contest problem "Sleepy Game",
/// whose input --form lists reads.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct SoloCommand {
    #[command(flatten)]
    graph: GraphArguments,
    /// The vertex to start from; with --form lists it stands after the graph
    #[arg(long, value_name = "VERTEX")]
    from: Option<String>,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

/// One object.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SoloAnswer {
    /// Result for the player who moves for both.
    #[schemars(extend("enum" = ["win", "draw", "lose"]))]
    outcome: String,
    /// A shortest walk to the win. `null` unless `outcome` is "win".
    walk: Option<Vec<String>>,
}

const AFTER_HELP: &str = "\
Examples:
  printf '5 6\\n2 2 3\\n2 4 5\\n1 4\\n1 5\\n0\\n1\\n' | dragnet graph solo --form lists
  printf '0 1\\n1 2\\n' | dragnet graph solo --from 1";

impl SoloCommand {
    pub(super) fn run(self) -> Result<(), Failure> {
        let in_graph = self.graph.may_have_start();
        if in_graph == self.from.is_some() {
            return Err(Failure::input(match in_graph {
                true => {
                    "with --form lists the vertex to start from stands after the graph; --from is for the other forms"
                }
                false => "expected --from and the vertex to start from",
            }));
        }
        let (named, start) = self.graph.read_with_start(in_graph)?;
        let start: Vertex = match (start, &self.from) {
            (Some(start), _) => start,
            (None, name) => named
                .names
                .vertex(name.as_deref().unwrap_or_default(), named.graph.vertices())
                .map_err(|message| Failure::input(format!("--from: {message}")))?,
        };
        let answer = solo(&named.graph, start);
        let names = |walk: &[Vertex]| walk.iter().map(|&vertex| named.names.of(vertex)).collect::<Vec<_>>();
        let (word, walk) = match &answer {
            Solo::Win(walk) => ("Win", Some(names(walk))),
            Solo::Draw => ("Draw", None),
            Solo::Loss => ("Lose", None),
        };
        if self.json {
            return print_json(&SoloAnswer { outcome: word.to_lowercase(), walk });
        }
        let mut output = output();
        writeln!(output, "{word}")?;
        if let Some(walk) = walk {
            writeln!(output, "{}", walk.join(" "))?;
        }
        Ok(output.flush()?)
    }
}
