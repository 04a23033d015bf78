#!/bin/sh
# A comparison of a text with something that is no number, in targeting of flagd: @openfeature/flagd-core 4.0.1 (JavaScript) gives
# an error, so the caller's default; openfeature-flagd-core 2.0.0 (Python) says false, so the variant of the else branch.
. "$(dirname "$0")/lib.sh"
npm_packages @openfeature/flagd-core@4.0.1 @openfeature/core@1.12.0
pip_packages openfeature-flagd-core==2.0.0 openfeature-sdk==0.10.0
cat > flags.json <<'FLAGS'
{ "flags": {
  "equal": { "state": "ENABLED", "variants": { "yes": "yes", "no": "no" }, "defaultVariant": "no",
    "targeting": { "if": [{ "==": [{ "var": "beta" }, true] }, "yes", "no"] } },
  "less": { "state": "ENABLED", "variants": { "yes": "yes", "no": "no" }, "defaultVariant": "no",
    "targeting": { "if": [{ "<": [{ "var": "beta" }, 5] }, "yes", "no"] } } } }
FLAGS
node_program <<'PROGRAM'
import { readFileSync } from 'node:fs'
import { FlagdCore } from '@openfeature/flagd-core'
const logger = { debug() {}, error() {} }
const core = new FlagdCore(undefined, logger)
core.setConfigurations(readFileSync('flags.json', 'utf8'))
for (const key of ['equal', 'less']) {
  const { value, errorCode } = core.resolveStringEvaluation(key, 'default', { beta: 'true' }, logger)
  console.log(key, value, errorCode === undefined ? 'no error' : 'an error')
}
PROGRAM
seen 'in JavaScript' 'equal default an error
less default an error' "$(cat out)"
venv/bin/python > out <<'PROGRAM'
from openfeature.contrib.tools.flagd.core import FlagdCore
from openfeature.evaluation_context import EvaluationContext
core = FlagdCore()
core.set_flags(open("flags.json").read())
for key in ["equal", "less"]:
    answer = core.resolve_string_value(key, "default", EvaluationContext("u", {"beta": "true"}))
    print(key, answer.value, answer.error_code)
PROGRAM
seen 'in Python' 'equal no None
less no None' "$(cat out)"
