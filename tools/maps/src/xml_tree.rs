//! XML files as trees of elements, each with its place.

use super::affine::Point;
use crate::error::{MapError, fault, quoted, shortened};
use quick_xml::{
    Reader, XmlVersion, escape,
    events::{BytesDecl, BytesStart, Event},
};
use std::{borrow::Cow, str::FromStr};

/// The most elements that may lie in each other.
const DEEPEST: usize = 64;

/// Encodings of texts that are declared as what they are, in small letters.
const ENCODINGS: [&str; 5] = ["utf-8", "utf8", "utf-16", "us-ascii", "ascii"];

/// An element with all that it holds.
#[derive(Debug, Default)]
pub(super) struct Element<'a> {
    pub(super) name: &'a str,
    /// The tag between its brackets.
    tag: &'a str,
    pub(super) children: Vec<Element<'a>>,
    /// The text in the element, without that of its children.
    pub(super) text: Cow<'a, str>,
    /// Line and column of its start, from 1.
    place: (u32, u32),
}

/// Reads the only element of a file.
///
/// # Errors
/// With line and column, when the text is not an XML file with one element, or its elements lie too deep.
pub(super) fn parse(text: &str) -> Result<Element<'_>, MapError> {
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
        let outside = || fault(place, "expected the end of the file behind the element, found more");
        let is_behind = open.len() == 1 && !open[0].children.is_empty();
        match event {
            Event::Start(_) | Event::Empty(_) if is_behind => return Err(outside()),
            Event::Start(tag) => {
                if open.len() > DEEPEST {
                    let expected = format!("expected at most {DEEPEST} elements in each other, found more");
                    return Err(fault(place, expected));
                }
                open.push(element(&tag, &text[start..offset(reader.buffer_position())], place)?);
            }
            Event::Empty(tag) => {
                let child = element(&tag, &text[start..offset(reader.buffer_position())], place)?;
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
            Event::Text(found) if open.len() == 1 && !found.trim().is_empty() => return Err(outside()),
            Event::Text(found) => append(&mut open, found.into_inner()),
            Event::CData(found) => append(&mut open, found.into_inner()),
            Event::GeneralRef(name) => {
                let character = name.resolve_char_ref().ok().flatten().map(String::from);
                let known = || escape::resolve_predefined_entity(&name).map(str::to_owned);
                let resolved = character.or_else(known).ok_or_else(|| {
                    fault(place, format!("expected a character, found the unknown entity {}", quoted(&name)))
                })?;
                append(&mut open, Cow::Owned(resolved));
            }
            Event::Decl(declaration) => {
                check_encoding(&declaration, text).map_err(|what| fault(place, what))?;
            }
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

/// Checks that a text is in the encoding that it declares: one in UTF-8 or UTF-16 may only declare another if
/// all its letters are the same there.
fn check_encoding(declaration: &BytesDecl, text: &str) -> Result<(), String> {
    match declaration.encoding() {
        Some(Ok(encoding)) if !text.is_ascii() && !ENCODINGS.contains(&&*encoding.to_lowercase()) => {
            Err(format!("expected a file in UTF-8 or UTF-16, found the encoding {}", quoted(&encoding)))
        }
        _ => Ok(()),
    }
}

fn offset(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

/// Appends a text to the innermost element.
fn append<'a>(open: &mut [Element<'a>], text: Cow<'a, str>) {
    let text = match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    };
    match open.last_mut() {
        Some(element) if element.text.is_empty() => element.text = text,
        Some(element) => element.text.to_mut().push_str(&text),
        None => {}
    }
}

/// Returns the element whose tag is written so.
fn element<'a>(tag: &BytesStart, written: &'a str, place: (usize, usize)) -> Result<Element<'a>, MapError> {
    // Between the signs that begin and end the tag: the name and the attributes, as the parser sees them.
    let written = &written[1..=tag.len()];
    let whole = &written[..tag.name().as_ref().len()];
    let name = whole.rsplit(':').next().unwrap_or(whole);
    for attribute in tag.attributes().with_checks(false) {
        let wrong = |error: String| fault(place, format!("<{}>: {error}", shortened(name)));
        let attribute = attribute.map_err(|error| wrong(error.to_string()))?;
        attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|error| wrong(error.to_string()))?;
    }
    let place = (u32::try_from(place.0).unwrap_or(u32::MAX), u32::try_from(place.1).unwrap_or(u32::MAX));
    Ok(Element { name, tag: written, place, ..Element::default() })
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

