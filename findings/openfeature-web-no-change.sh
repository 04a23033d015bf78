#!/bin/sh
# @posthog/openfeature-web-provider 0.1.0 sends no ConfigurationChanged event when posthog-js has loaded other flags, as it
# does after `identify`. So a page that waits for OpenFeature events goes on with the old value.
. "$(dirname "$0")/lib.sh"
flag_server <<'FLAGS'
{ "a": { "value": "old" } }
FLAGS
in_browser @openfeature/core@1.12.0 @openfeature/web-sdk@1.10.0 @posthog/openfeature-web-provider@0.1.0 <<'PROGRAM'
import { writeFileSync } from 'node:fs'
import { OpenFeature, ProviderEvents } from '@openfeature/web-sdk'
import { PostHogWebProvider } from '@posthog/openfeature-web-provider'
const page = start('t', { bootstrap: { distinctID: 'u' } })
await OpenFeature.setProviderAndWait(new PostHogWebProvider(page))
const client = OpenFeature.getClient()
let changes = 0
client.addHandler(ProviderEvents.ConfigurationChanged, () => { changes += 1 })
const before = client.getStringValue('a', 'default')
writeFileSync('flags.json', '{ "a": { "value": "new" } }')
page.identify('person')
await until(() => page.getFeatureFlag('a') === 'new')
console.log(before, client.getStringValue('a', 'default'), changes)
PROGRAM
seen 'value before, value after, events' 'old new 0' "$(cat out)"
