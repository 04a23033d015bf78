import type { Services } from '../model/connection.ts'
import { isJsonObject, type Json, type JsonObject } from '../model/json/json.ts'
import { standIn } from '../model/redacted-part.ts'
import type { PropertyMatchingVersion } from '../services/engines.ts'
import {
  type AnySubject,
  type EvaluatedFlag,
  type EvaluationOnServices,
  evaluateOnServices,
  judgeTest,
  type KnownFlags,
  type TestOutcome,
} from '../targeting/index.ts'
import type { DeclaredTest, Desired } from './desired.ts'
import type { ObjectRedaction, Redaction } from './redaction.ts'

/** A test of a declared flag that was run. */
export interface RunTest extends TestOutcome {
  readonly test: DeclaredTest
  readonly evaluation: EvaluationOnServices
  /** The services that may answer. */
  readonly services: Services
}

/** A declared flag with its tests. */
export interface TestedFlag {
  readonly desired: Desired
  readonly tests: readonly RunTest[]
}

/** The tests of one environment, with their results. */
export interface TestedEnvironment {
  /** Undefined if there is only one, without a name. */
  readonly name?: string
  readonly flags: readonly TestedFlag[]
}

/** A declared flag as it is evaluated. */
export function evaluatedFlag({ identity: key, ensure, fields }: Desired): EvaluatedFlag {
  const { active } = fields
  return {
    key,
    deleted: ensure === 'absent',
    ...(typeof active === 'boolean' ? { active } : {}),
    ...deciding(fields),
  }
}

/** A live flag as it is evaluated. */
export function evaluatedRecord(record: JsonObject): EvaluatedFlag {
  const { id, key, active, deleted } = record
  return {
    ...(typeof id === 'number' ? { id } : {}),
    key: String(key),
    active: active !== false,
    deleted: deleted === true,
    ...deciding(record),
  }
}

function deciding({
  filters,
  bucketing_identifier,
  ensure_experience_continuity,
}: JsonObject): Omit<EvaluatedFlag, 'key'> {
  return {
    ...(filters === undefined ? {} : { filters }),
    ...(bucketing_identifier === undefined ? {} : { bucketing_identifier }),
    ...(ensure_experience_continuity === undefined ? {} : { ensure_experience_continuity }),
  }
}

/** Undeclared parts are decided by the service. */
export function asFarAsDeclared(
  { ensure, fields: { filters, active } }: Desired,
  evaluation: EvaluationOnServices,
): EvaluationOnServices {
  if (ensure === 'absent' || active === false) return evaluation
  const { by, reason, value } = evaluation
  if (filters === undefined)
    return { by, reason, value: false, others: [], sdks: [], undecided: 'who gets it is not declared here' }
  const isOpen = active === undefined && value !== false && evaluation.undecided === undefined
  return isOpen ? { ...evaluation, undecided: 'whether it is on is not declared here' } : evaluation
}

export interface EvaluationPlace {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly services: Services
  /** The version of the project, if it is known. */
  readonly version?: PropertyMatchingVersion | undefined
}

/**
 * What a person gets from a flag whose groups go by the numbers of their types. If a flag keeps results under
 * an earlier id, results that depend on the id are undecided: the other id is not known here.
 */
export function evaluateAt(
  { now, services, version }: EvaluationPlace,
  flag: EvaluatedFlag,
  subject: AnySubject,
  flags: KnownFlags,
): EvaluationOnServices {
  const context = { now, groupTypes: numberedGroupTypes, flags }
  const evaluation = evaluateOnServices(flag, subject, context, services, version)
  const { distinctId, ...unnamed } = subject
  if (flag.ensure_experience_continuity !== true || evaluation.undecided !== undefined) return evaluation
  if (distinctId === undefined) return evaluation
  const properties = { distinct_id: distinctId, ...unnamed.properties }
  const open = evaluateOnServices(flag, { ...unnamed, properties }, context, services, version)
  return open.undecided === undefined ? evaluation : { ...evaluation, undecided: continued }
}

const continued =
  'whoever was counted under another id before keeps what they had (ensure_experience_continuity)'

/** The numbers of group types are their names here. */
export const numberedGroupTypes: Readonly<Record<string, string>> = Object.fromEntries(
  [0, 1, 2, 3, 4].map(index => [index, String(index)]),
)

/**
 * Tests as they are shown. A placeholder replaces each hidden value, also in the messages. The results were
 * computed with the real values.
 */
