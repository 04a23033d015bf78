#!/bin/sh
# posthog-js 1.449.2: a page that starts with bootstrapped flags never asks /flags by itself, so that the bootstrapped
# values stay until a reload of the flags. A bootstrap without flags does not keep it from asking.
. "$(dirname "$0")/lib.sh"
flag_server <<'FLAGS'
{ "a": { "value": "served" } }
FLAGS
in_browser <<'PROGRAM'
const page = start('with-flags', { bootstrap: { distinctID: 'u', featureFlags: { a: 'bootstrapped' } } })
start('without', { bootstrap: { distinctID: 'u' } })
await until(() => asked('/flags', 'without').length > 0)
console.log(asked('/flags', 'with-flags').length, asked('/flags', 'without').length, page.getFeatureFlag('a'))
page.reloadFeatureFlags()
await until(() => page.getFeatureFlag('a') !== 'bootstrapped')
console.log(page.getFeatureFlag('a'))
PROGRAM
seen 'requests with and without flags; the value' '0 1 bootstrapped
served' "$(cat out)"
