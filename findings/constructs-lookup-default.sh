#!/bin/sh
# cdktf 0.21.0 and cdktn 0.24.0: a default of Fn.lookup that is 0, false or "" is left out, so that Terraform fails
# where the key is missing. A default of 1 is written.
. "$(dirname "$0")/lib.sh"
with_constructs <<'PROGRAM'
const map = s => new lib.TerraformVariable(s, 'm', { type: 'map(any)' }).value
console.log([0, false, '', 1].map(each => output(s => lib.Fn.lookup(map(s), 'a', each))).join(' '))
PROGRAM
for engine in cdktf cdktn; do
  seen "$engine" '${var.m.a} ${var.m.a} ${var.m.a} ${lookup(var.m, "a", 1)}' "$(cat $engine.out)"
done
