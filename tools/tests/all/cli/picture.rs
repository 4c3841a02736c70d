//! Pictures of chases: `dragnet line --svg`.

use super::{support::run, yard};
use std::fs;

#[test]
fn line_draws_a_picture_beside_its_list() {
    let folder = yard();
    let asked = "line yard.dtb --police 2,3 --thief 2,0 --turn thief";
    let list = run(folder.path(), asked).done();
    assert_eq!(run(folder.path(), &format!("{asked} --svg chase.svg")).done(), list);
    let picture = fs::read_to_string(folder.path().join("chase.svg")).unwrap();
    assert!(picture.starts_with("<svg xmlns=") && picture.ends_with("</svg>\n"), "{picture}");
    assert!(
        picture.contains("<title>police 2,3, thief 2,0, thief to move: the thief wins in 3 plies</title>")
    );
    // The thief is to move, so his plies are the odd ones.
    for label in [">P<", ">T<", ">1<", ">2<", ">3<", ">E<"] {
        assert!(picture.contains(label), "{label} is missing");
    }
}

#[test]
fn picture_of_several_officers_on_a_joined_board_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("rules.toml"), "officers = 2\nwrap = \"both\"\n").unwrap();
    run(folder.path(), "generate --size 6x7 --exit none --rules rules.toml --out .").done();
    let asked = "line open-06x07.dtb --police 0,0+5,6 --thief 3,3";
    run(folder.path(), &format!("{asked} --svg chase.svg --json")).done();
    let picture = fs::read_to_string(folder.path().join("chase.svg")).unwrap();
    // One in the legend, and one for each officer.
    assert_eq!(picture.matches(">P<").count(), 3, "{picture}");
}

#[test]
fn picture_replaces_only_a_picture() {
    let folder = yard();
    let asked = "line yard.dtb --police 2,3 --thief 2,0 --svg";
    let table = fs::read(folder.path().join("yard.dtb")).unwrap();
    run(folder.path(), &format!("{asked} yard.dtb")).failed(2, &["yard.dtb is in the way"]);
    assert_eq!(fs::read(folder.path().join("yard.dtb")).unwrap(), table);
    run(folder.path(), &format!("{asked} chase.svg")).done();
    let first = fs::read(folder.path().join("chase.svg")).unwrap();
    run(folder.path(), &format!("{asked} chase.svg --turn thief")).done();
    assert_ne!(fs::read(folder.path().join("chase.svg")).unwrap(), first);
}

#[test]
fn picture_of_a_graph_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ring.txt"), "0 1\n1 2\n2 3\n3 0\n").unwrap();
    run(folder.path(), "generate --graph ring.txt --out .").done();
    run(folder.path(), "line ring.dtb --police 0 --thief 2 --svg chase.svg")
        .failed(2, &["ring.dtb", "no picture is possible", "vertices of a graph"]);
    assert!(!folder.path().join("chase.svg").exists());
}

#[test]
fn a_piece_with_layers_is_drawn_on_the_squares_of_the_board() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // A guard goes round a hut, and has a layer for each side to which he looks.
    let round = include_bytes!("../../../../formats/tests/golden/v2-round.dtb");
    fs::write(at.join("round.dtb"), round).unwrap();
    run(at, "line round.dtb --police 4,2 --thief 0,0 --svg chase.svg").done();
    let picture = fs::read_to_string(at.join("chase.svg")).unwrap();
    let way = "M327.36 155.36l0 56l-56 0l-56 0l0 -56l0 -56";
    assert!(picture.contains(way), "expected steps from square to square in {picture}");
    assert!(run(at, "show round.dtb --police 4,2").done().contains("\n1 7 # P 2\n"));
    // The guard has two places in each layer.
    let east = run(at, "show round.dtb --thief 0,0").done();
    assert_eq!(east, run(at, "show round.dtb --thief 0,0 --layer east").done());
    assert!(east.contains("2 cells of the police in layer 0 east: "), "{east}");
    let south = run(at, "show round.dtb --thief 0,0 --layer south --json").done();
    let south: serde_json::Value = serde_json::from_str(&south).unwrap();
    assert_eq!(south["layer"], 1);
    let places = |row: usize| (0..4).filter(|&col| !south["rows"][row][col].is_null()).collect::<Vec<_>>();
    assert_eq!([places(0), places(1), places(2)], [vec![2], vec![2], vec![]]);
    let layers =
        "--layer: expected a layer of the police, 0 to 3 or a name of east, south, west, north, found up";
    run(at, "show round.dtb --thief 0,0 --layer up").failed(2, &["round.dtb", layers]);
    let none = "--layer: expected 0, the only layer of the thief, found 1";
    run(at, "show round.dtb --police 4,2 --layer 1").failed(2, &["round.dtb", none]);
    // His start may be any of his places.
    run(at, "report round.dtb --out page").done();
    let report: serde_json::Value =
        serde_json::from_slice(&fs::read(at.join("page/report.json")).unwrap()).unwrap();
    assert_eq!(report["entries"][0]["portrait"]["from_start"]["police"], 5);
}

#[test]
fn a_team_of_several_kinds_and_a_thief_alone_are_shown_by_all_commands() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // A guard, and a dog with layers for fresh and tired; and a thief alone on a shore, in three worlds.
    fs::write(at.join("kinds.dtb"), include_bytes!("../../../../formats/tests/golden/v2-kinds.dtb")).unwrap();
    fs::write(at.join("alone.dtb"), include_bytes!("../../../../formats/tests/golden/v2-alone.dtb")).unwrap();
    assert!(
        run(at, "info kinds.dtb").done().contains("1 guard on 12 places, 1 dog on 24 places in 2 layers")
    );
    let value = |command: &str| run(at, command).done().lines().next().unwrap().to_owned();
    let wins = "police 0,0+3,0, thief 2,2, police to move: the police wins in 5 plies";
    for command in ["probe", "line", "show"] {
        assert_eq!(value(&format!("{command} kinds.dtb --police 0,0+3,0 --thief 2,2")), wins);
    }
    let two_guards = "expected the cell of 1 officer on the layers of kind 0 (guard), found 2";
    run(at, "probe kinds.dtb --police 0,0+0,1 --thief 2,2").failed(2, &["kinds.dtb", two_guards]);
    let alone = "thief 1,3, thief to move: the thief wins in 5 plies";
    assert_eq!(value("probe alone.dtb --thief 1,3 --turn thief"), alone);
    assert_eq!(value("show alone.dtb --thief 1,3 --turn thief"), alone);
    run(at, "probe alone.dtb --police 0,1 --thief 1,3")
        .failed(2, &["expected the cells of 0 officers, found 1"]);
    for command in ["stats", "verify", "dump", "pack --out again.dtb --force"] {
        run(at, &format!("{command} alone.dtb")).done();
        run(at, &format!("{command} kinds.dtb")).done();
    }
    run(at, "bench --table kinds.dtb").done();
    let best = run(at, "line alone.dtb");
    assert_eq!(best.status, Some(0));
    assert!(best.err.contains("the thief stands where he lasts longest"), "{}", best.err);
    run(at, "report alone.dtb kinds.dtb --out page").done();
    run(at, "site alone.dtb kinds.dtb --out site").done();
}
