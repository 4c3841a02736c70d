//! One-way squares.

/// The direction in which pieces leave a one-way square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arrow {
    /// To a row further up, `^`.
    Up,
    /// To a column further left, `<`.
    Left,
    /// To a column further right, `>`.
    Right,
    /// To a row further down, `v`.
    Down,
}

impl Arrow {
    /// All arrows, each in the place of its number, with their letters in the text form of boards.
    const LETTERS: [(Arrow, char); 4] =
        [(Arrow::Up, '^'), (Arrow::Left, '<'), (Arrow::Right, '>'), (Arrow::Down, 'v')];

    /// Returns the letter of the arrow in the text form of boards.
    #[must_use]
    pub const fn letter(self) -> char {
        Arrow::LETTERS[self as usize].1
    }

    /// Returns the arrow with this letter in the text form of boards.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Arrow> {
        Arrow::LETTERS.into_iter().find(|&(_, other)| other == letter).map(|(arrow, _)| arrow)
    }

    /// Returns whether a step of so many rows down and columns right leads to the side that the arrow points
    /// to, however far to the left or right of the arrow.
    ///
    /// ```
    /// use dragnet_formats::board::Arrow;
    ///
    /// // A knight's jump, and a step up.
    /// assert!(Arrow::Right.allows(-2, 1));
    /// assert!(!Arrow::Right.allows(-1, 0));
    /// ```
    #[must_use]
    pub const fn allows(self, down: i32, right: i32) -> bool {
        match self {
            Arrow::Up => down < 0,
            Arrow::Left => right < 0,
            Arrow::Right => right > 0,
            Arrow::Down => down > 0,
        }
    }
}
