import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../src/model/text/json.ts'
import { type EvaluatedFlag, evaluateFlag, KnownFlags, type Subject } from '../../../src/targeting/index.ts'
import { rounds } from '../../support/rounds.ts'
import { testRuntime } from '../../support/test-runtime.ts'
import { type Door, flags, openDoor, project, worldWith } from '../door.ts'
import { groupTypes, people, type SomeProject, someProject } from './some-project.ts'

/** What one route tells: the value and, where it is open, why. */
interface Told {
  readonly value: Json
  readonly undecided?: string
}

type Values = Readonly<Record<string, Told>>

const groups = { company: 'acme', team: 'a' }

function openWith(file: SomeProject, distinctId: string): Promise<Door> {
  const seed = worldWith(file as never)
  return openDoor({ seed: { ...seed, users: [{ email: 'a@example.com', distinct_id: distinctId }] } })
}

const inGroups = `groups=${encodeURIComponent(JSON.stringify(groups))}`

async function reasonsOf(door: Door, distinctId: string): Promise<Values> {
  const { body } = await door.get(`${flags}/evaluation_reasons?distinct_id=${distinctId}&${inGroups}`)
  return mapValues(body, ({ value, evaluation: { undecided } }) => told(value, undecided))
}

async function myFlagsOf(door: Door): Promise<Values> {
  const { body } = await door.get(`${flags}/my_flags?${inGroups}`)
  return Object.fromEntries(
    // biome-ignore lint/suspicious/noExplicitAny: what was answered
    body.map(({ feature_flag, value, undecided }: any) => [feature_flag.key, told(value, undecided)]),
  )
}

async function remoteOf(door: Door, distinctId: string): Promise<Values> {
  const { body } = await door.post('/flags/?v=2', {
    token: door.sandbox.summary.project_token,
    distinct_id: distinctId,
    groups,
  })
  return mapValues(body.flags, ({ enabled, variant, failed, reason }) =>
    told(variant ?? enabled, failed ? reason.description : undefined),
  )
}

function testedOf(door: Door, keys: readonly string[], distinctId: string): Values {
  return Object.fromEntries(
    keys.map(key => {
      const { value, undecided } = door.sandbox.evaluate(key, { distinctId, groups })!
      return [key, told(value, undecided)]
    }),
  )
}

/** The evaluator on what `/flags/definitions` carries, with all that the project knows of somebody. */
async function localOf(door: Door, file: SomeProject, distinctId: string): Promise<Values> {
  const { body } = await door.get('/flags/definitions?send_cohorts')
  const all: EvaluatedFlag[] = body.flags
  const subject: Subject = {
    distinctId,
    groups,
    properties: file.persons?.find(({ distinct_ids }) => distinct_ids.includes(distinctId))?.properties ?? {},
    groupProperties: Object.fromEntries(
      groupTypes.map(type => [type, file.groups?.find(group => group.type === type)?.properties ?? {}]),
    ),
  }
  const context = {
    now: testRuntime().now(),
    groupTypes: body.group_type_mapping,
    cohorts: body.cohorts,
    flags: new KnownFlags(all),
    isComplete: true,
  }
  return Object.fromEntries(
    all.map(flag => {
      const { value, undecided } = evaluateFlag(flag, subject, context)
      return [flag.key, told(value, undecided)]
    }),
  )
}

function told(value: Json, undecided: string | undefined): Told {
  return { value, ...(undecided === undefined ? {} : { undecided }) }
}

// biome-ignore lint/suspicious/noExplicitAny: what was answered
function mapValues(body: Record<string, any>, tell: (value: any) => Told): Values {
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, tell(value)]))
}

/** Inactive flags are not told of where a person's flags are asked for. */
function activeOnly({ feature_flags = [] }: SomeProject, values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([key]) => feature_flags.some(flag => flag.key === key && flag.active)),
  )
}

/** What is told of flags that name the cohort which local evaluation does not carry is left out. */
function withoutStatic(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([, { undecided }]) => undecided?.includes('the cohort "3"') !== true),
  )
}

