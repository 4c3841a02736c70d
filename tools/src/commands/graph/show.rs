//! What `dragnet graph solve` prints.

use super::Solved;
use crate::human;
use dragnet_formats::{graph::Vertex, value::Value};
use dragnet_generator::{GraphCounts, GraphLineEnd, VertexStart};
use serde_json::json;
use std::io::{self, Write};

/// Vertices listed for a person.
const LISTED: u32 = 40;
/// Plies of a line shown to a person.
const SHOWN: usize = 60;

/// The value in a word.
fn word(value: Value) -> &'static str {
    match value {
        Value::Win(_) => "won",
        Value::Draw => "drawn",
        Value::Loss(_) => "lost",
    }
}

impl Solved {
    fn vertices(&self) -> std::ops::Range<Vertex> {
        0..self.solution.game().graph().vertices()
    }

    fn best(&self, vertex: Vertex) -> Option<String> {
        self.solution.best(vertex).map(|best| self.names.of(best))
    }

    pub(super) fn show(&self, counts: &GraphCounts, output: &mut impl Write) -> io::Result<()> {
        let graph = self.solution.game().graph();
        writeln!(
            output,
            "{} vertices, {} edges: {} won, {} lost, {} drawn; the longest win takes {}; {:.2} s",
            human::count(graph.vertices().into()),
            human::count(graph.edges().into()),
            human::count(counts.won),
            human::count(counts.lost),
            human::count(counts.drawn),
            human::plies(counts.longest),
            self.seconds,
        )?;
        let listed = self.vertices().end.min(LISTED);
        let names: Vec<String> = (0..listed).map(|vertex| self.names.of(vertex)).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
        if listed > 0 {
            writeln!(output, "\n{:width$}  value  plies  best move", "vertex")?;
        }
        for (vertex, name) in (0..listed).zip(names) {
            let value = self.solution.value(vertex);
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

    pub(super) fn csv(&self, output: &mut impl Write) -> io::Result<()> {
        writeln!(output, "vertex,value,dtw,best")?;
        let quoted = |name: String| {
            let plain = !name.contains([',', '"']);
            if plain { name } else { format!("\"{}\"", name.replace('"', "\"\"")) }
        };
        for vertex in self.vertices() {
            let value = self.solution.value(vertex);
            let dtw = value.dtw().map(|dtw| dtw.to_string()).unwrap_or_default();
            let best = self.best(vertex).map(quoted).unwrap_or_default();
            writeln!(output, "{},{},{dtw},{best}", quoted(self.names.of(vertex)), word(value))?;
        }
        Ok(())
    }

    /// One object; vertices are written one by one, so that a large graph is not in memory as text.
    pub(super) fn json(&self, counts: &GraphCounts, output: &mut impl Write) -> io::Result<()> {
        let graph = self.solution.game().graph();
        let head = json!({
            "vertices": graph.vertices(),
            "edges": graph.edges(),
            "won": counts.won,
            "lost": counts.lost,
            "drawn": counts.drawn,
            "longest": counts.longest,
            "seconds": self.seconds,
        });
        let head = head.to_string();
        write!(output, "{},\"values\":[", head.trim_end_matches('}'))?;
        for vertex in self.vertices() {
            let comma = if vertex == 0 { "" } else { "," };
            write!(output, "{comma}{}", self.value_json(vertex))?;
        }
        writeln!(output, "]}}")
    }

    fn value_json(&self, vertex: Vertex) -> serde_json::Value {
        let value = self.solution.value(vertex);
        json!({
            "vertex": self.names.of(vertex),
            "value": word(value),
            "dtw": value.dtw(),
            "best": self.best(vertex),
        })
    }

    pub(super) fn vertex_json(&self, vertex: Vertex) -> serde_json::Value {
        let (line, end) = self.solution.line(vertex);
        let mut answer = self.value_json(vertex);
        answer["moves"] = self.moves(vertex).into_iter().map(|to| self.value_json(to)).collect();
        answer["line"] = line.iter().map(|&to| json!(self.names.of(to))).collect();
        answer["end"] = json!(end_word(end));
        answer
    }

    /// Where the edges of a vertex lead, each vertex once, best first.
    fn moves(&self, vertex: Vertex) -> Vec<Vertex> {
        let game = self.solution.game();
        if game.start_of(vertex) != VertexStart::Open {
            return Vec::new();
        }
        let mut moves = game.graph().successors(vertex).to_vec();
        moves.sort_unstable();
        moves.dedup();
        moves.sort_by(|&a, &b| self.solution.value(a).compare_for_mover(self.solution.value(b)));
        moves
    }

    pub(super) fn show_vertex(&self, vertex: Vertex, output: &mut impl Write) -> io::Result<()> {
        let value = self.solution.value(vertex);
        let name = self.names.of(vertex);
        match value.dtw() {
            Some(0) => writeln!(output, "{name}: {} at once", word(value))?,
            Some(dtw) => writeln!(output, "{name}: {} in {}", word(value), human::plies(dtw))?,
            None => writeln!(output, "{name}: {}", word(value))?,
        }
        let moves = self.moves(vertex);
        if !moves.is_empty() {
            writeln!(output, "\n  move      value after it  plies after it")?;
        }
        for to in moves {
            let value = self.solution.value(to);
            let to = self.names.of(to);
            writeln!(output, "  {to:<9} {:<15} {}", word(value), human::distance(value))?;
        }
        let (line, end) = self.solution.line(vertex);
        if !line.is_empty() {
            let steps: Vec<String> = line.iter().take(SHOWN).map(|&to| self.names.of(to)).collect();
            let rest = line.len().saturating_sub(SHOWN);
            let rest = if rest > 0 { format!(" … {rest} more") } else { String::new() };
            writeln!(output, "\noptimal play: {}{rest}, {}", steps.join(" "), end_word(end))?;
        }
        Ok(())
    }

    pub(super) fn dot(&self, output: &mut impl Write) -> io::Result<()> {
        writeln!(output, "digraph {{\n  node [style=filled]")?;
        let quoted = |name: String| format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
        for vertex in self.vertices() {
            let value = self.solution.value(vertex);
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
            let mut best = self.solution.best(vertex);
            for &to in self.solution.game().graph().successors(vertex) {
                let style = if best == Some(to) { " [penwidth=2]" } else { " [color=gray]" };
                best = best.filter(|&best| best != to);
                writeln!(output, "  {from} -> {}{style}", quoted(self.names.of(to)))?;
            }
        }
        writeln!(output, "}}")
    }
}

fn end_word(end: GraphLineEnd) -> &'static str {
    match end {
        GraphLineEnd::Decided => "decided",
        GraphLineEnd::Repetition => "repetition",
        GraphLineEnd::Drawn => "drawn",
    }
}
