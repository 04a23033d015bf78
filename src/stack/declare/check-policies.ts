import { roleInPath } from '../../constructs/engine/names.ts'
import type { DeclaredTest } from '../../core/desired.ts'
import { policedOf } from '../../core/policed.ts'
import { type ExactJson, invalid, isExactObject, knownJson } from '../../hcl/index.ts'
import { isJsonArray, isJsonNumber, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import type { Source } from '../../model/problem.ts'
import { checkPolicy } from '../../policies/check-policy.ts'
import { policyCode, policyRow, remedyOf, settingName } from '../../policies/policy-table.ts'
import {
  isHeldAt,
  type NamedPolicy,
  readPolicies,
  type WrittenPolicies,
} from '../../policies/written-policies.ts'
import type { TestReason } from '../../targeting/index.ts'
import {
  conditionCount,
  expectationIn,
  groupIn,
  isReason,
  noCondition,
  subjectIn,
  variantHint,
} from '../../targeting/read-test.ts'
import { type StackProblems, subjectOf } from '../evaluate/stack-problems.ts'
import type { Declared } from './check-declared.ts'

/** The policies that an app wrote into a stack; undefined if there are none, or if they cannot be read. */
export function policiesIn(
  stack: ExactJson | undefined,
  collector: StackProblems,
): WrittenPolicies | undefined {
  const written = memberOf(memberOf(memberOf(stack, '//'), 'vexil'), 'policies')
  if (written === undefined) return undefined
  try {
    return readPolicies(knownJson(written))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    collector.add(
      { address: '' },
      {
        code: 'stack-policies',
        message: `the policies of the stack cannot be read: ${error.message}`,
        hint: 'synthesize it again with the vexil that plans it',
      },
    )
    return undefined
  }
}

/** Checks what a stack declares against the policies of its app, after all of it is evaluated. */
export function checkPolicies(
  { stack, policies }: WrittenPolicies,
  declared: readonly Declared[],
  collector: StackProblems,
  today?: string,
): void {
  const id = stack.slice(stack.lastIndexOf('/') + 1)
  for (const one of declared) {
    const { address, block } = one.instance
    const path = block.path ?? stack
    const held = policies.filter(policy => isHeldAt(policy, path))
    if (held.length === 0) continue
    const policed = policedOf(one.desired, {
      stack: id,
      today,
      roleName: block.path === undefined ? undefined : roleInPath(block.path),
    })
    for (const policy of held) {
      for (const { is, what } of checkPolicy(policy, policed)) {
        const why = is === 'refused' ? what : `${what} is not known`
        const told = `: ${what} (${policy.policy})`
        // The precondition that the policy left to Terraform reports the same.
        collector.withdraw(
          ({ message }) => message.startsWith(`${address}.precondition[`) && message.endsWith(told),
        )
        const construct = path.replace(/\/Resource$/, '')
        collector.add(subjectOf(address, block), {
          code: policyCode(policy.policy),
          severity: policy.level,
          message: `${address}: [${construct}] ${why} (${policy.policy})`,
          hint: remedyOf(settingName(policy.policy)),
        })
      }
    }
  }
}

/** The policies of the settings for one environment. */
export interface SettingsPolicies {
  /** The name of the environment; missing if none was chosen. */
  readonly environment?: string | undefined
  readonly policies: readonly NamedPolicy[]
  /** The day of the check, as in 2026-11-21. */
  readonly today: string
}

/** Checks what a stack declares against the policies of the settings, after all of it is evaluated. */
export function checkSettingsPolicies(
  { environment = '', policies, today }: SettingsPolicies,
  declared: readonly Declared[],
  collector: StackProblems,
): void {
  const held = policies.filter(({ name, policy }) => {
    if (!policyRow(name).needsEnvironments) return true
    if (declared.length === 0 || ('environment' in policy && policy.environment === environment)) return false
    collector.add(
      { address: '' },
      {
        code: policyCode(policy.policy),
        severity: 'warning',
        message: `the policy ${name} is not held: a stack says nothing of other environments`,
        hint: 'declare what it is about in YAML, or say off to it',
      },
    )
    return false
  })
  if (held.length === 0) return
  for (const { instance, desired } of declared) {
    const { address, block } = instance
    const policed = policedOf(desired, { stack: environment, today, roleName: desired.label })
    for (const { name, policy, schemas } of held) {
      for (const { is, what } of checkPolicy(policy, policed, schemas)) {
        collector.add(subjectOf(address, block), {
          code: policyCode(policy.policy),
          severity: policy.level,
          message: `${address}: ${is === 'refused' ? what : `${what} is not known`} (policy ${name})`,
          hint: remedyOf(name),
        })
      }
    }
  }
}

function memberOf(json: ExactJson | undefined, name: string): ExactJson | undefined {
  return isExactObject(json) ? json[name] : undefined
}

export interface TestPlaces {
  /** The place of the flag. */
  readonly source: Source | undefined
  /** The place of a test that was added by itself, by its index in the list. Finding it takes a while. */
  readonly sourceOfTest: (index: number) => Source | undefined
}

/**
 * The tests of a flag in the comment that constructs write into its block: `"//": { "vexil": { "tests": [...]
 * } }`. Throws a refusal for a test that cannot run, mostly because a condition or a variant does not exist.
 */
export function testsIn(
  said: ExactJson | undefined,
  filters: Json,
  { source, sourceOfTest }: TestPlaces,
): readonly DeclaredTest[] {
  if (said === undefined) return []
  const tests = knownJson(said)
  if (!isJsonArray(tests)) throw invalid('they have to be a list')
  return tests.map((test, index) => {
    const at = isJsonObject(test) && test.trace !== undefined ? sourceOfTest(index) : source
    return { ...testIn(test, filters, `test ${index + 1}`), ...(at ? { sourceOf: () => at } : {}) }
  })
}

function testIn(written: Json, filters: Json, name: string): DeclaredTest {
  const { person, expect = null, because } = isJsonObject(written) ? written : {}
  if (person === undefined || !isJsonObject(person)) throw invalid(`${name} has no person`)
  const expected = expectationIn(expect)
  if (!expected) throw invalid(`${name} does not say what to expect`)
  const { value } = expected
  const hint = typeof value === 'string' ? variantHint(value, filters) : undefined
  if (hint !== undefined)
    throw invalid(`${name} expects ${JSON.stringify(value)}, no variant of the flag`, hint)
  return {
    person: [person.name, person.distinct_id, person.device_id].find(each => typeof each === 'string'),
    isNamed: typeof person.name === 'string',
    subject: subjectIn(person, groupsOf(person)),
    ...expected,
    ...(because === undefined ? {} : { because: reasonIn(because, filters, name) }),
  }
}

function groupsOf({ groups = null }: JsonObject) {
  const entries = isJsonObject(groups) ? Object.entries(groups) : []
  return entries.map(([index, group]) => ({ index, ...groupIn(group) }))
}

function reasonIn(because: Json, filters: Json, name: string): TestReason {
  if (isJsonNumber(because)) {
    const number = Number(because)
    if (Number.isInteger(number) && number >= 1 && number <= conditionCount(filters))
      return { condition: number - 1 }
    const { message, hint } = noCondition(number, filters)
    throw invalid(`${name}: ${message}`, hint)
  }
  if (typeof because === 'string' && isReason(because)) return { reason: because }
  throw invalid(`${name} names ${JSON.stringify(because)}, which is neither a condition nor a reason`)
}
