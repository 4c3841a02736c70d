//! Maps that people have reported for other programs, and their siblings: objects as Tiled draws them, nodes
//! as Godot places them, and texts of all kinds.

use super::support::{Ran, run};
use std::{fmt::Write, fs, path::Path};
use tempfile::TempDir;

/// Runs a command on a case in the folder of cases.
fn on_case(line: &str) -> Ran {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/maps/cases"), line)
}

/// Returns the board of a map with this name and text.
fn board_of(name: &str, text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    board_in(&folder, name, text)
}

/// Returns the board of a map that is written into a folder.
fn board_in(folder: &TempDir, name: &str, text: &str) -> String {
    fs::write(folder.path().join(name), text).unwrap();
    run(folder.path(), &format!("board {name} --to text")).done()
}

#[test]
fn cases_are_the_boards_that_their_editors_show() {
    let cases = [
        ("tiled-align-topleft.tmx", "....\n....\n..E.\n....\n"),
        ("tiled-align-center.tmx", "....\n....\n..T.\n....\n"),
        ("tiled-rotated-rectangle.tmx", "....\n.E..\n.E..\n....\n"),
        ("tiled-rotated-tile.tmx", "....\n....\n..E.\n....\n"),
        ("tiled-ellipse.tmx", "....\n.E..\n....\n....\n"),
        ("tiled-polygon-exit.tmx", "....\n.EE.\n....\n....\n"),
        ("tiled-large-tile-exit.tmx", "EE..\nEE..\n....\n....\n"),
        ("tiled-tile-object-class.tmx", "....\n.E..\n..T.\n....\n"),
        ("tiled-tile-object-solid.tmx", "....\n.#..\n....\n....\n"),
        ("tiled-utf16.tmx", "####\n#..#\n##.#\n"),
        ("tiled-backslash/map.tmx", "####\n#..#\n##.#\n"),
        ("ldtk-stacked-tiles.ldtk", "####\n#..#\n##.#\n"),
        ("ldtk-integer-grid-tiles.ldtk", "####\n#..#\n##.#\n"),
        ("csv-sep-line.csv", "###\n..#\n"),
        ("csv-one-column.csv", ".\n.\n#\n"),
    ];
    for (case, board) in cases {
        assert_eq!(on_case(&format!("board {case} --to text")).done(), board, "{case}");
    }
    let hexagons = on_case("board tiled-hexagons-rectangle.tmx").done();
    assert!(hexagons.contains("exits   objects Exit: 0,0 0,1 0,2\n"), "{hexagons}");
    for (case, walls, thief) in [
        ("godot-scaled-layer.tscn", 28, "1,1"),
        ("godot-scaled-parent.tscn", 28, "1,1"),
        ("godot-plain-node.tscn", 28, "1,1"),
        ("godot-rounding.tscn", 28, "1,1"),
    ] {
        let board = on_case(&format!("board {case}")).done();
        let said = [
            "Godot scene of 8x8 cells".to_owned(),
            format!("walls   tiles with a collision shape: {walls} cells\n"),
            format!("thief   objects Player: {thief}\n"),
        ];
        assert!(said.iter().all(|line| board.contains(line)), "{case}: {board}");
        if case.contains("scaled") {
            assert!(board.contains("exits   objects Exit: 6,2\n"), "{case}: {board}");
        }
    }
    on_case("board tiled-two-roots.tmx").failed(
        2,
        &["tiled-two-roots.tmx: line 14, column 1: expected the end of the file behind the element, found more"],
    );
}

/// Returns a map in XML of 8x8 tiles of 16 pixels, with an open ground and objects.
fn tmx(tileset: &str, objects: &str) -> String {
    format!(
        "<map orientation=\"orthogonal\" width=\"8\" height=\"8\" tilewidth=\"16\" tileheight=\"16\">\n\
         <tileset firstgid=\"1\" name=\"t\" tilewidth=\"16\" tileheight=\"16\" {tileset}>\n\
         <tile id=\"0\" type=\"wall\"/></tileset>\n\
         <layer name=\"Ground\" width=\"8\" height=\"8\"><data encoding=\"csv\">{}</data></layer>\n\
         <objectgroup name=\"Things\">{objects}</objectgroup></map>",
        ["2"; 64].join(",")
    )
}

/// Returns the same map in JSON.
fn tmj(tileset: &str, objects: &str) -> String {
    format!(
        "{{\"orientation\": \"orthogonal\", \"width\": 8, \"height\": 8, \"tilewidth\": 16, \"tileheight\": 16,\n\
         \"tilesets\": [{{\"firstgid\": 1, \"tilewidth\": 16, \"tileheight\": 16, {tileset}\n\
         \"tiles\": [{{\"id\": 0, \"type\": \"wall\"}}]}}], \"layers\": [\n\
         {{\"type\": \"tilelayer\", \"name\": \"Ground\", \"width\": 8, \"height\": 8, \"data\": [{}]}},\n\
         {{\"type\": \"objectgroup\", \"name\": \"Things\", \"objects\": [{objects}]}}]}}",
        ["2"; 64].join(",")
    )
}

