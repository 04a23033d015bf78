//! sdk QUESTIONS: what posthog-rs answers, one JSON line for each question. Without a secret it asks the service. A
//! question with an event is also about the payload, and captures that event.
#![allow(deprecated)]
use posthog_rs::{ClientOptionsBuilder, Event, FlagValue};
use serde_json::{json, Value};
use std::{collections::HashMap, env, fs};

#[tokio::main]
async fn main() {
    let text = fs::read_to_string(env::args().nth(1).expect("a file")).expect("questions");
    let asked: Value = serde_json::from_str(&text).expect("JSON");
    for each in asked["questions"].as_array().expect("a list") {
        let answer = match ask(&asked["host"], each).await {
            Ok((value, payload)) => {
                let value = match value {
                    Some(FlagValue::Boolean(value)) => json!(value),
                    Some(FlagValue::String(value)) => json!(value),
                    None => Value::Null,
                };
                json!({ "id": each["id"], "value": value, "payload": payload })
            }
            Err(error) => json!({ "id": each["id"], "error": error.to_string() }),
        };
        println!("{answer}");
    }
}

type Answer = (Option<FlagValue>, Option<Value>);

async fn ask(host: &Value, each: &Value) -> Result<Answer, posthog_rs::Error> {
    let text = |value: &Value| value.as_str().expect("a text").to_string();
    let mut options = ClientOptionsBuilder::default();
    options.host(text(host)).api_key(text(&each["token"]));
    if each["secret"].is_string() {
        options
            .personal_api_key(text(&each["secret"]))
            .enable_local_evaluation(true)
            .local_evaluation_only(each["onlyLocal"] == json!(true));
    }
    let sdk = posthog_rs::client(options.build().expect("options")).await;
    let groups: Option<HashMap<String, String>> = parse(&each["groups"]);
    let (key, person) = (text(&each["key"]), text(&each["distinctId"]));
    let value = sdk
        .get_feature_flag(
            key.clone(),
            person.clone(),
            groups,
            parse(&each["personProperties"]),
            parse(&each["groupProperties"]),
        )
        .await?;
    if !each["event"].is_string() {
        return Ok((value, None));
    }
    let payload = sdk.get_feature_flag_payload(key.clone(), person.clone()).await?;
    let mut event = Event::new(text(&each["event"]), person);
    event.insert_prop("key", key)?;
    sdk.capture_immediate(event).await?;
    let payload = payload.map(|payload| match payload {
        Value::String(text) => serde_json::from_str(&text).expect("JSON"),
        other => other,
    });
    Ok((value, payload))
}

fn parse<T: serde::de::DeserializeOwned>(value: &Value) -> Option<T> {
    serde_json::from_value(value.clone()).expect("members")
}
