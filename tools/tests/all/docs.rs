//! The pages of the documentation, run as they stand.
//!
//! Every page is run in a scratch folder of its own, which begins with the files that the pages show (`$ cat
//! FILE`). What a block is decides how it is checked:
//!
//! | block | check |
//! |---|---|
//! | `console` | each command is run by a shell; its output is the one shown |
//! | `toml` | it parses; if its first line is `# NAME.toml`, later commands find it under that name |
//! | `text` | a record of a long run: `dragnet` accepts the options of each command, which is not run |
//! | `rust` | the page is part of the doc tests of a crate |
//! | `sh` | each line stands in [`ELSEWHERE`] |
//!
//! In outputs a line `…` stands for any lines. Times and rates may differ, and with them the blanks of their
//! lines.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
};

/// The lines of `sh` blocks, and who runs them.
const ELSEWHERE: [(&str, &str); 10] = [
    ("cargo run --release -- generate", "`.ci/run`, with --locked and a scratch folder"),
    ("cargo test --workspace", "`.ci/run`, with --locked"),
    ("export PATH=\"$PWD/target/release:$PATH\"", "the tests have the program on their path, too"),
    ("dragnet view tables", "tests of `view` run the program"),
    ("cargo run --release -p getaway", "tests of getaway run the program"),
    (
        "cargo build --profile dist -p dragnet-generator --example plain_officers",
        "`.ci/run` builds the examples",
    ),
    ("cargo build --profile dist -p dragnet --example server_load", "`.ci/run` builds the examples"),
    ("target/dist/dragnet serve tables &", "tests of the server run the program"),
    (
        "target/dist/examples/server_load 127.0.0.1:4747 tables/random-32x32.dtb",
        "a test of the server runs the example",
    ),
    ("tools/bench/graph.py target/dist/dragnet --repeat 3 > tools/bench/graph.json", "takes minutes"),
];

/// Pages whose Rust is compiled by doc tests: where they are included.
const DOC_TESTED: [(&str, &str); 5] = [
    ("README.md", "probe/src/lib.rs"),
    ("formats/README.md", "formats/src/lib.rs"),
    ("generator/README.md", "generator/src/lib.rs"),
    ("probe/README.md", "probe/src/lib.rs"),
    ("tools/maps/README.md", "tools/maps/src/lib.rs"),
];

/// Pictures in `tools/docs`, and the pages whose commands make them again.
const PICTURES: [(&str, &str); 2] = [("chase.svg", "README.md"), ("museum.svg", "tools/docs/stealth.md")];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// A fenced block of a page.
struct Block {
    language: String,
    /// The number of its first line, after the fence.
    line: usize,
    text: String,
}

/// A page, by its path below the root of the repository.
struct Page {
    name: String,
    blocks: Vec<Block>,
}

/// A command of a `console` block.
struct Step<'a> {
    line: usize,
    command: String,
    expected: Vec<&'a str>,
}

impl Page {
    fn read(name: String) -> Page {
        let text = fs::read_to_string(root().join(&name)).unwrap();
        let (mut blocks, mut open): (Vec<Block>, bool) = (Vec::new(), false);
        for (number, line) in text.lines().enumerate() {
            match (line.strip_prefix("```"), open) {
                (Some(language), false) => {
                    let language = language.split(',').next().unwrap().to_owned();
                    blocks.push(Block { language, line: number + 2, text: String::new() });
                    open = true;
                }
                (Some(_), true) => open = false,
                (None, true) => writeln!(blocks.last_mut().unwrap().text, "{line}").unwrap(),
                (None, false) => {}
            }
        }
        assert!(!open, "{name}: a block has no end");
        Page { name, blocks }
    }

    /// Returns the pages that have blocks to be checked. The READMEs of the other languages have tests of
    /// their own.
    fn all() -> Vec<Page> {
        let more = [
            ".github/CONTRIBUTING.md",
            "tools/README.md",
            "tools/fuzz/README.md",
            "probe/examples/getaway/README.md",
        ];
        let mut names: Vec<String> = more
            .into_iter()
            .chain(DOC_TESTED.map(|(page, _)| page))
            .map(str::to_owned)
            .filter(|name| root().join(name).is_file())
            .collect();
        for entry in fs::read_dir(root().join("tools/docs")).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".md") {
                names.push(format!("tools/docs/{name}"));
            }
        }
        names.sort();
        names.dedup();
        names.into_iter().map(Page::read).collect()
    }
}

impl Block {
    fn steps(&self) -> Vec<Step<'_>> {
        let mut steps: Vec<Step> = Vec::new();
        for (number, line) in self.text.lines().enumerate() {
            match (line.strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => {
                    let command = command.to_owned();
                    steps.push(Step { line: self.line + number, command, expected: Vec::new() });
                }
                (None, Some(last)) if last.command.ends_with('\\') => {
                    last.command.truncate(last.command.len() - 1);
                    last.command.push_str(line.trim_start());
                }
                (None, Some(last)) => last.expected.push(line),
                (None, None) => panic!("line {}: output without a command", self.line + number),
            }
        }
        steps
    }
}

