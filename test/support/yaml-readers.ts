import { CORE_SCHEMA, load } from 'js-yaml'
import { expect } from 'vitest'
import { parse } from 'yaml'
import { BigNum } from '../../src/hcl/json.ts'
import { isJsonArray, isJsonObject, type Json } from '../../src/model/text/json.ts'
import { parseYaml } from '../../src/yaml/index.ts'

/** What others make of a text: the newer version of YAML and the older one, with and without merge keys. */
const others: Readonly<Record<string, (text: string) => unknown>> = {
  yaml: text => parse(text),
  'yaml, version 1.1': text => parse(text, { version: '1.1' }),
  'yaml, merging': text => parse(text, { merge: true }),
  'js-yaml': text => load(text),
  'js-yaml, core schema': text => load(text, { schema: CORE_SCHEMA }),
}

/** Expects that every reader of YAML makes the same of a text: this value, where one is given. */
export function expectSameReading(
  text: string,
  value: Json | undefined = parseYaml(text, 'text').value,
): void {
  expect(parseYaml(text, 'text').value).toEqual(value)
  // Others round what no double says.
  const rounded = asDoubles(value ?? null)
  const read = Object.entries(others).map(([name, reader]) => [name, reader(text)])
  expect(read).toEqual(Object.keys(others).map(name => [name, rounded]))
}

function asDoubles(value: Json): Json {
  if (value instanceof BigNum) return Number(value.text)
  if (isJsonArray(value)) return value.map(asDoubles)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asDoubles(member)]))
}