/// Returns the board of 8x8 cells with exits where `is_exit` says so of row and column.
fn exits(is_exit: impl Fn(usize, usize) -> bool) -> String {
    let row = |row| (0..8).map(|column| if is_exit(row, column) { 'E' } else { '.' }).collect::<String>();
    (0..8).map(|line| row(line) + "\n").collect()
}

#[test]
fn tile_lies_as_its_alignment_and_rotation_say() {
    let alignments = [
        ("unspecified", [0, 24]),
        ("topleft", [0, 0]),
        ("top", [20, 0]),
        ("topright", [40, 0]),
        ("left", [0, 12]),
        ("center", [20, 12]),
        ("right", [40, 12]),
        ("bottomleft", [0, 24]),
        ("bottom", [20, 24]),
        ("bottomright", [40, 24]),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (alignment, [left, top]) in alignments {
        for rotation in [0, 90, 180, 270] {
            // The corners of the tile, turned around its position.
            let turned = |[x, y]: [i32; 2]| match rotation {
                0 => [x, y],
                90 => [-y, x],
                180 => [-x, -y],
                _ => [y, -x],
            };
            let corners = [turned([-left, -top]), turned([40 - left, 24 - top])];
            let is_within = |axis: usize, cell: usize| {
                let middle = 16 * cell as i32 + 8 - 64;
                let [from, to] = [0, 1].map(|corner: usize| corners[corner][axis]);
                (from.min(to)..from.max(to)).contains(&middle)
            };
            let expected = exits(|row, column| is_within(0, column) && is_within(1, row));
            let object = "name=\"Exit\" gid=\"3\" x=\"64\" y=\"64\" width=\"40\" height=\"24\"";
            let object = format!("<object {object} rotation=\"{rotation}\"/>");
            let map = tmx(&format!("objectalignment=\"{alignment}\""), &object);
            assert_eq!(board_in(&folder, "a.tmx", &map), expected, "{alignment} {rotation}");
            let object =
                "\"name\": \"Exit\", \"gid\": 3, \"x\": 64, \"y\": 64, \"width\": 40, \"height\": 24";
            let object = format!("{{{object}, \"rotation\": {rotation}}}");
            let map = tmj(&format!("\"objectalignment\": \"{alignment}\","), &object);
            assert_eq!(board_in(&folder, "a.tmj", &map), expected, "{alignment} {rotation} in JSON");
        }
    }
}

#[test]
fn shape_of_an_object_covers_the_middles_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let cells = |cells: &'static [[usize; 2]]| exits(|row, column| cells.contains(&[row, column]));
    // Attributes of the object, its kind in XML, both in JSON, and the cells.
    type Case = (&'static str, &'static str, &'static str, &'static [[usize; 2]]);
    let cases: [Case; 11] = [
        ("x='16' y='16' width='40' height='16'", "", "\"width\": 40, \"height\": 16", &[[1, 1], [1, 2]]),
        // A square on a corner, whose middle is 22.6 pixels below it, at 20,40.6.
        (
            "x='20' y='18' width='32' height='32' rotation='45'",
            "",
            "\"width\": 32, \"height\": 32, \"rotation\": 45",
            &[[1, 1], [2, 0], [2, 1], [2, 2], [3, 1]],
        ),
        (
            "x='16' y='16' width='48' height='48'",
            "<ellipse/>",
            "\"width\": 48, \"height\": 48, \"ellipse\": true",
            &[[1, 1], [1, 2], [1, 3], [2, 1], [2, 2], [2, 3], [3, 1], [3, 2], [3, 3]],
        ),
        (
            "x='18' y='18' width='44' height='44'",
            "<ellipse/>",
            "\"width\": 44, \"height\": 44, \"ellipse\": true",
            &[[1, 2], [2, 1], [2, 2], [2, 3], [3, 2]],
        ),
        (
            "x='16' y='16' width='32' height='16' rotation='90'",
            "<ellipse/>",
            "\"width\": 32, \"height\": 16, \"rotation\": 90, \"ellipse\": true",
            &[[1, 0], [2, 0]],
        ),
        (
            "x='18' y='18' width='76' height='44'",
            "<capsule/>",
            "\"width\": 76, \"height\": 44, \"capsule\": true",
            &[[1, 2], [1, 3], [1, 4], [2, 1], [2, 2], [2, 3], [2, 4], [2, 5], [3, 2], [3, 3], [3, 4]],
        ),
        // A corner of three cells, whose middle is none of them.
        (
            "x='16' y='16'",
            "<polygon points='0,0 32,0 32,16 16,16 16,32 0,32'/>",
            "\"polygon\": [{\"x\": 0, \"y\": 0}, {\"x\": 32, \"y\": 0}, {\"x\": 32, \"y\": 16}, {\"x\": 16, \"y\": 16}, \
             {\"x\": 16, \"y\": 32}, {\"x\": 0, \"y\": 32}]",
            &[[1, 1], [1, 2], [2, 1]],
        ),
        (
            "x='24' y='24'",
            "<polyline points='0,0 0,32 16,32'/>",
            "\"polyline\": [{\"x\": 0, \"y\": 0}, {\"x\": 0, \"y\": 32}, {\"x\": 16, \"y\": 32}]",
            &[[1, 1], [2, 1], [3, 1], [3, 2]],
        ),
        ("x='24' y='24' rotation='30'", "<point/>", "\"point\": true, \"rotation\": 30", &[[1, 1]]),
        (
            "x='16' y='16' width='32' height='16'",
            "<text>way out</text>",
            "\"width\": 32, \"height\": 16, \"text\": {\"text\": \"way out\"}",
            &[[1, 1], [1, 2]],
        ),
        // The middle of no cell: the cell of its own middle.
        ("x='26' y='16' width='4' height='48'", "", "\"width\": 4, \"height\": 48", &[[2, 1]]),
    ];
    for (attributes, kind, json, expected) in cases {
        let expected = cells(expected);
        let map = tmx("", &format!("<object name='Exit' {attributes}>{kind}</object>"));
        assert_eq!(board_in(&folder, "a.tmx", &map), expected, "{attributes} {kind}");
        let place = |name: &str| {
            let text = attributes.split_once(&format!("{name}='")).unwrap().1;
            text.split('\'').next().unwrap().to_owned()
        };
        let json = format!("{{\"name\": \"Exit\", \"x\": {}, \"y\": {}, {json}}}", place("x"), place("y"));
        assert_eq!(board_in(&folder, "a.tmj", &tmj("", &json)), expected, "{json}");
    }
}

