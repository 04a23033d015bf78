#!/bin/sh
# @flags-sdk/posthog 0.2.2: getProviderData lists payloads as the options of a flag, and not its variants. A variant without
# a payload is no option, and a flag without payloads has none at all.
. "$(dirname "$0")/lib.sh"
npm_packages @flags-sdk/posthog@0.2.2
node_program <<'PROGRAM'
import { getProviderData } from '@flags-sdk/posthog'
import { createServer } from 'node:http'
const multivariate = { variants: ['a', 'b'].map(key => ({ key, rollout_percentage: 50 })) }
const of = (key, filters) => ({ id: 1, key, name: key, created_at: '2026-01-01T00:00:00Z', filters })
const results = [
  of('boolean', { groups: [], payloads: {} }),
  of('variants', { groups: [], multivariate, payloads: {} }),
  of('payload', { groups: [], multivariate, payloads: { a: '{"x":1}' } }),
]
const server = createServer((_, response) => response.end(JSON.stringify({ count: 3, results })))
await new Promise(open => server.listen(0, '127.0.0.1', open))
const appHost = `http://127.0.0.1:${server.address().port}`
const { definitions } = await getProviderData({ personalApiKey: 'phx_x', projectId: '1', appHost })
for (const [key, { options }] of Object.entries(definitions)) console.log(key, JSON.stringify(options))
PROGRAM
seen options 'boolean []
variants []
payload [{"value":{"x":1},"label":"a"}]' "$(cat out)"
