#!/bin/sh
# posthog-node 5.70.0 with local evaluation: getAllFlagsAndPayloads and evaluateFlags lose a payload of 0, false or "".
# getFeatureFlagPayload keeps it, and without local evaluation all three keep it.
. "$(dirname "$0")/lib.sh"
npm_packages posthog-node@5.70.0
flag_server <<'FLAGS'
{ "a": { "payload": "0" }, "b": { "payload": "false" }, "c": { "payload": "\"\"" } }
FLAGS
node_program <<'PROGRAM'
import { PostHog } from 'posthog-node'
const keys = ['a', 'b', 'c']
const print = values => console.log(values.map(value => JSON.stringify(value) ?? 'undefined').join(' '))
for (const personalApiKey of [undefined, 'phx_x']) {
  const sdk = new PostHog('t', { host: process.env.host, personalApiKey })
  if (personalApiKey) await sdk.reloadFeatureFlags()
  print(await Promise.all(keys.map(key => sdk.getFeatureFlagPayload(key, 'u'))))
  const { featureFlagPayloads } = await sdk.getAllFlagsAndPayloads('u')
  print(keys.map(key => featureFlagPayloads[key]))
  const flags = await sdk.evaluateFlags('u')
  print(keys.map(key => flags.getFlagPayload(key)))
}
PROGRAM
seen 'remote, then local' '0 false ""
0 false ""
0 false ""
0 false ""
undefined undefined undefined
undefined undefined undefined' "$(cat out)"
