//! Rules as a person writes them: a rules file, which names only what differs from classic.

use super::{
    capture::{Capture, CaptureBy, CaptureWord, Lines, Sight},
    move_set::MoveSet,
    movement::Movement,
    options::{PoliceOnExit, Undecided, Wrap},
    terrain::{Cover, Ground, Letter, Letters, Limit, Loot, Way},
};
use crate::{
    game::{Stuck, Team},
    pieces::Pieces,
};
use serde::{
    Deserialize, Deserializer,
    de::{
        DeserializeSeed, Error, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor,
        value::MapAccessDeserializer,
    },
};
use std::{collections::BTreeMap, fmt, marker::PhantomData, ops::RangeInclusive};

/// The rules of a rules file; what it leaves out is `None`.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RulesText {
    #[serde(deserialize_with = "officers")]
    pub(super) officers: Option<u8>,
    #[serde(deserialize_with = "kinds")]
    pub(super) police: Vec<MovementText>,
    #[serde(deserialize_with = "side")]
    pub(super) thief: MovementText,
    pub(super) corner_cutting: Option<bool>,
    pub(super) wrap: Option<Wrap>,
    pub(super) stuck: Option<Stuck>,
    pub(super) team: Option<Team>,
    pub(super) police_on_exit: Option<PoliceOnExit>,
    pub(super) undecided: Option<Undecided>,
    #[serde(deserialize_with = "capture")]
    pub(super) capture: Option<Capture>,
    pub(super) ground: BTreeMap<Letter, Ground>,
    pub(super) ways: Vec<Way>,
    pub(super) cover: BTreeMap<Letter, Cover>,
    pub(super) opaque: Letters,
    pub(super) loot: Option<Loot>,
    pub(super) limit: Option<Limit>,
}

/// The moves of one side in a rules file; what it leaves out is `None`.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct MovementText {
    #[serde(deserialize_with = "move_set")]
    moves: Option<MoveSet>,
    may_pass: Option<bool>,
    #[serde(deserialize_with = "small_number")]
    steps: Option<u8>,
    #[serde(deserialize_with = "small_number")]
    reach: Option<u8>,
    glide: Option<bool>,
    look: Option<u8>,
    ground: BTreeMap<Letter, Ground>,
    #[serde(deserialize_with = "capture")]
    capture: Option<Capture>,
    name: Option<String>,
    start: Option<Letter>,
    /// The number of officers of this kind, where there may be several.
    #[serde(deserialize_with = "officers")]
    pub(super) count: Option<u8>,
}

impl MovementText {
    /// Returns the moves of a side that moves as `usual` unless the file says otherwise.
    pub(super) fn or(self, usual: Movement) -> Movement {
        Movement {
            moves: self.moves.unwrap_or(usual.moves),
            may_pass: self.may_pass.unwrap_or(usual.may_pass),
            steps: self.steps.unwrap_or(usual.steps),
            reach: self.reach.unwrap_or(usual.reach),
            glide: self.glide.unwrap_or(usual.glide),
            look: self.look,
            ground: self.ground,
            capture: self.capture,
            name: self.name,
            start: self.start,
        }
    }
}

/// Reads the rules of a rules file.
pub(super) fn rules<'de, D: Deserializer<'de>>(rules: D) -> Result<RulesText, D::Error> {
    keyed(rules, "rules, KEY = VALUE")
}

/// Reads the moves of a side.
fn side<'de, D: Deserializer<'de>>(side: D) -> Result<MovementText, D::Error> {
    let side: MovementText = keyed(side, SIDE)?;
    match side.count {
        None => Ok(side),
        Some(_) => Err(D::Error::custom(
            "expected a count in a block [[police]] only; officers = N is that of one kind",
        )),
    }
}

/// The keys that are expected of a side, for messages.
const SIDE: &str = "the keys of a side, as in { moves = \"king\" }";

/// Reads the moves of the police, or a list of those of kinds of officers, each with a count.
fn kinds<'de, D: Deserializer<'de>>(kinds: D) -> Result<Vec<MovementText>, D::Error> {
    struct Kinds;

    impl<'de> Visitor<'de> for Kinds {
        type Value = Vec<MovementText>;

        fn expecting(&self, text: &mut fmt::Formatter) -> fmt::Result {
            text.write_str("the keys of the police, or blocks [[police]]")
        }

        fn visit_map<A: MapAccess<'de>>(self, keys: A) -> Result<Vec<MovementText>, A::Error> {
            Ok(vec![side(MapAccessDeserializer::new(keys))?])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<MovementText>, A::Error> {
            let mut kinds = Vec::new();
            while let Some(KindText(mut kind)) = list.next_element()? {
                kind.count.get_or_insert(1);
                kinds.push(kind);
            }
            match kinds.len() {
                1..=Pieces::MAX => Ok(kinds),
                found => Err(A::Error::custom(format!(
                    "expected 1 to {} kinds of officers, found {found}",
                    Pieces::MAX
                ))),
            }
        }
    }

    kinds.deserialize_any(Kinds)
}

/// A block of one kind of officers.
struct KindText(MovementText);

