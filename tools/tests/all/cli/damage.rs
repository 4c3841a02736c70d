//! Damaged and forged tables.

use super::{ASK, flipped, json, support::run, yard};
use dragnet_formats::{
    codec::{Encoder, Favour, RawBlock},
    container::{Reader, Writer, index::IndexEntry},
    header::Header,
};
use serde_json::Value as Json;
use std::{
    collections::HashMap,
    fs,
    io::Cursor,
    process::{Command, Stdio},
    time::Duration,
};

#[test]
fn damaged_table_is_refused_by_every_command() {
    let folder = yard();
    let good = fs::read(folder.path().join("yard.dtb")).unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("empty", b"");
    write("text", b"This is no table, but it is long enough to be one.");
    write("short", &good[..20]);
    write("cut", &good[..good.len() - 1]);
    write("long", &[&good[..], b"\0"].concat());
    write("header", &flipped(&good, 40));
    write("index", &flipped(&good, 513));
    write("block", &flipped(&good, good.len() - 9));
    write("version", &flipped(&good, 8));
    let files: [(&str, &[&str]); 9] = [
        ("empty", &["not a Dragnet table"]),
        ("text", &["not a Dragnet table"]),
        ("short", &["cut short"]),
        ("cut", &["cut short", "expected", "found"]),
        ("long", &["expected", "found", "follows the table's end"]),
        ("header", &["header is damaged"]),
        ("index", &["index is damaged"]),
        ("block", &["block 4 is damaged", "checksum"]),
        ("version", &["format version", "found 6"]),
    ];
    for ask in ASK {
        for (file, parts) in files {
            let ran = run(folder.path(), &ask.replace("FILE", file));
            ran.failed(if ask.starts_with("verify") { 1 } else { 2 }, &[&[file], parts].concat());
            // A dump is a stream: it has written what came before the damage.
            let most = if ask.starts_with("dump") { 799 } else { 0 };
            assert!(ran.out.len() <= most, "{ask} of {file} answered");
        }
        run(folder.path(), &ask.replace("FILE", "missing"))
            .failed(3, &["cannot read missing", "No such file"]);
        // A folder stands for its tables where several are taken.
        let several = ["info", "stats", "verify"].iter().any(|command| ask.starts_with(command));
        match run(folder.path(), &ask.replace("FILE", ".")) {
            ran if several => assert!(!ran.done().is_empty(), "{ask}"),
            ran => ran.failed(3, &["cannot read .", "folder"]),
        }
    }
}

#[test]
fn flipped_bit_is_found_by_verify() {
    let folder = yard();
    let good = fs::read(folder.path().join("yard.dtb")).unwrap();
    let mut line = String::from("verify --json");
    let mut count = 0;
    for at in (0..good.len()).step_by(3) {
        fs::write(folder.path().join(format!("f{at}")), flipped(&good, at)).unwrap();
        line += &format!(" f{at}");
        count += 1;
    }
    let ran = run(folder.path(), &line);
    assert_eq!(ran.status, Some(1));
    let reports: Vec<Json> = String::from_utf8(ran.out).unwrap().lines().map(json).collect();
    assert_eq!(reports.len(), count);
    for report in reports {
        assert_eq!(report["ok"], false, "{report}");
    }
}

/// The table with the header and the codes that `alter` makes of its own, and every checksum right.
fn forged(table: &[u8], header: &Header, alter: impl Fn(u64, u32, &mut Vec<u32>)) -> Vec<u8> {
    let reader = Reader::open(table).unwrap();
    let mut writer = Writer::new(Cursor::new(Vec::new()), header).unwrap();
    let mut encoder = Encoder::new(Favour::Size, Encoder::DEFAULT_LEVEL);
    let mut codes = Vec::new();
    let mut known: HashMap<Vec<u32>, IndexEntry> = HashMap::new();
    for block in 0..reader.numbering().block_count() {
        let slots = reader.numbering().slots(block);
        reader.block(block).unwrap().codes(slots, &mut codes).unwrap();
        alter(block, slots, &mut codes);
        if let Some(entry) = known.get(&codes) {
            writer.push_entry(*entry);
        } else {
            let entry = writer.push(&encoder.encode(&RawBlock::new(&codes))).unwrap();
            known.insert(codes.clone(), entry);
        }
    }
    writer.finish().unwrap().0.into_inner()
}

