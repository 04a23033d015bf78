#!/bin/sh
# posthog-node 5.70.0, local evaluation: if one flag needs a property that the caller has not given, getAllFlags takes
# every value from PostHog. evaluateFlags asks for every flag too, but keeps its own values of the others, so the two
# differ. With flagKeys it asks for all of these, also for those that it has decided.
. "$(dirname "$0")/lib.sh"
npm_packages posthog-node@5.70.0
flag_server <<'FLAGS'
{
  "own": { "value": "local", "remote": "remote" },
  "undecided": { "properties": [{ "key": "plan", "value": "pro", "type": "person", "operator": "exact" }] }
}
FLAGS
node_program <<'PROGRAM'
import { PostHog } from 'posthog-node'
const sdk = new PostHog('t', { host: process.env.host, personalApiKey: 'phx_x' })
await sdk.waitForLocalEvaluationReady()
for (const more of [{}, { personProperties: { plan: 'pro' } }]) {
  const { own } = await sdk.getAllFlags('u', more)
  const flags = await sdk.evaluateFlags('u', more)
  console.log(own, await sdk.getFeatureFlag('own', 'u', more), flags.getFlag('own'))
}
await sdk.evaluateFlags('u', { flagKeys: ['own', 'undecided'] })
PROGRAM
seen 'getAllFlags, getFeatureFlag, evaluateFlags: without the property, with it' 'remote local local
local local local' "$(cat out)"
grep '"path":"/flags/"' requests.log | grep -o 'flag_keys_to_evaluate[^]]*' | tr -d '\\\\"' > keys
seen 'flags in requests' 'flag_keys_to_evaluate:[own,undecided' "$(cat keys)"
