#!/bin/sh
# overrideFeatureFlags of a flag keeps the payload of the real value. In posthog-js 1.449.2 an overridden flag that is off
# has it in each function; in posthog-node 5.70.0 it has it in evaluateFlags and getAllFlagsAndPayloads only.
. "$(dirname "$0")/lib.sh"
flag_server <<'FLAGS'
{ "a": { "value": "real", "payload": "\"of real\"" } }
FLAGS
in_browser posthog-node@5.70.0 <<'PROGRAM'
import { PostHog } from 'posthog-node'
const page = start('t')
await until(() => page.getFeatureFlag('a') === 'real')
const sdk = new PostHog('t', { host, personalApiKey: 'phx_x' })
await sdk.waitForLocalEvaluationReady()
for (const a of [false, 'other']) {
  page.featureFlags.overrideFeatureFlags({ flags: { a } })
  sdk.overrideFeatureFlags({ a })
  console.log(page.getFeatureFlag('a'), page.getFeatureFlagPayload('a'), page.getFeatureFlagResult('a').payload)
  const flags = await sdk.evaluateFlags('u')
  const { featureFlagPayloads } = await sdk.getAllFlagsAndPayloads('u')
  const alone = await sdk.getFeatureFlagPayload('a', 'u')
  console.log(flags.getFlag('a'), flags.getFlagPayload('a'), featureFlagPayloads.a, alone)
}
PROGRAM
seen 'posthog-js, posthog-node' 'false of real of real
false of real of real null
other of real of real
other of real of real null' "$(grep -v '^.PostHog.js' out)"
