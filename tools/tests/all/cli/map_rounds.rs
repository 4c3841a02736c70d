//! Rounds of guards in maps of editors: lines and polygons that are called so, the properties of the guards,
//! and what is refused.

use super::support::run;
use std::{fs, path::Path};
use tempfile::TempDir;

/// Returns a map of Tiled in XML of 3x7 tiles of 8 pixels with one wall, an exit, a thief and objects.
fn tmx(objects: &str) -> String {
    format!(
        "<map orientation=\"orthogonal\" width=\"7\" height=\"3\" tilewidth=\"8\" tileheight=\"8\">\n\
         <tileset firstgid=\"1\" name=\"t\"/><layer name=\"Walls\" width=\"7\" height=\"3\"><data encoding=\"csv\">\n\
         0,0,1,0,0,0,0, 0,0,0,0,0,0,0, 0,0,0,0,0,0,0</data></layer>\n\
         <objectgroup name=\"Things\"><object name=\"Exit\" x=\"48\" y=\"0\" width=\"8\" height=\"8\"/>\n\
         <object name=\"Player\" x=\"4\" y=\"4\"/>{objects}</objectgroup></map>"
    )
}

/// Returns an object with a line or a polygon and properties.
fn round(name: &str, at: [i32; 2], outline: &str, properties: &[(&str, &str)]) -> String {
    let property = |(name, value): &(&str, &str)| format!("<property name=\"{name}\" value=\"{value}\"/>");
    let properties: String = properties.iter().map(property).collect();
    let [x, y] = at;
    format!("<object {name} x=\"{x}\" y=\"{y}\"><properties>{properties}</properties><{outline}/></object>")
}

fn folder_with(name: &str, text: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), text).unwrap();
    folder
}

fn guards(at: &Path, line: &str) -> String {
    run(at, &format!("board {line} --to guards")).done()
}

/// Returns a map with two guards.
fn two_guards() -> String {
    let line = round(
        "name=\"Guard patrol\"",
        [3, 20],
        "polyline points=\"0,0 1,1 48,0\"",
        &[("pause", "1"), ("sight", "4"), ("Angle", "90"), ("looks", "East, west"), ("colour", "red")],
    );
    let polygon = round(
        "name=\"Bob\" type=\"route\"",
        [28, 4],
        "polygon points=\"0,0 16,0 16,8 0,8\"",
        &[("pace", "2"), ("sight", "3"), ("lines", "supercover"), ("doors", "false")],
    );
    tmx(&(line + &polygon))
}

#[test]
fn lines_go_there_and_back_and_polygons_round() {
    let folder = folder_with("a.tmx", &two_guards());
    let at = folder.path();
    let drawn = run(at, "board a.tmx").done();
    let lines = "guard   1, Guard patrol: 2,0 2,6 and back\nguard   2, Bob: 0,3 0,5 1,5 1,3\n";
    assert!(drawn.contains(lines) && drawn.contains("police  none\n"), "{drawn}");
    let file = guards(at, "a.tmx");
    assert_eq!(
        file,
        "[[guards]]\nround = [[2, 0], [2, 6]]\nback = true\npause = 1\nlooks = [\"east\", \"west\"]\nsight = 4\nangle = 90\n\
         lines = \"shadows\"\ndoors = true\n\n\
         [[guards]]\nround = [[0, 3], [0, 5], [1, 5], [1, 3]]\npace = 2\nsight = 3\nlines = \"supercover\"\ndoors = false\n"
    );
    // In JSON, and the other way round: a line that is closed, a polygon there and back.
    let tmj = "{\"orientation\": \"orthogonal\", \"width\": 3, \"height\": 1, \"tilewidth\": 8, \"tileheight\": 8, \"layers\": [\n\
               {\"type\": \"tilelayer\", \"name\": \"walls\", \"width\": 3, \"height\": 1, \"data\": [0, 0, 0]},\n\
               {\"type\": \"objectgroup\", \"objects\": [\n\
               {\"name\": \"Round\", \"x\": 4, \"y\": 4, \"polyline\": [{\"x\": 0, \"y\": 0}, {\"x\": 16, \"y\": 0}],\n\
               \"properties\": [{\"name\": \"back\", \"type\": \"bool\", \"value\": false}, {\"name\": \"pace\", \"value\": 3}]},\n\
               {\"class\": \"patrol\", \"x\": 4, \"y\": 4, \"polygon\": [{\"x\": 0, \"y\": 0}, {\"x\": 8, \"y\": 0}],\n\
               \"properties\": [{\"name\": \"back\", \"type\": \"bool\", \"value\": true}]},\n\
               {\"name\": \"route\", \"x\": 20, \"y\": 4, \"polyline\": [{\"x\": 0, \"y\": 0}, {\"x\": 1, \"y\": 1}]}]}]}";
    assert_eq!(
        guards(folder_with("a.tmj", tmj).path(), "a.tmj"),
        "[[guards]]\nround = [[0, 0], [0, 2]]\npace = 3\n\n[[guards]]\nround = [[0, 0], [0, 1]]\nback = true\n\n\
         [[guards]]\nround = [[0, 2]]\n"
    );
}

