//! Letters of boards in maps of editors: what has the property `letter`, what a selector names, and what is
//! refused.

use super::support::run;
use std::{fs, path::Path};
use tempfile::TempDir;

/// Returns a map of Tiled in XML of 2x4 tiles of 8 pixels, with the tiles 1 (wall), 2 (letter m) and 3.
fn tmx(cells: &str, layer: &str, objects: &str) -> String {
    let property = |name: &str, value: &str| {
        format!("<properties><property name=\"{name}\" value=\"{value}\"/></properties>")
    };
    format!(
        "<map orientation=\"orthogonal\" width=\"4\" height=\"2\" tilewidth=\"8\" tileheight=\"8\">\n\
         <tileset firstgid=\"1\" name=\"t\"><tile id=\"0\">{}</tile><tile id=\"1\">{}</tile></tileset>\n\
         <layer name=\"Ground\" width=\"4\" height=\"2\">{layer}<data encoding=\"csv\">{cells}</data></layer>\n\
         <objectgroup name=\"Things\">{objects}</objectgroup></map>",
        property("solid", "true"),
        property("Letter", "m"),
    )
}

/// Returns an object of Tiled with the property `letter`.
fn lettered(letter: &str, place: &str) -> String {
    format!(
        "<object {place}><properties><property name=\"letter\" value=\"{letter}\"/></properties></object>"
    )
}

/// Returns a folder with a file.
fn folder_with(name: &str, text: impl AsRef<[u8]>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), text).unwrap();
    folder
}

fn text(at: &Path, line: &str) -> String {
    run(at, &format!("board {line} --to text")).done()
}

#[test]
fn property_letter_gives_cells_of_tiles_layers_and_objects_their_letter() {
    let area = lettered("A", "x=\"16\" y=\"0\" width=\"16\" height=\"8\"");
    let arrow = lettered("&lt;", "x=\"28\" y=\"12\"");
    let folder = folder_with("a.tmx", tmx("1,2,3,3,1,3,2,3", "", &(area + &arrow)));
    assert_eq!(text(folder.path(), "a.tmx"), "#mAA\n#.m<\n");
    let drawn = run(folder.path(), "board a.tmx").done();
    for line in ["letter  <, objects Things: 1,3\n", "letter  A, objects Things: 0,2 0,3\n"] {
        assert!(drawn.contains(line), "{drawn}");
    }
    assert!(drawn.contains("letter  m, layers Ground: 0,1 1,2\n"), "{drawn}");
    // All tiles of the layer that are there, in JSON.
    let tmj = "{\"orientation\": \"orthogonal\", \"width\": 3, \"height\": 1, \"tilewidth\": 8, \"tileheight\": 8,\n\
               \"layers\": [{\"type\": \"tilelayer\", \"name\": \"Walls\", \"width\": 3, \"height\": 1, \"data\": [1, 0, 0]},\n\
               {\"type\": \"tilelayer\", \"name\": \"Mud\", \"width\": 3, \"height\": 1, \"data\": [0, 5, 0],\n\
               \"properties\": [{\"name\": \"letter\", \"value\": \"m\"}]}]}";
    assert_eq!(text(folder_with("a.tmj", tmj).path(), "a.tmj"), "#m.\n");
}

