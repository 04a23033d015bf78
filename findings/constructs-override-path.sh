#!/bin/sh
# cdktf 0.21.0 and cdktn 0.24.0: a number in the path of addOverride makes an object with that key, not an element of a
# list, and a backslash does not escape a dot: both write what Terraform does not read as meant.
. "$(dirname "$0")/lib.sh"
with_constructs <<'PROGRAM'
const made = resource(r => {
  r.addOverride('groups.0.percent', 1)
  r.addOverride('labels.example\\.com', 1)
})
console.log(JSON.stringify(made.groups), JSON.stringify(made.labels))
PROGRAM
for engine in cdktf cdktn; do
  seen "$engine" '{"0":{"percent":1}} {"example\\":{"com":1}}' "$(cat $engine.out)"
done
