import type { Json } from '../../model/json.ts'
import type { Property } from '../../targeting/filters.ts'
import { isMarkedNumber, markedForm } from '../engine-marks.ts'
import { notA, text, texts } from './arguments/argument.ts'
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
    return this.match(undefined, valuesOf(values, 'is'))
  }

  /** Equal to none of the values. */
  public isNot(...values: (string | number | boolean)[]): When {
    return this.match('is_not', valuesOf(values, 'isNot'))
  }

  /** With the text somewhere in it, in capitals or not. */
  public contains(part: string): When {
    return this.match('icontains', text(part, 'contains'))
  }

  /** Without the text anywhere in it. */
  public notContains(part: string): When {
    return this.match('not_icontains', text(part, 'notContains'))
  }

  /** Matching a regular expression, as text or as an expression without flags. */
  public regex(pattern: string | RegExp): When {
    return this.match('regex', patternText(pattern, 'regex'))
  }

  /** Not matching a regular expression, as text or as an expression without flags. */
  public notRegex(pattern: string | RegExp): When {
    return this.match('not_regex', patternText(pattern, 'notRegex'))
  }

  /** Greater than the value. */
  public gt(value: number | string): When {
    return this.match('gt', valueText(value, 'gt'))
  }

  /** Greater than the value, or equal to it. */
  public gte(value: number | string): When {
    return this.match('gte', valueText(value, 'gte'))
  }

  /** Less than the value. */
  public lt(value: number | string): When {
    return this.match('lt', valueText(value, 'lt'))
  }

  /** Less than the value, or equal to it. */
  public lte(value: number | string): When {
    return this.match('lte', valueText(value, 'lte'))
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
    return this.match('is_date_before', dateText(date, 'before'))
  }

  /** A moment after that one: a date, ISO text, or text that counts back from now, as "-7d". */
  public after(date: string | Date): When {
    return this.match('is_date_after', dateText(date, 'after'))
  }

  /**
   * Any other operator of the service by its own name: `operator('semver_gte', '2.1.0')`. Those that take several values
   * are given a list of them.
   */
  public operator(name: string, value?: string | readonly string[]): When {
    const operator = text(name, 'operator')
    if (value === undefined) return this.match(operator)
    const isList = Array.isArray(value) || markedForm(value) === 'list'
    return this.match(
      operator,
      isList ? Object.freeze([...texts(value, 'operator')]) : text(value, 'operator'),
    )
  }
}

/** Values one by one; a list that is known later, spread, is one value and stands for them all. */
function valuesOf(values: readonly unknown[], name: string): readonly string[] {
  if (markedForm(values) === 'list') return Object.freeze(texts(values, name))
  return Object.freeze(values.map(value => valueText(value, name)))
}

/** A value that is known now counts as its text. */
function valueText(value: unknown, name: string): string {
  const isPlain = typeof value === 'boolean' || (typeof value === 'number' && !isMarkedNumber(value))
  return isPlain ? String(value) : text(value, name)
}

function patternText(pattern: unknown, name: string): string {
  if (!(pattern instanceof RegExp)) return text(pattern, name)
  if (pattern.flags === '') return pattern.source
  throw new Error(`the service takes regular expressions without flags: ${pattern} has "${pattern.flags}"`)
}

function dateText(date: unknown, name: string): string {
  if (!(date instanceof Date)) return text(date, name)
  if (Number.isNaN(date.getTime())) throw notA('a date', 'Invalid Date', name)
  return date.toISOString()
}
