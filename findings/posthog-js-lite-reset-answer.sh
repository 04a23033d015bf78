#!/bin/sh
# posthog-js-lite 4.12.1: `reset` while a request for flags is under way. The page gets the flags of the earlier person
# after `reset`, and then those of the new one. posthog-js 1.449.2 drops the answer for the earlier person.
. "$(dirname "$0")/lib.sh"
flag_server <<'FLAGS'
{ "a": { "value": "before" } }
FLAGS
in_browser posthog-js-lite@4.12.1 <<'PROGRAM'
import { writeFileSync } from 'node:fs'
import { PostHog as Lite } from 'posthog-js-lite'
const serve = value => writeFileSync('flags.json', JSON.stringify({ a: { value } }))
for (const name of ['page', 'lite']) {
  serve('before')
  const sdk = name === 'page' ? start('page') : new Lite('lite', { host, persistence: 'memory' })
  await until(() => sdk.getFeatureFlag('a') === 'before')
  await fetch(`${host}/hold`)
  serve('earlier person')
  const requests = asked('/flags', `"${name}`).length
  sdk.reloadFeatureFlags()
  await until(() => asked('/flags', `"${name}`).length > requests)
  serve('new person')
  sdk.reset()
  const values = [sdk.getFeatureFlag('a')]
  sdk.onFeatureFlags(() => values.push(sdk.getFeatureFlag('a')))
  await fetch(`${host}/release`)
  await until(() => sdk.getFeatureFlag('a') === 'new person')
  console.log(name, values.map(String).join(', '))
}
PROGRAM
seen 'posthog-js, posthog-js-lite' 'page undefined, new person
lite undefined, earlier person, new person' "$(cat out)"
