import { isJsonArray, isJsonNumber, isJsonObject, type Json } from '../model/json/json.ts'
import { describeCondition } from '../targeting/describe/describe.ts'
import { compactFilters } from '../targeting/filters.ts'

/** One condition of a flag, as far as a policy can see. */
export interface DeclaredCondition {
  /** `condition 1 (country is DE)` */
  readonly words: string
  /** Undefined when it is known only once a plan is made. */
  readonly percent: number | undefined
  /** Whether nobody is left out of it but by the percentage; undefined when that is known only once a plan is made. */
  readonly isForEveryone: boolean | undefined
  /** What has to be true of people; undefined when that is known only once a plan is made. */
  readonly properties: readonly DeclaredProperty[] | undefined
}

/** One thing that has to be true of people. */
export interface DeclaredProperty {
  readonly key: string
  readonly operator: string
  /** Undefined stands for a value that is known only once a plan is made. */
  readonly values: readonly (Json | undefined)[]
}

/**
 * The conditions under which people get a flag.
 * - `undeclared`: nothing says.
 * - `unknown`: something says so in a way that is known only once a plan is made.
 */
export type DeclaredRelease = readonly DeclaredCondition[] | 'undeclared' | 'unknown'

/** How values stand in filters that are known only later. */
export interface References {
  /** Whether a value is one, or has one in it. */
  readonly isReference: (value: Json) => boolean
  /** A condition as it may be shown to people. */
  readonly shown: (condition: Json) => Json
}

/** The conditions in filters. */
export function releaseIn(filters: Json, references: References = none): DeclaredRelease {
  const compact = compactFilters(filters)
  const groups = isJsonObject(compact) ? compact.groups : undefined
  return isJsonArray(groups)
    ? groups.map((condition, index) => declaredCondition(condition, index, references))
    : 'unknown'
}

function declaredCondition(condition: Json, index: number, references: References): DeclaredCondition {
  const { isReference, shown } = references
  const place = `condition ${index + 1}`
  if (!isJsonObject(condition))
    return { words: place, percent: undefined, isForEveryone: undefined, properties: undefined }
  const { properties, rollout_percentage: percent = 100 } = condition
  const isKnown = properties === undefined || isJsonArray(properties)
  return {
    words: isKnown ? `${place} (${describeCondition(shown(condition))})` : place,
    percent: isJsonNumber(percent) && !isReference(percent) ? Number(percent) : undefined,
    isForEveryone: isKnown ? properties === undefined : undefined,
    properties: isKnown ? (properties ?? []).map(each => declaredProperty(each, references)) : undefined,
  }
}

function declaredProperty(property: Json, { isReference }: References): DeclaredProperty {
  const { key = '', operator = '', value = null } = isJsonObject(property) ? property : {}
  const values = isJsonArray(value) ? value : [value]
  return {
    key: String(key),
    operator: String(operator),
    values: isJsonObject(property) ? values.map(each => (isReference(each) ? undefined : each)) : [undefined],
  }
}

const none: References = { isReference: () => false, shown: condition => condition }
