import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Type, typeJson } from '../../../../src/hcl/values/type.ts'
import {
  isListValue,
  isObjectValue,
  type ObjectValue,
  unknown,
  type Value,
} from '../../../../src/hcl/values/value.ts'
import { declarableKinds } from '../../../../src/kinds/index.ts'
import { typeName } from '../../../../src/schema/terraform/terraform-names.ts'
import { terraformSchema } from '../../../../src/schema/terraform/terraform-schema.ts'
import {
  type Attribute,
  type Attributes,
  type Diagnostic,
  DiagnosticError,
  isNestedAttribute,
  typeOfAttribute,
} from '../../../../src/terraform/provider.ts'
import { diagnosticsToWire } from '../../../../src/terraform/serve/to-wire.ts'
import { type Service, startService } from '../../../support/service.ts'
import { overTheWire } from '../../support/values.ts'
import { type Config, type Player, playTerraform } from '../play.ts'

let service: Service
let terraform: Player

beforeAll(async () => {
  service = await startService()
  terraform = await playTerraform(service)
})
afterAll(() => service.close())

const uuid = '01900000-0000-0000-0000-0000000000aa'

/** A configuration that is right, with every part of the typed form that a law looks into. */
const right: Readonly<Record<string, Config>> = {
  feature_flag: {
    key: 'x',
    active: false,
    release: [{ properties: [{ key: 'a', value: 'b' }], rollout_percentage: 10 }],
    variants: [{ key: 'a', rollout_percentage: 100 }],
  },
  feature_flag_role_access: { feature_flag_id: '1', role_id: uuid },
  plugin: { name: 'x' },
  event_definition: { name: 'x' },
}

const long = 'x'.repeat(100_000)

/** The values of a type that the protocol lets through and nobody means. */
function oddValues(type: Type): readonly (readonly [string, Value])[] {
  const always = [['null', null] as const, ['unknown', unknown] as const]
  if (type === 'string')
    return [...always, ['empty', ''], ['blank', ' '], ['too long', long], ['no JSON', '{'], ['a list', '[]']]
  if (type === 'number') return [...always, ['negative', -1], ['a fraction', 0.5], ['huge', 1e30]]
  if (type === 'bool') return always
  const [is, of] = type
  if (is === 'map') return [...always, ['empty', {}], ['of null', { a: null }], ['unnamed', { '': 'x' }]]
  const elements = of === 'string' ? ['', ' ', long] : []
  return [
    ...always,
    ['empty', []],
    ['of null', [null]],
    ['of unknown', [unknown]],
    ...elements.map(element => [`of ${JSON.stringify(element.slice(0, 2))}`, [element]] as const),
  ]
}

interface Case {
  readonly path: readonly (string | number)[]
  readonly type: Type
  readonly attribute: Attribute
}

/** Every attribute that somebody can write, with those inside of lists that the right configuration has. */
function casesOf(attributes: Attributes, config: Value, path: Case['path'] = []): Case[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => {
    if (attribute.presence === 'computed') return []
    const own = isObjectValue(config) ? (config[name] ?? null) : null
    const inside =
      isNestedAttribute(attribute) && isListValue(own)
        ? casesOf(attribute.attributes, own[0] ?? null, [...path, name, 0])
        : []
    return [{ path: [...path, name], type: typeOfAttribute(attribute), attribute }, ...inside]
  })
}

function withValue(config: Value, [step, ...rest]: Case['path'], value: Value): Value {
  if (step === undefined) return value
  if (isListValue(config))
    return config.map((each, at) => (at === step ? withValue(each, rest, value) : each))
  const members = isObjectValue(config) ? config : {}
  return { ...members, [step]: withValue(members[step] ?? null, rest, value) }
}

/** What is said is clear: where it is, and never that the provider made a mistake. */
function expectClear(diagnostics: readonly Diagnostic[]): void {
  for (const { summary = '', detail = '', attribute } of diagnosticsToWire(diagnostics)) {
    expect(`${summary} ${detail}`).not.toMatch(/bug in the provider|fit its schema|undefined|\[object|NaN/)
    expect(summary.length).toBeLessThan(400)
    expect(detail.length).toBeLessThan(5000)
    expect(attribute?.steps ?? []).not.toEqual([])
  }
}

describe.each(declarableKinds.map(kind => kind.name))('each attribute of a %s', name => {
  const { attributes } = terraformSchema().resources[typeName(name)]!
  it.each(Object.keys(attributes))('%s takes what it is given or says why not', async top => {
    const { block } = terraform.provider.resources[typeName(name)]!.schema
    const config = right[name]!
    const own = Object.fromEntries(Object.entries(block.attributes).filter(([each]) => each === top))
    for (const { path, type, attribute } of casesOf(own, config)) {
      for (const [what, value] of oddValues(type)) {
        const given = withValue(config, path, value) as ObjectValue
        const found = await terraform.validate(name, given)
        expectClear(found)
        const errors = found.filter(({ severity }) => severity === 'error')
        if (what === 'unknown') expect(errors).toEqual([])
        if (attribute.presence === 'required' && what === 'null') expect(found).not.toEqual([])
        if (errors.length > 0) continue
        try {
          await terraform.provider.configure(
            overTheWire(terraform.provider.schema, {}),
            { version: '1' },
            terraform.context,
          )
          expectClear((await terraform.plan(name, given, null)).warnings)
        } catch (error) {
          if (!(error instanceof DiagnosticError))
            throw new Error(`${path.join('.')} ${what}: ${error}`, { cause: error })
          // What the service is asked has no place of its own in the configuration.
          expectClear(error.diagnostics.map(each => ({ attribute: [top], ...each })))
        }
      }
    }
  })
})

describe('each attribute of a data source', () => {
  it.each(Object.keys(terraformSchema().dataSources))('of %s', async name => {
    const source = terraform.provider.dataSources[name]!
    const cases = casesOf(source.schema.block.attributes, {})
    expect(cases).not.toEqual([])
    for (const { path, type, attribute } of cases) {
      for (const [what, value] of oddValues(type)) {
        const config = overTheWire(source.schema, withValue({}, path, value) as ObjectValue)
        const found = (await source.validate?.(config, terraform.context)) ?? []
        expectClear(found)
        const own = found.filter(each => String(each.attribute) === path.join())
        expect(own.length > 0 && what === 'unknown').toBe(false)
        if (attribute.presence === 'required' && what === 'null') expect(own).toHaveLength(1)
      }
    }
  })
})

describe('each attribute of the provider', () => {
  it.each(Object.keys(terraformSchema().provider.attributes))('%s', async name => {
    const { schema, validateProvider } = terraform.provider
    const attribute = schema.block.attributes[name]!
    for (const [what, value] of oddValues(typeOfAttribute(attribute))) {
      const config = overTheWire(schema, { [name]: value })
      const found = (await validateProvider?.(config, terraform.context)) ?? []
      expectClear(found)
      if (what === 'unknown') expect(found).toEqual([])
      if (typeJson(typeOfAttribute(attribute)) === '"string"' && what === 'too long' && name !== 'api_key')
        expect(found).not.toEqual([])
    }
  })
})
