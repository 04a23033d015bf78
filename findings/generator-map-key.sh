#!/bin/sh
# @cdktf/provider-generator 0.21.0 and @cdktn/provider-generator 0.24.0: `get('key')` of a map of nested objects writes the key
# without quotes, which Terraform takes for a reference, and refuses. `lookup('key')` of a map of texts has the quotes.
. "$(dirname "$0")/lib.sh"
with_bindings <<'PROGRAM'
const attributes = { name: { type: 'string', computed: true } }
const { synth } = await bindings({
  attributes: {
    parts: { nested_type: { nesting_mode: 'map', attributes }, computed: true },
    texts: { type: ['map', 'string'], computed: true },
  },
})
const { output } = synth((flag, stack) => {
  const { parts, texts } = flag('r', {})
  new lib.TerraformOutput(stack, 'a', { value: parts.get('key').name })
  new lib.TerraformOutput(stack, 'b', { value: texts.lookup('key') })
})
console.log(output.a.value, output.b.value)
PROGRAM
for engine in cdktf cdktn; do seen "$engine" '${x_flag.r.parts[key].name} ${x_flag.r.texts["key"]}' "$(cat $engine.out)"; done
