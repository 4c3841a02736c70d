//! Loads Dragnet tables as assets of [Bevy](https://bevy.org): files `.dtb`, with the best move of either
//! side in every position of a pursuit game.
//!
//! Add [`DragnetPlugin`] after Bevy's `AssetPlugin`, and load a [`TableAsset`] by its path. The whole file is
//! read into memory. Blocks of tables that favour size are decompressed when they are asked for, and kept in
//! the cache that all tables of the process share.
//!
//! ```
//! use bevy_app::App;
//! use bevy_asset::{AssetPlugin, Assets};
//! use dragnet_bevy::{DragnetPlugin, TableAsset};
//!
//! let mut app = App::new();
//! app.add_plugins((bevy_app::TaskPoolPlugin::default(), AssetPlugin::default(), DragnetPlugin));
//! let tables = app.world().resource::<Assets<TableAsset>>();
//! assert!(tables.is_empty());
//! ```

use bevy_app::{App, Plugin};
use bevy_asset::{Asset, AssetApp, AssetLoader, LoadContext, io::Reader};
use bevy_reflect::TypePath;
use dragnet_probe::{Open, ProbeError, Table};
use std::ops::Deref;

/// A pursuit table as an asset. It answers all questions of [`Table`].
#[derive(Asset, TypePath, Debug)]
pub struct TableAsset(pub Table);

impl Deref for TableAsset {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.0
    }
}

/// An error of loading a table.
#[derive(thiserror::Error, Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be read.
    #[error("cannot read the table: {0}")]
    Read(#[from] std::io::Error),
    /// The bytes are not a whole pursuit table.
    #[error(transparent)]
    Table(#[from] ProbeError),
}

/// A loader of files `.dtb`.
#[derive(TypePath, Clone, Copy, Debug, Default)]
pub struct TableLoader;

impl AssetLoader for TableLoader {
    type Asset = TableAsset;
    type Settings = ();
    type Error = LoadError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _settings: &(),
        _context: &mut LoadContext<'_>,
    ) -> Result<TableAsset, LoadError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        Ok(TableAsset(Open::bytes(bytes).pursuit()?))
    }

    fn extensions(&self) -> &[&str] {
        &["dtb"]
    }
}

/// A plugin that lets an app load tables. It needs Bevy's `AssetPlugin`.
#[derive(Clone, Copy, Debug, Default)]
pub struct DragnetPlugin;

impl Plugin for DragnetPlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<TableAsset>().register_asset_loader(TableLoader);
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Page;
