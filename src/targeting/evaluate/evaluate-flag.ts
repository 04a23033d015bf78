import type { Profile, Services } from '../../model/connection.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import {
  type Engine,
  type EvaluationRules,
  enginesOf,
  type PropertyMatchingVersion,
  serviceEngine,
} from '../../services/engines.ts'
import type { sdkWays } from '../../services/sdk-rules.ts'
import { payloadValue } from '../canonical-filters.ts'
import { filterParts } from '../filter-parts.ts'
import { byService } from '../operators.ts'
import { evaluationOrder, isReaching, type Release, type ReleaseCondition, readRelease } from '../release.ts'
import { quoted } from '../value-words.ts'
import {
  type AnySubject,
  type Bucket,
  Buckets,
  type EvaluationContext,
  fractionOfText,
  hashFraction,
  ownMember,
  rulesIn,
} from './buckets.ts'
import {
  type CohortFacts,
  type EvaluatedFlag,
  type MatchFlag,
  matchFlags,
  matchProperties,
} from './cohorts-and-flags.ts'
import { isUndecided, type Match, undecided } from './compared-values.ts'

const reasonsBefore = ['super_condition_value', 'holdout_condition_value'] as const

/** A result that precedes the conditions. */
export interface Before {
  readonly value: boolean | string
  readonly reason: (typeof reasonsBefore)[number]
}

/** The members of filters that count before or besides the conditions, with the rule that evaluates them. */
export const judges: Readonly<Record<string, keyof typeof sdkWays>> = Object.fromEntries(
  Object.entries(filterParts.filters.members).flatMap(([name, { rule }]) => (rule ? [[name, rule]] : [])),
)

/**
 * People who have opted in get the flag, and those who have opted out do not. Otherwise, people in the
 * holdout get `holdout-ID`, by a separate hash that is the same for all flags. [service-today 10]
 */
