//! The command `dragnet`: see the library beside this file.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    dragnet::main()
}
