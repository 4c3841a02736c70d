//! Completions for shells, manual pages, and the commit in the version.

use super::{all_commands, support::run};
use std::{
    fs,
    io::Write as _,
    path::Path,
    process::{Command, Output},
};

/// Runs a program on the files of `folder`. Says so and returns `None` if there is no such program.
fn try_run(folder: &Path, program: &str, arguments: &[&str]) -> Option<Output> {
    match Command::new(program).args(arguments).current_dir(folder).output() {
        Ok(output) => Some(output),
        Err(error) => {
            // Not eprintln, whose output a passing test does not show.
            let mut stderr = std::io::stderr();
            writeln!(stderr, "skipped: {program}: {error}").unwrap();
            None
        }
    }
}

#[test]
fn bash_completes_commands_options_and_their_values() {
    let folder = tempfile::tempdir().unwrap();
    let script = run(folder.path(), "completions bash").done();
    fs::write(folder.path().join("dragnet.bash"), script).unwrap();
    fs::write(folder.path().join("yard.txt"), "..E\n").unwrap();
    let candidates = |line: &str| {
        let ask = format!(
            "source ./dragnet.bash; COMP_WORDS=({line}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1));
             _dragnet dragnet \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\";
             printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        let output = try_run(folder.path(), "bash", &["--norc", "-c", &ask])?;
        assert!(output.status.success() && output.stderr.is_empty(), "{line}: {output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        Some(text.lines().map(str::to_owned).collect::<Vec<String>>())
    };
    let Some(commands) = candidates("dragnet ''") else { return };
    for command in all_commands().iter().filter(|words| words.len() == 1) {
        assert!(commands.contains(&command[0]), "{command:?} in {commands:?}");
    }
    assert_eq!(candidates("dragnet gen").unwrap(), ["generate"]);
    assert_eq!(candidates("dragnet generate --engine ''").unwrap(), ["auto", "counters", "bitboard"]);
    assert_eq!(candidates("dragnet generate --off").unwrap(), ["--officers"]);
    assert_eq!(candidates("dragnet graph sol").unwrap(), ["solve", "solo"]);
    assert_eq!(candidates("dragnet board --to t").unwrap(), ["text"]);
    assert_eq!(candidates("dragnet generate --log ya").unwrap(), ["yard.txt"]);
}

#[test]
fn scripts_for_other_shells_are_read_without_complaint() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(folder.path(), &format!("completions {shell}")).done();
        for word in ["generate", "checkpoints", "--officers", "solve"] {
            let plain = word.trim_start_matches('-');
            assert!(script.contains(plain), "{shell}: {word}");
        }
        fs::write(folder.path().join(shell), script).unwrap();
        if ["bash", "zsh", "fish"].contains(&shell)
            && let Some(output) = try_run(folder.path(), shell, &["-n", shell])
        {
            assert!(output.status.success() && output.stderr.is_empty(), "{shell}: {output:?}");
        }
    }
    run(folder.path(), "completions csh").misused(&["SHELL", "bash", "powershell"]);
}

#[test]
fn every_command_has_a_page() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), "man --out pages").done();
    let pages = folder.path().join("pages");
    assert_eq!(fs::read_dir(&pages).unwrap().count(), all_commands().len());
    assert_eq!(run(folder.path(), "man").done(), fs::read_to_string(pages.join("dragnet.1")).unwrap());
}

/// Compiles the build script alone, runs it in a folder, and returns what the version has behind its number.
fn built_in(folder: &Path, variables: &[(&str, &str)]) -> Option<String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("build.rs");
    let program = folder.join("build-script");
    if !program.exists() {
        let compiled = try_run(
            folder,
            option_env!("RUSTC").unwrap_or("rustc"),
            &["--edition=2024", "-o", program.to_str().unwrap(), script.to_str().unwrap()],
        )?;
        assert!(compiled.status.success(), "{compiled:?}");
    }
    let crate_folder = folder.join("source/tools");
    let output = Command::new(&program)
        .current_dir(&crate_folder)
        .env("CARGO_MANIFEST_DIR", &crate_folder)
        .env_remove("DRAGNET_COMMIT")
        .env_remove("SOURCE_DATE_EPOCH")
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().find_map(|line| Some(line.strip_prefix("cargo::rustc-env=DRAGNET_BUILD=")?.to_owned()))
}

#[test]
fn version_names_the_commit_that_the_build_can_know() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("source");
    fs::create_dir_all(source.join("tools")).unwrap();
    let built = |variables: &[(&str, &str)]| built_in(folder.path(), variables);
    let Some(nothing) = built(&[("GIT_CEILING_DIRECTORIES", folder.path().to_str().unwrap())]) else {
        return;
    };
    assert_eq!(nothing, "");
    let of =
        |epoch| built(&[("DRAGNET_COMMIT", "0123456789ABCDEF0123"), ("SOURCE_DATE_EPOCH", epoch)]).unwrap();
    assert_eq!(of("1795392000"), " (012345678 2026-11-23)");
    assert_eq!(of("951782399"), " (012345678 2000-02-28)");
    assert_eq!(of("951782400"), " (012345678 2000-02-29)");
    assert_eq!(of("951868800"), " (012345678 2000-03-01)");
    assert_eq!(of("1767225599"), " (012345678 2025-12-31)");
    assert_eq!(of("never"), " (012345678)");
    assert_eq!(built(&[("DRAGNET_COMMIT", "v1.0")]).unwrap(), "");
    fs::write(
        source.join("tools/.cargo_vcs_info.json"),
        "{\n \"git\": {\n \"sha1\": \"fedcba9876543210\"\n }\n}",
    )
    .unwrap();
    assert_eq!(built(&[]).unwrap(), " (fedcba987)");

    // A clone, a clone of another project around the crate, and an archive of a commit.
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgSign=false"];
        let output = Command::new("git")
            .args(identity)
            .args(arguments)
            .current_dir(&source)
            .env("GIT_COMMITTER_DATE", "2026-11-22T12:00:00Z")
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    if try_run(folder.path(), "git", &["--version"]).is_none() {
        return;
    }
    fs::write(source.join("tools/COMMIT"), "$Format:%H %cs$\n").unwrap();
    fs::write(source.join(".gitattributes"), "/tools/COMMIT export-subst\n").unwrap();
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "--message", "Begin"]);
    let hash = git(&["rev-parse", "HEAD"]);
    let expected = format!(" ({} 2026-11-22)", &hash[..9]);
    assert_eq!(built(&[]).unwrap(), expected);
    git(&["archive", "--format=tar", "--output=../source.tar", "HEAD"]);
    fs::rename(source.join(".git"), folder.path().join("gone")).unwrap();
    assert_eq!(built(&[]).unwrap(), " (fedcba987)");
    if let Some(unpacked) = try_run(folder.path(), "tar", &["-xf", "source.tar", "-C", "source"]) {
        assert!(unpacked.status.success(), "{unpacked:?}");
        assert_eq!(built(&[]).unwrap(), expected);
        fs::write(source.join("tools/COMMIT"), "$Format:%H %cs$\n").unwrap();
    }
    fs::remove_file(source.join("tools/.cargo_vcs_info.json")).unwrap();
    fs::rename(folder.path().join("gone"), folder.path().join(".git")).unwrap();
    assert_eq!(built(&[]).unwrap(), "", "another project's commit");
}
