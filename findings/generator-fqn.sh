#!/bin/sh
# @cdktf/provider-generator 0.21.0 and @cdktn/provider-generator 0.24.0: an attribute `fqn` of a resource compiles, and takes
# the place of the member `fqn` of its construct. `dependsOn` then names the attribute, not the resource, which Terraform refuses.
. "$(dirname "$0")/lib.sh"
with_bindings <<'PROGRAM'
const { errors, synth } = await bindings({ attributes: { fqn: { type: 'string', optional: true } } })
const { r } = synth(flag => flag('r', { dependsOn: [flag('a', {})] })).resource.x_flag
console.log(errors.length, JSON.stringify(r))
PROGRAM
for engine in cdktf cdktn; do seen "$engine" '0 {"depends_on":["x_flag.a.fqn"]}' "$(cat $engine.out)"; done
