#!/bin/sh
# @posthog/openfeature-web-provider 0.1.0 asks /flags before it is ready, though posthog-js has bootstrapped flags. Until the
# answer OpenFeature gives the default with PROVIDER_NOT_READY, while posthog-js knows the value.
. "$(dirname "$0")/lib.sh"
flag_server <<'FLAGS'
{ "a": { "value": "served" } }
FLAGS
in_browser @openfeature/core@1.12.0 @openfeature/web-sdk@1.10.0 @posthog/openfeature-web-provider@0.1.0 <<'PROGRAM'
import { OpenFeature } from '@openfeature/web-sdk'
import { PostHogWebProvider } from '@posthog/openfeature-web-provider'
const page = start('t', { bootstrap: { distinctID: 'u', featureFlags: { a: 'bootstrapped' } } })
const ready = OpenFeature.setProviderAndWait(new PostHogWebProvider(page))
const show = () => {
  const { value, errorCode } = OpenFeature.getClient().getStringDetails('a', 'default')
  console.log(page.getFeatureFlag('a'), value, errorCode)
}
show()
await ready
show()
PROGRAM
seen 'posthog-js, OpenFeature, its error' 'bootstrapped default PROVIDER_NOT_READY
served served undefined' "$(cat out)"
