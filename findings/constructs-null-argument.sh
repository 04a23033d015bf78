#!/bin/sh
# cdktf 0.21.0: a null in a list that is an argument of a function is written as nothing, `[, "a"]`, which is no
# expression of Terraform's. cdktn 0.24.0 writes null.
. "$(dirname "$0")/lib.sh"
with_constructs <<'PROGRAM'
console.log(output(() => lib.Fn.jsonencode([null, 'a'])))
PROGRAM
seen cdktf '${jsonencode([, "a"])}' "$(cat cdktf.out)"
seen cdktn '${jsonencode([null, "a"])}' "$(cat cdktn.out)"
