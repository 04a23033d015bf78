#!/bin/sh
# cdktf 0.21.0 and cdktn 0.24.0: adding to a number that is known later changes nothing and is no error: a token is a
# number of the order of 1e289, so `+ 1` is lost. Op.add writes the sum.
. "$(dirname "$0")/lib.sh"
with_constructs <<'PROGRAM'
const number = s => new lib.TerraformVariable(s, 'percent', { type: 'number' }).numberValue
console.log(output(s => number(s) + 1), output(s => number(s) / 1 - 50), output(s => lib.Op.add(number(s), 1)))
PROGRAM
for engine in cdktf cdktn; do
  seen "$engine" '${var.percent} ${var.percent} ${(var.percent + 1)}' "$(cat $engine.out)"
done
