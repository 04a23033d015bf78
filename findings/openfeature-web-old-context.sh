#!/bin/sh
# @posthog/openfeature-web-provider 0.1.0: a context of OpenFeature adds to the one before. Groups and person properties
# that the new context lacks go on to /flags, and clearContext does not remove them either.
. "$(dirname "$0")/lib.sh"
flag_server <<'FLAGS'
{ "a": {} }
FLAGS
in_browser @openfeature/core@1.12.0 @openfeature/web-sdk@1.10.0 @posthog/openfeature-web-provider@0.1.0 <<'PROGRAM'
import { OpenFeature } from '@openfeature/web-sdk'
import { PostHogWebProvider } from '@posthog/openfeature-web-provider'
await OpenFeature.setProviderAndWait(new PostHogWebProvider(start('t', { bootstrap: { distinctID: 'u' } })))
const show = () => {
  const { groups, person_properties } = asked('/flags').at(-1)
  console.log(groups, person_properties.plan, person_properties.role)
}
await OpenFeature.setContext({ plan: 'pro', groups: { organization: 'one' } })
show()
await OpenFeature.setContext({ role: 'admin' })
show()
await OpenFeature.clearContext()
show()
PROGRAM
seen 'groups, plan, role' "{ organization: 'one' } pro undefined
{ organization: 'one' } pro admin
{ organization: 'one' } pro admin" "$(cat out)"
