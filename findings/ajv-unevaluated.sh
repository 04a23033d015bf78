#!/bin/sh
# ajv 8.20.0 for 2020-12: an `if` without `then` and `else` does not count for `unevaluatedProperties`, and one item that
# `contains` matches makes all items evaluated. @hyperjump/json-schema 1.18.0 and @cfworker/json-schema 4.1.6 answer as the
# specification says.
. "$(dirname "$0")/lib.sh"
npm_packages ajv@8.20.0 @cfworker/json-schema@4.1.6 @hyperjump/json-schema@1.18.0
node_program <<'PROGRAM'
import { Validator } from '@cfworker/json-schema'
import { registerSchema, validate } from '@hyperjump/json-schema/draft-2020-12'
import Ajv from 'ajv/dist/2020.js'
const $schema = 'https://json-schema.org/draft/2020-12/schema'
const cases = {
  if: [{ $schema, if: { properties: { key: { const: 'a' } } }, unevaluatedProperties: false }, { key: 'a' }],
  contains: [{ $schema, contains: { type: 'string' }, unevaluatedItems: false }, ['a', 1]],
}
for (const [name, [schema, value]] of Object.entries(cases)) {
  registerSchema(structuredClone(schema), `https://example.com/${name}`)
  const { valid } = await validate(`https://example.com/${name}`, value)
  console.log(name, new Ajv.default({ strict: false }).validate(schema, value), valid, new Validator(schema, '2020-12').validate(value).valid)
}
PROGRAM
seen 'ajv, hyperjump, cfworker' 'if false true true
contains true false false' "$(cat out)"
