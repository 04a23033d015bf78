#!/bin/sh
# @cdktf/provider-generator 0.21.0 and @cdktn/provider-generator 0.24.0: a dynamic attribute takes a list, as far as the
# compiler is concerned, and writes it as an object with the keys "0" and "1".
. "$(dirname "$0")/lib.sh"
with_bindings <<'PROGRAM'
const { folder, synth } = await bindings({ attributes: { any: { type: 'dynamic', optional: true } } })
const file = `${folder}/check.ts`
writeFileSync(file, `import { FlagConfig } from './providers/x/flag'\nexport const config: FlagConfig = { any: [1, 2] }\n`)
const errors = errorsIn(compiled(file))
console.log(errors.length, JSON.stringify(synth(flag => flag('r', { any: [1, 2] })).resource.x_flag.r))
PROGRAM
for engine in cdktf cdktn; do seen "$engine" '0 {"any":{"0":1,"1":2}}' "$(cat $engine.out)"; done