#[test]
fn guards_of_a_map_are_those_of_its_table_unless_a_file_has_others() {
    let folder = folder_with("a.tmx", &two_guards());
    let at = folder.path();
    fs::write(at.join("guards.toml"), guards(at, "a.tmx")).unwrap();
    fs::write(at.join("alone.toml"), "officers = 0\n").unwrap();
    let board = run(at, "board a.tmx --to text").done();
    fs::write(at.join("b.txt"), board).unwrap();
    run(at, "generate a.tmx --rules alone.toml --quiet --out t").done();
    run(at, "generate b.txt --rules alone.toml --guards guards.toml --quiet --out t").done();
    assert_eq!(fs::read(at.join("t/a.dtb")).unwrap(), fs::read(at.join("t/b.dtb")).unwrap());
    fs::write(at.join("one.toml"), "[[guards]]\nround = [[1, 1]]\n").unwrap();
    let plan = run(at, "plan a.tmx --rules alone.toml --guards one.toml");
    assert!(plan.err.contains("note: a.tmx: the guards of the map are replaced\n"), "{}", plan.err);
    let manifest = |key: &str| {
        format!(
            "out = \"m\"\n[rules.alone]\nofficers = 0\n[[boards]]\nfiles = \"a.tmx\"\nrules = \"alone\"\n{key}"
        )
    };
    let info = |key: &str| {
        fs::write(at.join("all.toml"), manifest(key)).unwrap();
        run(at, "generate all.toml --force --quiet").done();
        run(at, "info m/a.dtb").done()
    };
    assert!(info("").contains("guards"));
    assert!(!info("rounds = \"none\"\n").contains("guards"));
    let answer = |rounds: &str| run(at, &format!("answer a.tmx --rules alone.toml{rounds}")).done();
    assert_eq!(answer(" --rounds none"), "The thief escapes\n");
    assert_eq!(answer(""), "Police catches the thief\n");
    let cops = run(at, "cops --board a.tmx");
    assert!(cops.err.contains("note: a.tmx: the guards of the map are left out"), "{}", cops.err);
}

#[test]
fn points_of_entities_and_lines_of_scenes_are_rounds() {
    let field = |name: &str, value: &str| format!("{{\"__identifier\": \"{name}\", \"__value\": {value}}}");
    let points = "[{\"cx\": 2, \"cy\": 0}, {\"cx\": 2, \"cy\": 1}]";
    let entity = |name: &str, fields: &[String]| {
        format!(
            "{{\"__identifier\": \"{name}\", \"px\": [4, 4], \"width\": 8, \"height\": 8, \"__pivot\": [0.5, 0.5],\n\
             \"fieldInstances\": [{}]}}",
            fields.join(", ")
        )
    };
    let project = |entities: &[String]| {
        format!(
            "{{\"defs\": {{\"layers\": [{{\"uid\": 1, \"intGridValues\": [{{\"value\": 1, \"identifier\": \"walls\"}}]}}]}},\n\
             \"levels\": [{{\"identifier\": \"L\", \"layerInstances\": [\n\
             {{\"__identifier\": \"Things\", \"__type\": \"Entities\", \"__cWid\": 3, \"__cHei\": 2, \"__gridSize\": 8,\n\
             \"layerDefUid\": 2, \"entityInstances\": [{}]}},\n\
             {{\"__identifier\": \"Grid\", \"__type\": \"IntGrid\", \"__cWid\": 3, \"__cHei\": 2, \"__gridSize\": 8,\n\
             \"layerDefUid\": 1, \"intGridCsv\": [0, 0, 0, 1, 0, 0]}}]}}]}}",
            entities.join(", ")
        )
    };
    let looks = field("looks", "[\"North\", \"East\", \"South\"]");
    let mob = entity("Enemy", &[field("patrol", points), looks, field("sight", "3"), field("lines", "null")]);
    let loop_ = entity("GuardRoute", &[field("points", "[{\"cx\": 1, \"cy\": 0}]"), field("back", "false")]);
    let idle = entity("Enemy", &[field("patrol", "[]")]);
    let folder = folder_with("a.ldtk", &project(&[mob, loop_, idle]));
    let drawn = run(folder.path(), "board a.ldtk").done();
    let lines = "guard   1, Enemy: 0,0 0,2 1,2 and back\nguard   2, GuardRoute: 0,0 0,1\n";
    assert!(drawn.contains(lines) && drawn.contains("police  objects Enemy: 0,0\n"), "{drawn}");
    assert_eq!(
        guards(folder.path(), "a.ldtk"),
        "[[guards]]\nround = [[0, 0], [0, 2], [1, 2]]\nback = true\nlooks = [\"north\", \"east\", \"south\"]\nsight = 3\n\
         lines = \"shadows\"\ndoors = true\n\n[[guards]]\nround = [[0, 0], [0, 1]]\n"
    );
    let tiles: Vec<String> =
        (0..3).map(|column| format!("{column}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0")).collect();
    let scene = format!(
        "[gd_scene format=4]\n[node name=\"Room\" type=\"Node2D\"]\n\
         [node name=\"Walls\" type=\"Node2D\" parent=\".\"]\n\
         [node name=\"Ground\" type=\"TileMapLayer\" parent=\".\"]\ntile_map_data = PackedByteArray(0, 0, {})\n\
         [node name=\"Patrols\" type=\"Node2D\" parent=\".\"]\nposition = Vector2(8, 0)\n\
         [node name=\"A\" type=\"Line2D\" parent=\"Patrols\"]\npoints = PackedVector2Array(0, 8, 32, 8)\nmetadata/pause = 2\n",
        tiles.join(", ")
    );
    let folder = folder_with("a.tscn", &scene);
    assert_eq!(
        guards(folder.path(), "a.tscn --walls none"),
        "[[guards]]\nround = [[0, 0], [0, 2]]\nback = true\npause = 2\n"
    );
}

