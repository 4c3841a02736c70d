//! Edge lists whose vertices are numbers, read fast and in blocks.

use super::{
    Graph, GraphError, ReadError, Vertex, dimacs,
    doubt::{Doubt, unnamed},
    words::WordReader,
};

/// How an edge list is written, and how many vertices it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeList {
    /// Whether vertices are words instead of numbers.
    pub names: bool,
    /// Whether each line is an edge both ways.
    pub undirected: bool,
    /// The number of vertices of a list of numbers, if it is known beforehand.
    pub vertices: Option<u32>,
    /// The most vertices that a list of numbers may have. A vertex takes memory even if no edge names it.
    pub most_vertices: u32,
    /// The most edges that a list may have; an edge both ways counts twice.
    pub most_edges: u32,
}

/// Edges one way between numbered vertices, as many as a graph may have.
impl Default for EdgeList {
    fn default() -> EdgeList {
        EdgeList {
            names: false,
            undirected: false,
            vertices: None,
            most_vertices: Graph::MAX_VERTICES,
            most_edges: Graph::MAX_EDGES,
        }
    }
}

/// The beginning of a list of numbers, before its first edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeListHead {
    /// The number of vertices, if the list begins with it or [`EdgeList::vertices`] announces it.
    vertices: Option<u32>,
    /// See [`EdgeList::most_vertices`].
    most_vertices: u32,
    /// The line of the number of vertices, if the list begins with it.
    count_line: Option<u64>,
    /// The first line with two numbers, if the list does not begin with one.
    first: Option<FirstPair>,
}

/// The first line with two numbers: an edge, or the numbers of vertices and edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FirstPair {
    from: Vertex,
    to: Vertex,
    line: u64,
    /// The columns of the two numbers.
    columns: [usize; 2],
    attributed: bool,
}

/// The sums over whole lines of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdgeLines {
    /// The number of lines.
    pub lines: u64,
    /// One more than the greatest vertex that a line names, or 0.
    vertices: u32,
    /// Whether a line names vertex 0.
    names_first: bool,
    /// The number of lines with an edge.
    edges: u64,
    /// The number of lines with attributes behind the edge.
    attributed: u64,
    /// The place of the greatest vertex, if it is too great for so few edges.
    far: Option<VertexPlace>,
}

/// The place where a vertex is named first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct VertexPlace {
    vertex: Vertex,
    line: u64,
    column: usize,
}

/// Returns the most vertices that a list of `edges` edges may have without announcing their number: far more
/// than any edge list of a game, and so few that one mistyped vertex takes little memory.
fn most_unannounced(edges: u64) -> u64 {
    (1 << 20) + 64 * edges
}

/// The state of the search for the first edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadState {
    /// All lines so far are empty or comments.
    Open,
    /// The head ends after so many bytes and lines.
    Done {
        /// The head of the list.
        head: EdgeListHead,
        /// The number of bytes of the head.
        bytes: usize,
        /// The number of lines of the head.
        lines: u64,
    },
    /// The text is not such a list, but in the [DIMACS form](super::dimacs).
    Dimacs,
}

/// The meaning of one line.
enum ListLine {
    Nothing,
    Count(u32),
    Edge { vertices: [Vertex; 2], columns: [usize; 2], attributed: bool },
}

impl EdgeListHead {
    /// Returns the head of a list that has no text before its first edge.
    #[must_use]
    pub fn new(list: EdgeList) -> EdgeListHead {
        EdgeListHead {
            vertices: list.vertices,
            most_vertices: list.most_vertices,
            count_line: None,
            first: None,
        }
    }

