#!/bin/sh
# @openfeature/server-sdk 1.23.0 and openfeature-sdk 0.10.0 for Python: if a hook fails in its `after` stage, such as one for
# metrics, the caller gets the default, although the flag was evaluated. A failure in `finally` changes nothing.
. "$(dirname "$0")/lib.sh"
npm_packages @openfeature/server-sdk@1.23.0 @openfeature/core@1.12.0
pip_packages openfeature-sdk==0.10.0
node_program <<'PROGRAM'
import { InMemoryProvider, OpenFeature } from '@openfeature/server-sdk'
OpenFeature.setLogger(Object.fromEntries(['error', 'warn', 'info', 'debug'].map(level => [level, () => {}])))
await OpenFeature.setProviderAndWait(new InMemoryProvider({ on: { disabled: false, variants: { a: true }, defaultVariant: 'a' } }))
const fail = () => {
  throw new Error('no metrics')
}
for (const stage of ['after', 'finally'])
  console.log(stage, await OpenFeature.getClient().getBooleanValue('on', false, {}, { hooks: [{ [stage]: fail }] }))
PROGRAM
venv/bin/python >> out 2> errors.log <<'PROGRAM'
from openfeature import api
from openfeature.flag_evaluation import FlagEvaluationOptions
from openfeature.hook import Hook
from openfeature.provider.in_memory_provider import InMemoryFlag, InMemoryProvider
api.set_provider(InMemoryProvider({"on": InMemoryFlag("a", {"a": True})}))
def fail(*words, **more):
    raise ValueError("no metrics")
for stage in ["after", "finally_after"]:
    hook = type("Failing", (Hook,), {stage: fail})()
    print(stage, api.get_client().get_boolean_value("on", False, None, FlagEvaluationOptions(hooks=[hook])))
PROGRAM
seen 'the value of a flag that is on' 'after false
finally true
after False
finally_after True' "$(cat out)"