impl<'de> Deserialize<'de> for KindText {
    fn deserialize<D: Deserializer<'de>>(kind: D) -> Result<KindText, D::Error> {
        keyed(kind, SIDE).map(KindText)
    }
}

/// Reads keys with their values. What the compiler derives also takes a list of values alone. `expected` says
/// in errors what was expected.
fn keyed<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    keys: D,
    expected: &'static str,
) -> Result<T, D::Error> {
    struct Keys<T> {
        expected: &'static str,
        kind: PhantomData<T>,
    }

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Keys<T> {
        type Value = T;

        fn expecting(&self, text: &mut fmt::Formatter) -> fmt::Result {
            text.write_str(self.expected)
        }

        fn visit_map<A: MapAccess<'de>>(self, keys: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(keys))
        }
    }

    keys.deserialize_map(Keys { expected, kind: PhantomData })
}

/// Reads how officers capture: the word for nothing else, or keys.
fn capture<'de, D: Deserializer<'de>>(capture: D) -> Result<Option<Capture>, D::Error> {
    capture.deserialize_any(CaptureVisitor)
}

impl Sight {
    /// Returns the sight that these keys say, if any. An error says what was expected.
    pub(crate) fn of_keys(
        sight: Option<u16>,
        angle: Option<u16>,
        lines: Option<Lines>,
        doors: Option<bool>,
    ) -> Result<Option<Sight>, &'static str> {
        if sight.is_none() && (angle.is_some() || lines.is_some() || doors.is_some()) {
            return Err("expected sight with angle, lines and doors, found none");
        }
        let (lines, doors) = (lines.unwrap_or_default(), doors.unwrap_or(true));
        Ok(sight.map(|sight| Sight { sight, angle, lines, doors }))
    }
}

struct CaptureVisitor;

impl<'de> Visitor<'de> for CaptureVisitor {
    type Value = Option<Capture>;