/// The name of the file that a command shows whole.
fn shown(command: &str) -> Option<&str> {
    command.strip_prefix("cat ").filter(|name| !name.contains(char::is_whitespace))
}

/// The files that the pages show, by their names.
fn shown_files(pages: &[Page]) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for page in pages {
        for block in page.blocks.iter().filter(|block| block.language == "console") {
            for step in block.steps() {
                if let Some(name) = shown(&step.command) {
                    let text = step.expected.iter().map(|line| format!("{line}\n")).collect::<String>();
                    let other = files.insert(name.to_owned(), text.clone());
                    assert!(
                        other.is_none_or(|other| other == text),
                        "{}:{}: {name} twice",
                        page.name,
                        step.line
                    );
                }
            }
        }
    }
    files
}

/// A line of an output without what differs from run to run: numbers before a unit of time or before `per
/// second`, and then the number of spaces in the line.
fn lasting(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_number = |word: &str| {
        let word = word.trim_start_matches('(');
        word.starts_with(|c: char| c.is_ascii_digit())
            && word.chars().all(|c| c.is_ascii_digit() || ".,".contains(c))
    };
    let mut lasting: Vec<&str> = Vec::new();
    for (i, &word) in words.iter().enumerate() {
        let unit = words.get(i + 1).map_or("", |unit| unit.trim_end_matches([',', ';', ')', ':']));
        let passing = ["ns", "us", "ms", "s", "per"].contains(&unit) && is_number(word);
        lasting.push(if passing { "N" } else { word });
    }
    if lasting == words { line.trim_end().to_owned() } else { lasting.join(" ") }
}

/// Whether an output is the expected one, in which `…` stands for any lines.
fn agrees(expected: &[String], found: &[String]) -> bool {
    match expected.split_first() {
        None => found.is_empty(),
        Some((first, rest)) if first == "…" => {
            (0..=found.len()).any(|skipped| agrees(rest, &found[skipped..]))
        }
        Some((first, rest)) => found.first() == Some(first) && agrees(rest, &found[1..]),
    }
}

/// Runs commands one after another in one folder.
struct Shell {
    folder: PathBuf,
    path: String,
    status: i32,
}

impl Shell {
    fn new(folder: &Path) -> Shell {
        let programs = Path::new(env!("CARGO_BIN_EXE_dragnet")).parent().unwrap();
        let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
        Shell { folder: folder.to_owned(), path, status: 0 }
    }

    /// Runs a command, in which `$?` is the status of the command before, and returns its output.
    fn run(&mut self, command: &str) -> String {
        let script = format!("{{ (exit {}); {command}\n}} 2>&1", self.status);
        let output = Command::new("sh")
            .args(["-c", &script])
            .current_dir(&self.folder)
            .env("PATH", &self.path)
            .output()
            .unwrap();
        self.status = output.status.code().unwrap_or(-1);
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn has(&mut self, program: &str) -> bool {
        Command::new("sh")
            .args(["-c", &format!("command -v {program}")])
            .env("PATH", &self.path)
            .output()
            .unwrap()
            .status
            .success()
    }
}

/// Runs the commands of a page; returns what is wrong.
fn run(page: &Page, files: &BTreeMap<String, String>) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let mut shell = Shell::new(folder.path());
    let mut wrong = Vec::new();
    for block in &page.blocks {
        let place = format!("{}:{}", page.name, block.line);
        match block.language.as_str() {
            "console" => {
                for step in block.steps() {
                    let place = format!("{}:{}: {}", page.name, step.line, step.command);
                    let program = step.command.split_whitespace().next().unwrap();
                    if !shell.has(program) {
                        let mut stderr = std::io::stderr();
                        writeln!(stderr, "skipped in part: {place}: there is no {program}").unwrap();
                        continue;
                    }
                    let output = shell.run(&step.command);
                    let found: Vec<String> = output.lines().map(lasting).collect();
                    let expected: Vec<String> = step.expected.iter().map(|line| lasting(line)).collect();
                    if !agrees(&expected, &found) {
                        let expected = step.expected.join("\n");
                        wrong.push(format!("{place}\nexpected\n{expected}\nfound\n{output}"));
                    }
                    let may_fail = step.expected.iter().any(|line| line.starts_with("error: "));
                    if shell.status != 0 && !may_fail {
                        wrong.push(format!("{place}: exit status {}", shell.status));
                    }
                }
            }
            "toml" => {
                if let Err(error) = block.text.parse::<toml::Table>() {
                    wrong.push(format!("{place}: {error}"));
                }
                let name = block.text.lines().next().and_then(|line| line.strip_prefix("# "));
                if let Some(name) = name.filter(|name| name.ends_with(".toml")) {
                    fs::write(folder.path().join(name), &block.text).unwrap();
                }
            }
            "text" => {
                for line in block.text.lines().filter_map(|line| line.strip_prefix("$ dragnet ")) {
                    // Help is printed only if all words before it are understood.
                    let output = shell.run(&format!("dragnet {} --help", line.split(" > ").next().unwrap()));
                    if shell.status != 0 {
                        wrong.push(format!("{place}: {line}\n{output}"));
                    }
                }
            }
            "rust" => {
                let include = DOC_TESTED.iter().find(|(name, _)| *name == page.name);
                let tested = include.is_some_and(|(name, file)| {
                    let text = fs::read_to_string(root().join(file)).unwrap();
                    let end = name.rsplit_once('/').map_or("../../README.md", |_| "../README.md");
                    text.contains(&format!("include_str!(\"{end}\")"))
                });
                if !tested {
                    wrong.push(format!("{place}: no crate takes this page into its doc tests"));
                }
            }
            "sh" => {
                for line in block.text.lines() {
                    let line = line.split("  #").next().unwrap().trim();
                    if !line.is_empty() && !ELSEWHERE.iter().any(|(known, _)| *known == line) {
                        wrong.push(format!("{place}: `{line}` is run nowhere"));
                    }
                }
            }
            "python" => {
                let tests = fs::read_to_string(root().join("generator/python/tests/test_rules.py")).unwrap();
                if !tests.contains(page.name.rsplit('/').next().unwrap()) {
                    wrong.push(format!("{place}: no test of Python runs this page"));
                }
            }
            other => {
                wrong.push(format!(
                    "{place}: expected console, toml, text, rust, sh or python, found {other:?}"
                ));
            }
        }
    }
    for (picture, _) in PICTURES {
        if let Ok(made) = fs::read(folder.path().join(picture))
            && made != fs::read(root().join("tools/docs").join(picture)).unwrap()
        {
            wrong.push(format!("{}: tools/docs/{picture} is not the picture that is made here", page.name));
        }
    }
    wrong
}

