import type { Profile } from '../../model/connection.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { readJsonIfAny } from '../../model/text/json-text.ts'
import { enginesOf } from '../../services/engines.ts'
import {
  type ConditionResult,
  type Evaluation,
  type EvaluationByEngines,
  type EvaluationContext,
  evaluateByEngines,
  evaluateFlag,
  explainConditions,
  isUndecided,
  type KnownFlags,
  type Match,
  matchCondition,
  payloadText,
  type Subject,
} from '../../targeting/index.ts'
import { type Answer, invalid, jsonAnswer, missingField } from '../http/messages.ts'
import type { FlagRow, GroupRow, PersonRow, ProjectRow } from '../rows.ts'
import { groupTypeMapping, groupTypesOf, inContainer } from '../store.ts'
import { minimalFlagRecord } from './flag-record.ts'
import { knownFlags, readFlag, withDependencyChains } from './refuse-filters.ts'
import type { ProjectCall } from './resource.ts'

/** The context of an evaluation: the content of the project, at one moment. */
type Surroundings = Pick<ProjectCall, 'store' | 'project' | 'quirks' | 'now'>

/**
 * Evaluates any flag of a project for a subject. The known properties of the person and of their groups are
 * completed by those of the request, which win. Every route that returns values uses this.
 */
export function evaluationFor(
  surroundings: Surroundings,
  subject: Subject,
  flags = knownFlags(surroundings),
): (flag: FlagRow) => Evaluation {
  const { known, context } = around(surroundings, subject, flags)
  return flag => evaluateFlag(readFlag(flag), known, context)
}

export interface Explained extends EvaluationByEngines {
  readonly conditions: readonly ConditionResult[]
}

/** Explains any flag for a subject, with the SDKs with local evaluation that would give another value. */
export function explainerFor(
  surroundings: Surroundings,
  profile: Profile,
  subject: Subject,
): (flag: FlagRow) => Explained {
  const { known, context } = around(surroundings, subject, knownFlags(surroundings))
  const engines = enginesOf(profile, { rules: surroundings.quirks })
  return flag => ({
    ...evaluateByEngines(readFlag(flag), known, context, engines),
    conditions: explainConditions(readFlag(flag), known, context),
  })
}

function around(surroundings: Surroundings, subject: Subject, flags: KnownFlags) {
  const { store, project } = surroundings
  const person = store.personByDistinctId.get(inContainer(project.id, subject.distinctId))
  return {
    known: withKnown(surroundings, person, subject),
    context: contextFor(surroundings, person, flags),
  }
}

/** The facts for conditions inside the service: complete, with its own rules. */
export function contextFor(
  surroundings: Surroundings,
  person: PersonRow | undefined,
  flags: KnownFlags,
): EvaluationContext {
  const { project, now, quirks } = surroundings
  const cohorts = cohortsFor(surroundings, person)
  const known = { groupTypes: groupTypeMapping(project), cohorts, flags }
  // Projects here are in UTC, the default of the service.
  return { ...known, now, isComplete: true, rules: quirks, zoneOffsetMinutes: 0 }
}

export function subjectOf(person: PersonRow): Subject {
  return { distinctId: person.distinct_ids[0] ?? '', properties: person.properties }
}

/** A group as the subject, without a person. */
function groupSubject(project: ProjectRow, group: GroupRow): Subject {
  const type = groupTypesOf(project)[group.type] ?? ''
  return {
    distinctId: '',
    groups: { [type]: group.key },
    groupProperties: { [type]: group.properties },
  }
}

/** The cohorts defined by properties, as in `local_evaluation`. */
function sharedCohorts({ store, project }: Pick<Surroundings, 'store' | 'project'>): JsonObject {
  const shared = store.cohortsOfProject
    .all(project.id)
    .flatMap(({ id, properties }) => (properties ? [[String(id), properties] as const] : []))
  return Object.fromEntries(shared)
}

