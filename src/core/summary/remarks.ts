import { declarableKind } from '../../kinds/index.ts'
import { type Services, servicesOf } from '../../model/connection.ts'
import type { Json, JsonObject } from '../../model/json/json.ts'
import { targetingField } from '../../model/kind.ts'
import {
  answerText,
  type EvaluatedFlag,
  KnownFlags,
  newDisagreements,
  testedGroup,
  valueText,
  visible,
} from '../../targeting/index.ts'
import type { Change, Plan } from '../change.ts'
import { evaluateAt, evaluatedFlag, evaluatedRecord, shownPerson } from '../declared-tests.ts'
import type { DeclaredTest, Desired } from '../desired.ts'
import { compactManaged, type Live } from '../live.ts'
import type { PlanInput } from '../plan/plan.ts'
import type { ObjectRedaction } from '../redaction.ts'
import { withRenameHints } from './rename-hints.ts'

/**
 * Adds to a plan what readers need beside its changes: hints at renames, the people in tests of flags who get another result, and
 * the new differences between the results of the service and of SDKs, if that service is known to answer.
 */
export function withRemarks(
  made: Plan,
  input: PlanInput,
  /** When it is, in milliseconds since 1970; without it, no test is compared. */
  now?: number,
): Plan {
  const plan = withRenameHints(made, input)
  const { declared, live: snapshot, policy } = input
  const { profile, live } = snapshot
  const services = servicesOf([profile ?? 'documented'], policy.sdks)
  const testing = now === undefined ? undefined : testingOf({ now, services }, live, declared.desired)
  if (plan.changes.length === 0 || (!testing && profile === undefined)) return plan
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

/** The context of tests of declared flags, before a change and after it. */
interface Testing {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly services: Services
  /** The flags that are live. */
  readonly before: KnownFlags
  /** The same with the declared flags, if they are declared. */
  readonly after: KnownFlags
  /** The hidden values. The person of a test may show what conditions compare with. */
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

/** Up to this number are shown one by one. */
const mostShown = 5

/** The people of tests who get another result with a change. */
interface FlippedTests {
  readonly count: number
  /** How many of them do not get the result that their test expects. */
  readonly unexpected: number
  /** A line each; if there are many, only the first. */
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
            `and ${more} more ${more === 1 ? 'person' : 'people'} of tests who ${more === 1 ? 'gets' : 'get'} something else`,
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

/** `person "ada" did not get it, and gets it from now on, as the test at flags.yaml:6 expects`. */
function flipText({ test, filters, was, becomes }: Flip, { redaction }: Testing): string {
  const { value } = test
  const source = test.sourceOf?.()
  const given = source ? `the test at ${visible(source.file)}:${source.line}` : 'its test'
  const named = nameText(test, filters, redaction)
  const who = named ?? `the ${testedGroup(test, filters) === undefined ? 'person' : 'group'} of ${given}`
  const one = named === undefined ? 'that test' : given
  const verdict = becomes === value ? `as ${one} expects` : `but ${one} expects ${answerText(value)}`
  return `${who} ${gotText(was)}, and ${getsText(becomes)} from now on, ${verdict}`
}

/** The person of a test, if they have a name that may be shown. */
function nameText(test: DeclaredTest, filters: Json, redaction: Testing['redaction']): string | undefined {
  const name = shownPerson(test, redaction)
  const person = name === undefined ? undefined : `person ${valueText(name)}`
  const group = redaction?.hides('values') ? undefined : testedGroup(test, filters)
  if (group === undefined) return person
  return [`group ${valueText(group)}`, ...(person === undefined ? [] : [person])].join(' of ')
}

function gotText(value: boolean | string): string {
  if (value === false) return 'did not get it'
  return value === true ? 'got it' : `got variant ${valueText(value)}`
}

function getsText(value: boolean | string): string {
  if (value === false) return 'does not get it'
  return value === true ? 'gets it' : `gets variant ${valueText(value)}`
}
