//! The first page: a list of what is served, for people who come with a browser.

use super::state::State;
use crate::{
    catalogue::{Facts, Item, encoded},
    output::human,
};
use axum::{extract::State as Shared, response::Html};
use maud::{DOCTYPE, Markup, html};
use std::sync::Arc;

/// Returns the page.
pub(super) async fn index(Shared(state): Shared<Arc<State>>) -> Html<String> {
    let items = state.library.list();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Dragnet" }
            }
            body {
                h1 { "Dragnet" }
                p { a href="openapi.json" { "The description of the interface" } ", for programs." }
                ul { @for item in &items { li { (entry(item)) } } }
            }
        }
    };
    Html(page.into_string())
}

fn entry(item: &Item) -> Markup {
    match item {
        Item::Table { name, facts, .. } => {
            let words = match facts {
                Facts::Pursuit { height, width, counted, .. } => {
                    format!("{height}x{width}, {} positions", human::count(counted.positions))
                }
                Facts::Graph { positions, .. } => format!("a graph, {} positions", human::count(*positions)),
                Facts::Damaged { message, .. } => message.clone(),
            };
            let api = format!("v1/tables/{}", encoded(name).replace('/', "%2F"));
            html! { a href=(api) { (name) } ": " (words) }
        }
        Item::Board { name, url } | Item::Graph { name, url } => html! { a href=(url) { (name) } },
    }
}