export function redactedTests(
  tested: readonly TestedEnvironment[],
  redaction: Redaction,
): readonly TestedEnvironment[] {
  return tested.map(({ flags, ...environment }) => {
    // A flag may be undecided because of a condition on another flag.
    const isAnyHidden = flags.some(({ desired }) => redaction.of(desired)?.hides('values'))
    return {
      ...environment,
      flags: flags.map(flag => {
        const hidden = redaction.of(flag.desired)
        const shown = isAnyHidden ? { ...flag, tests: flag.tests.map(withoutReasons) } : flag
        return hidden ? redactedFlag(shown, hidden) : shown
      }),
    }
  })
}

/** Removes the values of conditions from the reasons why something is undecided. */
function withoutReasons(run: RunTest): RunTest {
  const { undecided, others } = run.evaluation
  return {
    ...run,
    words: () => {
      const words = run.words()
      return run.verdict === 'undecided' ? { ...words, got: withoutValues(words.got) } : words
    },
    evaluation: {
      ...run.evaluation,
      ...(undecided === undefined ? {} : { undecided: withoutValues(undecided) }),
      others: others.map(other =>
        other.undecided === undefined ? other : { ...other, undecided: withoutValues(other.undecided) },
      ),
    },
  }
}

/**
 * Why something is undecided, without the value that it is about. The name of a property, a flag or a cohort
 * stays, and so does the text before another flag's reason.
 */
function withoutValues(reason: string): string {
  const [why = '', ...flags] = reason.split(undecidedFlag).reverse()
  return [withoutValue(why), ...flags].reverse().join(undecidedFlag)
}

const undecidedFlag = ' is undecided: '

/** Quotes inside a value are not escaped, so all from the first to the last of them counts as one value. */
function withoutValue(reason: string): string {
  const named = /(?:property|flag|cohort) ["']/.exec(reason)
  const at = reason.search(/["']/)
  // A message about a date of a person shows that date.
  if (at < 0 || (named && named.index < at)) return reason.replace(/( is not read as a date): .*/s, '$1')
  const rest = reason.slice(reason.lastIndexOf(reason[at] ?? '') + 1)
  return `${reason.slice(0, at)}${standIn()}${rest.replace(/: .*/s, '')}`
}

function redactedFlag({ desired, tests }: TestedFlag, hidden: ObjectRedaction): TestedFlag {
  const fields = hidden.fields(desired.fields)
  return { desired: { ...desired, fields }, tests: tests.map(test => redactedTest(test, fields, hidden)) }
}

function redactedTest(run: RunTest, { filters = null }: JsonObject, hidden: ObjectRedaction): RunTest {
  const { because, ...unnamed } = run.test
  const test: DeclaredTest = {
    ...unnamed,
    person: shownPerson(run.test, hidden),
    ...(because === undefined ? {} : { because: withoutName(because, hidden) }),
    ...withPayload(run.test, hidden),
  }
  const evaluation = { ...run.evaluation, ...withPayload(run.evaluation, hidden) }
  const { verdict } = run
  const { words } = judgeTest(test, evaluation, filters, run.services)
  return { ...run, test, evaluation, verdict, words }
}

/** The name of a test's person, if it may be shown: conditions may compare with an id, never with a name. */
export function shownPerson(
  { person, isNamed }: DeclaredTest,
  hidden: Pick<ObjectRedaction, 'hides'> | undefined,
): string | undefined {
  return isNamed || !hidden?.hides('values') ? person : undefined
}

type Because = NonNullable<DeclaredTest['because']>

/** The name of a condition describes it. */
function withoutName(because: Because, hidden: ObjectRedaction): Because {
  return 'condition' in because && hidden.hides('descriptions') ? { condition: because.condition } : because
}

interface Answered {
  readonly value: boolean | string
  readonly payload?: Json
}

/** The payload that code receives, in the displayed form of that variant's payload. */
function withPayload({ value, payload }: Answered, hidden: ObjectRedaction): { readonly payload?: Json } {
  if (payload === undefined || payload === null) return {}
  const { filters } = hidden.fields({ filters: { payloads: { [String(value)]: payload } } })
  const payloads = memberOf(filters, 'payloads')
  return { payload: memberOf(payloads, String(value)) ?? null }
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return value !== undefined && isJsonObject(value) ? value[name] : undefined
}
