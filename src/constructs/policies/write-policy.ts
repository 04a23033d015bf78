import { Aspects, type IAspect, TerraformResource, TerraformStack } from 'cdktf'
import type { IConstruct } from 'constructs'
import { type AppPolicy, type HeldPolicy, writePolicies } from '../../policies/written-policies.ts'
import { isOurType } from '../../schema/terraform/terraform-names.ts'

/**
 * Writes a policy that visits a construct into its stack, with the construct to which the policy was added.
 * The stack contains it even if it has no construct that aspects see.
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

/** The name is global, so that copies of this package write into one list. */
const list = Symbol.for('vexil/policies')

function policiesOf(stack: TerraformStack): Map<string, HeldPolicy> {
  if (!(list in stack)) Object.defineProperty(stack, list, { value: new Map() })
  // Some copy of this package has set it.
  return (stack as unknown as Record<typeof list, Map<string, HeldPolicy>>)[list]
}

/** The construct to which the aspect was added; the visited one if something else calls the aspect. */
function scopeOf(aspect: IAspect, construct: IConstruct): IConstruct {
  return construct.node.scopes.find(scope => Aspects.of(scope).all.includes(aspect)) ?? construct
}
