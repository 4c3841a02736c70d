//! `dragnet site` and the links of reports, as a web host and a reader meet them.

use crate::support::{run, run_arguments};
use serde_json::Value as Json;
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// The files of the application.
const PAGES: [&str; 5] = ["index.html", "app.js", "app.css", "worker.js", "engine.wasm"];

/// A folder with a board, its table, another table, and a game on a graph with its graph.
fn ground() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("yard.txt"), "E...\n.##.\n....\n").unwrap();
    fs::write(folder.path().join("game.txt"), "0 1\n0 2\n1 3\n2 1\n2 4\n4 2\n").unwrap();
    run(folder.path(), "generate yard.txt --out tables").done();
    run(folder.path(), "generate --size 3x3 --out tables").done();
    run(folder.path(), "graph solve game.txt --out game.dtb");
    assert!(folder.path().join("game.dtb").is_file());
    folder
}

fn json(path: &Path) -> Json {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// The files below a folder, by their paths from there, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path.strip_prefix(folder).unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

#[test]
fn a_site_has_the_pages_and_everything_that_its_catalogue_names() {
    let folder = ground();
    let at = folder.path();
    let said = run(at, "site --out www tables game.dtb game.txt yard.txt").done();
    assert!(said.starts_with("www: 3 tables, 1 board, 1 graph, "), "{said}");
    let www = at.join("www");
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/built");
    for page in PAGES {
        assert!(fs::read(www.join(page)).unwrap() == fs::read(built.join(page)).unwrap(), "{page}");
    }
    let catalogue = json(&www.join("catalogue.json"));
    assert_eq!((&catalogue["version"], &catalogue["home"]), (&1.into(), &"site".into()));
    let schema = json(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schemas/catalogue.json"));
    let schema = jsonschema::draft202012::new(&schema).unwrap();
    let faults: Vec<String> = schema.iter_errors(&catalogue).map(|error| error.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?}");
    let items = catalogue["items"].as_array().unwrap();
    let kinds: Vec<(&str, &str)> =
        items.iter().map(|item| (item["kind"].as_str().unwrap(), item["name"].as_str().unwrap())).collect();
    let expected =
        [("board", "yard"), ("graph", "game"), ("table", "game"), ("table", "open-03x03"), ("table", "yard")];
    assert_eq!(kinds, expected);
    for item in items {
        for key in ["url", "statistics", "graph"] {
            if let Some(url) = item[key].as_str() {
                assert!(www.join(url).is_file(), "{url}");
            }
        }
    }
    assert_eq!(items[2]["graph"], "graphs/game.txt");
    for (name, from) in [("yard", "tables/yard.dtb"), ("game", "game.dtb")] {
        let copy = fs::read(www.join(format!("tables/{name}.dtb"))).unwrap();
        assert_eq!(copy, fs::read(at.join(from)).unwrap(), "{name}");
        let mut stats: Json = serde_json::from_str(&run(at, &format!("stats {from} --json")).done()).unwrap();
        let mut kept = json(&www.join(format!("tables/{name}.stats.json")));
        assert_eq!(kept["table"].take(), format!("{name}.dtb"));
        stats["table"].take();
        assert_eq!(kept, stats, "{name}");
    }
    assert_eq!(fs::read(www.join("boards/yard.txt")).unwrap(), fs::read(at.join("yard.txt")).unwrap());
}

#[test]
fn a_site_is_written_again_file_by_file() {
    let folder = ground();
    let at = folder.path();
    run(at, "site --out www tables").done();
    let first = files(&at.join("www"));
    fs::write(at.join("www/CNAME"), "dragnet.example").unwrap();
    run(at, "site --out www tables/yard.dtb").done();
    let catalogue = json(&at.join("www/catalogue.json"));
    assert_eq!(catalogue["items"].as_array().unwrap().len(), 1);
    let mut expected = first;
    expected.push("CNAME".into());
    expected.sort();
    assert_eq!(files(&at.join("www")), expected, "nothing is removed, and nothing half-written stays");
}

#[cfg(unix)]
#[test]
fn linked_tables_are_the_files_themselves() {
    use std::os::unix::fs::MetadataExt;
    let folder = ground();
    let at = folder.path();
    run(at, "site --out www tables/yard.dtb").done();
    let number = |path: &str| fs::metadata(at.join(path)).unwrap().ino();
    assert_ne!(number("www/tables/yard.dtb"), number("tables/yard.dtb"));
    for _ in 0..2 {
        run(at, "site --out www tables/yard.dtb --link").done();
        assert_eq!(number("www/tables/yard.dtb"), number("tables/yard.dtb"));
        assert!(files(&at.join("www/tables")).len() == 2);
    }
    // A site of its own tables.
    run(at, "site --out www www/tables/yard.dtb").done();
    assert_eq!(
        fs::read(at.join("www/tables/yard.dtb")).unwrap(),
        fs::read(at.join("tables/yard.dtb")).unwrap()
    );
}

#[test]
fn nothing_is_written_of_what_cannot_be_shown() {
    let folder = ground();
    let at = folder.path();
    let whole = fs::read(at.join("tables/yard.dtb")).unwrap();
    fs::write(at.join("short.dtb"), &whole[..whole.len() - 1]).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() - 20] ^= 4;
    fs::write(at.join("flipped.dtb"), &flipped).unwrap();
    fs::write(at.join("letter.txt"), "Dear reader").unwrap();
    fs::create_dir(at.join("empty")).unwrap();
    fs::create_dir(at.join("more")).unwrap();
    fs::copy(at.join("tables/yard.dtb"), at.join("more/yard.dtb")).unwrap();
    run(at, "site --out www tables short.dtb").failed(2, &["short.dtb", "cut short"]);
    run(at, "site --out www tables flipped.dtb").failed(2, &["flipped.dtb", "damaged"]);
    run(at, "site --out www tables letter.txt")
        .failed(2, &["letter.txt", "expected a table, a board or a graph"]);
    fs::write(at.join("program"), b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0").unwrap();
    let text = "program: expected a table, a board or a graph, found bytes that are no text\n";
    run(at, "site --out www program").failed(2, &[text]);
    run(at, "site --out www empty").failed(2, &["expected tables", "empty"]);
    run(at, "site --out www tables more/yard.dtb").failed(2, &["tables/yard.dtb", "more/yard.dtb"]);
    run(at, "site --out www gone.dtb").failed(3, &["gone.dtb"]);
    assert!(!at.join("www").exists());
    run(at, "site --out tables yard.txt").failed(2, &["tables", "expected an empty folder"]);
    run(at, "site --out yard.txt tables").failed(2, &["yard.txt", "expected a folder"]);
    run(at, "site tables").misused(&["--out"]);
    run(at, "site --out www").misused(&["FILE or DIR"]);
}

#[test]
fn names_with_odd_characters_have_addresses() {
    let folder = ground();
    let at = folder.path();
    let name = "100% #1? ü";
    fs::create_dir_all(at.join("deep/down")).unwrap();
    fs::copy(at.join("tables/yard.dtb"), at.join(format!("deep/down/{name}.dtb"))).unwrap();
    run_arguments(at, &["site", "--out", "www", "deep"], b"").done();
    let item = &json(&at.join("www/catalogue.json"))["items"][0];
    assert_eq!(item["name"], format!("down/{name}"));
    assert_eq!(item["url"], "tables/down/100%25%20%231%3F%20%C3%BC.dtb");
    assert!(at.join(format!("www/tables/down/{name}.dtb")).is_file());
    let page = fs::read_to_string(at.join("www/report.html")).unwrap();
    assert!(page.contains("href=\"index.html#1/table/down%2F100%25%20%231%3F%20%C3%BC?police="), "{page}");
}

#[test]
fn the_report_of_a_site_links_to_its_positions() {
    let folder = ground();
    let at = folder.path();
    run(at, "site --out www tables/yard.dtb --title Yards").done();
    let page = fs::read_to_string(at.join("www/report.html")).unwrap();
    assert!(page.contains("<h1>Yards</h1>") && page.contains("href=\"tables/yard.dtb\""));
    assert!(!page.contains(at.to_str().unwrap()), "a page for others has no path of this machine");
    let stats = json(&at.join("www/tables/yard.stats.json"));
    let longest = &stats["longest_examples"]["police"];
    let cell = |cell: &Json| format!("{},{}", cell[0], cell[1]);
    let link = format!(
        "index.html#1/table/yard?police={}&amp;thief={}&amp;turn={}",
        cell(&longest["police"]),
        cell(&longest["thief"]),
        longest["turn"].as_str().unwrap()
    );
    assert!(page.contains(&link), "{link}");
    assert!(!page.contains("dragnet view"));
}

#[test]
fn a_report_links_to_an_application_or_has_commands() {
    let folder = ground();
    let at = folder.path();
    fs::create_dir(at.join("my tables")).unwrap();
    fs::copy(at.join("tables/yard.dtb"), at.join("my tables/yard.dtb")).unwrap();
    run_arguments(at, &["report", "my tables", "--out", "page"], b"").done();
    let page = fs::read_to_string(at.join("page/report.html")).unwrap();
    assert!(page.contains("<code class=\"command\">dragnet view 'my tables/yard.dtb' --police "), "{page}");
    assert!(!page.contains("#1/table"), "no link leads to an application that is not there");
    run_arguments(at, &["report", "my tables", "--out", "page", "--app", "http://localhost:9/"], b"").done();
    let page = fs::read_to_string(at.join("page/report.html")).unwrap();
    assert!(page.contains("href=\"http://localhost:9/#1/table/yard?police="), "{page}");
    assert!(!page.contains("dragnet view"));
}