#[test]
fn flips_and_offsets_of_a_tile_move_its_picture() {
    let tile = |tileset: &str, offset: &str, gid: u32, size: &str| {
        let object = format!("<object name='Exit' gid='{gid}' x='32' y='64' {size}/>");
        let inner = format!("{tileset}><tileoffset {offset}/><tile id='9'/");
        board_of("a.tmx", &tmx(&inner, &object))
    };
    let upright = exits(|row, column| (2..4).contains(&row) && column == 2);
    assert_eq!(tile("", "x='0' y='0'", 3, "width='16' height='32'"), upright);
    // Mirrored pictures lie where the others do; one that is turned lies on its side.
    assert_eq!(tile("", "x='0' y='0'", 3 | 0xC000_0000, "width='16' height='32'"), upright);
    let lying = exits(|row, column| row == 3 && (2..4).contains(&column));
    assert_eq!(tile("", "x='0' y='0'", 3 | 0x2000_0000, "width='16' height='32'"), lying);
    // The offset grows with the picture.
    let moved = exits(|row, column| (2..4).contains(&row) && (4..6).contains(&column));
    assert_eq!(tile("", "x='16' y='0'", 3, "width='32' height='32'"), moved);
    assert_eq!(tile("", "x='0' y='0'", 3, ""), exits(|row, column| (row, column) == (3, 2)));
    // A picture that keeps its proportions fills the middle.
    let fitted = exits(|row, column| row == 3 && column == 3);
    assert_eq!(tile("fillmode='preserve-aspect-fit'", "x='0' y='0'", 3, "width='48' height='16'"), fitted);
}

#[test]
fn start_on_a_shape_is_a_cell_of_it() {
    let corner =
        "<object name='Player' x='16' y='16'><polygon points='0,0 80,0 80,16 16,16 16,80 0,80'/></object>";
    let map = tmx("", corner);
    assert!(board_of("a.tmx", &map).lines().nth(3).unwrap().starts_with(".T"), "{}", board_of("a.tmx", &map));
    let line = "<object name='Player' x='24' y='24'><polyline points='0,0 64,0 64,64'/></object>";
    assert_eq!(board_of("a.tmx", &tmx("", line)).lines().nth(1), Some(".....T.."));
}

#[test]
fn object_is_moved_with_its_layer() {
    let inner = "</objectgroup><group offsetx='16' offsety='8'><objectgroup offsetx='16' offsety='8' name='More'>\
                 <object name='Exit' x='8' y='8'><point/></object></objectgroup></group><objectgroup>";
    assert_eq!(board_of("a.tmx", &tmx("", inner)), exits(|row, column| (row, column) == (1, 2)));
    let inner = inner.replace("<group ", "<group parallaxx='0.5' ");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.tmx"), tmx("", &inner)).unwrap();
    let said = run(folder.path(), "board a.tmx").done();
    assert!(said.contains("note    layer More moves otherwise than the camera"), "{said}");
}