    /// Reads the beginning of a list: whole lines, up to the number of vertices or the first edge.
    ///
    /// # Errors
    /// When the text is not such a list. Lines are counted from `text`, which has `before` lines before it.
    pub fn find(list: EdgeList, text: &[u8], before: u64) -> Result<HeadState, ReadError> {
        let (mut head, mut bytes, mut lines) = (EdgeListHead::new(list), 0, before);
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            if dimacs::begins(line) {
                return Ok(HeadState::Dimacs);
            }
            let found = head.line(line, true).map_err(|error| error.after(lines))?;
            bytes += line.len();
            lines += 1;
            match found {
                ListLine::Nothing => continue,
                ListLine::Count(count) => (head.vertices, head.count_line) = (Some(count), Some(lines)),
                ListLine::Edge { vertices: [from, to], columns, attributed } => {
                    head.first = Some(FirstPair { from, to, line: lines, columns, attributed });
                }
            }
            return Ok(HeadState::Done { head, bytes, lines });
        }
        Ok(HeadState::Open)
    }

    /// Returns the edge in the head, if it ends with one.
    #[must_use]
    pub fn first_edge(&self) -> Option<(Vertex, Vertex)> {
        let is_size = |first: &FirstPair| Some(first.from) == self.vertices;
        self.first.filter(|first| !is_size(first)).map(|first| (first.from, first.to))
    }

    /// Calls `each` with the edges of whole lines after the head, in their order.
    ///
    /// # Errors
    /// When a line is neither an edge nor empty nor a comment. Lines are counted from `text`.
    pub fn read(self, text: &[u8], mut each: impl FnMut(Vertex, Vertex)) -> Result<EdgeLines, ReadError> {
        let most = self.vertices.unwrap_or(Graph::MAX_VERTICES).into();
        let (mut rest, mut found) = (text, EdgeLines::default());
        let mut edge = |found: &mut EdgeLines, from: Vertex, to: Vertex| {
            found.edges += 1;
            found.vertices = found.vertices.max(from.max(to) + 1);
            found.names_first |= (from == 0) | (to == 0);
            each(from, to);
        };
        while !rest.is_empty() {
            match plain_edge(rest) {
                Some((from, to, used)) if from.max(to) < most => {
                    edge(&mut found, from as Vertex, to as Vertex);
                    rest = &rest[used..];
                }
                _ => {
                    let (line, more) = rest.split_at(line_len(rest));
                    let line = self.line(line, false).map_err(|error| error.after(found.lines))?;
                    if let ListLine::Edge { vertices: [from, to], attributed, .. } = line {
                        edge(&mut found, from, to);
                        found.attributed += u64::from(attributed);
                    }
                    rest = more;
                }
            }
            found.lines += 1;
        }
        let most = most_unannounced(found.edges).min(self.most_vertices.into());
        if self.vertices.is_none() && u64::from(found.vertices) > most {
            found.far = first_place(text, found.vertices - 1);
        }
        Ok(found)
    }

    /// Reads one line, written in any allowed way. Before the edges it may be the number of vertices.
    fn line(self, line: &[u8], before_edges: bool) -> Result<ListLine, ReadError> {
        let mut words = WordReader::new(line);
        words.next_line()?;
        let Some(first) = words.word().filter(|&word| !matches!(words.bytes(word)[0], b'#' | b'%')) else {
            return Ok(ListLine::Nothing);
        };
        let vertex = |words: &WordReader<_>, word| words.number(word, "a vertex, a number from 0");
        let from = vertex(&words, first)?;
        let Some(second) = words.word() else {
            if !before_edges {
                return Err(words.too_short("a second vertex"));
            }
            if let Some(announced) = self.vertices.filter(|&announced| from != u64::from(announced)) {
                return Err(words.error(first, format!("{announced} vertices, as was announced")));
            }
            return match u32::try_from(from).ok().filter(|&count| count <= self.most_vertices) {
                Some(count) => Ok(ListLine::Count(count)),
                None => Err(too_many(1, from, self.most_vertices)),
            };
        };
        let to = vertex(&words, second)?;
        // Before the edges two numbers may be those of vertices, which is known, and of edges.
        let is_size = before_edges
            && self.vertices.is_some_and(|count| u64::from(count) == from)
            && to <= u32::MAX.into();
        for (vertex, word) in [(from, first), (to, second)].into_iter().filter(|_| !is_size) {
            match self.vertices {
                Some(count) if vertex >= count.into() => {
                    return Err(vertex_beyond(1, word.column(), count, words.bytes(word)));
                }
                None if vertex >= Graph::MAX_VERTICES.into() => {
                    return Err(too_many(1, vertex.saturating_add(1), Graph::MAX_VERTICES));
                }
                _ => {}
            }
        }
        Ok(ListLine::Edge {
            vertices: [from as Vertex, to as Vertex],
            columns: [first.column(), second.column()],
            attributed: words.attributes("two vertices in a line")?,
        })
    }
}

fn too_many(line: u64, found: u64, most: u32) -> ReadError {
    ReadError::Graph { line, source: GraphError::Vertices { found, most } }
}

impl EdgeLines {
    /// Adds the sums over the lines behind these.
    pub fn append(&mut self, more: EdgeLines) {
        let far = more.far.map(|far| VertexPlace { line: far.line + self.lines, ..far });
        if self.far.map(|far| far.vertex) < far.map(|far| far.vertex) {
            self.far = far;
        }
        self.lines += more.lines;
        self.edges += more.edges;
        self.attributed += more.attributed;
        self.vertices = self.vertices.max(more.vertices);
        self.names_first |= more.names_first;
    }

