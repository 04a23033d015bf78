import type { Services } from '../model/connection.ts'
import { isSameJson, type Json } from '../model/text/json.ts'
import { canonicalFilters } from './canonical-filters.ts'
import { conditionOf, describeReason } from './describe.ts'
import { ownMember } from './evaluate/buckets.ts'
import type {
  AnySubject,
  Evaluation,
  EvaluationOnServices,
  EvaluationReason,
  OtherAnswer,
} from './evaluate/evaluate-flag.ts'
import { countedTypes, readRelease } from './release.ts'
import { quoted, valueText, visible } from './value-words.ts'

/** What a subject should get from a flag. */
export interface FlagTest {
  /** The name of the subject in messages: a name, or a distinct id; undefined for no specific person. */
  readonly person: string | undefined
  /** The subject; its group types are given by number. */
  readonly subject: AnySubject
  /** False, true, or the key of a variant. */
  readonly value: boolean | string
  /** The payload that code should receive, null for none; absent if it does not matter. */
  readonly payload?: Json
  /** The values of SDKs that differ, by SDK. */
  readonly sdks?: Readonly<Record<string, boolean | string>>
  /** The expected reason; absent if it does not matter. */
  readonly because?: TestReason
}

/** The condition that should decide, from 0, with its name unless that is a number; or another reason. */
export type TestReason =
  | { readonly condition: number; readonly name?: string }
  | { readonly reason: EvaluationReason }

/** The group that a test is about, if the filters count groups and it names one of that type: its key. */
export function testedGroup({ subject: { groups = {} } }: Pick<FlagTest, 'subject'>, filters: Json) {
  const types = countedTypes(readRelease(canonicalFilters(filters)))
  return types.flatMap(type => (type === undefined ? [] : (groups[type] ?? []))).at(0)
}

/** Whether all engines give one value or several, or whether unknown facts decide. */
export type EvaluationVerdict = 'decided' | 'differs' | 'undecided'

export type TestVerdict = 'passed' | 'failed' | 'undecided' | 'differs'

export interface TestOutcome {
  readonly verdict: TestVerdict
  /** The description, created on demand: most tests pass, and only their number is reported. */
  readonly words: () => TestWords
}

/** The expected and the actual result, and the reason: a few words each, as far as the test needs them. */
export interface TestWords {
  readonly expected: string
  readonly got: string
  readonly why: string
}

/** An engine with a different value counts; an engine without a value does not. */
export function evaluationVerdict({ value, undecided, others }: EvaluationOnServices): EvaluationVerdict {
  const values = new Set([
    ...(undecided === undefined ? [value] : []),
    ...others.flatMap(other => other.value ?? []),
  ])
  if (values.size > 1) return 'differs'
  return undecided === undefined ? 'decided' : 'undecided'
}

/**
 * Compares the actual value with the expected one. If the service is known, its answer counts; otherwise all
 * services have to agree. The SDKs of the team or of the test have to agree too.
 */
export function judgeTest(
  test: FlagTest,
  evaluation: EvaluationOnServices,
  filters: Json,
  services: Services,
): TestOutcome {
  const verdict = verdictOf(test, evaluation, services)
  return {
    verdict,
    words: () => ({
      expected: expectedText(test),
      got: gotText(test, evaluation, verdict),
      why: verdict === 'undecided' ? '' : describeReason(evaluation.reason, conditionOf(filters, evaluation)),
    }),
  }
}

function verdictOf(test: FlagTest, evaluation: EvaluationOnServices, services: Services): TestVerdict {
  const { others, sdks, undecided } = evaluation
  const isSdk = ({ by }: OtherAnswer) => sdks.some(sdk => sdk.by === by)
  const atServices = { ...evaluation, others: others.filter(other => !isSdk(other)) }
  if (services.length > 1 && evaluationVerdict(atServices) === 'differs') return 'differs'
  if (undecided !== undefined) return 'undecided'
  if (!isMet(test, evaluation)) return 'failed'
  return sdks.some(sdk => !isMetBySdk(test, sdk, evaluation, services)) ? 'differs' : 'passed'
}

/** Whether an SDK gives the expected value. An SDK that asks the service gives the service's value. */
function isMetBySdk(
  test: FlagTest,
  { by, value: own }: OtherAnswer,
  { value }: Evaluation,
  services: Services,
): boolean {
  const [name = ''] = by.split(' ')
  const expected = ownMember(test.sdks, name)
  if (expected === undefined && services.sdks === undefined) return true
  return (own ?? value) === (expected ?? test.value)
}

function isMet({ value, payload, because }: FlagTest, evaluation: Evaluation): boolean {
  if (evaluation.value !== value) return false
  if (payload !== undefined && !isSameJson(evaluation.payload ?? null, payload)) return false
  return because === undefined || isFor(because, evaluation)
}

function isFor(because: TestReason, evaluation: Evaluation): boolean {
  if ('reason' in because) return evaluation.reason === because.reason
  return decidingCondition(evaluation) === because.condition
}

/** The condition that decided: its people get the flag, unless they are outside its percentage. */
export function decidingCondition({ reason, conditionIndex }: Evaluation): number | undefined {
  return reason === 'condition_match' || reason === 'out_of_rollout_bound' ? conditionIndex : undefined
}

function expectedText({ value, payload, because }: FlagTest): string {
  const parts = [
    ...(payload === undefined ? [] : [payloadText(payload)]),
    ...(because === undefined ? [] : [`because of ${reasonText(because)}`]),
  ]
  return [answerText(value), ...parts].join(' ')
}

function reasonText(because: TestReason): string {
  if ('reason' in because) return because.reason
  const { condition, name } = because
  return name === undefined ? `condition ${condition + 1}` : `condition ${condition + 1} (${visible(name)})`
}

function gotText(test: FlagTest, evaluation: EvaluationOnServices, verdict: TestVerdict): string {
  const { value, payload = null, undecided, by, others } = evaluation
  if (verdict === 'undecided') return `undecided: ${undecided}`
  if (verdict === 'differs') {
    const values = [{ by, ...(undecided === undefined ? { value } : {}) }, ...others]
    return values
      .flatMap(one => (one.value === undefined ? [] : [`${answerText(one.value)} by ${one.by}`]))
      .join(', ')
  }
  return [answerText(value), ...(test.payload === undefined ? [] : [payloadText(payload)])].join(' ')
}

export function personText({ person }: Pick<FlagTest, 'person'>): string {
  return person === undefined ? 'somebody' : quoted(person)
}

/** An answer in the words of declarations. */
export function answerText(value: boolean | string): string {
  return visible(String(value))
}

function payloadText(payload: Json): string {
  return payload === null ? 'without a payload' : `with the payload ${valueText(payload)}`
}
