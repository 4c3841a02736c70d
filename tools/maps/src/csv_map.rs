//! Maps in CSV: one field a cell, one line a row.

use super::{
    limits::Budget,
    model::{CellValue, Map, Meaning, UNNUMBERED, Values},
    role_names::Role,
    selector::parse_letter,
};
use crate::error::{MapError, quoted};
use csv::{ErrorKind, ReaderBuilder, StringRecord, Trim};
use dragnet_formats::board::Board;
use std::collections::{HashMap, HashSet};

/// The most different fields of a map. A table of measurements has more.
const MOST_VALUES: usize = 1 << 12;

/// Reads a map in CSV. The fields are separated by what a first line `sep=` says, or else by the first of
/// comma, semicolon and tab that the first line has. A map without any has one column, and an empty line is a
/// cell.
///
/// # Errors
/// With line and field, when the rows differ in length, or no board has their size.
pub(super) fn read(text: &str) -> Result<Map, MapError> {
    let (named, text) = without_separator_line(text)?;
    let first_line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let separator = named.or_else(|| separator_of(first_line)).or_else(|| separator_of(text));
    let mut sheet = Sheet::default();
    match separator {
        Some(separator) => {
            let mut reader = ReaderBuilder::new()
                .has_headers(false)
                .delimiter(separator)
                .trim(Trim::All)
                .from_reader(text.as_bytes());
            let mut record = StringRecord::new();
            while reader.read_record(&mut record).map_err(|error| not_csv(&error))? {
                sheet.add_row(record.iter())?;
            }
        }
        None => {
            for line in text.lines() {
                sheet.add_row([line.trim().trim_matches('"').trim()])?;
            }
        }
    }
    let Sheet { numbers, mut cells, mut width, height } = sheet;
    if let Some(&empty) = numbers.get("") {
        drop_last_column(&mut cells, &mut width, empty);
    }
    Budget::new().take(height, width)?;
    let (cells, values) = described(cells, numbers);
    Ok(Map::of_cells("CSV map", "cells", [height, width], cells, values))
}

/// The cells that have been read.
#[derive(Default)]
struct Sheet {
    /// The number of each different field.
    numbers: HashMap<String, u32>,
    cells: Vec<u32>,
    width: usize,
    height: usize,
}

impl Sheet {
    fn add_row<'a>(&mut self, fields: impl IntoIterator<Item = &'a str>) -> Result<(), MapError> {
        let before = self.cells.len();
        for field in fields {
            let next = number_of(field).unwrap_or(UNNUMBERED + self.numbers.len() as u32);
            let number = match self.numbers.get(field) {
                Some(&number) => number,
                None if self.numbers.len() == MOST_VALUES => {
                    return Err(MapError::unusable(format!(
                        "line {}: expected at most {MOST_VALUES} different fields, found one more, {}",
                        self.height + 1,
                        quoted(field)
                    )));
                }
                None => *self.numbers.entry(field.to_owned()).or_insert(next),
            };
            self.cells.push(number);
        }
        self.width = self.cells.len() - before;
        self.height += 1;
        Board::check_size(self.height, self.width).map_err(MapError::unusable)?;
        Ok(())
    }
}

/// Returns the separator that a first line such as `sep=;` names, as Excel writes it, and the text behind it.
fn without_separator_line(text: &str) -> Result<(Option<u8>, &str), MapError> {
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    let line = line.trim_end_matches('\r').trim_matches('"');
    match line.get(..4) {
        Some(key) if key.eq_ignore_ascii_case("sep=") => match line.as_bytes()[4..] {
            [separator] if separator.is_ascii() && !separator.is_ascii_alphanumeric() => {
                Ok((Some(separator), rest))
            }
            _ => {
                let found = quoted(&line[4..]);
                Err(MapError::unusable(format!(
                    "line 1: sep=: expected a sign that separates fields, found {found}"
                )))
            }
        },
        _ => Ok((None, text)),
    }
}

/// Returns the first of comma, semicolon and tab that stands in a text outside of quotes.
fn separator_of(text: &str) -> Option<u8> {
    let outside: Vec<&str> = text.split('"').step_by(2).collect();
    [b',', b';', b'\t'].into_iter().find(|&sign| outside.iter().any(|part| part.contains(char::from(sign))))
}

fn not_csv(error: &csv::Error) -> MapError {
    match error.kind() {
        ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let place = pos.as_ref().map_or_else(String::new, |pos| format!("line {}: ", pos.line()));
            MapError::unusable(format!("{place}expected {expected_len} fields as in line 1, found {len}"))
        }
        _ => MapError::unusable(format!("expected CSV: {error}")),
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
    if let Ok(letter) = parse_letter(field) {
        return Some(Meaning::Letter(letter));
    }
    match field {
        "0" | "." => return Some(Meaning::Open),
        "1" | "#" | "*" => return Some(Meaning::Wall),
        "E" => return Some(Meaning::Exit),
        "P" => return Some(Meaning::Police),
        "T" => return Some(Meaning::Thief),
        _ => {}
    }
    match field.to_lowercase().as_str() {
        "open" | "floor" => Some(Meaning::Open),
        word => Role::of(word).map(|role| match role {
            Role::Walls => Meaning::Wall,
            Role::Exits => Meaning::Exit,
            Role::Police => Meaning::Police,
            Role::Thief => Meaning::Thief,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str) -> Vec<Option<Meaning>> {
        let map = read(text).unwrap();
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
        assert_eq!(cells("1,obstacle,Guard"), [Some(Wall), Some(Wall), Some(Police)]);
        assert_eq!(cells("0,1,\n1,0,\n").len(), 4);
        assert_eq!(cells("0,,\n1,0,\n").len(), 6);
    }

    #[test]
    fn separator_is_the_one_that_is_named_or_stands_outside_of_quotes() {
        use Meaning::{Open, Wall};
        for text in
            ["sep=;\n1;0\n", "\"sep=;\"\r\n1;0\r\n", "SEP=|\n1|0", "sep=\t\n1\t0\n", "1;0", "\"1\";\"0\""]
        {
            assert_eq!(cells(text), [Some(Wall), Some(Open)], "{text:?}");
        }
        assert_eq!(cells("\"a,b\";0"), [None, Some(Open)]);
        let message = |text: &str| read(text).unwrap_err().to_string();
        assert!(message("sep=;;\n1;0").starts_with("line 1: sep=: expected a sign"));
        assert_eq!(message("1\n1,0\n"), "line 2: expected 1 fields as in line 1, found 2");
    }

    #[test]
    fn empty_line_of_one_column_is_an_open_cell() {
        use Meaning::{Open, Wall};
        let map = read("0\r\n\r\n\"1\"\r\n").unwrap();
        assert_eq!((map.grid.height, map.grid.width), (3, 1));
        assert_eq!(cells("0\n\n1\n"), [Some(Open), Some(Open), Some(Wall)]);
    }

    #[test]
    fn rows_of_different_lengths_are_refused_with_their_line() {
        let message = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(message("0,1\n0\n"), "line 2: expected 2 fields as in line 1, found 1");
        assert!(message("").contains("at least 1x1"));
        let many: String = (0..=MOST_VALUES).map(|number| format!("{number}x,")).collect();
        assert!(message(&many).starts_with("line 1: expected at most 4096 different fields"));
    }
}
