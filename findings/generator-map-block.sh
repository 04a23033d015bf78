#!/bin/sh
# @cdktf/provider-generator 0.21.0 and @cdktn/provider-generator 0.24.0: a block with the nesting mode `map` has no member in
# the configuration of its resource. A program in JavaScript that sets it writes nothing, without an error.
. "$(dirname "$0")/lib.sh"
with_bindings <<'PROGRAM'
const block = { attributes: { size: { type: 'number', required: true } } }
const { errors, synth, source } = await bindings({ block_types: { part: { nesting_mode: 'map', block } } })
const written = synth(flag => flag('r', { part: { a: { size: 1 } } })).resource.x_flag.r
console.log(errors.length, /readonly part\b/.test(source), JSON.stringify(written))
PROGRAM
for engine in cdktf cdktn; do seen "$engine" '0 false {}' "$(cat $engine.out)"; done
