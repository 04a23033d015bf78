import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import type { Json } from '../../src/model/text/json.ts'
import { canonicalFilters } from '../../src/targeting/index.ts'
import { cli, folderWith, writeFiles } from '../support/cli.ts'
import { grantedRoles } from '../support/granted-roles.ts'
import { rounds } from '../support/rounds.ts'
import { type Service, startService } from '../support/service.ts'
import { aWorld } from '../support/workspace.ts'

const support = '01900000-0000-0000-0000-0000000000aa'
const growth = '01900000-0000-0000-0000-0000000000bb'
const organization = '01900000-0000-0000-0000-000000000001'

/** Keys are few, so that what is declared meets what is there: as it is, otherwise, deleted, or not at all. */
const key = fc.constantFrom('alpha', 'beta', 'gamma', 'delta')
const percent = fc.constantFrom(0, 10, 50, 100)
const filters = fc.record({
  groups: fc.array(fc.record({ rollout_percentage: percent }), { minLength: 1, maxLength: 2 }),
})
const fields = fc.record(
  {
    name: fc.constantFrom('', 'One', 'Two'),
    active: fc.boolean(),
    filters,
    tags: fc.subarray(['one', 'two', 'three']),
  },
  { requiredKeys: [] },
)
const roles = fc.subarray([support, growth])
const description = fc.constantFrom('', 'Old', 'New')
const source = fc.constantFrom({ 'index.ts': 'one' }, { 'index.ts': 'two' }, { 'other.ts': 'three' })

const plugin_type = fc.constant('source')

const world = fc.record({
  flags: fc.uniqueArray(
    fc
      .record({ key, fields, deleted: fc.boolean(), role_access: roles })
      .map(({ fields: given, ...flag }) => ({
        ...given,
        ...flag,
      })),
    { selector: flag => flag.key, maxLength: 4 },
  ),
  plugins: fc.uniqueArray(
    fc.oneof(
      fc.record({ name: fc.constantFrom('geoip', 'mask'), description, source, plugin_type }),
      fc.record({ name: fc.constant('bare'), description, plugin_type }),
    ),
    { selector: plugin => plugin.name, maxLength: 3 },
  ),
})

const absent = fc.constant({ ensure: 'absent' })
const declaredFlag = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fields, fc.option(roles))
      .map(([given, held]) => ({ ...given, ...(held ? { role_access: held } : {}) })),
  },
  { weight: 1, arbitrary: absent },
)
/** The source files of a deleted plugin are gone for good, and the undo says so: the one that is deleted here has none. */
const declaredPlugins = fc.record(
  {
    geoip: fc.record({ plugin_type, description, source }),
    mask: fc.record({ plugin_type, description, source }),
    bare: fc.oneof(fc.record({ plugin_type, description }), absent),
  },
  { requiredKeys: [] },
)
const repository = fc.record({
  feature_flags: fc.dictionary(key, declaredFlag, { maxKeys: 4 }),
  plugins: declaredPlugins,
  event_definitions: fc.dictionary(fc.constant('paid'), fc.record({ tags: fc.subarray(['money', 'shop']) })),
})

interface Page<Row> {
  readonly results: readonly Row[]
}
type Row = Readonly<Record<string, unknown>>

/** All that is managed, by name: ids that were given anew do not count, nor does a soft-deleted flag that was not there. */
async function managed(service: Service, known?: ReadonlySet<unknown>) {
  const flags = (await service.get('/api/projects/1/feature_flags/?limit=100')) as Page<Row>
  const plugins = (await service.get(`/api/organizations/${organization}/plugins/?limit=100`)) as Page<Row>
  const events = (await service.get('/api/projects/1/event_definitions/?limit=100')) as Page<Row>
  const rows = await Promise.all(
    flags.results.map(async ({ id, key: name, name: title, active, deleted, filters: release, tags }) => {
      const held = (await grantedRoles(service, Number(id))).toSorted()
      return [
        String(name),
        { title, active, deleted, release: canonicalFilters(release as Json), tags, held },
      ] as const
    }),
  )
  const sources = await Promise.all(
    plugins.results.map(async ({ id, name, description: text }) => {
      const files = await service.get(`/api/organizations/${organization}/plugins/${id}/source/`)
      return [String(name), { text, files }] as const
    }),
  )
  return {
    flags: Object.fromEntries(rows.filter(([name, { deleted }]) => !deleted || !known || known.has(name))),
    plugins: Object.fromEntries(sources),
    events: Object.fromEntries(events.results.map(({ name, tags }) => [name, tags])),
  }
}

async function serve({ flags, plugins }: { flags: readonly never[]; plugins: readonly never[] }) {
  const role = (id: string, name: string) => ({ id, name })
  return startService({
    quirks: { tag_order: 'sorted' },
    seed: aWorld(
      { event_definitions: [{ name: 'paid' }], feature_flags: flags },
      { roles: [role(support, 'support'), role(growth, 'growth')], plugins },
    ),
  })
}

describe('a law of undo', () => {
  it('puts the world back as it was before the apply, whatever was declared', async () => {
    const times = rounds(20)
    let written = 0
    await fc.assert(
      fc.asyncProperty(world, repository, async (given, declared) => {
        const service = await serve(given as never)
        const folder = await folderWith({
          'vexil.yaml': `version: 1\nroles: { support: ${support}, growth: ${growth} }\n`,
        })
        const vexil = (line: string) => cli(line, { directory: folder.path, env: service.env })
        try {
          await writeFiles(folder.path, { 'flags.yaml': stringify(declared) })
          const before = await managed(service)
          const applied = await vexil('apply --auto-approve')
          expect(applied.code, applied.stdout + applied.stderr).toBe(0)
          const undone = await vexil('undo last --auto-approve')
          const told = applied.stdout + undone.stdout + undone.stderr
          if (undone.code === 0) written++
          else expect(undone.stderr).toContain('there is no run to undo')
          expect(await managed(service, new Set(Object.keys(before.flags))), told).toEqual(before)
          // An undo is a run like any other: it can be undone, and put back again.
          await vexil('undo last --auto-approve')
          const twice = await vexil('undo last --auto-approve')
          expect(await managed(service, new Set(Object.keys(before.flags))), told + twice.stdout).toEqual(
            before,
          )
        } finally {
          await service.close()
          await folder.remove()
        }
      }),
      { numRuns: times },
    )
    expect(written).toBeGreaterThan(times / 2)
  })
})
