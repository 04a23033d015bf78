import pMap from 'p-map'
import { type Client, isRequestFailure, isServiceError } from '../../api/index.ts'
import { doubleOf } from '../../hcl/json.ts'
import { declarableKind } from '../../kinds/index.ts'
import { type DeclarableKind, targetingField } from '../../model/kind.ts'
import { risks } from '../../model/risk.ts'
import {
  canonicalText,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../model/text/json.ts'
import { describeCondition, isFlagId, renameFlags } from '../../targeting/index.ts'
import { servicesBehind } from '../../targeting/operators.ts'
import type { Change, Plan } from '../change.ts'
import { isSameField } from '../diff.ts'
import type { Redaction } from '../redaction.ts'

export interface EstimateOptions {
  readonly client: Client
  readonly parallelism: number
  /** The largest number of conditions to estimate; the riskiest changes come first. */
  readonly budget: number
  readonly signal?: AbortSignal
  readonly redaction?: Redaction
}

/** How many people a condition matches now, and how many people there are. */
interface Reach {
  readonly matching: number
  readonly total: number
  /** How many more people may match, and why. Only the sandbox reports this. */
  readonly open?: { readonly count: number; readonly why: string }
}

/** A missing estimate. Without a reason, no request was sent. */
interface Missing {
  readonly why: string | undefined
  /** Whether other requests would fail too. */
  readonly endsAll?: boolean
}

export interface EstimatedPlan {
  readonly plan: Plan
  readonly note?: string
}

/**
 * Adds the estimates of the service to a plan: how many people the new conditions of each flag reach.
 * Estimates are per condition and may overlap. If the service fails, the plan stays valid, and a note counts
 * the missing estimates. Only after a 400, which is about one condition, more requests are sent.
 */
export async function addEstimates(plan: Plan, options: EstimateOptions): Promise<EstimatedPlan> {
  const riskiestFirst = plan.changes.toSorted(
    (left, right) => risks.indexOf(right.risk) - risks.indexOf(left.risk),
  )
  const asked = riskiestFirst.flatMap(change =>
    newConditions(change).map(condition => askedOf(change, condition)),
  )
  const wanted = new Map(asked.map(each => [textOf(each), each]))
  const questions = [...wanted].slice(0, options.budget)
  const answers = await askAll(
    questions.map(([, each]) => each),
    options,
  )
  const reaches = new Map(questions.map(([text], index) => [text, answers[index]]))
  const changes = plan.changes.map(change => {
    const words = newConditions(change).map(condition =>
      reachSummary(
        shownCondition(change, condition, options.redaction),
        reaches.get(textOf(askedOf(change, condition))),
      ),
    )
    return words.length === 0 ? change : { ...change, summary: [...change.summary, ...new Set(words)] }
  })
  const note = noteOf(answers, wanted.size)
  // An error may quote hidden values, which are known by now.
  return { plan: { ...plan, changes }, ...(note && { note: options.redaction?.text(note) ?? note }) }
}

async function askAll(
  questions: readonly Asked[],
  options: EstimateOptions,
): Promise<readonly (Reach | Missing)[]> {
  let isOver = false
  return pMap(
    questions,
    async question => {
      if (isOver) return { why: undefined }
      const answer = await askReach(question, options)
      if ('why' in answer && answer.endsAll) isOver = true
      return answer
    },
    { concurrency: options.parallelism },
  )
}

/** The number of missing estimates, and the reason of the first one. */
function noteOf(answers: readonly (Reach | Missing)[], wanted: number): string | undefined {
  const missing = answers.filter(answer => 'why' in answer)
  const failed = missing.find(({ why }) => why !== undefined)
  const [why, count] = failed
    ? [failed.why, missing.length + wanted - answers.length]
    : [`a plan requests at most ${answers.length} estimates`, wanted - answers.length]
  return count === 0 ? undefined : `${count} of ${wanted} new conditions have no estimate: ${why}`
}

/** The condition with placeholders for its hidden values. */
function shownCondition(change: Change, condition: JsonObject, redaction: Redaction | undefined): JsonObject {
  const field = targetingField(declarableKind(change.kind))
  if (!redaction || field === undefined) return condition
  const fields = redaction.of(change)?.fields({ [field]: { groups: [condition] } })
  return conditionsIn(fields?.[field] ?? null)[0] ?? condition
}

interface Asked {
  readonly kind: DeclarableKind
  /** In the form of the API. */
  readonly condition: JsonObject
}

/** Names other flags by id. A flag that does not exist yet has no id, and nobody has it. */
function askedOf({ kind, names = [] }: Change, condition: JsonObject): Asked {
  const ids = new Map(names.map(({ identity, id }) => [identity, id]))
  const byId = renameFlags({ groups: [condition] }, name => (isFlagId(name) ? name : (ids.get(name) ?? name)))
  return { kind: declarableKind(kind), condition: conditionsIn(byId)[0] ?? condition }
}

/** Equal for conditions that need the same request to the service. */
function textOf({ kind, condition }: Asked): string {
  return `${kind.name} ${canonicalText(questionOf(condition))}`
}

/** The new conditions of a change, as they will be sent. */
function newConditions({ kind: name, action, before, after }: Change): JsonObject[] {
  const kind = declarableKind(name)
  const field = targetingField(kind)
  if (action === 'delete' || field === undefined || !(field in after) || !kind.lifecycle.estimate) return []
  const [was, becomes] = [before[field] ?? null, after[field] ?? null]
  // A new flag for everybody has no filters to compare, but its condition is new.
  if (action !== 'create' && isSameField(kind, field, was, becomes)) return []
  const known = new Set(conditionsIn(was).map(canonicalText))
  return conditionsIn(becomes).filter(condition => !known.has(canonicalText(condition)))
}

function conditionsIn(filters: Json): JsonObject[] {
  const groups = isJsonObject(filters) ? filters.groups : undefined
  const index = isJsonObject(filters) ? filters.aggregation_group_type_index : undefined
  const conditions = isJsonArray(groups) ? groups.filter(isJsonObject) : []
  // A request counts either people or one group type; only the filters show which.
  return conditions.map(condition => {
    const counted = condition.aggregation_group_type_index ?? index
    return typeof counted === 'number' ? { ...condition, group_type_index: counted } : condition
  })
}

function questionOf({ properties, group_type_index }: JsonObject): JsonObject {
  return {
    condition: { properties: properties ?? [] },
    ...(typeof group_type_index === 'number' ? { group_type_index } : {}),
  }
}

async function askReach(
  { kind, condition }: Asked,
  { client, signal }: EstimateOptions,
): Promise<Reach | Missing> {
  const { byService } = kind.fields[targetingField(kind) ?? ''] ?? {}
  const sent = byService?.toWire({ groups: [condition] }, servicesBehind(client.target)) ?? null
  try {
    const { body } = await client.call(kind.name, kind.lifecycle.estimate ?? '', {
      body: questionOf(conditionsIn(sent)[0] ?? condition),
      signal,
    })
    return (
      readReach(body) ?? { why: 'the service answered with something that is not an estimate', endsAll: true }
    )
  } catch (error) {
    if (!isRequestFailure(error)) throw error
    return { why: error.message, endsAll: !(isServiceError(error) && error.status === 400) }
  }
}

function readReach(body: Json): Reach | undefined {
  if (!isJsonObject(body)) return undefined
  // Newer services use shorter names.
  const [matching, total] = [body.users_affected ?? body.affected, body.total_users ?? body.total]
  if (!isCount(matching) || !isCount(total) || matching > total) return undefined
  const { users_undecided: count, undecided: why } = body
  const isOpen = typeof count === 'number' && typeof why === 'string'
  return { matching, total, ...(isOpen ? { open: { count, why } } : {}) }
}

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function reachSummary(condition: JsonObject, reach: Reach | Missing | undefined): string {
  if (!reach || 'why' in reach) return 'reach: not available'
  const percent = doubleOf(condition.rollout_percentage) ?? 100
  const people = Math.round((reach.matching * percent) / 100)
  const open = reach.open ? `; ${reach.open.count} more may match: ${reach.open.why}` : ''
  return `reach: ${describeCondition(condition)}: about ${people} of ${reach.total} (estimate${open})`
}
