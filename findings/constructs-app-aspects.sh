#!/bin/sh
# cdktf 0.21.0 and cdktn 0.24.0: an aspect of an App is never visited; one of a stack is, with each construct in it.
. "$(dirname "$0")/lib.sh"
with_constructs <<'PROGRAM'
const visits = of => {
  let count = 0
  synth((stack, app) => {
    lib.Aspects.of(of === 'app' ? app : stack).add({ visit: () => (count += 1) })
    new lib.TerraformOutput(stack, 'o', { value: 1 })
  })
  return count
}
console.log(visits('app'), visits('stack') > 1)
PROGRAM
for engine in cdktf cdktn; do seen "$engine" '0 true' "$(cat $engine.out)"; done
