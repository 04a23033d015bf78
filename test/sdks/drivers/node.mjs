// node node.mjs QUESTIONS PACKAGE: what posthog-node in that folder answers, one JSON line for each question.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { argv, exit, stdout } from 'node:process'

for (const level of ['debug', 'info', 'log', 'warn', 'error']) console[level] = () => undefined
const { PostHog } = createRequire(import.meta.url)(argv[3])
const { host, questions } = JSON.parse(readFileSync(argv[2], 'utf8'))

for (const { id, token, secret, key, distinctId, ...known } of questions) {
  const sdk = new PostHog(token, { host, personalApiKey: secret, featureFlagsPollingInterval: 1_000_000 })
  const answer = await ask(sdk, key, distinctId, known)
  stdout.write(`${JSON.stringify({ id, ...answer })}\n`)
  await (sdk.shutdownAsync ?? sdk.shutdown).call(sdk)
}
// Some versions go on asking for definitions.
exit()

async function ask(sdk, key, distinctId, known) {
  try {
    await sdk.reloadFeatureFlags()
    return { value: await sdk.getFeatureFlag(key, distinctId, { ...known, sendFeatureFlagEvents: false }) }
  } catch (error) {
    return { error: String(error) }
  }
}
