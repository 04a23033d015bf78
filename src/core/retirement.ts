import type { Source } from '../model/problem.ts'
import { type HoldKind, type RetireStep, retireSteps } from '../model/removal.ts'

/** The value that everybody gets from a flag: false, true or the key of a variant. */
export type FlagValue = boolean | string

/** The progress of a flag in one environment, according to its declaration. */
export interface Standing {
  /** Undefined in a repository without environments. */
  readonly environment: string | undefined
  readonly declared: 'on' | 'off' | 'absent'
  /** Undefined if people get different values, or the value is unknown. */
  readonly value: FlagValue | undefined
}

/**
 * The steps that each kind of thing holds back. A reference holds back no declaration that is absent already:
 * then nobody gets the flag any more.
 */
const heldSteps: Readonly<Record<HoldKind, readonly RetireStep[]>> = {
  values: ['decide'],
  permanent: ['decide', 'code', 'off', 'absent'],
  live_edit: ['decide', 'off', 'absent', 'forget'],
  reference: ['code', 'off', 'absent'],
  protected: ['off', 'absent'],
  dependent: ['off', 'absent'],
  audience: ['off', 'absent', 'forget'],
  experiment: ['off', 'absent'],
  survey: ['off', 'absent'],
  feature: ['off', 'absent'],
  can_edit: ['off', 'absent'],
  blocked: ['off', 'absent', 'forget'],
  unapplied: ['off', 'absent', 'forget'],
  waiting: ['absent', 'forget'],
  elsewhere: ['forget'],
}

/** Something that still needs a flag. */
export interface Hold {
  readonly kind: HoldKind
  /** The environment; all environments if absent. */
  readonly environment?: string | undefined
  readonly place?: Source
  /** The address of another object that it is about. */
  readonly subject?: string
  /** A description of it. */
  readonly what: string
  readonly remedy: string
  /** Set if a permission lets the removal go on. */
  readonly isAllowed?: boolean
}

/** A check that could not be made, and why. */
export interface Unchecked {
  /** Undefined if it is about no environment, or there are none. */
  readonly environment?: string | undefined
  /** The step whose completion it would have shown. */
  readonly step?: RetireStep
  readonly what: string
  readonly reason: string
}

/** The progress of removing a flag: the next step, and the environments that need it. */
export interface Progress {
  readonly step: RetireStep
  readonly environments: readonly (string | undefined)[]
  /** The things that block the step. */
  readonly holding: readonly Hold[]
}

/**
 * The next step of a removal: the earliest that some environment lacks. Environments that are further on wait for it.
 *
 * | declared | everybody gets | code names it | next     |
 * |----------|----------------|---------------|----------|
 * | on       | not the same   |               | `decide` |
 * | on, off  | the same       | yes           | `code`   |
 * | on       | the same       | no            | `off`    |
 * | off      | off            | no            | `absent` |
 * | absent   |                |               | `forget` |
 */
export function progressOf(standings: readonly Standing[], holds: readonly Hold[]): Progress {
  const isNamed = holds.some(({ kind, isAllowed }) => kind === 'reference' && !isAllowed)
  const steps = standings.map(standing => stepOf(standing, isNamed))
  const step = retireSteps.find(each => steps.includes(each)) ?? 'forget'
  const environments = standings.flatMap(({ environment }, index) =>
    steps[index] === step ? [environment] : [],
  )
  const isHere = ({ environment }: Hold) => environment === undefined || environments.includes(environment)
  const holding = holds.filter(hold => !hold.isAllowed && isHere(hold) && heldSteps[hold.kind].includes(step))
  return { step, environments, holding }
}

function stepOf({ declared, value }: Standing, isNamed: boolean): RetireStep {
  switch (declared) {
    case 'absent':
      return 'forget'
    case 'off':
      return isNamed ? 'code' : 'absent'
    case 'on':
      if (value === undefined) return 'decide'
      return isNamed ? 'code' : 'off'
  }
}

/** Merges equal things of several environments, so that each is shown once. */
export function mergeAlike(
  holds: readonly Hold[],
  environments: readonly (string | undefined)[],
): readonly Hold[] {
  const byText = new Map<string, { readonly shared: Hold; readonly same: Hold[] }>()
  for (const hold of holds) {
    const { environment: _, ...shared } = hold
    const text = JSON.stringify(shared)
    const known = byText.get(text)
    if (known) known.same.push(hold)
    else byText.set(text, { shared, same: [hold] })
  }
  return [...byText.values()].flatMap(({ shared, same }) => {
    const isEverywhere = environments.every(name => same.some(({ environment }) => environment === name))
    return isEverywhere && environments.length > 1 ? [shared] : same
  })
}

/** The name of a value. */
export function valueName(value: FlagValue): string {
  return typeof value === 'string' ? `variant ${value}` : value ? 'on' : 'off'
}
