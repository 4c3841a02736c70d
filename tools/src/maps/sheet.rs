//! Maps in CSV: one field a cell, one line a row.

use super::{
    limits::Budget,
    markup::{quoted, utf8},
    model::{CellValue, Map, Meaning, UNNUMBERED, Values},
};
use crate::failure::Failure;
use csv::{ErrorKind, ReaderBuilder, StringRecord, Trim};
use dragnet_formats::board::Board;
use std::collections::{HashMap, HashSet};

/// The most different fields of a map. A table of measurements has more.
const MOST_VALUES: usize = 1 << 12;

/// Reads a map in CSV. The fields are separated by the first of comma, semicolon and tab that the first line
/// has.
///
/// # Errors
/// With line and field, when the rows differ in length, or no board has their size.
pub(super) fn read(bytes: &[u8]) -> Result<Map, Failure> {
    let text = utf8(bytes)?;
    let first = text.lines().next().unwrap_or_default();
    let separator = [b',', b';', b'\t'].into_iter().find(|&separator| first.contains(char::from(separator)));
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .delimiter(separator.unwrap_or(b','))
        .trim(Trim::All)
        .from_reader(text.as_bytes());
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let (mut cells, mut width, mut height) = (Vec::new(), 0, 0);
    let mut record = StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| not_csv(&error))? {
        width = record.len();
        height += 1;
        Board::check_size(height, width).map_err(|error| Failure::Input(error.into()))?;
        for field in &record {
            let next = number_of(field).unwrap_or(UNNUMBERED + numbers.len() as u32);
            cells.push(match numbers.get(field) {
                Some(&number) => number,
                None if numbers.len() == MOST_VALUES => {
                    return Err(Failure::input(format!(
                        "line {height}: expected at most {MOST_VALUES} different fields, found one more, {}",
                        quoted(field)
                    )));
                }
                None => *numbers.entry(field.to_owned()).or_insert(next),
            });
        }
    }
    if let Some(&empty) = numbers.get("") {
        drop_last_column(&mut cells, &mut width, empty);
    }
    Budget::new().take(height, width)?;
    let (cells, values) = described(cells, numbers);
    Ok(Map::of_cells("CSV map", "cells", [height, width], cells, values))
}

fn not_csv(error: &csv::Error) -> Failure {
    match error.kind() {
        ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let place = pos.as_ref().map_or_else(String::new, |pos| format!("line {}: ", pos.line()));
            Failure::input(format!("{place}expected {expected_len} fields as in line 1, found {len}"))
        }
        _ => Failure::input(format!("expected CSV: {error}")),
    }
}

/// Takes out the last column if it is empty and no other field is: some programs end each line with a
/// comma.
fn drop_last_column(cells: &mut Vec<u32>, width: &mut usize, empty: u32) {
    let is_last = |index: usize| (index + 1).is_multiple_of(*width);
    if *width > 1 && cells.iter().enumerate().all(|(index, &number)| (number == empty) == is_last(index)) {
        let mut index = 0;
        cells.retain(|_| {
            index += 1;
            index % *width != 0
        });
        *width -= 1;
    }
}

/// Returns the cells with 0 for those that are empty, and the descriptions of the others. Where a field is
/// -1, which Tiled writes for no tile, all other numbers are tiles.
fn described(mut cells: Vec<u32>, numbers: HashMap<String, u32>) -> (Vec<u32>, Values) {
    let of_tiled = numbers.contains_key("-1");
    let mut values = Values::new();
    let mut empty = HashSet::new();
    for (field, number) in numbers {
        if field.is_empty() || field == "-1" {
            empty.insert(number);
        } else {
            let meaning = meaning(&field, of_tiled);
            values.insert(number, CellValue { name: Some(field), meaning, ..CellValue::default() });
        }
    }
    for cell in &mut cells {
        if empty.contains(cell) {
            *cell = 0;
        }
    }
    (cells, values)
}

/// Returns the number that a field is, if it can stand in cells as it is.
fn number_of(field: &str) -> Option<u32> {
    let number: u32 = field.parse().ok()?;
    (0 < number && number < UNNUMBERED && number.to_string() == field).then_some(number)
}

/// Returns what a field means, if it means something by itself.
fn meaning(field: &str, of_tiled: bool) -> Option<Meaning> {
    if of_tiled && field.parse::<i64>().is_ok() {
        return Some(Meaning::Wall);
    }
    match field.to_lowercase().as_str() {
        "0" | "." | "open" | "floor" => Some(Meaning::Open),
        "1" | "#" | "*" | "wall" => Some(Meaning::Wall),
        "e" | "exit" => Some(Meaning::Exit),
        "p" | "police" => Some(Meaning::Police),
        "t" | "thief" => Some(Meaning::Thief),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str) -> Vec<Option<Meaning>> {
        let map = read(text.as_bytes()).unwrap();
        let layer = &map.layers[0];
        let meaning =
            |number: &u32| layer.values.get(number).map_or(Some(Meaning::Open), |value| value.meaning);
        layer.cells.iter().map(meaning).collect()
    }

    #[test]
    fn fields_have_their_meanings() {
        use Meaning::{Exit, Open, Police, Thief, Wall};
        assert_eq!(cells("0,1\n.,#\n"), [Some(Open), Some(Wall), Some(Open), Some(Wall)]);
        assert_eq!(cells("E;\"P\"\r\nthief; \r\n"), [Some(Exit), Some(Police), Some(Thief), Some(Open)]);
        assert_eq!(cells("-1,0\n7,-1"), [Some(Open), Some(Wall), Some(Wall), Some(Open)]);
        assert_eq!(cells("0,2"), [Some(Open), None]);
        assert_eq!(cells("0,1,\n1,0,\n").len(), 4);
        assert_eq!(cells("0,,\n1,0,\n").len(), 6);
    }

    #[test]
    fn rows_of_different_lengths_are_refused_with_their_line() {
        let message = |text: &str| read(text.as_bytes()).unwrap_err().text();
        assert_eq!(message("0,1\n0\n"), "line 2: expected 2 fields as in line 1, found 1");
        assert!(message("").contains("at least 1x1"));
        let many: String = (0..=MOST_VALUES).map(|number| format!("{number}x,")).collect();
        assert!(message(&many).starts_with("line 1: expected at most 4096 different fields"));
    }
}
