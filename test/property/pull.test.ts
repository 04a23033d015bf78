import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import type { JsonObject } from '../../src/model/text/json.ts'
import { giveRole, takeRole } from '../support/give-role.ts'
import { rounds } from '../support/rounds.ts'
import { type Service, startService } from '../support/service.ts'
import { aWorkspace, isWrite, support, type Workspace } from '../support/workspace.ts'

const growth = '01900000-0000-0000-0000-0000000000bb'
const key = fc.constantFrom('alpha', 'beta')
const percent = fc.constantFrom(0, 10, 50, 100)
const property = (value: string) => ({ key: 'country', type: 'person', value: [value], operator: 'exact' })
const condition = fc.record({
  properties: fc.constantFrom([], [property('DE')], [property('FR')]),
  rollout_percentage: percent,
})
const filters = fc.array(condition, { maxLength: 3 }).map(groups => ({ groups }))
const tags = fc.subarray(['a', 'b', 'owner:payments', 'expires:2027-03-01'])
const plain = { name: fc.constantFrom('one', `two \${three}`), active: fc.boolean() }
const click = fc.oneof(
  fc.record({ ...plain, filters, tags }, { requiredKeys: [] }),
  fc.record({ deleted: fc.boolean() }),
)
const grant = fc.record({ role: fc.constantFrom(support, growth), isGiven: fc.boolean() })
const who = fc.oneof(
  filters.map(value => ({ filters: value })),
  percent.map(rollout_percentage => ({ rollout_percentage })),
  fc.record({
    release: fc.record({
      german: fc.record({ properties: fc.constant({ country: ['DE'] }), rollout_percentage: percent }),
      rest: fc.record({ rollout_percentage: percent }),
    }),
  }),
)
const roles = fc.subarray(['support', growth])
const declaration = fc
  .tuple(
    fc.record({ ...plain, tags: fc.subarray(['a', 'b']), role_access: roles }, { requiredKeys: [] }),
    who,
  )
  .map(([fields, said]) => escaped({ ...fields, ...said }))
const declared = fc.dictionary(key, declaration, { minKeys: 1, maxKeys: 2 })
const history = fc.record({
  declared,
  clicks: fc.array(fc.record({ key, change: fc.oneof({ weight: 3, arbitrary: click }, grant) }), {
    minLength: 1,
    maxLength: 3,
  }),
  later: fc.option(declared),
})

/** What begins a reference to a variable. */
const reference = `\${`

function escaped(object: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(object).replaceAll(reference, () => `$${reference}`))
}

let service: Service
let workspace: Workspace

beforeEach(async () => {
  service = await startService({ quirks: { tag_order: 'sorted' } })
  workspace = await aWorkspace(service, {
    'vexil.yaml': `version: 1\nroles: { support: ${support} }\nlive_edits: { default: hold }\n`,
    'flags.yaml': 'feature_flags: {}\n',
  })
})

afterEach(async () => {
  await service.close()
  await workspace.remove()
})

interface ShownPlan {
  readonly changes: readonly { readonly address: string; readonly after: JsonObject }[]
  readonly live_edits: readonly {
    readonly address: string
    readonly fields: readonly { readonly field: string }[]
  }[]
}

async function planned(): Promise<ShownPlan> {
  return JSON.parse((await workspace.vexil('plan --json')).stdout)
}

async function declare(flags: object): Promise<void> {
  await workspace.write({ 'flags.yaml': stringify({ feature_flags: flags }) })
}

describe('the law of pull', () => {
  it('after it a plan shows nothing of what was changed in the product, and nothing live was written', async () => {
    let [taken, again] = [0, 0]
    await fc.assert(
      fc.asyncProperty(history, async steps => {
        await declare(steps.declared)
        const applied = await workspace.vexil('apply --auto-approve --allow live_edit')
        expect([0, 3], applied.stdout + applied.stderr).toContain(applied.code)
        const known = (await service.get('/api/projects/1/feature_flags/?limit=100')) as {
          results: readonly { id: number; key: string }[]
        }
        for (const { key: wanted, change } of steps.clicks) {
          const flag = known.results.find(each => each.key === wanted)
          // Services refuse some of it.
          if (!flag) continue
          const done =
            'role' in change
              ? (change.isGiven ? giveRole : takeRole)(service, flag.id, change.role)
              : service.send('PATCH', `/api/projects/1/feature_flags/${flag.id}/`, change)
          await done.catch(() => {})
        }
        if (steps.later) await declare(steps.later)
        const before = await planned()
        const { result, requests } = await service.watch(() => workspace.vexil('pull *'))
        expect(result.code, result.stdout + result.stderr).toBe(0)
        expect(requests.length).toBeGreaterThan(0)
        expect(requests.filter(isWrite)).toEqual([])
        const after = await planned()
        expect(after.live_edits, result.stdout).toEqual([])
        if (!steps.later) expect(after.changes).toEqual([])
        for (const { address, fields } of before.live_edits) {
          taken += 1
          const change = after.changes.find(each => each.address === address)
          for (const { field } of fields) expect(Object.keys(change?.after ?? {})).not.toContain(field)
        }
        const text = await workspace.read('flags.yaml')
        const second = await workspace.vexil('pull')
        expect(second.stdout).toBe('no live edits to write into the files\n')
        expect(await workspace.read('flags.yaml')).toBe(text)
        again += 1
      }),
      { numRuns: rounds(20) },
    )
    expect(taken).toBeGreaterThan(0)
    expect(again).toBeGreaterThan(0)
  })
})
