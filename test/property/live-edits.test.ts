import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import type { JsonObject } from '../../src/model/text/json.ts'
import { cli, folderWith, writeFiles } from '../support/cli.ts'
import { rounds } from '../support/rounds.ts'
import { type Service, startService } from '../support/service.ts'

/** Few keys and values, so that what is declared and what is clicked meet. */
const key = fc.constantFrom('alpha', 'beta')
const filters = fc
  .array(fc.constantFrom(0, 10, 50, 100), { minLength: 1, maxLength: 2 })
  .map(shares => ({ groups: shares.map(rollout_percentage => ({ properties: [], rollout_percentage })) }))
const values = {
  name: fc.constantFrom('one', 'two'),
  active: fc.boolean(),
  filters,
  tags: fc.subarray(['a', 'b', 'c']),
}
const written = fc.record(values, { requiredKeys: ['active', 'filters'] })
const clicked = fc.record(values, { requiredKeys: [] })
const policy = fc.constantFrom({}, {}, { allow: ['live_edit'] })
const declaration = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(written, policy).map(([declared, said]) => ({ ...declared, ...said })) },
  { weight: 1, arbitrary: fc.constant({ ensure: 'absent' as const }) },
)
const step = fc.record({
  declared: fc.option(fc.dictionary(key, declaration, { minKeys: 1, maxKeys: 2 })),
  clicks: fc.array(
    fc.record({
      key,
      change: fc.oneof(
        { weight: 4, arbitrary: clicked as fc.Arbitrary<object> },
        fc.record({ deleted: fc.boolean() }),
      ),
    }),
    {
      minLength: 1,
      maxLength: 2,
    },
  ),
})

let service: Service
let folder: Awaited<ReturnType<typeof folderWith>>

beforeEach(async () => {
  service = await startService({ quirks: { tag_order: 'sorted' } })
  folder = await folderWith({ 'vexil.yaml': 'version: 1\n', 'flags.yaml': 'feature_flags: {}\n' })
})

afterEach(async () => {
  await service.close()
  await folder.remove()
})

const vexil = (line: string) => cli(line, { directory: folder.path, env: service.env })
const flags = '/api/projects/1/feature_flags'

type LiveFlag = JsonObject & { readonly key: string; readonly id: number }

interface ShownPlan {
  readonly changes: readonly { readonly address: string; readonly after: JsonObject }[]
  readonly live_edits: readonly {
    readonly address: string
    readonly fields: readonly { readonly field: string; readonly treatment: string }[]
  }[]
}

async function planned(): Promise<ShownPlan> {
  const { code, stdout, stderr } = await vexil('plan --json')
  const shown = JSON.parse(stdout) as ShownPlan
  expect(code, stderr).toBe(leftOut(shown, ['conflict']).length > 0 ? 3 : 0)
  return shown
}

function leftOut({ live_edits }: ShownPlan, treatments = ['held', 'conflict', 'behind']): string[] {
  return live_edits.flatMap(({ address, fields: edited }) =>
    edited.flatMap(({ field, treatment }) => (treatments.includes(treatment) ? [`${address} ${field}`] : [])),
  )
}

async function liveFlags(): Promise<ReadonlyMap<string, LiveFlag>> {
  const { results } = (await service.get(`${flags}/?limit=100`)) as { results: readonly LiveFlag[] }
  return new Map(results.map(flag => [`feature_flag.${flag.key}`, flag]))
}

/** What somebody does in the product: nothing where there is no such flag. Services of today refuse some of it. */
async function click(known: Map<string, number>, wanted: string, change: object): Promise<void> {
  for (const flag of (await liveFlags()).values()) known.set(flag.key, flag.id)
  const id = known.get(wanted)
  if (id !== undefined) await service.send('PATCH', `${flags}/${id}/`, change).catch(() => {})
}

describe('laws of live edits', () => {
  it('a plan after an apply is empty but for what is held, and what is held stays as it is', async () => {
    let edited = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 4 }), async steps => {
        const known = new Map<string, number>()
        for (const { declared, clicks } of steps) {
          if (declared)
            await writeFiles(folder.path, { 'flags.yaml': stringify({ feature_flags: declared }) })
          for (const { key: wanted, change } of clicks) await click(known, wanted, change)
          const plan = await planned()
          edited += leftOut(plan).length
          const before = await liveFlags()
          const applied = await vexil('apply --auto-approve')
          expect([0, 3], applied.stdout + applied.stderr).toContain(applied.code)
          const after = await liveFlags()
          // What is held was not touched.
          for (const held of leftOut(plan)) {
            const [address = '', field = ''] = held.split(' ')
            const value = (live: ReadonlyMap<string, LiveFlag>) =>
              field === 'exists' ? live.has(address) : live.get(address)?.[field]
            expect([held, value(after)]).toEqual([held, value(before)])
          }
          const again = await planned()
          expect(again.changes).toEqual([])
          // What was merged is held from now on: it is not as declared.
          const stays = [...leftOut(plan), ...leftOut(plan, ['merged'])]
          expect(leftOut(again).filter(one => !stays.includes(one))).toEqual([])
          expect(leftOut(plan).filter(one => !leftOut(again).includes(one))).toEqual([])
        }
      }),
      { numRuns: rounds(50) },
    )
    expect(edited).toBeGreaterThan(0)
  })
})
