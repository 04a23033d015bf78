import { describe, expect, it } from 'vitest'
import { declarableKinds } from '../../src/kinds/index.ts'
import { managedFields } from '../../src/model/kind.ts'
import { isJsonArray, isJsonObject, type Json } from '../../src/model/text/json.ts'
import { declarationSchema, declaredFieldSchemas } from '../../src/schema/declaration-schema.ts'
import { filterDefinitions } from '../../src/schema/filter-schema.ts'
import { settingsSchema } from '../../src/schema/settings-schema.ts'
import { validateAgainst } from '../../src/schema/validate-against.ts'

describe('the schema of declarations', () => {
  it('has a section for every kind, and some for what flags and tests name', () => {
    const { properties } = declarationSchema()
    expect(Object.keys(properties as object)).toEqual([
      'include',
      'audiences',
      'tests',
      'persons',
      'groups',
      ...declarableKinds.map(({ section }) => section),
    ])
  })

  it.each(declarableKinds)('takes the managed fields of $name but its identity', kind => {
    const identity = kind.identity.by === 'field' ? kind.identity.field : kind.identity.sentAs
    expect(Object.keys(declaredFieldSchemas(kind)).sort()).toEqual(
      managedFields(kind)
        .filter(name => name !== identity)
        .sort(),
    )
  })

  it.each([
    [{}],
    [{ feature_flags: null, plugins: null, event_definitions: null, feature_flag_role_access: null }],
    [{ feature_flags: { a: null, b: {} }, 'x-anything': [1] }],
    [{ plugins: { a: { description: null, id: 7, source: { f: 'x', g: null, h: { file: 'i' } } } } }],
    [
      {
        feature_flags: {
          a: { rollback_conditions: [{}], only: ['s'], environments: { s: null, t: { id: 'x' } } },
        },
      },
    ],
    [{ feature_flag_role_access: [{ flag: 'a', role: 'b', ensure: 'absent', only: ['s'] }] }],
  ])('takes %j', value => {
    expect(validateAgainst('declarations', value)).toEqual([])
  })

  it.each([
    [{ feature_flags: [] }, ['/feature_flags type']],
    [{ feature_flags: { a: 1 } }, ['/feature_flags/a type']],
    [
      { feature_flags: { a: { environments: { s: { environments: {} } } } } },
      ['/feature_flags/a/environments/s additionalProperties'],
    ],
    [{ plugins: { a: { role_access: [] } } }, ['/plugins/a additionalProperties']],
    [{ event_definitions: { a: { source: {} } } }, ['/event_definitions/a additionalProperties']],
    [
      { feature_flag_role_access: [{ role: 'x', id: 1 }] },
      ['/feature_flag_role_access/0 required', '/feature_flag_role_access/0 additionalProperties'],
    ],
  ])('refuses %j', (value, expected) => {
    expect(
      validateAgainst('declarations', value).map(({ pointer, keyword }) => `${pointer} ${keyword}`),
    ).toEqual(expected)
  })
})

describe('the schema of settings', () => {
  it.each([
    [{ version: 1 }],
    [{ version: 1, environments: { a: {}, b: { project: 2, profile: 'posthog', limits: { delete: 0 } } } }],
  ])('takes %j', value => {
    expect(validateAgainst('settings', value)).toEqual([])
  })

  it.each([
    [{}, [' required']],
    [{ version: 1, environments: { a: null } }, ['/environments/a type']],
    [{ version: 1, parallelism: 0 }, ['/parallelism minimum']],
    [{ version: 1, environments: { a: { files: [] } } }, ['/environments/a additionalProperties']],
  ])('refuses %j', (value, expected) => {
    expect(validateAgainst('settings', value).map(({ pointer, keyword }) => `${pointer} ${keyword}`)).toEqual(
      expected,
    )
  })
})

it.each([
  ['declarations', declarationSchema()],
  ['settings', settingsSchema()],
  ['filters', { properties: filterDefinitions() }],
])('every member of %s is explained to the people who write it', (_, schema) => {
  expect(unexplained(schema, '')).toEqual([])
})

/** Members of a schema without a description. */
function unexplained(schema: Json, pointer: string): string[] {
  if (isJsonArray(schema) || !isJsonObject(schema)) return []
  const members = isJsonObject(schema.properties) ? Object.entries(schema.properties) : []
  const inside = [
    ...members,
    ['*', schema.additionalProperties ?? null],
    ['[]', schema.items ?? null],
  ] as const
  return [
    ...members.flatMap(([name, member]) =>
      isJsonObject(member) && typeof member.description === 'string' ? [] : [`${pointer}/${name}`],
    ),
    ...inside.flatMap(([name, member]) => unexplained(member, `${pointer}/${name}`)),
  ]
}
