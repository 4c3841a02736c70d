//! The corpora: for each target one text file, `corpus/TARGET.cases`, with a line for each case.
//!
//! A line is the name of the case, a tab, and its bytes, escaped as in a byte string of Rust: printable ASCII
//! stands for itself, `\n`, `\r`, `\t`, `\\`, `\'` and `\"` for what they mean in Rust, and `\xNN` for any
//! other byte.

use std::{fs, io, path::PathBuf};

/// A named input of a harness.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Case {
    /// The name: what is wrong with the input, or the 40 hexadecimal digits that libFuzzer gave it.
    pub name: String,
    /// The input.
    pub bytes: Vec<u8>,
}

/// Returns the path of the corpus of `target`.
#[must_use]
pub fn path(target: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus").join(format!("{target}.cases"))
}

/// Reads the corpus of `target`.
///
/// # Errors
/// Returns an error if the file cannot be read or a line of it is no case.
pub fn read(target: &str) -> io::Result<Vec<Case>> {
    let path = path(target);
    let invalid = |line: usize, expected: &str| {
        let message = format!("{}:{line}: expected {expected}", path.display());
        io::Error::new(io::ErrorKind::InvalidData, message)
    };
    let text = fs::read_to_string(&path)?;
    let mut cases = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let (name, escaped) = line.split_once('\t').ok_or_else(|| invalid(number, "a name and a tab"))?;
        let bytes = unescape(escaped).ok_or_else(|| invalid(number, "an escaped byte string"))?;
        cases.push(Case { name: name.to_owned(), bytes });
    }
    Ok(cases)
}

/// Writes `cases` as the corpus of `target`, in the order of their names.
///
/// # Errors
/// Returns an error if a name has a control character or occurs twice, or the file cannot be written.
pub fn write(target: &str, mut cases: Vec<Case>) -> io::Result<()> {
    cases.sort();
    let mut text = String::new();
    for (number, case) in cases.iter().enumerate() {
        let twice = number > 0 && cases[number - 1].name == case.name;
        if case.name.is_empty() || twice || case.name.contains(char::is_control) {
            let message =
                format!("expected a name of its own, without control characters, found {:?}", case.name);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        text += &format!("{}\t{}\n", case.name, case.bytes.escape_ascii());
    }
    fs::write(path(target), text)
}

/// Returns the bytes that [`escape_ascii`](slice::escape_ascii) escaped, or `None` if the text is no escaped
/// string.
fn unescape(escaped: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(escaped.len());
    let mut rest = escaped.bytes();
    while let Some(byte) = rest.next() {
        let plain = match byte {
            b'\\' => match rest.next()? {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'x' => {
                    let digits = [rest.next()?, rest.next()?];
                    u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
                }
                same @ (b'\\' | b'\'' | b'"') => same,
                _ => return None,
            },
            b' '..=b'~' => byte,
            _ => return None,
        };
        bytes.push(plain);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_comes_back_from_its_escape() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(unescape(&bytes.escape_ascii().to_string()), Some(bytes));
        for wrong in ["\\", "\\x1", "\\xgg", "\\q", "\t", "é"] {
            assert_eq!(unescape(wrong), None, "{wrong:?}");
        }
    }
}
