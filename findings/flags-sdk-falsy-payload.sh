#!/bin/sh
# @flags-sdk/posthog 0.2.2: featureFlagPayload takes a payload of 0, false or "" for none. It gives the default value of the
# flag, or throws if there is no default; the function that reads payloads does not get it.
. "$(dirname "$0")/lib.sh"
npm_packages @flags-sdk/posthog@0.2.2
flag_server <<'FLAGS'
{ "a": { "payload": "0" }, "b": { "payload": "false" }, "c": { "payload": "\"\"" }, "d": { "payload": "1" } }
FLAGS
node_program <<'PROGRAM'
import { createPostHogAdapter } from '@flags-sdk/posthog'
const adapter = createPostHogAdapter({ postHogKey: 't', postHogOptions: { host: process.env.host } })
const { decide } = adapter.featureFlagPayload(payload => ({ payload }))
const asked = key => ({ key, entities: { distinctId: 'u' }, headers: new Headers(), cookies: {} })
for (const key of ['a', 'b', 'c', 'd']) {
  const value = await decide({ ...asked(key), defaultValue: 'default' })
  const alone = await decide(asked(key)).catch(error => error.constructor.name)
  console.log(key, value, alone)
}
PROGRAM
seen 'with a default, without one' 'a default Error
b default Error
c default Error
d { payload: 1 } { payload: 1 }' "$(cat out)"
