//! Solved graphs for people and programs: what `dragnet graph solve` prints, and `dragnet probe` of a vertex.

use crate::{
    machine,
    messages::{columns, wrapped},
    output::{
        human,
        json::{Hex, PlayerResult},
        long_text,
    },
};
use dragnet_formats::{
    graph::{Vertex, names::VertexNames},
    header::GameSummary,
    value::{Plies, Value},
};
use dragnet_generator::{GamePlay, Generator, GraphGame, LineEnd};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::io::{self, Write, stdout};

/// Vertices listed for a person.
const LISTED: u32 = 40;
/// Plies of a line shown to a person.
const SHOWN: usize = 60;

/// A graph with the values and the names of its vertices.
pub(crate) struct SolvedGraph<'a, V> {
    pub(crate) play: GamePlay<'a, GraphGame, V>,
    pub(crate) names: &'a VertexNames,
}

/// Sums over a solved graph, and how long it took.
pub(crate) struct GraphSummary {
    pub(crate) summary: GameSummary,
    /// Seconds from the text to the graph.
    pub(crate) read_seconds: f64,
    /// Seconds from the graph to all values.
    pub(crate) seconds: f64,
    /// The description of the table, if one has been written.
    pub(crate) table: Option<WrittenTableAnswer>,
}

/// A table that has been written.
#[derive(Clone, Serialize, JsonSchema)]
pub(crate) struct WrittenTableAnswer {
    /// Path of the table.
    pub(crate) path: String,
    /// Length of the file.
    pub(crate) bytes: u64,
    /// Key of the game: a hash.
    pub(crate) key: Hex,
    /// Digest of all values.
    pub(crate) digest: Hex,
}

/// A graph.
#[derive(Serialize, JsonSchema)]
pub(crate) struct GraphAnswer<V> {
    /// Vertices.
    vertices: Vertex,
    /// Edges.
    edges: u32,
    /// Vertices won for the player to move.
    won: u64,
    /// Lost vertices.
    lost: u64,
    /// Drawn vertices.
    drawn: u64,
    /// The longest distance.
    longest: Plies,
    /// Digest of all values.
    digest: Hex,
    /// From the text to the graph.
    read_seconds: f64,
    /// From the graph to all values.
    seconds: f64,
    /// Most memory of the process. `null` where the system does not say.
    process_peak_memory_bytes: Option<u64>,
    /// The table that was written. Absent without `--out`.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<WrittenTableAnswer>,
    /// Every vertex, in the order of their numbers. Absent with `--summary`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<VertexAnswer>>")]
    values: Option<V>,
}

/// A vertex.
#[derive(Serialize, JsonSchema)]
pub(crate) struct VertexValue {
    /// The name of the vertex, or its number.
    vertex: String,
    /// Value for the player to move.
    value: PlayerResult,
    /// Distance to the end. `null` for a drawn vertex.
    dtw: Option<Plies>,
}

/// A vertex with its best move.
#[derive(Serialize, JsonSchema)]
pub(crate) struct VertexAnswer {
    #[serde(flatten)]
    value: VertexValue,
    /// The best move: the vertex it leads to. `null` for a vertex without a move.
    best: Option<String>,
}

/// A vertex with its moves.
#[derive(Serialize, JsonSchema)]
pub(crate) struct VertexMovesAnswer {
    #[serde(flatten)]
    vertex: VertexAnswer,
    /// The vertices that a move leads to, best first, each with its own value.
    moves: Vec<VertexAnswer>,
    /// Optimal play: the vertices after this one.
    line: Vec<String>,
    /// How optimal play ends: at a vertex that is decided or drawn from outside or has no move, or at a
    /// position that repeats.
    #[schemars(extend("enum" = ["decided", "drawn", "repetition"]))]
    end: &'static str,
}

/// A vertex with its moves, and the table that was written.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SolvedVertexAnswer {
    #[serde(flatten)]
    pub(crate) vertex: VertexMovesAnswer,
    /// The table that was written. Absent without `--out`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) table: Option<WrittenTableAnswer>,
}

impl VertexValue {
    /// Returns the value of the vertex called `vertex`.
    pub(crate) fn new(vertex: String, value: Value) -> VertexValue {
        VertexValue { vertex, value: value.into(), dtw: value.dtw() }
    }
}

