import { guardRules } from '../../core/desired.ts'
import { meantHint } from '../../model/text/did-you-mean.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import type { Flags } from '../host/flags.ts'

/** The options of a removal. */
export interface RetireChoice {
  readonly in: readonly string[] | undefined
  readonly value: string | undefined
  readonly expires: string | undefined
  /** How long a flag has to be off before it is declared absent. */
  readonly days: number
  /** Rules of plans that are allowed, as they are written there. */
  readonly rules: readonly string[]
  readonly allowsReferences: boolean
  readonly isOffline: boolean
}

/** References in code are not a plan rule, but can be allowed like one. */
export const references = 'references'

export const referencesDoc = 'going on while code names the flag'

export function retireChoice(options: Flags): RetireChoice {
  const { allow = [], offline = false, days } = options
  const rules = allow.filter(each => each !== references)
  for (const each of rules) requireRule(each)
  return {
    in: options.in,
    value: options.value,
    expires: options.expires,
    days: daysIn(days ?? '7', 0),
    rules,
    allowsReferences: allow.includes(references),
    isOffline: offline,
  }
}

export function daysIn(text: string, least: number): number {
  const days = Number(text)
  if (/^\d{1,5}$/.test(text) && days >= least) return days
  throw new CommandError(`--days is a whole number from ${least} on, not "${text}"`, exitCode.usage)
}

/** The values of a rule are checked when a plan is made. Without a service there is no plan. */
function requireRule(text: string): void {
  const [rule = ''] = text.split('=')
  if (rule === references)
    throw new CommandError(`"${references}" stands alone, without "=": one flag is retired`, exitCode.usage)
  const known = [references, ...guardRules]
  if (known.includes(rule)) return
  const hint = meantHint(rule, known, `there are: ${known.join(', ')}`)
  throw new CommandError(`"${rule}" is nothing that can be allowed; ${hint}`, exitCode.usage)
}