function withKnown(
  { store, project }: Surroundings,
  person: PersonRow | undefined,
  subject: Subject,
): Subject {
  const types = groupTypesOf(project)
  const { groups = {}, groupProperties = {} } = subject
  const known = Object.entries(groups).map(([type, key]) => {
    const row = store.groupByKey.get(inContainer(project.id, types.indexOf(type), key))
    const given = Object.hasOwn(groupProperties, type) ? groupProperties[type] : undefined
    return [type, { ...row?.properties, ...given }] as const
  })
  return {
    ...subject,
    properties: { ...person?.properties, ...subject.properties },
    groupProperties: Object.fromEntries(known),
  }
}

/** Members of a static cohort are in or out, so for one person such a cohort matches always or never. */
function cohortsFor({ store, project }: Surroundings, person: PersonRow | undefined): JsonObject {
  const never = { type: 'AND', values: [{ key: '$never', type: 'person', operator: 'is_set' }] }
  const always = { type: 'AND', values: [] }
  const cohorts = store.cohortsOfProject.all(project.id).map(({ id, persons, properties }) => {
    const isMember = person !== undefined && persons.includes(person.id)
    return [String(id), properties ?? (isMember ? always : never)] as const
  })
  return Object.fromEntries(cohorts)
}

interface Wanted {
  /** As since 2026: with inactive flags (SDKs ask for missing ones) and the matching version. */
  readonly asSince2026: boolean
  readonly withCohorts: boolean
}

/**
 * The definitions for local evaluation. Payloads are JSON text: an invalid one makes some callers lose all of
 * their flags. `cohorts` is an object even if it is empty.
 */
export function definitionsOf(call: ProjectCall, { asSince2026, withCohorts }: Wanted): JsonObject {
  const flags = knownFlags(call)
  const listed = call.store.liveFlags.all(call.project.id).filter(flag => asSince2026 || flag.active)
  return {
    flags: listed.map(flag => {
      const record = minimalFlagRecord(call, flag)
      const filters = withDependencyChains(flags, flag.key, record.filters)
      return {
        ...record,
        filters: withPayloadTexts(filters),
        ensure_experience_continuity: record.ensure_experience_continuity === true,
        ...(asSince2026 && flag.bucketing_identifier !== undefined
          ? { bucketing_identifier: flag.bucketing_identifier }
          : {}),
      }
    }),
    group_type_mapping: groupTypeMapping(call.project),
    cohorts: withCohorts ? sharedCohorts(call) : {},
    // With 2, SDKs compare true and false as texts; without it, or with others, by truth. [service-today 10]
    ...(asSince2026 ? { property_matching_version: call.quirks.truth_values === 'text' ? 2 : 1 } : {}),
  }
}

function withPayloadTexts(filters: JsonObject): JsonObject {
  if (!isJsonObject(filters.payloads)) return filters
  const texts = Object.entries(filters.payloads).map(([name, payload]) => [name, payloadText(payload)])
  return { ...filters, payloads: Object.fromEntries(texts) }
}

/** Active flags, for callers with local evaluation; with `send_cohorts`, also the cohorts that they name. */
export function localEvaluation(call: ProjectCall): Answer {
  return jsonAnswer(
    definitionsOf(call, { asSince2026: false, withCohorts: call.url.searchParams.has('send_cohorts') }),
  )
}

/** The flags of the owner of the key. */
export function myFlags(call: ProjectCall): Answer {
  const evaluate = evaluationFor(call, { distinctId: call.caller.distinct_id, groups: groupsOf(call) })
  return jsonAnswer(
    call.store.liveFlags.all(call.project.id).map(flag => {
      const evaluation = evaluate(flag)
      return { feature_flag: minimalFlagRecord(call, flag), value: evaluation.value, ...doubtOf(evaluation) }
    }),
  )
}

