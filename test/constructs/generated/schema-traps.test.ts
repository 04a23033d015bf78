import { TerraformDataSource, TerraformProvider, TerraformResource } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { schemaTraps } from '../../../src/generate/emit-constructs.ts'
import type { JsonObject } from '../../../src/model/text/json.ts'
import { providerSchemaJson, terraformSchema } from '../../../src/schema/terraform/terraform-schema.ts'

describe('the schema for constructs', () => {
  it('has none of what makes no good constructs', () => {
    expect(schemaTraps(providerSchemaJson())).toEqual([])
  })

  it('names no attribute like a member of every construct', () => {
    const { provider, resources, dataSources } = terraformSchema()
    const clashes = (
      all: Readonly<Record<string, { attributes: object }>>,
      construct: { prototype: object },
    ) =>
      Object.entries(all).flatMap(([name, { attributes }]) =>
        Object.keys(attributes)
          .filter(attribute => inProperties(attribute) in construct.prototype)
          .map(attribute => `${name}.${attribute}`),
      )
    expect([
      ...clashes(resources, TerraformResource),
      ...clashes(dataSources, TerraformDataSource),
      ...clashes({ provider }, TerraformProvider),
    ]).toEqual([])
  })

  it.each<[string, JsonObject, string]>([
    ['a block in a group', blocks('group'), 'resource vexil_x.part: nested in a group'],
    ['a block in a map', blocks('map'), 'resource vexil_x.part: nested in a map'],
    ['an attribute nested in a map', nested('map'), 'resource vexil_x.part: nested in a map'],
    ['a dynamic type', attribute('value', 'dynamic'), 'resource vexil_x.value: a dynamic type'],
    ['a list of that', attribute('value', ['list', 'dynamic']), 'resource vexil_x.value: a dynamic type'],
    ['a tuple', attribute('pair', ['tuple', ['string', 'number']]), 'resource vexil_x.pair: a tuple'],
    [
      'a tuple in an object',
      attribute('pair', ['object', { at: ['tuple', ['string']] }]),
      'resource vexil_x.pair.at: a tuple',
    ],
    ['a meta-argument', attribute('for_each', 'string'), 'resource vexil_x.for_each: the name is taken'],
    ['a method', attribute('to_string', 'string'), 'resource vexil_x.to_string: the name is taken'],
  ])('would be refused with %s', (_, block, trap) => {
    const schema = { provider_schemas: { vexil: { resource_schemas: { vexil_x: { block } } } } }
    expect(schemaTraps(schema)).toEqual([trap])
  })

  it.each<[string, JsonObject]>([
    ['a block in a list', blocks('list')],
    ['an attribute nested in a set', nested('set')],
    ['a map of numbers', attribute('shares', ['map', 'number'])],
  ])('may have %s', (_, block) => {
    const schema = { provider_schemas: { vexil: { data_source_schemas: { vexil_x: { block } } } } }
    expect(schemaTraps(schema)).toEqual([])
  })
})

function attribute(name: string, type: JsonObject[string]): JsonObject {
  return { attributes: { [name]: { type, optional: true } } }
}

function nested(nesting_mode: string): JsonObject {
  return { attributes: { part: { nested_type: { nesting_mode, attributes: {} }, optional: true } } }
}

function blocks(nesting_mode: string): JsonObject {
  return { block_types: { part: { nesting_mode, block: {} } } }
}

function inProperties(attribute: string): string {
  return attribute.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