    fn expecting(&self, text: &mut fmt::Formatter) -> fmt::Result {
        text.write_str("how officers capture, as in \"same\", { by = \"king\" } or { sight = 8 }")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Option<Capture>, E> {
        match word {
            "same" => Ok(None),
            _ => Err(E::invalid_value(Unexpected::Str(word), &self)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, keys: A) -> Result<Option<Capture>, A::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct CaptureText {
            by: Option<ByText>,
            #[serde(default, deserialize_with = "small_number")]
            distance: Option<u8>,
            #[serde(default, deserialize_with = "radius")]
            sight: Option<u16>,
            #[serde(default, deserialize_with = "angle")]
            angle: Option<u16>,
            lines: Option<Lines>,
            doors: Option<bool>,
        }

        let CaptureText { by, distance, sight, angle, lines, doors } =
            CaptureText::deserialize(MapAccessDeserializer::new(keys))?;
        let sight = Sight::of_keys(sight, angle, lines, doors).map_err(A::Error::custom)?;
        match (by, sight) {
            (Some(ByText(by)), None) => Ok(Some(Capture::Near { by, distance: distance.unwrap_or(1) })),
            (None, Some(sight)) if distance.is_none() => Ok(Some(Capture::Seen(sight))),
            _ => Err(A::Error::custom(
                "expected the keys by and distance, or sight with angle, lines and doors, as in { by = \"king\" } \
                 or { sight = 8 }",
            )),
        }
    }
}

/// Reads what a distance counts: a move set, or a word.
struct ByText(CaptureBy);

impl<'de> Deserialize<'de> for ByText {
    fn deserialize<D: Deserializer<'de>>(by: D) -> Result<ByText, D::Error> {
        struct By;

        impl<'de> Visitor<'de> for By {
            type Value = ByText;

            fn expecting(&self, text: &mut fmt::Formatter) -> fmt::Result {
                text.write_str(
                    "\"moves\", \"squares\", a move set such as \"king\", or { offsets = [[ROWS, COLUMNS], …] }",
                )
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<ByText, E> {
                Ok(ByText(match name {
                    "moves" => CaptureBy::Word(CaptureWord::Moves),
                    "squares" => CaptureBy::Word(CaptureWord::Squares),
                    _ => CaptureBy::Steps(MoveSetVisitor.visit_str(name)?),
                }))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ByText, A::Error> {
                MoveSetVisitor.visit_map(map).map(|by| ByText(CaptureBy::Steps(by)))
            }
        }

        by.deserialize_any(By)
    }
}

/// Reads the greatest distance of sight.
pub(crate) fn radius<'de, D: Deserializer<'de>>(number: D) -> Result<Option<u16>, D::Error> {
    number.deserialize_u16(Number::new(1..=1024)).map(Some)
}

/// Reads the angle of a cone.
pub(crate) fn angle<'de, D: Deserializer<'de>>(number: D) -> Result<Option<u16>, D::Error> {
    let angle = number.deserialize_u16(Number::new(0..=360))?;
    match Sight::ANGLES.contains(&angle) {
        true => Ok(Some(angle)),
        false => {
            Err(D::Error::custom(format!("expected an angle out of {:?}, found {angle}", Sight::ANGLES)))
        }
    }
}

fn officers<'de, D: Deserializer<'de>>(number: D) -> Result<Option<u8>, D::Error> {
    number.deserialize_u8(Number::new(0..=Pieces::MAX as i64)).map(Some)
}

fn small_number<'de, D: Deserializer<'de>>(number: D) -> Result<Option<u8>, D::Error> {
    number.deserialize_u8(Number::new(1..=u8::MAX.into())).map(Some)
}

fn move_set<'de, D: Deserializer<'de>>(moves: D) -> Result<Option<MoveSet>, D::Error> {
    moves.deserialize_any(MoveSetVisitor).map(Some)
}

/// Reads a number within a range whose ends are values of `T`.
struct Number<T> {
    range: RangeInclusive<i64>,
    kind: PhantomData<T>,
}

impl<T> Number<T> {
    fn new(range: RangeInclusive<i64>) -> Number<T> {
        Number { range, kind: PhantomData }
    }
}

impl<T: TryFrom<i64>> Visitor<'_> for Number<T> {
    type Value = T;

    fn expecting(&self, text: &mut fmt::Formatter) -> fmt::Result {
        write!(text, "a number from {} to {}", self.range.start(), self.range.end())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        let within = Some(number).filter(|number| self.range.contains(number));
        let within = within.and_then(|number| T::try_from(number).ok());
        within.ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
        match i64::try_from(number) {
            Ok(number) => self.visit_i64(number),
            Err(_) => Err(E::invalid_value(Unexpected::Unsigned(number), &self)),
        }
    }
}

/// The key of a list of offsets.
const OFFSETS: &str = "offsets";

/// Reads the steps of a side: a name, or a list of offsets.
struct MoveSetVisitor;

impl<'de> Visitor<'de> for MoveSetVisitor {
    type Value = MoveSet;

    fn expecting(&self, text: &mut fmt::Formatter) -> fmt::Result {
        text.write_str("a name such as \"king\", or { offsets = [[ROWS, COLUMNS], …] }")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<MoveSet, E> {
        if name == OFFSETS {
            return Err(E::invalid_value(Unexpected::Str(name), &self));
        }
        MoveSet::deserialize(name.into_deserializer())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<MoveSet, A::Error> {
        let mut offsets: Option<OffsetList> = None;
        while let Some(key) = map.next_key::<String>()? {
            if key != OFFSETS {
                return Err(A::Error::unknown_field(&key, &[OFFSETS]));
            }
            offsets = Some(map.next_value()?);
        }
        let list = offsets.ok_or_else(|| A::Error::missing_field(OFFSETS))?;
        Ok(MoveSet::Offsets(list.0))
    }
}

/// A list of offsets, at least one.
struct OffsetList(Vec<(i16, i16)>);

impl<'de> Deserialize<'de> for OffsetList {
    fn deserialize<D: Deserializer<'de>>(list: D) -> Result<OffsetList, D::Error> {
        list.deserialize_seq(OffsetListVisitor)
    }
}

struct OffsetListVisitor;

impl<'de> Visitor<'de> for OffsetListVisitor {
    type Value = OffsetList;

    fn expecting(&self, text: &mut fmt::Formatter) -> fmt::Result {
        text.write_str("a list of offsets, as in [[0, 1], [-1, 0]]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<OffsetList, A::Error> {
        let mut offsets = Vec::new();
        while let Some(Offset(offset)) = list.next_element()? {
            offsets.push(offset);
        }
        if offsets.is_empty() {
            return Err(A::Error::custom(
                "expected at least one offset, as in [[0, 1], [-1, 0]]; found none",
            ));
        }
        Ok(OffsetList(offsets))
    }
}

/// A step: rows down and columns right.
struct Offset((i16, i16));

impl<'de> Deserialize<'de> for Offset {
    fn deserialize<D: Deserializer<'de>>(offset: D) -> Result<Offset, D::Error> {
        offset.deserialize_seq(OffsetVisitor)
    }
}

struct OffsetVisitor;

impl<'de> Visitor<'de> for OffsetVisitor {
    type Value = Offset;

    fn expecting(&self, text: &mut fmt::Formatter) -> fmt::Result {
        text.write_str("an offset [ROWS, COLUMNS]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut numbers: A) -> Result<Offset, A::Error> {
        let (mut offset, mut found) = ([0; 2], 0);
        // A tuple would ignore what stands behind its second number.
        while let Some(number) = numbers.next_element_seed(OffsetNumber)? {
            if let Some(place) = offset.get_mut(found) {
                *place = number;
            }
            found += 1;
        }
        match (offset, found) {
            ([rows, columns], 2) => Ok(Offset((rows, columns))),
            _ => Err(A::Error::custom(format!(
                "expected an offset [ROWS, COLUMNS] of two numbers, found a list of {found}"
            ))),
        }
    }
}

/// Reads a number of an offset.
struct OffsetNumber;

impl<'de> DeserializeSeed<'de> for OffsetNumber {
    type Value = i16;

    fn deserialize<D: Deserializer<'de>>(self, number: D) -> Result<i16, D::Error> {
        number.deserialize_i16(Number::new(i16::MIN.into()..=i16::MAX.into()))
    }
}
