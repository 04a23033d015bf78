import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { declarableKinds } from '../../src/kinds/index.ts'
import { profiles } from '../../src/model/connection.ts'
import type { Json, JsonObject } from '../../src/model/json/json.ts'
import { managedFields } from '../../src/model/kind.ts'
import { checkManifests, checkRoles, checkSensitive } from '../../src/yaml/check/check-across.ts'
import {
  checkDeclaration,
  checkDeclarationClosely,
  isPlainlyDeclared,
  withoutPlain,
} from '../../src/yaml/check/check-declaration.ts'
import { checkEnvironmentNames } from '../../src/yaml/check/check-environments.ts'
import { checkPayloads } from '../../src/yaml/check/check-payloads.ts'
import { checkTagMembers, checkTagsInForce } from '../../src/yaml/check/check-policies.ts'
import {
  type FileDeclarations,
  type ObjectDeclaration,
  readDeclarations,
} from '../../src/yaml/declaration.ts'
import { parseYaml } from '../../src/yaml/parse/parse-yaml.ts'
import { namingFlags } from '../../src/yaml/resolve/names.ts'
import { toSettings } from '../../src/yaml/settings.ts'
import { someFilters } from '../targeting/some-filters.ts'

const long = 'x'.repeat(401)
const oddities: readonly Json[] = [
  null,
  true,
  '',
  ' ',
  long,
  5,
  0.5,
  [],
  {},
  [null],
  ['a', ''],
  ['a', 1],
  [long],
]
const fitting: readonly Json[] = [true, false, 'a', 'a b', 'device_id', 'server', ['a', 'b'], [], {}]
const condition: Json = {
  properties: [{ key: 'country', type: 'person', value: ['DE'] }],
  rollout_percentage: 5,
}
const plainFilters: readonly Json[] = [
  { groups: [condition] },
  { groups: [condition, {}] },
  { groups: [{ rollout_percentage: null }] },
  { groups: null },
  { groups: [{}, condition] },
  { groups: [{ rollout_percentage: 0 }] },
]
const value = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...fitting) },
  { weight: 1, arbitrary: fc.constantFrom(...oddities) },
)
const filters = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...plainFilters) },
  { weight: 1, arbitrary: someFilters },
  { weight: 1, arbitrary: value },
)
const beside: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 12, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<JsonObject>(
      { ensure: 'absent' },
      { id: 5 },
      { skip: true },
      { ignore: ['filters.groups', 'nothing'] },
      { rollout_percentage: 5 },
      { environments: { a: { active: 5 }, b: { skip: true, name: 'x' } } },
      { owner: 5, only: ['a'] },
      { owner: 5 },
      { owner: 'payments', expires: '2020-01-01' },
      { role_access: ['nobody'] },
      { sensitive: ['gone'] },
      { only: ['nowhere'] },
      { payload_schema: { type: 'nothing' } },
      { source: { 'plugin.json': '{}' } },
      { release: [{ audience: 'nobody' }] },
      { filters: { groups: [{ properties: [{ key: 'a', type: 'flag', value: true }] }] } },
    ),
  },
)
const name = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('a', 'Ü b') },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', long) },
)

/** A declaration of any kind that is right in most places, as a file has it. */
const someDeclaration: fc.Arbitrary<ObjectDeclaration> = fc.constantFrom(...declarableKinds).chain(kind => {
  const fields = managedFields(kind).map(
    field =>
      [field, kind.fields[field]?.type === 'json' ? filters : typed(kind.fields[field]?.type)] as const,
  )
  const object = fc.record<JsonObject>(Object.fromEntries(fields), { requiredKeys: [] })
  return fc
    .tuple(name, object, beside, fc.constantFrom('null', ''))
    .map(([called, members, more, nothing]) =>
      declared({ [kind.section]: { [called]: { ...members, ...more } } }, nothing),
    )
    .filter(one => one !== undefined)
})

