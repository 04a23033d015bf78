#!/bin/sh
# @cdktf/provider-generator 0.21.0 and @cdktn/provider-generator 0.24.0: of the attributes `a1` and `a_1`, whose names are
# the same in camel case, only the last one is generated, without a warning.
. "$(dirname "$0")/lib.sh"
with_bindings <<'PROGRAM'
const text = { type: 'string', optional: true }
const { errors, synth } = await bindings({ attributes: { a1: text, a_1: text } })
console.log(errors.length, JSON.stringify(synth(flag => flag('r', { a1: 'v' })).resource.x_flag.r))
PROGRAM
for engine in cdktf cdktn; do seen "$engine" '0 {"a_1":"v"}' "$(cat $engine.out)"; done
