import { TerraformStack } from 'cdktf'
import type { DeclaredCondition } from './declared-release.ts'
import type { PolicyProps } from './policy.ts'
import type { PolicySubject } from './policy-subject.ts'
import { ReleasePolicy } from './release-policy.ts'

/** What a rollout ceiling can be told. */
export interface MaxRolloutProps extends PolicyProps {
  /** Looks only at conditions that leave nobody out: those that name people may go to 100. */
  readonly everyoneOnly?: boolean
}

/** Ceilings by the ids of stacks: `{ staging: 100, production: 25 }`. */
export type Ceilings = { readonly [stack: string]: number }

/**
 * No condition of a flag that is not off goes to more than so many percent. Ceilings that differ between environments
 * are given by stack, and every stack needs one.
 *
 * ```ts
 * enforce(app, new MaxRollout({ staging: 100, production: 25 }))
 * ```
 */
export class MaxRollout extends ReleasePolicy {
  private readonly ceilings: number | Ceilings
  private readonly everyoneOnly: boolean

  public constructor(ceiling: number | Ceilings, props: MaxRolloutProps = {}) {
    super(props)
    for (const percent of typeof ceiling === 'number' ? [ceiling] : Object.values(ceiling)) {
      if (percent >= 0 && percent <= 100) continue
      throw new RangeError(`MaxRollout: ${percent} is not a percentage; it goes from 0 to 100`)
    }
    this.ceilings = ceiling
    this.everyoneOnly = props.everyoneOnly ?? false
  }

  protected concerns(subject: PolicySubject): boolean {
    const ceiling = this.ceilingFor(subject)
    if (ceiling !== undefined) return ceiling < 100
    const stack = TerraformStack.of(subject.resource).node.id
    this.refuse(subject, `MaxRollout has no ceiling for the stack "${stack}"; give it one, 100 for none`)
    return false
  }

  protected isAbout({ isForEveryone }: DeclaredCondition): boolean {
    return isForEveryone || !this.everyoneOnly
  }

  protected objection(subject: PolicySubject, percent: number): string | undefined {
    const ceiling = this.ceilingFor(subject) ?? 100
    return percent > ceiling ? `goes to ${percent}%; the ceiling is ${ceiling}%` : undefined
  }

  private ceilingFor({ resource }: PolicySubject): number | undefined {
    if (typeof this.ceilings === 'number') return this.ceilings
    const stack = TerraformStack.of(resource).node.id
    return Object.hasOwn(this.ceilings, stack) ? this.ceilings[stack] : undefined
  }
}
