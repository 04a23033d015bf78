#!/bin/sh
# @cdktf/provider-generator 0.21.0 and @cdktn/provider-generator 0.24.0: the code for a list of lists of objects, or for a map
# of lists of objects, does not compile. A list of lists of texts does.
. "$(dirname "$0")/lib.sh"
with_bindings <<'PROGRAM'
const object = ['object', { name: 'string' }]
for (const type of [['list', ['list', 'string']], ['list', ['list', object]], ['map', ['list', object]]]) {
  const { errors } = await bindings({ attributes: { parts: { type, optional: true } } })
  console.log(errors.map(error => error.replace(/.*(is not assignable to) type.*/, '$1')).join(', ') || 'compiles')
}
PROGRAM
twice='is not assignable to, is not assignable to'
for engine in cdktf cdktn; do seen "$engine" "compiles; $twice; $twice" "$(sed 's/$/; /' $engine.out | tr -d '\n' | sed 's/; $//')"; done
