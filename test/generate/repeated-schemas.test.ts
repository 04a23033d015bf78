import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { withRepeatedOnce } from '../../src/generate/emit.ts'
import type { Json, JsonObject } from '../../src/model/text/json.ts'
import { documentSchemas } from '../../src/schema/schemas.ts'

const share = { type: 'object', properties: { percent: { type: 'integer', minimum: 0, maximum: 100 } } }
const flag = {
  type: 'object',
  required: ['share'],
  properties: { share, other: share },
  additionalProperties: false,
}
const schema: JsonObject = { type: 'object', properties: { first: flag, second: flag } }

describe('a schema that repeats itself', () => {
  it('says once what is there more than once and is long', () => {
    const { properties, $defs } = withRepeatedOnce(schema)
    const reference = { $ref: '#/$defs/repeated0' }
    expect(properties).toEqual({ first: reference, second: reference })
    expect($defs).toEqual({ repeated0: flag })
  })

  it('stays as it is without anything like that', () => {
    const short: JsonObject = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } }
    expect(withRepeatedOnce(short)).toEqual(short)
  })

  it.each<[string, Json]>([
    ['right', { first: { share: { percent: 1 } } }],
    ['wrong at one place', { first: { share: { percent: 101 } }, second: { share: {} } }],
    ['wrong at several', { first: { other: { percent: 'x' }, more: 1 }, second: 1 }],
  ])('finds the same problems in the same order in what is %s', (_, value) => {
    expect(problems(withRepeatedOnce(schema), value)).toEqual(problems(schema, value))
  })

  it.each(Object.entries(documentSchemas()))('names what it refers to: %s', (_, document) => {
    const once = withRepeatedOnce(document)
    const names = [...JSON.stringify(once).matchAll(/"#\/\$defs\/([^"]+)"/g)].map(([, name]) => name)
    expect(Object.keys((once.$defs ?? {}) as JsonObject)).toEqual(expect.arrayContaining(names))
  })
})

/** What ajv finds, as far as it is told. */
function problems(of: JsonObject, value: Json) {
  const validate = new Ajv2020({ allErrors: true }).compile(of)
  validate(value)
  return validate.errors?.map(({ instancePath, keyword, message, params }) => [
    instancePath,
    keyword,
    message,
    params,
  ])
}