function decidedBefore(
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

/** Why a decision that precedes the conditions cannot be made here. */
function doubtBefore(
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
  if (open !== undefined) return `only the service evaluates the member ${quoted(open)} of the filters`
  if (rules.holdouts === 'first' && holdout && subject.distinctId === undefined)
    return 'holdouts depend on the distinct id, which is unknown'
  const isOpen =
    rules.enrolment === 'first' &&
    context.isComplete !== true &&
    takesEnrolment(flag.filters) &&
    enrolmentOf(flag, subject) === undefined
  return isOpen ? 'it is unknown whether the person has opted in' : undefined
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

export type { AnySubject, EvaluationContext, Subject } from './buckets.ts'

/** Why a flag has its value: the names that the service uses. [service-behaviour 7; service-today 10] */
export const evaluationReasons = [
  'condition_match',
  'no_condition_match',
  'out_of_rollout_bound',
  'no_group_type',
  'disabled',
  ...reasonsBefore,
] as const

export type EvaluationReason = (typeof evaluationReasons)[number]

export interface Evaluation {
  /** False, true, or the key of the variant. */
  readonly value: boolean | string
  readonly reason: EvaluationReason
  /** The condition that matched, or the nearest miss, counted from 0 as written. */
  readonly conditionIndex?: number
  readonly payload?: Json
  /** Why the value may differ: an unknown fact could change it. Absent if none could. */
  readonly undecided?: string
}

/** The value that one subject gets. [service-behaviour 12; service-today 10] */
export function evaluateFlag(
  flag: EvaluatedFlag,
  subject: AnySubject,
  context: EvaluationContext,
): Evaluation {
  if (rulesIn(context).continuity === 'itself_asked' && flag.ensure_experience_continuity === true)
    return leftToService
  const release = releaseOf(flag)
  return decide(flag, subject, context, matchFlagsFor(release, flag.key, subject, context), release)
}

/** Whether a condition matches a subject, without its percentage: to estimate how many people it matches. */
export function matchCondition(
  condition: Json,
  groupTypeIndex: number | null,
  subject: AnySubject,
  context: EvaluationContext,
): Match {
  const filters = { groups: [condition], aggregation_group_type_index: groupTypeIndex }
  const release = readRelease(filters)
  const [read] = release.conditions
  const buckets = new Buckets(subject, context, matchFlagsFor(release, undefined, subject, context))
  const bucket = buckets.of(release.groupType)
  return read && bucket && !isUndecided(bucket) ? matchReleaseCondition(read, bucket.facts) : false
}

/** The result of one condition for a subject. */
export interface ConditionResult {
  /** Counted from 0 as written. */
  readonly index: number
  readonly is: 'matched' | 'not_matched' | 'not_in_share' | 'undecided'
  /** Why it is undecided. */
  readonly why?: string
}

/**
 * The result of every condition for a subject, in evaluation order; also of those after the one that decides.
 * Empty if the flag counts groups and the subject has none.
 */
export function explainConditions(
  flag: EvaluatedFlag,
  subject: AnySubject,
  context: EvaluationContext,
): readonly ConditionResult[] {
  const release = releaseOf(flag)
  const matchFlag = matchFlagsFor(release, flag.key, subject, context)
  const buckets = new Buckets(subject, context, matchFlag, flag.bucketing_identifier === 'device_id')
  const bucket = buckets.of(release.groupType)
  if (!bucket || isUndecided(bucket)) return []
  return evaluationOrder(release.conditions, rulesIn(context)).map(condition => {
    const { match, isReached } = tried(flag.key, release, condition, bucket, buckets, context)
    const { index } = condition
    if (isUndecided(match)) return { index, is: 'undecided', why: match.undecided }
    return { index, is: match ? (isReached ? 'matched' : 'not_in_share') : 'not_matched' }
  })
}

const leftToService: Evaluation = {
  value: false,
  reason: 'no_condition_match',
  undecided: 'this flag keeps the earlier value of each person, which only the service knows',
}

function decide(
  flag: EvaluatedFlag,
  subject: AnySubject,
  context: EvaluationContext,
  matchFlag: MatchFlag,
  release = releaseOf(flag),
): Evaluation {
  if (flag.active === false || flag.deleted === true) return { value: false, reason: 'disabled' }
  const rules = rulesIn(context)
  if (rules.continuity === 'asked' && flag.ensure_experience_continuity === true) return leftToService
  const buckets = new Buckets(subject, context, matchFlag, flag.bucketing_identifier === 'device_id')
  const bucket = buckets.of(release.groupType)
  const doubtAhead = doubtBefore(flag, release, subject, context)
  if (!bucket || isUndecided(bucket)) {
    const isOpen = release.conditions.some(one => isReaching(one) && isOfUnknownGroups(release, one, context))
    const why = bucket?.undecided ?? doubtAhead ?? (isOpen ? otherBucket.undecided : undefined)
    return { value: false, reason: 'no_group_type', ...withDoubt(why) }
  }
  const before = decidedBefore(flag, release, bucket.id, subject, context)
  if (before) return { ...before, ...payloadOf(release, before.value), ...withDoubt(doubtAhead) }
  const stopsEarly = rules.early_exit === 'obeyed' && release.stopsEarly
  const tries: Tried[] = []
  let last: Tried | undefined
  for (const condition of evaluationOrder(release.conditions, rules)) {
    const one = tried(flag.key, release, condition, bucket, buckets, context)
    tries.push(one)
    if (one.match !== true || !(one.isReached || stopsEarly)) continue
    last = one
    break
  }
  const winner = last?.isReached ? last : undefined
  const value = winner?.value ?? false
  // An SDK skips an undecided condition if another condition gives a value.
  const isPassedOver = winner !== undefined && rules.definitions === 'listed'
  const doubt = tries.find(
    one =>
      isUndecided(one.match) &&
      !isPassedOver &&
      (one.isReached ? one.value !== value : stopsEarly && value !== false),
  )
  return {
    value,
    ...(winner ? { reason: 'condition_match', conditionIndex: winner.condition.index } : nearestMiss(tries)),
    ...payloadOf(release, value),
    ...withDoubt(doubtAhead ?? (doubt && isUndecided(doubt.match) ? doubt.match.undecided : undefined)),
  }
}

function withDoubt(why: string | undefined): Pick<Evaluation, 'undecided'> {
  return why === undefined ? {} : { undecided: why }
}

/** A flag with its parsed filters, for any number of evaluations. Objects of one shape are read much faster. */
export function withRelease(flag: EvaluatedFlag): EvaluatedFlag {
  const { id, key, filters, active, deleted, bucketing_identifier, ensure_experience_continuity } = flag
  const release = releaseOf(flag)
  return { id, key, filters, release, active, deleted, bucketing_identifier, ensure_experience_continuity }
}

function releaseOf({ release, filters = null }: EvaluatedFlag): Release {
  return release ?? readRelease(filters)
}

function matchFlagsFor(
  { flagNames }: Release,
  asking: string | undefined,
  subject: AnySubject,
  context: EvaluationContext,
): MatchFlag {
  const { flags, isComplete = false } = context
  return matchFlags(flagNames, asking, {
    flags,
    isComplete,
    rules: rulesIn(context),
    decide: (flag, matchFlag) => decide(flag, subject, context, matchFlag),
  })
}

const otherBucket = undecided('a condition counts other groups than the flag')

/** On newer services a condition may count groups of a type while the flag counts others, or persons. */
function hasOtherBucket(release: Release, { groupType }: ReleaseCondition): boolean {
  return groupType !== undefined && groupType !== release.groupType
}

function isOfUnknownGroups(
  release: Release,
  condition: ReleaseCondition,
  context: EvaluationContext,
): boolean {
  return rulesIn(context).condition_groups === 'unknown' && hasOtherBucket(release, condition)
}

interface Tried {
  readonly condition: ReleaseCondition
  readonly match: Match
  readonly isReached: boolean
  /** The value for a subject whom the condition reaches; undefined if unknown. */
  readonly value: true | string | undefined
}

function tried(
  key: string,
  release: Release,
  written: ReleaseCondition,
  ofFlag: Bucket,
  buckets: Buckets,
  context: EvaluationContext,
): Tried {
  const isAlone = rulesIn(context).percentages === 'alone' && written.properties?.length
  const condition = isAlone ? { ...written, percent: 100 } : written
  const open = { condition, isReached: isReaching(condition), value: undefined }
  if (isOfUnknownGroups(release, condition, context)) return { ...open, match: otherBucket }
  const isOwn = hasOtherBucket(release, condition) && rulesIn(context).condition_groups !== 'ignored'
  const bucket = isOwn ? buckets.of(condition.groupType) : ofFlag
  if (bucket === undefined) return { ...open, match: false }
  if (isUndecided(bucket)) return { ...open, match: bucket }
  const match = matchReleaseCondition(condition, bucket.facts)
  if (bucket.id !== undefined || !needsHash(release, condition)) {
    const { id = '' } = bucket
    const isReached = isInRollout(key, id, condition.percent)
    return { condition, match, isReached, value: valueUnder(release, key, id, condition) }
  }
  // The service counts nobody without a device, but a caller may only not know the device.
  return context.isComplete === true || match === false
    ? { ...open, match, isReached: false }
    : { ...open, match: undecided(buckets.unnamed) }
}

/** Whether the value that a condition gives depends on a hash. */
function needsHash({ variants }: Release, { percent, variant }: ReleaseCondition): boolean {
  if (percent < 100) return true
  if (variants.some(({ key }) => key === variant)) return false
  const [first] = variants.filter(candidate => candidate.percent > 0)
  return first !== undefined && first.percent < 100
}

function matchReleaseCondition({ properties }: ReleaseCondition, facts: CohortFacts): Match {
  return properties === undefined ? false : matchProperties(properties, facts)
}

function isInRollout(key: string, id: string, percent: number): boolean {
  return percent >= 100 || hashFraction(key, id, '') <= percent / 100
}

function valueUnder(release: Release, key: string, id: string, { variant }: ReleaseCondition): true | string {
  if (variant !== undefined && release.variants.some(candidate => candidate.key === variant)) return variant
  return release.variants.length === 0 ? true : (variantAt(release, hashFraction(key, id, 'variant')) ?? true)
}

/** The variants share the line from 0 to 1 in their order; a gap has no variant. */
function variantAt({ variants }: Release, fraction: number): string | undefined {
  let start = 0
  for (const { key, percent } of variants) {
    const end = start + percent / 100
    if (fraction >= start && fraction < end) return key
    start = end
  }
  return undefined
}

/** Outside the rollout is nearer than a failed property; of equally near ones the last tried is named. */
function nearestMiss(tried: readonly Tried[]): Pick<Evaluation, 'reason' | 'conditionIndex'> {
  const outside = tried.findLast(({ match }) => match === true)
  if (outside) return { reason: 'out_of_rollout_bound', conditionIndex: outside.condition.index }
  const last = tried.at(-1)
  return { reason: 'no_condition_match', ...(last && { conditionIndex: last.condition.index }) }
}

function payloadOf({ payloads }: Release, value: boolean | string): Pick<Evaluation, 'payload'> {
  if (value === false) return {}
  const payload = ownMember(payloads, String(value))
  return payload === undefined ? {} : { payload: payloadValue(payload) }
}

/** The answer of another engine: a value, or why there is none. */
export interface OtherAnswer {
  readonly by: string
  readonly value?: boolean | string
  readonly undecided?: string
}

export interface EvaluationOnServices extends Evaluation {
  /** The engine. */
  readonly by: string
  /** The engines with a different answer. */
  readonly others: readonly OtherAnswer[]
  /** Every SDK with local evaluation, besides the newest service. An SDK without a value asks the service. */
  readonly sdks: readonly Pick<OtherAnswer, 'by' | 'value'>[]
}

/**
 * The value from the newest of several services, with the different answers of the other services and the
 * SDKs. An SDK has the version that the project uses, if known; otherwise the usual version.
 */
export function evaluateOnServices(
  flag: EvaluatedFlag,
  subject: AnySubject,
  context: Omit<EvaluationContext, 'rules'>,
  services: Services,
  version?: PropertyMatchingVersion,
): EvaluationOnServices {
  const { sdks } = services
  const release = releaseOf(flag)
  const read = { ...flag, release }
  const answerOf = (profile: Profile) => {
    const sent = byService.toWire(flag.filters ?? null, [profile])
    const asSent = sent === flag.filters ? read : { ...flag, filters: sent, release: undefined }
    return {
      by: services.length > 1 ? `${serviceEngine} with profile ${profile}` : serviceEngine,
      ...evaluateByEngines(
        asSent,
        subject,
        context,
        enginesOf(profile, { version: profile === 'posthog-2026' ? version : undefined, sdks }),
      ),
    }
  }
  const last = services.at(-1) ?? 'documented'
  const { differs = [], asks = [], ...newest } = answerOf(last)
  const [, ...engines] = enginesOf(last, { sdks })
  const answers = newest.undecided === undefined ? engines : []
  const older = services
    .slice(0, -1)
    .map(answerOf)
    .filter(({ value, undecided }) => value !== newest.value || undecided !== newest.undecided)
  return {
    ...newest,
    others: [
      ...older.map(({ by, value, undecided }) =>
        undecided === undefined ? { by, value } : { by, undecided },
      ),
      ...differs.map(({ engine: by, value }) => ({ by, value })),
    ],
    sdks: answers.map(({ name: by }) =>
      asks.includes(by)
        ? { by }
        : { by, value: differs.find(one => one.engine === by)?.value ?? newest.value },
    ),
  }
}

/** The value from one engine. */
export interface EngineValue {
  readonly engine: string
  readonly value: boolean | string
}

export interface EvaluationByEngines extends Evaluation {
  /** Engines that give another value than the service. Absent if there are none. */
  readonly differs?: readonly EngineValue[]
  /** Engines that ask the service, so they give its value. Absent if there are none. */
  readonly asks?: readonly string[]
}

/**
 * The value from the first engine, the service, and the engines with another value. An engine that cannot
 * decide asks the service, so it does not differ. If the service's own value is undecided, nothing is
 * compared.
 */
export function evaluateByEngines(
  flag: EvaluatedFlag,
  subject: AnySubject,
  context: Omit<EvaluationContext, 'rules'>,
  [service, ...others]: readonly [Engine, ...Engine[]],
): EvaluationByEngines {
  const evaluation = evaluateFlag(flag, subject, contextBy(context, service.rules, context.isComplete))
  if (evaluation.undecided !== undefined) return evaluation
  const differs: EngineValue[] = []
  const asks: string[] = []
  for (const { name, rules } of others) {
    // An SDK knows only the given properties; another property may exist.
    const { value, undecided } = evaluateFlag(flag, subject, contextBy(context, rules, false))
    if (undecided !== undefined) asks.push(name)
    else if (value !== evaluation.value) differs.push({ engine: name, value })
  }
  return {
    ...evaluation,
    ...(differs.length === 0 ? {} : { differs }),
    ...(asks.length === 0 ? {} : { asks }),
  }
}

/** Set member by member: copying the object for each engine and test would take ten times as long. */
function contextBy(
  { now, groupTypes, cohorts, flags, zoneOffsetMinutes }: Omit<EvaluationContext, 'rules'>,
  rules: EvaluationRules,
  isComplete: boolean | undefined,
): EvaluationContext {
  // The zone is that of the project; an SDK does not know it.
  const zone = rules.definitions === undefined ? zoneOffsetMinutes : undefined
  return { now, groupTypes, cohorts, flags, isComplete, rules, zoneOffsetMinutes: zone }
}
