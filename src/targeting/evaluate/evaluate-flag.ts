import type { Json, JsonObject } from '../../model/json/json.ts'
import { quoted } from '../describe/value-words.ts'
import { payloadValue } from '../filters.ts'
import { evaluationOrder, isReaching, type Release, type ReleaseCondition, readRelease } from '../release.ts'
import { type CohortFacts, matchProperties } from './cohorts.ts'
import { type MatchFlag, matchFlags } from './flag-matches.ts'
import { hashFraction } from './hash.ts'
import type { EvaluatedFlag, KnownFlags } from './known-flags.ts'
import { isUndecided, type Match, undecided } from './match.ts'

/** Who asks for a flag. */
export interface Subject {
  readonly distinctId: string
  readonly properties?: JsonObject
  /** The groups that the person belongs to, by the name of the group type: `{ company: 'acme' }`. */
  readonly groups?: Readonly<Record<string, string>>
  /** What is known about those groups, by the name of the group type. */
  readonly groupProperties?: Readonly<Record<string, JsonObject>>
}

export interface EvaluationContext {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Names of group types by index, as `group_type_mapping` carries them: `{ "0": "company" }`. */
  readonly groupTypes?: Readonly<Record<string, string>>
  /** Cohorts by id, as `local_evaluation` carries them. */
  readonly cohorts?: JsonObject
  /** The flags that conditions may name. Without them, what depends on another flag is undecided. */
  readonly flags?: KnownFlags
  /** True where the subject's properties and the flags are all there are: inside the service, not in a caller. */
  readonly isComplete?: boolean
}

/** Why a flag has its value, in the service's own words. [service-behaviour 7] */
export type EvaluationReason =
  | 'condition_match'
  | 'no_condition_match'
  | 'out_of_rollout_bound'
  | 'no_group_type'
  | 'disabled'

export interface Evaluation {
  /** False, true, or the key of the variant. */
  readonly value: boolean | string
  readonly reason: EvaluationReason
  /** The condition that matched or came nearest, counted from 0 as they are written. */
  readonly conditionIndex?: number
  readonly payload?: Json
  /** Why the value may be another: what is not known here could change it. Absent where nothing could. */
  readonly undecided?: string
}

/** What one subject gets. [service-behaviour 12] */
export function evaluateFlag(flag: EvaluatedFlag, subject: Subject, context: EvaluationContext): Evaluation {
  return decide(flag, subject, context, matchFlagsFor(flag.filters ?? null, flag.key, subject, context))
}

/**
 * Whether a subject is among the people of a condition, leaving its percentage aside: what an estimate of the
 * people behind a condition counts.
 */
export function matchCondition(
  condition: Json,
  groupTypeIndex: number | null,
  subject: Subject,
  context: EvaluationContext,
): Match {
  const filters = { groups: [condition], aggregation_group_type_index: groupTypeIndex }
  const release = readRelease(filters)
  const [read] = release.conditions
  const bucket = bucketOf(release, subject, context, matchFlagsFor(filters, undefined, subject, context))
  return read && bucket ? matchReleaseCondition(read, bucket.facts) : false
}

function decide(
  flag: EvaluatedFlag,
  subject: Subject,
  context: EvaluationContext,
  matchFlag: MatchFlag,
): Evaluation {
  if (flag.active === false || flag.deleted === true) return { value: false, reason: 'disabled' }
  const release = readRelease(flag.filters ?? null)
  const bucket = bucketOf(release, subject, context, matchFlag)
  if (!bucket)
    return { value: false, reason: 'no_group_type', ...withDoubt(doubtAboutGroups(release, context)) }
  const conditions = evaluationOrder(release.conditions).map(condition =>
    tried(flag.key, release, condition, bucket),
  )
  const winner = conditions.find(({ match, isReached }) => match === true && isReached)
  const value = winner ? valueUnder(release, flag.key, bucket.id, winner.condition) : false
  const open = conditions
    .slice(0, winner ? conditions.indexOf(winner) : undefined)
    .filter(({ match, isReached }) => isUndecided(match) && isReached)
  const doubt = open.find(
    ({ condition }) =>
      hasOtherBucket(release, condition) || valueUnder(release, flag.key, bucket.id, condition) !== value,
  )
  return {
    value,
    ...(winner
      ? { reason: 'condition_match', conditionIndex: winner.condition.index }
      : nearestMiss(conditions)),
    ...payloadOf(release, value),
    ...withDoubt(
      unjudged(release) ?? (doubt && isUndecided(doubt.match) ? doubt.match.undecided : undefined),
    ),
  }
}

