#!/bin/sh
# Events with overridden flags. posthog-js 1.449.2: $feature/KEY has the real value. posthog-node 5.70.0: it has the
# overridden one, getFeatureFlag sends no $feature_flag_called, and evaluateFlags sends it without a word of the override.
. "$(dirname "$0")/lib.sh"
flag_server <<'FLAGS'
{ "a": { "value": "real" } }
FLAGS
in_browser posthog-node@5.70.0 <<'PROGRAM'
import { PostHog } from 'posthog-node'
const page = start('t')
await until(() => page.getFeatureFlag('a', { send_event: false }) === 'real')
page.featureFlags.overrideFeatureFlags({ flags: { a: 'other' } })
page.capture('page')
await until(() => events().some(({ event }) => event === 'page'))
const { properties } = events().find(({ event }) => event === 'page')
console.log(properties['$feature/a'], properties.$override_feature_flags.a)

const sdk = new PostHog('t', { host, personalApiKey: 'phx_x', flushAt: 1 })
await sdk.waitForLocalEvaluationReady()
sdk.overrideFeatureFlags({ a: 'other' })
await sdk.getFeatureFlag('a', 'ada')
const flags = await sdk.evaluateFlags('bob')
flags.getFlag('a')
sdk.capture({ distinctId: 'bob', event: 'server', flags })
const sent = () => asked('/batch').flatMap(({ batch }) => batch)
await until(() => sent().some(({ event }) => event === 'server'))
for (const { event, distinct_id, properties } of sent())
  console.log(event, distinct_id, properties['$feature/a'], properties.$feature_flag_reason)
console.log(/overrid/i.test(JSON.stringify(sent())))
PROGRAM
seen 'posthog-js, posthog-node' 'real other
$feature_flag_called bob other Evaluated locally
server bob other undefined
false' "$(grep -v '^.PostHog.js' out)"
