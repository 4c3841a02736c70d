//! Suggestions for a mistyped word.

/// The least likeness of two words, of at most 1, at which one is probably a slip for the other. Command-line
/// arguments have the same bound.
const LIKENESS: f64 = 0.7;

/// Returns the word among `known` that is most like `word`, if one is much like it.
fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let likeness = |other: &str| strsim::jaro(&word, &other.to_lowercase());
    known
        .into_iter()
        .map(|other| (likeness(other), other))
        .filter(|&(likeness, _)| likeness > LIKENESS)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, other)| other)
}

/// Returns the end of a message about `word`: `; did you mean NEAR?`, or nothing if no known word is like it.
pub(crate) fn suggestion<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, known).map_or_else(String::new, |near| format!("; did you mean {near}?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_have_a_suggestion_and_other_words_none() {
        let keys = ["files", "sizes", "seeds", "corner_cutting"];
        assert_eq!(nearest("fils", keys), Some("files"));
        assert_eq!(nearest("Corner-cuting", keys), Some("corner_cutting"));
        assert_eq!(nearest("", keys), None);
        assert_eq!(nearest("wrap", keys), None);
    }
}
