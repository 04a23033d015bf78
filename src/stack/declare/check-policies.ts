import { roleInPath } from '../../constructs/engine/grant-name.ts'
import { parentKey } from '../../core/desired.ts'
import { type ExactJson, isExactObject, knownJson } from '../../cty/encoding/json-value.ts'
import { roleAccess } from '../../kinds/index.ts'
import { isJsonArray, type Json } from '../../model/json/json.ts'
import { switchField, targetingField } from '../../model/kind.ts'
import { checkPolicy } from '../../rules/policies/check-policy.ts'
import { releaseIn } from '../../rules/policies/declared-release.ts'
import type { Policed } from '../../rules/policies/policy.ts'
import { isHeldAt, readPolicies, type WrittenPolicies } from '../../rules/policies/written-policies.ts'
import { type StackProblems, subjectOf } from '../evaluate/stack-problems.ts'
import type { Declared } from './check-declared.ts'

/** The policies that an app wrote into a stack; undefined where it has none, or where they cannot be read. */
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

/** Holds the policies of an app against what its stack declares, once all of it is worked out. */
export function checkPolicies(
  { stack, policies }: WrittenPolicies,
  declared: readonly Declared[],
  collector: StackProblems,
): void {
  const id = stack.slice(stack.lastIndexOf('/') + 1)
  for (const one of declared) {
    const { address, block } = one.instance
    const path = block.path ?? stack
    const held = policies.filter(policy => isHeldAt(policy, path))
    if (held.length === 0) continue
    const policed = policedOf(one, id)
    for (const policy of held) {
      for (const { is, what } of checkPolicy(policy, policed)) {
        const why = is === 'refused' ? what : `${what} is not known`
        const told = `: ${what} (${policy.policy})`
        // The precondition that the policy left to Terraform says the same.
        collector.withdraw(
          ({ message }) => message.startsWith(`${address}.precondition[`) && message.endsWith(told),
        )
        const construct = path.replace(/\/Resource$/, '')
        collector.add(subjectOf(address, block), {
          code: 'policy',
          message: `${address}: [${construct}] ${why} (${policy.policy})`,
          hint: 'change it in the app, or name it in "except" of the policy',
        })
      }
    }
  }
}

function policedOf({ instance: { kind, block }, desired }: Declared, stack: string): Policed {
  const { fields, identity } = desired
  if (kind.lifecycle.parent) {
    const { access_level: level = roleAccess.fields.access_level.assumed } = fields
    return {
      flag: parentKey(desired),
      role: { id: identity, name: block.path === undefined ? undefined : roleInPath(block.path) },
      level: String(level),
    }
  }
  const filters = fields[targetingField(kind) ?? '']
  return {
    kind,
    stack,
    name: identity,
    isOff: fields[switchField(kind) ?? ''] === false,
    tags: textsIn(fields[kind.lifecycle.ownedBy ?? '']),
    release: () => (filters === undefined ? 'undeclared' : releaseIn(filters)),
  }
}

function textsIn(tags: Json | undefined): readonly string[] {
  return tags !== undefined && isJsonArray(tags) ? tags.map(String) : []
}

function memberOf(json: ExactJson | undefined, name: string): ExactJson | undefined {
  return isExactObject(json) ? json[name] : undefined
}