#[test]
fn rounds_that_cannot_be_walked_are_refused_with_guard_vertex_and_cell() {
    let good = round("name=\"Patrol\"", [4, 12], "polyline points=\"0,0 8,0\"", &[]);
    let bad = |outline: &str, properties: &[(&str, &str)]| {
        good.clone() + &round("name=\"Route B\"", [4, 4], outline, properties)
    };
    let line = "polyline points=\"0,0 8,0\"";
    let cases = [
        (
            bad("polyline points=\"0,0 0,40\"", &[]),
            "Route B: vertex 2: expected a point on the board, found one 4,44",
        ),
        (
            bad("polyline points=\"0,0 16,0\"", &[]),
            "Route B, vertex 2: guard 2: expected a round over open squares, found 0,2",
        ),
        (
            bad("polygon points=\"0,0 8,0 24,8\"", &[]),
            "Route B, vertex 2: guard 2: expected a straight way over open squares from 0,1 to 1,3",
        ),
        (bad(line, &[("pace", "0")]), "Route B: pace: expected a pace of at least 1 turn"),
        (bad(line, &[("pace", "slow")]), "Route B: pace: invalid type: string \"slow\""),
        (bad(line, &[("looks", "up")]), "Route B: looks: unknown variant `up`"),
        (bad(line, &[("angle", "90")]), "Route B: angle: expected sight with angle"),
        (bad(line, &[("sight", "3"), ("angle", "91")]), "Route B: angle: expected an angle out of"),
        (
            bad(line, &[("looks", "north")]),
            "Route B: guard 2: expected a direction in looks for each of the 2",
        ),
        (
            bad("polyline points=\"\"", &[]),
            "Route B: guard 2: expected a round of 1 to 1024 squares, found 0",
        ),
    ];
    for (objects, message) in cases {
        run(folder_with("a.tmx", &tmx(&objects)).path(), "board a.tmx").failed(2, &["a.tmx: ", message]);
    }
    let folder = folder_with("a.tmx", &tmx(&bad("polyline points=\"0,0 0,40\"", &[])));
    let at = folder.path();
    assert_eq!(guards(at, "a.tmx --rounds object:Patrol").matches("[[guards]]").count(), 1);
    run(at, "board a.tmx --rounds none --to guards")
        .failed(2, &["expected a map with rounds of guards, found none"]);
    run(at, "board a.tmx --rounds object:Player")
        .failed(2, &["Player: expected a line or a polygon for a round"]);
    run(at, "board a.tmx --rounds layer:Walls")
        .failed(2, &["rounds: expected lines and polygons, found cells of layers"]);
    let many: String = (0..65).map(|_| good.as_str()).collect();
    run(folder_with("a.tmx", &tmx(&many)).path(), "board a.tmx")
        .failed(2, &["expected at most 64 guards, found 65"]);
    let long: Vec<String> = (0..1100).map(|place| format!("{},0", place % 2 * 8)).collect();
    let long = bad(&format!("polyline points=\"{}\"", long.join(" ")), &[]);
    run(folder_with("a.tmx", &tmx(&long)).path(), "board a.tmx")
        .failed(2, &["expected a round of at most 1024 squares"]);
}
