//! XML files as trees of elements, each with its place.

use crate::failure::Failure;
use quick_xml::{
    Reader, XmlVersion,
    events::{BytesStart, Event},
};
use std::str::FromStr;

/// The most elements that may lie in each other.
const DEEPEST: usize = 64;

/// An element with all that it holds.
#[derive(Debug, Default)]
pub(super) struct Element {
    pub(super) name: String,
    attributes: Vec<(String, String)>,
    pub(super) children: Vec<Element>,
    /// The text in the element, without that of its children.
    pub(super) text: String,
    /// Line and column of its start, from 1.
    place: (usize, usize),
}

/// Reads the only element of a file.
///
/// # Errors
/// With line and column, when the bytes are not an XML file in UTF-8, or its elements lie too deep.
pub(super) fn parse(bytes: &[u8]) -> Result<Element, Failure> {
    let text = utf8(bytes)?;
    let mut places = Places { text, offset: 0, place: (1, 1) };
    let mut reader = Reader::from_str(text);
    let mut open: Vec<Element> = vec![Element::default()];
    loop {
        let start = offset(reader.buffer_position());
        let event = reader.read_event().map_err(|error| {
            let at = offset(reader.error_position()).max(start);
            fault(places.at(at), format!("expected XML, found an error: {error}"))
        })?;
        let place = places.at(start);
        match event {
            Event::Start(tag) => {
                if open.len() > DEEPEST {
                    let expected = format!("expected at most {DEEPEST} elements in each other, found more");
                    return Err(fault(place, expected));
                }
                open.push(element(&tag, place)?);
            }
            Event::Empty(tag) => {
                let child = element(&tag, place)?;
                if let Some(parent) = open.last_mut() {
                    parent.children.push(child);
                }
            }
            Event::End(_) if open.len() > 1 => {
                let child = open.pop().unwrap_or_default();
                if let Some(parent) = open.last_mut() {
                    parent.children.push(child);
                }
            }
            Event::Text(text) => append(&mut open, &text),
            Event::CData(text) => append(&mut open, &text),
            Event::Eof => break,
            _ => {}
        }
    }
    let end = places.at(text.len());
    let mut document = open.swap_remove(0);
    if !open.is_empty() {
        return Err(fault(end, "expected the end of every element, found the end of the file"));
    }
    document.children.pop().ok_or_else(|| fault(end, "expected an element, found the end of the file"))
}

/// Returns the text of a file, without a byte order mark.
pub(super) fn utf8(bytes: &[u8]) -> Result<&str, Failure> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        let line = good.matches('\n').count() + 1;
        let column = good.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        fault((line, column), "expected a text in UTF-8, found another byte")
    })
}

/// Returns the failure at a line and column.
pub(super) fn fault((line, column): (usize, usize), message: impl std::fmt::Display) -> Failure {
    Failure::input(format!("line {line}, column {column}: {message}"))
}

fn offset(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

/// Appends a text to the innermost element. Text outside of all elements is blank, or means nothing.
fn append(open: &mut [Element], text: &str) {
    if open.len() > 1
        && let Some(element) = open.last_mut()
    {
        element.text += text.trim();
    }
}

fn element(tag: &BytesStart, place: (usize, usize)) -> Result<Element, Failure> {
    let name = tag.local_name().as_ref().to_owned();
    let mut attributes = Vec::new();
    for attribute in tag.attributes().with_checks(false) {
        let attribute = attribute.map_err(|error| fault(place, format!("<{name}>: {error}")))?;
        let key = attribute.key.as_ref().to_owned();
        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
        let value = value.map_err(|error| fault(place, format!("<{name}>: {key}: {error}")))?;
        attributes.push((key, value.into_owned()));
    }
    Ok(Element { name, attributes, children: Vec::new(), text: String::new(), place })
}

/// Lines and columns of rising offsets in a text.
struct Places<'a> {
    text: &'a str,
    offset: usize,
    place: (usize, usize),
}

impl Places<'_> {
    /// Returns line and column of an offset that is not before the one asked for last.
    fn at(&mut self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.text.len());
        for &byte in self.text.as_bytes().get(self.offset..offset).unwrap_or_default() {
            match byte {
                b'\n' => self.place = (self.place.0 + 1, 1),
                // Bytes that continue a character.
                0x80..=0xBF => {}
                _ => self.place.1 += 1,
            }
        }
        self.offset = offset.max(self.offset);
        self.place
    }
}

impl Element {
    /// Returns the value of an attribute.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns the value of an attribute as text, empty if there is none.
    pub(super) fn text_of(&self, name: &str) -> String {
        self.get(name).unwrap_or_default().to_owned()
    }

    /// Returns the number in an attribute, if there is one.
    pub(super) fn number<T: FromStr>(&self, name: &str) -> Result<Option<T>, Failure> {
        let Some(text) = self.get(name) else { return Ok(None) };
        let number = text.trim().parse().map(Some);
        number.map_err(|_| self.fault(format!("{name}: expected a number, found {}", quoted(text))))
    }

    /// Returns the number in an attribute that must be there.
    pub(super) fn require<T: FromStr>(&self, name: &str) -> Result<T, Failure> {
        self.number(name)?.ok_or_else(|| self.fault(format!("expected the attribute {name}, found none")))
    }

    /// Returns the children with this name.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// Returns the first child with this name.
    pub(super) fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Returns the place and the name of this element, for messages.
    pub(super) fn label(&self) -> String {
        let (line, column) = self.place;
        format!("line {line}, column {column}: <{}>", self.name)
    }

    /// Returns the failure of this element.
    pub(super) fn fault(&self, message: impl std::fmt::Display) -> Failure {
        Failure::input(format!("{}: {message}", self.label()))
    }
}

/// The most characters of a text that a message shows.
const SHOWN: usize = 40;

/// Returns a name of a map for a message, cut short.
pub(super) fn shortened(name: &str) -> String {
    let name = name.replace(char::is_control, " ");
    match name.char_indices().nth(SHOWN) {
        None => name,
        Some((at, _)) => format!("{}…", &name[..at]),
    }
}

/// Returns a text in quotes, cut short.
pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        None => format!("{text:?}"),
        Some((at, _)) => format!("{:?} and more", &text[..at]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_have_line_and_column() {
        let root = parse(
            "<?xml version=\"1.0\"?>\n<map>\n <é/><layer width=\"x\"> a<!-- no --> b </layer>\n</map>"
                .as_bytes(),
        );
        let root = root.unwrap();
        assert_eq!((root.name.as_str(), root.children.len()), ("map", 2));
        let layer = root.child("layer").unwrap();
        assert_eq!(layer.text, "ab");
        let message = layer.require::<usize>("width").unwrap_err().text();
        assert_eq!(message, "line 3, column 6: <layer>: width: expected a number, found \"x\"");
        let message = layer.require::<usize>("height").unwrap_err().text();
        assert_eq!(message, "line 3, column 6: <layer>: expected the attribute height, found none");
    }

    #[test]
    fn long_names_are_cut_short() {
        assert_eq!(shortened("a\nb"), "a b");
        assert_eq!(shortened(&"é\n".repeat(50)).chars().count(), SHOWN + 1);
    }

    #[test]
    fn files_that_are_no_xml_are_refused() {
        for text in ["", "<a>", "<a></b>", "a", "<a b=\"&lol;\"/>", "<a b=1/>", "</a>"] {
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
        assert!(parse(b"<a>\xFF</a>").is_err());
        assert!(parse("<a>".repeat(65).as_bytes()).unwrap_err().text().contains("at most 64 elements"));
    }
}
