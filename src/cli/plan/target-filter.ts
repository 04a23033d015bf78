import { type Declarations, type Desired, parentKey } from '../../core/desired.ts'
import { declarableKinds, kindBelow } from '../../kinds/index.ts'
import { objectAddress } from '../../model/address.ts'
import { didYouMean } from '../../model/text/did-you-mean.ts'
import { isNameGlob, nameGlob } from '../../model/text/name-glob.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'

/** Says of a name that it means nothing here, and of a glob. */
export interface UnknownWords {
  readonly name: string
  readonly glob: string
}

/**
 * Keeps what `--target` names, all where nothing was said: an address, a bare identity where only one kind has it, or a
 * glob of either. The grants of a flag come with it. What nobody declared is an error, not an empty plan. `unknown` says
 * so in other words.
 */
export function onlyTargets(
  declarations: Declarations,
  targets: readonly string[] | undefined,
  unknown?: UnknownWords,
): Declarations {
  if (targets === undefined) return declarations
  const addresses = declarations.desired.map(({ address }) => address)
  const wanted = new Set(targets.flatMap(target => resolveAddresses(target, addresses, unknown)))
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

/**
 * The addresses that are meant by an address, a bare identity, or a glob of either. What names one of them as it is
 * written is never taken for a glob. Anything else is an error: a glob that fits nothing too.
 */
export function resolveAddresses(
  named: string,
  addresses: readonly string[],
  unknown: UnknownWords = undeclared,
): readonly string[] {
  if (addresses.includes(named)) return [named]
  const [found, ...others] = addresses.filter(address => isNamed(address, named))
  if (found !== undefined && others.length === 0) return [found]
  if (found !== undefined)
    throw new CommandError(`"${named}" could be ${[found, ...others].join(' or ')}`, exitCode.usage)
  if (isNameGlob(named)) {
    const fitting = addressesFitting(named, addresses)
    if (fitting.length > 0) return fitting
    throw new CommandError(`"${named}" ${unknown.glob}`, exitCode.usage)
  }
  const near = nearAddress(named, addresses)
  throw new CommandError(
    `"${named}" ${unknown.name}${near ? `; did you mean "${near}"?` : ''}`,
    exitCode.usage,
  )
}

const undeclared: UnknownWords = { name: 'is not declared', glob: 'fits nothing that is declared' }

/** Those of some addresses that fit a glob, themselves or with their identity. */
export function addressesFitting(glob: string, addresses: readonly string[]): string[] {
  const fits = nameGlob(glob)
  return addresses.filter(address => fits(address) || fits(identityIn(address)))
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