#[test]
fn isometric_maps_are_read_in_the_plane_of_their_tiles() {
    let map = |layer: &str, objects: &str| {
        format!(
            "<map orientation='isometric' width='6' height='6' tilewidth='64' tileheight='32'>\
             <tileset firstgid='1' tilewidth='64' tileheight='32'><tile id='0' type='wall'/></tileset>\
             <layer name='Ground' width='6' height='6'><data encoding='csv'>{}</data></layer>\
             <objectgroup name='Things' {layer}>{objects}</objectgroup></map>",
            ["2"; 36].join(",")
        )
    };
    let exits = |cells: &[[usize; 2]]| -> String {
        let row = |row| (0..6).map(|column| if cells.contains(&[row, column]) { 'E' } else { '.' }).collect();
        (0..6)
            .map(|line| {
                let row: String = row(line);
                row + "\n"
            })
            .collect()
    };
    let of = |layer: &str, objects: &str| board_of("a.tmx", &map(layer, objects));
    // Pixels of objects are counted by the height of tiles along both axes.
    assert_eq!(
        of("", "<object name='Exit' x='32' y='64' width='64' height='32'/>"),
        exits(&[[2, 1], [2, 2]])
    );
    // A picture stands with the middle of its lower side on the lower corner of its cell; one of twice the
    // size stands on four.
    assert_eq!(
        of("", "<object name='Exit' gid='2' x='96' y='96' width='64' height='96'/>"),
        exits(&[[2, 2]])
    );
    let large = "<object name='Exit' gid='2' x='96' y='96' width='128' height='64'/>";
    assert_eq!(of("", large), exits(&[[1, 1], [1, 2], [2, 1], [2, 2]]));
    // Layers are moved on the screen: half a tile to the right and down is one column.
    let point = "<object name='Exit' x='16' y='16'><point/></object>";
    assert_eq!(of("offsetx='32' offsety='16'", point), exits(&[[0, 1]]));
    // Turned on the screen by a half around its upper corner.
    let turned = "<object name='Exit' x='96' y='96' width='64' height='32' rotation='180'/>";
    assert_eq!(of("", turned), exits(&[[2, 1], [2, 2]]));
}

#[test]
fn hexagons_are_covered_by_their_middles() {
    let map = |axis: &str, index: &str, object: &str| {
        format!(
            "<map orientation='hexagonal' width='4' height='4' tilewidth='28' tileheight='28' hexsidelength='12' \
             staggeraxis='{axis}' staggerindex='{index}'><layer name='Walls' width='4' height='4'>\
             <data encoding='csv'>{}</data></layer><objectgroup>{object}</objectgroup></map>",
            ["0"; 16].join(",")
        )
    };
    let exits = |axis: &str, index: &str, object: &str| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.tmx"), map(axis, index, object)).unwrap();
        let said = run(folder.path(), "board a.tmx").done();
        said.lines().find_map(|line| line.strip_prefix("exits   objects Exit: ")).unwrap().to_owned()
    };
    let band = "<object name='Exit' x='0' y='24' width='120' height='20'/>";
    assert_eq!(exits("y", "odd", band), "1,0 1,1 1,2 1,3");
    let upright = "<object name='Exit' x='24' y='0' width='20' height='120'/>";
    assert_eq!(exits("x", "odd", upright), "0,1 1,1 2,1 3,1");
    let corner = "<object name='Exit' x='0' y='0' width='30' height='40'/>";
    assert_eq!(exits("y", "odd", corner), "0,0 1,0");
    assert_eq!(exits("y", "even", corner), "0,0 1,0");
    assert_eq!(exits("x", "even", corner), "0,0");
    let round = "<object name='Exit' x='8' y='8' width='60' height='52'><ellipse/></object>";
    assert_eq!(exits("y", "odd", round), "0,1 1,0 1,1 2,1");
}

#[test]
fn object_takes_from_its_template_and_from_its_tile() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("parts")).unwrap();
    let set = "<tileset tilewidth='16' tileheight='16' objectalignment='topleft'><tile id='0' type='exit'>\
               <properties><property name='solid' value='true'/></properties></tile></tileset>";
    fs::write(at.join("parts/doors.tsx"), set).unwrap();
    let template = "<template><tileset firstgid='1' source='doors.tsx'/><object gid='1' width='32' height='16'/></template>";
    fs::write(at.join("parts/door.tx"), template).unwrap();
    let json = "{\"type\": \"template\", \"tileset\": {\"firstgid\": 1, \"source\": \"doors.tsx\"}, \
                \"object\": {\"gid\": 1, \"width\": 32, \"height\": 16}}";
    fs::write(at.join("parts/door.tj"), json).unwrap();
    // The template's tile is an exit, which is aligned as its own tileset says; the map's tile 1 is a wall.
    for name in ["parts/door.tx", "parts\\door.tx", "parts/door.tj"] {
        let object = format!("<object template='{name}' x='16' y='32'/>");
        let board = board_in(&folder, "a.tmx", &tmx("", &object));
        assert_eq!(board, exits(|row, column| row == 2 && (1..3).contains(&column)), "{name}");
    }
    // What the object says itself counts more: its class, its size, its turn and its properties.
    let own = "<object template='parts/door.tx' type='player' x='32' y='48' width='16' height='16' rotation='90'>\
               <properties><property name='solid' value='false'/></properties></object>";
    let board = board_in(&folder, "a.tmx", &tmx("", own));
    assert_eq!(board.lines().nth(3), Some(".T......"), "{board}");
    // A class of the tile is that of its objects, if they have none, but does not prevail over their name.
    let named = "<object gid='1' x='16' y='32'/><object gid='1' x='48' y='32' type='decoration'/>\
                 <object name='Player' gid='3' x='80' y='32'/>";
    let board = board_in(&folder, "a.tmx", &tmx("", named));
    assert_eq!(board.lines().nth(1), Some(".#...T.."), "{board}");
}