    /// Returns the number of vertices of the list with this head that has these lines and no others, except
    /// `before` lines before them.
    ///
    /// # Errors
    /// When the head may be the numbers of vertices and edges, when the list has neither edges nor announces
    /// how many vertices it has, or when the greatest vertex is far beyond the number of edges and the list
    /// does not announce that, or beyond [`EdgeList::most_vertices`]; with its place.
    pub fn check(&self, head: EdgeListHead, before: u64) -> Result<u32, ReadError> {
        self.check_first(head)?;
        let Some(first) = head.first else {
            let none =
                || ReadError::text(before + self.lines + 1, 1, "an edge or the number of vertices", b"");
            return head.vertices.ok_or_else(none);
        };
        if let Some(vertices) = head.vertices {
            return Ok(vertices);
        }
        let (vertex, column) = (first.from, first.columns[0]).max((first.to, first.columns[1]));
        let first = VertexPlace { vertex, line: first.line, column };
        let far = self.far.map(|far| VertexPlace { line: far.line + before, ..far });
        let VertexPlace { vertex, line, column } = match far {
            Some(far) if far.vertex > first.vertex => far,
            _ => first,
        };
        let vertices = self.vertices.max(first.vertex + 1);
        let most = most_unannounced(self.edges + 1);
        if u64::from(vertex) >= most {
            let expected =
                format!("a vertex below {most}, or the number of vertices announced before the edges");
            return Err(ReadError::text(line, column, expected, vertex.to_string().as_bytes()));
        }
        if vertex >= head.most_vertices {
            return Err(too_many(line, u64::from(vertex) + 1, head.most_vertices));
        }
        Ok(vertices)
    }

    /// Checks that the first two numbers are an edge if the number of vertices does not say that they are
    /// not.
    fn check_first(&self, head: EdgeListHead) -> Result<(), ReadError> {
        let Some(FirstPair { from, to, line, columns, .. }) = head.first else { return Ok(()) };
        let may_be_size = u64::from(to) == self.edges
            && self.edges > 0
            // Vertices are numbered from 0, or from 1.
            && (from >= self.vertices || (from + 1 == self.vertices && !self.names_first));
        match head.vertices {
            Some(vertices) if from == vertices && !may_be_size => {
                Err(vertex_beyond(line, columns[0], vertices, from.to_string().as_bytes()))
            }
            None if may_be_size => Err(ReadError::Size { line, vertices: from.into(), edges: to.into() }),
            _ => Ok(()),
        }
    }

    /// Returns the reasons to doubt that the list with this head and these lines was meant so. `graph` is the
    /// list's graph.
    #[must_use]
    pub fn doubts(&self, head: EdgeListHead, graph: &Graph) -> Vec<Doubt> {
        let mut doubts = Vec::new();
        let edges = self.edges + u64::from(head.first_edge().is_some());
        let first = head.first_edge().zip(head.first);
        let named = self.vertices.max(first.map_or(0, |((from, to), _)| from.max(to) + 1));
        if let Some(((from, to), first)) = first.filter(|_| self.edges > 1)
            && from.min(to) >= self.vertices
        {
            doubts.push(Doubt::FirstLine { line: first.line, found: format!("{from} {to}") });
        }
        match (head.count_line, head.vertices) {
            (Some(line), Some(vertices)) if u64::from(vertices) == edges && vertices > named => {
                doubts.push(Doubt::Count { line, vertices, named });
            }
            (_, None) => doubts.extend(unnamed(graph)),
            _ if edges > 0 && !self.names_first && first.is_none_or(|((from, to), _)| from.min(to) > 0) => {
                doubts.push(Doubt::FromOne);
            }
            _ => {}
        }
        let lines = self.attributed + u64::from(head.first.is_some_and(|first| first.attributed));
        if lines > 0 {
            doubts.push(Doubt::Attributes { lines });
        }
        doubts
    }
}

/// Returns the error about a vertex beyond the number of vertices.
fn vertex_beyond(line: u64, column: usize, count: u32, found: &[u8]) -> ReadError {
    ReadError::text(line, column, format!("a vertex below {count}, the number of vertices given"), found)
}

/// Returns the number of bytes of the first line, with its end.
fn line_len(text: &[u8]) -> usize {
    text.iter().position(|&byte| byte == b'\n').map_or(text.len(), |at| at + 1)
}

