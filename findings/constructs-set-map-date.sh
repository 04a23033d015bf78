#!/bin/sh
# cdktf 0.21.0 and cdktn 0.24.0: a Set, a Map and a Date of JavaScript are written as {}, without an error, in outputs and
# in attributes.
. "$(dirname "$0")/lib.sh"
with_constructs <<'PROGRAM'
class Any extends lib.TerraformResource {
  synthesizeAttributes() {
    return { a: new Set(['x']), b: new Map([['a', 1]]), c: new Date(0) }
  }
}
const { a, b, c } = synth(s => new Any(s, 'r', { terraformResourceType: 'null_resource' })).resource.null_resource.r
const outputs = [new Set(['x']), new Map([['a', 1]]), new Date(0)].map(value => output(() => value))
console.log(JSON.stringify([a, b, c, ...outputs]))
PROGRAM
for engine in cdktf cdktn; do seen "$engine" '[{},{},{},{},{},{}]' "$(cat $engine.out)"; done
