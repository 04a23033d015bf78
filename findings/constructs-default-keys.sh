#!/bin/sh
# cdktf 0.21.0 and cdktn 0.24.0: the keys of a variable's default are turned into snake case, also those in capital letters,
# such as DE. Two keys may become one, and the value of the first is lost. The keys of a TerraformLocal stay.
. "$(dirname "$0")/lib.sh"
with_constructs <<'PROGRAM'
const value = { darkMode: 1, dark_mode: 2, 'a-b': 3, DE: 4 }
console.log(JSON.stringify(synth(s => new lib.TerraformVariable(s, 'v', { default: value })).variable.v.default))
console.log(JSON.stringify(synth(s => new lib.TerraformLocal(s, 'l', value)).locals.l))
PROGRAM
for engine in cdktf cdktn; do
  seen "$engine" '{"a_b":3,"dark_mode":2,"de":4} {"DE":4,"a-b":3,"darkMode":1,"dark_mode":2}' "$(tr '\n' ' ' < $engine.out | sed 's/ $//')"
done
