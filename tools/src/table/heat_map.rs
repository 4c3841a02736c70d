//! The values of a board's cells as colours: what pictures and terminals show alike.

use super::{
    places::values_at,
    portrait::{Colour, Shades},
};
use dragnet_formats::{
    cell::Side,
    header::Counts,
    value::{Plies, Value},
};
use dragnet_probe::{Position, ProbeError, Table};

/// The values of all cells for one piece, with the other pieces in their places.
pub(crate) struct HeatMap {
    /// The values of all squares as the piece's cell, in reading order; `None` where it has no place.
    values: Vec<Option<Value>>,
    turn: Side,
    /// The shades of the police's wins and of the thief's wins.
    shades: [Shades; 2],
}

impl HeatMap {
    /// Returns the map of the cells of the thief, or of a single officer, in one of the side's layers, which
    /// is there, and in the world of `position`, where the other side and the side to move are as there.
    ///
    /// # Errors
    /// When a piece of the other side stands on no place, or the table is damaged.
    pub(crate) fn of(
        table: &Table,
        side: Side,
        layer: usize,
        position: Position,
    ) -> Result<HeatMap, ProbeError> {
        let squares = usize::from(table.header().rows()) * usize::from(table.header().columns());
        let values = values_at(table, side, position)?.into_iter().skip(layer * squares).take(squares);
        Ok(HeatMap::new(values.collect(), position.turn))
    }

    fn new(values: Vec<Option<Value>>, turn: Side) -> HeatMap {
        let shades =
            |side, last| Shades::new(&values, last, |value| value.outcome(turn).winner() == Some(side));
        let shades =
            [shades(Side::Police, Colour::LATEST_CAPTURE), shades(Side::Thief, Colour::LATEST_ESCAPE)];
        HeatMap { values, turn, shades }
    }

    /// Returns the values of all squares, in reading order; `None` where the piece has no place.
    pub(crate) fn values(&self) -> &[Option<Value>] {
        &self.values
    }

    /// Returns the side that wins a position with this value, unless it is a draw.
    pub(crate) fn winner(&self, value: Value) -> Option<Side> {
        value.outcome(self.turn).winner()
    }

    /// Returns the distances of a side's wins, rising, each as often as it occurs.
    pub(crate) fn distances(&self, winner: Side) -> &[Plies] {
        self.shades[winner as usize].distances()
    }

    /// Returns some of the distances of a side's wins, at most `most` and the first and the last among them.
    pub(crate) fn samples(&self, winner: Side, most: usize) -> Vec<Plies> {
        let mut different = self.distances(winner).to_vec();
        different.dedup();
        if different.len() <= most || most < 2 {
            return different;
        }
        (0..most).map(|i| different[i * (different.len() - 1) / (most - 1)]).collect()
    }

    /// Returns the distances of a side's wins in at most `most` classes, rising: the first and the last
    /// distance of each. If there are no more distances than classes, each has its own; otherwise the classes
    /// are the shades of the colours, made coarse.
    pub(crate) fn classes(&self, winner: Side, most: u8) -> Vec<(Plies, Plies)> {
        let mut different = self.distances(winner).to_vec();
        different.dedup();
        let shades = &self.shades[winner as usize];
        let last = u32::from(shades.of(different.last().copied().unwrap_or(0)).max(1));
        let alone = different.len() <= usize::from(most);
        let class = |dtw: &Plies| {
            if alone { *dtw } else { u32::from(shades.of(*dtw)) * u32::from(most) / (last + 1) }
        };
        different.chunk_by(|a, b| class(a) == class(b)).map(|same| (same[0], same[same.len() - 1])).collect()
    }

    /// Returns the colour of a cell with this value.
    pub(crate) fn colour(&self, value: Value) -> Colour {
        match (self.winner(value), value.dtw()) {
            (Some(side), Some(dtw)) => self.colour_of_win(side, dtw),
            _ => Colour::Draw,
        }
    }

    /// Returns the colour of a win of `winner` in this many plies.
    pub(crate) fn colour_of_win(&self, winner: Side, dtw: Plies) -> Colour {
        let shade = self.shades[winner as usize].of(dtw);
        match winner {
            Side::Police => Colour::Capture(shade),
            Side::Thief => Colour::Escape(shade),
        }
    }

    /// Returns the number of cells with each outcome.
    pub(crate) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        self.values.iter().flatten().for_each(|value| counts.add(value.outcome(self.turn), 1));
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_hold_every_distance_once_and_are_few() {
        for (count, step) in [(1, 2), (9, 2), (10, 2), (57, 1), (4000, 2)] {
            let distances: Vec<Plies> = (0..count).map(|i| 1 + i * step).collect();
            let values: Vec<_> = distances.iter().flat_map(|&dtw| [Some(Value::Win(dtw)), None]).collect();
            let map = HeatMap::new(values, Side::Police);
            let classes = map.classes(Side::Police, 9);
            assert_eq!(classes.len(), distances.len().min(9), "{count}");
            for dtw in distances {
                let holding = classes.iter().filter(|(first, last)| (*first..=*last).contains(&dtw));
                assert_eq!(holding.count(), 1, "{dtw} of {count}");
            }
            assert!(map.classes(Side::Thief, 9).is_empty());
        }
    }

    #[test]
    fn samples_are_few_and_have_both_ends() {
        let values: Vec<_> = (0..40).map(|dtw| Some(Value::Loss(dtw))).collect();
        let map = HeatMap::new(values, Side::Police);
        let samples = map.samples(Side::Thief, 7);
        assert_eq!((samples.len(), samples[0], samples[6]), (7, 0, 39));
        assert_eq!(map.counts(), Counts { police: 0, thief: 40, draw: 0 });
    }
}
