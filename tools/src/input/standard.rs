//! Standard input.

use crate::messages::{self, Kind};
use std::io::{IsTerminal, Stdin, stdin};

/// Returns standard input. If it is a terminal, says first that the program waits for it.
pub(crate) fn standard_input() -> Stdin {
    let input = stdin();
    if input.is_terminal() {
        messages::say(Kind::Note, "reading from the terminal; Ctrl-D at the start of a line ends the input");
    }
    input
}
