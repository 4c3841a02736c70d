//! Which cells of a map have a letter of boards.

use super::{
    grid::Grid,
    matching::Matched,
    model::{Map, Meaning, Properties, property},
    roles::{Placed, place},
    selector::{MapSelectors, parse_letter},
    walls::named,
};
use crate::error::MapError;
use std::collections::{BTreeMap, BTreeSet};

/// The letters of a map.
pub(super) struct Letters {
    /// The letters of cells, by the index of the cell.
    pub(super) cells: BTreeMap<usize, char>,
    /// The cells of each letter that has some, or that a selector names.
    pub(super) placed: Vec<Placed>,
}

/// Finds the letters: those that are selected, and of all others the cells of what has the property `letter`,
/// or a letter as its value.
///
/// # Errors
/// When a selector matches nothing, a property `letter` is no letter of boards, or a cell has two of them.
pub(super) fn find(map: &Map, grid: Grid, selectors: &MapSelectors) -> Result<Letters, MapError> {
    let mut known: BTreeSet<char> = selectors.letter.keys().copied().collect();
    known.extend(conventional_letters(map, grid)?);
    // What a selector names is not what its value means by itself.
    let named = if map.has_meanings { named(map, selectors)? } else { BTreeSet::new() };
    let mut letters = Letters { cells: BTreeMap::new(), placed: Vec::new() };
    for letter in known {
        let given = selectors.letter.get(&letter).map(Vec::as_slice).unwrap_or_default();
        let is_it = |found: Option<&str>| found.is_some_and(|found| parse_letter(found) == Ok(letter));
        let conventional = || {
            Matched::values(map, |_, value| {
                value.meaning == Some(Meaning::Letter(letter)) || is_it(written(&value.properties))
            })
            .and(Matched::layers(map, |layer| is_it(written(&layer.properties))))
            .and(Matched::objects(map, |object| is_it(written(&object.properties))))
        };
        let mut found = place(map, grid, given, &format!("letter {letter}"), true, conventional)?;
        found.cells.retain(|index| found.is_given || !named.contains(index));
        for &index in &found.cells {
            let other = letters.cells.insert(index, letter).filter(|&other| other != letter);
            if let Some(other) = other {
                let cell = grid.cell(index);
                let message = format!("cell {cell}: expected one letter, found {other} and {letter}");
                return Err(MapError::unusable(message));
            }
        }
        found.by = format!("{letter}, {}", found.by);
        letters.placed.extend((found.is_given || !found.cells.is_empty()).then_some(found));
    }
    Ok(letters)
}

/// Returns the letter that properties give, as it is written.
fn written(properties: &Properties) -> Option<&str> {
    property(properties, "letter")
}

/// Returns the letters that values, layers and objects give to cells.
///
/// # Errors
/// With the cell, when one has a property `letter` that is none. What lies on no cell is not looked at.
fn conventional_letters(map: &Map, grid: Grid) -> Result<BTreeSet<char>, MapError> {
    let mut letters = BTreeSet::new();
    // Returns what is wrong with the letter that properties give, and else adds it.
    let mut add = |properties: &Properties| match parse_letter(written(properties)?) {
        Ok(letter) => {
            letters.insert(letter);
            None
        }
        Err(expected) => Some(expected),
    };
    let check = |wrong: Option<(usize, String)>| match wrong {
        Some((index, expected)) => {
            Err(MapError::unusable(format!("cell {}: letter: {expected}", grid.cell(index))))
        }
        None => Ok(()),
    };
    for layer in &map.layers {
        let filled = || {
            let cells = layer.cells.iter().enumerate().filter(|&(_, &number)| number != 0);
            cells.filter_map(|(index, number)| Some((grid.index_at(layer.grid.middle(index))?, number)))
        };
        if let Some(expected) = add(&layer.properties) {
            check(filled().next().map(|(index, _)| (index, expected)))?;
        }
        let values = layer.values.iter();
        let mut wrong: BTreeMap<u32, String> =
            values.filter_map(|(&number, value)| Some((number, add(&value.properties)?))).collect();
        if !wrong.is_empty() {
            check(filled().find_map(|(index, number)| Some((index, wrong.remove(number)?))))?;
        }
    }
    for object in &map.objects {
        if let Some(expected) = add(&object.properties) {
            check(grid.index_at(object.at).map(|index| (index, expected)))?;
        }
    }
    let meanings = map.layers.iter().flat_map(|layer| layer.values.values());
    letters.extend(meanings.filter_map(|value| match value.meaning {
        Some(Meaning::Letter(letter)) => Some(letter),
        _ => None,
    }));
    Ok(letters)
}
