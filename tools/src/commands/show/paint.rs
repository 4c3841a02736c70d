//! The picture of a board in colours or letters, and its legend.

use super::{
    grid::{Grid, Spot},
    layout::{Form, Layout},
};
use crate::{
    output::terminal::{Colours, Piece},
    palette::{Rgb, ink_on},
    table::{heat_map::HeatMap, portrait::Colour},
};
use dragnet_formats::{
    board::Board,
    cell::Side,
    value::{Plies, Value},
};

/// The most classes of distances of each side's wins, if the picture is made of letters: as many as there are
/// digits from 1 on.
const CLASSES: u8 = 9;
/// The most distances that the legend shows for each side's wins, if the picture has colours.
const SAMPLES: usize = 7;

/// The means of a picture.
pub(super) struct Painter<'a> {
    map: &'a HeatMap,
    colours: Colours,
    /// The first and the last distance of each class of the police's wins and of the thief's wins.
    classes: [Vec<(Plies, Plies)>; 2],
}

impl<'a> Painter<'a> {
    pub(super) fn new(map: &'a HeatMap, colours: Colours) -> Painter<'a> {
        Painter { map, colours, classes: Side::BOTH.map(|side| map.classes(side, CLASSES)) }
    }

    /// Returns the lines of the picture.
    pub(super) fn picture(&self, board: &Board, grid: &Grid, layout: &Layout) -> Vec<String> {
        let mut lines = Vec::new();
        if layout.margin > 0 {
            lines.push(layout.ruler(board));
        }
        let rows: Vec<&[Spot]> = grid.rows().collect();
        for (number, rows) in rows.chunks(layout.form.rows_of_line()).enumerate() {
            let mut line = layout.row_number(number);
            match (layout.form, rows) {
                (Form::Half, [upper, lower]) => self.halves(upper, Some(lower), &mut line),
                (Form::Half, rows) => rows.iter().for_each(|row| self.halves(row, None, &mut line)),
                (form, rows) => rows.iter().for_each(|row| self.letters(row, form, &mut line)),
            }
            lines.push(line);
        }
        lines
    }

    /// Appends a line of squares with a letter each.
    fn letters(&self, row: &[Spot], form: Form, line: &mut String) {
        if self.colours == Colours::Plain {
            let gap = if form == Form::Wide { " " } else { "" };
            let letters: Vec<String> = row.iter().map(|&spot| self.letter(spot).to_string()).collect();
            line.push_str(letters.join(gap).trim_end());
            return;
        }
        for spots in row.chunk_by(|a, b| a == b) {
            let ground = self.colour(spots[0]);
            line.push_str(&self.colours.paper(ground));
            let letter = match spots[0] {
                Spot::Police => 'P',
                Spot::Thief => 'T',
                Spot::Both => 'X',
                Spot::Exit => 'E',
                Spot::Wall | Spot::Open(_) => ' ',
            };
            if letter != ' ' {
                line.push_str(&self.colours.ink(ink_on(ground)));
            }
            spots.iter().for_each(|_| line.extend([letter, ' ']));
        }
        line.push_str(self.colours.end());
    }

    /// Appends a line of two rows of squares, the upper ones as half blocks on the colour of the lower ones.
    fn halves(&self, upper: &[Spot], lower: Option<&[Spot]>, line: &mut String) {
        let mut last = None;
        for (column, &spot) in upper.iter().enumerate() {
            let below = lower.and_then(|lower| lower.get(column)).map(|&spot| self.colour(spot));
            let colours = (self.colour(spot), below);
            if last != Some(colours) {
                line.push_str(self.colours.end());
                line.push_str(&self.colours.ink(colours.0));
                if let Some(below) = below {
                    line.push_str(&self.colours.paper(below));
                }
                last = Some(colours);
            }
            line.push('▀');
        }
        line.push_str(self.colours.end());
    }

    fn colour(&self, spot: Spot) -> Rgb {
        /// The thief's colour, beside the police's in [`Colour::Start`].
        const THIEF: Rgb = [0x00, 0xd7, 0xff];
        match spot {
            Spot::Wall => Colour::Wall.rgb(),
            Spot::Exit => Colour::Exit.rgb(),
            Spot::Police | Spot::Both => Colour::Start.rgb(),
            Spot::Thief => THIEF,
            Spot::Open(value) => self.map.colour(value).rgb(),
        }
    }

    fn letter(&self, spot: Spot) -> char {
        match spot {
            Spot::Wall => '#',
            Spot::Exit => 'E',
            Spot::Police => 'P',
            Spot::Thief => 'T',
            Spot::Both => 'X',
            Spot::Open(value) => match (self.map.winner(value), value.dtw()) {
                (Some(side), Some(dtw)) => self.class_letter(side, dtw),
                _ => '=',
            },
        }
    }

    /// Returns the letter of a distance: small letters for the police, digits for the thief.
    fn class_letter(&self, winner: Side, dtw: Plies) -> char {
        let first = if winner == Side::Police { b'a' } else { b'1' };
        let class = self.classes[winner as usize].partition_point(|&(_, last)| last < dtw);
        char::from(first + class.min(usize::from(CLASSES) - 1) as u8)
    }

    /// Returns the legend: groups of pieces of a line.
    pub(super) fn legend(&self, spots: &[Spot]) -> Vec<Vec<Piece>> {
        let mut legend = Vec::new();
        for side in Side::BOTH {
            if self.map.distances(side).is_empty() {
                continue;
            }
            let mut pieces = vec![Piece::plain(format!("{side} wins, plies:"))];
            if self.colours == Colours::Plain {
                pieces.extend(self.classes(side));
            } else {
                for dtw in self.map.samples(side, SAMPLES) {
                    pieces.push(self.swatch(self.map.colour_of_win(side, dtw).rgb(), ' ', &dtw.to_string()));
                }
            }
            legend.push(pieces);
        }
        let draw = self.map.counts().draw > 0;
        let there = |spot: Spot| spots.contains(&spot);
        let signs = [
            (there(Spot::Police) || there(Spot::Both), Spot::Police, 'P', "police"),
            (there(Spot::Thief) || there(Spot::Both), Spot::Thief, 'T', "thief"),
            (there(Spot::Both), Spot::Both, 'X', "both"),
            (there(Spot::Exit), Spot::Exit, 'E', "exit"),
            (there(Spot::Wall), Spot::Wall, '#', "wall"),
            (draw, Spot::Open(Value::Draw), '=', "draw"),
        ];
        let signs = signs.into_iter().filter(|(there, ..)| *there).map(|(_, spot, letter, what)| {
            if self.colours == Colours::Plain {
                return Piece::plain(format!("{letter} {what}"));
            }
            let letter = if letter.is_ascii_alphabetic() { letter } else { ' ' };
            self.swatch(self.colour(spot), letter, what)
        });
        legend.push(signs.collect());
        legend
    }

    fn classes(&self, side: Side) -> impl Iterator<Item = Piece> {
        self.classes[side as usize].iter().map(move |&(first, last)| {
            let letter = self.class_letter(side, first);
            let range = if first == last { first.to_string() } else { format!("{first}-{last}") };
            Piece::plain(format!("{letter} {range}"))
        })
    }

    fn swatch(&self, ground: Rgb, letter: char, what: &str) -> Piece {
        let colours = self.colours;
        let (ink, paper, end) = (colours.ink(ink_on(ground)), colours.paper(ground), colours.end());
        Piece { text: format!("{paper}{ink}{letter} {end} {what}"), columns: 3 + what.chars().count() }
    }
}
