import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unknown, type Value } from '../../../../src/hcl/values/value.ts'
import { type Service, startService } from '../../../support/service.ts'
import { type Config, type Player, playTerraform, showDiagnostic } from '../play.ts'

let service: Service
let terraform: Player

beforeAll(async () => {
  service = await startService()
  terraform = await playTerraform(service)
})
afterAll(() => service.close())

const said = async (type: string, config: Config) =>
  (await terraform.validate(type, config)).map(showDiagnostic)

describe('a configuration', () => {
  it.each<[string, string, Config, string[]]>([
    ['fine filters', 'feature_flag', { key: 'a', filters: '{"groups":[]}' }, []],
    [
      'nothing known',
      'feature_flag',
      { key: unknown, filters: unknown, tags: [unknown], release: unknown },
      [],
    ],
    [
      'text that is no JSON',
      'feature_flag',
      { key: 'a', filters: '{' },
      [
        expect.stringMatching(
          /^error \[filters\]: `filters` cannot be sent \| It is not JSON/,
        ) as unknown as string,
      ],
    ],
    [
      'JSON that is no object',
      'feature_flag',
      { key: 'a', filters: '[]' },
      ['error [filters]: "filters" must be an object | Write it with jsonencode({ ... }).'],
    ],
    ['a list where one may stand', 'feature_flag', { key: 'a', rollback_conditions: '[]' }, []],
    [
      'a condition of which Terraform has left nothing',
      'feature_flag',
      { key: 'a', release: [{ rollout_percentage: unknown }, { description: 'beta', properties: [] }] },
      [
        'warning [release.1]: condition 2 has no limits, so it matches everybody | Is a name in it misspelt? Terraform drops unknown names without a message. To release to everybody, write `rollout_percentage = 100` into it; this also ends this warning.',
      ],
    ],
    [
      'a condition that says that everybody meets it',
      'feature_flag',
      { key: 'a', release: [{ rollout_percentage: 100 }] },
      [],
    ],
    [
      'filters and release',
      'feature_flag',
      { key: 'a', filters: '{}', release: [] },
      [
        'error [release]: `release` and `filters` are both set | They are two forms of the same setting. Set `filters` or the typed attributes, not both.',
      ],
    ],
    ['a tag that is null, which is none', 'feature_flag', { key: 'a', tags: [null, 'b', unknown] }, []],
    [
      'a value and values of a property whose key is unknown',
      'feature_flag',
      { key: 'a', release: [{ properties: [{ key: unknown, value: 'b', values: ['c'] }] }] },
      [
        'error [release.0]: a property has both `value` and `values` | At release[0].properties[0]. Set only one of them.',
      ],
    ],
    [
      'a tag that is empty beside one that is null',
      'feature_flag',
      { key: 'a', tags: [null, ' '] },
      ['error [tags]: element 1 of "tags" must not be empty | Fill it in, or remove it.'],
    ],
    [
      'a condition that is null, which is none that everybody meets',
      'feature_flag',
      { key: 'a', release: [null] },
      [expect.stringMatching(/^error \[release\.0\]: a condition /) as unknown as string],
    ],
    [
      'a property that is null, which is none that everybody has',
      'feature_flag',
      { key: 'a', release: [{ properties: [null] }] },
      [expect.stringMatching(/^error \[release\.0\]: a property /) as unknown as string],
    ],
    [
      'an empty tag',
      'feature_flag',
      { key: 'a', tags: [' '] },
      ['error [tags]: element 1 of "tags" must not be empty | Fill it in, or remove it.'],
    ],
    [
      'a key that is too long',
      'feature_flag',
      { key: 'a'.repeat(401) },
      ['error [key]: the key has 401 characters | The service accepts at most 400.'],
    ],
    [
      'a tag that is too long',
      'feature_flag',
      { key: 'a', tags: ['a'.repeat(256)] },
      ['error [tags]: this tag has 256 characters | The service accepts at most 255.'],
    ],
    [
      'a key and a tag that are as long as they may be, blanks aside',
      'feature_flag',
      { key: ` ${'a'.repeat(400)} `, tags: [` ${'a'.repeat(255)} `] },
      [],
    ],
    [
      'a role that is no UUID',
      'feature_flag_role_access',
      { feature_flag_id: '1', role_id: 'support' },
      ['error [role_id]: "support" is not a UUID | An id looks like 01900000-0000-0000-0000-0000000000aa.'],
    ],
    [
      'a plugin of no known type',
      'plugin',
      { name: 'a', plugin_type: 'remote' },
      [
        'error [plugin_type]: "remote" is not a plugin_type | Use one of "local", "custom", "repository", "source".',
      ],
    ],
    [
      'a way of letting go that is none',
      'event_definition',
      { name: 'a', on_destroy: 'keep' },
      ['error [on_destroy]: "keep" is not a value of on_destroy | Use one of "forget", "restore", "delete".'],
    ],
    [
      'a project that is empty',
      'feature_flag',
      { key: 'a', project_id: '' },
      [
        "error [project_id]: `project_id` is empty | Remove it, or set it to null, to use the provider's project.",
      ],
    ],
    [
      'an organization that is blank',
      'plugin',
      { name: 'a', organization_id: ' ' },
      [
        "error [organization_id]: `organization_id` is empty | Remove it, or set it to null, to use the provider's organization.",
      ],
    ],
    [
      'guards that are none',
      'plugin',
      { name: 'a', allow: ['nope', unknown, 'can_edit'] },
      [
        'error [allow]: "nope" is not a rule that blocks a plugin | Use "source_unreadable".',
        'error [allow]: "can_edit" is not a rule that blocks a plugin | Use "source_unreadable".',
      ],
    ],
    ['a guard that there is', 'feature_flag', { key: 'a', allow: ['can_edit', 'experiment'] }, []],
    [
      'a grant on a flag that is named by its key',
      'feature_flag_role_access',
      { feature_flag_id: 'dark-mode', role_id: '01900000-0000-0000-0000-0000000000aa' },
      [
        'error [feature_flag_id]: "dark-mode" is not an id of a flag | Use the id of a resource, `vexil_feature_flag.NAME.id`, or of a data source, `data.vexil_feature_flag.NAME.id`.',
      ],
    ],
    [
      'a plugin.json that says what the attributes say',
      'plugin',
      {
        name: 'geoip',
        config_schema: '[{"key":"a"}]',
        source: { 'plugin.json': '{"name":"geoip","config":[{"key":"a"}]}' },
      },
      [],
    ],
    [
      'a plugin.json that names what the attributes leave open',
      'plugin',
      {
        name: 'geoip',
        source: { 'plugin.json': '{"name":"geoip","config":[{"key":"a"}]}', 'x.ts': unknown },
      },
      [],
    ],
    [
      'a plugin.json with another name and another schema',
      'plugin',
      {
        name: 'geoip',
        config_schema: '[]',
        source: { 'plugin.json': '{"name":"other","config":[{"key":"a"}]}' },
      },
      [
        'warning [name]: its name differs from the "name" of plugin.json, "other" | The service uses the value in the file: write the same value in both. A plan accepts this only if the live object already has it.',
        'warning [config_schema]: its config_schema differs from the "config" of plugin.json, [{"key":"a"}] | The service uses the value in the file: write the same value in both. A plan accepts this only if the live object already has it.',
      ],
    ],
    [
      'a plugin.json that is none',
      'plugin',
      { name: 'geoip', source: { 'plugin.json': '{' } },
      [expect.stringMatching(/^warning \[source\]: plugin.json cannot be read: it is not JSON/)],
    ],
  ])('with %s', async (_, type, config, problems) => {
    expect(await said(type, config)).toEqual(problems)
  })

  it('names the place in filters', async () => {
    const filters = JSON.stringify({ groups: [{ rollout_percentage: 10 }, { rollout_percentage: 150 }] })
    expect(await said('feature_flag', { key: 'a', filters })).toEqual([
      'warning [filters]: 150 is not a percentage | At /groups/1/rollout_percentage. Write a number from 0 to 100; a plan accepts this only if the live object already has it.',
    ])
  })

  it('underlines the condition, and stops there', async () => {
    const release = [{ rollout_percentage: 10 }, { rollout_percentage: 150 }]
    expect(await said('feature_flag', { key: 'a', release })).toEqual([
      'warning [release.1]: 150 is not a percentage | At release[1].rollout_percentage. Write a number from 0 to 100; a plan accepts this only if the live object already has it.',
    ])
  })

  it('underlines the variant, and the payload that is no JSON', async () => {
    const variants: Value = [
      { key: 'a', rollout_percentage: 60, payload: '{' },
      { key: 'b', rollout_percentage: 60 },
    ]
    expect(await said('feature_flag', { key: 'a', variants })).toEqual([
      expect.stringMatching(/^warning \[variants\]: the variants add up to 120%/),
      expect.stringMatching(/^warning \[variants.0\]: the payload of "a" is not JSON/),
    ])
  })

  it('refuses a property with one value and several', async () => {
    const release = [{ properties: [{ key: 'a', value: 'x', values: ['y'] }] }]
    expect(await said('feature_flag', { key: 'a', release })).toEqual([
      'error [release.0]: the property "a" has both `value` and `values` | At release[0].properties[0]. Set only one of them.',
    ])
  })

  it('still checks what is known beside what is not', async () => {
    const release = [
      { rollout_percentage: unknown, variant: 'x' },
      { rollout_percentage: 150, variant: 'y' },
    ]
    expect(await said('feature_flag', { key: 'a', release, variants: unknown })).toEqual([
      'warning [release.1]: 150 is not a percentage | At release[1].rollout_percentage. Write a number from 0 to 100; a plan accepts this only if the live object already has it.',
    ])
  })

  it('still checks what is known inside of a condition, a set and the variants', async () => {
    const config: Config = {
      key: 'a',
      tags: [unknown, ' '],
      release: [
        { rollout_percentage: unknown, properties: [{ key: 'a', value: unknown, type: 'element' }] },
        { rollout_percentage: unknown, properties: [unknown, { key: 'b', value: '5', operator: 'near' }] },
      ],
      variants: [
        { key: 'x', rollout_percentage: 101 },
        { key: unknown, rollout_percentage: unknown, payload: '{' },
      ],
    }
    const places = (await said('feature_flag', config)).map(line => line.replace(/ \|.*/, ''))
    expect(places).toEqual([
      'error [tags]: element 2 of "tags" must not be empty',
      'warning [release.0]: a property of type "element" in a flag that is released to persons',
      'warning [release.1]: "near" is not an operator',
      'warning [variants.0]: 101 is not a percentage',
    ])
  })
})
