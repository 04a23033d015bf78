import type { Declarations } from '../../core/desired.ts'
import { type Allowance, defaultPolicy, type Policy } from '../../core/policy.ts'
import { guardRules, isOfPlan } from '../../model/guard-rules.ts'
import { isPruneMode, pruneModes } from '../../model/removal.ts'
import { meantHint } from '../../model/text/did-you-mean.ts'
import { isNameGlob } from '../../model/text/name-glob.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import type { Flags } from '../host/flags.ts'
import { addressesFitting, isNamed, resolveAddresses, type UnknownWords } from './target-filter.ts'

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
    const words = `"${prune}" is not a way to prune; there are: ${pruneModes.join(', ')}`
    throw new CommandError(words, exitCode.usage)
  }
  return { ...policy, ownership: { ...policy.ownership, prune } }
}

/** The policy without pruning. */
export function withoutPrune(policy: Policy): Policy {
  return { ...policy, ownership: { ...policy.ownership, prune: 'never' } }
}

/** The objects that an `--allow RULE=KEY` can name. */
export interface Allowable {
  readonly declared: readonly string[]
  /** The message for a name that means nothing here. */
  readonly unknown?: UnknownWords
}

/** The policy with each `--allow RULE=KEY` by address. A key means one object, a glob all that fit. */
export function withAddresses(policy: Policy, { declared, unknown }: Allowable): Policy {
  const allow = policy.allow.flatMap(({ rule, address }) =>
    address === undefined
      ? [{ rule }]
      : resolveAddresses(address, declared, unknown).map(each => ({ rule, address: each })),
  )
  return { ...policy, allow }
}

/**
 * The same if a plan may find objects that are declared nowhere. A key means such an object if it has no
 * declaration. A glob means such objects in addition to the declared ones.
 */
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

/** All declared objects, including those that are skipped this time. */
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
