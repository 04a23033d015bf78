import { type Declarations, type Desired, parentKey } from '../../core/desired.ts'
import { declarableKinds, kindBelow } from '../../kinds/index.ts'
import { objectAddress } from '../../model/address.ts'
import { didYouMean } from '../../model/text/did-you-mean.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'

/**
 * Keeps what `--target` names, all where nothing was said: an address, or a bare identity where only one kind has it. The grants of a flag come
 * with it. An address that nobody declared is an error, not an empty plan. `unknown` says so in other words.
 */
export function onlyTargets(
  declarations: Declarations,
  targets: readonly string[] | undefined,
  unknown?: string,
): Declarations {
  if (targets === undefined) return declarations
  const addresses = declarations.desired.map(({ address }) => address)
  const wanted = new Set(targets.map(target => resolveAddress(target, addresses, unknown)))
  const parents = declarableKinds.filter(({ name }) => kindBelow(name))
  const isParentWanted = (key: string) => parents.some(({ name }) => wanted.has(objectAddress(name, key)))
  const isWanted = (desired: Desired) => {
    const parent = parentKey(desired)
    return wanted.has(desired.address) || (parent !== undefined && isParentWanted(parent))
  }
  return {
    desired: declarations.desired.filter(isWanted),
    ownedGrants: declarations.ownedGrants.filter(({ flag }) => isParentWanted(flag)),
    skipped: [...(declarations.skipped ?? []), ...declarations.desired.filter(desired => !isWanted(desired))],
  }
}

/** The one address that is meant by an address or a bare identity; anything else is an error. */
export function resolveAddress(
  named: string,
  addresses: readonly string[],
  unknown = 'is not declared',
): string {
  if (addresses.includes(named)) return named
  const [found, ...others] = addresses.filter(address => isNamed(address, named))
  if (found !== undefined && others.length === 0) return found
  if (found !== undefined)
    throw new CommandError(`"${named}" could be ${[found, ...others].join(' or ')}`, exitCode.usage)
  const near = nearAddress(named, addresses)
  throw new CommandError(`"${named}" ${unknown}${near ? `; did you mean "${near}"?` : ''}`, exitCode.usage)
}

/** Whether a name is an address, or the identity in it. */
export function isNamed(address: string, name: string): boolean {
  return address === name || identityIn(address) === name
}

function nearAddress(named: string, addresses: readonly string[]): string | undefined {
  const identity = didYouMean(named, addresses.map(identityIn))
  return didYouMean(named, addresses) ?? addresses.find(address => identityIn(address) === identity)
}

function identityIn(address: string): string {
  return address.slice(address.indexOf('.') + 1)
}
