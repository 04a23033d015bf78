#!/bin/sh
# posthog-js 1.449.2 and posthog-js-lite 4.12.1 parse a bootstrapped payload that posthog-node 5.70.0 has parsed already:
# the string "12" is a number in the page, although /flags and posthog-node say that it is a string. The same for "true".
. "$(dirname "$0")/lib.sh"
flag_server <<'FLAGS'
{ "a": { "payload": "\"12\"" }, "b": { "payload": "\"true\"" }, "c": { "payload": "\"text\"" } }
FLAGS
in_browser posthog-js-lite@4.12.1 posthog-node@5.70.0 <<'PROGRAM'
import { PostHog as Lite } from 'posthog-js-lite'
import { PostHog as Node } from 'posthog-node'
const bootstrap = { distinctID: 'u', ...await new Node('t', { host }).getAllFlagsAndPayloads('u') }
const show = sdk => console.log(JSON.stringify(['a', 'b', 'c'].map(key => sdk.getFeatureFlagPayload(key))))
const page = start('t', { bootstrap })
const lite = new Lite('t', { host, bootstrap, preloadFeatureFlags: false, persistence: 'memory' })
show(page)
show(lite)
page.reloadFeatureFlags()
await until(() => typeof page.getFeatureFlagPayload('a') === 'string')
show(page)
await lite.reloadFeatureFlagsAsync()
show(lite)
PROGRAM
seen 'bootstrapped, then from /flags' '[12,true,"text"]
[12,true,"text"]
["12","true","text"]
["12","true","text"]' "$(cat out)"
