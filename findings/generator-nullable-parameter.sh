#!/bin/sh
# @cdktn/provider-generator 0.24.0: if the last parameter of a provider's function takes null, and a variadic one follows, the
# code of all functions does not compile. With a further parameter behind it, it does. @cdktf/provider-generator has no functions.
. "$(dirname "$0")/lib.sh"
with_bindings <<'PROGRAM'
const { existsSync } = require('node:fs')
const about = { name: 'about', type: 'string', is_nullable: true }
const key = { name: 'key', type: 'string' }
for (const say of [{ parameters: [about, key] }, { parameters: [about], variadic_parameter: key }]) {
  const { folder } = await bindings({}, { functions: { say: { return_type: 'string', ...say } } })
  const file = `${folder}/providers/x/provider-functions/index.ts`
  console.log(existsSync(file) && errorsIn(compiled(file)).join())
}
PROGRAM
error='A required parameter cannot follow an optional parameter.'
seen cdktf 'false false ' "$(tr '\n' ' ' < cdktf.out)"
seen cdktn " $error " "$(tr '\n' ' ' < cdktn.out)"
