import { parse } from 'lossless-json'
import { describe, expect, it } from 'vitest'
import { numberAsWritten } from '../../../src/hcl/json.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../src/model/text/json.ts'
import { enginesOf } from '../../../src/services/engines.ts'
import { sdkVersions } from '../../../src/services/sdk-versions.ts'
import { type Sdk, sdks } from '../../../src/services/sdks.ts'
import { type EvaluatedFlag, evaluateFlag, KnownFlags } from '../../../src/targeting/index.ts'
import { answersOf, readRecorded } from '../../sdks/answers.ts'
import { readCases, type SdkCase } from '../../sdks/cases.ts'

const now = Date.UTC(2026, 10, 28, 2, 4, 52)
const cases = readCases(now, text => parse(text, undefined, numberAsWritten))
const recorded = readRecorded()

/** Patterns that look around or back can take time without end; only these dialects have them. */
const lookingAround = { dialects: ['java', 'python'], cases: ['c040', 'c041', 'c049'] }

/** Filters without conditions, which are sent with one for everybody. */
const neverSent = 'c211'

/** What the service delivers is complete: a condition on a flag without its chain cannot be told by anybody. */
function withChains(value: Json): Json {
  if (isJsonArray(value)) return value.map(withChains)
  if (!isJsonObject(value)) return value
  const members = Object.fromEntries(
    Object.entries<Json>(value).map(([name, each]) => [name, withChains(each)]),
  )
  return members.type === 'flag' ? { dependency_chain: null, ...members } : members
}

function answerBy(sdk: string, version: string, { definitions, question, zone }: SdkCase): string {
  const { flags, cohorts, group_type_mapping, property_matching_version } =
    definitions as unknown as JsonObject
  const known = (withChains(flags ?? []) as unknown as EvaluatedFlag[]).map(flag => ({
    ...flag,
    id: Number(flag.id),
  }))
  const flag = known.find(({ key }) => key === question.key)
  if (!flag) return 'U'
  const [, engine] = enginesOf('posthog-2026', {
    sdks: sdkVersions({ [sdk]: version }),
    version: Number(property_matching_version) === 2 ? 2 : 1,
  })
  const subject = {
    distinctId: question.distinctId,
    properties: (question.personProperties ?? {}) as JsonObject,
    groups: (question.groups ?? {}) as Record<string, string>,
    groupProperties: (question.groupProperties ?? {}) as Record<string, JsonObject>,
  }
  const { value, undecided } = evaluateFlag(flag, subject, {
    now,
    groupTypes: group_type_mapping as Record<string, string>,
    cohorts: cohorts as JsonObject,
    flags: new KnownFlags(known),
    rules: engine!.rules,
    // The zone of the machine, which is New York in some cases.
    zoneOffsetMinutes: zone === 'UTC' ? 0 : -240,
  })
  if (undecided !== undefined) return 'U'
  return typeof value === 'string' ? `v:${value}` : value ? 'T' : 'F'
}

const ranges = Object.entries<Sdk>(sdks).flatMap(([sdk, { ranges: all }]) =>
  all.map(({ from, rules }) => [sdk, from, rules.pattern_dialect] as const),
)

describe('the rules of an SDK', () => {
  it.each(ranges)(
    'give what %s %s answered, and are open where it asked the service',
    (sdk, from, dialect) => {
      const answers = answersOf(recorded.sdks[sdk] ?? [], from)!
      const except = [
        neverSent,
        ...recorded.notDecided,
        ...(lookingAround.dialects.includes(dialect ?? '') ? lookingAround.cases : []),
      ]
      const asked = cases.filter(({ id }) => !except.includes(id))
      expect(asked.length).toBeGreaterThan(220)
      expect(Object.fromEntries(asked.map(one => [one.id, answerBy(sdk, from, one)]))).toEqual(
        Object.fromEntries(asked.map(({ id }) => [id, answers.get(id)])),
      )
    },
  )

  it('hold for the newest version that was run, and for each range from its oldest one on', () => {
    for (const [sdk, { newest, ranges: all }] of Object.entries<Sdk>(sdks)) {
      expect(recorded.sdks[sdk]?.[0]?.to).toBe(newest)
      for (const { from, since } of all) {
        const range = recorded.sdks[sdk]?.find(one => one.from === from)
        expect([sdk, from, since]).toEqual([sdk, range?.from, range?.published])
      }
    }
  })
})
