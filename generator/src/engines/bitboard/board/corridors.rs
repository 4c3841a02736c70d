//! Boards of corridors: cells along a corridor stand side by side in words and in police tiles.
//!
//! In a corridor what is decided grows by a cell at its ends. Tiles of 8×8 squares cut a maze's corridors
//! into short pieces, so that in each level many words change and each looks at many others. A walk through
//! the maze leaves long pieces together.

use dragnet_formats::game::Places;

/// The most pairs of neighbours in row and column for 100 places. A maze has 100, or few more with some
/// loops, rooms have 150 and an open board 200.
const MOST_PAIRS: u64 = 125;

/// Rows and columns of the part of a board whose blocks are made from one sheet of codes. A word has cells of
/// two such parts or so, of twice as many if they have half the side, and its log is read for each.
pub(crate) const AREA: u16 = 32;

/// The most places: a sheet takes 32 MiB then.
const MOST_PLACES: usize = 1 << 15;

/// The number of a square that is no place.
const WALL: u32 = u32::MAX;

/// Returns the numbers of all places in the order of a walk in depth first over neighbours in row and column,
/// or `None` if the places are no corridors, too many, or all in one row, or there are several officers.
pub(crate) fn walk(places: &Places, officers: u8) -> Option<Vec<u32>> {
    let (width, count) = (usize::from(places.width()), places.count());
    if officers > 1
        || places.height() == 1
        || count > MOST_PLACES
        || places.neighbour_pairs() * 100 > MOST_PAIRS * count as u64
    {
        return None;
    }
    let mut numbers = vec![WALL; places.squares().len()];
    let mut squares = Vec::with_capacity(count);
    for (square, _) in places.squares().iter().enumerate().filter(|&(_, &is_place)| is_place) {
        numbers[square] = squares.len() as u32;
        squares.push(square);
    }
    let around = |place: u32| {
        let square = squares[place as usize];
        let col = square % width;
        let around = [
            square.checked_sub(width),
            (col > 0).then(|| square - 1),
            (col + 1 < width).then_some(square + 1),
            Some(square + width),
        ];
        let near = around.into_iter().flatten().filter_map(|square| numbers.get(square));
        near.copied().filter(|&near| near != WALL)
    };
    // A tree of each connected part, found in depth: the place from which each was found, and how many places
    // hang from it.
    let (mut order, mut from) = (Vec::with_capacity(count), vec![WALL; count]);
    let mut next = Vec::new();
    for first in 0..count as u32 {
        next.push((first, first));
        while let Some((place, before)) = next.pop() {
            if from[place as usize] == WALL {
                from[place as usize] = before;
                order.push(place);
                next.extend(
                    around(place).filter(|&near| from[near as usize] == WALL).map(|near| (near, place)),
                );
            }
        }
    }
    let mut sizes = vec![1u32; count];
    for &place in order.iter().rev().filter(|&&place| from[place as usize] != place) {
        sizes[from[place as usize] as usize] += sizes[place as usize];
    }
    // Short dead ends come first, so that they stand beside the place from which they branch off.
    let mut walk = Vec::with_capacity(count);
    let mut next = Vec::new();
    for &root in order.iter().filter(|&&place| from[place as usize] == place) {
        next.push(root);
        while let Some(place) = next.pop() {
            walk.push(place);
            let at = next.len();
            next.extend(around(place).filter(|&near| near != place && from[near as usize] == place));
            next[at..].sort_unstable_by_key(|&near| std::cmp::Reverse(sizes[near as usize]));
        }
    }
    Some(walk)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragnet_formats::board::make;

    #[test]
    fn a_walk_has_each_place_once_and_mostly_goes_on_beside_the_one_before() {
        let places = make::maze(41, 41, 0, 7).unwrap().places();
        let order = walk(&places, 1).unwrap();
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..places.count() as u32));
        let cells: Vec<_> = places.cells().collect();
        let steps = order.windows(2).filter(|pair| {
            let [a, b] = [pair[0], pair[1]].map(|place| cells[place as usize]);
            a.row.abs_diff(b.row) + a.col.abs_diff(b.col) == 1
        });
        assert!(steps.count() * 5 > order.len() * 4);
        for board in [make::open(9, 9), make::rooms(24, 24, 1), make::maze(1, 9, 0, 1)] {
            assert_eq!(walk(&board.unwrap().places(), 1), None);
        }
    }
}
