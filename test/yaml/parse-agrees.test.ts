import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseDocument, stringify } from 'yaml'
import { isJsonObject, type Json } from '../../src/model/text/json.ts'
import { parseYaml } from '../../src/yaml/read/parse-yaml.ts'
import { anyYamlish, anyYamlStyle, anyYamlValue } from '../support/yaml-texts.ts'

/** The other well-kept YAML library reads the same values, so that one can take over from the other. */
function readByTheOther(text: string): unknown {
  const document = parseDocument(text, { merge: true, stringKeys: true, uniqueKeys: true })
  try {
    return document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: -1 })
  } catch {
    // It finds some problems only when it builds the value.
    return undefined
  }
}

it('reads what the other library wrote, in every style', () => {
  fc.assert(
    fc.property(anyYamlValue, anyYamlStyle, (written, style) => {
      const yaml = stringify(written, style)
      const { value: read, problems } = parseYaml(yaml, 'f')
      expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
      expect(read).toEqual(written)
    }),
  )
})

it('never throws, and agrees with the other library where both read a value', () => {
  fc.assert(
    fc.property(anyYamlish, yaml => {
      const { value: read, problems } = parseYaml(yaml, 'f')
      if (read === undefined) expect(problems).not.toEqual([])
      const other = readByTheOther(yaml)
      // Any other root is refused later, and at the root the two see the indentation of blocks differently.
      if (isJsonObject(read) && other !== undefined) expect(read).toEqual(other)
    }),
  )
})

it('says where every value of a text stands', () => {
  fc.assert(
    fc.property(anyYamlValue, anyYamlStyle, (written, style) => {
      const yaml = stringify({ root: written }, style)
      const parsed = parseYaml(yaml, 'f')
      const lines = yaml.split('\n')
      for (const pointer of pointersOf(written, '/root')) {
        const { line, column } = parsed.locate(pointer)
        expect(line).toBeGreaterThan(0)
        expect(column).toBeLessThanOrEqual((lines[line - 1] ?? '').length + 1)
      }
    }),
  )
})

function pointersOf(at: Json, pointer: string): string[] {
  if (typeof at !== 'object' || at === null) return [pointer]
  const inside = Object.entries(at).flatMap(([name, member]) =>
    pointersOf(member, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
  return [pointer, ...inside]
}