function typed(type: string | undefined): fc.Arbitrary<Json> {
  const fits: Readonly<Record<string, fc.Arbitrary<Json>>> = {
    boolean: fc.boolean(),
    string: fc.constantFrom('a', 'plugin', 'device_id'),
    set: fc.constantFrom<Json>(['a'], ['b', 'a'], []),
  }
  return fc.oneof({ weight: 10, arbitrary: fits[type ?? ''] ?? value }, { weight: 1, arbitrary: value })
}

/** Each null is written as such, or as nothing behind its key. */
function declared(file: JsonObject, nothing: 'null' | '' = ''): ObjectDeclaration | undefined {
  const parsed = parseYaml(JSON.stringify(file).replaceAll(/(?<=":)null/g, nothing), 'flags.yaml')
  const { objects } = readDeclarations({
    parsed,
    value: parsed.value ?? null,
    secrets: new Map(),
    unfilled: new Set(),
  })
  return objects[0]
}

const options = { servicesIn: () => profiles, isTold: () => false }

describe('a declaration of which one look shows that it is right', () => {
  it('has nothing that a check would tell of', () => {
    let plain = 0
    fc.assert(
      fc.property(someDeclaration, declaration => {
        if (isPlainlyDeclared(declaration)) plain += 1
        expect(checkDeclaration(declaration, options)).toEqual(checkDeclarationClosely(declaration, options))
      }),
    )
    expect(plain).toBeGreaterThan(0)
  })

  it('needs no other check, where it says nothing but fields', () => {
    let plain = 0
    const settings = toSettings({ environments: { a: {}, b: {} } })
    const check = (files: readonly FileDeclarations[]): readonly unknown[] => {
      const objects = files.flatMap(file => file.objects)
      return [
        ...objects.flatMap(one => checkDeclarationClosely(one, options)),
        ...objects.flatMap(checkTagMembers),
        ...checkTagsInForce(objects, settings, '2026-01-01'),
        ...checkRoles(files, settings),
        ...checkEnvironmentNames(files, settings),
        ...checkManifests(files, settings, () => undefined),
        ...checkSensitive(objects, settings),
        ...checkPayloads(objects, settings),
        ...namingFlags(files).flatMap(file => file.objects),
        ...objects.flatMap(({ base }) => [
          ...(base.short ? [base.short] : []),
          ...(base.files ? [base.files] : []),
        ]),
      ]
    }
    fc.assert(
      fc.property(someDeclaration, declaration => {
        const file = { objects: [declaration], grants: [] }
        const { objects } = withoutPlain(file)
        if (objects.length > 0) return
        plain += 1
        expect(check([file])).toEqual([])
      }),
    )
    expect(plain).toBeGreaterThan(0)
  })

  const complete: JsonObject = { name: 'A', active: true, filters: { groups: [condition] }, tags: ['b', 'a'] }
  it.each<[string, JsonObject]>([
    ['a flag as most are', complete],
    ['one that is off and says no more', { active: false }],
    ['one with other switches', { ...complete, archived: false, is_remote_configuration: true }],
  ])('is %s', (_, members) => {
    expect(isPlainlyDeclared(declared({ feature_flags: { a: members } }) as ObjectDeclaration)).toBe(true)
  })

  it.each<[string, JsonObject]>([
    ['one without conditions', { name: 'A', active: true }],
    [
      'one of which a percentage was forgotten',
      { ...complete, filters: { groups: [{ rollout_percentage: null }] } },
    ],
    ['one with a condition that nobody reaches', { ...complete, filters: { groups: [{}, condition] } }],
    ['one that is archived and on', { ...complete, archived: true }],
    ['one that the service opens', { ...complete, is_remote_configuration: true, filters: { groups: [] } }],
    ['one with an empty tag', { ...complete, tags: ['a', ' '] }],
    ['one with a wrong type', { ...complete, active: 'yes' }],
    ['one that says something of an environment', { ...complete, environments: { a: {} } }],
  ])('is not %s: the checks tell', (_, members) => {
    expect(isPlainlyDeclared(declared({ feature_flags: { a: members } }) as ObjectDeclaration)).toBe(false)
  })
})
