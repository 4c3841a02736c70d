//! Has the linker lay what `dragnet generate` runs side by side: see `order/order.py`.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

fn main() {
    let order = Path::new(&variable("CARGO_MANIFEST_DIR")).join("order/order.ld");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={}", order.display());
    if variable("CARGO_CFG_TARGET_OS") == "linux" && variable("PROFILE") == "release" {
        let argument = format!("-Wl,-T,{}", order.display());
        if linker_takes(&argument) {
            println!("cargo:rustc-link-arg-bins={argument}");
        }
    }
}

/// Whether a program can be linked with the argument: not every linker knows how to insert into its own script.
fn linker_takes(argument: &str) -> bool {
    let scratch = PathBuf::from(variable("OUT_DIR"));
    let (source, program) = (scratch.join("linked.rs"), scratch.join("linked"));
    if fs::write(&source, "fn main() {}\n").is_err() {
        return false;
    }
    let flags = variable("CARGO_ENCODED_RUSTFLAGS");
    let mut rustc = Command::new(variable("RUSTC"));
    rustc.args(["--edition", "2024", "--target", &variable("TARGET"), "-o"]).args([&program, &source]);
    rustc.args(flags.split('\x1f').filter(|flag| !flag.is_empty()));
    rustc.args(env::var("RUSTC_LINKER").ok().map(|linker| format!("-Clinker={linker}")));
    rustc.arg(format!("-Clink-arg={argument}")).output().is_ok_and(|output| output.status.success())
}

/// A variable that Cargo sets for build scripts.
fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("expected the variable {name}, which Cargo sets"))
}
