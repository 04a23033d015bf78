import type { Property } from '../../targeting/filters.ts'
import { text } from './arguments/argument.ts'
import type { When } from './when.ts'

/** What another flag has to give for a condition to match. Made by `When.flag(...)`. */
export class WhenFlag {
  private readonly match: (value: boolean | string) => When

  /** @internal */
  public constructor(id: string, make: (property: Property) => When) {
    this.match = value => make({ key: id, type: 'flag', value, operator: 'flag_evaluates_to' })
    Object.freeze(this)
  }

  /** Those for whom the flag is on, whichever variant they get. */
  public isOn(): When {
    return this.match(true)
  }

  /** Those for whom the flag is off. */
  public isOff(): When {
    return this.match(false)
  }

  /** Those who get that variant of it. */
  public serves(variant: string): When {
    return this.match(text(variant, 'serves'))
  }
}
