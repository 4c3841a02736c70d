//! The page of a report in a browser: nothing is cut off on a phone or on a desk, links lead to the tables,
//! and filtering and sorting work. Skipped, with a line that says so, where there is no Chromium.

use crate::support::run;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value as Json;
use std::{
    fs,
    io::{Write, stderr},
    path::Path,
    process::Command,
    time::Duration,
};

/// A browser that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs in the page: measures it, uses it, and tells the page around it what was found.
const MEASURE: &str = r#"<script>{
for (const part of document.querySelectorAll("details")) part.open = true;
const named = (part) => part.outerHTML.slice(0, 120);
// Text that a browser would clip or that stands beyond the edge of the window.
const isCut = (part) => {
  const { right, left, width } = part.getBoundingClientRect();
  if (width === 0) return false;
  const inside = getComputedStyle(part).display !== "inline" && !part.closest("svg");
  return right > document.documentElement.clientWidth + 0.5 || left < -0.5 || (inside && part.scrollWidth > part.clientWidth + 1);
};
const cut = [...document.querySelectorAll("body *:not(script)")].filter(isCut).map(named);
const shown = () => [...document.querySelectorAll(".boards tbody tr")].filter((row) => row.offsetHeight > 0);
const names = () => shown().map((row) => row.cells[1].dataset.v);
const all = shown().length;
const [, byName, bySize] = document.querySelectorAll(".boards thead button");
byName.click();
const risingNames = names();
byName.click();
const fallingNames = names();
bySize.click();
const largest = names()[0];
const search = document.querySelector("[type=search]");
search.value = "open";
search.dispatchEvent(new Event("input"));
const filtered = names();
const root = document.documentElement;
const found = {
  width: innerWidth, scrollWidth: root.scrollWidth, clientWidth: root.clientWidth, cut, all, risingNames,
  fallingNames, largest, filtered,
  heads: [...document.querySelectorAll(".boards thead th")].filter((head) => head.offsetWidth > 0).length,
  links: [...document.querySelectorAll("a")].map((link) => decodeURIComponent(new URL(link.href).pathname)),
  runs: document.querySelectorAll(".runs tbody tr").length,
  text: document.body.textContent,
};
parent.postMessage(btoa(unescape(encodeURIComponent(JSON.stringify(found)))), "*");
}</script>"#;

/// Returns the name of a Chromium that runs, or says that the test is skipped.
fn chromium() -> Option<String> {
    let given = std::env::var("CHROMIUM").ok();
    let names = given.into_iter().chain(["chromium", "chromium-browser", "google-chrome"].map(str::to_owned));
    let runs =
        |name: &String| Command::new(name).arg("--version").output().is_ok_and(|ran| ran.status.success());
    let found = names.into_iter().find(runs);
    if found.is_none() {
        // Not println: cargo hides what a test that passes prints.
        let mut stderr = stderr();
        writeln!(stderr, "skipped: there is no chromium").unwrap();
    }
    found
}

/// Opens the page in `folder` in a frame of `width` pixels, since a window is never narrower than about 500,
/// and returns what [`MEASURE`] finds.
fn measured(chromium: &str, folder: &Path, width: u32) -> Json {
    let page = fs::read_to_string(folder.join("report.html")).unwrap();
    let page = page.replace("</body>", &format!("{MEASURE}</body>"));
    assert!(page.contains(MEASURE));
    fs::write(folder.join("measured.html"), page).unwrap();
    let around = format!(
        "<!DOCTYPE html><meta charset=utf-8><pre></pre><script>onmessage = (event) => document.querySelector('pre').textContent = event.data</script>\
        <iframe src=measured.html style='width:{width}px;height:900px;border:0'></iframe>"
    );
    let frame = folder.join("frame.html");
    fs::write(&frame, around).unwrap();
    let profile = tempfile::tempdir().unwrap();
    let output = assert_cmd::Command::new(chromium)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--window-size=1800,1000",
            "--virtual-time-budget=20000",
        ])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg("--dump-dom")
        .arg(format!("file://{}", frame.display()))
        .timeout(PATIENCE)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let found = text.split_once("<pre>").and_then(|(_, rest)| Some(rest.split_once("</pre>")?.0));
    let found = found.filter(|found| !found.is_empty());
    let found = found.unwrap_or_else(|| panic!("{text}\n{}", String::from_utf8_lossy(&output.stderr)));
    serde_json::from_slice(&STANDARD.decode(found).unwrap()).unwrap()
}

