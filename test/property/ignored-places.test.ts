import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import type { JsonObject } from '../../src/model/text/json.ts'
import { commitAll, gitEnv } from '../git/repository.ts'
import { aFlag, declare, declaredFlag, planned } from '../support/builders.ts'
import { rounds } from '../support/rounds.ts'
import { startService } from '../support/service.ts'
import { aWorkspace } from '../support/workspace.ts'

interface LiveCondition {
  readonly properties: readonly { readonly value: string }[]
  readonly rollout_percentage: number
}

/** A condition as people know it: by its id, which no service has. */
interface Known {
  readonly id: string
  readonly asked: Readonly<Record<string, string>>
  readonly variant: string | null
  readonly share: number
}

interface Variant {
  readonly key: string
  readonly weight: number
}

const share = fc.integer({ min: 0, max: 100 })
const condition = fc.record({
  asked: fc.dictionary(fc.constantFrom('plan', 'team'), fc.constantFrom('a', 'b', 'c'), { maxKeys: 2 }),
  variant: fc.constantFrom(null, null, null, 'on', 'off'),
  share,
})
/** What a side does to a condition: it may be gone, have another share, or ask for something else and be another one. */
const fate = fc.record({
  isGone: fc.constantFrom(false, false, true),
  share: fc.option(share),
  other: fc.option(condition, { freq: 1 }),
  at: fc.integer({ min: 0, max: 3 }),
})
const side = fc.record({
  fates: fc.array(fate, { minLength: 4, maxLength: 4 }),
  added: fc.array(condition, { maxLength: 1 }),
  isSorted: fc.boolean(),
  weights: fc.constantFrom([50, 50, 0], [20, 30, 50], [0, 0, 100], [100, 0, 0]),
  keys: fc.constantFrom(['on', 'off', 'new'], ['new', 'off', 'on'], ['off', 'on', 'new']),
})
const left = fc.constantFrom('nothing', 'nothing', 'share', 'share', 'value')
const world = fc.record({
  before: fc.array(condition, { minLength: 1, maxLength: 4 }),
  ours: side,
  theirs: side,
  /** What of each condition, and of each variant, is left to the service. */
  ignored: fc.array(left, { minLength: 5, maxLength: 5 }),
  ignoredVariants: fc.oneof(
    { weight: 2, arbitrary: fc.constant<string[]>([]) },
    { weight: 1, arbitrary: fc.subarray(['on', 'off', 'new'], { maxLength: 2 }) },
  ),
  isWholeVariant: fc.boolean(),
  by: fc.constantFrom('name', 'position', 'engine'),
})
type Side = typeof side extends fc.Arbitrary<infer Value> ? Value : never

const ids = ['one', 'two', 'three', 'four'] as const

function conditionsOf(before: readonly Omit<Known, 'id'>[], made: Side, who: string): Known[] {
  const kept = before.flatMap((known, index) => {
    const { isGone, share: changed, other } = made.fates[index] ?? {}
    if (isGone && index > 0) return []
    const id = ids[index] ?? ''
    if (other) return [{ ...other, id: `${id} of ${who}` }]
    return [{ ...known, id, share: changed ?? known.share }]
  })
  const all = [...kept, ...made.added.map(each => ({ ...each, id: `new one of ${who}` }))]
  const place = ({ id }: Known) => made.fates[ids.indexOf(id as 'one')]?.at ?? 1
  return made.isSorted ? all : all.toSorted((one, other) => place(one) - place(other))
}

function variantsOf({ keys, weights }: Side): Variant[] {
  return keys.map((key, index) => ({ key, weight: weights[index] ?? 0 }))
}

function filtersOf(conditions: readonly Known[], variants: readonly Variant[]): JsonObject {
  return {
    groups: conditions.map(({ asked, variant, share: rollout_percentage }) => ({
      properties: Object.entries(asked).map(([key, value]) => ({
        key,
        type: 'person',
        value,
        operator: 'exact',
      })),
      rollout_percentage,
      ...(variant === null ? {} : { variant }),
    })),
    multivariate: { variants: variants.map(({ key, weight }) => ({ key, rollout_percentage: weight })) },
  }
}

