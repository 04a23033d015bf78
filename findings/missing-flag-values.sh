#!/bin/sh
# For a flag that does not exist, posthog-js-lite 4.12.1 says false, while getFeatureFlag and isFeatureEnabled of
# posthog-js 1.449.2 and posthog-node 5.70.0 say undefined; isEnabled of evaluateFlags of posthog-node says false.
. "$(dirname "$0")/lib.sh"
flag_server <<'FLAGS'
{ "a": {} }
FLAGS
in_browser posthog-js-lite@4.12.1 posthog-node@5.70.0 <<'PROGRAM'
import { PostHog as Lite } from 'posthog-js-lite'
import { PostHog as Node } from 'posthog-node'
const page = start('t', { bootstrap: { distinctID: 'u' } })
await until(() => page.getFeatureFlag('a') === true)
console.log('js', page.getFeatureFlag('missing'), page.isFeatureEnabled('missing'))
const lite = new Lite('t', { host, preloadFeatureFlags: false, persistence: 'memory' })
await lite.reloadFeatureFlagsAsync()
console.log('lite', lite.getFeatureFlag('missing'), lite.isFeatureEnabled('missing'))
const node = new Node('t', { host })
console.log('node', await node.getFeatureFlag('missing', 'u'), await node.isFeatureEnabled('missing', 'u'))
const flags = await node.evaluateFlags('u')
console.log('evaluateFlags', flags.getFlag('missing'), flags.isEnabled('missing'))
PROGRAM
seen 'flag, enabled' 'js undefined undefined
lite false false
node undefined undefined
evaluateFlags undefined false' "$(cat out)"
