import { Aspects, type IAspect, TerraformResource, TerraformStack } from 'cdktf'
import type { IConstruct } from 'constructs'
import { type AppPolicy, type HeldPolicy, writePolicies } from '../../policies/written-policies.ts'
import { isOurType } from '../../schema/terraform/terraform-names.ts'

/**
 * Writes a policy that visits a construct into the stack of that, with the construct below which it was added. A stack
 * tells of it even where nothing in it is a construct that aspects see.
 */
export function writePolicy(aspect: IAspect, policy: AppPolicy, construct: IConstruct): void {
  const isOurs =
    TerraformResource.isTerraformResource(construct) && isOurType(construct.terraformResourceType)
  if (!isOurs && !TerraformStack.isStack(construct)) return
  const stack = TerraformStack.of(construct)
  const policies = policiesOf(stack)
  const held: HeldPolicy = { ...policy, scope: scopeOf(aspect, construct).node.path }
  const text = JSON.stringify(held)
  if (policies.has(text)) return
  policies.set(text, held)
  const written = writePolicies({ stack: stack.node.path, policies: [...policies.values()] })
  stack.addOverride('//.vexil', { policies: written })
}

/** By this name, so that copies of this package write into one list. */
const list = Symbol.for('vexil/policies')

function policiesOf(stack: TerraformStack): Map<string, HeldPolicy> {
  if (!(list in stack)) Object.defineProperty(stack, list, { value: new Map() })
  // What stands there was put there by some copy of this package.
  return (stack as unknown as Record<typeof list, Map<string, HeldPolicy>>)[list]
}

/** Where the aspect was added; the construct itself where something else calls it. */
function scopeOf(aspect: IAspect, construct: IConstruct): IConstruct {
  return construct.node.scopes.find(scope => Aspects.of(scope).all.includes(aspect)) ?? construct
}
