//! Helpers that build the library, compile programs with it, and run them.

#![allow(dead_code, reason = "the test of layouts is a program of its own, and uses its part")]

use std::{
    collections::BTreeMap,
    env,
    ffi::OsStr,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::{Mutex, OnceLock},
};
use tempfile::TempDir;

/// The folder of this crate.
pub(crate) const CRATE: &str = env!("CARGO_MANIFEST_DIR");

/// The way in which a program is linked with the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Linkage {
    Static,
    Shared,
}

/// The library as the profile of this run builds it.
pub(crate) struct Library {
    /// The folder of the library's files, under the names that linkers and loaders look for.
    pub(crate) folder: TempDir,
    /// The linker options that the archive needs.
    native: Vec<String>,
}

/// Returns the library, which is built once in each test program.
pub(crate) fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let folder = TempDir::new().unwrap();
        for file in build() {
            match file.extension().and_then(OsStr::to_str) {
                Some("a") => fs::copy(&file, folder.path().join("libdragnet.a")).unwrap(),
                Some("so") => {
                    fs::copy(&file, folder.path().join("libdragnet.so")).unwrap();
                    let (major, minor) = (env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"));
                    let name = if major == "0" {
                        format!("libdragnet.so.0.{minor}")
                    } else {
                        format!("libdragnet.so.{major}")
                    };
                    fs::copy(&file, folder.path().join(name)).unwrap()
                }
                _ => continue,
            };
        }
        // The list that rustc prints for this system is tested by the installation.
        let native = ["-lm", "-lpthread", "-ldl"].map(str::to_owned).to_vec();
        Library { folder, native }
    })
}

/// Builds the library in the target folder of this test, and returns its files.
fn build() -> Vec<PathBuf> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--locked", "--offline", "--lib", "--message-format=json"]).current_dir(CRATE);
    cargo.arg("--target-dir").arg(target);
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    let output = cargo.stderr(Stdio::inherit()).output().unwrap();
    assert!(output.status.success(), "the library does not build");
    let files = output.stdout.split(|&byte| byte == b'\n').filter_map(|line| {
        let message: serde_json::Value = serde_json::from_slice(line).ok()?;
        let of_library = message["reason"] == "compiler-artifact" && message["target"]["name"] == "dragnet";
        of_library.then(|| message["filenames"].as_array().cloned()).flatten()
    });
    files.flatten().filter_map(|file| file.as_str().map(PathBuf::from)).collect()
}

/// Returns the compiler that the environment variable or the usual name says, if it is installed.
fn compiler(variable: &str, usual: &str) -> Option<String> {
    let name = env::var(variable).unwrap_or_else(|_| usual.to_owned());
    let there = Command::new(&name).arg("--version").output().is_ok_and(|output| output.status.success());
    if !there {
        let mut stderr = std::io::stderr();
        writeln!(stderr, "skipped in part: no {name}").unwrap();
    }
    there.then_some(name)
}

/// Returns a command that compiles a file of this crate in C or C++, by its extension. Returns `None`, and
/// says so, if there is no C++ compiler. A C compiler is required.
pub(crate) fn compile(source: &Path, standard: &str) -> Option<Command> {
    let cpp = source.extension().is_some_and(|extension| extension == "cpp" || extension == "hpp");
    let name = if cpp { compiler("CXX", "c++")? } else { compiler("CC", "cc").expect("a C compiler") };
    let mut command = Command::new(name);
    command.args([&format!("-std={standard}"), "-g", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]);
    command.arg("-I").arg(Path::new(CRATE).join("include")).arg(source);
    Some(command)
}

/// Returns a program of this crate, compiled once with the library. Returns `None`, and says so, if there is
/// no compiler.
pub(crate) fn program(source: &str, linkage: Linkage, flags: &[&str]) -> Option<PathBuf> {
    // Held while compiling, since a program that is being written cannot be run.
    static PROGRAMS: Mutex<BTreeMap<PathBuf, bool>> = Mutex::new(BTreeMap::new());
    let source = Path::new(CRATE).join(source);
    let name = source.file_name().unwrap().to_str().unwrap().replace('.', "-");
    let program = library().folder.path().join(format!("{name}-{linkage:?}{}", flags.concat()));
    let mut programs = PROGRAMS.lock().unwrap();
    let there = programs.entry(program.clone()).or_insert_with(|| link(&source, linkage, flags, &program));
    there.then_some(program)
}

