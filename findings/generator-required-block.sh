#!/bin/sh
# @cdktf/provider-generator 0.21.0 and @cdktn/provider-generator 0.24.0: a block with the nesting mode `single`, which may be
# left out in Terraform, is required in the code if all of its attributes are, and optional if one of them is.
. "$(dirname "$0")/lib.sh"
with_bindings <<'PROGRAM'
const part = attributes => ({ block_types: { part: { nesting_mode: 'single', block: { attributes } } } })
const size = { type: 'number', required: true }
const name = { type: 'string', optional: true }
for (const attributes of [{ size }, { size, name }])
  console.log((await bindings(part(attributes))).source.match(/readonly part(\??):/)[1] === '?' ? 'optional' : 'required')
PROGRAM
for engine in cdktf cdktn; do seen "$engine" 'required optional' "$(tr '\n' ' ' < $engine.out | sed 's/ $//')"; done