impl<'a> Element<'a> {
    /// Returns the value of an attribute.
    pub(super) fn get(&self, name: &str) -> Option<Cow<'a, str>> {
        let name_length = self.tag.find(self.name)? + self.name.len();
        let tag = BytesStart::from_content(self.tag, name_length);
        // All attributes have been looked at when the tag was read.
        let attribute =
            tag.attributes().with_checks(false).flatten().find(|found| found.key.as_ref() == name)?;
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).ok()?;
        Some(Cow::Owned(value.into_owned()))
    }

    /// Returns the value of an attribute as text, empty if there is none.
    pub(super) fn text_of(&self, name: &str) -> String {
        self.get(name).unwrap_or_default().into_owned()
    }

    /// Returns the number in an attribute, if there is one.
    pub(super) fn number<T: FromStr>(&self, name: &str) -> Result<Option<T>, MapError> {
        let Some(text) = self.get(name) else { return Ok(None) };
        let number = text.trim().parse().map(Some);
        number.map_err(|_| self.fault(format!("{name}: expected a number, found {}", quoted(&text))))
    }

    /// Returns the number in an attribute that must be there.
    pub(super) fn require<T: FromStr>(&self, name: &str) -> Result<T, MapError> {
        self.number(name)?.ok_or_else(|| self.fault(format!("expected the attribute {name}, found none")))
    }

    /// Returns the numbers in two attributes, 0 where there is none.
    pub(super) fn point(&self, names: [&str; 2]) -> Result<Point, MapError> {
        Ok([self.number(names[0])?.unwrap_or(0.0), self.number(names[1])?.unwrap_or(0.0)])
    }

    /// Returns the children with this name.
    pub(super) fn all<'e>(&'e self, name: &'e str) -> impl Iterator<Item = &'e Element<'a>> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// Returns the first child with this name.
    pub(super) fn child(&self, name: &str) -> Option<&Element<'a>> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Returns the place and the name of this element, for messages.
    pub(super) fn label(&self) -> String {
        let (line, column) = self.place;
        format!("line {line}, column {column}: <{}>", shortened(self.name))
    }

    /// Returns the error of this element.
    pub(super) fn fault(&self, message: impl std::fmt::Display) -> MapError {
        MapError::unusable(format!("{}: {message}", self.label()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_have_line_and_column() {
        let root = parse(
            "<?xml version=\"1.0\"?>\n<map>\n <é/><layer width=\"x\"> a<!-- no --> b &#99; </layer>\n</map>",
        );
        let root = root.unwrap();
        assert_eq!((root.name, root.children.len()), ("map", 2));
        let layer = root.child("layer").unwrap();
        assert_eq!(layer.text, "abc");
        let message = layer.require::<usize>("width").unwrap_err().to_string();
        assert_eq!(message, "line 3, column 6: <layer>: width: expected a number, found \"x\"");
        let message = layer.require::<usize>("height").unwrap_err().to_string();
        assert_eq!(message, "line 3, column 6: <layer>: expected the attribute height, found none");
    }

    #[test]
    fn slash_that_is_not_the_last_is_a_part_of_the_name() {
        let root = parse("<map><ellipse//></map>").unwrap();
        assert_eq!(root.children[0].name, "ellipse/");
    }

    #[test]
    fn files_that_are_no_xml_are_refused() {
        for text in [
            "",
            "<a>",
            "<a></b>",
            "a",
            "<a b=\"&lol;\"/>",
            "<a b=1/>",
            "</a>",
            "<a/><b/>",
            "<a></a>b",
            "b<a/>",
            "<a>&lol;</a>",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(parse(&"<a>".repeat(65)).unwrap_err().to_string().contains("at most 64 elements"));
    }
}
