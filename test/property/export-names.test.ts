import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Json, JsonObject } from '../../src/model/text/json.ts'
import { writeJson } from '../../src/model/text/json-text.ts'
import { parseWorld } from '../../src/sandbox/index.ts'
import { cli, folderWith } from '../support/cli.ts'
import { worldOf, worldOrganization } from '../support/live-worlds.ts'
import { rounds } from '../support/rounds.ts'
import { startService } from '../support/service.ts'

const closing: (() => Promise<void>)[] = []
async function closeAll(): Promise<void> {
  for (const close of closing.splice(0)) await close()
}
afterEach(closeAll)

const places = ['staging', 'production'] as const

/** Few numbers, so that several names are for one of them, and some for none. */
const cohorts = fc.dictionary(
  fc.constantFrom('beta', 'vip', 'staff team', '7', 'in'),
  fc.integer({ min: 1, max: 4 }),
)
const groupTypes = fc.dictionary(fc.constantFrom('company', 'project', '1'), fc.integer({ min: 0, max: 2 }))
const names = fc.record({ cohorts, group_types: groupTypes })
const settings = fc.record({ shared: names, staging: names, production: names })

const property = fc.oneof(
  fc.record({
    key: fc.constant('id'),
    type: fc.constant('cohort'),
    operator: fc.constantFrom('in', 'not_in'),
    value: fc.oneof(fc.integer({ min: -3, max: 4 }), fc.constant('2')),
  }),
  fc.record(
    {
      key: fc.constantFrom('country', 'cohort'),
      type: fc.constant('group'),
      group_type_index: fc.integer({ min: 0, max: 2 }),
      operator: fc.constantFrom('exact', 'is_not', 'in'),
      value: fc.constantFrom<Json>('DE', 1),
    },
    { requiredKeys: ['key', 'type', 'value', 'operator'] },
  ),
  fc.record({
    key: fc.constantFrom('country', 'cohort'),
    type: fc.constant('person'),
    operator: fc.constantFrom('exact', 'is_not'),
    value: fc.constantFrom<Json>('DE', 1),
  }),
)
const groupType = fc.constantFrom<Json>(null, null, 0, 1, 2)
const condition = fc.record({
  properties: fc.array(property, { maxLength: 3 }),
  rollout_percentage: fc.constantFrom(5, 100),
  aggregation_group_type_index: groupType,
})
const filters = fc.record({
  groups: fc.array(condition, { minLength: 1, maxLength: 3 }),
  aggregation_group_type_index: groupType,
})
const flags = fc.uniqueArray(fc.record({ key: fc.constantFrom('a', 'b', 'c'), filters }), {
  selector: ({ key }) => key,
  minLength: 1,
})

/** Names for all types of groups and most cohorts, in any order. */
const numbering = fc
  .tuple(fc.shuffledSubarray([1, 2, 3], { minLength: 3 }), fc.shuffledSubarray([0, 1, 2], { minLength: 3 }))
  .map(([[beta = 0, vip = 0, team = 0], [company = 0, project = 0, shop = 0]]) => ({
    cohorts: { beta, vip, 'staff team': team },
    group_types: { company, project, shop },
  }))

type Names = Readonly<Record<'cohorts' | 'group_types', Readonly<Record<string, number>>>>

/** The same with the numbers that the names have elsewhere. */
function translated(value: Json, from: Names, to: Names): Json {
  const number = (thing: keyof Names, known: Json) => {
    const name = Object.keys(from[thing]).find(one => from[thing][one] === known)
    return name === undefined ? known : (to[thing][name] ?? known)
  }
  const walk = (one: Json): Json => {
    if (Array.isArray(one)) return one.map(walk)
    if (typeof one !== 'object' || one === null) return one
    const ofCohort = (one as JsonObject).type === 'cohort'
    return Object.fromEntries(
      Object.entries(one).map(([name, member]) => {
        if (name.endsWith('group_type_index')) return [name, number('group_types', member)]
        return [name, ofCohort && name === 'value' ? number('cohorts', member) : walk(member)]
      }),
    )
  }
  return walk(value)
}

async function open(
  world: ReturnType<typeof worldOf>,
  named: Readonly<Partial<Record<'shared' | (typeof places)[number], Names>>>,
) {
  const service = await startService({ seed: parseWorld(writeJson(world)) })
  closing.push(service.close)
  const environments = places.map((name, index) => [
    name,
    { base_url: service.url, project: String(index + 1), organization: worldOrganization, ...named[name] },
  ])
  // JSON is YAML, too.
  const text = JSON.stringify({ version: 1, ...named.shared, environments: Object.fromEntries(environments) })
  const folder = await folderWith({ 'vexil.yaml': text })
  closing.push(folder.remove)
  const env = { VEXIL_API_KEY: service.env.VEXIL_API_KEY }
  return (line: string) => cli(line, { directory: folder.path, env })
}

describe('an export with the names of cohorts and types of groups', () => {
  it('plans nothing, of one environment or of both', async () => {
    let named = 0
    const wheres = fc.constantFrom('-e production', '-e staging', '-e staging -e production')
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(settings, flags, flags, fc.boolean(), wheres),
        async ([given, one, other, isSame, where]) => {
          const inPlace = (place: (typeof places)[number]): Names => ({
            cohorts: { ...given.shared.cohorts, ...given[place].cohorts },
            group_types: { ...given.shared.group_types, ...given[place].group_types },
          })
          const later = isSame
            ? (translated(one, inPlace('staging'), inPlace('production')) as unknown as typeof one)
            : other
          const project = (feature_flags: typeof one) => ({ feature_flags })
          const vexil = await open(worldOf([], project(one), project(later)), given)
          const { code, stderr, stdout } = await vexil(`export ${where}`)
          expect({ code, stderr }).toMatchObject({ code: 0 })
          if (/\b(?:group_type|in|not_in|value): "?(?:beta|vip|staff|company|project)/.test(stdout)) {
            named += 1
          }
          expect(await vexil(`export -d flags ${where}`)).toMatchObject({ code: 0 })
          const checked = await vexil('validate')
          expect(checked, checked.stderr).toMatchObject({ code: 0 })
          for (const [, environment] of where.matchAll(/-e (\w+)/g)) {
            const planned = await vexil(`plan --json -e ${environment}`)
            expect(planned, planned.stderr).toMatchObject({ code: 0 })
            expect(JSON.parse(planned.stdout), stdout).toMatchObject({ changes: [], blocked: [] })
          }
          const raw = await vexil(`export --raw ${where}`)
          expect(raw.stdout).not.toMatch(/beta|vip|staff|company|project/)
          await closeAll()
        },
      ),
      { numRuns: rounds(20) },
    )
    expect(named).toBeGreaterThan(0)
  })

  it('writes what only differs in the numbers of names once', async () => {
    await fc.assert(
      fc.asyncProperty(numbering, numbering, flags, async (staging, production, live) => {
        const later = translated(live, staging, production) as unknown as typeof live
        const world = worldOf([], { feature_flags: live }, { feature_flags: later })
        const vexil = await open(world, { staging, production })
        const { code, stdout } = await vexil('export -e staging -e production')
        expect(code).toBe(0)
        expect(stdout).not.toContain('group_type_index')
        const { feature_flags } = parse(stdout)
        expect(Object.keys(feature_flags).sort()).toEqual(live.map(({ key }) => key).sort())
        for (const flag of Object.values<JsonObject>(feature_flags)) {
          expect(flag).not.toHaveProperty('environments')
          expect(flag).not.toHaveProperty('only')
        }
        await closeAll()
      }),
      { numRuns: rounds(20) },
    )
  })
})
