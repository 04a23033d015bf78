#!/bin/sh
# ajv 8.20.0 obeys keywords that the draft of a schema does not have: `maximum` beside a `$ref` in draft-07, where jsonschema
# 4.26.0 for Python and jsonschema-rs 0.60.3 ignore it; `dependencies` and the `nullable` of OpenAPI in 2020-12, of which Rust
# knows the first.
. "$(dirname "$0")/lib.sh"
npm_packages ajv@8.20.0
pip_packages jsonschema==4.26.0 jsonschema-rs==0.60.3
cat > cases.json <<'CASES'
{
  "beside": [{ "$schema": "http://json-schema.org/draft-07/schema#", "definitions": { "share": { "type": "number" } },
    "$ref": "#/definitions/share", "maximum": 100 }, 200],
  "dependencies": [{ "$schema": "https://json-schema.org/draft/2020-12/schema", "dependencies": { "key": ["name"] } }, { "key": "a" }],
  "nullable": [{ "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "string", "nullable": true }, null]
}
CASES
node_program <<'PROGRAM'
import { readFileSync } from 'node:fs'
import Ajv2020 from 'ajv/dist/2020.js'
import Ajv from 'ajv'
for (const [name, [schema, value]] of Object.entries(JSON.parse(readFileSync('cases.json', 'utf8')))) {
  const Draft = schema.$schema.includes('2020') ? Ajv2020 : Ajv
  console.log(name, new Draft.default().validate(schema, value))
}
PROGRAM
venv/bin/python > other <<'PROGRAM'
import json, jsonschema, jsonschema_rs
for schema, value in json.load(open("cases.json")).values():
    print(jsonschema.validators.validator_for(schema)(schema).is_valid(value), jsonschema_rs.is_valid(schema, value))
PROGRAM
seen 'valid for ajv, jsonschema, jsonschema-rs' 'beside false True True
dependencies false True False
nullable true False False' "$(paste -d ' ' out other)"
