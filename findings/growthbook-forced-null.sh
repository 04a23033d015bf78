#!/bin/sh
# A rule of GrowthBook that forces null: @growthbook/growthbook 1.8.0 (JavaScript) gives null, and the rules behind it do not count.
# growthbook 4.0.0 (Python) goes on to the next rule. Forced 0, false and "" agree.
. "$(dirname "$0")/lib.sh"
npm_packages @growthbook/growthbook@1.8.0
pip_packages growthbook==4.0.0
cat > features.json <<'FEATURES'
{
  "none": { "defaultValue": "default", "rules": [{ "force": null }, { "force": "next" }] },
  "zero": { "defaultValue": "default", "rules": [{ "force": 0 }, { "force": "next" }] }
}
FEATURES
node_program <<'PROGRAM'
import { readFileSync } from 'node:fs'
import { GrowthBook } from '@growthbook/growthbook'
const book = new GrowthBook({ attributes: { id: '1' }, features: JSON.parse(readFileSync('features.json', 'utf8')) })
for (const key of ['none', 'zero']) console.log(key, book.evalFeature(key).value)
PROGRAM
venv/bin/python > other <<'PROGRAM'
import json
from growthbook import GrowthBook
book = GrowthBook(attributes={"id": "1"}, features=json.load(open("features.json")))
for key in ["none", "zero"]:
    print(book.eval_feature(key).value)
PROGRAM
seen 'in JavaScript and in Python' 'none null next
zero 0 0' "$(paste -d ' ' out other)"
