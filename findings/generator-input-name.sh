#!/bin/sh
# @cdktf/provider-generator 0.21.0 and @cdktn/provider-generator 0.24.0: `fooInput` is the given value of an attribute `foo`.
# If the provider later gets an attribute `foo_input`, `fooInput` becomes a reference to that one, and still compiles.
. "$(dirname "$0")/lib.sh"
with_bindings <<'PROGRAM'
const text = { type: 'string', optional: true }
for (const attributes of [{ foo: text }, { foo: text, foo_input: text }]) {
  const { errors, synth } = await bindings({ attributes })
  const { o } = synth((flag, stack) => {
    new lib.TerraformOutput(stack, 'o', { value: flag('r', { foo: 'v' }).fooInput })
  }).output
  console.log(errors.length, o.value)
}
PROGRAM
for engine in cdktf cdktn; do seen "$engine" '0 v, 0 ${x_flag.r.foo_input}' "$(tr '\n' ',' < $engine.out | sed 's/,$//;s/,/, /')"; done
