import type { DeclaredTest } from '../../core/desired.ts'
import { type ExactJson, invalid, knownJson } from '../../hcl/index.ts'
import { isJsonArray, isJsonNumber, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import type { Source } from '../../model/problem.ts'
import type { TestReason } from '../../targeting/index.ts'
import {
  conditionCount,
  expectationIn,
  groupIn,
  isReason,
  noCondition,
  subjectIn,
  variantHint,
} from '../../targeting/read-test.ts'

export interface TestPlaces {
  /** Where the flag stands. */
  readonly source: Source | undefined
  /** Where a test stands that was added by itself, by its place in the list. To find that takes a while. */
  readonly sourceOfTest: (index: number) => Source | undefined
}

/**
 * What a block says of who has to get what of a flag, in the comment that constructs write: `"//": { "vexil": { "tests":
 * [...] } }`. Throws a refusal where a test cannot be run: a condition or a variant that there is not, above all.
 */
export function testsIn(
  said: ExactJson | undefined,
  filters: Json,
  { source, sourceOfTest }: TestPlaces,
): readonly DeclaredTest[] {
  if (said === undefined) return []
  const tests = knownJson(said)
  if (!isJsonArray(tests)) throw invalid('they have to be a list')
  return tests.map((test, index) => {
    const at = isJsonObject(test) && test.trace !== undefined ? sourceOfTest(index) : source
    return { ...testIn(test, filters, `test ${index + 1}`), ...(at ? { sourceOf: () => at } : {}) }
  })
}

function testIn(written: Json, filters: Json, name: string): DeclaredTest {
  const { person, expect = null, because } = isJsonObject(written) ? written : {}
  if (person === undefined || !isJsonObject(person)) throw invalid(`${name} has no person`)
  const expected = expectationIn(expect)
  if (!expected) throw invalid(`${name} does not say what to expect`)
  const { value } = expected
  const hint = typeof value === 'string' ? variantHint(value, filters) : undefined
  if (hint !== undefined)
    throw invalid(`${name} expects ${JSON.stringify(value)}, no variant of the flag`, hint)
  return {
    person: [person.name, person.distinct_id, person.device_id].find(each => typeof each === 'string'),
    isNamed: typeof person.name === 'string',
    subject: subjectIn(person, groupsOf(person)),
    ...expected,
    ...(because === undefined ? {} : { because: reasonIn(because, filters, name) }),
  }
}

function groupsOf({ groups = null }: JsonObject) {
  const entries = isJsonObject(groups) ? Object.entries(groups) : []
  return entries.map(([index, group]) => ({ index, ...groupIn(group) }))
}

function reasonIn(because: Json, filters: Json, name: string): TestReason {
  if (isJsonNumber(because)) {
    const number = Number(because)
    if (Number.isInteger(number) && number >= 1 && number <= conditionCount(filters))
      return { condition: number - 1 }
    const { message, hint } = noCondition(number, filters)
    throw invalid(`${name}: ${message}`, hint)
  }
  if (typeof because === 'string' && isReason(because)) return { reason: because }
  throw invalid(`${name} names ${JSON.stringify(because)}, which is neither a condition nor a reason`)
}
