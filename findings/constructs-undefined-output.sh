#!/bin/sh
# cdktf 0.21.0 and cdktn 0.24.0: Op.eq with undefined writes the word undefined, which is no name in Terraform. So does
# conditional of cdktf; that of cdktn writes null. Token.asString(undefined) is undefined: an output has no value then.
. "$(dirname "$0")/lib.sh"
with_constructs <<'PROGRAM'
const flag = s => new lib.TerraformVariable(s, 'v', { type: 'bool' }).value
console.log(
  output(s => lib.Op.eq(flag(s), undefined)),
  output(s => lib.conditional(flag(s), [], undefined)),
  'value' in (synth(s => new lib.TerraformOutput(s, 'o', { value: lib.Token.asString(undefined) })).output?.o ?? {}),
)
PROGRAM
seen cdktf '${(var.v == undefined)} ${var.v ? [] : undefined} false' "$(cat cdktf.out)"
seen cdktn '${(var.v == undefined)} ${var.v ? [] : null} false' "$(cat cdktn.out)"
