#!/bin/sh
# js-yaml 5.5.0 reads other values than 4.1.0: `<<` is a key and merges nothing, 1_000 and a date are texts, +.5 is a number, and
# an empty file is an error.
. "$(dirname "$0")/lib.sh"
npm_packages js-yaml@5.5.0 older@npm:js-yaml@4.1.0
node_program <<'PROGRAM'
import { load } from 'js-yaml'
import older from 'older'
const texts = ['base: &base { active: true }\nflag: { <<: *base, key: a }', 'rollout: 1_000', 'since: 2026-01-01', 'share: +.5', '# nothing']
for (const text of texts)
  for (const read of [older.load, load]) {
    try {
      console.log(JSON.stringify(read(text)))
    } catch ({ reason }) {
      console.log(reason)
    }
  }
PROGRAM
seen 'of 4.1.0, of 5.5.0' '{"base":{"active":true},"flag":{"active":true,"key":"a"}}
{"base":{"active":true},"flag":{"<<":{"active":true},"key":"a"}}
{"rollout":1000}
{"rollout":"1_000"}
{"since":"2026-01-01T00:00:00.000Z"}
{"since":"2026-01-01"}
{"share":"+.5"}
{"share":0.5}
null
expected a document, but the input is empty' "$(cat out)"