/// Returns where lines of edges name `vertex` first.
fn first_place(text: &[u8], vertex: Vertex) -> Option<VertexPlace> {
    let (mut rest, mut line) = (text, 1);
    while !rest.is_empty() {
        // Most lines are plain and name smaller vertices.
        if let Some((_, _, used)) = plain_edge(rest).filter(|edge| edge.0.max(edge.1) < vertex.into()) {
            (rest, line) = (&rest[used..], line + 1);
            continue;
        }
        let (words, more) = rest.split_at(line_len(rest));
        let is_comment = words.trim_ascii_start().first().is_some_and(|byte| matches!(byte, b'#' | b'%'));
        let mut column = 1;
        for word in words.split(u8::is_ascii_whitespace).filter(|_| !is_comment) {
            let number = str::from_utf8(word).ok().and_then(|word| word.parse().ok());
            if number == Some(vertex) {
                return Some(VertexPlace { vertex, line, column });
            }
            column += word.len() + 1;
        }
        (rest, line) = (more, line + 1);
    }
    None
}

/// Returns the edge in a line that is written as most are, and the length of the line: two numbers with a
/// blank or tab between them and nothing else. Returns `None` for any other line.
#[inline]
fn plain_edge(text: &[u8]) -> Option<(u64, u64, usize)> {
    let (from, first) = number(text)?;
    let (to, second) = match text.get(first)? {
        b' ' | b'\t' => number(&text[first + 1..])?,
        _ => return None,
    };
    let end = first + 1 + second;
    match &text[end..] {
        [b'\n', ..] => Some((from, to, end + 1)),
        [b'\r', b'\n', ..] => Some((from, to, end + 2)),
        _ => None,
    }
}

/// Returns the number at the beginning of a text and how many digits it has, or `None` if it has more than 15
/// digits.
#[inline]
fn number(text: &[u8]) -> Option<(u64, usize)> {
    let (number, digits) = eight_digits(text)?;
    if digits < 8 {
        return (digits > 0).then_some((number, digits));
    }
    let (more, digits) = eight_digits(&text[8..])?;
    (digits < 8).then(|| (number * 10u64.pow(digits as u32) + more, 8 + digits))
}

/// Returns the number that the digits among the first eight bytes make, up to the first other byte, and how
/// many digits there are. Works on all eight bytes in one word: a loop over the bytes takes twice as long.
#[inline]
fn eight_digits(text: &[u8]) -> Option<(u64, usize)> {
    let bytes = u64::from_le_bytes(*text.first_chunk()?) ^ 0x3030_3030_3030_3030;
    // The upper bit of each byte that is not a digit: set in the byte itself, or by what is added.
    let others = (bytes.wrapping_add(0x7676_7676_7676_7676) | bytes) & 0x8080_8080_8080_8080;
    let digits = (others.trailing_zeros() / 8) as usize;
    if digits == 0 {
        return Some((0, 0));
    }
    // Shift zeros in before the first digit; then join pairs, fours, and all eight.
    let bytes = bytes << (64 - 8 * digits);
    let pairs = (bytes.wrapping_mul(10) + (bytes >> 8)) & 0x00FF_00FF_00FF_00FF;
    let fours = (pairs.wrapping_mul(100) + (pairs >> 16)) & 0x0000_FFFF_0000_FFFF;
    Some(((fours.wrapping_mul(10_000) + (fours >> 32)) & 0xFFFF_FFFF, digits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_are_read_as_the_standard_library_reads_them(
            number in prop_oneof![any::<u32>().prop_map(u64::from), 0..20_000u64, any::<u64>()], behind in "[ \n\r:/xé]{1,9}",
        ) {
            let text = format!("{number}{behind}and so on, so that there is enough");
            let digits = number.to_string().len();
            prop_assert_eq!(super::number(text.as_bytes()), (digits < 16).then_some((number, digits)));
        }

        /// The fast way finds the same as the thorough one, or leaves the line to it.
        #[test]
        fn fast_and_thorough_readers_of_a_line_agree(line in "[0-9]{0,11}[ \t]{0,2}[0-9]{0,11}[ x#]{0,1}(\r)?", end in "[0-9 \n]{0,30}") {
            let text = format!("{line}\n{end}");
            if let Some((from, to, used)) = plain_edge(text.as_bytes()) {
                prop_assert_eq!(used, line.len() + 1);
                match EdgeListHead::new(EdgeList::default()).line(&text.as_bytes()[..used], false) {
                    Ok(ListLine::Edge { vertices: [a, b], .. }) => {
                        prop_assert_eq!((a.into(), b.into()), (from, to));
                    }
                    Err(_) => prop_assert!(from.max(to) >= Graph::MAX_VERTICES.into()),
                    Ok(_) => prop_assert!(false, "{:?}", line),
                }
            }
        }
    }
}
