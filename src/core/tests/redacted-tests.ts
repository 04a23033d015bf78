import { isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { standIn } from '../../model/safety/redacted-part.ts'
import { judgeTest } from '../../targeting/index.ts'
import type { DeclaredTest } from '../desired.ts'
import type { ObjectRedaction, Redaction } from '../redaction.ts'
import type { TestedEnvironment } from './failed-tests.ts'
import type { RunTest, TestedFlag } from './run-tests.ts'

/**
 * Tests as they are told: something stands for each value that is hidden, also in the words about them. How they came out
 * has been found with the values.
 */
export function redactedTests(
  tested: readonly TestedEnvironment[],
  redaction: Redaction,
): readonly TestedEnvironment[] {
  return tested.map(({ flags, ...environment }) => {
    // Why one flag is undecided may be a condition of another one.
    const isAnyHidden = flags.some(({ desired }) => redaction.of(desired)?.hides('values'))
    return {
      ...environment,
      flags: flags.map(flag => {
        const hidden = redaction.of(flag.desired)
        const told = isAnyHidden ? { ...flag, tests: flag.tests.map(withoutReasons) } : flag
        return hidden ? redactedFlag(told, hidden) : told
      }),
    }
  })
}

/** Without what conditions compare with in the reasons why something is undecided. */
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
 * Why something is undecided, without the value that it is about. What names a property, a flag or a cohort stays, and so
 * does what comes before another flag's reason.
 */
function withoutValues(reason: string): string {
  const [why = '', ...flags] = reason.split(undecidedFlag).reverse()
  return [withoutValue(why), ...flags].reverse().join(undecidedFlag)
}

const undecidedFlag = ' is undecided: '

/** Quotes stand for nothing inside of a value, so all from the first to the last of them counts as one. */
function withoutValue(reason: string): string {
  const named = /(?:property|flag|cohort) ["']/.exec(reason)
  const at = reason.search(/["']/)
  // What is wrong with a date of a person tells of it.
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

/** What a test calls who asks, as far as that may be shown: conditions may compare with an id, and with a name never. */
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

/** What code receives, as the payload of that variant is shown. */
function withPayload({ value, payload }: Answered, hidden: ObjectRedaction): { readonly payload?: Json } {
  if (payload === undefined || payload === null) return {}
  const { filters } = hidden.fields({ filters: { payloads: { [String(value)]: payload } } })
  const payloads = memberOf(filters, 'payloads')
  return { payload: memberOf(payloads, String(value)) ?? null }
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return value !== undefined && isJsonObject(value) ? value[name] : undefined
}
