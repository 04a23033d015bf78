import type { Profile } from '../../model/connection.ts'
import { isJsonObject, type JsonObject } from '../../model/json/json.ts'
import { enginesOf } from '../../services/engines.ts'
import {
  type Evaluation,
  type EvaluationByEngines,
  type EvaluationContext,
  evaluateByEngines,
  evaluateFlag,
  type KnownFlags,
  payloadText,
  type Subject,
} from '../../targeting/index.ts'
import type { Quirks } from '../behaviour/quirks.ts'
import { knownFlags, withDependencyChains } from '../flags/flag-dependencies.ts'
import { minimalFlagRecord } from '../flags/flag-record.ts'
import type { ProjectCall } from '../resource/resource.ts'
import { groupTypeMapping, groupTypesOf } from '../seed/project.ts'
import { inContainer } from '../store/collection.ts'
import type { CohortRow, FlagRow, GroupRow, PersonRow, ProjectRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'

/** The context of an evaluation: the content of the project, at one moment. */
export interface Surroundings {
  readonly store: Store
  readonly project: ProjectRow
  readonly quirks: Quirks
  /** Milliseconds since 1970. */
  readonly now: number
}

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
  return flag => evaluateFlag(flag, known, context)
}

/** The value of a flag for a subject, and the SDKs with local evaluation that would give another one. */
export function evaluationByEngines(
  surroundings: Surroundings,
  profile: Profile,
  subject: Subject,
  flag: FlagRow,
): EvaluationByEngines {
  const { known, context } = around(surroundings, subject, knownFlags(surroundings))
  return evaluateByEngines(flag, known, context, enginesOf(profile, { rules: surroundings.quirks }))
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
export function groupSubject(project: ProjectRow, group: GroupRow): Subject {
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

/** Whether a cohort, or one that it names, depends on behaviour. Conditions refuse such cohorts. */
export function isBehavioral(store: Store, cohort: CohortRow, seen = new Set([cohort.id])): boolean {
  const isSo = (entry: unknown): boolean => {
    if (!isJsonObject(entry)) return false
    if (entry.type === 'behavioral') return true
    if (Array.isArray(entry.values)) return entry.values.some(isSo)
    const other = entry.type === 'cohort' ? store.cohorts.get(Number(entry.value)) : undefined
    if (!other || seen.has(other.id)) return false
    seen.add(other.id)
    return isBehavioral(store, other, seen)
  }
  return isSo(cohort.properties)
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
