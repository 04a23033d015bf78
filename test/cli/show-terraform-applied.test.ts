import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { Value } from '../../src/hcl/values/value.ts'
import { isSameJson, type JsonObject } from '../../src/model/text/json.ts'
import { rounds } from '../support/rounds.ts'
import { type Service, startService } from '../support/service.ts'
import { change, type Parts, shownPlan } from '../support/terraform-plan.ts'
import { useWorkspace } from '../support/workspace.ts'
import { type Kept, playTerraform } from '../terraform/resources/play.ts'

const workspace = useWorkspace({})
let service: Service

afterEach(() => service.close())

/** A flag as it is configured, and the default tags of the provider. */
interface Wanted {
  readonly key: 'one' | 'two'
  readonly name: string
  readonly active: boolean
  readonly tags: readonly string[] | null
  readonly who: Readonly<Record<string, Value>>
  readonly defaultTags: readonly string[]
}

const tags = fc.subarray(['a', 'b'])

/** Who gets it, in each of the ways to say it. */
const who = fc.constantFrom<Readonly<Record<string, Value>>[]>(
  { rollout_percentage: 10 },
  { rollout_percentage: 10, payload: '{"a":1}' },
  { rollout_percentage: 100, payload: '{ "a": 1.0 }' },
  { release: [{ rollout_percentage: 10 }] },
  { release: [{ properties: [{ key: 'country', values: ['DE'] }] }, { rollout_percentage: 5 }] },
  {
    release: [{ rollout_percentage: 10, variant: 'b' }],
    variants: [
      { key: 'a', rollout_percentage: 50, payload: '1' },
      { key: 'b', rollout_percentage: 50 },
    ],
  },
  { filters: '{"groups":[{"rollout_percentage":10}]}' },
  { filters: '{"groups":[{"properties":[],"rollout_percentage":10.0}],"payloads":{"true":"{\\"a\\":1}"}}' },
  { filters: '{"groups":[]}' },
)
const wanted: fc.Arbitrary<Wanted> = fc.record({
  key: fc.constantFrom('one', 'two'),
  name: fc.constantFrom('A', 'B'),
  active: fc.boolean(),
  tags: fc.option(tags),
  who,
  defaultTags: fc.subarray(['team', 'shop']),
})

/** What somebody does in the product between the two. */
const edit = fc.constantFrom<JsonObject>(
  {},
  { deleted: true },
  { name: 'theirs' },
  { active: false },
  { tags: ['theirs'] },
  { filters: { groups: [{ properties: [], rollout_percentage: 70 }] } },
)

const flags = '/api/projects/1/feature_flags'
const looked = ['key', 'name', 'active', 'tags', 'filters', 'deleted']

describe('what is told of a plan of Terraform', () => {
  it('is what its apply changes in the service, field by field', async () => {
    const seen = new Set<string>()
    const first: Wanted = {
      ...{ key: 'one', name: 'A', active: true },
      ...{ tags: ['a'], who: { rollout_percentage: 10 }, defaultTags: [] },
    }
    const other: Wanted = {
      ...{ key: 'two', name: 'B', active: false },
      ...{ tags: ['b'], who: { rollout_percentage: 100 }, defaultTags: ['team'] },
    }
    const untagged: Wanted = { ...first, tags: null }
    const examples: [Wanted, JsonObject, Wanted][] = [
      [first, { deleted: true }, other],
      // What default tags have left goes with a restore as well.
      [{ ...untagged, defaultTags: ['team'] }, { deleted: true }, untagged],
    ]
    await fc.assert(
      fc.asyncProperty(wanted, edit, wanted, async (first, edited, second) => {
        await service?.close()
        service = await startService()
        const { kept, path } = await applied(first)
        await service.send('PATCH', path, edited)
        const before = await recordAt(path)
        const { told, apply } = await planned(second, kept)
        const now = await apply()
        const after = await recordAt(path)
        const changed = looked.filter(name => !isSameJson(valueIn(before, name), valueIn(after, name)))
        expect(told).toEqual(changed)
        expect((await planned(second, now)).told).toEqual([])
        for (const name of told) seen.add(name)
      }),
      { numRuns: rounds(20), examples },
    )
    expect([...seen].sort()).toEqual([...looked].sort())
  })
})

function playerOf({ defaultTags }: Wanted) {
  return playTerraform(service, { default_tags: [...defaultTags] })
}

function configOf({ defaultTags: _, tags, who, ...config }: Wanted): Readonly<Record<string, Value>> {
  return { ...config, ...who, tags: tags && [...tags] }
}

async function applied(first: Wanted): Promise<{ readonly kept: Kept; readonly path: string }> {
  const kept = await (await playerOf(first)).apply('feature_flag', configOf(first))
  return { kept, path: `${flags}/${String(kept.state.id)}/` }
}

/** The fields that `show --terraform-plan` tells of a plan, and how to apply it. */
async function planned(second: Wanted, kept: Kept) {
  const terraform = await playerOf(second)
  const read = await terraform.read('feature_flag', kept)
  if (!read) throw new Error('it is gone')
  const config = configOf(second)
  const plan = await terraform.plan('feature_flag', config, read)
  const isSame = plan.changes.length === 0
  const planJson = change('vexil_feature_flag.x', [isSame ? 'no-op' : 'update'], {
    before: read.state as Parts,
    after: plan.planned as Parts,
  })
  const { stdout } = await shownPlan(workspace(), [planJson], { options: '--json' })
  const changes = JSON.parse(stdout).changes as readonly { action: string; after: JsonObject }[]
  const told = changes.flatMap(({ action, after }) => [
    ...Object.keys(after),
    ...(action === 'restore' ? ['deleted'] : []),
  ])
  return {
    told: looked.filter(name => told.includes(name)),
    async apply(): Promise<Kept> {
      const done = isSame ? undefined : await terraform.carryOut('feature_flag', config, read, plan)
      return done?.kept ?? read
    },
  }
}

async function recordAt(path: string): Promise<JsonObject> {
  return (await service.get(path)) as JsonObject
}

/** Tags are a set. */
function valueIn(record: JsonObject, name: string) {
  const value = record[name] ?? null
  return Array.isArray(value) ? [...value].sort() : value
}
