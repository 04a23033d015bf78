#!/bin/sh
# posthog-js 1.449.2 when the project is over its quota: a page keeps the flags that it knows. A page that knows none has
# none, and onFeatureFlags is never called. posthog-node 5.70.0 then has no flags: undefined for each.
. "$(dirname "$0")/lib.sh"
flag_server <<'FLAGS'
{ "a": { "value": "x" }, "off": { "value": false } }
FLAGS
in_browser posthog-node@5.70.0 <<'PROGRAM'
import { PostHog } from 'posthog-node'
const page = start('known')
await until(() => page.getFeatureFlag('a') === 'x')
await fetch(`${host}/quota/over`)
let calls = 0
const answered = async (token, requests) => {
  await until(() => asked('/flags', `"${token}`).length === requests)
  await new Promise(soon => setTimeout(soon, 500))
}
page.onFeatureFlags(() => (calls += 1))
calls = 0
page.reloadFeatureFlags()
await answered('known', 2)
console.log(page.getFeatureFlag('a'), page.getFeatureFlag('off'), calls)
const other = start('new')
other.onFeatureFlags(() => (calls += 1))
await answered('new', 1)
console.log(other.getFeatureFlag('a'), other.getFeatureFlag('off'), calls)
const sdk = new PostHog('t', { host })
console.log(await sdk.getFeatureFlag('a', 'u'), await sdk.getAllFlags('u'))
PROGRAM
seen 'a page with flags, a new page, posthog-node' 'x false 0
undefined undefined 0
undefined {}' "$(grep -v '^.PostHog.js' out)"
