#!/bin/sh
# InMemoryProvider, which tests use: a flag that is disabled gives the default in @openfeature/server-sdk 1.23.0, and its variant in
# openfeature-sdk 0.10.0 for Python, which also takes True for an integer.
. "$(dirname "$0")/lib.sh"
npm_packages @openfeature/server-sdk@1.23.0 @openfeature/core@1.12.0
pip_packages openfeature-sdk==0.10.0
node_program <<'PROGRAM'
import { InMemoryProvider, OpenFeature } from '@openfeature/server-sdk'
OpenFeature.setLogger(Object.fromEntries(['error', 'warn', 'info', 'debug'].map(level => [level, () => {}])))
const flag = (disabled, value) => ({ disabled, variants: { a: value }, defaultVariant: 'a' })
await OpenFeature.setProviderAndWait(new InMemoryProvider({ off: flag(true, true), on: flag(false, true) }))
const client = OpenFeature.getClient()
for (const { value, reason } of [await client.getBooleanDetails('off', false), await client.getNumberDetails('on', 5)]) console.log(value, reason)
PROGRAM
venv/bin/python >> out <<'PROGRAM'
from openfeature import api
from openfeature.provider.in_memory_provider import InMemoryFlag, InMemoryProvider
flag = lambda state: InMemoryFlag("a", {"a": True}, state=state)
api.set_provider(InMemoryProvider({"off": flag(InMemoryFlag.State.DISABLED), "on": flag(InMemoryFlag.State.ENABLED)}))
client = api.get_client()
for answer in [client.get_boolean_details("off", False), client.get_integer_details("on", 5)]:
    print(answer.value, answer.reason.value)
PROGRAM
seen 'disabled, as a number: JavaScript, Python' 'false DISABLED
5 ERROR
True STATIC
True STATIC' "$(cat out)"
