#!/bin/sh
# @cdktf/provider-generator 0.21.0 and @cdktn/provider-generator 0.24.0: a block with the nesting mode `group`, or an
# attribute that is a tuple, ends the generation of the whole provider. The error names neither resource nor attribute.
. "$(dirname "$0")/lib.sh"
with_bindings <<'PROGRAM'
const error = block => bindings(block).then(() => 'none', ({ name, message }) => `${name}: ${message}`)
const block = { attributes: { size: { type: 'number', optional: true } } }
console.log(await error({ block_types: { part: { nesting_mode: 'group', block } } }))
console.log(await error({ attributes: { pair: { type: ['tuple', ['string', 'number']], optional: true } } }))
PROGRAM
for engine in cdktf cdktn; do
  seen "$engine, group" "TypeError: Cannot read properties of undefined (reading 'terraformName')" "$(sed -n 1p $engine.out)"
  seen "$engine, tuple" 'Error: unknown type ["tuple",["string","number"]]' "$(sed -n 2p $engine.out)"
done