/// Compiles a program with the library. Returns whether there is a compiler.
fn link(source: &Path, linkage: Linkage, flags: &[&str], program: &Path) -> bool {
    let library = library();
    let cpp = source.extension().is_some_and(|extension| extension == "cpp");
    let Some(mut command) = compile(source, if cpp { "c++17" } else { "c11" }) else { return false };
    command.args(flags).arg("-o").arg(program);
    match linkage {
        Linkage::Static => {
            command.arg(library.folder.path().join("libdragnet.a")).args(&library.native);
        }
        Linkage::Shared => {
            command.arg("-L").arg(library.folder.path()).args(["-ldragnet", "-lpthread"]);
            command.arg(format!("-Wl,-rpath,{}", library.folder.path().display()));
        }
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}\n{}", text(&output.stderr));
    true
}

/// Runs a command with `input`, which must succeed, and returns what it prints.
pub(crate) fn run(command: &mut Command, input: &str) -> String {
    let output = finish(command, input);
    assert!(output.status.success(), "{command:?}: {}\n{}", output.status, text(&output.stderr));
    text(&output.stdout)
}

/// Runs a command with `input`.
pub(crate) fn finish(command: &mut Command, input: &str) -> Output {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // Beside the reading, so that neither side waits for the other for ever.
    let writer = std::thread::spawn(move || {
        // A program that has found an error does not read the rest.
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// Bytes as text.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns the path of a golden table.
pub(crate) fn golden(name: &str) -> PathBuf {
    Path::new(CRATE).join("../../formats/tests/golden").join(name)
}

/// Creates a folder with the golden pursuit tables and a file that is not a table.
pub(crate) fn folder_of_tables() -> TempDir {
    let folder = TempDir::new().unwrap();
    for name in GOLDEN {
        fs::copy(golden(name), folder.path().join(name)).unwrap();
    }
    fs::write(folder.path().join("other.dtb"), "no table at all").unwrap();
    folder
}

/// The golden pursuit tables: optimised for size and for speed, with two officers on squares and on a graph,
/// of a board with doors, and of two guards whose lights turn.
pub(crate) const GOLDEN: [&str; 6] =
    ["v2-size.dtb", "v2-speed.dtb", "v2-team.dtb", "v2-cops.dtb", "v2-doors.dtb", "v2-searchlights.dtb"];

/// The golden game table.
pub(crate) const GAME: &str = "v2-graph.dtb";

/// Returns the header without its comments.
pub(crate) fn header() -> String {
    let header = fs::read_to_string(Path::new(CRATE).join("include/dragnet.h")).unwrap();
    let mut parts = header.split("/*");
    let first = parts.next().unwrap().to_owned();
    first + &parts.map(|part| part.split_once("*/").unwrap().1).collect::<String>()
}

/// Returns a text with single spaces.
pub(crate) fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the name in C of a type of `src`.
pub(crate) fn c_type(rust: &str) -> String {
    let (outer, inner) =
        rust.split_once('<').map_or((rust, ""), |(outer, inner)| (outer, &inner[..inner.len() - 1]));
    let pointer = |to: String| if to.ends_with('*') { to + "*" } else { to + " *" };
    match outer {
        "In" if inner.starts_with("In<") => c_type(inner) + "const *",
        "In" | "Handle" => pointer(format!("const {}", c_type(inner))),
        "Out" | "Owned" => pointer(c_type(inner)),
        "*const c_char" => "const char *".to_owned(),
        "c_char" => "char".to_owned(),
        "usize" => "size_t".to_owned(),
        "u8" | "u16" | "u32" | "u64" => format!("uint{}_t", &outer[1..]),
        "i32" => "int32_t".to_owned(),
        "AnyTable" => "dragnet_table".to_owned(),
        name => {
            let mut snake = "dragnet".to_owned();
            for letter in name.chars() {
                if letter.is_uppercase() {
                    snake.push('_');
                }
                snake.extend(letter.to_lowercase());
            }
            snake
        }
    }
}

/// Runs a command that must succeed.
pub(crate) fn check(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}\n{}", text(&output.stderr));
}