/// Returns the value of a vertex in a sentence.
pub(crate) fn sentence(name: &str, value: Value) -> String {
    match value.dtw() {
        Some(0) => format!("{name}: {} at once", PlayerResult::from(value)),
        Some(dtw) => format!("{name}: {} in {}", PlayerResult::from(value), human::plies(dtw)),
        None => format!("{name}: {}", PlayerResult::from(value)),
    }
}

impl<V: Fn(u64) -> Value + Sync> SolvedGraph<'_, V> {
    fn vertices(&self) -> std::ops::Range<Vertex> {
        0..self.play.game().graph().vertices()
    }

    fn value(&self, vertex: Vertex) -> Value {
        self.play.value(vertex.into())
    }

    fn best(&self, vertex: Vertex) -> Option<Vertex> {
        self.play.best(vertex.into()).map(|best| best as Vertex)
    }

    fn best_name(&self, vertex: Vertex) -> Option<String> {
        self.best(vertex).map(|best| self.names.of(best))
    }

    /// Returns the names of the vertices after `vertex` in optimal play, and how the line ends.
    fn line(&self, vertex: Vertex) -> (Vec<String>, &'static str) {
        let (line, end) = self.play.line(vertex.into());
        (line.into_iter().map(|vertex| self.names.of(vertex as Vertex)).collect(), end_word(end))
    }

    /// Writes one line about the whole graph.
    fn headline(&self, whole: &GraphSummary, output: &mut impl Write) -> io::Result<()> {
        let (graph, summary) = (self.play.game().graph(), &whole.summary);
        let line = format!(
            "{} vertices, {} edges: {} won, {} lost, {} drawn; the longest win takes {}; {:.2} s",
            human::count(graph.vertices().into()),
            human::count(graph.edges().into()),
            human::count(summary.won),
            human::count(summary.lost),
            human::count(summary.drawn),
            human::plies(summary.longest()),
            whole.seconds,
        );
        writeln!(output, "{}", wrapped(&line, 0, columns(&stdout())))
    }

    pub(crate) fn summary(&self, whole: &GraphSummary, output: &mut impl Write) -> io::Result<()> {
        self.headline(whole, output)?;
        let mut line = format!("digest {:016x}; read in {:.2} s", whole.summary.digest, whole.read_seconds);
        if let Some(bytes) = machine::peak_memory() {
            line += &format!("; at most {} of memory", human::bytes(bytes));
        }
        writeln!(output, "{}", wrapped(&line, 0, columns(&stdout())))
    }

    /// Returns the sums, and every vertex if these are wanted. Vertices are described as they are written, so
    /// that a large graph is not in memory a second time.
    pub(crate) fn json(&self, whole: GraphSummary, values: bool) -> GraphAnswer<impl Serialize> {
        let (graph, summary) = (self.play.game().graph(), &whole.summary);
        GraphAnswer {
            vertices: graph.vertices(),
            edges: graph.edges(),
            won: summary.won,
            lost: summary.lost,
            drawn: summary.drawn,
            longest: summary.longest(),
            digest: Hex(summary.digest),
            read_seconds: whole.read_seconds,
            seconds: whole.seconds,
            process_peak_memory_bytes: machine::peak_memory(),
            table: whole.table,
            values: values.then_some(self),
        }
    }

    pub(crate) fn show(&self, whole: &GraphSummary, output: &mut impl Write) -> io::Result<()> {
        self.headline(whole, output)?;
        let listed = self.vertices().end.min(LISTED);
        let names: Vec<String> = (0..listed).map(|vertex| self.names.of(vertex)).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
        if listed > 0 {
            writeln!(output, "\n{:width$}  value  plies  best move", "vertex")?;
        }
        for (vertex, name) in (0..listed).zip(names) {
            let value = self.value(vertex);
            let (word, plies) = (PlayerResult::from(value), human::distance(value));
            let best = self.best_name(vertex).unwrap_or_else(|| "-".to_owned());
            writeln!(output, "{name:width$}  {word:5}  {plies:>5}  {best}")?;
        }
        let more = self.vertices().end - listed;
        if more > 0 {
            writeln!(output, "{} more; --csv lists all", human::count(more.into()))?;
        }
        Ok(())
    }

    /// Writes all vertices as CSV. A graph may have millions of them, so all threads work.
    pub(crate) fn csv(&self, generator: &Generator, output: &mut impl Write) -> io::Result<()> {
        writeln!(output, "vertex,value,dtw,best")?;
        let name = |vertex: Vertex, text: &mut Vec<u8>| match self.names.first() {
            Some(first) => write!(text, "{}", u64::from(vertex) + u64::from(first)),
            None => {
                let name = self.names.of(vertex);
                let plain = !name.contains([',', '"']);
                let quoted = if plain { name } else { format!("\"{}\"", name.replace('"', "\"\"")) };
                text.write_all(quoted.as_bytes())
            }
        };
        long_text::write(generator, self.vertices().end.into(), output, |vertices, text| {
            for vertex in vertices {
                let vertex = vertex as Vertex;
                let value = self.value(vertex);
                name(vertex, text)?;
                write!(text, ",{},", PlayerResult::from(value))?;
                value.dtw().map_or(Ok(()), |dtw| write!(text, "{dtw}"))?;
                text.push(b',');
                self.best(vertex).map_or(Ok(()), |best| name(best, text))?;
                text.push(b'\n');
            }
            Ok(())
        })
    }

    fn vertex_json(&self, vertex: Vertex) -> VertexAnswer {
        let value = VertexValue::new(self.names.of(vertex), self.value(vertex));
        VertexAnswer { value, best: self.best_name(vertex) }
    }

    /// Returns the value of a vertex, every move and optimal play.
    pub(crate) fn moves_json(&self, vertex: Vertex) -> VertexMovesAnswer {
        let (line, end) = self.line(vertex);
        let moves = self.play.moves(vertex.into());
        VertexMovesAnswer {
            vertex: self.vertex_json(vertex),
            moves: moves.into_iter().map(|(to, _)| self.vertex_json(to as Vertex)).collect(),
            line,
            end,
        }
    }

    pub(crate) fn show_vertex(&self, vertex: Vertex, output: &mut impl Write) -> io::Result<()> {
        let value = self.value(vertex);
        let name = self.names.of(vertex);
        writeln!(output, "{}", sentence(&name, value))?;
        let moves = self.play.moves(vertex.into());
        if !moves.is_empty() {
            writeln!(output, "\n  move      value after it  plies after it")?;
        }
        for (to, value) in moves {
            let to = self.names.of(to as Vertex);
            writeln!(output, "  {to:<9} {:<15} {}", PlayerResult::from(value), human::distance(value))?;
        }
        let (line, end) = self.line(vertex);
        if !line.is_empty() {
            let steps = &line[..line.len().min(SHOWN)];
            let rest = line.len() - steps.len();
            let rest = if rest > 0 { format!(" … {rest} more") } else { String::new() };
            writeln!(output, "\noptimal play: {}{rest}, {}", steps.join(" "), end)?;
        }
        Ok(())
    }

    pub(crate) fn dot(&self, output: &mut impl Write) -> io::Result<()> {
        writeln!(output, "digraph {{\n  node [style=filled]")?;
        let quoted = |name: String| format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
        for vertex in self.vertices() {
            let value = self.value(vertex);
            // Colours that people without red or green can distinguish.
            let (color, sign) = match value {
                Value::Win(_) => ("#56b4e9", "+"),
                Value::Draw => ("#dddddd", "="),
                Value::Loss(_) => ("#e69f00", "-"),
            };
            let name = quoted(self.names.of(vertex));
            let dtw = value.dtw().map(|dtw| dtw.to_string()).unwrap_or_default();
            let label = quoted(format!("{}\n{sign}{dtw}", self.names.of(vertex))).replace('\n', "\\n");
            writeln!(output, "  {name} [label={label}, fillcolor=\"{color}\"]")?;
        }
        for vertex in self.vertices() {
            let from = quoted(self.names.of(vertex));
            let mut best = self.best(vertex);
            for &to in self.play.game().graph().successors(vertex) {
                let style = if best == Some(to) { " [penwidth=2]" } else { " [color=gray]" };
                best = best.filter(|&best| best != to);
                writeln!(output, "  {from} -> {}{style}", quoted(self.names.of(to)))?;
            }
        }
        writeln!(output, "}}")
    }
}

impl<V: Fn(u64) -> Value + Sync> Serialize for SolvedGraph<'_, V> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.vertices().map(|vertex| self.vertex_json(vertex)))
    }
}

fn end_word(end: LineEnd) -> &'static str {
    match end {
        LineEnd::Known(Value::Draw) => "drawn",
        LineEnd::Known(_) => "decided",
        LineEnd::Repetition => "repetition",
    }
}
