//! `dragnet pack`: other blocks, the same values.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use support::run;

#[test]
fn a_packed_table_is_the_one_that_generate_would_have_made() {
    let folder = tempfile::tempdir().unwrap();
    let board = run(folder.path(), "board --make rooms --size 20x27 --seed 3 --exit first --to text").done();
    fs::write(folder.path().join("rooms.txt"), board).unwrap();
    run(folder.path(), "generate rooms.txt --out size --favour size --level 4").done();
    run(folder.path(), "generate rooms.txt --out speed --favour speed").done();
    run(folder.path(), "pack size/rooms.dtb --out a/speed.dtb --favour speed").done();
    run(folder.path(), "pack speed/rooms.dtb --out a/size.dtb --level 4 --threads 1").done();
    let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert_eq!(bytes("a/speed.dtb"), bytes("speed/rooms.dtb"));
    assert_eq!(bytes("a/size.dtb"), bytes("size/rooms.dtb"));
    let said = run(folder.path(), "pack speed/rooms.dtb --out speed/rooms.dtb --json").done();
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert!(said["bytes"].as_u64() < said["bytes_before"].as_u64(), "{said}");
    assert!(bytes("speed/rooms.dtb").len() < bytes("size/rooms.dtb").len(), "a higher level is smaller");
    run(folder.path(), "verify a/speed.dtb a/size.dtb speed/rooms.dtb").done();
    let stats = |name: &str| {
        let text = run(folder.path(), &format!("stats {name} --json")).done();
        let mut stats: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(stats.as_object_mut().unwrap().remove("table"), Some(name.into()));
        stats
    };
    assert_eq!(stats("speed/rooms.dtb"), stats("size/rooms.dtb"));
}

#[test]
fn what_cannot_be_packed_or_replaced_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), "generate --size 4x4 --out .").done();
    let table = folder.path().join("open-04x04.dtb");
    fs::write(folder.path().join("letter.txt"), "Dear reader").unwrap();
    run(folder.path(), "pack open-04x04.dtb --out letter.txt").failed(2, &["letter.txt", "--force"]);
    assert_eq!(fs::read(folder.path().join("letter.txt")).unwrap(), b"Dear reader");
    run(folder.path(), "pack letter.txt --out new.dtb").failed(2, &["letter.txt", "not a Dragnet table"]);
    let mut bytes = fs::read(&table).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&table, bytes).unwrap();
    run(folder.path(), "pack open-04x04.dtb --out new.dtb").failed(2, &["open-04x04.dtb", "damaged"]);
    assert!(!folder.path().join("new.dtb").exists());
}
