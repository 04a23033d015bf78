import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { guardRules } from '../../../src/model/guard-rules.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../src/model/text/json.ts'
import { getAt } from '../../../src/model/text/pointer.ts'
import { declarationSchema, editorSchema } from '../../../src/schema/declaration-schema.ts'
import { filterDefinitions } from '../../../src/schema/filter-schema.ts'
import { canonicalFilters } from '../../../src/targeting/canonical-filters.ts'
import { filterParts, propertyTypes } from '../../../src/targeting/filter-parts.ts'
import { checkFilters } from '../../../src/targeting/index.ts'
import { knownOperators } from '../../../src/targeting/operators.ts'
import { expandShort } from '../../../src/targeting/short/expand-short.ts'
import { parseYaml } from '../../../src/yaml/index.ts'
import { shortFilters } from '../../targeting/short/some-short.ts'
import { anyFilters, someFilters } from '../../targeting/some-filters.ts'

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, formats: { uri: true } })
addFormats.default(ajv, ['date', 'date-time', 'uuid', 'email'])
const validate = ajv.compile(editorSchema())

const examples = join(import.meta.dirname, '../../../examples/gitops')
const exampleFiles = readdirSync(examples, { recursive: true, encoding: 'utf8' }).filter(
  file => file.endsWith('.yaml') && file !== 'vexil.yaml',
)

/** What an editor underlines in the filters of a flag. */
function underlined(filters: Json): string[] {
  if (validate({ feature_flags: { one: { filters } } })) return []
  return (validate.errors ?? []).map(
    ({ instancePath, keyword }) => `${instancePath.slice('/feature_flags/one/filters'.length)} ${keyword}`,
  )
}

describe('the schema that editors read', () => {
  it('names the members of filters that the checks know, and takes others', () => {
    const named = Object.entries(filterDefinitions()).map(([part, schema]) => [
      part,
      isJsonObject(schema) && isJsonObject(schema.properties) ? Object.keys(schema.properties) : [],
      isJsonObject(schema) && schema.additionalProperties,
    ])
    const known = Object.entries(filterParts).map(([part, { members }]) => [part, Object.keys(members), true])
    expect(named).toEqual(known)
  })

  it('explains every member, every operator and every type of a property', () => {
    const { property } = filterDefinitions()
    const words = (member: string) => {
      const choices = getAt(property as JsonObject, `/properties/${member}/anyOf`) as readonly JsonObject[]
      return Object.fromEntries(choices.flatMap(one => (one.const ? [[one.const, one.description]] : [])))
    }
    expect(words('operator')).toEqual(knownOperators)
    expect(words('type')).toEqual(propertyTypes)
  })

  it('says the same of filters wherever they stand, and of guards what there are', () => {
    const flag = getAt(editorSchema(), '/properties/feature_flags/additionalProperties') as JsonObject
    const inside = getAt(flag, '/properties/filters')
    expect(inside).toMatchObject({ $ref: '#/$defs/filters' })
    expect(getAt(flag, '/properties/environments/additionalProperties/properties/filters')).toEqual(inside)
    expect(getAt(flag, '/properties/allow/items/enum')).toEqual(guardRules)
  })

  it('differs from the one that files are checked against in nothing else', () => {
    const { $defs: _definitions, ...editors } = editorSchema()
    const withoutReferences = JSON.stringify(editors).replaceAll(
      /,"\$ref":"#\/\$defs\/(?:filters|short-\w+)"/g,
      '',
    )
    expect(JSON.parse(withoutReferences)).toEqual(declarationSchema())
  })

  it.each<[Json, string[]]>([
    [{ groups: [{ rollout_percentage: 101 }] }, ['/groups/0/rollout_percentage maximum']],
    [{ groups: [{ properties: {} }] }, ['/groups/0/properties type']],
    [{ groups: [{ properties: [{ key: 'a' }] }] }, ['/groups/0/properties/0 required']],
    [{ multivariate: { variants: [{ key: 'a' }] } }, ['/multivariate/variants/0 required']],
    [{ payloads: [] }, ['/payloads type']],
    [{ aggregation_group_type_index: 5 }, ['/aggregation_group_type_index maximum']],
  ])('underlines a problem in %j', (filters, found) => {
    expect(underlined(filters)).toEqual(expect.arrayContaining(found))
  })

  it.each<[Json]>([
    [{}],
    [{ groups: [{ properties: null, rollout_percentage: null, variant: null }], multivariate: null }],
    [{ groups: [{ properties: [{ key: 'a', type: 'person', operator: null, value: 1, negation: null }] }] }],
    [{ groups: [{ early_exit: true }], holdout: { id: 1 }, bucketing: {}, payloads: { true: null } }],
  ])('takes %j', filters => {
    expect(underlined(filters)).toEqual([])
  })

  it.each(exampleFiles)('takes examples/gitops/%s', file => {
    const { value } = parseYaml(readFileSync(join(examples, file), 'utf8'), file)
    expect(validate(value), ajv.errorsText(validate.errors)).toBe(true)
  })

  it.each<[JsonObject, string[]]>([
    [{ release: { rest: { rolout_percentage: 5 } } }, ['/release/rest additionalProperties']],
    [{ release: { rest: { rollout_percentage: 101 } } }, ['/release/rest/rollout_percentage maximum']],
    [{ release: [{ properties: 5 }] }, ['/release/0/properties type']],
    [{ release: [], variants: { a: 101 } }, ['/variants/a maximum']],
    [{ release: [], variants: { a: { key: 5 } } }, ['/variants/a/key type']],
    [{ release: [], payloads: [] }, ['/payloads type']],
  ])('underlines a problem in the short form %j', (flag, found) => {
    validate({ feature_flags: { one: flag } })
    const places = (validate.errors ?? []).map(
      ({ instancePath, keyword }) => `${instancePath.slice('/feature_flags/one'.length)} ${keyword}`,
    )
    expect(places).toEqual(expect.arrayContaining(found))
  })

  it('underlines nothing in the short form that the checks let pass', () => {
    fc.assert(
      fc.property(shortFilters, short => {
        const { filters, problems } = expandShort(short)
        fc.pre([...problems, ...checkFilters(filters)].every(({ severity }) => severity === 'warning'))
        expect(validate({ feature_flags: { one: short } }), ajv.errorsText(validate.errors)).toBe(true)
      }),
    )
  })

  it('underlines nothing that the checks let pass', () => {
    const right = fc
      .oneof(someFilters, anyFilters)
      .filter(filters => checkFilters(filters).every(({ severity }) => severity === 'warning'))
    fc.assert(
      fc.property(right, filters => {
        expect(underlined(canonicalFilters(filters))).toEqual([])
      }),
    )
  })
})
