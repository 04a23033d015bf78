import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { plan } from '../../src/core/plan/plan.ts'
import type { JsonObject } from '../../src/model/text/json.ts'
import { aFlag, aPolicy, aSnapshot, declare, declaredFlag } from '../support/builders.ts'
import { cli, folderWith, writeFiles } from '../support/cli.ts'
import { rounds } from '../support/rounds.ts'
import { type Service, startService } from '../support/service.ts'

/** Keys are few, so that objects meet: created, changed, deleted and restored over several rounds. */
const key = fc.constantFrom('alpha', 'beta', 'gamma', 'delta')
const percent = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constant(null))

const property = fc.record({
  key: fc.constantFrom('country', 'email', 'plan'),
  value: fc.oneof(
    fc.constantFrom('DE', 'a@example.com'),
    fc.array(fc.constantFrom('DE', 'AT', 'CH'), { minLength: 1 }),
  ),
  operator: fc.constantFrom('exact', 'is_not'),
  type: fc.constant('person'),
})

const filters = fc
  .record({
    groups: fc.array(
      fc.record(
        { properties: fc.array(property, { maxLength: 2 }), rollout_percentage: percent },
        { requiredKeys: [] },
      ),
      { maxLength: 3 },
    ),
    variants: fc.option(fc.constantFrom([100], [50, 50], [20, 30, 50])),
    payload: fc.option(fc.jsonValue({ maxDepth: 2 })),
  })
  .map(({ groups, variants, payload }) => ({
    groups,
    ...(variants
      ? {
          multivariate: {
            variants: variants.map((rollout_percentage, index) => ({ key: `v${index}`, rollout_percentage })),
          },
        }
      : {}),
    ...(payload === null ? {} : { payloads: { [variants ? 'v0' : 'true']: JSON.stringify(payload) } }),
  }))

const fields = fc.record(
  {
    name: fc.string({ maxLength: 20 }).filter(text => !/[\p{Cc}\p{Cs}$]/u.test(text)),
    active: fc.boolean(),
    filters,
    tags: fc.array(fc.constantFrom('one', 'Two', ' three '), { maxLength: 3 }),
    ensure_experience_continuity: fc.boolean(),
    owner: fc.constantFrom('payments', 'growth', null),
    expires: fc.constantFrom('2027-03-01', '2020-02-29'),
  },
  { requiredKeys: [] },
)

const declaration = fc.oneof(
  { weight: 5, arbitrary: fields as fc.Arbitrary<object> },
  { weight: 1, arbitrary: fc.constant({ ensure: 'absent' }) },
)
const repository = fc.dictionary(key, declaration, { maxKeys: 4 })

let service: Service
let folder: Awaited<ReturnType<typeof folderWith>>

beforeEach(async () => {
  // In a fixed order, so that whole records can be compared.
  service = await startService({ quirks: { tag_order: 'sorted' } })
  folder = await folderWith({ 'vexil.yaml': 'version: 1\n' })
})

afterEach(async () => {
  await service.close()
  await folder.remove()
})

const vexil = (line: string) => cli(line, { directory: folder.path, env: service.env })
const isWrite = (line: string) => !line.startsWith('GET ')

async function declareFlags(flags: object): Promise<void> {
  await writeFiles(folder.path, { 'flags.yaml': stringify({ feature_flags: flags }) })
}

/** What every service takes of a new flag: newer ones want a condition. */
function withCondition(flag: object): object {
  const { filters } = flag as { filters?: { groups: readonly object[] } }
  return filters?.groups.length === 0
    ? { ...flag, filters: { ...filters, groups: [{ rollout_percentage: 0 }] } }
    : flag
}

describe('laws over HTTP', () => {
  it('a plan after an apply is empty, an apply writes only what its plan said, a plan writes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(repository, { minLength: 1, maxLength: 3 }), async revisions => {
        for (const flags of revisions) {
          await declareFlags(flags)
          const planned = await service.watch(() => vexil('plan --json'))
          expect(planned.result.code, planned.result.stderr).toBe(0)
          expect(planned.requests.filter(isWrite)).toEqual([])
          const applied = await vexil('apply --auto-approve')
          expect(applied.code, applied.stdout + applied.stderr).toBe(0)
          const again = await vexil('plan --json')
          expect(JSON.parse(again.stdout).changes).toEqual([])
        }
      }),
      { numRuns: rounds(20) },
    )
  })

  it('what is live and not declared is never touched', async () => {
    await fc.assert(
      fc.asyncProperty(repository, fields, async (flags, theirs) => {
        const { owner: _, expires: __, ...live } = theirs
        const created = (await service.send('POST', '/api/projects/1/feature_flags/', {
          ...withCondition(live),
          key: `theirs_${service.sandbox.requests.counts().total}`,
        })) as { id: number }
        const before = await service.get(`/api/projects/1/feature_flags/${created.id}/`)
        await declareFlags(flags)
        await vexil('apply --auto-approve')
        expect(await service.get(`/api/projects/1/feature_flags/${created.id}/`)).toEqual(before)
      }),
      { numRuns: rounds(20) },
    )
  })

  it('an export plans nothing', async () => {
    await fc.assert(
      fc.asyncProperty(repository, async flags => {
        await declareFlags(flags)
        await vexil('apply --auto-approve')
        const exported = await vexil('export --kind feature_flag')
        expect(exported.code, exported.stderr).toBe(0)
        await writeFiles(folder.path, { 'flags.yaml': exported.stdout })
        const planned = await vexil('plan --json')
        expect(planned.code, planned.stderr + exported.stdout).toBe(0)
        expect(JSON.parse(planned.stdout).changes).toEqual([])
      }),
      { numRuns: rounds(20) },
    )
  })
})

describe('laws of the plan', () => {
  const policy = aPolicy()

  it('deleting optional lines of a flag that is as declared changes nothing, so it never widens exposure', () => {
    fc.assert(
      fc.property(
        fields,
        fields,
        fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
        (live, declared, drops) => {
          const settled = aFlag({ ...(live as JsonObject), ...(declared as JsonObject) })
          const kept = Object.entries(declared).filter((_, index) => !drops[index])
          const fewer = declare([declaredFlag('checkout', Object.fromEntries(kept) as JsonObject)])
          const made = plan({ declared: fewer, live: aSnapshot([settled]), policy })
          expect({ changes: made.changes, unchanged: made.unchanged }).toEqual({
            changes: [],
            unchanged: ['feature_flag.checkout'],
          })
        },
      ),
    )
  })

  it('a new flag that nobody limited is a high risk, and says so', () => {
    fc.assert(
      fc.property(fields, declared => {
        const { filters: _filters, ...unlimited } = declared
        const declarations = declare([declaredFlag('checkout', unlimited as JsonObject)])
        const [change] = plan({ declared: declarations, live: aSnapshot([]), policy }).changes
        expect(change?.risk).toBe(unlimited.active === false ? 'low' : 'high')
      }),
    )
  })

  it('the fields of a change are declared ones, and never the key', () => {
    fc.assert(
      fc.property(fields, fields, (live, declared) => {
        const snapshot = aSnapshot([aFlag(live as JsonObject)])
        const made = plan({
          declared: declare([declaredFlag('checkout', declared as JsonObject)]),
          live: snapshot,
          policy,
        })
        for (const { after } of made.changes) {
          expect(Object.keys(after).every(name => name in declared)).toBe(true)
          expect(after).not.toHaveProperty('key')
        }
      }),
    )
  })
})
