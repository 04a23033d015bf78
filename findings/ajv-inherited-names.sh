#!/bin/sh
# ajv 8.20.0, a schema with a property `constructor`, such as a flag of that name: an object without it is refused, since the one
# that every object inherits is no text. `ownProperties: true`, which is not the default, ends that.
. "$(dirname "$0")/lib.sh"
npm_packages ajv@8.20.0
node_program <<'PROGRAM'
import Ajv from 'ajv'
for (const options of [{}, { ownProperties: true }]) {
  const ajv = new Ajv.default(options)
  const text = { type: 'object', properties: { constructor: { type: 'string' } } }
  console.log(ajv.validate(text, {}), ajv.errorsText())
}
PROGRAM
seen 'as it is, with ownProperties' 'false data/constructor must be string
true No errors' "$(cat out)"
