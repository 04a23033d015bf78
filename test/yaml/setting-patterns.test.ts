import { describe, expect, it } from 'vitest'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../src/model/text/json.ts'
import { writeJson } from '../../src/model/text/json-text.ts'
import { settingsSchema } from '../../src/schema/settings-schema.ts'
import { readDeclared } from '../../src/yaml/index.ts'
import { inFolder } from '../support/folder.ts'

interface Patterned {
  /** The members and elements that lead to it: `runs`, `ref`; 0 is the first element of a list. */
  readonly way: readonly (string | number)[]
  readonly schema: JsonObject
}

/** Every text of the settings that has to look like something. */
function patternsIn(schema: Json | undefined, way: Patterned['way'] = []): Patterned[] {
  if (schema === undefined || !isJsonObject(schema)) return []
  const { properties = {}, additionalProperties, items, pattern } = schema
  const named = isJsonObject(properties) ? Object.entries(properties) : []
  return [
    ...(pattern === undefined ? [] : [{ way, schema }]),
    ...named.flatMap(([name, member]) => patternsIn(member, [...way, name])),
    ...patternsIn(additionalProperties, [...way, 'any']),
    ...patternsIn(items, [...way, 0]),
  ]
}

const patterns = patternsIn(settingsSchema()).map(one => ({ ...one, at: one.way.join('.') }))

/** Settings with a value at a place, and nothing else. */
function settingsWith(value: Json, [next, ...way]: Patterned['way']): Json {
  if (next === undefined) return value
  const inside = settingsWith(value, way)
  return next === 0 ? [inside] : { [next]: inside }
}

async function problemsOf(value: Json, { way }: Patterned) {
  const settings = settingsWith(value, way)
  if (!isJsonObject(settings)) throw new RangeError('settings are a map')
  return inFolder({ 'vexil.yaml': writeJson({ version: 1, ...settings }) }, async directory => {
    const { problems } = await readDeclared({ directory, env: {}, today: '2026-11-21' })
    // What stands alone here may lack what goes with it.
    return problems.filter(({ source, code }) => source?.file === 'vexil.yaml' && code !== 'missing-key')
  })
}

describe('a text of the settings that has to look like something', () => {
  it('is found in each environment and in windows of time', () => {
    const places = patterns.map(({ at }) => at)
    expect(places).toContain('policies.frozen.0.weekly')
    expect(places).toContain('environments.any.policies.longest_hold')
  })

  it.each(patterns)('is told in words with an example where it does not: $at', async one => {
    const { title, examples, pattern } = one.schema
    expect(isJsonArray(examples ?? null)).toBe(true)
    const texts = examples as readonly string[]
    expect(texts).not.toEqual([])
    for (const text of texts) expect(text).toMatch(new RegExp(String(pattern), 'u'))

    const shown = texts.map(text => JSON.stringify(text)).join(' or ')
    const [problem] = await problemsOf('No! Nothing.', one)
    expect(problem?.message).toContain(`must be ${title} such as ${shown}, not "No! Nothing."`)
    const [number] = await problemsOf(5, one)
    expect(number?.hint).toBe(`write a value such as ${shown}`)
  })
})
