import { describe, expect, it } from 'vitest'
import { declarableKinds } from '../../src/kinds/index.ts'
import { declaredFieldSchemas } from '../../src/schema/declaration-schema.ts'
import { readDeclarations } from '../../src/yaml/declaration.ts'
import { parseYaml } from '../../src/yaml/read/parse-yaml.ts'

/** What a member may hold that says something, of whatever type. */
const values = ['absent', 5, true, ['a'], { a: { file: 'b' } }, null]

describe('a field of a declaration', () => {
  it.each(declarableKinds.filter(({ identity }) => identity.by === 'field'))(
    'of kind $name has the name of no other member',
    kind => {
      for (const name of Object.keys(declaredFieldSchemas(kind))) {
        for (const value of values) {
          // A member that is no field has the declaration read whole.
          const object = { [name]: value, tests: [] }
          const parsed = parseYaml(JSON.stringify({ [kind.section]: { a: object } }), 'a.yaml')
          const file = {
            parsed,
            value: parsed.value ?? null,
            secrets: new Map(),
            unfilled: new Set<string>(),
          }
          const said = readDeclarations(file).objects.map(({ base }) => Object.keys(base))
          expect(said).toEqual([['pointer', 'members', 'fields']])
        }
      }
    },
  )
})
