import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { profiles } from '../../src/model/connection.ts'
import { isJsonObject, type Json, type JsonObject } from '../../src/model/text/json.ts'
import type { Quirks } from '../../src/sandbox/index.ts'
import { evaluateFlag } from '../../src/targeting/index.ts'
import { cli, folderWith, writeFiles } from '../support/cli.ts'
import { rounds } from '../support/rounds.ts'
import { type Service, startService } from '../support/service.ts'

const flagsPath = '/api/projects/1/feature_flags'

/** Keys are few, so that what is declared meets what is there. */
const key = fc.constantFrom('alpha', 'beta', 'gamma')
const property = fc.record({
  key: fc.constant('country'),
  value: fc.subarray(['DE', 'AT', 'CH'], { minLength: 1 }),
  operator: fc.constantFrom('exact', 'is_not'),
  type: fc.constant('person'),
})
const group = fc.record(
  {
    properties: fc.array(property, { maxLength: 1 }),
    rollout_percentage: fc.constantFrom(0, 30, 70, 100, null),
  },
  { requiredKeys: ['properties'] },
)
const payload = fc.constantFrom<Json>('"text"', '{"a": [1, 2]}', '3')
const filters = fc
  .record({
    groups: fc.array(group, { maxLength: 3 }),
    variants: fc.option(fc.constantFrom([100], [50, 50], [20, 30, 50])),
    payload: fc.option(payload),
  })
  .map(({ groups, variants, payload: text }): JsonObject => {
    const multivariate = {
      variants: (variants ?? []).map((rollout_percentage, index) => ({
        key: `v${index}`,
        rollout_percentage,
      })),
    }
    const payloads: JsonObject = text === null ? {} : { payloads: { [variants ? 'v0' : 'true']: text } }
    // What is left out of these is not there at all.
    return { groups: groups as Json, ...(variants ? { multivariate } : {}), ...payloads }
  })

const live = fc.uniqueArray(fc.record({ key, active: fc.boolean(), filters }), {
  selector: flag => flag.key,
  maxLength: 3,
})
const declared = fc.dictionary(
  key,
  fc.record(
    { name: fc.constantFrom('One', 'Two'), active: fc.boolean(), filters },
    { requiredKeys: ['active'] },
  ),
)

/** In each of these the services of one profile may be of several ages. */
const ages: fc.Arbitrary<Partial<Quirks>> = fc.record({
  filters_patch: fc.constantFrom('replaced', 'merged'),
  filters_without_groups: fc.constantFrom('lost', 'refused'),
  no_filters: fc.constantFrom('everybody', 'nobody'),
  filters: fc.constantFrom('verbatim', 'rewritten'),
})

const people = Array.from({ length: 8 }, (_, index) => ({
  distinctId: `person-${index}`,
  properties: { country: ['DE', 'AT', 'FR'][index % 3] ?? '' },
}))

interface Flag {
  readonly active: boolean
  readonly filters: JsonObject
}

/** What each person gets of each flag, as the service says it. */
async function given(service: Service): Promise<Record<string, Json>[]> {
  const token = service.sandbox.summary.project_token
  const answers = people.map(({ distinctId, properties }) =>
    service.send('POST', '/flags/?v=1', { token, distinct_id: distinctId, person_properties: properties }),
  )
  return (await Promise.all(answers)).map(answer => {
    const { featureFlags, featureFlagPayloads } = answer as Record<string, Record<string, Json>>
    const texts = Object.entries(featureFlagPayloads!).map(([name, text]) => [name, JSON.parse(String(text))])
    return { values: featureFlags!, payloads: Object.fromEntries(texts) }
  })
}

/** The same, worked out from what was declared. Flags that are off are not told of. */
function meant(flags: Readonly<Record<string, Flag>>): Record<string, Json>[] {
  return people.map(person => {
    const on = Object.entries(flags).filter(([, { active }]) => active)
    const found = on.map(([name, { active, filters: release }]) => {
      const evaluation = evaluateFlag({ key: name, active, filters: release }, person, {
        now: 0,
        isComplete: true,
      })
      return [name, evaluation] as const
    })
    const values = found.map(([name, { value }]) => [name, value])
    const payloads = found.flatMap(([name, { payload: value }]) =>
      value === undefined ? [] : [[name, value]],
    )
    return { values: Object.fromEntries(values), payloads: Object.fromEntries(payloads) }
  })
}

async function activityOf(service: Service): Promise<number> {
  const page = await service.get(`${flagsPath}/activity/`)
  return isJsonObject(page) ? Number(page.total_count) : 0
}

describe.each(profiles)('on the service %s, of whatever age', profile => {
  it('a live flag evaluates as it was declared, and every write has changed something', async () => {
    await fc.assert(
      fc.asyncProperty(live, declared, declared, ages, async (world, first, second, quirks) => {
        const project = { id: 1, name: 'Production', feature_flags: world }
        const organization = { id: '01900000-0000-0000-0000-000000000001', name: 'Ours', projects: [project] }
        const service = await startService({ profile, quirks, seed: { organizations: [organization] } })
        // A flag that is off and newly declared on would be held: nobody knows who has turned it off.
        const folder = await folderWith({ 'vexil.yaml': 'version: 1\nlive_edits: revert\n' })
        try {
          const flags: Record<string, Flag> = Object.fromEntries(world.map(flag => [flag.key, flag]))
          for (const declarations of [first, second]) {
            await writeFiles(folder.path, { 'flags.yaml': stringify({ feature_flags: declarations }) })
            const before = await activityOf(service)
            const { result, requests } = await service.watch(() =>
              cli(`apply --auto-approve --profile ${profile}`, { directory: folder.path, env: service.env }),
            )
            expect(result.code, result.stdout + result.stderr).toBe(0)
            for (const [name, { active, filters: release }] of Object.entries(declarations))
              flags[name] = { active, filters: release ?? flags[name]?.filters ?? {} }
            expect(await given(service)).toEqual(meant(flags))
            const writes = requests.filter(line => !line.startsWith('GET '))
            expect(await activityOf(service)).toBe(before + writes.length)
          }
        } finally {
          await service.close()
          await folder.remove()
        }
      }),
      { numRuns: rounds(20) },
    )
  })
})
