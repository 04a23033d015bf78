#!/bin/sh
# Targeting of flagd in @openfeature/flagd-core 4.0.1 (JavaScript) and openfeature-flagd-core 2.0.0 (Python): an empty text is
# missing, an empty object is true and -5 % 3 is 1 in Python only, and `cat` of true is "True" there.
. "$(dirname "$0")/lib.sh"
npm_packages @openfeature/flagd-core@4.0.1 @openfeature/core@1.12.0
pip_packages openfeature-flagd-core==2.0.0 openfeature-sdk==0.10.0
cat > cases.json <<'CASES'
{
  "missing": { "!": [{ "missing": ["plan"] }] },
  "object": { "if": [{ "var": "company" }, "true", "false"] },
  "rest": { "==": [{ "%": [-5, 3] }, -2] },
  "text": { "==": [{ "cat": [true] }, "true"] }
}
CASES
node_program <<'PROGRAM'
import { readFileSync, writeFileSync } from 'node:fs'
import { FlagdCore } from '@openfeature/flagd-core'
const cases = Object.entries(JSON.parse(readFileSync('cases.json', 'utf8')))
const flag = targeting => ({ state: 'ENABLED', variants: { true: true, false: false }, defaultVariant: 'false', targeting })
const flags = Object.fromEntries(cases.map(([key, targeting]) => [key, flag(targeting)]))
writeFileSync('flags.json', JSON.stringify({ flags }))
const core = new FlagdCore()
core.setConfigurations(JSON.stringify({ flags }))
for (const [key] of cases)
  console.log(key, core.resolveBooleanEvaluation(key, false, { plan: '', company: {} }, { debug() {} }).value)
PROGRAM
seen 'in JavaScript' 'missing true
object false
rest true
text true' "$(cat out)"
venv/bin/python > out <<'PROGRAM'
import json
from openfeature.contrib.tools.flagd.core import FlagdCore
from openfeature.evaluation_context import EvaluationContext
core = FlagdCore()
core.set_flags(open("flags.json").read())
for key in json.load(open("cases.json")):
    print(key, core.resolve_boolean_value(key, False, EvaluationContext("u", {"plan": "", "company": {}})).value)
PROGRAM
seen 'in Python' 'missing False
object True
rest False
text False' "$(cat out)"
