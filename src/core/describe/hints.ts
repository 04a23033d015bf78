import { declarableKind } from '../../kinds/index.ts'
import { type Services, servicesOf } from '../../model/connection.ts'
import { withoutElsewhere } from '../../model/field.ts'
import {
  type DeclarableKind,
  identityField,
  isDescription,
  managedFields,
  objectAddress,
  switchField,
  targetingField,
} from '../../model/kind.ts'
import type { Problem } from '../../model/problem.ts'
import { isEmptyJson, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { compareTexts } from '../../model/text/names.ts'
import { shellWord } from '../../model/text/printable.ts'
import { ignoredNegations } from '../../targeting/check/check-filters.ts'
import {
  type EvaluatedFlag,
  KnownFlags,
  newDisagreements,
  testedGroup,
  valueText,
  visible,
} from '../../targeting/index.ts'
import type { Change, Plan } from '../change.ts'
import { evaluateAt, evaluatedFlag, evaluatedRecord, shownPerson } from '../declared-tests.ts'
import type { Declarations, DeclaredTest, Desired } from '../desired.ts'
import { isSameField } from '../diff.ts'
import { lossByRename, lostWith } from '../flag-links.ts'
import {
  canonicalField,
  canonicalIdentity,
  compactManaged,
  findLive,
  indexLive,
  isListedApart,
  isRecognizable,
  type Live,
} from '../live.ts'
import { hasOwnershipTag } from '../ownership.ts'
import { brokenRules, unreadable } from '../plan/block.ts'
import { levelProblems, offerProblems } from '../plan/object-context.ts'
import type { PlanInput } from '../plan/plan.ts'
import { commandAt, type Policy } from '../policy.ts'
import type { Snapshot } from '../read/snapshot.ts'
import type { ObjectRedaction } from '../redaction.ts'
import { areDrawn } from './describe-change.ts'

/**
 * Adds hints to a plan: possible renames, people in tests who get another result, and new differences between
 * the service and SDKs, if it is known which service answers.
 */
export function withRemarks(
  made: Plan,
  input: PlanInput,
  /** The current time, in milliseconds since 1970; if absent, no tests run. */
  now?: number,
): Plan {
  if (made.changes.length === 0) return made
  const plan = withRenameHints(made, input)
  const { declared, live: snapshot, policy } = input
  const { profile, live } = snapshot
  const services = servicesOf([profile ?? 'documented'], policy.sdks)
  const testing = now === undefined ? undefined : testingOf({ now, services }, live, declared.desired)
  const desired = new Map(declared.desired.map(one => [one.address, one]))
  const byId = new Map(live.map(one => [`${one.kind}#${one.id}`, one]))
  const remarked = (change: Change): Change => {
    const { kind: name, id, action, after } = change
    const kind = declarableKind(name)
    const field = targetingField(kind)
    if (field === undefined) return change
    const found = id === undefined ? undefined : byId.get(`${name}#${id}`)
    const whole = found ? compactManaged(kind, found.record) : null
    const redaction = policy.redaction?.of(change)
    const { tests = [] } = desired.get(change.address) ?? {}
    const sides = [
      found?.isSoftDeleted ? null : whole,
      action === 'delete' ? null : { ...whole, ...after },
    ] as const
    const flipped =
      testing && tests.length > 0
        ? flippedTests(change.identity, tests, sides, { ...testing, redaction })
        : { count: 0, unexpected: 0, summary: [] }
    const { [field]: becomes } = after
    const differing =
      becomes === undefined || profile === undefined
        ? []
        : newDisagreements(whole?.[field] ?? null, becomes, services, redaction?.hides('values'))
    const { summary, count, unexpected } = flipped
    if (count === 0 && differing.length === 0) return change
    return {
      ...change,
      summary: [...change.summary, ...summary, ...differing],
      ...(count > 0 ? { flippedTests: { count, unexpected } } : {}),
    }
  }
  return { ...plan, changes: plan.changes.map(remarked) }
}

/** The flags before and after a change, for tests. */
interface Testing {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly services: Services
  /** The flags that are live. */
  readonly before: KnownFlags
  /** The same, with the declared flags as declared. */
  readonly after: KnownFlags
  /** The hidden values: the person of a test may reveal values of conditions. */
  readonly redaction?: ObjectRedaction | undefined
}

/** Undefined if there are no tests. */
function testingOf(
  place: Pick<Testing, 'now' | 'services'>,
  live: readonly Live[],
  declared: readonly Desired[],
): Testing | undefined {
  if (declared.every(({ tests }) => tests === undefined)) return undefined
  const kinds = new Set(declared.flatMap(({ kind, tests }) => (tests ? [kind] : [])))
  const flags = live.filter(({ kind }) => kinds.has(kind))
  const desired = new Map(declared.map(one => [`${one.kind} ${one.identity}`, one]))
  const found = new Set<Desired>()
  const known = flags.map((one): readonly [EvaluatedFlag, EvaluatedFlag] => {
    const before = evaluatedRecord({ ...one.record, deleted: one.isSoftDeleted })
    const meant = desired.get(`${one.kind} ${one.identity}`)
    if (!meant) return [before, before]
    found.add(meant)
    return [before, { ...before, ...evaluatedFlag(meant) }]
  })
  const made = declared.filter(one => kinds.has(one.kind) && !found.has(one))
  return {
    ...place,
    before: new KnownFlags(known.map(([before]) => before)),
    after: new KnownFlags([...known.map(([, after]) => after), ...made.map(evaluatedFlag)]),
  }
}

/** The largest number of people that are listed. */
const mostShown = 5

/** The people in tests who get another result with a change. */
interface FlippedTests {
  readonly count: number
  /** How many of them do not get the expected result. */
  readonly unexpected: number
  /** One line for each person, up to a limit. */
  readonly summary: readonly string[]
}

/**
 * The people in a flag's tests who get another result after a change. A flag that does not exist, or is
 * deleted, gives false. If either side is undecided, nothing is reported.
 */
function flippedTests(
  key: string,
  tests: readonly DeclaredTest[],
  [was, becomes]: readonly [JsonObject | null, JsonObject | null],
  testing: Testing,
): FlippedTests {
  const [before, after] = [flagOf(key, was), flagOf(key, becomes)]
  const flipped = tests.flatMap(test => {
    const old = evaluateAt(testing, before, test.subject, testing.before)
    const now = evaluateAt(testing, after, test.subject, testing.after)
    const isOpen = old.undecided !== undefined || now.undecided !== undefined
    return isOpen || old.value === now.value
      ? []
      : [
          {
            test,
            filters: (after.deleted === true ? before : after).filters ?? null,
            was: old.value,
            becomes: now.value,
          },
        ]
  })
  const more = flipped.length - mostShown
  return {
    count: flipped.length,
    unexpected: flipped.filter(({ test, becomes }) => becomes !== test.value).length,
    summary: [
      ...flipped.slice(0, mostShown).map(flip => flipText(flip, testing)),
      ...(more > 0
        ? [
            `and ${more} more ${more === 1 ? 'person' : 'people'} in tests who ${more === 1 ? 'gets' : 'get'} another result`,
          ]
        : []),
    ],
  }
}

function flagOf(key: string, record: JsonObject | null): EvaluatedFlag {
  return record === null ? { key, deleted: true } : evaluatedRecord({ ...record, key })
}

interface Flip {
  readonly test: DeclaredTest
  readonly filters: Json
  readonly was: boolean | string
  readonly becomes: boolean | string
}

/** `person "ada": off -> on, as the test at flags.yaml:6 expects`. */
function flipText({ test, filters, was, becomes }: Flip, { redaction }: Testing): string {
  const { value } = test
  const source = test.sourceOf?.()
  const given = source ? `the test at ${visible(source.file)}:${source.line}` : 'its test'
  const named = nameText(test, filters, redaction)
  const who = named ?? `the ${testedGroup(test, filters) === undefined ? 'person' : 'group'} of ${given}`
  const one = named === undefined ? 'that test' : given
  const verdict = becomes === value ? `as ${one} expects` : `but ${one} expects ${flipValue(value)}`
  return `${who}: ${flipValue(was)} -> ${flipValue(becomes)}, ${verdict}`
}

/** The person of a test, if they have a name that may be shown. */
function nameText(test: DeclaredTest, filters: Json, redaction: Testing['redaction']): string | undefined {
  const name = shownPerson(test, redaction)
  const person = name === undefined ? undefined : `person ${valueText(name)}`
  const group = redaction?.hides('values') ? undefined : testedGroup(test, filters)
  if (group === undefined) return person
  return [`group ${valueText(group)}`, ...(person === undefined ? [] : [person])].join(' of ')
}

function flipValue(value: boolean | string): string {
  if (value === false) return 'off'
  return value === true ? 'on' : `variant ${valueText(value)}`
}

/**
 * Adds a hint to a new flag that looks like a live, undeclared one: a changed key in a file creates a second
 * flag, without grants, although a rename may be intended.
 *
 * | undeclared live flag with the same filters        | hint |
 * |---------------------------------------------------|------|
 * | it has the ownership tag, or was declared before  | yes  |
 * | the filters name properties, variants or payloads | yes  |
 * | they do not, but both have the same description   | yes  |
 * | they do not, and nothing else is equal            | no   |
 */
function withRenameHints(plan: Plan, input: PlanInput): Plan {
  const { changes } = plan
  const isCreated = ({ kind, action }: Change) => action === 'create' && isRecognizable(declarableKind(kind))
  if (!changes.some(isCreated)) return plan
  const candidates = undeclared(input)
  const { placeOptions } = input.policy
  const deleted = new Set(
    changes.flatMap(({ kind, action, id }) => (action === 'delete' ? [`${kind}#${id}`] : [])),
  )
  const withHint = (change: Change): Change => {
    if (change.action !== 'create') return change
    const [first, ...others] = similar(change, candidates, input)
    if (!first) return change
    const isDeleted = deleted.has(`${first.kind}#${first.id}`)
    return hinted(change, first, { others: others.length, isDeleted, placeOptions })
  }
  return { ...plan, changes: changes.map(withHint) }
}

/** Live objects that no declaration names, by key or by id. */
function undeclared({ declared: declarations, live: snapshot }: PlanInput): Live[] {
  const named = new Set(
    [...declarations.desired, ...(declarations.skipped ?? [])].flatMap(({ kind, identity, id }) => [
      `${kind}/${canonicalIdentity(declarableKind(kind), identity)}`,
      ...(id === undefined ? [] : [`${kind}#${id}`]),
    ]),
  )
  return [...snapshot.live, ...(snapshot.undeclared ?? [])].filter(
    live =>
      !live.isSoftDeleted &&
      isRecognizable(declarableKind(live.kind)) &&
      !isListedApart(declarableKind(live.kind), live) &&
      !named.has(`${live.kind}/${live.identity}`) &&
      !named.has(`${live.kind}#${live.id}`),
  )
}

/** Undeclared objects that look like the new one, the most similar first. */
function similar(change: Change, candidates: readonly Live[], { policy, records }: PlanInput): Live[] {
  const { base = {} } = records ?? {}
  const kind = declarableKind(change.kind)
  const field = targetingField(kind) ?? ''
  const filters = change.after[field] ?? null
  const described = managedFields(kind).filter(name => isDescription(kind, name))
  const { tag } = policy.ownership
  const rank = (live: Live) => {
    const wasOurs =
      base[objectAddress(live.kind, live.identity)]?.ensure === 'present' ||
      (tag !== undefined && hasOwnershipTag(kind, live.record, tag))
    const isDescribedAlike = described.some(name => {
      const words = change.after[name]
      const isGiven = typeof words === 'string' && words.trim() !== ''
      return isGiven && isSameField(kind, name, words, live.record[name] ?? null)
    })
    return (wasOurs ? 4 : 0) + (isDescribedAlike ? 2 : 0) + (isTelling(kind, field, filters) ? 1 : 0)
  }
  return candidates
    .filter(live => live.kind === change.kind)
    .filter(({ record }) =>
      [record[field] ?? null, withoutElsewhere(kind.fields[field], record[field] ?? null)].some(value =>
        isSameField(kind, field, filters, value),
      ),
    )
    .filter(live => rank(live) > 0)
    .sort((left, right) => rank(right) - rank(left) || compareTexts(left.identity, right.identity))
}

/** Whether filters contain more than a percentage of everybody. */
function isTelling(kind: DeclarableKind, field: string, filters: Json): boolean {
  const canonical = canonicalField(kind, field, filters)
  if (!isJsonObject(canonical)) return false
  const { groups, ...others } = canonical
  if (Object.values(others).some(member => !isEmptyJson(member))) return true
  return isJsonArray(groups) && groups.some(group => isJsonObject(group) && !isEmptyJson(group.properties))
}

function hinted(
  change: Change,
  { kind, identity, id, record }: Live,
  {
    others,
    isDeleted,
    placeOptions,
  }: Pick<Policy, 'placeOptions'> & {
    readonly others: number
    readonly isDeleted: boolean
  },
): Change {
  const of = declarableKind(kind)
  const flag = {
    filters: record[targetingField(of) ?? ''] ?? null,
    active: record[switchField(of) ?? ''] !== false,
  }
  const loss = lossByRename(of, lostWith(of, record), areDrawn([flag]))
  const body = shellWord(JSON.stringify({ [identityField(of)]: change.identity }))
  const fate = isDeleted ? ' and deleted by this plan' : ''
  const more = others === 0 ? '' : `; ${others === 1 ? '1 other has' : `${others} others have`} them too`
  const way = commandAt(`vexil call ${kind}.update id=${id} --body ${body}`, placeOptions)
  const hint = [
    `has the same filters as ${visible(identity)} (id ${id}), which is not declared${fate}${more}`,
    `if this is a rename, run ${way}: it changes the key and keeps the id and grants; then plan again`,
    ...(loss === undefined ? [] : [loss]),
  ]
  return {
    ...change,
    summary: [...change.summary, ...hint],
    renameOf: { $ref: objectAddress(kind, identity), identity, id },
  }
}

/** Problems of declarations that are found only with the live service. Errors stop the plan. */
export function problemsBeside(declarations: Declarations, snapshot: Snapshot): Problem[] {
  return [
    ...levelProblems(declarations, snapshot),
    ...offerProblems(declarations, snapshot),
    ...liveOnlyProblems(declarations, snapshot),
    ...ignoredProblems(declarations, snapshot),
  ]
}

function liveOnlyProblems({ desired }: Declarations, snapshot: Snapshot): Problem[] {
  const conditional = desired.filter(
    ({ liveOnly = [], ensure }) => liveOnly.length > 0 && ensure === 'present',
  )
  if (conditional.length === 0) return []
  const index = indexLive(snapshot.live)
  return conditional.flatMap(one => {
    const kind = declarableKind(one.kind)
    const found = findLive(index, kind, one)
    // Unreadable or ambiguous objects are blocked anyway.
    if (found.length > 1 || unreadable({ kind, desired: one, snapshot })) return []
    return brokenRules(kind, one, found[0]).map(({ problem }) => problem)
  })
}

/** Errors for exclusions that the service ignores. Before the service is known, these are warnings. */
function ignoredProblems({ desired }: Declarations, { profile, isGuessed }: Snapshot): Problem[] {
  if (profile === undefined || isGuessed) return []
  return desired.flatMap(({ kind: name, fields, ensure, address, source }) => {
    const value = fields[targetingField(declarableKind(name)) ?? ''] ?? null
    const at = { address, ...(source ? { source } : {}) }
    return ensure === 'absent'
      ? []
      : ignoredNegations(value, profile).map(({ severity, code, message, hint }) => ({
          severity,
          code,
          message,
          hint,
          ...at,
        }))
  })
}
