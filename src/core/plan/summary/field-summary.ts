import {
  isEmptyJson,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../../model/json/json.ts'
import {
  type DeclarableKind,
  isDescription,
  isTargeting,
  switchField,
  targetingField,
} from '../../../model/kind.ts'
import { compareTexts } from '../../../model/text/compare-texts.ts'
import type { EvaluationRules } from '../../../services/engines.ts'
import {
  describeFilterDifference,
  describeMemberDifference,
  describeRelease,
  describeValue,
  exposureOf,
  type ReleasedFlag,
  textStep,
  valueText,
} from '../../../targeting/index.ts'
import { newTagSummary, tagSummary } from './tag-summary.ts'

/** What changes in each field, with its value before and after; the reach first. */
export function fieldSummary(
  kind: DeclarableKind,
  fields: readonly string[],
  before: JsonObject,
  after: JsonObject,
  rules?: EvaluationRules,
): string[] {
  return inWeight(kind, fields).flatMap(name => {
    const [was, becomes] = [before[name] ?? null, after[name] ?? null]
    if (isTargeting(kind, name)) return describeFilterDifference(was, becomes, rules)
    if (name === kind.lifecycle.ownedBy) return tagSummary(kind, name, was, becomes)
    const words = wordsOf(kind, name)
    if (words) return [`${words(was)} -> ${words(becomes)}`]
    const title = titleOf(kind, name)
    if (typeof was === 'string' || typeof becomes === 'string')
      return [`${title}: ${textSummary(was, becomes)}`]
    if (isPlain(was) && isPlain(becomes)) return [`${title}: ${plain(was)} -> ${plain(becomes)}`]
    return describeMemberDifference(title, nothingWhereEmpty(was), nothingWhereEmpty(becomes))
  })
}

/** The values that a new object gets. */
export function newFieldSummary(
  kind: DeclarableKind,
  fields: readonly string[],
  after: JsonObject,
): string[] {
  return inWeight(kind, fields).flatMap(name => {
    const value = after[name] ?? null
    if (name === kind.lifecycle.ownedBy) return newTagSummary(kind, name, value)
    const words = wordsOf(kind, name)
    if (words) return [words(value)]
    return isPlain(value) && isNothing(value)
      ? [`${titleOf(kind, name)}: (none)`]
      : describeValue(titleOf(kind, name), value)
  })
}

/** What a flag's release is, for people who have never seen it. */
export function releaseSummary({ filters, active }: ReleasedFlag): string[] {
  return [...(active ? [] : ['inactive: nobody gets it']), ...describeRelease(filters)]
}

/** What it means for people that a flag is turned on or off, or that it stays off whatever else changes. */
export function switchSummary(
  kind: DeclarableKind,
  fields: readonly string[],
  before: ReleasedFlag,
  after: ReleasedFlag,
  switched: Json,
): string[] {
  const turned = switchField(kind) ?? ''
  if (!before.active && after.active) {
    return [`${turned}: off -> on`, `who gets it from now on: ${whoSummary(after.filters)}`]
  }
  if (before.active && !after.active) {
    return [
      `${turned}: on -> off, nobody gets it any more`,
      `who had it until now: ${whoSummary(before.filters)}`,
    ]
  }
  if (fields.includes(turned)) return [`${turned}: ${plain(switched)} -> ${after.active ? 'on' : 'off'}`]
  const isRetargeted = fields.some(name => isTargeting(kind, name))
  return !after.active && isRetargeted ? ['inactive: nobody gets it, before and after'] : []
}

/** Who has an object with our ownership tag that no file declares. */
export function orphanSummary(kind: DeclarableKind, record: JsonObject): string {
  const [active, filters] = [record[switchField(kind) ?? ''], record[targetingField(kind) ?? '']]
  const who = active === false ? ': off' : filters === undefined ? '' : `: ${whoSummary(filters)}`
  return `${undeclaredSummary}${who}`
}

export const undeclaredSummary = 'not in the files, still live'

/** Who has a flag that is on: `country is DE at 10%; everyone at 5%`. */
export function whoSummary(filters: Json): string {
  const { conditions } = exposureOf({ filters, active: true })
  if (conditions.length === 0) return 'nobody'
  const shown = conditions.slice(0, mostConditions).map(({ people, percent }) => `${people} at ${percent}%`)
  const more = conditions.length - shown.length
  return [
    ...shown,
    ...(more > 0 ? [`and ${more} more ${more === 1 ? 'condition' : 'conditions'}`] : []),
  ].join('; ')
}

const mostConditions = 5

/** The reach first, then what else people notice, then tags and texts. */
function inWeight(kind: DeclarableKind, fields: readonly string[]): string[] {
  const order = [switchField(kind), targetingField(kind)]
  const weight = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  return [...fields].sort((left, right) => weight(left) - weight(right) || compareTexts(left, right))
}

/** What people call an object by the value of a field, where it has words of its own. */
function wordsOf({ fields }: DeclarableKind, name: string): ((value: Json) => string) | undefined {
  const field = fields[name]
  const words = field?.type === 'boolean' ? field.words : undefined
  return words && (value => (value === true ? words.true : words.false))
}

/** A flag's `name` holds its description. */
function titleOf(kind: DeclarableKind, name: string): string {
  return isDescription(kind, name) ? 'description' : name
}

/** Two texts by the place in which they differ; nothing is said to be nothing. */
function textSummary(was: Json, becomes: Json): string {
  if (typeof was === 'string' && typeof becomes === 'string' && was !== '' && becomes !== '')
    return textStep(was, becomes)
  return `${plain(was)} -> ${plain(becomes)}`
}

function nothingWhereEmpty(value: Json): Json {
  return isEmptyJson(value) ? null : value
}

function isPlain(value: Json): boolean {
  return !isJsonArray(value) && !isJsonObject(value)
}

function isNothing(value: Json): boolean {
  return value === null || value === ''
}

function plain(value: Json): string {
  return isNothing(value) ? '(none)' : valueText(value)
}
