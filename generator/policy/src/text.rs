//! Routes and tables of moves as texts.

use super::{
    definition::PolicyMove,
    error::PolicyError,
    ground::Ground,
    listed::{ListedMoves, Otherwise},
    patrol::Patrol,
};
use dragnet_formats::{
    cell::{Cell, Side},
    pieces::Pieces,
};
use std::collections::HashSet;

/// Why a text is no policy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyTextError {
    /// A word is not what stands there in such a text.
    #[error("line {line}, column {column}: expected {expected}, found {found}")]
    Word {
        /// The line, from 1.
        line: usize,
        /// The column of the word's first character, from 1.
        column: usize,
        /// The words that should stand there.
        expected: String,
        /// The word, or the end of the line.
        found: String,
    },
    /// A list of moves says nothing.
    #[error("expected lines with moves, or one with otherwise, found none")]
    Empty,
    /// The text is in order, and its policy cannot be played.
    #[error("{}{error}", .line.map(|line| format!("line {line}: ")).unwrap_or_default())]
    Policy {
        /// The line of the fault, from 1, if it has one.
        line: Option<usize>,
        /// The fault.
        error: PolicyError,
    },
}

/// A word of a text, with its place.
#[derive(Clone, Copy)]
struct Word<'a> {
    line: usize,
    column: usize,
    text: &'a str,
}

impl Word<'_> {
    /// Returns the error that something else was expected.
    fn error(&self, expected: impl Into<String>) -> PolicyTextError {
        let found =
            if self.text.is_empty() { "the end of the line".to_owned() } else { format!("{:?}", self.text) };
        PolicyTextError::Word { line: self.line, column: self.column, expected: expected.into(), found }
    }

    /// Returns the place of the side's pieces that the word names: cells `ROW,COL`, or vertices of a graph,
    /// joined by `+`.
    fn place(&self, ground: &Ground, side: Side) -> Result<u32, PolicyTextError> {
        let cell = |text: &str| match ground.board().graph() {
            Some(_) => text.parse().ok().map(|vertex| Cell::new(0, vertex)),
            None => text.parse().ok(),
        };
        let cells: Option<Vec<Cell>> = self.text.split('+').map(cell).collect();
        let place = cells.and_then(|cells| ground.place(side, &Pieces::new(&cells).ok()?));
        place.ok_or_else(|| {
            let form = if ground.board().graph().is_some() { "a vertex" } else { "an open cell ROW,COL" };
            self.error(match (side, ground.rules().officers) {
                (Side::Police, officers @ 2..) => {
                    format!("{form} of each of {officers} officers, joined by +")
                }
                _ => format!("{form} of the {side}"),
            })
        })
    }
}

/// Returns the words of a text, line by line, without comments, which begin with `#`. Lines without a word
/// are left out; each other line ends with an empty word.
fn words(text: &str) -> impl Iterator<Item = Vec<Word<'_>>> {
    (1..).zip(text.lines()).map(|(line, text)| words_of(line, text)).filter(|words| words.len() > 1)
}

/// Returns the words of a line, and an empty one at its end.
fn words_of(line: usize, text: &str) -> Vec<Word<'_>> {
    let text = text.split('#').next().unwrap_or_default();
    let (mut words, mut rest) = (Vec::new(), text);
    loop {
        let trimmed = rest.trim_start();
        let column = 1 + text[..text.len() - trimmed.len()].chars().count();
        let end = trimmed.find(char::is_whitespace).unwrap_or(trimmed.len());
        words.push(Word { line, column, text: &trimmed[..end] });
        if end == 0 {
            return words;
        }
        rest = &trimmed[end..];
    }
}

/// Reads the route of a patrol: its places in turn, separated by blanks or ends of lines. A place is a cell
/// `ROW,COL`, on a graph a vertex; several officers' are joined by `+`. `#` begins a comment.
///
/// ```
/// use dragnet_formats::{board::make, cell::Side, rules::Rules};
/// use dragnet_policy::{Ground, Policy, read_route};
///
/// let ground = Ground::new(make::open(2, 2)?, Rules::classic())?;
/// let patrol = read_route(&ground, Side::Police, "0,0 0,1  # the upper side\n1,1 1,1 # rests\n1,0\n")?;
/// assert_eq!(patrol.posts(&ground), 5);
/// let error = read_route(&ground, Side::Police, "0,0\n0,9\n").unwrap_err();
/// let message = "line 2, column 1: expected an open cell ROW,COL of the police, found \"0,9\"";
/// assert_eq!(error.to_string(), message);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When a word is no place of the side, or the route cannot be walked under the rules.
pub fn read_route(ground: &Ground, side: Side, text: &str) -> Result<Patrol, PolicyTextError> {
    let (mut route, mut lines) = (Vec::new(), Vec::new());
    for line in words(text) {
        for word in &line[..line.len() - 1] {
            let place = word.place(ground, side)?;
            route.push(ground.pieces(side, place));
            lines.push(word.line);
        }
    }
    Patrol::new(ground, side, &route).map_err(|error| {
        let line = match error {
            PolicyError::RouteStep { step, .. } => lines.get(step % lines.len().max(1)).copied(),
            _ => None,
        };
        PolicyTextError::Policy { line, error }
    })
}

