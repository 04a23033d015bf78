import type { Declarations, Desired } from '../core/desired.ts'
import type { Policy } from '../core/policy.ts'
import { didYouMean } from '../model/did-you-mean.ts'
import { CommandError, exitCode } from './exit-code.ts'

/**
 * Keeps what `--target` names: an address, or a bare identity where only one kind has it. The grants of a flag come
 * with it. An address that nobody declared is a mistake, not an empty plan.
 */
export function onlyTargets(declarations: Declarations, targets: readonly string[]): Declarations {
  if (targets.length === 0) return declarations
  const addresses = declarations.desired.map(({ address }) => address)
  const wanted = new Set(targets.flatMap(target => resolveTarget(target, addresses)))
  const flagOf = (key: string) => `feature_flag.${key}`
  const isWanted = ({ address, parent }: Desired) =>
    wanted.has(address) || (parent !== undefined && wanted.has(flagOf(parent)))
  return {
    desired: declarations.desired.filter(isWanted),
    ownedGrants: declarations.ownedGrants.filter(({ flag }) => wanted.has(flagOf(flag))),
    leftAlone: [
      ...(declarations.leftAlone ?? []),
      ...declarations.desired.filter(desired => !isWanted(desired)),
    ],
  }
}

/** A plan of a part must not prune the rest. */
export function withoutPrune(policy: Policy, targets: readonly string[]): Policy {
  return targets.length === 0 ? policy : { ...policy, ownership: { ...policy.ownership, prune: 'never' } }
}

function resolveTarget(target: string, addresses: readonly string[]): string[] {
  if (addresses.includes(target)) return [target]
  const matching = addresses.filter(address => address.slice(address.indexOf('.') + 1) === target)
  if (matching.length === 1) return matching
  if (matching.length > 1)
    throw new CommandError(`"${target}" could be ${matching.join(' or ')}`, exitCode.usage)
  const near = didYouMean(target, addresses) ?? didYouMean(`feature_flag.${target}`, addresses)
  throw new CommandError(
    `"${target}" is not declared${near ? `; did you mean "${near}"?` : ''}`,
    exitCode.usage,
  )
}
