import { Aspects, type IAspect, TerraformStack } from 'cdktf'
import type { IConstruct } from 'constructs'

/**
 * Makes policies work that were added to an app, or to another construct around a stack. The engines run the
 * aspects of stacks and of their contents, and silently skip those around. Other aspects there stay skipped.
 */
export function heedPoliciesAround(scope: IConstruct): void {
  const stack = outermostStack(scope)
  if (stack === undefined || around in stack) return
  const policies = new PoliciesAround(stack)
  Object.defineProperty(stack, around, { value: policies })
  Aspects.of(stack).add(policies)
}

/** Runs the policies around a construct's stack on it, unless they have seen it: outer ones come first. */
export function runPoliciesAround(construct: IConstruct): void {
  const stack = outermostStack(construct)
  if (stack === undefined || !(around in stack))
    return // The symbol is ours, so only a copy of this package has set it.
  ;(stack[around] as PoliciesAround).look(construct)
}

/** Makes an aspect count as a policy. */
export function markPolicy(aspect: IAspect): void {
  Object.defineProperty(aspect, policy, { value: true })
}

/** The names are global, so that copies of this package know each other's policies, and run them once. */
const around = Symbol.for('vexil/policies-around')
const policy = Symbol.for('vexil/policy')

class PoliciesAround implements IAspect {
  private readonly stack: IConstruct
  private seen = new WeakSet<IConstruct>()

  public constructor(stack: IConstruct) {
    this.stack = stack
  }

  public visit(construct: IConstruct): void {
    // The engine visits the stack first, so another synthesis begins there.
    if (construct === this.stack) this.seen = new WeakSet()
    this.look(construct)
  }

  public look(construct: IConstruct): void {
    if (this.seen.has(construct)) return
    this.seen.add(construct)
    const scopes = this.stack.node.scopes.slice(0, -1)
    const policies = scopes.flatMap(scope => Aspects.of(scope).all.filter(aspect => policy in aspect))
    for (const each of new Set(policies)) each.visit(construct)
  }
}

function outermostStack(construct: IConstruct): IConstruct | undefined {
  return construct.node.scopes.find(TerraformStack.isStack)
}
