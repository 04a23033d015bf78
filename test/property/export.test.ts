import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/model/json.ts'
import type { WorldFile } from '../../src/sandbox/index.ts'
import { cli, folderWith } from '../support/cli.ts'
import { type Service, startService } from '../support/service.ts'

const support = '01900000-0000-0000-0000-0000000000aa'
const labels = fc.subarray(['shop', 'Money', 'ours', 'two words'])
const percent = fc.constantFrom(0, 5, 99.5, 100, null)

/** As the product's own screen leaves them, with nulls and empty members. */
const filters = fc.record(
  {
    groups: fc.array(
      fc.record(
        {
          properties: fc.constantFrom(
            [],
            [{ key: 'country', type: 'person', value: ['DE', 'AT'], operator: 'exact' }],
            [{ key: 'email', type: 'person', value: '@example.com', operator: 'icontains' }],
          ),
          rollout_percentage: percent,
          variant: fc.constantFrom(null, 'a'),
        },
        { requiredKeys: ['properties'] },
      ),
      { maxLength: 3 },
    ),
    multivariate: fc.constant({
      variants: [
        { key: 'a', name: '', rollout_percentage: 50 },
        { key: 'b', rollout_percentage: 50 },
      ],
    }),
    payloads: fc.constantFrom<JsonObject>({}, { a: '{"theme": "night"}' }, { a: `"$\{env:HOME}"` }),
    super_groups: fc.constant([{ properties: [], rollout_percentage: 100 }]),
  },
  { requiredKeys: ['groups', 'multivariate'] },
)
const flag = fc.record(
  {
    key: fc.constantFrom('a', 'b', 'no', '1e3', 'with.dots'),
    name: fc.constantFrom('', 'New: checkout', '- yes'),
    active: fc.boolean(),
    deleted: fc.boolean(),
    filters,
    tags: labels,
    ensure_experience_continuity: fc.boolean(),
    role_access: fc.subarray(['Support Team', 'Growth']),
  },
  { requiredKeys: ['key'] },
)
const plugin = fc.record(
  {
    name: fc.constantFrom('geo', 'geo (2)', 'clock'),
    plugin_type: fc.constant('source' as const),
    description: fc.constantFrom('', 'Adds: a country'),
    config_schema: fc.constantFrom<JsonObject>({}, { size: 1 }),
    source: fc.dictionary(
      fc.constantFrom('index.ts', '../odd'),
      fc.constantFrom('', 'export {}\n', `$\{a}\r\n`),
      {
        noNullPrototype: true,
      },
    ),
  },
  { requiredKeys: ['name', 'plugin_type'] },
)
const definition = fc.record(
  { name: fc.constantFrom('paid', '$pageview', 'true'), tags: labels, post_to_chat: fc.boolean() },
  { requiredKeys: ['name'] },
)

const world: fc.Arbitrary<WorldFile> = fc
  .record({
    feature_flags: fc.uniqueArray(flag, { selector: ({ key }) => key }),
    // The service keeps no names of plugins apart.
    plugins: fc.array(plugin, { maxLength: 4 }),
    event_definitions: fc.uniqueArray(definition, { selector: ({ name }) => name }),
  })
  .map(({ plugins, ...project }) => ({
    organizations: [
      {
        id: '01900000-0000-0000-0000-000000000001',
        name: 'Example',
        roles: [{ id: support, name: 'Support Team' }, { name: 'Growth' }],
        plugins,
        projects: [{ id: 1, name: 'Production', ...project }],
      },
    ],
  }))

interface Planned {
  readonly changes: readonly { readonly address: string; readonly action: string }[]
  readonly withheld: readonly unknown[]
}

/** What is taken down after a run, whatever came of it. */
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function open(seed: WorldFile, tag: string | undefined) {
  const service: Service = await startService({ seed })
  const ownership = tag === undefined ? '' : `ownership: { tag: ${tag} }\n`
  const folder = await folderWith({
    'vexil.yaml': `version: 1\nroles: { support: ${support} }\n${ownership}`,
  })
  closing.push(service.close, folder.remove)
  return (line: string) => cli(line, { directory: folder.path, env: service.env })
}

describe('what was exported into the repository', () => {
  it.each([
    ['without a marker', undefined],
    ['with a marker', 'Ours'],
  ])('%s plans nothing but the adoptions that the export told of', async (_, tag) => {
    const kinds = fc.subarray(['feature_flag', 'plugin', 'event_definition'])
    await fc.assert(
      fc.asyncProperty(world, kinds, async (seed, first) => {
        const vexil = await open(seed, tag)
        // In two steps, so that the second one meets declarations.
        const parts = [...first.map(kind => `export -d flags --kind ${kind}`), 'export -d flags']
        let told = 0
        for (const part of parts) {
          const { code, stderr } = await vexil(part)
          expect({ code, stderr }).toEqual({ code: 0, stderr })
          told += Number(/^(\d+) objects? do(?:es)? not carry/m.exec(stderr)?.[1] ?? 0)
        }
        const { code, stdout, stderr } = await vexil('plan --json')
        expect({ code, stderr }).toMatchObject({ code: 0 })
        const { changes, withheld }: Planned = JSON.parse(stdout)
        expect({ others: changes.filter(({ action }) => action !== 'adopt'), withheld }).toEqual({
          others: [],
          withheld: [],
        })
        expect(changes).toHaveLength(told)
        if (tag === undefined) expect(told).toBe(0)

        await vexil('apply --auto-approve')
        expect(JSON.parse((await vexil('plan --json')).stdout).changes).toEqual([])
        expect((await vexil('export -d again')).stderr).toMatch(/^nothing to write: /)
        for (const close of closing.splice(0)) await close()
      }),
      { numRuns: 25 },
    )
  })
})
