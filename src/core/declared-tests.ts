import { declarableKind } from '../kinds/index.ts'
import type { Services } from '../model/connection.ts'
import { standIn } from '../model/field.ts'
import { hasTargeting } from '../model/kind.ts'
import type { Problem } from '../model/problem.ts'
import { once } from '../model/runtime.ts'
import { isJsonObject, type Json, type JsonObject } from '../model/text/json.ts'
import { listSome } from '../model/text/names.ts'
import type { PropertyMatchingVersion } from '../services/engines.ts'
import {
  type AnySubject,
  decidingCondition,
  type EvaluatedFlag,
  type EvaluationOnServices,
  evaluateOnServices,
  judgeTest,
  KnownFlags,
  personText,
  type TestOutcome,
  type TestVerdict,
} from '../targeting/index.ts'
import { reachableVariants, readRelease } from '../targeting/release.ts'
import type { DeclaredTest, Desired } from './desired.ts'
import type { ObjectRedaction, Redaction } from './redaction.ts'

/** A test of a declared flag, with its result. */
export interface RunTest extends TestOutcome {
  readonly test: DeclaredTest
  readonly evaluation: EvaluationOnServices
  /** The services that may answer. */
  readonly services: Services
}

interface TestedFlag {
  readonly desired: Desired
  readonly tests: readonly RunTest[]
}

export interface TestedEnvironment {
  /** Undefined if there is only one, without a name. */
  readonly name?: string
  readonly flags: readonly TestedFlag[]
}

export function evaluatedFlag({ identity: key, ensure, fields }: Desired): EvaluatedFlag {
  const { active } = fields
  return {
    key,
    deleted: ensure === 'absent',
    ...(typeof active === 'boolean' ? { active } : {}),
    ...deciding(fields),
  }
}

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

interface EvaluationPlace {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly services: Services
  /** The version of the project, if it is known. */
  readonly version?: PropertyMatchingVersion | undefined
}

/**
 * What a person gets from a flag, with groups by the numbers of their types. If a flag keeps results of an
 * earlier id, results that depend on the id are undecided: the earlier id is unknown here.
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
  'people seen earlier under another id keep their earlier value (ensure_experience_continuity)'

export const numberedGroupTypes: Readonly<Record<string, string>> = Object.fromEntries(
  [0, 1, 2, 3, 4].map(index => [index, String(index)]),
)

/** Tests for display, with a placeholder for each hidden value; results are of the real values. */
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

/** Why something is undecided, without the values. Names of properties, flags and cohorts stay. */
function withoutValues(reason: string): string {
  const [why = '', ...flags] = reason.split(undecidedFlag).reverse()
  return [withoutValue(why), ...flags].reverse().join(undecidedFlag)
}

const undecidedFlag = ' is undecided: '

/** Quotes inside a value are not escaped: from the first to the last quote is one value. */
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

/** The name of a test's person, if it may be shown: an id may be a hidden value, a name never is. */
export function shownPerson(
  { person, isNamed }: DeclaredTest,
  hidden: Pick<ObjectRedaction, 'hides'> | undefined,
): string | undefined {
  return isNamed || !hidden?.hides('values') ? person : undefined
}

type Because = NonNullable<DeclaredTest['because']>

/** The name of a condition counts as a description. */
function withoutName(because: Because, hidden: ObjectRedaction): Because {
  return 'condition' in because && hidden.hides('descriptions') ? { condition: because.condition } : because
}

interface Answered {
  readonly value: boolean | string
  readonly payload?: Json
}

/** The received payload, displayed like the payload of its variant. */
function withPayload({ value, payload }: Answered, hidden: ObjectRedaction): { readonly payload?: Json } {
  if (payload === undefined || payload === null) return {}
  const { filters } = hidden.fields({ filters: { payloads: { [String(value)]: payload } } })
  const payloads = memberOf(filters, 'payloads')
  return { payload: memberOf(payloads, String(value)) ?? null }
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return value !== undefined && isJsonObject(value) ? value[name] : undefined
}

/** Runs the tests of declared flags, each with all flags declared together with it; no request is sent. */
export function runTests(declared: readonly Desired[], place: EvaluationPlace): readonly TestedFlag[] {
  const flags = declared.filter(({ kind }) => hasTargeting(declarableKind(kind)))
  const known = once(() => new KnownFlags(flags.map(evaluatedFlag)))
  return flags.map(desired => {
    const { tests = [] } = desired
    if (tests.length === 0) return { desired, tests: [] }
    const { filters = null, ...evaluated } = evaluatedFlag(desired)
    const flag = { ...evaluated, filters, release: readRelease(filters) }
    return {
      desired,
      tests: tests.map((test): RunTest => {
        const evaluation = asFarAsDeclared(desired, evaluateAt(place, flag, test.subject, known()))
        const { services } = place
        return { test, evaluation, services, ...judgeTest(test, evaluation, filters, services) }
      }),
    }
  })
}

