import type { JsonObject } from '../../../model/json/json.ts'
import type { Services } from '../../../model/profile.ts'
import { answerText, type EvaluatedFlag, KnownFlags, personText, visible } from '../../../targeting/index.ts'
import type { DeclaredTest, Desired } from '../../desired.ts'
import type { Live } from '../../live.ts'
import type { ObjectRedaction } from '../../redaction.ts'
import { evaluateAt, evaluatedFlag, evaluatedRecord } from '../../tests/evaluate-declared.ts'

/** What tests of declared flags are run with, before a change and after it. */
export interface Testing {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly services: Services
  /** The flags that are live. */
  readonly before: KnownFlags
  /** The same as they are declared, where they are. */
  readonly after: KnownFlags
  /** What no word may show: whom a test is about tells what conditions compare with. */
  readonly redaction?: ObjectRedaction | undefined
}

/** Undefined where nothing is tested. */
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

/** So many are told by themselves. */
const mostTold = 5

/**
 * The tests of a flag that a change gives another answer, a line each. A flag that is not there, or deleted, gives false;
 * where either side is undecided, nothing is told.
 */
export function flippedTests(
  key: string,
  tests: readonly DeclaredTest[],
  [was, becomes]: readonly [JsonObject | null, JsonObject | null],
  testing: Testing,
): string[] {
  const [before, after] = [flagOf(key, was), flagOf(key, becomes)]
  const flipped = tests.flatMap(test => {
    const old = evaluateAt(testing, before, test.subject, testing.before)
    const now = evaluateAt(testing, after, test.subject, testing.after)
    const isOpen = old.undecided !== undefined || now.undecided !== undefined
    return isOpen || old.value === now.value ? [] : [flipText(test, old.value, now.value, testing)]
  })
  const more = flipped.length - mostTold
  return [
    ...flipped.slice(0, mostTold),
    ...(more > 0 ? [`and ${more} more ${more === 1 ? 'test' : 'tests'} with another answer`] : []),
  ]
}

function flagOf(key: string, record: JsonObject | null): EvaluatedFlag {
  return record === null ? { key, deleted: true } : evaluatedRecord({ ...record, key })
}

function flipText(
  test: DeclaredTest,
  was: boolean | string,
  becomes: boolean | string,
  { redaction }: Testing,
): string {
  const { source, value } = test
  const place = source ? ` (${visible(source.file)}:${source.line})` : ''
  const unmet = becomes === value ? '' : `, expected ${answerText(value)}`
  const person = redaction?.hides('values') ? 'a person' : personText(test)
  return `test ${person}${place}: ${answerText(was)} -> ${answerText(becomes)}${unmet}`
}
