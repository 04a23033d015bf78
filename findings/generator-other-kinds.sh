#!/bin/sh
# Of a provider's functions, ephemeral resources and list resources, @cdktn/provider-generator 0.24.0 generates the first two,
# and @cdktf/provider-generator 0.21.0 none. Neither says what it leaves out.
. "$(dirname "$0")/lib.sh"
with_bindings <<'PROGRAM'
const schema = { version: 0, block: { attributes: { value: { type: 'string', computed: true } } } }
const { folder } = await bindings(schema.block, {
  functions: { to_slug: { return_type: 'string', parameters: [{ name: 'text', type: 'string' }] } },
  ephemeral_resource_schemas: { x_token: schema },
  list_resource_schemas: { x_flag: schema },
})
console.log(require('node:fs').readdirSync(`${folder}/providers/x`).filter(file => !file.endsWith('.ts')).join(' '))
PROGRAM
seen cdktf 'flag provider' "$(cat cdktf.out)"
seen cdktn 'ephemeral-x-token flag provider provider-functions' "$(cat cdktn.out)"
