#!/bin/sh
# openfeature-provider-posthog 0.1.125 for Python and @posthog/openfeature-web-provider 0.1.0: while /flags answers 500, an
# existing flag gives the error FLAG_NOT_FOUND, as a flag does that does not exist.
. "$(dirname "$0")/lib.sh"
flag_server 500 <<'FLAGS'
{ "a": {} }
FLAGS
in_browser @openfeature/core@1.12.0 @openfeature/web-sdk@1.10.0 @posthog/openfeature-web-provider@0.1.0 <<'PROGRAM'
import { OpenFeature } from '@openfeature/web-sdk'
import { PostHogWebProvider } from '@posthog/openfeature-web-provider'
await OpenFeature.setProviderAndWait(new PostHogWebProvider(start('t', { bootstrap: { distinctID: 'u' } })))
const { value, errorCode } = OpenFeature.getClient().getBooleanDetails('a', false)
console.log(value, errorCode)
PROGRAM
seen web 'false FLAG_NOT_FOUND' "$(cat out)"
pip_packages openfeature-provider-posthog==0.1.125 openfeature-sdk==0.10.0 posthog==7.91.1
cat > program.py <<'PROGRAM'
import os
from openfeature import api
from openfeature.contrib.provider.posthog import PostHogProvider
from openfeature.evaluation_context import EvaluationContext
from posthog import Posthog

api.set_provider_and_wait(PostHogProvider(Posthog("t", host=os.environ["host"], sync_mode=True)))
details = api.get_client().get_boolean_details("a", False, EvaluationContext("u"))
print(details.value, details.error_code.value)
PROGRAM
seen python 'False FLAG_NOT_FOUND' "$(venv/bin/python program.py 2> errors.log)"
