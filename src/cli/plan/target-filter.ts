import { type Declarations, type Desired, parentKey } from '../../core/desired.ts'
import { ownersOf } from '../../core/ownership.ts'
import { type Allowance, defaultPolicy, type Policy } from '../../core/policy.ts'
import { declarableKinds, kindBelow } from '../../kinds/index.ts'
import { guardRules, isOfPlan } from '../../model/guard-rules.ts'
import { objectAddress } from '../../model/kind.ts'
import { isPruneMode, pruneModes } from '../../model/removal.ts'
import { compareTexts, didYouMean, isNameGlob, meantHint, nameGlob } from '../../model/text/names.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'

/** The messages for unmatched names, globs and owners. */
interface UnknownWords {
  readonly name: string
  readonly glob: string
  readonly owner: string
}

/** Whether the command line selects objects. */
export function isPart({ target, owner }: Flags): boolean {
  return target !== undefined || owner !== undefined
}

/**
 * Keeps the objects of `--target` and `--owner`, and the grants of kept flags. An undeclared name is an
 * error, not an empty plan.
 */
export function onlyChosen(
  declarations: Declarations,
  choice: Flags,
  unknown: UnknownWords = undeclared,
): Declarations {
  if (!isPart(choice)) return declarations
  const { target, owner } = choice
  const { desired } = declarations
  const addresses = desired.map(({ address }) => address)
  const choices = [
    ...(target ? [new Set(target.flatMap(each => resolveAddresses(each, addresses, unknown)))] : []),
    ...(owner ? [addressesOwned(desired, owner, unknown)] : []),
  ]
  const parents = declarableKinds.filter(({ name }) => kindBelow(name))
  const hasParent = (wanted: ReadonlySet<string>, key: string) =>
    parents.some(({ name }) => wanted.has(objectAddress(name, key)))
  const isWanted = (each: Desired) => {
    const parent = parentKey(each)
    return choices.every(
      wanted => wanted.has(each.address) || (parent !== undefined && hasParent(wanted, parent)),
    )
  }
  const chosen = desired.filter(isWanted)
  if (chosen.length === 0 && target?.length && owner?.length)
    throw new CommandError(`no object that --target names belongs to ${listed(owner)}`, exitCode.usage)
  return {
    ...declarations,
    desired: chosen,
    ownedGrants: declarations.ownedGrants.filter(({ flag }) =>
      choices.every(wanted => hasParent(wanted, flag)),
    ),
    skipped: [...(declarations.skipped ?? []), ...desired.filter(each => !isWanted(each))],
  }
}

/** The addresses of objects of some owners. Throws for an owner without objects. */
function addressesOwned(
  desired: readonly Desired[],
  owners: readonly string[],
  unknown: UnknownWords,
): ReadonlySet<string> {
  const owned = desired.map(each => ({ address: each.address, owners: ownersOf(each) }))
  requireOwners(
    owners,
    owned.flatMap(each => each.owners),
    unknown.owner,
  )
  const isWanted = (owner: string) => owners.includes(owner)
  return new Set(owned.filter(each => each.owners.some(isWanted)).map(({ address }) => address))
}

/** Throws for an unknown owner. */
export function requireOwners(
  owners: readonly string[],
  known: readonly string[],
  unknown: string = undeclared.owner,
): void {
  const names = [...new Set(known)].sort(compareTexts)
  for (const owner of owners) {
    if (names.includes(owner)) continue
    const near = didYouMean(owner, names)
    const hint = near === undefined ? '' : `; did you mean "${near}"?`
    throw new CommandError(`"${owner}" ${unknown}${hint}`, exitCode.usage)
  }
}

function listed(owners: readonly string[]): string {
  return owners.map(owner => `"${owner}"`).join(' or ')
}

/**
 * The addresses for an address, a bare identity, or a glob of either. An exact match is never a glob. Throws
 * if nothing matches.
 */