#[test]
fn unused_tile_decides_what_is_a_wall_in_every_map() {
    let layer = |cells: &str| {
        format!(
            "<map orientation='orthogonal' width='3' height='1' tilewidth='8' tileheight='8'>\
             <tileset firstgid='1'><tile id='0'><properties><property name='solid' value='true'/></properties></tile>\
             </tileset><layer name='Collisions' width='3' height='1'><data encoding='csv'>{cells}</data></layer></map>"
        )
    };
    assert_eq!(board_of("a.tmx", &layer("1,2,0")), "#..\n");
    assert_eq!(board_of("a.tmx", &layer("2,2,0")), "...\n");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.tmx"), layer("2,2,0")).unwrap();
    let said = run(folder.path(), "board a.tmx").done();
    let note =
        "note    not layers called walls, collisions, solids or obstacles, with 2 cells: --walls names them";
    assert!(said.contains("walls   tiles with the property collides or solid: 0 cells\n"), "{said}");
    assert!(said.contains(note), "{said}");
    // In all levels of a project.
    let level = |name: &str, cells: &str| {
        format!(
            "{{\"identifier\": \"{name}\", \"layerInstances\": [{{\"__identifier\": \"Collisions\", \"__type\": \
             \"IntGrid\", \"__cWid\": 3, \"__cHei\": 1, \"__gridSize\": 8, \"layerDefUid\": 1, \
             \"intGridCsv\": [{cells}]}}]}}"
        )
    };
    let project = format!(
        "{{\"jsonVersion\": \"1.5.3\", \"defs\": {{\"layers\": [{{\"uid\": 1, \"intGridValues\": [\
         {{\"value\": 1, \"identifier\": \"walls\"}}, {{\"value\": 2, \"identifier\": \"grass\"}}]}}]}}, \
         \"levels\": [{}, {}]}}",
        level("A", "1,2,0"),
        level("B", "2,2,0")
    );
    fs::write(folder.path().join("p.ldtk"), project).unwrap();
    let board =
        |level: &str| run(folder.path(), &format!("board p.ldtk --map-level {level} --to text")).done();
    assert_eq!((board("A"), board("B")), ("#..\n".to_owned(), "...\n".to_owned()));
    // A scene whose tile set has a collision shape, of which it uses no tile.
    let scene = fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/maps/cases/godot-plain-node.tscn"),
    );
    let cells = "tile_map_data = PackedByteArray(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)";
    let scene: String = (scene.unwrap().lines())
        .map(|line| if line.starts_with("tile_map_data") { cells.to_owned() } else { line.to_owned() } + "\n")
        .collect();
    fs::write(folder.path().join("s.tscn"), scene).unwrap();
    let said = run(folder.path(), "board s.tscn").done();
    assert!(said.contains("walls   tiles with a collision shape: 0 cells\n"), "{said}");
}

/// Returns a scene with these nodes, whose tile set has an open tile and a wall.
fn scene(nodes: &str) -> String {
    format!(
        "[gd_scene format=4]\n[sub_resource type=\"TileSetAtlasSource\" id=\"A\"]\n0:0/0 = 0\n1:0/0 = 0\n\
         1:0/0/physics_layer_0/polygon_0/points = PackedVector2Array(0, 0)\n\
         [sub_resource type=\"TileSet\" id=\"T\"]\nsources/0 = SubResource(\"A\")\n[node name=\"Level\" type=\"Node2D\"]\n\
         {nodes}"
    )
}

/// Returns a layer with cells of `[column, row, column in the atlas]`.
fn layer(name: &str, parent: &str, properties: &str, cells: &[[u8; 3]]) -> String {
    let mut bytes = "0, 0".to_owned();
    for [column, row, tile] in cells {
        let _ = write!(bytes, ", {column}, 0, {row}, 0, 0, 0, {tile}, 0, 0, 0, 0, 0");
    }
    format!(
        "[node name=\"{name}\" type=\"TileMapLayer\" parent=\"{parent}\"]\n{properties}\n\
         tile_set = SubResource(\"T\")\ntile_map_data = PackedByteArray({bytes})\n"
    )
}

/// The cells of a layer of 3x2 open tiles.
const FLOOR: [[u8; 3]; 6] = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0], [1, 1, 0], [2, 1, 0]];

