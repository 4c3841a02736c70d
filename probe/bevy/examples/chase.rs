//! Loads a table, and lets both sides play it to the end. It needs no window.
//!
//! ```sh
//! cargo run --example chase
//! ```

use bevy_app::{App, AppExit, ScheduleRunnerPlugin, Startup, TaskPoolPlugin, Update};
use bevy_asset::{AssetPlugin, AssetServer, Assets, Handle, LoadState};
use bevy_ecs::{
    message::MessageWriter,
    resource::Resource,
    system::{Commands, Res, ResMut},
};
use dragnet_bevy::{DragnetPlugin, TableAsset};
use dragnet_probe::{Cell, Position, Side};
use std::time::Duration;

/// The table, and the position of the game.
#[derive(Resource)]
struct Chase {
    table: Handle<TableAsset>,
    position: Position,
}

fn start(mut commands: Commands, server: Res<AssetServer>) {
    let position = Position::new(Cell::new(0, 8), Cell::new(0, 12), Side::Police);
    commands.insert_resource(Chase { table: server.load("v2-size.dtb"), position });
}

/// Makes one move in each frame, once the table is there.
fn play(
    mut chase: ResMut<Chase>,
    server: Res<AssetServer>,
    tables: Res<Assets<TableAsset>>,
    mut exit: MessageWriter<AppExit>,
) {
    if let LoadState::Failed(error) = server.load_state(&chase.table) {
        eprintln!("{error}");
        exit.write(AppExit::error());
    }
    let Some(table) = tables.get(&chase.table) else { return };
    match table.best_move(chase.position) {
        Ok(Some(best)) => {
            println!("{} to {}: {:?}", chase.position.turn, best.to, best.value);
            chase.position = best.position;
        }
        Ok(None) => {
            exit.write(AppExit::Success);
        }
        Err(error) => {
            eprintln!("{error}");
            exit.write(AppExit::error());
        }
    }
}

fn main() -> AppExit {
    // A game has its tables in its own folder `assets`.
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../../formats/tests/golden");
    App::new()
        .add_plugins((
            TaskPoolPlugin::default(),
            ScheduleRunnerPlugin::run_loop(Duration::from_millis(10)),
            AssetPlugin { file_path: tables.to_owned(), ..AssetPlugin::default() },
            DragnetPlugin,
        ))
        .add_systems(Startup, start)
        .add_systems(Update, play)
        .run()
}
