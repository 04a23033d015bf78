import type { Json, JsonObject } from '../../model/json/json.ts'
import { isJsonObject } from '../../model/json/json.ts'
import type { EvaluationBehaviour } from '../../services/index.ts'
import { quoted } from '../describe/value-words.ts'
import { filterParts } from '../filter-parts.ts'
import type { Release } from '../release.ts'
import { type AnySubject, type EvaluationContext, ownMember, rulesIn } from './buckets.ts'
import { fractionOfText } from './hash.ts'

export const reasonsBefore = ['super_condition_value', 'holdout_condition_value'] as const

/** What is decided before any condition is tried. */
export interface Before {
  readonly value: boolean | string
  readonly reason: (typeof reasonsBefore)[number]
}

/** The members of filters that are judged before or beside the conditions, by the rule that says how. */
export const judges: Readonly<Record<string, keyof EvaluationBehaviour>> = Object.fromEntries(
  Object.entries(filterParts.filters.members).flatMap(([name, { rule }]) => (rule ? [[name, rule]] : [])),
)

/**
 * Who has enrolled gets the flag and who has declined does not; then who is held out gets `holdout-ID`, by a hash of
 * their own that is the same for all flags. [service-today 10]
 */
export function decidedBefore(
  flag: { readonly key: string; readonly filters?: Json },
  { holdout }: Release,
  id: string | undefined,
  subject: AnySubject,
  context: EvaluationContext,
): Before | undefined {
  const rules = rulesIn(context)
  const enrolled = enrolmentOf(flag, subject)
  if (rules.enrolment === 'first' && enrolled !== undefined)
    return { value: isEnrolled(enrolled), reason: 'super_condition_value' }
  if (rules.holdouts !== 'first' || !holdout || id === undefined) return undefined
  const isOut = holdout.percent === 100 || fractionOfText(`holdout-${id}`) <= holdout.percent / 100
  return isOut ? { value: `holdout-${holdout.id}`, reason: 'holdout_condition_value' } : undefined
}

/** Why nobody here can tell what is decided before the conditions. */
export function doubtBefore(
  flag: { readonly key: string; readonly filters?: Json },
  { others, holdout }: Release,
  subject: AnySubject,
  context: EvaluationContext,
): string | undefined {
  const rules = rulesIn(context)
  const open =
    rules.definitions === 'listed'
      ? undefined
      : others.find(name => {
          const judge = Object.hasOwn(judges, name) ? judges[name] : undefined
          return judge === undefined || rules[judge] === 'unknown'
        })
  if (open !== undefined) return `the member ${quoted(open)} of the filters is judged by the service alone`
  if (rules.holdouts === 'first' && holdout && subject.distinctId === undefined)
    return 'whether the person is held out depends on the distinct id, which is not known here'
  const isOpen =
    rules.enrolment === 'first' &&
    context.isComplete !== true &&
    takesEnrolment(flag.filters) &&
    enrolmentOf(flag, subject) === undefined
  return isOpen ? 'whether the person has enrolled is not known here' : undefined
}

function enrolmentOf(
  { key, filters }: { readonly key: string; readonly filters?: Json },
  { properties }: AnySubject,
): Json | undefined {
  return takesEnrolment(filters) ? ownMember<Json>(properties, `$feature_enrollment/${key}`) : undefined
}

function takesEnrolment(filters: Json | undefined): filters is JsonObject {
  return isJsonObject(filters) && filters.feature_enrollment === true
}

function isEnrolled(value: Json): boolean {
  return value === true || (typeof value === 'string' && value.toLowerCase() === 'true')
}
