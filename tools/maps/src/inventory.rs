//! Lists of what a map has, for messages about selectors that match nothing.

use super::model::{Map, UNNUMBERED};
use crate::error::shortened;
use std::collections::BTreeSet;

/// The most names of a list.
const SHOWN: usize = 12;

/// Returns the layers, properties, numbers, values and objects of a map, in one line.
pub(super) fn of(map: &Map) -> String {
    let layers =
        map.layers.iter().map(|layer| &layer.name).chain(map.objects.iter().map(|object| &object.layer));
    let values = || map.layers.iter().flat_map(|layer| layer.values.values());
    let properties = values()
        .map(|value| &value.properties)
        .chain(map.layers.iter().map(|layer| &layer.properties))
        .chain(map.objects.iter().map(|object| &object.properties))
        .flat_map(|properties| properties.keys().cloned());
    let objects = map.objects.iter().map(|object| match (object.name.as_str(), object.class.as_str()) {
        ("", class) => class.to_owned(),
        (name, "") => name.to_owned(),
        (name, class) => format!("{name} ({class})"),
    });
    [
        ("layers", listed(layers.cloned())),
        ("properties", listed(properties)),
        ("numbers", numbers(map)),
        ("values", listed(values().filter_map(|value| value.name.clone()))),
        ("objects", listed(objects)),
    ]
    .map(|(what, names)| format!("{what}: {names}"))
    .join("; ")
}

/// Returns the numbers in cells that are of the file, as ranges.
fn numbers(map: &Map) -> String {
    let numbers = map.layers.iter().flat_map(|layer| layer.cells.iter().copied());
    let numbers: BTreeSet<u32> = numbers.filter(|number| (1..UNNUMBERED).contains(number)).collect();
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let range = |&(first, last): &(u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    let mut shown: Vec<String> = ranges.iter().take(SHOWN).map(range).collect();
    match ranges.len() {
        0 => return "none".to_owned(),
        count if count > SHOWN => shown.push(format!("{} more", count - SHOWN)),
        _ => {}
    }
    shown.join(", ")
}

/// Returns different names in alphabetical order, as many as fit.
pub(super) fn listed(names: impl Iterator<Item = String>) -> String {
    let all: BTreeSet<String> = names.filter(|name| !name.is_empty()).collect();
    if all.is_empty() {
        return "none".to_owned();
    }
    let mut shown: Vec<String> = all.iter().take(SHOWN).map(|name| shortened(name)).collect();
    if all.len() > SHOWN {
        shown.push(format!("{} more", all.len() - SHOWN));
    }
    shown.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut_short() {
        assert_eq!(listed(["b", "a", "", "a"].into_iter().map(str::to_owned)), "a, b");
        assert_eq!(listed(std::iter::empty()), "none");
        let many = listed((0..20).map(|number| format!("{number:02}")));
        assert!(many.ends_with("10, 11, 8 more"), "{many}");
    }
}