#[test]
fn layers_of_a_scene_lie_where_their_transforms_take_them() {
    let floor = layer("Floor", ".", "", &FLOOR);
    let cases = [
        // Turned by a quarter around the corner of the board: row 1, column 0 becomes row 0, column 1.
        ("rotation = 1.5707964\nposition = Vector2(48, 0)", [0, 1], "..#\n...\n"),
        ("scale = Vector2(-1, 1)\nposition = Vector2(48, 0)", [0, 1], "...\n..#\n"),
        ("position = Vector2(15.9999, 0.0001)", [0, 1], "...\n.#.\n"),
        ("transform = Transform2D(1, 0, 0, 1, 32, 0)", [0, 0], "..#\n...\n"),
    ];
    for (properties, [column, row], board) in cases {
        let walls = layer("Rocks", ".", properties, &[[column, row, 1]]);
        let row_of_turned = if properties.starts_with("rotation") { [1, 0] } else { [column, row] };
        let walls = match properties.starts_with("rotation") {
            true => layer("Rocks", ".", properties, &[[row_of_turned[0] - 1, row_of_turned[1], 1]]),
            false => walls,
        };
        assert_eq!(board_of("a.tscn", &scene(&(floor.clone() + &walls))), board, "{properties}");
    }
    // Half as large and on every second cell of its own it covers no cell of the board.
    let folder = tempfile::tempdir().unwrap();
    let small = layer("Rocks", ".", "scale = Vector2(0.5, 0.5)", &[[0, 0, 1]]);
    let walls = layer("Walls", ".", "", &[[1, 0, 1]]);
    fs::write(folder.path().join("a.tscn"), scene(&(floor.clone() + &walls + &small))).unwrap();
    run(folder.path(), "board a.tscn").failed(
        2,
        &["node \"Rocks\": expected tiles that lie on those of \"Floor\", found tiles between them"],
    );
    let flowers = layer("Flowers", ".", "position = Vector2(8, 0)", &[[0, 0, 0]]);
    fs::write(folder.path().join("a.tscn"), scene(&(floor + &flowers))).unwrap();
    let said = run(folder.path(), "board a.tscn").done();
    assert!(said.contains("note    layer Flowers is left out: its tiles lie between"), "{said}");
    // The board has the cells of the first layer that may have walls.
    fs::write(folder.path().join("a.tscn"), scene(&(flowers.clone() + &walls))).unwrap();
    let said = run(folder.path(), "board a.tscn").done();
    assert!(said.contains("note    layer Flowers is left out"), "{said}");
    assert!(said.contains("walls   tiles with a collision shape: 1 cell\n"), "{said}");
    // Commands that show no findings say the same beside their work.
    let walls = layer("Walls", ".", "", &[[1, 0, 1], [2, 0, 0], [3, 0, 0]]);
    fs::write(folder.path().join("a.tscn"), scene(&(flowers + &walls))).unwrap();
    for command in ["generate a.tscn --out .", "plan a.tscn", "cops --board a.tscn"] {
        let ran = run(folder.path(), command);
        assert_eq!(ran.status, Some(0), "{command}: {}", ran.err);
        assert!(ran.err.contains("note: a.tscn: layer Flowers is left out"), "{command}: {}", ran.err);
    }
}

#[test]
fn nodes_of_a_scene_lie_where_their_transforms_take_them() {
    let floor = layer("Floor", ".", "", &FLOOR);
    let of = |nodes: &str| board_of("a.tscn", &scene(&(floor.clone() + nodes)));
    let turned = "[node name=\"Arm\" type=\"Node2D\" parent=\".\"]\nposition = Vector2(40, 0)\nrotation = 1.5707964\n\
                  scale = Vector2(2, 2)\n[node name=\"Exit\" type=\"Marker2D\" parent=\"Arm\"]\nposition = Vector2(12, 4)\n";
    assert_eq!(of(turned), "...\n..E\n");
    let top = turned.replace("Vector2(12, 4)\n", "Vector2(12, 4)\ntop_level = true\n");
    assert_eq!(of(&top), "E..\n...\n");
    let canvas = "[node name=\"Arm\" type=\"Node2D\" parent=\".\"]\nposition = Vector2(100, 0)\n\
                  [node name=\"Above\" type=\"CanvasLayer\" parent=\"Arm\"]\noffset = Vector2(16, 0)\n\
                  [node name=\"Exit\" type=\"Marker2D\" parent=\"Arm/Above\"]\nposition = Vector2(4, 4)\n";
    assert_eq!(of(canvas), ".E.\n...\n");
    // A button of the user interface is no exit: its place depends on the size of the screen.
    let button = "[node name=\"Exit\" type=\"Button\" parent=\".\"]\nlayout_mode = 0\noffset_left = 40.0\n";
    assert_eq!(of(button), "...\n...\n");
}

#[test]
fn plain_node_is_a_mark_if_a_selector_says_so() {
    let nodes = layer("Floor", ".", "", &FLOOR)
        + "[node name=\"Exit\" type=\"Node2D\" parent=\".\"]\nposition = Vector2(24, 8)\n\
           [node name=\"Exits\" type=\"Node2D\" parent=\".\"]\n\
           [node name=\"West\" type=\"Marker2D\" parent=\"Exits\"]\nposition = Vector2(8, 24)\n";
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(board_in(&folder, "a.tscn", &scene(&nodes)), "...\nE..\n");
    let selected = |selector: &str| {
        run(folder.path(), &format!("board a.tscn --to text --exits object:{selector}")).done()
    };
    assert_eq!(selected("Exit"), ".E.\n...\n");
    // A node that holds others is only their name.
    assert_eq!(selected("Exits"), "...\nE..\n");
}

