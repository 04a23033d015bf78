#!/bin/sh
# overrideFeatureFlags takes a payload as JSON text in posthog-js 1.449.2, which parses it, and as a value in
# posthog-node 5.70.0, which hands the text over. Both parse the same text when it comes from PostHog.
. "$(dirname "$0")/lib.sh"
flag_server <<'FLAGS'
{ "a": { "payload": "{\"x\":1}" } }
FLAGS
in_browser posthog-node@5.70.0 <<'PROGRAM'
import { PostHog } from 'posthog-node'
const override = { flags: { a: true }, payloads: { a: '{"x":1}' } }
const page = start('t', { bootstrap: { distinctID: 'u' } })
await until(() => page.getFeatureFlag('a') === true)
const node = new PostHog('t', { host })
const lines = []
const show = async () => lines.push([page.getFeatureFlagPayload('a'), await node.getFeatureFlagPayload('a', 'u')])
await show()
page.featureFlags.overrideFeatureFlags({ ...override, suppressWarning: true })
node.overrideFeatureFlags(override)
await show()
console.log(JSON.stringify(lines))
PROGRAM
seen 'served, overridden' '[[{"x":1},{"x":1}],[{"x":1},"{\"x\":1}"]]' "$(grep -v PostHog.js out)"
