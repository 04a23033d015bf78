import { describe, expect, it } from 'vitest'
import { propertyOf } from '../../src/constructs/engine/engine-marks.ts'
import { declarableKinds } from '../../src/kinds/index.ts'
import { type DeclarableKind, identityField, managedFields, switchField } from '../../src/model/kind.ts'
import type { JsonArray, JsonObject } from '../../src/model/text/json.ts'
import { useService } from '../support/service.ts'
import { type Config, useTerraform } from '../terraform/resources/play.ts'
import { loadAsStack, tellConstructs, tellStack, tellTerraform, tellYaml } from './front-ends.ts'

/** Every set of every kind. */
const sets = declarableKinds.flatMap(kind =>
  managedFields(kind).flatMap(field =>
    kind.fields[field]?.type === 'set' ? [[kind.name, field, kind] as const] : [],
  ),
)

/** Lists with something that is null, and what they amount to without it. */
const lists: readonly (readonly [JsonArray, JsonArray])[] = [
  [['a', null], ['a']],
  [
    [null, 'b', null, 'a'],
    ['b', 'a'],
  ],
  [[null], []],
]

function declaredWith(kind: DeclarableKind, field: string, value: JsonArray): JsonObject {
  const turnsOff = switchField(kind)
  return {
    [identityField(kind)]: 'one',
    ...(turnsOff === undefined ? {} : { [turnsOff]: false }),
    [field]: value,
  }
}

/** The service has every field. */
const quirks = { flag_fields: '2026' } as const

const service = useService({
  quirks,
  seed: {
    organizations: [
      { name: 'E', projects: [{ id: 1, name: 'P', event_definitions: [{ name: 'one', tags: ['old'] }] }] },
    ],
  },
})
const terraform = useTerraform(service)

// A variable without a value is null in Terraform's language. Elsewhere only a problem leaves one in a list.
describe.each(sets)('an element that is null in a set: %s, %s', (_kind, field, kind) => {
  it.each(lists)('is a problem in YAML and for a construct: %j', async (list, _without) => {
    const fields = declaredWith(kind, field, list)
    const index = list.indexOf(null)
    expect(await tellYaml({ kind, fields })).toContainEqual(
      expect.objectContaining({
        place: field,
        severity: 'error',
        text: expect.stringContaining(`element ${index + 1} of "${field}" must be text`),
      }),
    )
    const [told] = await tellConstructs({ kind, fields })
    expect(told?.text).toContain(`"${propertyOf(field)}[${index}]" is null`)
  })

  it.each(lists)('is none in a stack: %j', async (list, without) => {
    const [found, expected] = await Promise.all(
      [list, without].map(value => loadAsStack({ kind, fields: declaredWith(kind, field, value) })),
    )
    expect(found?.problems).toEqual([])
    expect(found?.declarations.desired.map(({ fields }) => fields)).toEqual(
      expected?.declarations.desired.map(({ fields }) => fields),
    )
  })

  it.each(lists)('is none in Terraform, which has nothing to do afterwards: %j', async (list, without) => {
    const config = declaredWith(kind, field, list) as Config
    expect(await terraform.validate(kind.name, config)).toEqual([])
    const kept = await terraform.apply(kind.name, config)
    expect(kept.state[field]).toEqual(list)
    expect(await terraform.replan(kind.name, config, kept)).toEqual([])
    // Taking it out of the configuration is no change either.
    expect(await terraform.replan(kind.name, declaredWith(kind, field, without) as Config, kept)).toEqual([])
    const other = await terraform.apply(kind.name, declaredWith(kind, field, ['other']) as Config, kept)
    expect((await terraform.apply(kind.name, config, other)).state[field]).toEqual(list)
  })
})

/** Every field that Terraform's language has as JSON text. */
const texts = declarableKinds.flatMap(kind =>
  managedFields(kind).flatMap(field => {
    const described = kind.fields[field]
    return described?.type === 'json' ? [[kind.name, field, described.nullable === true, kind] as const] : []
  }),
)

describe.each(texts)(
  'JSON text that says null: %s, %s, which may be null: %s',
  (_kind, field, mayBe, kind) => {
    const turnsOff = switchField(kind)
    const fields = {
      [identityField(kind)]: 'one',
      ...(turnsOff === undefined ? {} : { [turnsOff]: false }),
      [field]: null,
    }

    it(
      mayBe ? 'is sent by Terraform, and declared by a stack and in YAML' : 'is a problem everywhere',
      async () => {
        const told = [
          await tellTerraform(terraform)({ kind, fields }),
          await tellStack({ kind, fields }),
          await tellYaml({ kind, fields }),
        ]
        for (const said of told) {
          const errors = said.filter(({ severity }) => severity === 'error')
          expect(errors.map(({ place }) => place)).toEqual(mayBe ? [] : [field])
        }
      },
    )
  },
)

it('is looked for', () => {
  expect(sets.length).toBeGreaterThan(1)
  expect(new Set(texts.map(([, , mayBe]) => mayBe))).toEqual(new Set([true, false]))
})
