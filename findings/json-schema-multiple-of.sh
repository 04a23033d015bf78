#!/bin/sh
# `multipleOf: 0.01` for a percentage of 1.13 or 4.35: ajv 8.20.0 and jsonschema 4.26.0 for Python refuse it, as they divide binary
# fractions; @cfworker/json-schema 4.1.6 and jsonschema-rs 0.60.3 accept it. `multipleOfPrecision` of ajv ends it.
. "$(dirname "$0")/lib.sh"
npm_packages ajv@8.20.0 @cfworker/json-schema@4.1.6
pip_packages jsonschema==4.26.0 jsonschema-rs==0.60.3
node_program <<'PROGRAM'
import { Validator } from '@cfworker/json-schema'
import Ajv from 'ajv/dist/2020.js'
const schema = { multipleOf: 0.01 }
const precise = new Ajv.default({ multipleOfPrecision: 6 })
for (const share of [1.13, 4.35, 0.5, 0.295])
  console.log(share, new Ajv.default().validate(schema, share), precise.validate(schema, share), new Validator(schema).validate(share).valid)
PROGRAM
venv/bin/python > other <<'PROGRAM'
import jsonschema, jsonschema_rs
schema = {"multipleOf": 0.01}
for share in [1.13, 4.35, 0.5, 0.295]:
    print(jsonschema.Draft202012Validator(schema).is_valid(share), jsonschema_rs.is_valid(schema, share))
PROGRAM
seen 'ajv, precise, cfworker; jsonschema, jsonschema-rs' '1.13 false true true False True
4.35 false true true False True
0.5 true true true True True
0.295 false false false False False' "$(paste -d ' ' out other)"
