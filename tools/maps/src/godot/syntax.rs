//! The text form of Godot's scenes and resources.

use super::section::{Section, Value};
use crate::error::{MapError, fault, quoted};

/// The most values that may lie in each other.
const DEEPEST: usize = 64;

/// Reads a whole file.
///
/// # Errors
/// With line and column, where the text is none of Godot's.
pub(super) fn parse(text: &str) -> Result<Vec<Section>, MapError> {
    let mut reader = Reader { text, at: 0 };
    let mut sections: Vec<Section> = Vec::new();
    loop {
        reader.skip_blanks(true);
        match (reader.peek(), sections.last_mut()) {
            (None, _) => return Ok(sections),
            (Some('['), _) => sections.push(reader.section()?),
            (Some(_), None) => return Err(reader.fault("expected a section such as [gd_scene format=3]")),
            (Some(_), Some(section)) => {
                let name = reader.until_equals()?;
                section.properties.push((name, reader.value(0)?));
            }
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Returns the failure at the next character.
    fn fault(&self, expected: &str) -> MapError {
        let before = &self.text[..self.at];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let found = match self.peek() {
            None => "the end of the file".to_owned(),
            Some(_) => quoted(self.text[self.at..].lines().next().unwrap_or_default()),
        };
        fault((line, column), format!("{expected}, found {found}"))
    }

    /// Skips blanks, line ends and, between properties, comments.
    fn skip_blanks(&mut self, comments: bool) {
        while let Some(next) = self.peek() {
            if comments && next == ';' {
                self.at += self.text[self.at..].find('\n').unwrap_or(self.text.len() - self.at);
            } else if next.is_whitespace() {
                self.at += next.len_utf8();
            } else {
                break;
            }
        }
    }

    /// Takes the next character if it is `wanted`.
    fn take(&mut self, wanted: char) -> bool {
        self.skip_blanks(false);
        let taken = self.peek() == Some(wanted);
        if taken {
            self.at += wanted.len_utf8();
        }
        taken
    }

    fn word(&mut self) -> String {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.at += end;
        rest[..end].to_owned()
    }

    fn section(&mut self) -> Result<Section, MapError> {
        self.take('[');
        self.skip_blanks(false);
        let mut section = Section { tag: self.word(), ..Section::default() };
        if section.tag.is_empty() {
            return Err(self.fault("expected the tag of a section"));
        }
        while !self.take(']') {
            let name = self.word();
            if name.is_empty() || !self.take('=') {
                return Err(self.fault("expected NAME=VALUE or ]"));
            }
            section.attributes.push((name, self.value(0)?));
        }
        Ok(section)
    }

    /// Reads the name of a property and the sign behind it.
    fn until_equals(&mut self) -> Result<String, MapError> {
        let rest = &self.text[self.at..];
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let end = line.find('=').ok_or_else(|| self.fault("expected NAME = VALUE or a section"))?;
        self.at += end + 1;
        Ok(line[..end].trim().trim_matches('"').to_owned())
    }

    fn value(&mut self, depth: usize) -> Result<Value, MapError> {
        if depth > DEEPEST {
            return Err(self.fault(&format!("expected at most {DEEPEST} values in each other")));
        }
        self.skip_blanks(false);
        match self.peek() {
            Some('"') => self.string().map(Value::Text),
            // Names and paths of nodes are strings with a sign before them.
            Some('&' | '^') => {
                self.at += 1;
                if self.peek() == Some('"') {
                    self.string().map(Value::Text)
                } else {
                    Err(self.fault("expected a string"))
                }
            }
            Some('[') => {
                self.at += 1;
                self.list(']', depth).map(Value::List)
            }
            Some('{') => {
                self.at += 1;
                self.list('}', depth).map(Value::List)
            }
            Some('-' | '+' | '.' | '0'..='9') => self.number(),
            Some(letter) if letter.is_alphabetic() || letter == '_' => {
                let word = self.word();
                if self.peek() == Some('[') {
                    // The type of the elements of an array.
                    self.at += 1;
                    self.list(']', depth)?;
                }
                match self.peek() {
                    Some('(') => {
                        self.at += 1;
                        Ok(Value::Call(word, self.list(')', depth)?))
                    }
                    _ => Ok(Value::Word(word)),
                }
            }
            _ => Err(self.fault("expected a value")),
        }
    }

    /// Reads values that are separated by commas or colons, up to the closing character.
    fn list(&mut self, end: char, depth: usize) -> Result<Vec<Value>, MapError> {
        let mut values = Vec::new();
        loop {
            if self.take(end) {
                return Ok(values);
            }
            values.push(self.value(depth + 1)?);
            if self.take(',') || self.take(':') {
                continue;
            }
            if !self.take(end) {
                return Err(self.fault(&format!("expected a comma or {end}")));
            }
            return Ok(values);
        }
    }

    fn number(&mut self) -> Result<Value, MapError> {
        let rest = &self.text[self.at..];
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.');
        let text = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        let number = text.parse().map_err(|_| self.fault("expected a number"))?;
        self.at += text.len();
        Ok(Value::Number(number))
    }

    fn string(&mut self) -> Result<String, MapError> {
        self.at += 1;
        let mut text = String::new();
        loop {
            match self.next() {
                None => return Err(self.fault("expected the end of a string")),
                Some('"') => return Ok(text),
                Some('\\') => match self.next() {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some(other) => text.push(other),
                    None => return Err(self.fault("expected the end of a string")),
                },
                Some(other) => text.push(other),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_have_attributes_and_properties() {
        let text = "[gd_scene load_steps=2 format=4 uid=\"uid://a\"]\n\n; a comment\n[node name=\"A \\\"b\\\"\" parent=\".\"]\n\
                    position = Vector2(8, -1.5e1)\ndata = PackedByteArray(1, 2,\n 3)\nvisible = false\n\
                    list = Array[int]([1, {\"a\": &\"b\"}])\nempty = []\n0:0/0 = 0\n";
        let sections = parse(text).unwrap();
        assert_eq!(sections[0].attributes[1], ("format".to_owned(), Value::Number(4.0)));
        let node = &sections[1];
        assert_eq!(node.text("name"), Some("A \"b\""));
        assert_eq!(node.vector("position"), Some([8.0, -15.0]));
        assert_eq!(node.number("0:0/0"), Some(0.0));
        assert_eq!(node.get("visible"), Some(&Value::Word("false".to_owned())));
        let numbers = [1.0, 2.0, 3.0].map(Value::Number).to_vec();
        assert_eq!(node.get("data"), Some(&Value::Call("PackedByteArray".to_owned(), numbers)));
        assert_eq!(node.get("empty"), Some(&Value::List(Vec::new())));
    }

    #[test]
    fn faults_have_line_and_column() {
        let message = |text: &str| parse(text).unwrap_err().to_string();
        assert_eq!(message("[a]\nb = (1)"), "line 2, column 5: expected a value, found \"(1)\"");
        assert_eq!(message("[a b]"), "line 1, column 5: expected NAME=VALUE or ], found \"]\"");
        assert_eq!(message("[a]\nb = [1 2]"), "line 2, column 8: expected a comma or ], found \"2]\"");
        assert_eq!(
            message("x = 1"),
            "line 1, column 1: expected a section such as [gd_scene format=3], found \"x = 1\""
        );
        assert!(message(&format!("[a]\nb = {}", "[".repeat(100_000))).contains("at most 64 values"));
        assert!(message("[a]\nb = \"c").contains("expected the end of a string"));
    }
}