function withDoubt(why: string | undefined): Pick<Evaluation, 'undecided'> {
  return why === undefined ? {} : { undecided: why }
}

/** Who is held out, and who enrolled by themselves, other parts of the product know before any condition is tried. */
function unjudged({ unjudged: [name] }: Release): string | undefined {
  return name === undefined
    ? undefined
    : `the member ${quoted(name)} of the filters is judged by the service alone`
}

/** Who the percentages count: the person, or the person's group of the flag's type. */
interface Bucket {
  readonly id: string
  readonly facts: CohortFacts
}

function matchFlagsFor(
  filters: Json,
  asking: string | undefined,
  subject: Subject,
  context: EvaluationContext,
): MatchFlag {
  const { flags, isComplete = false } = context
  return matchFlags(filters, asking, {
    flags,
    isComplete,
    decide: (flag, matchFlag) => decide(flag, subject, context, matchFlag),
  })
}

function bucketOf(
  release: Release,
  subject: Subject,
  context: EvaluationContext,
  matchFlag: MatchFlag,
): Bucket | undefined {
  const { now, cohorts = {}, isComplete = false } = context
  const rest = { now, cohorts, isComplete, matchFlag }
  if (release.groupType === undefined)
    return {
      id: subject.distinctId,
      facts: { ...rest, properties: withIdentity('distinct_id', subject.distinctId, subject.properties) },
    }
  const type = ownMember(context.groupTypes, release.groupType)
  const id = type === undefined ? undefined : ownMember(subject.groups, type)
  if (type === undefined || id === undefined) return undefined
  const properties = withIdentity('$group_key', id, ownMember(subject.groupProperties, type))
  return { id, facts: { ...rest, properties } }
}

/** Who asks is known by a property too: SDKs put it there, and conditions may name it. [posthog-node, posthog-python] */
function withIdentity(name: string, id: string, properties: JsonObject = {}): JsonObject {
  return { [name]: id, ...properties }
}

/** Outside the service, a type of group that nobody named may well exist. */
function doubtAboutGroups(
  release: Release,
  { groupTypes, isComplete = false }: EvaluationContext,
): string | undefined {
  const { groupType = '', conditions } = release
  if (!isComplete && ownMember(groupTypes, groupType) === undefined)
    return `the name of the group type ${groupType} is not known here`
  const isOpen = conditions.some(condition => isReaching(condition) && hasOtherBucket(release, condition))
  return unjudged(release) ?? (isOpen ? otherBucket.undecided : undefined)
}

const otherBucket = undecided('a condition counts other groups than the flag does')

/** On newer services a condition may count the groups of a type where the flag counts persons, or other groups. */
function hasOtherBucket(release: Release, { groupType }: ReleaseCondition): boolean {
  return groupType !== undefined && groupType !== release.groupType
}

interface Tried {
  readonly condition: ReleaseCondition
  readonly match: Match
  readonly isReached: boolean
}

function tried(key: string, release: Release, condition: ReleaseCondition, { id, facts }: Bucket): Tried {
  return hasOtherBucket(release, condition)
    ? { condition, match: otherBucket, isReached: isReaching(condition) }
    : {
        condition,
        match: matchReleaseCondition(condition, facts),
        isReached: isInRollout(key, id, condition.percent),
      }
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

/** The variants share the line from 0 to 1 in their order; where they leave a gap there is no variant. */
function variantAt({ variants }: Release, fraction: number): string | undefined {
  let start = 0
  for (const { key, percent } of variants) {
    const end = start + percent / 100
    if (fraction >= start && fraction < end) return key
    start = end
  }
  return undefined
}

/** Missing only the rollout is nearer than missing a property; of equally near ones the last tried is named. */
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

function ownMember<Value>(
  record: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  return record && Object.hasOwn(record, name) ? record[name] : undefined
}
