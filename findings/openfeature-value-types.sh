#!/bin/sh
# A provider gives a text, or nothing, for a boolean flag: @openfeature/server-sdk 1.23.0 hands it to the caller without an error,
# openfeature-sdk 0.10.0 for Python gives the default and TYPE_MISMATCH.
. "$(dirname "$0")/lib.sh"
npm_packages @openfeature/server-sdk@1.23.0 @openfeature/core@1.12.0
pip_packages openfeature-sdk==0.10.0
node_program <<'PROGRAM'
import { OpenFeature } from '@openfeature/server-sdk'
for (const value of ['false', undefined]) {
  const provider = { metadata: { name: 'p' }, runsOn: 'server', resolveBooleanEvaluation: async () => ({ value }) }
  await OpenFeature.setProviderAndWait(provider)
  const details = await OpenFeature.getClient().getBooleanDetails('f', true)
  console.log(typeof details.value, details.value, details.errorCode)
}
PROGRAM
venv/bin/python >> out 2> errors.log <<'PROGRAM'
from openfeature import api
from openfeature.flag_evaluation import FlagResolutionDetails
from openfeature.provider.in_memory_provider import InMemoryProvider
class Provider(InMemoryProvider):
    def resolve_boolean_details(self, flag_key, default_value, evaluation_context=None):
        return FlagResolutionDetails(self.value)
for value in ["false", None]:
    provider = Provider({})
    provider.value = value
    api.set_provider(provider)
    details = api.get_client().get_boolean_details("f", True)
    print(type(details.value).__name__, details.value, details.error_code.value)
PROGRAM
seen 'JavaScript, Python' 'string false undefined
undefined undefined undefined
bool True TYPE_MISMATCH
bool True TYPE_MISMATCH' "$(cat out)"
