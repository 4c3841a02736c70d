//! `dragnet report`: a page of tables.

use crate::support::run;
use std::fs;

#[test]
fn a_report_has_a_row_and_a_picture_for_each_table() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), "generate --size 3x3..3x5 --exit none --out t").done();
    fs::write(folder.path().join("yard.txt"), "E...\n.##.\n....\n").unwrap();
    run(folder.path(), "generate yard.txt --out t").done();
    let tables = "t/open-03x03.dtb t/open-03x04.dtb t/open-03x05.dtb t/yard.dtb";
    let said = run(folder.path(), &format!("report {tables} --out new/page --title Yards")).done();
    assert!(said.ends_with('\n') && said.lines().last().unwrap().starts_with("4 boards: 4 kept; "), "{said}");
    let read = |name: &str| fs::read_to_string(folder.path().join("new/page").join(name)).unwrap();
    let page = read("report.html");
    assert_eq!(page.matches("src=\"data:image/png;base64,").count(), 4);
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<h1>Yards</h1>"));
    let report: serde_json::Value = serde_json::from_str(&read("report.json")).unwrap();
    assert_eq!(report["totals"]["kept"], 4);
    for (entry, name) in
        report["entries"].as_array().unwrap().iter().zip(["open-03x03", "open-03x04", "open-03x05", "yard"])
    {
        assert_eq!((entry["name"].as_str(), entry["status"].as_str()), (Some(name), Some("kept")));
        let stats = run(folder.path(), &format!("stats t/{name}.dtb --json")).done();
        let stats: serde_json::Value = serde_json::from_str(&stats).unwrap();
        for key in ["cells", "positions", "police_to_move", "thief_to_move", "longest", "digest"] {
            assert_eq!(entry[key], stats[key], "{name} {key}");
        }
        let histogram = &entry["portrait"]["histogram"];
        let sum =
            |side: &str| histogram[side].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum::<u64>();
        let counts = &entry["police_to_move"];
        assert_eq!(
            (Some(sum("police")), Some(sum("thief"))),
            (counts["police"].as_u64(), counts["thief"].as_u64())
        );
        assert_eq!(histogram["draws"], counts["draw"]);
        assert!(entry.get("solve_seconds").is_none(), "nothing was solved");
    }
}

#[test]
fn the_officer_can_be_put_on_a_cell() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), "generate --size 3x3 --exit none --out .").done();
    run(folder.path(), "report open-03x03.dtb --police 2,0 --out .").done();
    let text = fs::read_to_string(folder.path().join("report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    let portrait = &report["entries"][0]["portrait"];
    assert_eq!((&portrait["start"], &portrait["start_given"]), (&serde_json::json!([2, 0]), &true.into()));
}

#[test]
fn what_is_no_table_is_in_the_report_as_failed() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), "generate --size 3x3..3x4 --out .").done();
    fs::write(folder.path().join("letter.txt"), "Dear reader").unwrap();
    let ran = run(folder.path(), "report open-03x03.dtb letter.txt open-03x04.dtb --out page");
    ran.failed(2, &["letter.txt", "not a Dragnet table"]);
    assert!(String::from_utf8(ran.out).unwrap().ends_with("B\n"));
    let text = fs::read_to_string(folder.path().join("page/report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["entries"][1]["status"], "failed");
    assert!(report["entries"][1]["message"].as_str().unwrap().contains("not a Dragnet table"));
    assert_eq!((&report["totals"]["kept"], &report["totals"]["failed"]), (&2.into(), &1.into()));
    run(folder.path(), "report gone.dtb --out page").failed(3, &["gone.dtb"]);
    run(folder.path(), "report open-03x03.dtb --police 9,9 --out page").failed(2, &["off the board"]);
    run(folder.path(), "report open-03x03.dtb --out letter.txt").failed(3, &["letter.txt"]);
    run(folder.path(), "report --out page").misused(&["TABLE"]);
}
