import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/json.ts'
import { readJson } from '../model/json-text.ts'
import {
  type Evaluation,
  type EvaluationContext,
  evaluateFlag,
  type KnownFlags,
  matchCondition,
  type Subject,
} from '../targeting/index.ts'
import { type Answer, jsonAnswer } from './answer.ts'
import type { ProjectCall } from './call.ts'
import { knownFlags, withDependencyChains } from './flag-dependencies.ts'
import { minimalFlagRecord } from './flag-record.ts'
import { invalid, missingField } from './refusal.ts'
import type { FlagRow, PersonRow } from './rows.ts'
import { inProject } from './store.ts'

/** The group types of every project, by index. */
const groupTypes = { '0': 'organization' } as const

/** Active flags, for callers that evaluate them by themselves. */
export function localEvaluation(call: ProjectCall): Answer {
  const active = call.store.liveFlags.all(call.project.id).filter(flag => flag.active)
  const flags = knownFlags(call)
  return jsonAnswer({
    flags: active.map(flag => {
      const record = minimalFlagRecord(call, flag)
      return { ...record, filters: withDependencyChains(flags, flag.key, record.filters ?? null) }
    }),
    group_type_mapping: groupTypes,
    cohorts: {},
  })
}

/** What the person whose key it is gets. */
export function myFlags(call: ProjectCall): Answer {
  const evaluate = evaluationFor(call, call.caller.distinct_id)
  return jsonAnswer(
    call.store.liveFlags.all(call.project.id).map(flag => ({
      feature_flag: minimalFlagRecord(call, flag),
      value: evaluate(flag).value,
    })),
  )
}

/** Why a person gets what they get. */
export function evaluationReasons(call: ProjectCall): Answer {
  const { store, project, quirks, caller, url } = call
  const given = url.searchParams.get('distinct_id')
  if (!given && quirks.evaluation_id_required) throw missingField('distinct_id')
  const evaluate = evaluationFor(call, given || caller.distinct_id)
  const reasons = store.liveFlags.all(project.id).map(flag => {
    const { value, reason, conditionIndex } = evaluate(flag)
    return [flag.key, { value, evaluation: { reason, condition_index: conditionIndex ?? null } }] as const
  })
  return jsonAnswer(Object.fromEntries(reasons))
}

/**
 * How many people conditions reach, leaving their percentages aside. Takes one condition, as the public service
 * does, or the filters of a flag, as the document has it.
 */
export function userBlastRadius(call: ProjectCall): Answer {
  const { condition, filters, group_type_index: groupType } = call.body
  const fromFilters = isJsonObject(filters) && isJsonArray(filters.groups) ? filters.groups : []
  const conditions = isJsonObject(condition) ? [condition] : fromFilters
  if (conditions.length === 0) throw invalid(null, 'Missing condition for which to get blast radius')
  const index =
    groupType ?? (isJsonObject(filters) ? filters.aggregation_group_type_index : undefined) ?? null
  // No groups are kept here, so a condition on groups reaches none.
  if (typeof index === 'number') return jsonAnswer({ users_affected: 0, total_users: 0 })
  const persons = call.store.personsOfProject.all(call.project.id)
  const flags = knownFlags(call)
  const reached = persons.filter(person => conditions.some(one => isReached(call, person, one, flags)))
  return jsonAnswer({ users_affected: reached.length, total_users: persons.length })
}

/** The persons that get a flag now. */
export function personsWithFlag(call: ProjectCall, flag: FlagRow): readonly PersonRow[] {
  const flags = knownFlags(call)
  return call.store.personsOfProject
    .all(call.project.id)
    .filter(person => evaluationFor(call, person.distinct_ids[0] ?? '', flags)(flag).value !== false)
}

function isReached(call: ProjectCall, person: PersonRow, condition: Json, flags: KnownFlags): boolean {
  const subject = { distinctId: person.distinct_ids[0] ?? '', properties: person.properties }
  return matchCondition(condition, null, subject, contextFor(call, person, flags)) === true
}

/** What one person gets of any flag. */
function evaluationFor(
  call: ProjectCall,
  distinctId: string,
  flags = knownFlags(call),
): (flag: FlagRow) => Evaluation {
  const person = call.store.personByDistinctId.get(inProject(call.project.id, distinctId))
  const subject: Subject = { distinctId, properties: person?.properties ?? {}, groups: groupsOf(call) }
  const context = contextFor(call, person, flags)
  return flag => evaluateFlag(flag, subject, context)
}

function contextFor(call: ProjectCall, person: PersonRow | undefined, flags: KnownFlags): EvaluationContext {
  return { now: call.now, groupTypes, cohorts: cohortsFor(call, person), flags, isComplete: true }
}

/** Everybody in a static cohort was written down, so for one person it is either no restriction or never met. */
function cohortsFor({ store }: ProjectCall, person: PersonRow | undefined): JsonObject {
  const never = { type: 'AND', values: [{ key: '$never', type: 'person', operator: 'is_set' }] }
  const always = { type: 'AND', values: [] }
  const cohorts = [...store.cohorts.all()].map(cohort => {
    const isMember = person !== undefined && cohort.persons.includes(person.id)
    return [String(cohort.id), isMember ? always : never] as const
  })
  return Object.fromEntries(cohorts)
}

function groupsOf({ url }: ProjectCall): Readonly<Record<string, string>> {
  const text = url.searchParams.get('groups')
  if (!text) return {}
  const groups = parseGroups(text)
  if (!groups) throw invalid('groups', 'Value must be valid JSON.')
  return Object.fromEntries(Object.entries(groups).map(([type, key]) => [type, String(key)]))
}

function parseGroups(text: string): JsonObject | undefined {
  try {
    const value = readJson(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