export function evaluationReasons(call: ProjectCall): Answer {
  const { store, project, quirks, caller, url } = call
  const given = url.searchParams.get('distinct_id')
  if (!given && quirks.evaluation_id_required) throw missingField('distinct_id')
  const evaluate = evaluationFor(call, { distinctId: given || caller.distinct_id, groups: groupsOf(call) })
  const reasons = store.liveFlags.all(project.id).map(flag => {
    const evaluation = evaluate(flag)
    const { value, reason, conditionIndex = null } = evaluation
    return [
      flag.key,
      { value, evaluation: { reason, condition_index: conditionIndex, ...doubtOf(evaluation) } },
    ] as const
  })
  return jsonAnswer(Object.fromEntries(reasons))
}

/**
 * How many people match conditions, ignoring percentages. Accepts one condition, like the public service, or
 * the filters of a flag, as in the document. People who cannot be decided here are counted separately.
 */
export function userBlastRadius(call: ProjectCall): Answer {
  const { condition, filters, group_type_index: groupTypeIndex } = call.body
  const fromFilters = isJsonObject(filters) && isJsonArray(filters.groups) ? filters.groups : []
  const conditions = isJsonObject(condition) ? [condition] : fromFilters
  if (conditions.length === 0) throw invalid(null, 'Missing condition for which to get blast radius')
  const index =
    groupTypeIndex ?? (isJsonObject(filters) ? filters.aggregation_group_type_index : undefined) ?? null
  const matches =
    typeof index === 'number' ? groupMatches(call, conditions, index) : personMatches(call, conditions)
  const open = matches.filter(isUndecided)
  const [reached, all] =
    call.quirks.blast_radius === 'affected' ? ['affected', 'total'] : ['users_affected', 'total_users']
  return jsonAnswer({
    [reached]: matches.filter(match => match === true).length,
    [all]: matches.length,
    ...countOfDoubts(open.map(({ undecided }) => undecided)),
  })
}

/** The persons that get a flag now, and the number of undecided ones, with the first reason. */
export function personsWithFlag(
  call: ProjectCall,
  flag: FlagRow,
): { readonly persons: readonly PersonRow[]; readonly doubt: JsonObject } {
  const flags = knownFlags(call)
  const all = call.store.personsOfProject.all(call.project.id).map(person => ({
    person,
    evaluation: evaluationFor(call, subjectOf(person), flags)(flag),
  }))
  return {
    persons: all.filter(({ evaluation }) => evaluation.value !== false).map(({ person }) => person),
    doubt: countOfDoubts(all.flatMap(({ evaluation }) => evaluation.undecided ?? [])),
  }
}

/** Present if something that is not evaluated here could change the value. */
function doubtOf({ undecided }: Evaluation): JsonObject {
  return undecided === undefined ? {} : { undecided }
}

function countOfDoubts(reasons: readonly string[]): JsonObject {
  const [undecided] = reasons
  return undecided === undefined ? {} : { users_undecided: reasons.length, undecided }
}

function personMatches(call: ProjectCall, conditions: readonly Json[]): readonly Match[] {
  const flags = knownFlags(call)
  return call.store.personsOfProject.all(call.project.id).map(person => {
    const context = contextFor(call, person, flags)
    return anyOf(conditions, condition => matchCondition(condition, null, subjectOf(person), context))
  })
}

function groupMatches(call: ProjectCall, conditions: readonly Json[], index: number): readonly Match[] {
  const { store, project } = call
  const context = contextFor(call, undefined, knownFlags(call))
  return store.groupsOfType
    .all(inContainer(project.id, index))
    .map(group =>
      anyOf(conditions, condition => matchCondition(condition, index, groupSubject(project, group), context)),
    )
}

function anyOf(conditions: readonly Json[], match: (condition: Json) => Match): Match {
  const matches = conditions.map(match)
  return matches.includes(true) || (matches.find(isUndecided) ?? false)
}

function groupsOf({ url }: ProjectCall): Readonly<Record<string, string>> {
  const text = url.searchParams.get('groups')
  if (!text) return {}
  const groups = readJsonIfAny(text)
  if (!isJsonObject(groups)) throw invalid('groups', 'Value must be valid JSON.')
  return Object.fromEntries(Object.entries(groups).map(([type, key]) => [type, String(key)]))
}
