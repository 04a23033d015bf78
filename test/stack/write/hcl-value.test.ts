import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { numberText } from '../../../src/hcl/json.ts'
import { readStrictJson } from '../../../src/hcl/strict-json.ts'
import { isNumberValue, type Value } from '../../../src/hcl/values/value.ts'
import { canonicalText, isJsonObject, type Json, type JsonObject } from '../../../src/model/text/json.ts'
import { hclFile } from '../../../src/stack/migrate/hcl-configuration.ts'
import {
  isHeldAsWritten,
  jsonTextOf,
  textOrJson,
  writtenOf,
} from '../../../src/stack/migrate/live-resource.ts'
import { resourcesIn, scopeOf } from '../../support/hcl-resources.ts'
import { oddJson, oddName, oddText } from '../../support/live-worlds.ts'

const nothing = scopeOf(address => {
  throw new Error(`nothing is called ${address}`)
})

function readBack(attributes: Parameters<typeof hclFile>[0][0]['attributes']) {
  const text = hclFile([{ type: 'resource', labels: ['vexil_plugin', 'it'], attributes }])
  return { text, attributes: resourcesIn(text, nothing)[0]?.attributes ?? {} }
}

/** A value of the language as the JSON that it is. */
function jsonOf(value: Value): string {
  if (isNumberValue(value)) return numberText({ text: String(value) })
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value as Record<string, Value>).sort(([one], [other]) =>
    one < other ? -1 : 1,
  )
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${jsonOf(member)}`).join(',')}}`
}

const texts = fc.oneof(
  oddText,
  fc
    .array(fc.oneof(oddText, fc.constantFrom('EOT', '$', '%', '{', '~}', '\\')), { maxLength: 5 })
    .map(parts => parts.join('')),
  fc.array(oddText, { maxLength: 4 }).map(lines => `${lines.join('\n')}\n`),
)

describe('a value in the language of Terraform', () => {
  it('is read as the text that was written', () => {
    fc.assert(
      fc.property(
        texts,
        fc.array(fc.tuple(fc.oneof(oddName, texts), texts), { maxLength: 4 }),
        (text, pairs) => {
          const map: JsonObject = Object.fromEntries(pairs.filter(([name]) => name !== '__proto__'))
          fc.pre(isHeldAsWritten(writtenOf([text, map])))
          const { attributes } = readBack({ text: writtenOf(text), map: writtenOf(map) })
          expect(attributes.text).toBe(text)
          expect(attributes.map).toEqual(map)
        },
      ),
    )
  })

  it('is read as the JSON that was written, also as JSON text', () => {
    fc.assert(
      fc.property(oddJson, json => {
        fc.pre(isHeldAsWritten(writtenOf(json)))
        const { attributes } = readBack({ value: writtenOf(json), text: jsonTextOf(json) })
        expect(jsonOf(attributes.value ?? null)).toBe(jsonOf(asValue(json)))
        expect(canonicalText(readStrictJson(String(attributes.text)))).toBe(canonicalText(json))
      }),
    )
  })

  it.each(['{"a": 1.10}', 'not json', '"x"', '1', '1.0', '{"a":', '{"n": 123456789012345678901234567890}'])(
    'says the text %s, whatever of it is JSON',
    text => {
      const said = String(readBack({ payload: textOrJson(text) }).attributes.payload)
      expect(
        said === text || canonicalText(readStrictJson(said)) === canonicalText(readStrictJson(text)),
      ).toBe(true)
      expect(said.includes('1.1,')).toBe(false)
      if (/1\.10|1\.0$/.test(text)) expect(said).toBe(text)
    },
  )

  it('is written on one line where it fits, and else on lines that a person can read', () => {
    const release: Json = [
      { properties: [{ key: 'country', values: ['DE', 'AT'] }], rollout_percentage: 25 },
      { properties: [{ key: 'email', value: '@example.com', operator: 'icontains' }], variant: 'one_page' },
      { rollout_percentage: 5 },
    ]
    const { text } = readBack({
      key: writtenOf('checkout'),
      active: writtenOf(true),
      release: writtenOf(release),
      filters: jsonTextOf({ groups: [{ rollout_percentage: 5 }] }),
      source: writtenOf({ 'index.ts': 'export {}\n\nconst cost = `${price}`\n', 'a b.ts': '' }),
    })
    expect(text).toBe(`resource "vexil_plugin" "it" {
  key    = "checkout"
  active = true
  release = [
    { properties = [{ key = "country", values = ["DE", "AT"] }], rollout_percentage = 25 },
    {
      properties = [{ key = "email", value = "@example.com", operator = "icontains" }]
      variant    = "one_page"
    },
    { rollout_percentage = 5 },
  ]
  filters = jsonencode({ groups = [{ rollout_percentage = 5 }] })
  source = {
    "index.ts" = <<EOT
export {}

const cost = \`$$\{price}\`
EOT
    "a b.ts"   = ""
  }
}
`)
  })
})

/** JSON as a value of the language, with numbers as text says them. */
function asValue(json: Json): Value {
  if (Array.isArray(json)) return json.map(asValue)
  if (isJsonObject(json))
    return Object.fromEntries(Object.entries(json).map(([name, member]) => [name, asValue(member)]))
  return json as Value
}
