//! The harnesses of maps of editors, one for each form.

use dragnet_formats::{
    board::{Scenario, text},
    guards::Guards,
};
use dragnet_maps::{MapError, MapForm, MapReading, MapSelectors, Selector, parse};
use std::path::Path;

/// The most bytes of an error message, beside a few copies of the map, of which it may quote names.
const LONGEST_MESSAGE: usize = 4_000;

/// Checks a map of Tiled in XML, whose tilesets and templates follow a byte 0.
///
/// # Panics
/// Panics if a promise is broken.
pub fn map_tmx(bytes: &[u8]) {
    map("tmx", bytes);
}

/// Checks a map of Tiled in JSON, whose tilesets and templates follow a byte 0.
///
/// # Panics
/// Panics if a promise is broken.
pub fn map_tmj(bytes: &[u8]) {
    map("tmj", bytes);
}

/// Checks an LDtk project, whose levels in other files follow a byte 0.
///
/// # Panics
/// Panics if a promise is broken.
pub fn map_ldtk(bytes: &[u8]) {
    map("ldtk", bytes);
}

/// Checks a PNG picture, as it is and with every checksum corrected.
///
/// # Panics
/// Panics if a promise is broken.
pub fn map_png(bytes: &[u8]) {
    map("png", bytes);
    map("png", &resealed(bytes));
}

/// Checks a map in CSV.
///
/// # Panics
/// Panics if a promise is broken.
pub fn map_csv(bytes: &[u8]) {
    map("csv", bytes);
}

/// Checks a scene of Godot, whose tile sets in other files follow a byte 0.
///
/// # Panics
/// Panics if a promise is broken.
pub fn map_tscn(bytes: &[u8]) {
    map("tscn", bytes);
}

/// Checks that any bytes are a short error in one line, or a board whose start cells are open and which comes
/// back from its text, with guards who can walk on it; by the conventions of maps, and without any wall.
fn map(ending: &str, bytes: &[u8]) {
    for conventions in [true, false] {
        match read(ending, bytes, conventions) {
            Ok(MapReading { scenario, guards, findings, .. }) => {
                assert!(findings.len() >= 5, "{findings:?}");
                usable(&scenario);
                assert!(Guards::new(guards, &scenario.board).is_ok(), "guards who cannot walk");
            }
            Err(error) => {
                // The program prints the message with each control character as a sign.
                let message = error.to_string();
                let longest = LONGEST_MESSAGE + 4 * bytes.len();
                assert!(!message.is_empty() && message.len() <= longest, "{message}");
            }
        }
    }
}

/// Reads a map from the bytes of a file with this ending, without touching a file. In a text, what follows
/// the first byte 0 is the content of every file that the map names. Without `conventions` nothing is a
/// wall.
fn read(ending: &str, bytes: &[u8], conventions: bool) -> Result<MapReading, MapError> {
    let split = bytes.iter().position(|&byte| byte == 0 && ending != "png");
    let (map, other) = split.map_or((bytes, &[][..]), |at| (&bytes[..at], &bytes[at + 1..]));
    let walls = if conventions { Vec::new() } else { vec![Selector::None] };
    let selectors = MapSelectors { walls, ..MapSelectors::default() };
    let form = MapForm::of(Path::new("map").with_extension(ending).as_path(), map)?.expect("a map's ending");
    parse(form, map, &selectors, &|_| Ok(other.to_vec()))
}

/// Returns the picture with a right checksum at the end of each part that is whole.
fn resealed(bytes: &[u8]) -> Vec<u8> {
    const SIGNATURE: usize = 8;
    let mut bytes = bytes.to_vec();
    let mut at = SIGNATURE;
    while let Some(length) =
        bytes.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map(u32::from_be_bytes)
    {
        let end = at + 8 + length as usize;
        let Some(part) = bytes.get(at + 4..end) else { break };
        let sum = crc32(part).to_be_bytes();
        let Some(place) = bytes.get_mut(end..end + 4) else { break };
        place.copy_from_slice(&sum);
        at = end + 4;
    }
    bytes
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _| if sum & 1 == 1 { sum >> 1 ^ 0xEDB8_8320 } else { sum >> 1 };
    !bytes.iter().fold(!0, |sum, &byte| (0..8).fold(sum ^ u32::from(byte), step))
}

fn usable(scenario: &Scenario) {
    let board = &scenario.board;
    assert!(scenario.police.is_sorted_by(|a, b| a < b), "police not in reading order");
    for &start in scenario.police.iter().chain(&scenario.thief) {
        assert_eq!(board.require_open(start), Ok(start));
    }
    if board.graph().is_none() {
        let written = text::write(scenario).expect("the board of a map can be written");
        assert_eq!(text::parse(written.as_bytes()).as_ref(), Ok(scenario));
    }
}
