import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sentDigests } from '../../../src/core/diff.ts'
import { verdictOf } from '../../../src/core/live-edits/verdict.ts'
import { featureFlag } from '../../../src/kinds/feature-flag.ts'
import type { JsonObject } from '../../../src/model/text/json.ts'
import { typedAttributes } from '../../../src/targeting/typed-form.ts'
import { rounds } from '../../support/rounds.ts'
import { useService } from '../../support/service.ts'
import { type Config, type Kept, useTerraform } from './play.ts'

const service = useService()
const terraform = useTerraform(service)

const forms = ['filters', 'release', 'rollout_percentage'] as const

/** What a flag is like: few values, so that two of three are often the same. */
interface Flag {
  readonly active: boolean
  readonly name: string
  readonly share: number
  readonly tags: readonly string[]
  readonly isContinuous: boolean
}

const flag: fc.Arbitrary<Flag> = fc.record({
  active: fc.boolean(),
  name: fc.constantFrom('one', 'two', 'three'),
  share: fc.constantFrom(10, 20, 100),
  tags: fc.constantFrom([], ['a'], ['a', 'b']),
  isContinuous: fc.boolean(),
})
/** The ways in which it can be written, and the fields that are left out. */
const writing = fc.record({
  form: fc.constantFrom(...forms),
  without: fc.subarray(['name', 'tags', 'ensure_experience_continuity']),
})
type Writing = typeof writing extends fc.Arbitrary<infer Each> ? Each : never

function wire({ active, name, share, tags, isContinuous }: Flag) {
  const filters = { groups: [{ properties: [], rollout_percentage: share }] }
  return { active, name, filters, tags, ensure_experience_continuity: isContinuous } satisfies JsonObject
}

function configOf(flag: Flag, { form, without }: Writing): Config {
  const { filters, ...others } = wire(flag)
  const said = {
    filters: { filters: JSON.stringify(filters) },
    release: { release: [{ rollout_percentage: flag.share }] },
    rollout_percentage: { rollout_percentage: flag.share },
  }[form]
  return Object.fromEntries(
    Object.entries({ ...others, ...said }).filter(([name]) => !without.includes(name)),
  )
}

/** The fields whose live value the verdict calls edited, of those that are declared; without a base there is none. */
function edited(base: Flag, baseWriting: Writing, declared: Flag, declaredWriting: Writing, live: Flag) {
  const [was, says, is] = [base, declared, live].map(each => sentDigests(featureFlag, wire(each)))
  return Object.keys(wire(live)).filter(field => {
    if (declaredWriting.without.includes(field)) return false
    const verdict = verdictOf({
      base: baseWriting.without.includes(field) ? undefined : was?.[field],
      declared: says?.[field] ?? '',
      live: is?.[field] ?? '',
    })
    return verdict === 'live_changed' || verdict === 'conflict'
  })
}

describe('a plan', () => {
  it('warns exactly of what the verdict calls a live edit or a conflict', async () => {
    let count = 0
    const seen = new Set<number>()
    await fc.assert(
      fc.asyncProperty(flag, writing, flag, writing, flag, async (base, first, declared, second, live) => {
        count += 1
        const key = `flag-${count}`
        const kept = await terraform.apply('feature_flag', { key, ...configOf(base, first) })
        await service.send('PATCH', `/api/projects/1/feature_flags/${kept.state.id}`, wire(live))
        await terraform.begin()
        const read = (await terraform.read('feature_flag', kept)) as Kept
        const { warnings } = await terraform.plan(
          'feature_flag',
          { key, ...configOf(declared, second) },
          read,
        )
        const warned = warnings.flatMap(({ summary, attribute: [name] = [] }) =>
          summary.includes('was changed in the product') ? [fieldOf(String(name))] : [],
        )
        const expected = edited(base, first, declared, second, live)
        seen.add(expected.length)
        expect(warned.toSorted()).toEqual(expected.toSorted())
      }),
      { numRuns: rounds(5) },
    )
    expect(seen.size).toBeGreaterThan(2)
  })
})

function fieldOf(attribute: string): string {
  return typedAttributes.some(name => name === attribute) ? 'filters' : attribute
}