#[test]
fn verify_finds_one_wrong_value_behind_right_checksums() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), "generate --size 18x17 --out .").done();
    let good = fs::read(folder.path().join("open-18x17.dtb")).unwrap();
    let reader = Reader::open(&good[..]).unwrap();
    let header = reader.header().clone();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("copied.dtb", &forged(&good, &header, |_, _, _| ()));
    run(folder.path(), "verify copied.dtb").done();
    let cell = |row, col| dragnet_formats::cell::Cell::new(row, col);
    let place = reader.numbering().positions().locate(0, cell(17, 3), cell(9, 12)).unwrap();
    // A plausible neighbour of the right value, a draw, the other winner.
    for (number, change) in [|code: u32| code + 2, |_| 0, |code: u32| code ^ 3].into_iter().enumerate() {
        let bytes = forged(&good, &header, |block, slots, codes| {
            if block == place.block {
                assert!(place.slot < slots);
                codes[place.slot as usize] = change(codes[place.slot as usize]);
            }
        });
        write(&format!("wrong-{number}.dtb"), &bytes);
        let ran = run(folder.path(), &format!("verify wrong-{number}.dtb"));
        ran.failed(1, &[&format!("wrong-{number}.dtb"), "successors say", "the table that"]);
        run(folder.path(), &format!("info wrong-{number}.dtb")).done();
    }
    // The thief is in the first tile that has anything wrong: the position itself, or one that leads to it.
    run(folder.path(), "verify wrong-1.dtb").failed(1, &["police to move"]);
}

#[test]
fn verify_finds_a_wrong_header_behind_right_values() {
    let folder = yard();
    let good = fs::read(folder.path().join("yard.dtb")).unwrap();
    let right = Reader::open(&good[..]).unwrap().header().clone();
    let check = |parts: &[&str], change: fn(&mut Header)| {
        let mut header = right.clone();
        change(&mut header);
        fs::write(folder.path().join("forged.dtb"), forged(&good, &header, |_, _, _| ())).unwrap();
        run(folder.path(), "verify forged.dtb")
            .failed(1, &[&["forged.dtb", "not the header"], parts].concat());
    };
    check(&["police wins with the police to move"], |header| {
        header.summary.police_to_move.police -= 1;
        header.summary.police_to_move.draw += 1;
    });
    check(&["thief wins with the thief to move"], |header| {
        header.summary.thief_to_move.thief -= 1;
        header.summary.thief_to_move.draw += 1;
    });
    check(&["longest win of the police"], |header| header.summary.longest.police += 1);
    check(&["longest win of the thief"], |header| header.summary.longest.thief = 0);
    check(&["digest"], |header| header.summary.digest ^= 1);
}

#[test]
fn verify_goes_on_after_a_bad_table() {
    let folder = yard();
    run(folder.path(), "generate --size 3x3 --out .").done();
    let good = fs::read(folder.path().join("yard.dtb")).unwrap();
    fs::write(folder.path().join("bad.dtb"), flipped(&good, good.len() - 9)).unwrap();
    let ran = run(folder.path(), "verify yard.dtb bad.dtb open-03x03.dtb");
    ran.failed(1, &["bad.dtb"]);
    let out = String::from_utf8_lossy(&ran.out).into_owned();
    assert!(out.contains("yard.dtb: right, 200 positions") && out.contains("open-03x03.dtb: right"), "{out}");
    let ran = run(folder.path(), "verify --json yard.dtb bad.dtb open-03x03.dtb");
    assert_eq!((ran.status, ran.err.as_str()), (Some(1), ""));
    let reports: Vec<Json> = String::from_utf8(ran.out).unwrap().lines().map(json).collect();
    let ok: Vec<&Json> = reports.iter().map(|report| &report["ok"]).collect();
    assert_eq!(ok, [true, false, true]);
    assert!(reports[1]["error"].as_str().unwrap().contains("block 4 is damaged"));
}

/// The file is cut while the command reads it: it ends with an error, not with a signal, and claims nothing.
#[cfg(unix)]
#[test]
fn table_that_is_cut_while_it_is_read_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let board = run(folder.path(), "board --make random --size 48x48 --exit first --to text").done();
    fs::write(folder.path().join("random.txt"), board).unwrap();
    for favour in ["speed", "size"] {
        // A slow machine prints progress, so standard error need not be empty.
        let made = run(folder.path(), &format!("generate random.txt --favour {favour} --out {favour}"));
        assert_eq!(made.status, Some(0), "{}", made.err);
        let path = folder.path().join(favour).join("random.dtb");
        let good = fs::read(&path).unwrap();
        for command in ["verify", "stats"] {
            // The machine may be so fast that the command is done before the file is cut: then it is cut
            // earlier.
            let failed = [160, 80, 40, 20, 10, 5, 2, 0].into_iter().any(|milliseconds| {
                fs::write(&path, &good).unwrap();
                let child = Command::new(env!("CARGO_BIN_EXE_dragnet"))
                    .arg(command)
                    .arg(&path)
                    .stdout(Stdio::null())
                    .stderr(Stdio::piped())
                    .spawn()
                    .unwrap();
                std::thread::sleep(Duration::from_millis(milliseconds));
                fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(600).unwrap();
                let output = child.wait_with_output().unwrap();
                let message = String::from_utf8_lossy(&output.stderr).into_owned();
                let status = output.status.code();
                assert!(status.is_some(), "{command}, {favour}: ended by a signal: {}", output.status);
                assert!(!message.contains("panicked"), "{command}, {favour}: {message}");
                if status != Some(0) {
                    assert!(message.contains("random.dtb"), "{command}, {favour}: {message}");
                }
                status != Some(0)
            });
            assert!(failed, "{command}, {favour}: a table of 600 bytes was accepted");
        }
    }
}
