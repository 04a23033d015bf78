#!/bin/sh
# cdktf 0.21.0 and cdktn 0.24.0: JSON.stringify writes the text <unresolved-token> for the `value` of a variable; for its
# `stringValue` it writes the reference, without escapes for what the text will hold. Fn.jsonencode is right for both.
. "$(dirname "$0")/lib.sh"
with_constructs <<'PROGRAM'
const of = s => new lib.TerraformVariable(s, 'v', { type: 'string' })
console.log(
  output(s => JSON.stringify([of(s).value])),
  output(s => JSON.stringify([of(s).stringValue])),
  output(s => lib.Fn.jsonencode([of(s).value])),
)
PROGRAM
for engine in cdktf cdktn; do
  seen "$engine" '["<unresolved-token>"] ["${var.v}"] ${jsonencode([var.v])}' "$(cat $engine.out)"
done
