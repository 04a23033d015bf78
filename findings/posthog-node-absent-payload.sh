#!/bin/sh
# posthog-node 5.70.0: a flag without a payload has the payload null if PostHog evaluates it, but undefined if the SDK
# does. So `const { payload = {} } = result` takes its default only with local evaluation.
. "$(dirname "$0")/lib.sh"
npm_packages posthog-node@5.70.0
flag_server <<'FLAGS'
{ "a": {} }
FLAGS
node_program <<'PROGRAM'
import { PostHog } from 'posthog-node'
for (const personalApiKey of [undefined, 'phx_x']) {
  const sdk = new PostHog('t', { host: process.env.host, personalApiKey })
  if (personalApiKey) await sdk.reloadFeatureFlags()
  const { payload = 'default' } = await sdk.getFeatureFlagResult('a', 'u')
  const flags = await sdk.evaluateFlags('u')
  console.log(payload, flags.getFlagPayload('a'), await sdk.getFeatureFlagPayload('a', 'u'))
}
PROGRAM
seen 'remote, then local' 'null null null
default undefined null' "$(cat out)"
