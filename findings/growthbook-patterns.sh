#!/bin/sh
# `$regex` of GrowthBook in @growthbook/growthbook 1.8.0 (JavaScript) and growthbook 4.0.0 (Python): JavaScript matches a missing
# attribute as the text "null". `\w` has letters beyond ASCII in Python only, `(?<name>...)` and a number attribute match in
# JavaScript only.
. "$(dirname "$0")/lib.sh"
npm_packages @growthbook/growthbook@1.8.0
pip_packages growthbook==4.0.0
cat > cases.json <<'CASES'
{
  "missing": ["^nu", {}],
  "letters": ["^\\w+$", { "name": "Zo\u00eb" }],
  "named": ["^(?<stem>a)b$", { "name": "ab" }],
  "number": ["^5", { "name": 55 }]
}
CASES
node_program <<'PROGRAM'
import { readFileSync } from 'node:fs'
import { GrowthBook } from '@growthbook/growthbook'
for (const [key, [$regex, attributes]] of Object.entries(JSON.parse(readFileSync('cases.json', 'utf8')))) {
  const features = { [key]: { defaultValue: false, rules: [{ condition: { name: { $regex } }, force: true }] } }
  console.log(key, new GrowthBook({ attributes, features }).isOn(key))
}
PROGRAM
venv/bin/python > other <<'PROGRAM'
import json
from growthbook import GrowthBook
for key, (pattern, attributes) in json.load(open("cases.json")).items():
    rules = [{"condition": {"name": {"$regex": pattern}}, "force": True}]
    print(GrowthBook(attributes=attributes, features={key: {"defaultValue": False, "rules": rules}}).is_on(key))
PROGRAM
seen 'in JavaScript and in Python' 'missing true False
letters false True
named true False
number true False' "$(paste -d ' ' out other)"
