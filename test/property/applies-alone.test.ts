import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { stringify } from 'yaml'
import type { JsonObject } from '../../src/model/text/json.ts'
import { folderOfTest } from '../support/folder.ts'
import { rounds } from '../support/rounds.ts'
import { startService, type Through } from '../support/service.ts'
import { aWorkspace, isWrite, organization, support, writeTwoEnvironments } from '../support/workspace.ts'

const growth = '01900000-0000-0000-0000-0000000000bb'
const seed = {
  organizations: [
    {
      id: organization,
      name: 'Example',
      roles: [
        { id: support, name: 'support' },
        { id: growth, name: 'growth' },
      ],
      projects: [1, 2].map(id => ({ id, name: `Project ${id}`, event_definitions: [{ name: 'paid' }] })),
    },
  ],
}

/** Few keys and values, so that what is declared meets what was. */
const percent = fc.constantFrom(0, 10, 50)
const fields = fc.record(
  {
    name: fc.constantFrom('one', 'two'),
    active: fc.boolean(),
    filters: percent.map(rollout_percentage => ({ groups: [{ rollout_percentage }] })),
    tags: fc.subarray(['a', 'b']),
    role_access: fc.subarray([support, growth]),
  },
  { requiredKeys: ['active', 'filters'] },
)
const flag = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fields, fc.option(fc.record({ active: fc.boolean() }), { nil: undefined }))
      .map(([own, staging]) => (staging ? { ...own, environments: { staging } } : own)),
  },
  { weight: 1, arbitrary: fc.constant({ ensure: 'absent' as const }) },
)
const declared = fc.record(
  {
    feature_flags: fc.dictionary(fc.constantFrom('alpha', 'beta'), flag, { minKeys: 1, maxKeys: 2 }),
    event_definitions: fc.subarray(['x', 'y']).map(tags => ({ paid: { tags } })),
  },
  { requiredKeys: ['feature_flags'] },
)

/** What goes wrong while an apply is under way, at the n-th of its writes. */
const trouble = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  fc.record({
    nth: fc.integer({ min: 1, max: 3 }),
    is: fc.constantFrom('refused', 'failed', 'failed_after', 'lost', 'killed', 'killed_after'),
    lasts: fc.boolean(),
  }),
)
const step = fc.record({
  declared: fc.option(declared, { nil: undefined }),
  environment: fc.constantFrom('staging', 'production'),
  target: fc.option(fc.constantFrom('alpha', 'beta'), { nil: undefined, freq: 3 }),
  trouble,
})
type Trouble = typeof trouble extends fc.Arbitrary<infer Value> ? Value : never

/** A service in front of which something goes wrong, and the folder of whoever is killed there. */
async function aTroubledPlace() {
  let now: Trouble
  let writes = 0
  let isDead = false
  let folder = ''
  const saved = await folderOfTest({})
  const state = () => join(folder, '.vexil')
  const through: Through = handle => async request => {
    if (isDead) return new Response('{}', { status: 403 })
    if (!now || !isWrite(`${request.method} `)) return handle(request)
    writes += 1
    if (writes < now.nth || (writes > now.nth && !now.lasts)) return handle(request)
    if (now.is === 'refused') return new Response('{}', { status: 403 })
    if (now.is === 'failed') return new Response('{}', { status: 500 })
    if (now.is !== 'killed') {
      const answer = await handle(request)
      if (now.is === 'failed_after') return new Response('{}', { status: 500 })
      if (now.is === 'lost') throw new Error('the connection is reset')
      await answer.text()
    }
    isDead = true
    await cp(state(), saved, { recursive: true })
    return new Response('{}', { status: 403 })
  }
  const service = await startService({ seed, quirks: { tag_order: 'sorted' } }, through)
  const workspace = await aWorkspace(service)
  onTestFinished(async () => {
    await service.close()
    await workspace.remove()
  })
  folder = workspace.path
  return {
    ...workspace,
    service,
    /** Runs a command in trouble. Whoever is killed leaves the records as they were at that moment, and no lock. */
    async troubled(trouble: Trouble, run: () => Promise<unknown>): Promise<void> {
      now = trouble
      writes = 0
      await run()
      now = undefined
      if (!isDead) return
      isDead = false
      await rm(state(), { recursive: true })
      await cp(saved, state(), { recursive: true })
      for (const name of await readdir(state()))
        if (name.includes('lock')) await rm(join(state(), name), { recursive: true })
      await rm(saved, { recursive: true })
    },
  }
}

interface ShownPlan {
  readonly changes: readonly JsonObject[]
  readonly live_edits: readonly unknown[]
}

describe('after applies alone', () => {
  it('nothing is ever a live edit, whatever was declared and whatever went wrong, and a last apply ends it', async () => {
    let [planned, troubled] = [0, 0]
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), async steps => {
        const place = await aTroubledPlace()
        const env = await writeTwoEnvironments(place)
        const vexil = (line: string) => place.vexil(line, { env })
        const plan = async (environment: string): Promise<ShownPlan> => {
          const { code, stdout, stderr } = await vexil(`plan --json --env ${environment}`)
          expect(code, stderr).toBe(0)
          planned += 1
          return JSON.parse(stdout)
        }
        const known = new Set<string>()
        for (const { declared, environment, target, trouble } of steps) {
          if (declared) {
            await place.write({ 'flags.yaml': stringify(declared) })
            known.clear()
            for (const key of Object.keys(declared.feature_flags)) known.add(key)
          }
          if (known.size === 0) continue
          const only = target !== undefined && known.has(target) ? ` --target ${target}` : ''
          await place.troubled(trouble, () => vexil(`apply --auto-approve --env ${environment}${only}`))
          if (trouble) troubled += 1
          for (const each of ['staging', 'production']) {
            const { live_edits } = await plan(each)
            expect(live_edits, `${environment}${only} ${trouble?.is}`).toEqual([])
          }
        }
        if (known.size === 0) return
        for (const each of ['staging', 'production']) {
          const { code, stdout, stderr } = await vexil(`apply --auto-approve --env ${each}`)
          expect(code, stdout + stderr).toBe(0)
          expect(await plan(each)).toMatchObject({ changes: [], live_edits: [] })
        }
      }),
      { numRuns: rounds(20) },
    )
    expect(planned).toBeGreaterThan(0)
    expect(troubled).toBeGreaterThan(0)
  })
})