export function resolveAddresses(
  named: string,
  addresses: readonly string[],
  unknown: Omit<UnknownWords, 'owner'> = undeclared,
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

/** The one flag that a name matches. */
export function resolveFlag<Flag extends { readonly address: string }>(
  named: string,
  flags: readonly Flag[],
  unknown?: Omit<UnknownWords, 'owner'>,
): Flag {
  const addresses = flags.map(({ address }) => address)
  const [address, ...others] = resolveAddresses(named, addresses, unknown)
  const flag = flags.find(each => each.address === address)
  if (flag && others.length === 0) return flag
  throw new CommandError(`"${named}" matches ${others.length + 1} flags; name one`, exitCode.usage)
}

const undeclared: UnknownWords = {
  name: 'is not declared',
  glob: 'matches nothing that is declared',
  owner: 'owns nothing that is declared',
}

/** The addresses that match a glob, by address or by identity. */
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

/** The policy of a repository with what the command line adds to it. */
export function resolvePolicy(settings: Policy | undefined, flags: Flags): Policy {
  const always = settings?.allow ?? []
  const policy = {
    ...defaultPolicy,
    ...settings,
    allow: [...always, ...(flags.allow ?? []).map(allowance)],
  }
  const { prune } = flags
  if (prune === undefined) return policy
  if (!isPruneMode(prune)) {
    const words = `"${prune}" is not a --prune mode; there are: ${pruneModes.join(', ')}`
    throw new CommandError(words, exitCode.usage)
  }
  return { ...policy, ownership: { ...policy.ownership, prune } }
}

export function withoutPrune(policy: Policy): Policy {
  return { ...policy, ownership: { ...policy.ownership, prune: 'never' } }
}

/** The objects that `--allow RULE=KEY` can name. */
export interface Allowable {
  readonly declared: readonly string[]
  /** The messages for unmatched names. */
  readonly unknown?: UnknownWords
}

/** With addresses in place of each `--allow RULE=KEY`: of one object for a key, of all that match a glob. */
export function withAddresses(policy: Policy, { declared, unknown }: Allowable): Policy {
  const allow = policy.allow.flatMap(({ rule, address }) =>
    address === undefined
      ? [{ rule }]
      : resolveAddresses(address, declared, unknown).map(each => ({ rule, address: each })),
  )
  return { ...policy, allow }
}

/** The same for plans with undeclared objects. Keys and globs match these too. */
export function withFoundAddresses(policy: Policy, declared: readonly string[]): Policy {
  const isOfDeclared = ({ address }: Allowance) =>
    address === undefined || declared.some(each => isNamed(each, address))
  const fitsDeclared = ({ address = '' }: Allowance) =>
    isNameGlob(address) && addressesFitting(address, declared).length > 0
  const others = { ...policy, allow: policy.allow.filter(allowance => !isOfDeclared(allowance)) }
  const ofDeclared = policy.allow.filter(allowance => isOfDeclared(allowance) || fitsDeclared(allowance))
  return {
    ...withAddresses({ ...policy, allow: ofDeclared }, { declared }),
    allowUndeclared: found => withAddresses(others, { declared: [...declared, ...found] }).allow,
  }
}

/** The addresses of all declared objects, including skipped ones. */
export function declaredAddresses({ desired, skipped = [] }: Declarations): string[] {
  return [...new Set([...desired, ...skipped].map(({ address }) => address))]
}

/** `rollout_step`, `rollout_step=feature_flag.checkout_v2` or `rollout_step=checkout_v2`. */
function allowance(text: string): Allowance {
  const at = text.indexOf('=')
  const rule = at < 0 ? text : text.slice(0, at)
  const known = guardRules.find(candidate => candidate === rule)
  if (!known) {
    const hint = meantHint(rule, guardRules, `there are: ${guardRules.join(', ')}`)
    throw new CommandError(`"${rule}" is not a rule that can be allowed; ${hint}`, exitCode.usage)
  }
  if (at < 0) return { rule: known }
  const address = text.slice(at + 1)
  if (address === '') {
    throw new CommandError(`--allow ${rule}= names nothing; give --allow ${rule}=ADDRESS`, exitCode.usage)
  }
  if (isOfPlan(known)) {
    const words = `${known} is about a whole plan, not about "${address}"; give --allow ${known}`
    throw new CommandError(words, exitCode.usage)
  }
  return { rule: known, address }
}
