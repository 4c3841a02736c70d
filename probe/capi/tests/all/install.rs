//! The installation works, and the commands and programs of README.md run as they are written.

use crate::support::{CRATE, compile, run};
use std::{fs, io::Write as _, os::unix::fs::symlink, path::Path, process::Command};
use tempfile::TempDir;

/// Returns the code blocks of README.md in a language.
fn blocks(language: &str) -> Vec<String> {
    let page = fs::read_to_string(Path::new(CRATE).join("README.md")).unwrap();
    let opening = format!("```{language}\n");
    page.split(&opening).skip(1).map(|rest| rest.split_once("```").unwrap().0.to_owned()).collect()
}

/// Creates a folder with links to the repository, so that a test writes nothing into the repository itself.
fn repository() -> TempDir {
    let folder = TempDir::new().unwrap();
    let real = Path::new(CRATE).join("../..").canonicalize().unwrap();
    for name in ["probe", "formats"] {
        symlink(real.join(name), folder.path().join(name)).unwrap();
    }
    folder
}

/// Returns a shell in the folder that builds with the profile and the target folder of these tests.
fn shell(folder: &TempDir) -> Command {
    let mut shell = Command::new("sh");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    shell.current_dir(folder.path()).env("CARGO_TARGET_DIR", target).env("CARGO_NET_OFFLINE", "true");
    shell.env("DRAGNET_PROFILE", if cfg!(debug_assertions) { "dev" } else { "release" });
    shell.arg("-euc");
    shell
}

/// Returns whether a program is installed; if not, says that the test is skipped.
fn is_installed(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        let mut stderr = std::io::stderr();
        writeln!(stderr, "skipped in part: no {program}").unwrap();
    }
    found
}

/// Returns whether programs can be linked with a static C library.
fn has_static_library(folder: &TempDir) -> bool {
    let source = folder.path().join("empty.c");
    fs::write(&source, "int main(void) { return 0; }\n").unwrap();
    let mut command = compile(&source, "c11").unwrap();
    let built = command.arg("-static").arg("-o").arg(folder.path().join("empty")).output().unwrap();
    if !built.status.success() {
        let mut stderr = std::io::stderr();
        writeln!(stderr, "skipped in part: no static C library").unwrap();
    }
    built.status.success()
}

#[test]
fn the_commands_and_programs_of_the_readme_run_as_they_are_written() {
    if !(is_installed("pkg-config") && is_installed("c++")) {
        return;
    }
    let folder = repository();
    let mut script = String::new();
    let with_static = has_static_library(&folder);
    let with_cmake = is_installed("cmake");
    for line in blocks("sh").concat().lines().filter(|line| !line.starts_with("cargo test")) {
        let of_cmake = line.starts_with("cmake ") || line.starts_with("build/");
        if (with_static || !line.starts_with("cc -static")) && (with_cmake || !of_cmake) {
            script.push_str(&format!("{line}\n"));
        }
    }
    for (language, compiler) in [("c", "cc"), ("cpp", "c++ -std=c++17")] {
        for (i, block) in blocks(language).iter().enumerate() {
            let name = format!("page-{i}.{language}");
            fs::write(folder.path().join(&name), block).unwrap();
            script.push_str(&format!(
                "{compiler} -o page {name} $(pkg-config --cflags --libs dragnet)\n./page\n"
            ));
        }
    }
    if with_static {
        script
            .push_str("LD_LIBRARY_PATH= ./ask-static $table >static.txt\n./ask $table | cmp - static.txt\n");
    }
    let printed = run(shell(&folder).arg(script), "");
    assert!(printed.contains(&format!("\n{}\n", env!("CARGO_PKG_VERSION"))), "{printed}");
    let promised = blocks("text");
    assert!(promised.len() > 3);
    for text in &promised {
        assert!(printed.contains(text), "{text}\nis not in\n{printed}");
    }
    assert_eq!(printed.matches(&promised[3]).count(), 2, "in C and in C++:\n{printed}");
}

#[test]
fn destdir_is_the_root_of_the_installation() {
    let folder = repository();
    let script = "DESTDIR=$PWD/root probe/capi/install.sh /opt/games\n\
                  grep -x prefix=/opt/games root/opt/games/lib/pkgconfig/dragnet.pc\n\
                  test -f root/opt/games/include/dragnet.hpp -a -f root/opt/games/lib/libdragnet.a\n\
                  test -f root/opt/games/lib/libdragnet.so\n\
                  ! probe/capi/install.sh\n\
                  ! probe/capi/install.sh --help\n";
    run(shell(&folder).arg(script), "");
}
