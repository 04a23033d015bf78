#!/bin/sh
# cdktf 0.21.0 and cdktn 0.24.0: in a list that is an argument of a function, everything after an undefined element is
# lost: a join of a, undefined and b gives "a" alone. In the value of an output only the undefined element is dropped.
. "$(dirname "$0")/lib.sh"
with_constructs <<'PROGRAM'
console.log(output(() => lib.Fn.join(',', ['a', undefined, 'b'])), JSON.stringify(output(() => ['a', undefined, 'b'])))
PROGRAM
seen cdktf '${join(",", ["a", ])} ["a","b"]' "$(cat cdktf.out)"
seen cdktn '${join(",", ["a", null])} ["a","b"]' "$(cat cdktn.out)"
