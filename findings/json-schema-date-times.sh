#!/bin/sh
# `format: date-time`: ajv-formats 3.0.1 accepts a blank in place of the T and an offset without a colon, which jsonschema-rs
# 0.60.3 and jsonschema 4.26.0 for Python refuse. The leap second of 2016, which RFC 3339 has as an example, is valid in all but
# the last.
. "$(dirname "$0")/lib.sh"
npm_packages ajv@8.20.0 ajv-formats@3.0.1
pip_packages jsonschema==4.26.0 rfc3339-validator==0.1.4 jsonschema-rs==0.60.3
cat > times.txt <<'TIMES'
2026-01-01T00:00:00Z
2026-01-01 00:00:00Z
2026-01-01T00:00:00+0100
2016-12-31T23:59:60Z
TIMES
node_program <<'PROGRAM'
import { readFileSync } from 'node:fs'
import Ajv from 'ajv'
import formats from 'ajv-formats'
const ajv = new Ajv.default()
formats.default(ajv)
const valid = ajv.compile({ format: 'date-time' })
for (const time of readFileSync('times.txt', 'utf8').trim().split('\n')) console.log(valid(time))
PROGRAM
venv/bin/python > other <<'PROGRAM'
import jsonschema, jsonschema_rs
schema = {"format": "date-time"}
python = jsonschema.Draft202012Validator
for time in open("times.txt").read().split("\n")[:-1]:
    print(jsonschema_rs.is_valid(schema, time, validate_formats=True), python(schema, format_checker=python.FORMAT_CHECKER).is_valid(time))
PROGRAM
seen 'ajv, jsonschema-rs, jsonschema' 'true True True
true False False
true False False
true True False' "$(paste -d ' ' out other)"
