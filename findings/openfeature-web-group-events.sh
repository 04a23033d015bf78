#!/bin/sh
# @posthog/openfeature-web-provider 0.1.0: a group in the context of OpenFeature sends a $groupidentify event, and marks
# all later events of the page with the group. Person properties of the context stay with the flags.
. "$(dirname "$0")/lib.sh"
flag_server <<'FLAGS'
{ "a": {} }
FLAGS
in_browser @openfeature/core@1.12.0 @openfeature/web-sdk@1.10.0 @posthog/openfeature-web-provider@0.1.0 <<'PROGRAM'
import { OpenFeature } from '@openfeature/web-sdk'
import { PostHogWebProvider } from '@posthog/openfeature-web-provider'
await OpenFeature.setProviderAndWait(new PostHogWebProvider(start('t', { bootstrap: { distinctID: 'u' } })))
const send = async (name, context) => {
  await OpenFeature.setContext(context)
  posthog.t.capture(name)
  await until(() => events().some(({ event }) => event === name))
}
await send('first', { plan: 'pro' })
await send('second', { groups: { organization: 'one' } })
for (const { event, properties } of events()) console.log(event, properties.plan, properties.$groups)
PROGRAM
seen 'event, plan, groups' 'first undefined undefined
$groupidentify undefined { organization: '"'one'"' }
second undefined { organization: '"'one'"' }' "$(cat out)"