describe('what somebody gets of a flag', () => {
  it('is the same on every route, or open for the same reason', async () => {
    const times = rounds()
    let [values, open] = [0, 0]
    await fc.assert(
      fc.asyncProperty(someProject, fc.constantFrom(...people), async (file, person) => {
        const door = await openWith(file, person)
        const reasons = await reasonsOf(door, person)
        const keys = Object.keys(reasons)
        expect(await myFlagsOf(door)).toEqual(reasons)
        expect(testedOf(door, keys, person)).toEqual(reasons)
        expect(await remoteOf(door, person)).toEqual(activeOnly(file, reasons))
        const local = withoutStatic(await localOf(door, file, person))
        for (const [key, value] of Object.entries(local))
          expect({ key, ...value }).toEqual({ key, ...reasons[key] })
        for (const { value, undecided } of Object.values(reasons)) {
          expect(['boolean', 'string']).toContain(typeof value)
          values++
          if (undecided !== undefined) open++
        }
        await door.sandbox.close()
      }),
      { numRuns: times },
    )
    // Were nothing open, or everything, the law would say little.
    expect(values).toBeGreaterThan(2 * times)
    expect(open).toBeGreaterThan(times / 8)
    expect(open).toBeLessThan(values / 2)
  })

  it('is what an estimate counts, condition by condition', async () => {
    const times = rounds(10)
    let conditions = 0
    await fc.assert(
      fc.asyncProperty(someProject, async file => {
        const alone = conditionsIn(file)
        conditions += alone.length
        const feature_flags = alone.map((condition, index) => ({
          key: `only_${index}`,
          filters: {
            groups: [{ ...condition.group, rollout_percentage: 100, variant: null }],
            aggregation_group_type_index: condition.type,
          },
        }))
        const door = await openWith(
          { ...file, feature_flags: [...(file.feature_flags ?? []), ...feature_flags] },
          'ann',
        )
        for (const [index, { group, type }] of alone.entries()) {
          const { body } = await door.post(`${flags}/user_blast_radius`, {
            condition: group,
            group_type_index: type,
          })
          expect(body).toEqual(await countOf(door, `only_${index}`, type))
        }
        await door.sandbox.close()
      }),
      { numRuns: times },
    )
    expect(conditions).toBeGreaterThan(2 * times)
  })
})

interface Alone {
  readonly group: JsonObject
  readonly type: number | null
}

function conditionsIn(file: SomeProject): readonly Alone[] {
  return (file.feature_flags ?? []).flatMap(({ filters }) => {
    if (!isJsonObject(filters) || !isJsonArray(filters.groups)) return []
    const { aggregation_group_type_index: type } = filters
    return filters.groups
      .filter(isJsonObject)
      .map(group => ({ group, type: typeof type === 'number' ? type : null }))
  })
}

/** Asks for everybody, or for every group of a type, and counts. */
async function countOf(door: Door, key: string, type: number | null): Promise<JsonObject> {
  const of = type === null ? undefined : groupTypes[type]
  const asked =
    type === null
      ? people.filter(person => person !== 'nobody').map(person => `distinct_id=${person}`)
      : of === undefined
        ? []
        : [`distinct_id=x&groups=${encodeURIComponent(JSON.stringify({ [of]: groups[of] }))}`]
  const answers: Told[] = []
  for (const query of asked) {
    const { body } = await door.get(`${flags}/evaluation_reasons?${query}`)
    answers.push(told(body[key].value, body[key].evaluation.undecided))
  }
  const open = answers.flatMap(({ undecided }) => undecided ?? [])
  return {
    users_affected: answers.filter(({ value, undecided }) => value === true && undecided === undefined)
      .length,
    total_users: answers.length,
    ...(open[0] === undefined ? {} : { users_undecided: open.length, undecided: open[0] }),
  }
}

describe('local evaluation', () => {
  it('carries the cohorts that say what members have in common, when it is asked to', async () => {
    const door = await openDoor({
      seed: worldWith({
        cohorts: [
          { id: 4, name: 'Germans', properties: { type: 'AND', values: [{ key: 'country', value: 'DE' }] } },
          { id: 5, name: 'Some', persons: ['ann'] },
        ],
        persons: [{ distinct_ids: ['ann'] }],
      }),
    })
    const asked = await door.get(`${project}/feature_flags/local_evaluation?send_cohorts`)
    expect(asked.body).toEqual({
      flags: [],
      group_type_mapping: { 0: 'organization' },
      cohorts: { 4: { type: 'AND', values: [{ key: 'country', value: 'DE' }] } },
    })
    expect((await door.get(`${project}/feature_flags/local_evaluation`)).body.cohorts).toEqual({})
  })
})