/// Returns an LDtk project of 2x3 cells, with an integer grid, tiles that have tags, and an entity.
fn ldtk(grid: [u32; 6], tile: &str, field: &str) -> String {
    format!(
        "{{\"defs\": {{\"layers\": [{{\"uid\": 1, \"intGridValues\": [{{\"value\": 1, \"identifier\": \"walls\"}},\n\
         {{\"value\": 2, \"identifier\": \"m\"}}]}}], \"tilesets\": [{{\"uid\": 7, \"enumTags\": [\n\
         {{\"enumValueId\": \"A\", \"tileIds\": [3, 4]}}, {{\"enumValueId\": \"B\", \"tileIds\": [4]}}]}}]}},\n\
         \"levels\": [{{\"identifier\": \"L\", \"layerInstances\": [\n\
         {{\"__identifier\": \"Things\", \"__type\": \"Entities\", \"__cWid\": 3, \"__cHei\": 2, \"__gridSize\": 8,\n\
         \"layerDefUid\": 2, \"entityInstances\": [{{\"__identifier\": \"Chest\", \"px\": [16, 8], \"width\": 8,\n\
         \"height\": 8, \"fieldInstances\": [{field}]}}]}},\n\
         {{\"__identifier\": \"Ground\", \"__type\": \"Tiles\", \"__cWid\": 3, \"__cHei\": 2, \"__gridSize\": 8,\n\
         \"layerDefUid\": 3, \"__tilesetDefUid\": 7, \"gridTiles\": [{tile}]}},\n\
         {{\"__identifier\": \"Grid\", \"__type\": \"IntGrid\", \"__cWid\": 3, \"__cHei\": 2, \"__gridSize\": 8,\n\
         \"layerDefUid\": 1, \"intGridCsv\": {grid:?}}}]}}]}}"
    )
}

#[test]
fn values_tags_and_fields_of_ldtk_are_letters() {
    let chest = "{\"__identifier\": \"letter\", \"__value\": \"l\"}";
    let folder = folder_with("a.ldtk", ldtk([1, 2, 0, 1, 0, 0], "{\"px\": [16, 0], \"t\": 3}", chest));
    assert_eq!(text(folder.path(), "a.ldtk"), "#mA\n#.l\n");
    assert_eq!(text(folder.path(), "a.ldtk --letter m=none --letter l=value:m"), "#lA\n#..\n");
    let both = folder_with("a.ldtk", ldtk([1, 2, 0, 1, 0, 0], "{\"px\": [16, 0], \"t\": 4}", chest));
    run(both.path(), "board a.ldtk").failed(2, &["cell 0,2: letter: expected a letter", "found \"AB\""]);
}

#[test]
fn custom_data_and_metadata_of_godot_are_letters() {
    // Tiles 0:0 at 0,0, 0:1 at 1,0 and 1:0 at 2,0, behind two bytes of a version.
    let tile = |column: u8, atlas: [u8; 2]| [column, 0, 0, 0, 0, 0, atlas[0], 0, atlas[1], 0, 0, 0];
    let bytes: Vec<u8> =
        [0, 0].into_iter().chain([tile(0, [0, 0]), tile(1, [1, 0]), tile(2, [2, 0])].concat()).collect();
    let bytes: Vec<String> = bytes.iter().map(u8::to_string).collect();
    let scene = format!(
        "[gd_scene format=4]\n\
         [sub_resource type=\"TileSetAtlasSource\" id=\"s\"]\n\
         0:0/0/physics_layer_0/polygon_0/points = PackedVector2Array(-8, -8, 8, -8, 8, 8, -8, 8)\n\
         1:0/0/custom_data_0 = \"m\"\n\
         [sub_resource type=\"TileSet\" id=\"t\"]\n\
         custom_data_layer_0/name = \"letter\"\n\
         sources/0 = SubResource(\"s\")\n\
         [node name=\"Room\" type=\"Node2D\"]\n\
         [node name=\"Ground\" type=\"TileMapLayer\" parent=\".\"]\n\
         tile_map_data = PackedByteArray({})\n\
         tile_set = SubResource(\"t\")\n\
         [node name=\"Hatch\" type=\"Marker2D\" parent=\".\"]\n\
         position = Vector2(40, 8)\n\
         metadata/letter = \"A\"\n",
        bytes.join(", ")
    );
    assert_eq!(text(folder_with("a.tscn", scene).path(), "a.tscn"), "#mA\n");
}

