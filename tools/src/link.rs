//! Links to places in the application.

use dragnet_formats::{
    cell::{Cell, Side},
    pieces::Pieces,
};
use std::fmt::Write;

/// The page of the application, beside which its other files stand.
pub(crate) const INDEX: &str = "index.html";

/// The version of the form of links.
const VERSION: u32 = 1;

/// A view of the application, and what it shows.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    hash: String,
    /// Whether a parameter has been written.
    asks: bool,
}

impl Link {
    /// Returns the link to the view `view` of the table called `name`, as in `table` and `yard`.
    pub(crate) fn new(view: &str, name: &str) -> Link {
        Link { hash: format!("#{VERSION}/{view}/{}", encoded(name)), asks: false }
    }

    /// Returns the link to the view `view` of a board or a graph that the catalogue lists.
    #[cfg(feature = "serve")]
    pub(crate) fn to_item(view: &str, name: &str) -> Link {
        Link { hash: format!("#{VERSION}/{view}"), asks: false }.with("item", encoded(name))
    }

    /// Returns the link with a parameter; characters beyond letters, digits and `-._~,;` must not be in its
    /// value.
    fn with(mut self, name: &str, value: impl std::fmt::Display) -> Link {
        let sign = if self.asks { '&' } else { '?' };
        // A string takes all that is written.
        let _ = write!(self.hash, "{sign}{name}={value}");
        Link { asks: true, ..self }
    }

    /// Returns the link with the officers on these cells.
    pub(crate) fn police(self, police: &Pieces) -> Link {
        let cells: Vec<String> =
            police.cells().iter().map(|cell| format!("{},{}", cell.row, cell.col)).collect();
        self.with("police", cells.join(";"))
    }

    /// Returns the link with the thief on this cell.
    pub(crate) fn thief(self, thief: Cell) -> Link {
        self.with("thief", format_args!("{},{}", thief.row, thief.col))
    }

    /// Returns the link with this side to move.
    pub(crate) fn turn(self, turn: Side) -> Link {
        self.with("turn", turn)
    }

    /// Returns the link with a vertex of a game on a graph.
    #[cfg(feature = "serve")]
    pub(crate) fn vertex(self, vertex: u64) -> Link {
        self.with("vertex", vertex)
    }

    /// Returns the address of the place, for an application at `application`, an address without a hash.
    pub(crate) fn at(&self, application: &str) -> String {
        format!("{application}{}", self.hash)
    }
}

/// Returns a part of a path as it stands in an address: all but unreserved characters are escaped.
pub(crate) fn encoded(part: &str) -> String {
    let mut text = String::with_capacity(part.len());
    for byte in part.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text += &format!("%{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_written_as_the_application_reads_it() {
        let police = Pieces::new(&[Cell::new(3, 4), Cell::new(0, 0)]).unwrap();
        let link = Link::new("table", "a/b ö?").police(&police).thief(Cell::new(5, 10)).turn(Side::Thief);
        let expected = "index.html#1/table/a%2Fb%20%C3%B6%3F?police=0,0;3,4&thief=5,10&turn=thief";
        assert_eq!(link.at(INDEX), expected);
        assert_eq!(Link::new("wave", "x").at("http://[::1]:8/"), "http://[::1]:8/#1/wave/x");
    }
}