#[test]
fn every_block_of_the_documentation_holds() {
    let pages = Page::all();
    let files = shown_files(&pages);
    let wrong: Vec<String> = pages.iter().flat_map(|page| run(page, &files)).collect();
    assert!(wrong.is_empty(), "{} faults\n\n{}", wrong.len(), wrong.join("\n\n"));
    let commands: usize = pages
        .iter()
        .flat_map(|page| &page.blocks)
        .filter(|block| block.language == "console")
        .map(|block| block.steps().len())
        .sum();
    assert!(commands > 40, "only {commands} commands were found");
    for (picture, name) in PICTURES {
        let page = pages.iter().find(|page| page.name == name).unwrap();
        let makes = page.blocks.iter().any(|block| block.text.contains(&format!("--svg {picture}")));
        assert!(makes, "no command of {name} makes {picture}");
    }
}

/// Returns the anchor that a heading gets on a page.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let mut links = 0;
    for page in Page::all() {
        let path = root().join(&page.name);
        let text = fs::read_to_string(&path).unwrap();
        for target in text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            if target.contains("://") {
                continue;
            }
            let (file, heading) =
                target.split_once('#').map_or((target, None), |(file, part)| (file, Some(part)));
            let file = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            assert!(file.exists(), "{}: the link {target} leads nowhere", page.name);
            if let Some(heading) = heading {
                let text = fs::read_to_string(&file).unwrap();
                let mut headings = text.lines().filter(|line| line.starts_with('#'));
                let found = headings.any(|line| anchor(line.trim_start_matches('#').trim()) == heading);
                assert!(found, "{}: there is no heading for {target}", page.name);
            }
            links += 1;
        }
    }
    assert!(links > 20, "only {links} links were found");
}

#[test]
fn every_path_that_the_guide_for_contributors_names_exists() {
    let text = fs::read_to_string(root().join(".github/CONTRIBUTING.md")).unwrap();
    let words = text.split('`').skip(1).step_by(2);
    let is_path =
        |word: &&str| word.contains('/') && !word.contains([' ', '*', ':', '(']) && !word.starts_with("..");
    let paths: Vec<&str> = words.filter(is_path).collect();
    assert!(paths.len() > 40, "only {} paths were found", paths.len());
    for path in paths {
        assert!(root().join(path).exists(), "{path} is named, and is not there");
    }
}

#[test]
fn the_two_commands_are_run_by_ci() {
    let script = fs::read_to_string(root().join(".ci/run")).unwrap().replace(" --locked", "");
    for (command, _) in &ELSEWHERE[..2] {
        assert!(script.lines().any(|line| line.trim_start().starts_with(command)), "`{command}` is not run");
    }
}

#[test]
fn times_and_rates_are_all_that_may_differ() {
    assert_eq!(lasting("a  1,200 positions  3.25 s"), lasting("a 1,200  positions 0.01 s"));
    assert_eq!(lasting("right, 10,044 per second"), lasting("right, 9 per second"));
    assert_ne!(lasting("1.96 KiB"), lasting("1.97 KiB"));
    assert_ne!(lasting("move  outcome"), lasting("move outcome"));
    assert_ne!(lasting("in 12 plies"), lasting("in 13 plies"));
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(agrees(&lines("a\n…\nd"), &lines("a\nb\nc\nd")));
    assert!(!agrees(&lines("a\n…\nd"), &lines("a\nb\nc")));
    assert!(!agrees(&lines("a"), &lines("a\nb")));
}