const sameText = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
const sorted = (asked: Known['asked']) =>
  Object.entries(asked).sort(([one], [other]) => (one < other ? -1 : 1))

/** What may be sent for an ignored member of a condition: of one that is live under no id, what is live of one like it. */
function allowed<Value>(
  ours: Known,
  declared: readonly Known[],
  theirs: readonly Known[],
  member: (known: Known) => Value,
  isLike: (known: Known) => boolean,
): Value[] {
  const same = theirs.filter(({ id }) => id === ours.id)
  if (same.length > 0) return same.map(member)
  const like = theirs.filter(each => isLike(each) && !declared.some(({ id }) => id === each.id))
  return like.length > 0 ? like.map(member) : [member(ours)]
}

describe('places that are left to the service', () => {
  it('have the live value of the same condition, variant or property, and all else is as declared', () => {
    const seen = { sent: 0, kept: 0, ignored_place: 0, invalid: 0 }
    fc.assert(
      fc.property(world, ({ before, ours, theirs, ignored, ignoredVariants, isWholeVariant, by }) => {
        const [declared, live] = [
          conditionsOf(before, ours, 'git'),
          conditionsOf(before, theirs, 'the product'),
        ]
        const [variants, liveVariants] = [variantsOf(ours), variantsOf(theirs)]
        // A value that is left to the product is changed there, and the condition stays the same one.
        const leftOf = ({ id, asked }: Known) => {
          const what = ignored[ids.indexOf(id as 'one')] ?? ignored[4]
          return what === 'value' && Object.keys(asked).length === 0 ? 'nothing' : what
        }
        const first = ({ asked }: Known) => Object.keys(asked)[0] ?? ''
        const edited = live.map((known, index) =>
          leftOf(known) === 'value' && (theirs.fates[index]?.at ?? 0) > 1
            ? { ...known, asked: { ...known.asked, [first(known)]: 'x' } }
            : known,
        )
        const ignore = [
          ...declared.flatMap((known, index) => {
            const what = leftOf(known)
            if (what === 'nothing') return []
            return [
              `/filters/groups/${index}/${what === 'share' ? 'rollout_percentage' : 'properties/0/value'}`,
            ]
          }),
          ...ignoredVariants.map(key => {
            const index = variants.findIndex(variant => variant.key === key)
            return `/filters/multivariate/variants/${index}${isWholeVariant ? '' : '/rollout_percentage'}`
          }),
        ]
        const positions = by === 'name' ? {} : { positions: by === 'engine' ? ('engine' as const) : ignore }
        const flag = declaredFlag(
          'checkout',
          { filters: filtersOf(declared, variants) },
          { ignore, ...positions },
        )
        const made = planned(declare([flag]), [aFlag({ filters: filtersOf(edited, liveVariants) })])
        const [blocked] = made.blocked
        if (blocked) {
          expect(blocked.remedy).not.toBe('')
          seen[blocked.rule as 'invalid'] += 1
          return
        }
        const sent = made.changes[0]?.after.filters as JsonObject | undefined
        if (!sent) return
        seen.sent += 1
        const groups = sent.groups as readonly JsonObject[]
        const wanted = declared.map((known, index): Known => {
          const what = leftOf(known)
          if (what === 'nothing') return known
          const has = groups[index] as { rollout_percentage: number; properties: { value: string }[] }
          const engine = edited[index]
          const open = (other: Known) =>
            what === 'value' && first(known) in other.asked
              ? { ...other.asked, [first(known)]: '' }
              : other.asked
          const asksTheSame = (other: Known) => sameText(sorted(open(other)), sorted(open(known)))
          const isNew = ({ id }: Known) => !edited.some(other => other.id === id)
          const isOnly = declared.filter(other => isNew(other) && asksTheSame(other)).length === 1
          const isLike = (other: Known) => asksTheSame(other) && (isOnly || other.variant === known.variant)
          if (what === 'share') {
            expect(allowed(known, declared, edited, one => one.share, isLike)).toContain(
              has.rollout_percentage,
            )
            if (by === 'engine') expect(has.rollout_percentage).toBe((engine ?? known).share)
            if (has.rollout_percentage !== known.share) seen.kept += 1
            return { ...known, share: has.rollout_percentage }
          }
          const value = has.properties[0]?.value ?? ''
          const valueIn = (other: Known) => other.asked[first(known)] ?? ''
          expect(allowed(known, declared, edited, valueIn, isLike)).toContain(value)
          const there = engine && Object.values(engine.asked)[0]
          if (by === 'engine') expect(value).toBe(there ?? valueIn(known))
          return { ...known, asked: { ...known.asked, [first(known)]: value } }
        })
        const weights = variants.map(variant => {
          const isLeft = ignoredVariants.includes(variant.key)
          return isLeft ? (liveVariants.find(({ key }) => key === variant.key) ?? variant) : variant
        })
        expect(sent).toMatchObject(filtersOf(wanted, weights))
        expect(groups.length).toBe(declared.length)
        expect(weights.reduce((sum, { weight }) => sum + weight, 0)).toBe(100)
      }),
      { numRuns: rounds() },
    )
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0)
  })
  it('keep their live value from run to run, whatever is moved, clicked, held or merged', async () => {
    const names = ['pro', 'staff', 'beta', 'rest'] as const
    const shares = fc
      .shuffledSubarray([...names], { minLength: 1 })
      .chain(chosen =>
        fc.tuple(...chosen.map(name => fc.tuple(fc.constant(name), fc.constantFrom(5, 10, 30, 60)))),
      )
    const step = fc.record({
      declared: shares,
      ignored: fc.subarray([...names]),
      clicked: fc.option(shares),
      treatment: fc.constantFrom('hold', 'revert'),
    })
    let kept = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 4 }), async steps => {
        const service = await startService()
        const files = { 'vexil.yaml': 'version: 1\n', '.gitignore': '.vexil/\n' }
        const env = { ...service.env, ...gitEnv }
        const { path, vexil, write, edit, flag, remove } = await aWorkspace(service, files, { env })
        const live = async () => {
          const { groups } = (await flag('move')).filters as { groups: LiveCondition[] }
          return new Map(groups.map(each => [each.properties[0]?.value, each.rollout_percentage]))
        }
        for (const [turn, { declared, ignored, clicked, treatment }] of steps.entries()) {
          const before = await live().catch(() => new Map())
          const release = Object.fromEntries(
            declared.map(([name, share]) => [
              name,
              { properties: { plan: name }, rollout_percentage: share },
            ]),
          )
          const left = ignored.filter(name => name in release)
          const ignore = left.map(name => `release.${name}.rollout_percentage`)
          const said = { name: `${turn}`, active: true, live_edits: treatment, ignore, release }
          await write({ 'flags.yaml': stringify({ feature_flags: { move: said } }) })
          await commitAll(path)
          const { code, stdout, stderr } = await vexil('apply --auto-approve')
          expect([0, 3], stdout + stderr).toContain(code)
          const after = await live()
          for (const [name, share] of after) {
            const [, written] = declared.find(([each]) => each === name) ?? []
            const isLeft = left.includes(name as 'pro') && before.has(name)
            expect(isLeft ? [before.get(name)] : [before.get(name), written], name).toContain(share)
            if (isLeft && share !== written) kept += 1
          }
          if (!clicked) continue
          const groups = clicked.map(([value, share]) => ({
            properties: [{ key: 'plan', type: 'person', value, operator: 'exact' }],
            rollout_percentage: share,
          }))
          await edit('move', { filters: { groups } })
        }
        await service.close()
        await remove()
      }),
      { numRuns: rounds(100) },
    )
    expect(kept).toBeGreaterThan(0)
  })
})
