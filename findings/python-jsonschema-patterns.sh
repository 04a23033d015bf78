#!/bin/sh
# `pattern` of a schema in jsonschema 4.26.0 for Python is read by `re`: `$` holds before a last line break, `\d` and `\w` have
# characters of all scripts, and `\p{L}` or a named group is an exception in place of an answer. ajv 8.20.0 and jsonschema-rs
# 0.60.3 agree.
. "$(dirname "$0")/lib.sh"
npm_packages ajv@8.20.0
pip_packages jsonschema==4.26.0 jsonschema-rs==0.60.3
cat > cases.json <<'CASES'
{
  "line break": ["^[a-z-]+$", "dark-mode\n"],
  "digit": ["^\\d$", "\u0663"],
  "letter": ["^\\w+$", "Zo\u00eb"],
  "property": ["^\\p{L}+$", "Zo\u00eb"],
  "named": ["^(?<stem>a)$", "a"]
}
CASES
node_program <<'PROGRAM'
import { readFileSync } from 'node:fs'
import Ajv from 'ajv'
for (const [name, [pattern, text]] of Object.entries(JSON.parse(readFileSync('cases.json', 'utf8'))))
  console.log(name, new Ajv.default().validate({ pattern }, text))
PROGRAM
venv/bin/python > other <<'PROGRAM'
import json, jsonschema, jsonschema_rs
for pattern, text in json.load(open("cases.json")).values():
    try:
        answer = jsonschema.Draft202012Validator({"pattern": pattern}).is_valid(text)
    except Exception as error:
        answer = type(error).__name__
    print(jsonschema_rs.is_valid({"pattern": pattern}, text), answer)
PROGRAM
seen 'ajv, jsonschema-rs, jsonschema' 'line break false False True
digit false False True
letter false False True
property true True error
named true True error' "$(paste -d ' ' out other)"
