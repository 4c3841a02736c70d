//! Reading a board whose form is not known beforehand.

use super::{contest, error::ParseBoardError, movingai, scenario::Scenario, text};
use crate::plain_text::decode;

impl Scenario {
    /// Reads a board in any of the three forms. The first line tells which: if it begins with `type` and a
    /// blank, the text is a [MovingAI map](movingai); if it has a digit anywhere, it is in the [contest
    /// form](contest); else it is in the [text form](text).
    ///
    /// No character of the text form is a digit, so a digit by mistake in the first row of a board is
    /// reported as a wrong size of the contest form. If you know the form, call its `parse`, whose
    /// message names the character.
    ///
    /// # Errors
    /// With line and column, when the bytes are not a board in the form that the first line announces.
    ///
    /// ```
    /// use dragnet_formats::{board::Scenario, cell::Cell};
    ///
    /// let text = Scenario::parse(b"P.#\n..T\n")?;
    /// let contest = Scenario::parse(b"2 3\nP.#\n..T\n")?;
    /// assert_eq!(text, contest);
    /// assert_eq!((text.police, text.thief), (vec![Cell::new(0, 0)], Some(Cell::new(1, 2))));
    ///
    /// let error = Scenario::parse(b"..\n.?\n").unwrap_err();
    /// assert!(error.to_string().starts_with("line 2, column 2: expected one of '*' or '#' (wall)"));
    /// # Ok::<(), dragnet_formats::board::ParseBoardError>(())
    /// ```
    pub fn parse(bytes: &[u8]) -> Result<Scenario, ParseBoardError> {
        let text = decode(bytes)?;
        let first = text.lines().next().unwrap_or_default();
        if first.starts_with("type ") || first.starts_with("type\t") {
            movingai::parse(text.as_bytes())
        } else if first.contains(|c: char| c.is_ascii_digit()) {
            contest::parse(text.as_bytes())
        } else {
            text::parse(text.as_bytes())
        }
    }
}
