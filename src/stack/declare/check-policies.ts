import { roleInPath } from '../../constructs/engine/names.ts'
import { policedOf } from '../../core/policed.ts'
import { type ExactJson, isExactObject, knownJson } from '../../hcl/index.ts'
import { checkPolicy } from '../../policies/check-policy.ts'
import { policyCode, policyRow, remedyOf, settingName } from '../../policies/policy-table.ts'
import {
  isHeldAt,
  type NamedPolicy,
  readPolicies,
  type WrittenPolicies,
} from '../../policies/written-policies.ts'
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
        const ending = `: ${what} (${policy.policy})`
        // The precondition that the policy left to Terraform reports the same.
        collector.withdraw(
          ({ message }) => message.startsWith(`${address}.precondition[`) && message.endsWith(ending),
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
