#!/bin/sh
# @vuetify/v0 1.3.0, adapter for PostHog: the variation of a feature is the variant of the flag, but its payload if the flag
# has one. So a payload that is added to a variant changes what `variation` gives.
. "$(dirname "$0")/lib.sh"
host=http://127.0.0.1:9 && export host && touch requests.log
in_browser @vuetify/v0@1.3.0 vue@3.5.22 <<'PROGRAM'
import { PostHogFeaturesAdapter } from '@vuetify/v0/features/adapters/posthog'
const featureFlags = { plain: 'a', loaded: 'a' }
const bootstrap = { distinctID: 'u', featureFlags, featureFlagPayloads: { loaded: { x: 1 } } }
const client = start('t', { advanced_disable_flags: true, bootstrap })
console.log(JSON.stringify(new PostHogFeaturesAdapter(client).setup(() => undefined)))
PROGRAM
seen features '{"plain":{"$value":true,"$variation":"a"},"loaded":{"$value":true,"$variation":{"x":1}}}' "$(cat out)"
