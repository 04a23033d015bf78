#!/bin/sh
# @cdktf/provider-generator 0.21.0 and @cdktn/provider-generator 0.24.0: that a resource or an attribute is deprecated in the
# schema is nowhere in the code, so no editor warns.
. "$(dirname "$0")/lib.sh"
with_bindings <<'PROGRAM'
const attributes = { old: { type: 'string', optional: true, deprecated: true } }
const { source } = await bindings({ attributes, deprecated: true })
console.log(/deprecat/i.test(source))
PROGRAM
for engine in cdktf cdktn; do seen "$engine" 'false' "$(cat $engine.out)"; done
