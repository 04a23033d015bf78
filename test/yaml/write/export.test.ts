import { describe, expect, it } from 'vitest'
import type { ExportedObject } from '../../../src/yaml/write/declaration-of.ts'
import { exportYaml } from '../export-yaml.ts'
import { readBack } from '../read-back.ts'

const checkout: ExportedObject = {
  kind: 'feature_flag',
  identity: 'checkout',
  id: '881',
  fields: {
    name: 'New checkout',
    key: 'checkout',
    active: true,
    filters: {
      groups: [
        {
          variant: null,
          properties: [{ key: 'country', type: 'person', value: ['DE', 'AT'], operator: 'exact' }],
          rollout_percentage: 50,
        },
        { properties: [], rollout_percentage: null },
      ],
      multivariate: { variants: [{ key: 'a', rollout_percentage: 100 }] },
      payloads: { a: '{"b": 1}' },
      super_groups: [{ properties: [], rollout_percentage: 100 }],
      aggregation_group_type_index: null,
    },
    ensure_experience_continuity: false,
    rollback_conditions: null,
    tags: ['b', 'a'],
  },
  grants: [{ role: 'support' }, { role: 'growth' }],
}

describe('exportYaml', () => {
  it('writes what people would write, one file per kind', () => {
    const { files } = exportYaml([
      checkout,
      { kind: 'event_definition', identity: 'paid', id: 'x', fields: { tags: [], post_to_chat: false } },
      { kind: 'event_definition', identity: '$pageview', id: 'y', fields: { tags: ['web'] } },
      {
        kind: 'plugin',
        identity: 'Geo IP',
        id: '3',
        fields: { plugin_type: 'source', description: '', is_global: false, config_schema: {} },
        files: { 'index.ts': 'export const a = 1\n', '../../evil.ts': `\`$\{env:HOME}\`` },
      },
    ])
    const comment = '# yaml-language-server: $schema=schemas/declarations.schema.json\n\n'
    expect(files).toEqual([
      {
        path: 'feature_flags.yaml',
        text: `${comment}feature_flags:
  checkout:
    name: New checkout
    active: true
    release:
      country:
        properties:
          country: [DE, AT]
        rollout_percentage: 50
      rest:
        rollout_percentage: 100
    variants:
      a: 100
    payloads:
      a:
        b: 1
    tags: [a, b]
    role_access: [growth, support]
`,
      },
      {
        path: 'plugins.yaml',
        text: `${comment}plugins:
  Geo IP:
    plugin_type: source
    source:
      "../../evil.ts": "\`$$\{env:HOME}\`"
      index.ts:
        file: sources/geo-ip-3/index.ts
`,
      },
      { path: 'sources/geo-ip-3/index.ts', isSource: true, text: 'export const a = 1\n' },
      {
        path: 'event_definitions.yaml',
        text: `${comment}event_definitions:
  $pageview:
    tags: [web]
  paid: {}
`,
      },
    ])
  })

  it('writes filters as the service has them where that is asked for, or nothing else says the same', () => {
    const raw = exportYaml([checkout], { isRaw: true }).files[0]?.text
    expect(raw).toContain(`    active: true
    filters:
      groups:
        - properties:
            - key: country
              type: person
              value: [DE, AT]
              operator: exact
          rollout_percentage: 50
        - {}
      multivariate:
        variants:
          - key: a
            rollout_percentage: 100
      payloads:
        a: '{"b": 1}'
`)
    const special = { key: 'constructor', type: 'person', value: 'x', operator: 'exact' }
    const deep = JSON.stringify(Array.from({ length: 90 }).reduce(inside => [inside], 1))
    const filters = { groups: [{ properties: [special] }], payloads: { true: deep } }
    const { files, leftOut } = exportYaml([{ ...checkout, fields: { ...checkout.fields, filters } }])
    expect(leftOut).toEqual([])
    expect(files[0]?.text).toContain('- key: constructor')
  })

  it('is read back as what it was, grants and source files included', async () => {
    const source = { 'index.ts': `a $\{env:X}\r\n`, 'odd name': 'b', '../c': 'c $$ d' }
    const plugin = {
      kind: 'plugin',
      identity: 'p',
      id: '3',
      fields: { plugin_type: 'source' },
      files: source,
    }
    const { desired, ownedGrants } = await readBack(exportYaml([checkout, plugin], { folder: 'flags' }).files)
    expect(desired.map(({ address }) => address).sort()).toEqual([
      'feature_flag.checkout',
      'feature_flag_role_access.checkout:growth',
      'feature_flag_role_access.checkout:support',
      'plugin.p',
    ])
    expect(ownedGrants.map(({ flag }) => flag)).toEqual(['checkout'])
    expect(desired.find(({ kind }) => kind === 'plugin')?.files).toEqual(source)
  })

  it('tells objects of one name apart by their ids', async () => {
    const named = (identity: string, id: string) => ({
      kind: 'plugin',
      identity,
      id,
      fields: { description: id },
    })
    const { files } = exportYaml([named('p', '12'), named('p', '3'), named('p (12)', '5'), named('q', '4')])
    const { desired } = await readBack(files)
    expect(desired.map(({ identity, id, fields }) => [identity, id, fields.description])).toEqual([
      ['p', '3', '3'],
      ['p (12)+', '12', '12'],
      ['p (12)', undefined, '5'],
      ['q', undefined, '4'],
    ])
  })

  it('leaves out what no file can name, and says so', async () => {
    const flag = (identity: string) => ({
      kind: 'feature_flag',
      identity,
      id: '1',
      fields: { active: false },
    })
    const { files, leftOut } = exportYaml([flag('constructor'), flag('a')])
    expect(leftOut).toEqual([
      { object: flag('constructor'), reason: '"constructor" cannot be used as a name in a declaration' },
    ])
    const { desired } = await readBack(files)
    expect(desired.map(({ identity }) => identity)).toEqual(['a'])
  })

  it('writes nothing for nothing', () => {
    expect(exportYaml([])).toEqual({ files: [], leftOut: [], ignored: [] })
  })
})
