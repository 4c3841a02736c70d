//! The tilesets and templates of a Tiled map, which may be files of their own, and its objects with all that
//! they take from them.

use super::{
    json,
    places::Places,
    raw::{Template, TiledObject, Tileset, TilesetUse},
    tiles::{FLIPS, Picture, Tiles},
    xml,
};
use crate::{
    affine::Point,
    error::{MapError, quoted},
    limits::check_files,
    model::Object,
    named_files::{self, ReadFile},
};
use std::{collections::BTreeMap, rc::Rc};

/// The files that a map names, and the plane of the map.
pub(super) struct Files<'a> {
    read_file: &'a ReadFile<'a>,
    places: Places,
    /// The number of tilesets that have been read.
    tilesets: usize,
    /// Objects of templates, each with the tiles that it knows.
    templates: BTreeMap<String, Rc<(TiledObject, Tiles)>>,
}

impl Files<'_> {
    /// Returns the files, of which none has been read.
    pub(super) fn new<'a>(read_file: &'a ReadFile<'a>, places: Places) -> Files<'a> {
        Files { read_file, places, tilesets: 0, templates: BTreeMap::new() }
    }

    /// Returns the tiles of some tilesets.
    ///
    /// # Errors
    /// When a tileset cannot be read, or there are too many.
    pub(super) fn tiles(&mut self, uses: impl IntoIterator<Item = TilesetUse>) -> Result<Tiles, MapError> {
        let mut tiles = Tiles::new(Picture {
            size: self.places.tile,
            alignment: if self.places.is_isometric { [0.5, 1.0] } else { [0.0, 1.0] },
            offset: [0.0, 0.0],
            is_fitted: false,
        });
        for TilesetUse { first, source, tileset } in uses {
            let tileset = match &source {
                // Tiled has some tilesets within itself.
                Some(source) if !source.starts_with(":/") => self.tileset(source)?,
                _ => tileset,
            };
            tiles.add(first, tileset);
        }
        Ok(tiles)
    }

    fn tileset(&mut self, source: &str) -> Result<Tileset, MapError> {
        self.tilesets += 1;
        check_files(self.tilesets)?;
        let about = |error: MapError| error.about(format!("tileset {}", quoted(source)));
        let signs = ["<tileset", "\"tilewidth\""];
        let text = named_files::text(self.read_file, source, "a tileset of Tiled", &signs).map_err(about)?;
        if is_xml(&text) { xml::tileset(&text) } else { json::tileset(&text) }.map_err(about)
    }

    /// Returns the object of a template and the tiles that it knows; each file is read once.
    fn template(&mut self, source: String) -> Result<Rc<(TiledObject, Tiles)>, MapError> {
        if let Some(known) = self.templates.get(&source) {
            return Ok(Rc::clone(known));
        }
        check_files(self.templates.len() + 1)?;
        let about = |error: MapError| error.about(format!("template {}", quoted(&source)));
        let signs = ["<template", "\"template\""];
        let text =
            named_files::text(self.read_file, &source, "a template of Tiled", &signs).map_err(about)?;
        let read = if is_xml(&text) { xml::template(&text) } else { json::template(&text) };
        let Template { object, mut tileset } = read.map_err(about)?;
        if let Some(TilesetUse { source: Some(name), .. }) = &mut tileset
            && let Some((folder, _)) = source.rsplit_once(['/', '\\'])
            && !name.starts_with(['/', ':'])
        {
            // A template names its tileset as seen from its own folder.
            *name = format!("{folder}/{name}");
        }
        let tiles = self.tiles(tileset).map_err(about)?;
        let template = Rc::new((object, tiles));
        self.templates.insert(source, Rc::clone(&template));
        Ok(template)
    }

    /// Returns an object with what it takes from its template and from the tile that it shows. Its layer is
    /// moved by `offset`, in pixels of the screen.
    ///
    /// # Errors
    /// When its template cannot be read.
    pub(super) fn object(
        &mut self,
        mut object: TiledObject,
        tiles: &Tiles,
        offset: Point,
    ) -> Result<Object, MapError> {
        let template = object.template.take().map(|file| self.template(file)).transpose()?;
        let tile_of = |object: &TiledObject| object.tile.filter(|number| number & !FLIPS > 0);
        let mut tile = tile_of(&object).map(|number| (number, tiles));
        let mut class_of_template = None;
        if let Some((with, tiles)) = template.as_deref() {
            let theirs = tile_of(with).map(|number| (number, tiles));
            class_of_template = Some(&with.class).filter(|class| !class.is_empty()).cloned();
            class_of_template = class_of_template.or_else(|| class(theirs));
            tile = tile.or(theirs);
            object.complete(with);
        }
        if object.class.is_empty() {
            object.class = class_of_template.or_else(|| class(tile)).unwrap_or_default();
        }
        object.tile = tile.map(|(number, _)| number);
        let value = tile.and_then(|(number, tiles)| tiles.values.get(&(number & !FLIPS)));
        for (name, value) in value.into_iter().flat_map(|value| &value.properties) {
            object.properties.entry(name.clone()).or_insert_with(|| value.clone());
        }
        let picture = tile.map(|(number, tiles)| tiles.picture(number & !FLIPS));
        let (at, shape) = self.places.place(&object, picture.as_ref(), offset);
        Ok(Object {
            name: object.name,
            class: object.class,
            properties: object.properties,
            at,
            shape,
            is_tile: tile.is_some(),
            is_solid: value.is_some_and(|value| value.has_shape),
            ..Object::default()
        })
    }
}

/// Returns the class of a tile.
fn class(tile: Option<(u32, &Tiles)>) -> Option<String> {
    tile.and_then(|(number, tiles)| tiles.values.get(&(number & !FLIPS))?.name.clone())
}

/// Returns whether the text of a file is XML, not JSON.
fn is_xml(text: &str) -> bool {
    text.trim_start().starts_with('<')
}
