//! Answers in the description of the interface: by the JSON Schemas of their types.

use super::batch::{JsonQuestion, Values};
use crate::{
    catalogue::{Catalogue, Item},
    output::json::PlayerResult,
    schemas::inline_schema,
    table::{
        answers::{LineAnswer, PositionAnswer},
        statistics::{GameStatisticsAnswer, PursuitStatisticsAnswer},
    },
};
use dragnet_formats::value::Plies;
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        RefOr,
        extensions::Extensions,
        schema::{ObjectBuilder, Schema, SchemaType},
    },
};

/// An answer, and the unit of its distances.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "{T}WithUnit")]
pub(super) struct WithUnit<T> {
    /// The unit of every distance: plies, single moves of one side.
    unit: &'static str,
    #[serde(flatten)]
    answer: T,
}

impl<T> WithUnit<T> {
    pub(super) fn new(answer: T) -> WithUnit<T> {
        WithUnit { unit: "plies", answer }
    }
}

/// The value of a position in a pursuit table or a game table.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum AnyAnswer {
    Pursuit(PositionAnswer),
    Vertex(VertexAnswer),
}

/// The value of a position in a table of a game on a graph, for the player to move.
#[derive(Serialize, JsonSchema)]
pub(super) struct VertexAnswer {
    /// The number of the position.
    pub(super) vertex: u64,
    /// The result for the player to move.
    pub(super) result: PlayerResult,
    /// The distance to the end in plies, null for a draw.
    pub(super) dtw: Option<Plies>,
}

/// The statistics of a pursuit table or a game table.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum AnyStatistics {
    Pursuit(PursuitStatisticsAnswer),
    Game(GameStatisticsAnswer),
}

/// The replies with a unit, under names without parameters, as the description has them.
pub(super) type PositionReply = WithUnit<AnyAnswer>;
pub(super) type LineReply = WithUnit<LineAnswer>;
pub(super) type StatisticsReply = WithUnit<AnyStatistics>;

/// Describes types by their JSON Schemas; `true` stands before those of answers.
macro_rules! describe {
    ($($is_answer:literal: $type:ty),* $(,)?) => {$(
        impl PartialSchema for $type {
            fn schema() -> RefOr<Schema> {
                raw_schema::<Self>($is_answer)
            }
        }

        impl ToSchema for $type {
            fn name() -> Cow<'static, str> {
                Self::schema_name()
            }
        }
    )*};
}

describe!(
    true: Catalogue,
    true: Item,
    true: Values,
    true: LineReply,
    true: PositionReply,
    true: StatisticsReply,
    false: JsonQuestion,
);

/// Returns the schema of `T` as it is. OpenAPI 3.1 takes every JSON Schema, and the crate that makes the
/// description fewer: words that it does not know are extensions to it.
fn raw_schema<T: JsonSchema>(is_answer: bool) -> RefOr<Schema> {
    let schema = inline_schema::<T>(is_answer);
    let words = schema.as_object().expect("the schema of a type with fields is an object");
    let extensions = words.clone().into_iter().collect::<Extensions>();
    ObjectBuilder::new().schema_type(SchemaType::AnyValue).extensions(Some(extensions)).into()
}
