import type { Json } from '../../model/json.ts'
import type { Property } from '../../targeting/filters.ts'
import { isReference } from './reference.ts'
import type { When } from './when.ts'

/**
 * How a property is compared. Made by `When.person(...)` and `When.group(...)`. Values are compared as texts, so a
 * number or truth value is as good as its text.
 */
export class WhenProperty {
  private readonly match: (operator: string | undefined, value?: Json) => When

  /** @internal */
  public constructor(key: string, type: string, make: (property: Property) => When) {
    this.match = (operator, value) =>
      make({
        key,
        type,
        ...(value === undefined ? {} : { value }),
        ...(operator === undefined ? {} : { operator }),
      })
    Object.freeze(this)
  }

  /** Equal to one of the values. */
  public is(...values: (string | number | boolean)[]): When {
    return this.match(undefined, Object.freeze(values.map(textOf)))
  }

  /** Equal to none of the values. */
  public isNot(...values: (string | number | boolean)[]): When {
    return this.match('is_not', Object.freeze(values.map(textOf)))
  }

  /** With the text somewhere in it, in capitals or not. */
  public contains(text: string): When {
    return this.match('icontains', text)
  }

  /** Without the text anywhere in it. */
  public notContains(text: string): When {
    return this.match('not_icontains', text)
  }

  /** Matching a regular expression, as text or as an expression without flags. */
  public regex(pattern: string | RegExp): When {
    return this.match('regex', patternText(pattern))
  }

  /** Not matching a regular expression, as text or as an expression without flags. */
  public notRegex(pattern: string | RegExp): When {
    return this.match('not_regex', patternText(pattern))
  }

  /** Greater than the value. */
  public gt(value: number | string): When {
    return this.match('gt', textOf(value))
  }

  /** Greater than the value, or equal to it. */
  public gte(value: number | string): When {
    return this.match('gte', textOf(value))
  }

  /** Less than the value. */
  public lt(value: number | string): When {
    return this.match('lt', textOf(value))
  }

  /** Less than the value, or equal to it. */
  public lte(value: number | string): When {
    return this.match('lte', textOf(value))
  }

  /** With any value at all. */
  public isSet(): When {
    return this.match('is_set')
  }

  /** Without a value. */
  public isNotSet(): When {
    return this.match('is_not_set')
  }

  /** A moment before that one: a date, ISO text, or text that counts back from now, as "-7d". */
  public before(date: string | Date): When {
    return this.match('is_date_before', dateText(date))
  }

  /** A moment after that one: a date, ISO text, or text that counts back from now, as "-7d". */
  public after(date: string | Date): When {
    return this.match('is_date_after', dateText(date))
  }

  /** Any other operator of the service by its own name: `operator('semver_gte', '2.1.0')`. */
  public operator(name: string, value?: string): When {
    return this.match(name, value)
  }
}

/** A number that is a reference stays one: its text would be no reference any more. */
function textOf(value: string | number | boolean): string | number {
  return typeof value === 'number' && isReference(value) ? value : String(value)
}

function patternText(pattern: string | RegExp): string {
  if (typeof pattern === 'string') return pattern
  if (pattern.flags === '') return pattern.source
  throw new Error(`the service takes regular expressions without flags: ${pattern} has "${pattern.flags}"`)
}

function dateText(date: string | Date): string {
  return typeof date === 'string' ? date : date.toISOString()
}