#[test]
fn tiles_of_other_scenes_are_not_left_out_in_silence() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("room.tscn"), scene(&layer("Floor", ".", "", &FLOOR))).unwrap();
    fs::write(at.join("guard.tscn"), "[gd_scene format=4]\n[node name=\"Guard\" type=\"Node2D\"]\n").unwrap();
    let with = |path: &str, nodes: &str| {
        let nodes = layer("Floor", ".", "", &FLOOR) + nodes;
        let resource =
            format!("[ext_resource type=\"PackedScene\" path=\"res://{path}\" id=\"1\"]\n[sub_resource");
        scene(&nodes).replacen("[sub_resource", &resource, 1)
    };
    let instance =
        "[node name=\"Room\" parent=\".\" instance=ExtResource(\"1\")]\nposition = Vector2(8, 8)\n";
    fs::write(at.join("a.tscn"), with("room.tscn", instance)).unwrap();
    run(at, "board a.tscn").failed(
        2,
        &["node \"Room\": expected tiles in this scene, found an instance of \"res://room.tscn\" with tiles", "hint: "],
    );
    assert_eq!(board_in(&folder, "b.tscn", &with("guard.tscn", instance)), "P..\n...\n");
    let changed = "[node name=\"Sprite\" parent=\"Room\" index=\"0\"]\nposition = Vector2(1, 1)\n";
    fs::write(at.join("c.tscn"), with("guard.tscn", &(instance.to_owned() + changed))).unwrap();
    let said = run(at, "board c.tscn").done();
    assert!(said.contains("note    1 node of other scenes, which this one changes, are not read"), "{said}");
}

#[test]
fn entity_is_where_its_position_is_for_starts_and_exits_alike() {
    let entity = |name: &str, px: &str, pivot: &str, size: u32| {
        format!(
            "{{\"__identifier\": \"{name}\", \"__grid\": [0, 0], \"__pivot\": [{pivot}], \"px\": [{px}], \
             \"width\": {size}, \"height\": {size}}}"
        )
    };
    let board = |entities: &[String]| {
        let project = format!(
            "{{\"jsonVersion\": \"1.5.3\", \"defs\": {{\"layers\": [{{\"uid\": 1, \"intGridValues\": [{{\"value\": 1, \
             \"identifier\": \"walls\"}}]}}]}}, \"levels\": [{{\"identifier\": \"A\", \"layerInstances\": [\
             {{\"__identifier\": \"E\", \"__type\": \"Entities\", \"__cWid\": 2, \"__cHei\": 2, \"__gridSize\": 16, \
             \"layerDefUid\": 2, \"entityInstances\": [{}]}}, {{\"__identifier\": \"C\", \"__type\": \"IntGrid\", \
             \"__cWid\": 4, \"__cHei\": 4, \"__gridSize\": 8, \"layerDefUid\": 1, \"intGridCsv\": [{}]}}]}}]}}",
            entities.join(","),
            ["0"; 16].join(",")
        );
        board_of("p.ldtk", &project)
    };
    // The layer of entities has cells twice as large as those of the board.
    assert_eq!(
        board(&[entity("Guard", "0, 0", "0, 0", 8), entity("Exit", "8, 0", "0, 0", 8)]),
        "PE..\n....\n....\n....\n"
    );
    assert_eq!(board(&[entity("Guard", "12, 12", "0.5, 0.5", 8)]), "....\n.P..\n....\n....\n");
    // A position at the right and lower side is in the cell that it ends.
    let corner = [entity("Guard", "16, 16", "1, 1", 8), entity("Exit", "16, 8", "1, 1", 8)];
    assert_eq!(board(&corner), ".E..\n.P..\n....\n....\n");
    assert_eq!(board(&[entity("Exit", "8, 16", "0.5, 1", 16)]), "EE..\nEE..\n....\n....\n");
}

#[test]
fn signs_of_a_sheet_stay_walls_beside_words() {
    assert_eq!(board_of("a.csv", "1,0,wall\n"), "#.#\n");
    assert_eq!(board_of("a.csv", "#;*;obstacle;.;door;Guard\n"), "###.EP\n");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.csv"), "wall,lava,0\n").unwrap();
    run(folder.path(), "board a.csv")
        .failed(2, &["cell 0,1: expected a value that means wall or open, found lava"]);
}

#[test]
fn encoding_that_a_map_declares_is_its_own_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let text = tmx("", "<object name='Exit' x='24' y='24'><point/></object>");
    let board = exits(|row, column| (row, column) == (1, 1));
    let declared = |encoding: &str| format!("<?xml version=\"1.0\" encoding=\"{encoding}\"?>\n{text}");
    assert_eq!(board_in(&folder, "a.tmx", &declared("ISO-8859-1")), board);
    let utf_16 = |text: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("\u{feff}{text}").encode_utf16().flat_map(bytes).collect()
    };
    for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
        fs::write(at.join("a.tmx"), utf_16(&declared("UTF-16"), bytes)).unwrap();
        assert_eq!(run(at, "board a.tmx --to text").done(), board);
        fs::write(at.join("a.csv"), utf_16("0;1\r\n", bytes)).unwrap();
        assert_eq!(run(at, "board a.csv --to text").done(), ".#\n");
    }
    let named = declared("ISO-8859-1").replace("Ground", "Gr\u{fc}n");
    let latin: Vec<u8> = named.chars().map(|letter| letter as u8).collect();
    fs::write(at.join("a.tmx"), latin).unwrap();
    run(at, "board a.tmx").failed(2, &["a.tmx: line 5, column 16: expected a character of a text in UTF-8"]);
    fs::write(at.join("a.tmx"), named).unwrap();
    run(at, "board a.tmx")
        .failed(2, &["expected a file in UTF-8 or UTF-16, found the encoding \"ISO-8859-1\""]);
}

