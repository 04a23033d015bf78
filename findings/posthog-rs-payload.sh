#!/bin/sh
# posthog-rs 0.30.0: get_feature_flag_payload gives JSON text, so that the string "x" has quotes. It always asks /flags,
# without groups or properties, although get_feature_flag has answered locally. evaluate_flags gives the value, without a
# request.
. "$(dirname "$0")/lib.sh"
flag_server <<'FLAGS'
{ "object": { "payload": "{\"a\":1}" }, "text": { "payload": "\"x\"" } }
FLAGS
rust_program 'posthog-rs = "=0.30.0"' 'tokio = { version = "1", features = ["macros", "rt-multi-thread"] }' > out <<'PROGRAM'
#![allow(deprecated)]
use posthog_rs::{ClientOptionsBuilder, EvaluateFlagsOptions};
use std::{env, fs};

fn requests() -> usize {
    fs::read_to_string("requests.log").unwrap().matches("\"/flags/\"").count()
}

#[tokio::main]
async fn main() {
    let mut options = ClientOptionsBuilder::default();
    options.host(env::var("host").unwrap()).api_key("t".to_string());
    options.personal_api_key("phx_x".to_string()).enable_local_evaluation(true);
    let sdk = posthog_rs::client(options.build().unwrap()).await;
    for key in ["object", "text"] {
        sdk.get_feature_flag(key, "u", None, None, None).await.unwrap();
        let asked_for_value = requests();
        let payload = sdk.get_feature_flag_payload(key, "u").await.unwrap().unwrap();
        let asked_for_payload = requests();
        let only = EvaluateFlagsOptions { flag_keys: Some(vec![key.to_string()]), ..Default::default() };
        let flags = sdk.evaluate_flags("u", only).await.unwrap();
        println!("{payload:?} {:?}", flags.get_flag_payload(key).unwrap());
        println!("{asked_for_value} {asked_for_payload} {}", requests());
    }
}
PROGRAM
seen 'payloads, and requests so far' 'String("{\"a\":1}") Object {"a": Number(1)}
0 1 1
String("\"x\"") String("x")
1 2 2' "$(cat out)"
grep '"/flags/"' requests.log | head -n 1 | sed 's/.*"body":"\(.*\)"}/\1/' > body
seen 'body' '{\"api_key\":\"t\",\"distinct_id\":\"u\"}' "$(cat body)"