/// Reads a table of moves. A line has the cell of the police, the cell of the thief, the cell to which the
/// side moves, and perhaps the weight of the move, which is 1 if it is left out. `*` in place of the other
/// side's cell stands for all its cells. Lines for one position are moves among which a lot decides. A line
/// `otherwise stay`, `otherwise greedy` or `otherwise random` says what the side does in all other positions;
/// without it the side stays: see [`Otherwise`]. No move of a position stands there twice. `#` begins a
/// comment.
///
/// ```
/// use dragnet_formats::{board::make, cell::Side, rules::Rules};
/// use dragnet_policy::{Ground, Policy, read_moves};
///
/// let ground = Ground::new(make::open(2, 2)?, Rules::classic())?;
/// let text = "otherwise greedy\n0,0 1,1 0,1\n0,0 1,1 1,0 3  # three times as often\n1,1 * 1,0\n";
/// let policy = read_moves(&ground, Side::Police, text)?;
/// let mut choices = Vec::new();
/// policy.choose(0, 3, &mut choices)?;
/// let weights: Vec<_> = choices.iter().map(|choice| (choice.post, choice.weight)).collect();
/// assert_eq!(weights, [(1, 1.0), (2, 3.0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When a word is not what stands there, no line says anything, or a move is not legal or listed twice.
pub fn read_moves<'a>(
    ground: &'a Ground,
    side: Side,
    text: &str,
) -> Result<ListedMoves<'a>, PolicyTextError> {
    let mut otherwise = None;
    for line in words(text).filter(|line| line[0].text == "otherwise") {
        let kind = match line[1].text {
            "stay" => Otherwise::Stay,
            "greedy" => Otherwise::Greedy,
            "random" => Otherwise::Random,
            _ => return Err(line[1].error("stay, greedy or random")),
        };
        if otherwise.replace(kind).is_some() {
            return Err(line[0].error("one line with otherwise"));
        }
        require_end(&line[2])?;
    }
    if words(text).next().is_none() {
        return Err(PolicyTextError::Empty);
    }
    let mut listed = HashSet::new();
    let of_line = |line, error| PolicyTextError::Policy { line, error };
    let mut policy = ListedMoves::new(ground, side, otherwise.unwrap_or_default());
    for line in words(text).filter(|line| line[0].text != "otherwise") {
        let word = |at: usize| line.get(at).unwrap_or(&line[line.len() - 1]);
        let (own, others) = match side {
            Side::Police => (word(0), word(1)),
            Side::Thief => (word(1), word(0)),
        };
        let place = own.place(ground, side)?;
        let other = match others.text {
            "*" => None,
            _ => Some(others.place(ground, side.other())?),
        };
        let to = word(2).place(ground, side)?;
        let weight = match word(3).text {
            "" => 1.0,
            text => {
                let weight =
                    text.parse().ok().filter(|&weight| (0.0..=PolicyMove::MOST_WEIGHT).contains(&weight));
                weight.ok_or_else(|| word(3).error("a weight from 0 to 2^53"))?
            }
        };
        require_end(word(4))?;
        if ground.moves(side, place).binary_search(&to).is_err() {
            let expected = format!("a cell to which the rules let the {side} move from {}", own.text);
            return Err(word(2).error(expected));
        }
        if !listed.insert((place, other, to)) {
            return Err(word(2).error("a move that no line above lists for this position"));
        }
        policy.add(place, other, to, weight).map_err(|error| of_line(Some(line[0].line), error))?;
    }
    Ok(policy)
}

/// Checks that a line has no further word.
fn require_end(word: &Word<'_>) -> Result<(), PolicyTextError> {
    if word.text.is_empty() { Ok(()) } else { Err(word.error("the end of the line")) }
}
