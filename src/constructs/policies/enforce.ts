import { Aspects, type IAspect, TerraformStack } from 'cdktf'
import { Construct, type IConstruct } from 'constructs'
import { notA } from '../arguments/argument.ts'

/**
 * Holds policies over everything below a construct: over all stacks of an app, over one stack, or over a part of one. So
 * does `Aspects.of(construct).add(policy)`; this takes any other aspect as well, which the engines pass over where it is
 * added to an app.
 *
 * ```ts
 * enforce(app, new RequireOwnerTag(), new MaxRollout({ staging: 100, production: 25 }))
 * ```
 */
export function enforce(scope: IConstruct, ...policies: IAspect[]): void {
  if (!Construct.isConstruct(scope)) throw notA('an app, a stack or another construct', scope, 'enforce')
  for (const policy of policies) {
    if (typeof policy?.visit !== 'function') throw notA('a policy', policy, 'enforce')
  }
  const places = scope.node.scopes.some(TerraformStack.isStack) ? [scope] : outermostStacks(scope)
  const where = scope.node.path === '' ? 'the app' : `"${scope.node.path}"`
  if (places.length === 0) {
    throw new Error(`${where} has no stacks yet: enforce policies once they are made, or on each of them`)
  }
  for (const place of places) for (const policy of policies) Aspects.of(place).add(policy)
  if (places[0] === scope) return
  scope.node.root.node.addValidation({
    validate: () =>
      outermostStacks(scope)
        .filter(stack => !places.includes(stack))
        .map(
          ({ node }) =>
            `"${node.path}" was made after policies were enforced on ${where}: enforce them at the end`,
        ),
  })
}

/** A stack inside another one is visited together with it. */
function outermostStacks(scope: IConstruct): IConstruct[] {
  return scope.node
    .findAll()
    .filter(construct => TerraformStack.isStack(construct))
    .filter(({ node }) => node.scopes.filter(TerraformStack.isStack).length === 1)
}
