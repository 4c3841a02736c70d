//! Solved graphs for people and programs: what `dragnet graph solve` prints, and `dragnet probe` of a vertex.

use crate::{graphs::Names, human};
use dragnet_formats::{game_header::GameSummary, graph::Vertex, value::Value};
use dragnet_generator::{GraphLineEnd, GraphPlay};
use serde_json::json;
use std::io::{self, Write};

/// Vertices listed for a person.
const LISTED: u32 = 40;
/// Plies of a line shown to a person.
const SHOWN: usize = 60;

/// The values of a graph's vertices, and what these are called.
pub(crate) struct Shown<'a, V> {
    pub(crate) play: GraphPlay<'a, V>,
    pub(crate) names: &'a Names,
}

/// The value in a word.
pub(crate) fn word(value: Value) -> &'static str {
    match value {
        Value::Win(_) => "won",
        Value::Draw => "drawn",
        Value::Loss(_) => "lost",
    }
}

/// The value of a vertex in a sentence.
pub(crate) fn sentence(name: &str, value: Value) -> String {
    match value.dtw() {
        Some(0) => format!("{name}: {} at once", word(value)),
        Some(dtw) => format!("{name}: {} in {}", word(value), human::plies(dtw)),
        None => format!("{name}: {}", word(value)),
    }
}

impl<V: Fn(Vertex) -> Value> Shown<'_, V> {
    fn vertices(&self) -> std::ops::Range<Vertex> {
        0..self.play.game().graph().vertices()
    }

    fn best(&self, vertex: Vertex) -> Option<String> {
        self.play.best(vertex).map(|best| self.names.of(best))
    }

    pub(crate) fn show(
        &self,
        summary: &GameSummary,
        seconds: f64,
        output: &mut impl Write,
    ) -> io::Result<()> {
        let graph = self.play.game().graph();
        writeln!(
            output,
            "{} vertices, {} edges: {} won, {} lost, {} drawn; the longest win takes {}; {seconds:.2} s",
            human::count(graph.vertices().into()),
            human::count(graph.edges().into()),
            human::count(summary.won),
            human::count(summary.lost),
            human::count(summary.drawn),
            human::plies(summary.longest()),
        )?;
        let listed = self.vertices().end.min(LISTED);
        let names: Vec<String> = (0..listed).map(|vertex| self.names.of(vertex)).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
        if listed > 0 {
            writeln!(output, "\n{:width$}  value  plies  best move", "vertex")?;
        }
        for (vertex, name) in (0..listed).zip(names) {
            let value = self.play.value(vertex);
            let (word, plies) = (word(value), human::distance(value));
            let best = self.best(vertex).unwrap_or_else(|| "-".to_owned());
            writeln!(output, "{name:width$}  {word:5}  {plies:>5}  {best}")?;
        }
        let more = self.vertices().end - listed;
        if more > 0 {
            writeln!(output, "{} more; --csv lists all", human::count(more.into()))?;
        }
        Ok(())
    }

    pub(crate) fn csv(&self, output: &mut impl Write) -> io::Result<()> {
        writeln!(output, "vertex,value,dtw,best")?;
        let quoted = |name: String| {
            let plain = !name.contains([',', '"']);
            if plain { name } else { format!("\"{}\"", name.replace('"', "\"\"")) }
        };
        for vertex in self.vertices() {
            let value = self.play.value(vertex);
            let dtw = value.dtw().map(|dtw| dtw.to_string()).unwrap_or_default();
            let best = self.best(vertex).map(quoted).unwrap_or_default();
            writeln!(output, "{},{},{dtw},{best}", quoted(self.names.of(vertex)), word(value))?;
        }
        Ok(())
    }

    /// One object, with `table` in it if there is one; vertices are written one by one, so that a large graph is not in memory as
    /// text.
    pub(crate) fn json(
        &self,
        summary: &GameSummary,
        seconds: f64,
        table: Option<serde_json::Value>,
        output: &mut impl Write,
    ) -> io::Result<()> {
        let graph = self.play.game().graph();
        let mut head = json!({
            "vertices": graph.vertices(),
            "edges": graph.edges(),
            "won": summary.won,
            "lost": summary.lost,
            "drawn": summary.drawn,
            "longest": summary.longest(),
            "seconds": seconds,
        });
        if let Some(table) = table {
            head["table"] = table;
        }
        let head = head.to_string();
        write!(output, "{},\"values\":[", head.trim_end_matches('}'))?;
        for vertex in self.vertices() {
            let comma = if vertex == 0 { "" } else { "," };
            write!(output, "{comma}{}", self.value_json(vertex))?;
        }
        writeln!(output, "]}}")
    }

    fn value_json(&self, vertex: Vertex) -> serde_json::Value {
        let mut answer = value_json(&self.names.of(vertex), self.play.value(vertex));
        answer["best"] = json!(self.best(vertex));
        answer
    }

    pub(crate) fn vertex_json(&self, vertex: Vertex) -> serde_json::Value {
        let (line, end) = self.play.line(vertex);
        let mut answer = self.value_json(vertex);
        answer["moves"] = self.play.moves(vertex).into_iter().map(|to| self.value_json(to)).collect();
        answer["line"] = line.iter().map(|&to| json!(self.names.of(to))).collect();
        answer["end"] = json!(end_word(end));
        answer
    }

    pub(crate) fn show_vertex(&self, vertex: Vertex, output: &mut impl Write) -> io::Result<()> {
        let value = self.play.value(vertex);
        let name = self.names.of(vertex);
        writeln!(output, "{}", sentence(&name, value))?;
        let moves = self.play.moves(vertex);
        if !moves.is_empty() {
            writeln!(output, "\n  move      value after it  plies after it")?;
        }
        for to in moves {
            let value = self.play.value(to);
            let to = self.names.of(to);
            writeln!(output, "  {to:<9} {:<15} {}", word(value), human::distance(value))?;
        }
        let (line, end) = self.play.line(vertex);
        if !line.is_empty() {
            let steps: Vec<String> = line.iter().take(SHOWN).map(|&to| self.names.of(to)).collect();
            let rest = line.len().saturating_sub(SHOWN);
            let rest = if rest > 0 { format!(" … {rest} more") } else { String::new() };
            writeln!(output, "\noptimal play: {}{rest}, {}", steps.join(" "), end_word(end))?;
        }
        Ok(())
    }

    pub(crate) fn dot(&self, output: &mut impl Write) -> io::Result<()> {
        writeln!(output, "digraph {{\n  node [style=filled]")?;
        let quoted = |name: String| format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
        for vertex in self.vertices() {
            let value = self.play.value(vertex);
            // Told apart by people who see no red or green too.
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
            let mut best = self.play.best(vertex);
            for &to in self.play.game().graph().successors(vertex) {
                let style = if best == Some(to) { " [penwidth=2]" } else { " [color=gray]" };
                best = best.filter(|&best| best != to);
                writeln!(output, "  {from} -> {}{style}", quoted(self.names.of(to)))?;
            }
        }
        writeln!(output, "}}")
    }
}

/// A vertex with its value, for programs.
pub(crate) fn value_json(name: &str, value: Value) -> serde_json::Value {
    json!({ "vertex": name, "value": word(value), "dtw": value.dtw() })
}

fn end_word(end: GraphLineEnd) -> &'static str {
    match end {
        GraphLineEnd::Decided => "decided",
        GraphLineEnd::Repetition => "repetition",
        GraphLineEnd::Drawn => "drawn",
    }
}
