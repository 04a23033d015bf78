#!/bin/sh
# posthog-js-lite 4.12.1 loses a bootstrapped payload of 0, false or "": it says null. It keeps the same payloads of an
# answer of /flags, and posthog-js 1.449.2 keeps them when they are bootstrapped.
. "$(dirname "$0")/lib.sh"
flag_server <<'FLAGS'
{ "a": { "payload": "0" }, "b": { "payload": "false" }, "c": { "payload": "\"\"" } }
FLAGS
in_browser posthog-js-lite@4.12.1 <<'PROGRAM'
import { PostHog as Lite } from 'posthog-js-lite'
const featureFlags = { a: true, b: true, c: true }
const bootstrap = { distinctID: 'u', distinctId: 'u', featureFlags, featureFlagPayloads: { a: 0, b: false, c: '' } }
const show = sdk => console.log(JSON.stringify(['a', 'b', 'c'].map(key => sdk.getFeatureFlagPayload(key))))
show(start('t', { bootstrap }))
const lite = new Lite('t', { host, bootstrap, preloadFeatureFlags: false, persistence: 'memory' })
show(lite)
await lite.reloadFeatureFlagsAsync()
show(lite)
PROGRAM
seen 'posthog-js bootstrapped, lite bootstrapped, lite from /flags' '[0,false,""]
[null,null,null]
[0,false,""]' "$(cat out)"
