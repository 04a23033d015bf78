// node node.mjs QUESTIONS PACKAGE: what posthog-node in that folder answers, one JSON line for each question. Without a
// secret it asks the service. A question with an event is also about the payload, and captures that event.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { argv, exit, stdout } from 'node:process'

for (const level of ['debug', 'info', 'log', 'warn', 'error']) console[level] = () => undefined
const { PostHog } = createRequire(import.meta.url)(argv[3])
const { host, questions } = JSON.parse(readFileSync(argv[2], 'utf8'))

for (const { id, token, secret, ...question } of questions) {
  const sdk = new PostHog(token, { host, personalApiKey: secret, featureFlagsPollingInterval: 1_000_000 })
  const answer = await ask(sdk, secret !== undefined, question)
  stdout.write(`${JSON.stringify({ id, ...answer })}\n`)
  await (sdk.shutdownAsync ?? sdk.shutdown).call(sdk)
}
// Some versions go on asking for definitions.
exit()

async function ask(sdk, isLocal, { key, distinctId, event, onlyLocal: onlyEvaluateLocally, ...known }) {
  try {
    if (isLocal) await sdk.reloadFeatureFlags()
    const options = { ...known, onlyEvaluateLocally, sendFeatureFlagEvents: false }
    const value = await sdk.getFeatureFlag(key, distinctId, options)
    if (event === undefined) return { value }
    const payload = await sdk.getFeatureFlagPayload(key, distinctId, value, options)
    sdk.capture({ distinctId, event, properties: { key } })
    await (sdk.flushAsync ?? sdk.flush).call(sdk)
    return { value, payload }
  } catch (error) {
    return { error: String(error) }
  }
}
