//! sdk QUESTIONS: what posthog-rs answers, one JSON line for each question.
#![allow(deprecated)]
use posthog_rs::{ClientOptionsBuilder, FlagValue};
use serde_json::{json, Value};
use std::{collections::HashMap, env, fs};

#[tokio::main]
async fn main() {
    let text = fs::read_to_string(env::args().nth(1).expect("a file")).expect("questions");
    let asked: Value = serde_json::from_str(&text).expect("JSON");
    for each in asked["questions"].as_array().expect("a list") {
        let answer = match ask(&asked["host"], each).await {
            Ok(Some(FlagValue::Boolean(value))) => json!({ "id": each["id"], "value": value }),
            Ok(Some(FlagValue::String(value))) => json!({ "id": each["id"], "value": value }),
            Ok(None) => json!({ "id": each["id"] }),
            Err(error) => json!({ "id": each["id"], "error": error.to_string() }),
        };
        println!("{answer}");
    }
}

async fn ask(host: &Value, each: &Value) -> Result<Option<FlagValue>, posthog_rs::Error> {
    let text = |value: &Value| value.as_str().expect("a text").to_string();
    let options = ClientOptionsBuilder::default()
        .host(text(host))
        .api_key(text(&each["token"]))
        .personal_api_key(text(&each["secret"]))
        .enable_local_evaluation(true)
        .build()
        .expect("options");
    let sdk = posthog_rs::client(options).await;
    let groups: Option<HashMap<String, String>> = parse(&each["groups"]);
    sdk.get_feature_flag(
        text(&each["key"]),
        text(&each["distinctId"]),
        groups,
        parse(&each["personProperties"]),
        parse(&each["groupProperties"]),
    )
    .await
}

fn parse<T: serde::de::DeserializeOwned>(value: &Value) -> Option<T> {
    serde_json::from_value(value.clone()).expect("members")
}