#[test]
fn letters_of_pictures_are_selected_and_those_of_csv_are_themselves() {
    let mut picture = Vec::new();
    let mut encoder = png::Encoder::new(&mut picture, 3, 1);
    encoder.set_color(png::ColorType::Rgb);
    let pixels = [[0, 0, 0], [0x80, 0x40, 0], [255, 255, 255]];
    encoder.write_header().unwrap().write_image_data(pixels.as_flattened()).unwrap();
    let folder = folder_with("a.png", picture);
    let at = folder.path();
    assert_eq!(text(at, "a.png --letter m=colour:#804000"), "#m.\n");
    run(at, "board a.png").failed(2, &["found #804000", "--letter name other values"]);

    fs::write(at.join("a.csv"), "1,m,>\nE,v,p\nP,T,mud\n").unwrap();
    assert_eq!(text(at, "a.csv --letter A=value:mud"), "#m>\nEvp\nPTA\n");
    // What a selector names is not what the field means by itself.
    assert_eq!(text(at, "a.csv --walls value:m --exits value:v --letter A=value:mud"), ".#>\n.Ep\nPTA\n");
    let manifest = "out = \"t\"\n[rules.r]\nground = { m = 2, p = 2, A = 2 }\n[[boards]]\nfiles = \"a.csv\"\nrules = \"r\"\n\
                    letter = { A = [\"value:mud\"], \">\" = \"none\" }\n";
    fs::write(at.join("all.toml"), manifest).unwrap();
    run(at, "plan all.toml --quiet").done();
    run(at, "generate a.csv --letter A=value:mud --quiet")
        .failed(2, &["cell 0,1 has the letter 'm'; expected one that a rule explains"]);
}

#[test]
fn letters_that_cannot_be_are_refused_with_their_cell() {
    let at = |letter: &str| lettered(letter, "x=\"12\" y=\"4\"");
    let cases = [
        (tmx("1,3,3,3,1,3,3,3", "", &at("mud")), "cell 0,1: letter: expected a letter", "found \"mud\""),
        (tmx("1,3,3,3,1,3,3,3", "", &at("E")), "cell 0,1: letter: expected a letter", "found \"E\""),
        (tmx("1,2,3,3,1,3,3,3", "", &at("A")), "cell 0,1: expected one letter", "found A and m"),
        (tmx("3,1,3,3,1,3,3,3", "", &at("A")), "letter A: cell 0,1 is a wall", "expected an open cell"),
        (
            tmx("3,3,3,3,1,1,3,3", "<properties><property name=\"letter\" value=\"7\"/></properties>", ""),
            "cell 0,0: letter: expected a letter",
            "found \"7\"",
        ),
    ];
    for (map, place, found) in cases {
        run(folder_with("a.tmx", map).path(), "board a.tmx").failed(2, &["a.tmx: ", place, found]);
    }
    let folder = folder_with(
        "a.tmx",
        tmx("1,2,3,3,1,3,3,3", "", &at("m").replace("<object", "<object name=\"Exit\"")),
    );
    let at = folder.path();
    run(at, "board a.tmx")
        .failed(2, &["letter m: cell 0,1 has the letter 'm'; expected another cell for an exit"]);
    run(at, "board a.tmx --exits none --thief property:letter=m").failed(2, &["thief: "]);
    run(at, "board a.tmx --exits none --letter x=value:mud")
        .failed(2, &["letter x: value:mud matches nothing"]);
    run(at, "board a.tmx --letter E=tile:1").misused(&["--letter E=tile:1: expected a letter"]);
    run(at, "board a.tmx --letter m").misused(&["expected a letter, = and a selector"]);
    let wrong = "out = \"t\"\n[[boards]]\nfiles = \"a.tmx\"\nletter = { mud = \"tile:2\" }\n";
    fs::write(at.join("wrong.toml"), wrong).unwrap();
    run(at, "plan wrong.toml").failed(2, &["letter", "found \"mud\""]);
    // A start in a letter is left out, as one in a wall is.
    let map = tmx("1,3,3,3,1,3,2,3", "", "<object name=\"Player\" x=\"20\" y=\"12\"/>");
    let drawn = run(folder_with("a.tmx", map).path(), "board a.tmx").done();
    assert!(
        drawn.contains("thief   none, by objects Player; left out, on a wall, an exit or a letter: 1,2\n"),
        "{drawn}"
    );
}
