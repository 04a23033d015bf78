#!/bin/sh
# cdktf 0.21.0 and cdktn 0.24.0: a list of numbers that is known later, as an argument of a function, is written as one
# number near -1.9e289, without an error. As the value of an output it is the reference.
. "$(dirname "$0")/lib.sh"
with_constructs <<'PROGRAM'
const list = s => lib.Token.asNumberList(new lib.TerraformVariable(s, 'v', { type: 'list(number)' }).value)
console.log(output(s => lib.Fn.max(list(s))).replace(/-1\.8\d+e/, '-1.8e'), output(s => list(s)))
PROGRAM
for engine in cdktf cdktn; do seen "$engine" '${max(-1.8e+289)} ${var.v}' "$(cat $engine.out)"; done
