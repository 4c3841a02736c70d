//! Projects of other people find, build and link the library with CMake and pkg-config.

use crate::support::{CRATE, GOLDEN, check, golden, run, text};
use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};
use tempfile::TempDir;

const ANSWER: &str = "0,9 wins in 13 plies\n";

/// Returns whether all programs are installed; if not, says that the test is skipped.
fn are_installed(programs: &[&str]) -> bool {
    let missing = programs.iter().find(|&program| {
        !Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
    });
    if let Some(program) = missing {
        let mut stderr = std::io::stderr();
        writeln!(stderr, "skipped: no {program}").unwrap();
    }
    missing.is_none()
}

/// Returns the Cargo profile and the target folder of these tests.
fn build() -> (&'static str, PathBuf) {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    (if cfg!(debug_assertions) { "dev" } else { "release" }, target.to_owned())
}

/// Runs `install.sh` with arguments.
fn install(arguments: &[&Path]) -> String {
    let (profile, target) = build();
    let mut command = Command::new(Path::new(CRATE).join("install.sh"));
    command.env("CARGO_TARGET_DIR", target).env("CARGO_NET_OFFLINE", "true").env("DRAGNET_PROFILE", profile);
    run(command.args(arguments), "")
}

/// Returns the folder of an installation, which has been moved after the installation.
fn moved() -> PathBuf {
    static PREFIX: OnceLock<TempDir> = OnceLock::new();
    let folder = PREFIX.get_or_init(|| {
        let folder = TempDir::new().unwrap();
        install(&[&folder.path().join("first")]);
        fs::rename(folder.path().join("first"), folder.path().join("second")).unwrap();
        folder
    });
    folder.path().join("second")
}

fn consumer(name: &str) -> PathBuf {
    Path::new(CRATE).join("tests/consumers").join(name)
}

/// Returns the command that configures a consumer in a folder.
fn configure(name: &str, folder: &Path) -> Command {
    let mut command = Command::new("cmake");
    command.arg("-S").arg(consumer(name)).arg("-B").arg(folder);
    command
}

/// Builds a configured consumer and runs its programs in both languages with both libraries.
fn build_and_ask(folder: &Path) {
    check(Command::new("cmake").arg("--build").arg(folder));
    for language in ["c", "cpp"] {
        for (library, needs) in [("shared", true), ("static", false)] {
            let program = folder.join(format!("ask-{language}-{library}"));
            let mut ask = Command::new(&program);
            assert_eq!(run(ask.arg(golden(GOLDEN[0])).env_remove("LD_LIBRARY_PATH"), ""), ANSWER);
            let listed = Command::new("ldd").arg(&program).output().unwrap();
            assert_eq!(text(&listed.stdout).contains("libdragnet"), needs, "{}", program.display());
        }
    }
}

#[test]
fn find_package_finds_an_installation_that_was_moved() {
    if !are_installed(&["cmake", "c++", "ldd"]) {
        return;
    }
    let folder = TempDir::new().unwrap();
    let at = format!("-DCMAKE_PREFIX_PATH={}", moved().display());
    let said = run(configure("find-package", folder.path()).arg(at), "");
    assert!(said.contains(&format!("found Dragnet {}", env!("CARGO_PKG_VERSION"))), "{said}");
    build_and_ask(folder.path());
}

#[test]
fn find_package_refuses_another_interface() {
    if !are_installed(&["cmake", "c++"]) {
        return;
    }
    let (major, minor) = (env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"));
    let own = format!("{major}.{minor}");
    let next: u32 = minor.parse().unwrap();
    let (later, range) = (format!("{major}.{}", next + 1), format!("{own}...<{major}.{}", next + 1));
    let patch = format!("{own}.{}", env!("CARGO_PKG_VERSION_PATCH").parse::<u32>().unwrap() + 1);
    let cases = [(&*own, true), (&range, true), ("", true), (&later, false), (&patch, false), ("99", false)];
    for (version, accepted) in cases {
        let folder = TempDir::new().unwrap();
        let mut command = configure("find-package", folder.path());
        command.arg(format!("-DCMAKE_PREFIX_PATH={}", moved().display()));
        let output = command.arg(format!("-DVERSION={version}")).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.success(), accepted, "{version}: {said}");
        assert!(accepted || said.contains("DragnetConfig.cmake"), "{version}: {said}");
    }
}

