import type { Condition, Property } from '../../targeting/filters.ts'
import { number, text } from './arguments/argument.ts'
import { condition, flag as flagArgument } from './arguments/parts.ts'
import type { IFlag } from './flag-interface.ts'
import { isReference } from './reference.ts'
import { WhenFlag } from './when-flag.ts'
import { WhenProperty } from './when-property.ts'

/** A condition as the service writes it, with the text in which people say why it is there. */
export interface DescribedCondition extends Condition {
  readonly description?: string
}

/**
 * Who gets a flag: one condition of its release. A condition never changes: each method gives another one, so a part
 * that many flags share can have a name.
 *
 * ```ts
 * const staff = When.person('email').contains('@example.com')
 * const release = [
 *   staff.serve('bold').because('try it on ourselves first'),
 *   When.person('country').is('DE', 'AT').and(When.cohort(12)).at(25),
 *   When.everyone().at(5),
 * ]
 * ```
 */
export class When {
  /** The condition as the service writes it. */
  public readonly condition: DescribedCondition

  /** Everybody, or every group in a flag that is released to groups. */
  public static everyone(): When {
    return new When({ properties: [] })
  }

  /** People by one of their properties: `When.person('country').is('DE')`. */
  public static person(property: string): WhenProperty {
    return new WhenProperty(text(property, 'person'), 'person', match => When.matching(match))
  }

  /** Groups by one of their properties, in a flag with a `groupTypeIndex`: `When.group('plan').is('pro')`. */
  public static group(property: string): WhenProperty {
    return new WhenProperty(text(property, 'group'), 'group', match => When.matching(match))
  }

  /** People in a cohort, by its id. */
  public static cohort(id: number | string): When {
    return When.matching({ key: 'id', type: 'cohort', value: cohortId(id) })
  }

  /** People who are not in a cohort, by its id. */
  public static notInCohort(id: number | string): When {
    return When.matching({ key: 'id', type: 'cohort', value: cohortId(id), operator: 'not_in' })
  }

  /** People by what another flag gives them: `When.flag(checkout).serves('bold')`. Services before 2025 do not know it. */
  public static flag(flag: IFlag): WhenFlag {
    return new WhenFlag(text(flagArgument(flag, 'flag').id, 'flag'), match => When.matching(match))
  }

  private static matching(property: Property): When {
    return new When({ properties: [Object.freeze(property)] })
  }

  private constructor(condition: DescribedCondition) {
    this.condition = Object.freeze({ ...condition, properties: Object.freeze(condition.properties ?? []) })
    Object.freeze(this)
  }

  /** Only those who match the others as well, which say nothing but whom they mean. */
  public and(...others: When[]): When {
    for (const other of others) {
      const said = Object.keys(condition(other, 'and').condition).filter(name => name !== 'properties')
      if (said.length > 0)
        throw new Error(
          'and(...) takes conditions without at(...), serve(...) and because(...): say those at the end',
        )
    }
    const properties = [this, ...others].flatMap(({ condition }) => condition.properties ?? [])
    return new When({ ...this.condition, properties })
  }

  /** How many of those who match get the flag, from 0 to 100; fractions are fine. All of them when nothing is said. */
  public at(percent: number): When {
    return new When({ ...this.condition, rollout_percentage: number(percent, 'at') })
  }

  /** The variant that they all get. The service tries such conditions first. */
  public serve(variant: string): When {
    return new When({ ...this.condition, variant: text(variant, 'serve') })
  }

  /** Why the condition is there; kept with it by the service. */
  public because(why: string): When {
    return new When({ ...this.condition, description: text(why, 'because') })
  }
}

/** A number stays one; the service takes its text as well. */
function cohortId(id: number | string): number | string {
  return typeof id === 'number' && !isReference(id) ? number(id, 'cohort') : text(id, 'cohort')
}
