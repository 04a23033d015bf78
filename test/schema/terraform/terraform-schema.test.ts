import { describe, expect, it } from 'vitest'
import { declarableKinds, kinds } from '../../../src/kinds/index.ts'
import { type Kind, managedFields } from '../../../src/model/kind.ts'
import { dataSources } from '../../../src/schema/terraform/terraform-data-sources.ts'
import {
  extrasOf,
  providerSchemaJson,
  replacingAttributes,
  terraformSchema,
} from '../../../src/schema/terraform/terraform-schema.ts'

const { resources, dataSources: sources } = terraformSchema()

describe('the schema of the Terraform provider', () => {
  it.each(declarableKinds)('has every managed field of $name, described as in the kind', kind => {
    const attributes = resources[`vexil_${kind.name}`]?.attributes ?? {}
    for (const name of managedFields(kind)) {
      expect(attributes[name]?.description.startsWith(kind.fields[name]?.doc ?? '-')).toBe(true)
    }
  })

  it.each(declarableKinds)('names no extra of $name like a field', kind => {
    const fields = [...managedFields(kind), 'id']
    expect(Object.keys(extrasOf(kind)).filter(name => fields.includes(name))).toEqual([])
  })

  it.each([
    ['feature_flag', ['project_id']],
    ['feature_flag_role_access', ['project_id', 'feature_flag_id', 'role_id']],
    ['plugin', ['organization_id']],
    ['event_definition', ['project_id', 'name']],
  ] as const)('replaces a %s for %o', (name, attributes) => {
    expect(replacingAttributes(kinds[name])).toEqual(attributes)
  })

  it('uses no name that Terraform keeps for itself', () => {
    const kept = ['connection', 'count', 'depends_on', 'for_each', 'lifecycle', 'provider', 'provisioner']
    const all = Object.values({ ...resources, ...sources }).flatMap(({ attributes }) =>
      Object.keys(attributes),
    )
    expect(all.filter(name => kept.includes(name) || !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([])
  })

  it('lets events be asked for with every query parameter', () => {
    const { attributes = {} } = sources.vexil_events ?? {}
    expect(Object.keys(kinds.event.endpoints.list.query).filter(name => !(name in attributes))).toEqual([])
  })

  it('leaves no documented operation out that reads, but those that a list or a record covers and one that asks elsewhere', () => {
    const covered = new Set(
      Object.values(dataSources).flatMap(source =>
        source.is === 'answer'
          ? [source.endpoint, ...('withoutId' in source ? [source.withoutId] : [])].map(
              name => `${source.kind.name}.${name}`,
            )
          : [`${source.kind.name}.list`, `${source.kind.name}.read`],
      ),
    )
    const reading = Object.values<Kind>(kinds).flatMap(kind =>
      Object.entries(kind.endpoints)
        .filter(([, { method, newer }]) => method === 'GET' && !newer)
        .map(([name]) => `${kind.name}.${name}`),
    )
    expect(reading.filter(name => !covered.has(name))).toEqual(['plugin.checkForUpdates'])
  })

  it('is written as Terraform writes it', () => {
    expect(providerSchemaJson()).toMatchObject({
      format_version: '1.0',
      provider_schemas: {
        'registry.terraform.io/vexil/vexil': {
          provider: {
            version: 0,
            block: { attributes: { api_key: { type: 'string', optional: true, sensitive: true } } },
          },
          resource_schemas: {
            vexil_feature_flag: {
              version: 0,
              block: {
                attributes: {
                  id: { type: 'string', computed: true },
                  key: { type: 'string', required: true },
                  tags: { type: ['set', 'string'], optional: true, computed: true },
                  release: { nested_type: { nesting_mode: 'list' }, optional: true },
                },
              },
            },
          },
          functions: { variants: { return_type: ['map', 'number'] } },
        },
      },
    })
  })
})
