#!/bin/sh
# posthog-node 5.70.0 with a flagDefinitionCacheProvider: when the project is over its quota (402), the process that asked
# has no flags, but the cache keeps them. So processes that read the cache go on with flags.
. "$(dirname "$0")/lib.sh"
npm_packages posthog-node@5.70.0
flag_server <<'FLAGS'
{ "a": {} }
FLAGS
node_program <<'PROGRAM'
import { PostHog } from 'posthog-node'
const { host } = process.env
let cached
let writes = 0
const cache = isWriter => ({
  getFlagDefinitions: () => cached,
  shouldFetchFlagDefinitions: () => isWriter,
  onFlagDefinitionsReceived: definitions => void ((writes += 1), (cached = definitions)),
  shutdown: () => {},
})
const begin = async isWriter => {
  const sdk = new PostHog('t', { host, personalApiKey: 'phx_x', flagDefinitionCacheProvider: cache(isWriter) })
  await sdk.waitForLocalEvaluationReady()
  await new Promise(soon => setTimeout(soon, 50))
  return sdk
}
const show = async sdk => console.log(JSON.stringify(await sdk.getAllFlags('u', { onlyEvaluateLocally: true })), writes)
const writer = await begin(true)
await show(writer)
await fetch(`${host}/quota/over`)
await writer.reloadFeatureFlags()
await show(writer)
await show(await begin(false))
PROGRAM
seen 'writer, writer over the quota, reader' '{"a":true} 1
{} 1
{"a":true} 1' "$(cat out)"
