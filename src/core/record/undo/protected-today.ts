import type { Plan } from '../../change.ts'
import type { Declarations, Desired } from '../../desired.ts'

/** What the files of a repository protect in one environment, as far as they can be read. */
export interface DeclaredProtection {
  has(object: Pick<Desired, 'address' | 'kind' | 'id'>): boolean
  /** Whether there are files that cannot be read, and may protect anything. */
  readonly isPartial: boolean
}

/**
 * What undoes a run, under the protection that is declared today. Where files cannot be read, everything that they
 * could protect is taken to be protected.
 */
export function withProtection(undoing: Declarations, today: DeclaredProtection): Declarations {
  const isProtected = (desired: Desired) =>
    today.has(desired) || (today.isPartial && desired.parent === undefined)
  return {
    ...undoing,
    desired: undoing.desired.map(desired => (isProtected(desired) ? { ...desired, protect: true } : desired)),
  }
}

/** Says of what was blocked only because files cannot be read that nobody knows whether it is protected. */
export function tellWhatHides(plan: Plan, undoing: Declarations, today: DeclaredProtection): Plan {
  const known = new Set(undoing.desired.filter(today.has).map(({ address }) => address))
  return {
    ...plan,
    blocked: plan.blocked.map(held =>
      held.rule === 'protected' && !known.has(held.address) ? { ...held, ...hidden } : held,
    ),
  }
}

const hidden = {
  reason: 'a file of declarations cannot be read, and may protect it from being deleted or turned off',
  remedy: 'mend the file, which `vexil validate` names, and undo again',
}
