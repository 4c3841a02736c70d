//! Tables of games on graphs.

use crate::{
    answer::Answer,
    failure::Failure,
    game::FavourName,
    ground::{GraphText, NamedGraph},
    limit::Limit,
    pieces::Pieces,
    progress::Progress,
};
use dragnet_formats::{header::GameHeader, rules::Stuck};
use dragnet_generator::{Generator, GraphGame, graph_memory_needed, read_labels};
use serde::Deserialize;
use serde_json::json;

/// A request for the table of a game on a graph.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GraphRequest {
    graph: GraphText,
    #[serde(default)]
    stuck: StuckName,
    /// Values from outside: lines "vertex won", "vertex lost" or "vertex drawn".
    labels: Option<String>,
    #[serde(default)]
    favour: FavourName,
    memory: Option<u64>,
}

/// The outcome for a player without a move.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StuckName {
    #[default]
    Loses,
    Wins,
}

/// Solves a game on a graph. The answer has its table.
pub(crate) fn solve_graph(generator: &Generator, request: &GraphRequest) -> Result<Answer, Failure> {
    let limit = Limit::new(request.memory);
    let encoding = request.favour.encoding();
    let named = request.graph.read_game(limit)?;
    let (vertices, edges) = (named.graph.vertices(), named.graph.edges());
    if vertices == 0 {
        return Err(Failure::input("the graph has no vertex, and no table is empty"));
    }
    let needed = graph_memory_needed(vertices.into(), edges.into(), 1);
    limit.require(&format!("a graph of {vertices} vertices and {edges} edges"), needed)?;
    let labels = match &request.labels {
        Some(text) => read_labels(text.as_bytes(), &named.names, vertices)
            .map_err(|error| Failure::from(error).about("labels"))?,
        None => Vec::new(),
    };
    let stuck = match request.stuck {
        StuckName::Loses => Stuck::Loses,
        StuckName::Wins => Stuck::Wins,
    };
    let description = named.description();
    let NamedGraph { graph, .. } = named;
    let progress = Progress::new(vertices.into());
    let solution = generator.solve_graph(GraphGame::new(graph, stuck, labels), &progress)?;
    let (header, blocks) = generator.encode_game(&solution, GameHeader::GRAPH, encoding, &progress)?;
    drop(solution);
    let (table, written) = blocks.write(&header, Pieces::default())?;
    let summary = header.summary;
    let answer = json!({
        "positions": header.positions(),
        "won": summary.won,
        "lost": summary.lost,
        "drawn": summary.drawn,
        "longest_win": summary.longest_win,
        "longest_loss": summary.longest_loss,
        "digest": format!("{:016x}", summary.digest),
        "key": format!("{:016x}", header.key),
        "bytes": written.bytes,
        "graph": description,
    });
    Answer::with_table(&answer, table)
}
