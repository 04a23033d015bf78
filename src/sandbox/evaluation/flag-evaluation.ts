import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { readJsonIfAny } from '../../model/json/json-text.ts'
import { type Evaluation, isUndecided, type Match, matchCondition } from '../../targeting/index.ts'
import { knownFlags } from '../flags/flag-dependencies.ts'
import { minimalFlagRecord } from '../flags/flag-record.ts'
import { type Answer, invalid, jsonAnswer, missingField } from '../http/refusal.ts'
import type { ProjectCall } from '../resource/resource.ts'
import { inContainer } from '../store/collection.ts'
import type { FlagRow, PersonRow } from '../store/rows.ts'
import { contextFor, definitionsOf, evaluationFor, groupSubject, subjectOf } from './evaluation-for.ts'

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

/** The reason for a person's value. */
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
