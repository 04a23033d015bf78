#!/bin/sh
# @cdktf/provider-generator 0.21.0 and @cdktn/provider-generator 0.24.0: `node`, `path` and `import_from` compile as attributes
# of a resource. `to_string`, `constructor` and `add_override` do not, and in a nested object `resolve` does not.
. "$(dirname "$0")/lib.sh"
with_bindings <<'PROGRAM'
const text = { type: 'string', optional: true }
const fails = async attributes => (await bindings({ attributes })).errors.length > 0
for (const name of ['node', 'path', 'import_from', 'to_string', 'constructor', 'add_override'])
  if (await fails({ [name]: text })) console.log(name)
if (await fails({ o: { optional: true, nested_type: { nesting_mode: 'single', attributes: { resolve: text } } } })) console.log('o.resolve')
PROGRAM
for engine in cdktf cdktn; do seen "$engine" 'to_string constructor add_override o.resolve' "$(tr '\n' ' ' < $engine.out | sed 's/ $//')"; done
