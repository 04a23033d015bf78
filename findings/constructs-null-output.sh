#!/bin/sh
# cdktf 0.21.0 and cdktn 0.24.0: a null in the value of an output, or in the default of a variable, is a TypeError without
# the name of the construct, although both are valid in Terraform. In a TerraformLocal it is written.
. "$(dirname "$0")/lib.sh"
with_constructs <<'PROGRAM'
const attempt = run => {
  try {
    return JSON.stringify(run())
  } catch (error) {
    return `${error.name}: ${error.message}`
  }
}
console.log(attempt(() => output(() => ({ a: null }))))
console.log(attempt(() => synth(s => new lib.TerraformVariable(s, 'v', { default: null }))))
console.log(attempt(() => synth(s => new lib.TerraformLocal(s, 'l', { a: null })).locals.l))
PROGRAM
error='TypeError: Cannot convert undefined or null to object'
for engine in cdktf cdktn; do
  seen "$engine" "$error $error {\"a\":null}" "$(tr '\n' ' ' < $engine.out | sed 's/ $//')"
done
