#!/bin/sh
# posthog-js 1.449.2: a bootstrap with one flag removes all flags that the page kept from an earlier load, and they are
# undefined until the flags are loaded again. posthog-js-lite 4.12.1 keeps them, and prefers them to the bootstrap.
. "$(dirname "$0")/lib.sh"
flag_server <<'FLAGS'
{ "a": { "value": "served" }, "b": { "value": "served" } }
FLAGS
in_browser posthog-js-lite@4.12.1 <<'PROGRAM'
import { PostHog as Lite } from 'posthog-js-lite'
const featureFlags = { a: 'bootstrapped' }
const show = sdk => console.log(sdk.getFeatureFlag('a'), sdk.getFeatureFlag('b'))
const first = start('t', { persistence: 'localStorage', bootstrap: { distinctID: 'u' } })
await until(() => first.getFeatureFlag('a') === 'served')
show(posthog.init('t', { ...first.config, bootstrap: { distinctID: 'u', featureFlags } }, 'second load'))
const options = { host, preloadFeatureFlags: false, persistence: 'localStorage' }
await new Lite('lite', options).reloadFeatureFlagsAsync()
show(new Lite('lite', { ...options, bootstrap: { distinctId: 'u', featureFlags } }))
PROGRAM
seen 'flag in the bootstrap, flag only of the earlier load' 'bootstrapped undefined
served served' "$(cat out)"
