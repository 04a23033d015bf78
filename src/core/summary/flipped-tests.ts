import type { Services } from '../../model/connection.ts'
import type { Json, JsonObject } from '../../model/json/json.ts'
import {
  answerText,
  type EvaluatedFlag,
  KnownFlags,
  testedGroup,
  valueText,
  visible,
} from '../../targeting/index.ts'
import { evaluateAt, evaluatedFlag, evaluatedRecord, shownPerson } from '../declared-tests.ts'
import type { DeclaredTest, Desired } from '../desired.ts'
import type { Live } from '../live.ts'
import type { ObjectRedaction } from '../redaction.ts'

/** The context of tests of declared flags, before a change and after it. */
export interface Testing {
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
export function testingOf(
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
export interface FlippedTests {
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
export function flippedTests(
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