/** The tests that did not pass; a failure that several environments share is reported once. */
export function failedTests(tested: readonly TestedEnvironment[]): Problem[] {
  const found = new Map<string, { readonly problem: Problem; readonly names: string[] }>()
  for (const { name, flags } of tested)
    for (const { desired, tests } of flags)
      for (const run of tests) {
        if (run.verdict === 'passed') continue
        const problem = problemOf(run, desired.address)
        const key = JSON.stringify([problem.source, problem.address, problem.message])
        const known = found.get(key) ?? { problem, names: [] }
        found.set(key, known)
        if (name !== undefined) known.names.push(name)
      }
  return [...found.values()].map(({ problem, names }) =>
    names.length === 0
      ? problem
      : { ...problem, message: `in ${listSome(names, 'and')}, ${problem.message}` },
  )
}

function problemOf({ test, verdict, words }: RunTest, address: string): Problem {
  const { expected, got, why } = words()
  const source = test.sourceOf?.()
  const problem = { severity: 'error', ...(source ? { source } : {}), address } as const
  const because = why === '' ? '' : ` (${why})`
  const message = `test of ${personText(test)}: expected ${expected}, got ${got}${because}`
  return { code: codeOf(verdict), message, hint: remedies[verdict], ...problem }
}

/** Whether a problem with this code is a test that did not pass. */
export function isOfTest(code: string): boolean {
  return Object.keys(remedies).some(verdict => code === codeOf(verdict))
}

function codeOf(verdict: string): string {
  return `test-${verdict}`
}

export const remedies: Readonly<Record<TestVerdict, string>> = {
  passed: '',
  failed: 'correct the flag or the test',
  undecided: 'add what is missing to the person; facts that only the service knows cannot be tested here',
  differs:
    'change the flag so that all agree; or set "profile" in vexil.yaml, or declare what an SDK gives: expect: { value: true, sdks: { posthog-go: false } }',
}

export interface FlagCoverage {
  /** The number of conditions, and those (from 0) that decide no test. */
  readonly conditions: number
  readonly missedConditions: readonly number[]
  /** The number of reachable variants, and those that no test gets. */
  readonly variants: number
  readonly missedVariants: readonly string[]
}

/**
 * The conditions and variants of a flag that no test reaches. Failed tests count too. A test reaches the
 * condition that decides for its person, even if the person is outside of the percentage. Flags that are off
 * or absent do not count.
 */
export function coverageOf({ desired, tests }: TestedFlag): FlagCoverage {
  const { ensure, fields } = desired
  if (ensure === 'absent' || fields.active === false || fields.filters === undefined) return nothing
  const release = readRelease(fields.filters)
  const decided = tests.map(({ evaluation }) => evaluation).filter(({ undecided }) => undecided === undefined)
  const deciding = new Set(decided.map(decidingCondition))
  const values = new Set(decided.map(({ value }) => value))
  const variants = reachableVariants(release)
  return {
    conditions: release.conditions.length,
    missedConditions: release.conditions.map(({ index }) => index).filter(index => !deciding.has(index)),
    variants: variants.length,
    missedVariants: variants.filter(key => !values.has(key)),
  }
}

const nothing: FlagCoverage = { conditions: 0, missedConditions: [], variants: 0, missedVariants: [] }

export interface Shares {
  readonly total: number
  readonly reached: number
}

/** The coverage of several flags, and the percentage; 100 if there is nothing to reach. */
export function coverageOfAll(flags: readonly FlagCoverage[]): {
  readonly percent: number
  readonly conditions: Shares
  readonly variants: Shares
} {
  const sum = (count: (flag: FlagCoverage) => number) => flags.reduce((all, flag) => all + count(flag), 0)
  const shares = (total: number, missed: number) => ({ total, reached: total - missed })
  const conditions = shares(
    sum(flag => flag.conditions),
    sum(flag => flag.missedConditions.length),
  )
  const variants = shares(
    sum(flag => flag.variants),
    sum(flag => flag.missedVariants.length),
  )
  const total = conditions.total + variants.total
  // Rounded down, so that 100 means all.
  const percent =
    total === 0 ? 100 : Math.floor((1000 * (conditions.reached + variants.reached)) / total) / 10
  return { percent, conditions, variants }
}
