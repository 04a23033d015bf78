#!/bin/sh
# openfeature-provider-posthog 0.1.125 for Python reads numbers as Python does: the variant 1_000 is 1000, nan and Infinity
# are floats. @posthog/openfeature-web-provider 0.1.0 refuses these, but both read 0x10 as 16.
. "$(dirname "$0")/lib.sh"
flag_server <<'FLAGS'
{ "a": { "value": "1_000" }, "b": { "value": "nan" }, "c": { "value": "Infinity" }, "d": { "value": "0x10" } }
FLAGS
in_browser @openfeature/core@1.12.0 @openfeature/web-sdk@1.10.0 @posthog/openfeature-web-provider@0.1.0 <<'PROGRAM'
import { OpenFeature } from '@openfeature/web-sdk'
import { PostHogWebProvider } from '@posthog/openfeature-web-provider'
await OpenFeature.setProviderAndWait(new PostHogWebProvider(start('t', { bootstrap: { distinctID: 'u' } })))
console.log(...['a', 'b', 'c', 'd'].map(key => OpenFeature.getClient().getNumberValue(key, -1)))
PROGRAM
seen web '-1 -1 -1 16' "$(cat out)"
pip_packages openfeature-provider-posthog==0.1.125 openfeature-sdk==0.10.0 posthog==7.91.1
cat > program.py <<'PROGRAM'
import os
from openfeature import api
from openfeature.contrib.provider.posthog import PostHogProvider
from openfeature.evaluation_context import EvaluationContext
from posthog import Posthog

api.set_provider_and_wait(PostHogProvider(Posthog("t", host=os.environ["host"], sync_mode=True)))
client, person = api.get_client(), EvaluationContext("u")
print(*[client.get_float_value(key, -1.0, person) for key in "abcd"], client.get_integer_value("a", -1, person))
PROGRAM
seen python '1000.0 nan inf 16.0 1000' "$(venv/bin/python program.py 2> errors.log)"
