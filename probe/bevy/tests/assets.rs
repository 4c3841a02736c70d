//! An app without a window loads tables as assets.

#![allow(clippy::unwrap_used)]

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetPlugin, AssetServer, Assets, Handle, LoadState};
use dragnet_bevy::{DragnetPlugin, TableAsset};
use dragnet_probe::{Cell, Position, Side};
use std::{fs, path::Path};

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../formats/tests/golden");

/// Returns an app whose assets are in a folder, and the handle of one of them, which was loaded or refused.
fn loaded(folder: &Path, file: &'static str) -> (App, Handle<TableAsset>) {
    let mut app = App::new();
    let assets = AssetPlugin { file_path: folder.display().to_string(), ..AssetPlugin::default() };
    app.add_plugins((TaskPoolPlugin::default(), assets, DragnetPlugin));
    app.finish();
    app.cleanup();
    let handle = app.world().resource::<AssetServer>().load(file);
    loop {
        app.update();
        match app.world().resource::<AssetServer>().load_state(&handle) {
            LoadState::Loaded | LoadState::Failed(_) => return (app, handle),
            LoadState::NotLoaded | LoadState::Loading => std::thread::yield_now(),
        }
    }
}

/// Returns every position of the board of a golden table with the answer in its listing.
fn listed(name: &str) -> Vec<(Position, String)> {
    let text = fs::read_to_string(Path::new(GOLDEN).join(name).with_extension("txt")).unwrap();
    let values = text.split_once("\n-- Values").unwrap().1;
    let cell = |text: &str| {
        let (row, col) = text.split_once(',').unwrap();
        Cell::new(row.parse().unwrap(), col.parse().unwrap())
    };
    let columns = values.lines().find_map(|line| line.strip_prefix("cell ")).unwrap();
    let thieves: Vec<Cell> = columns.split_whitespace().map(cell).collect();
    let mut positions = Vec::new();
    for line in values.lines() {
        let Some((head, row)) = line.split_once(':') else { continue };
        let Some((turn, police)) = head.split_once('-') else { continue };
        let turn = if turn == "police" { Side::Police } else { Side::Thief };
        for (&thief, word) in thieves.iter().zip(row.split_whitespace()) {
            positions.push((Position::new(cell(police), thief, turn), word.to_owned()));
        }
    }
    positions
}

#[test]
fn every_value_of_a_loaded_table_is_the_listed_one() {
    for (file, count) in [("v2-size.dtb", 1352), ("v2-speed.dtb", 450)] {
        let (app, handle) = loaded(Path::new(GOLDEN), file);
        let table = app.world().resource::<Assets<TableAsset>>().get(&handle).unwrap();
        let positions = listed(file);
        assert_eq!(positions.len(), count);
        for (position, word) in positions {
            let value = table.value(position).unwrap();
            let winner = value.outcome(position.turn).to_string();
            let found = match value.dtw() {
                None => "D".to_owned(),
                Some(plies) => {
                    format!("{}{plies}", if winner == position.turn.to_string() { 'W' } else { 'L' })
                }
            };
            assert_eq!(found, word, "{file}, {position:?}");
        }
    }
}

#[test]
fn a_damaged_table_is_refused_with_its_reason() {
    let folder = std::env::temp_dir().join(format!("dragnet-bevy-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let mut bytes = fs::read(Path::new(GOLDEN).join("v2-size.dtb")).unwrap();
    bytes[60] ^= 1;
    fs::write(folder.join("damaged.dtb"), bytes).unwrap();
    let (app, handle) = loaded(&folder, "damaged.dtb");
    fs::remove_dir_all(&folder).unwrap();
    let LoadState::Failed(error) = app.world().resource::<AssetServer>().load_state(&handle) else {
        panic!("expected an error, found a table");
    };
    assert!(error.to_string().contains("checksum"), "{error}");
}