#[test]
#[ignore = "builds the library anew; part archives of .ci/run"]
fn add_subdirectory_builds_the_library_with_cargo() {
    if !are_installed(&["cmake", "c++", "ldd"]) {
        return;
    }
    let (profile, target) = build();
    let folder = TempDir::new().unwrap();
    let mut command = configure("subdirectory", folder.path());
    command.arg(format!("-DDRAGNET={}", Path::new(CRATE).join("../..").canonicalize().unwrap().display()));
    command.arg(format!("-DDRAGNET_CARGO_PROFILE={profile}"));
    check(command.arg(format!("-DDRAGNET_CARGO_TARGET_DIR={}", target.display())));
    build_and_ask(folder.path());
}

#[test]
#[ignore = "builds the library anew; part archives of .ci/run"]
fn cmake_installs_the_package_that_install_sh_installs() {
    if !are_installed(&["cmake", "c++", "ldd"]) {
        return;
    }
    let (profile, target) = build();
    let folder = TempDir::new().unwrap();
    let (built, prefix) = (folder.path().join("build"), folder.path().join("prefix"));
    let mut command = Command::new("cmake");
    command.arg("-S").arg(CRATE).arg("-B").arg(&built).arg(format!("-DDRAGNET_CARGO_PROFILE={profile}"));
    check(command.arg(format!("-DDRAGNET_CARGO_TARGET_DIR={}", target.display())));
    check(Command::new("cmake").arg("--build").arg(&built));
    check(Command::new("cmake").arg("--install").arg(&built).arg("--prefix").arg(&prefix));
    for name in ["DragnetConfig.cmake", "DragnetConfigVersion.cmake"] {
        let read = |prefix: &Path| fs::read_to_string(prefix.join("lib/cmake/Dragnet").join(name)).unwrap();
        assert_eq!(read(&prefix), read(&moved()), "{name}");
    }
    let consumer = folder.path().join("consumer");
    check(configure("find-package", &consumer).arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())));
    build_and_ask(&consumer);
}

#[test]
fn cmake_projects_link_either_library_by_pkg_config() {
    if !are_installed(&["cmake", "c++", "ldd", "pkg-config"]) {
        return;
    }
    let folder = TempDir::new().unwrap();
    let prefix = folder.path().join("prefix");
    install(&[&prefix]);
    let built = folder.path().join("build");
    check(configure("pkg-config", &built).env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")));
    build_and_ask(&built);
}

#[test]
fn pkg_config_names_the_library_once() {
    if !are_installed(&["pkg-config"]) {
        return;
    }
    let folder = TempDir::new().unwrap();
    install(&[folder.path()]);
    let cases = [
        (&["--libs", "dragnet"][..], "-ldragnet"),
        (&["--static", "--libs", "dragnet"], "-ldragnet"),
        (&["--libs", "dragnet-static"], "-ldragnet_static"),
        (&["--static", "--libs", "dragnet-static"], "-ldragnet_static"),
    ];
    for (arguments, library) in cases {
        let mut command = Command::new("pkg-config");
        command.env("PKG_CONFIG_PATH", folder.path().join("lib/pkgconfig")).args(arguments);
        let printed = run(&mut command, "");
        let named: Vec<&str> = printed.split_whitespace().filter(|word| word.contains("-ldragnet")).collect();
        assert_eq!(named, [library], "{arguments:?}");
    }
}

#[test]
fn uninstalling_leaves_nothing_but_the_files_of_others() {
    let folder = TempDir::new().unwrap();
    let prefix = folder.path().join("prefix");
    install(&[&prefix]);
    fs::write(prefix.join("lib/other"), "").unwrap();
    let files = || {
        let mut listing = Command::new("find");
        run(listing.arg(&prefix).args(["(", "-type", "f", "-o", "-type", "l", ")"]), "")
    };
    assert!(files().lines().count() > 10, "{}", files());
    install(&[Path::new("--uninstall"), &prefix]);
    assert_eq!(files().trim(), prefix.join("lib/other").display().to_string());
}

#[test]
fn installed_libraries_have_no_debug_lines() {
    if !are_installed(&["readelf", "strip"]) {
        return;
    }
    for library in ["libdragnet.a", "libdragnet.so"] {
        let path = moved().join("lib").join(library);
        let sections = run(Command::new("readelf").args(["--sections", "--wide"]).arg(path), "");
        assert!(sections.contains(".text"), "{library}");
        assert!(!sections.contains(".debug_"), "{library} has debug lines");
    }
}