/// Checks that the page in `folder` shows all of itself on phones, on a tablet and on desks, at both sides of
/// the width at which the table turns into cards. Returns what was found last.
fn check_widths(chromium: &str, folder: &Path) -> Json {
    let mut last = Json::Null;
    for width in [320, 390, 800, 1179, 1180, 1280, 1600] {
        let found = measured(chromium, folder, width);
        assert_eq!(found["width"], width);
        assert!(found["scrollWidth"].as_u64() <= found["clientWidth"].as_u64(), "{width}: {found:#}");
        assert_eq!(found["cut"], Json::Array(Vec::new()), "{width}");
        last = found;
    }
    last
}

const YARD: &str = "E..\n.#.\n..P\n";

#[test]
fn nothing_of_a_page_is_cut_off_and_its_controls_work() {
    let Some(chromium) = chromium() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().canonicalize().unwrap();
    let long = "a-board-with-a-very-long-name-of-sixty-letters-without-any-space";
    for name in ["50% of <yard> #1", long] {
        fs::write(at.join(format!("{name}.txt")), YARD).unwrap();
    }
    for memory in ["5700 KiB", "1 GiB", "5700 KiB"] {
        let manifest = format!(
            "out = \"t\"\n[limits]\nmemory = \"{memory}\"\n[[boards]]\nfiles = \"*.txt\"\n\
            [[boards]]\nsizes = \"60x60\"\n[[boards]]\nsizes = \"3x3..3x9\"\n\
            [[boards]]\nmake = \"maze\"\nsize = \"21x21\"\nseeds = \"1..3\"\n"
        );
        fs::write(at.join("batch.toml"), manifest).unwrap();
        let forced = if memory == "1 GiB" { "--quiet" } else { "--force" };
        run(&at, &format!("generate batch.toml {forced}"));
    }
    let found = check_widths(&chromium, &at.join("t"));
    assert_eq!((&found["all"], &found["runs"], &found["heads"]), (&13.into(), &3.into(), &9.into()));
    let names = |key: &str| -> Vec<String> { serde_json::from_value(found[key].clone()).unwrap() };
    let (mut rising, falling) = (names("risingNames"), names("fallingNames"));
    assert_eq!(rising.first().map(String::as_str), Some("50% of <yard> #1"), "{rising:?}");
    rising.reverse();
    assert_eq!(rising, falling);
    assert_eq!(found["largest"], "open-60x60");
    assert_eq!(names("filtered").len(), 8, "{:?}", names("filtered"));
    // The links lead to the tables, whatever their names; the board that was left out has none.
    let links = names("links");
    assert_eq!(links.len(), 12);
    for link in &links {
        assert!(Path::new(link).is_file(), "{link}");
    }
    let text = found["text"].as_str().unwrap();
    for part in
        ["3 runs", "with exit status 3", "finished", "Peak memory", " UTC", "dragnet 0.", "needs about"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_page_of_given_tables_has_no_runs_and_links_to_another_folder() {
    let Some(chromium) = chromium() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().canonicalize().unwrap();
    run(&at, "generate --size 3x3..3x5 --out tables").done();
    run(&at, "report tables --out new/page --title Yards").done();
    let found = check_widths(&chromium, &at.join("new/page"));
    assert_eq!((&found["all"], &found["runs"]), (&3.into(), &0.into()));
    let mut links: Vec<String> = serde_json::from_value(found["links"].clone()).unwrap();
    links.sort();
    let expected = ["03x03", "03x04", "03x05"].map(|size| at.join(format!("tables/open-{size}.dtb")));
    assert_eq!(links, expected.map(|path| path.to_str().unwrap().to_owned()));
}