#[test]
fn messages_fit_on_a_screen() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let long = "x".repeat(1 << 20);
    let maps = [
        ("a.csv", format!("0,{long}\n")),
        ("b.tmx", format!("<{long}/>")),
        (
            "c.tmx",
            format!(
                "<map width='1' height='1' tilewidth='8' tileheight='8'><layer name='{long}' width='{long}'/></map>"
            ),
        ),
        (
            "d.tmx",
            tmx("", "").replace("<tileset", &format!("<tileset firstgid='9' source='{long}'/><tileset")),
        ),
        ("e.tmj", format!("{{\"tilewidth\": \"{long}\", \"layers\": []}}")),
        (
            "f.tmj",
            tmj("", "")
                .replace("\"Ground\"", &format!("\"{long}\", \"encoding\": \"{long}\""))
                .replace("\"data\": [", "\"data\": [1, "),
        ),
        (
            "g.ldtk",
            format!(
                "{{\"jsonVersion\": \"1\", \"defs\": {{}}, \"levels\": [{{\"identifier\": \"{long}\", \
            \"layerInstances\": []}}]}}"
            ),
        ),
        (
            "h.tscn",
            scene(&layer(&long, ".", "", &FLOOR))
                .replace("SubResource(\"T\")", &format!("SubResource(\"{long}\")")),
        ),
        ("i.tscn", format!("[gd_scene format=4]\n{long}")),
    ];
    for (name, text) in maps {
        fs::write(at.join(name), text).unwrap();
        let ran = run(at, &format!("board {name}"));
        assert_ne!(ran.status, Some(0), "{name}");
        assert!(ran.err.len() < 1920, "{name}: {} bytes: {:.300}", ran.err.len(), ran.err);
    }
}

#[test]
fn map_tells_nothing_of_files_that_are_not_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("in")).unwrap();
    let secrets = [
        "TOPSECRET key=abcdef\n",
        "{\"tiles\": \"TOPSECRET\"}",
        "<TOPSECRET>&TOPSECRET;</TOPSECRET>",
        "[TOPSECRET",
    ];
    let level = "{\"jsonVersion\": \"1\", \"defs\": {}, \"levels\": [{\"identifier\": \"A\", \"externalRelPath\": \
                 \"../secret\"}]}";
    let maps = [
        ("in/a.tmx", tmx("", "").replace("<tileset", "<tileset firstgid='9' source='../secret'/><tileset")),
        ("in/b.tmx", tmx("", "<object template='../secret'/>")),
        ("in/c.ldtk", level.to_owned()),
        (
            "in/d.tscn",
            scene(&layer("A", ".", "", &FLOOR))
                .replace(
                    "[sub_resource type=\"TileSet\" id=\"T\"]",
                    "[ext_resource type=\"TileSet\" path=\"res://../secret\" id=\"T\"]",
                )
                .replace("SubResource(\"T\")", "ExtResource(\"T\")"),
        ),
    ];
    for secret in secrets {
        fs::write(at.join("secret"), secret).unwrap();
        for (name, text) in &maps {
            fs::write(at.join(name), text).unwrap();
            let ran = run(at, &format!("board {name}"));
            assert_eq!(ran.status, Some(2), "{name}: {}", ran.err);
            assert!(
                ran.err.contains("found another file") && !ran.err.contains("TOPSECRET"),
                "{name}: {}",
                ran.err
            );
        }
    }
}

#[test]
fn shapes_are_bounded_work() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let map = |objects: &str| {
        let row = ["0"; 512].join(",");
        format!(
            "<map width='512' height='512' tilewidth='1' tileheight='1'><layer name='Ground' width='512' \
             height='512'><data encoding='csv'>{}</data></layer><objectgroup name='Walls'>{objects}</objectgroup></map>",
            vec![row; 512].join(",")
        )
    };
    // Each rectangle covers the whole map.
    let all = "<object width='512' height='512'/>".repeat(2000);
    fs::write(at.join("a.tmx"), map(&all)).unwrap();
    let said = run(at, "board a.tmx").done();
    assert!(
        said.contains("walls   layers called walls, collisions, solids or obstacles: 262,144 cells"),
        "{said:.400}"
    );
    // Each line of the polygon crosses the whole map.
    let points = "0,0 1,512 ".repeat(10_000);
    fs::write(at.join("b.tmx"), map(&format!("<object><polygon points='{points}'/></object>"))).unwrap();
    run(at, "board b.tmx")
        .failed(2, &["expected shapes whose borders cross at most 1,048,576 rows of cells each"]);
}
