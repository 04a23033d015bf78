#!/bin/sh
# Conditions of GrowthBook in @growthbook/growthbook 1.8.0 (JavaScript) and growthbook 4.0.0 (Python): in JavaScript "1" is 1 and
# true is 1, "10" is over 9, and a missing attribute is over -1 and a version below 1.0.0. In Python none of these hold.
. "$(dirname "$0")/lib.sh"
npm_packages @growthbook/growthbook@1.8.0
pip_packages growthbook==4.0.0
cat > cases.json <<'CASES'
{
  "text is number": [{ "seats": 1 }, { "seats": "1" }],
  "true is number": [{ "seats": 1 }, { "seats": true }],
  "text over number": [{ "seats": { "$gt": 9 } }, { "seats": "10" }],
  "missing over number": [{ "seats": { "$gt": -1 } }, {}],
  "missing below version": [{ "app": { "$vlt": "1.0.0" } }, {}]
}
CASES
node_program <<'PROGRAM'
import { readFileSync } from 'node:fs'
import { GrowthBook } from '@growthbook/growthbook'
for (const [key, [condition, attributes]] of Object.entries(JSON.parse(readFileSync('cases.json', 'utf8')))) {
  const features = { [key]: { defaultValue: false, rules: [{ condition, force: true }] } }
  console.log(key, new GrowthBook({ attributes, features }).isOn(key))
}
PROGRAM
venv/bin/python > other <<'PROGRAM'
import json
from growthbook import GrowthBook
for key, (condition, attributes) in json.load(open("cases.json")).items():
    features = {key: {"defaultValue": False, "rules": [{"condition": condition, "force": True}]}}
    print(GrowthBook(attributes=attributes, features=features).is_on(key))
PROGRAM
seen 'in JavaScript and in Python' 'text is number true False
true is number true False
text over number true False
missing over number true False
missing below version true False' "$(paste -d ' ' out other)"
