import { isJsonObject, type Json, type JsonObject } from '../model/text/json.ts'
import { listSome, Suggestions } from '../model/text/names.ts'
import { type AnySubject, type EvaluationReason, evaluationReasons } from './evaluate/evaluate-flag.ts'
import type { FlagTest } from './judge-test.ts'
import { readRelease, variantKeys } from './release.ts'

/** The content of `expect`: a value, or `{ value, payload, sdks }`; undefined if it is neither. */
export function expectationIn(expect: Json): Pick<FlagTest, 'value' | 'payload' | 'sdks'> | undefined {
  if (typeof expect === 'boolean' || typeof expect === 'string') return { value: expect }
  if (!isJsonObject(expect)) return undefined
  const { value = null, payload, sdks } = expect
  if (!isAnswer(value)) return undefined
  const own = isJsonObject(sdks) ? Object.entries<Json>(sdks) : []
  return {
    value,
    ...(payload === undefined ? {} : { payload }),
    ...(own.length === 0
      ? {}
      : { sdks: Object.fromEntries(own.flatMap(([name, each]) => (isAnswer(each) ? [[name, each]] : []))) }),
  }
}

function isAnswer(value: Json): value is boolean | string {
  return typeof value === 'boolean' || typeof value === 'string'
}

export function isReason(word: string): word is EvaluationReason {
  return evaluationReasons.some(reason => reason === word)
}

/** A group of a person, by the number of its type. */
export interface GroupOfPerson {
  readonly index: string
  readonly key: string
  readonly properties: JsonObject
}

/** The subject, from the members of a person and the parsed groups. */
export function subjectIn(members: JsonObject, groups: readonly GroupOfPerson[]): AnySubject {
  const { distinct_id: distinctId, device_id: deviceId, properties } = members
  return {
    ...(typeof distinctId === 'string' ? { distinctId } : {}),
    ...(typeof deviceId === 'string' ? { deviceId } : {}),
    properties: isJsonObject(properties) ? properties : {},
    groups: Object.fromEntries(groups.map(({ index, key }) => [index, key])),
    groupProperties: Object.fromEntries(groups.map(({ index, properties: of }) => [index, of])),
  }
}

/** A group as people write it: only its key, or with properties. */
export function groupIn(group: Json): Pick<GroupOfPerson, 'key' | 'properties'> {
  const key = isJsonObject(group) ? group.key : group
  const own = isJsonObject(group) && isJsonObject(group.properties) ? group.properties : {}
  return { key: typeof key === 'string' ? key : '', properties: own }
}

/** The values besides true and false that a test can expect. */
function testedVariants(filters: Json): readonly string[] {
  const { holdout } = readRelease(filters)
  return [
    ...(isJsonObject(filters) ? variantKeys(filters) : []),
    ...(holdout ? [`holdout-${holdout.id}`] : []),
  ]
}

/** The number of conditions that a test can refer to by number. */
export function conditionCount(filters: Json): number {
  return readRelease(filters).conditions.length
}

/** The hint for an expected text that is not a variant of the flag; undefined if it is one. */
export function variantHint(value: string, filters: Json): string | undefined {
  const keys = testedVariants(filters)
  if (keys.includes(value)) return undefined
  if (value === 'true' || value === 'false') return `write ${value} without quotes`
  const listed =
    keys.length === 0
      ? 'the flag has no variants; expect true or false'
      : `there are: ${listSome(keys, 'and')}`
  return new Suggestions(keys).hint(value, listed)
}

/** The message for a condition number that the flag does not have. */
export function noCondition(
  number: number | string,
  filters: Json,
): { readonly message: string; readonly hint: string } {
  const count = conditionCount(filters)
  return {
    message: `the flag has no condition ${number}`,
    hint: count === 0 ? 'the flag has no conditions' : `write a number from 1 to ${count}`,
  }
}
