import type { TypedPart } from '../../targeting/typed-form.ts'
import { knownText, listOf, made, notA, number, type Reader, text, texts } from '../argument.ts'
import { isMarkedNumber, markedForm } from '../engine/engine-marks.ts'
import { isReference } from '../templates.ts'
import { flagKey, type IFlag } from './flag-grants.ts'
import type { GroupTypeIndex, Operator } from './variants.ts'

/** A condition in the typed form of a flag, with an optional description. */
export type DescribedCondition = TypedPart<'condition'>

/** One property of a condition in the typed form of a flag. */
export type DescribedProperty = TypedPart<'property'>

/**
 * Who gets a flag: one condition of its release. Conditions are immutable: each method returns a new one, so
 * many flags
 * can share a part.
 *
 * ```ts
 * const staff = When.person('email').contains('@example.com')
 * const release = [
 * staff.serve('bold').because('try it on ourselves first'),
 * When.person('country').is('DE', 'AT').and(When.cohort(12)).at(25),
 * When.everyone().at(5),
 * ]
 * ```
 */
export class When {
  /** The condition in the typed form of a flag. */
  public readonly condition: DescribedCondition

  /** Everybody, or every group in a flag that is released to groups. */
  public static everyone(): When {
    return new When({ properties: [] })
  }

  /** People by one of their properties: `When.person('country').is('DE')`. */
  public static person(property: string): WhenProperty {
    return new WhenProperty(text(property, 'person'), 'person', match => When.matching(match))
  }

  /**
   * Groups by one of their properties, in a flag with a `groupTypeIndex` or a condition with `ofGroups(...)`:
   * `When.group('plan').is('pro')`.
   */
  public static group(property: string): WhenProperty {
    return new WhenProperty(text(property, 'group'), 'group', match => When.matching(match))
  }

  /** People in a cohort: a `Cohort`, or its id. */
  public static cohort(cohort: Cohort | number | string): When {
    return When.matching({ key: 'id', type: 'cohort', value: cohortId(cohort, 'cohort') })
  }

  /** People who are not in a cohort: a `Cohort`, or its id. */
  public static notInCohort(cohort: Cohort | number | string): When {
    return When.matching({
      key: 'id',
      type: 'cohort',
      value: cohortId(cohort, 'notInCohort'),
      operator: 'not_in',
    })
  }

  /**
   * People who get a value from another flag: `When.flag(checkout).serves('bold')`. A flag that is declared
   * elsewhere may be passed by key; a flag construct is created first. Services before 2025 do not support
   * it.
   */
  public static flag(flag: IFlag | string): WhenFlag {
    return new WhenFlag(flagKey(flag, 'flag'), match => When.matching(match))
  }

  private static matching(property: DescribedProperty): When {
    return new When({ properties: [Object.freeze(property)] })
  }

  private constructor(condition: DescribedCondition) {
    this.condition = Object.freeze({ ...condition, properties: Object.freeze(condition.properties ?? []) })
    Object.freeze(this)
  }

  /** Requires the other conditions to match too. The others must have only properties. */
  public and(...others: When[]): When {
    for (const other of others) {
      const surplus = Object.keys(condition(other, 'and').condition).filter(name => name !== 'properties')
      if (surplus.length > 0)
        throw new Error(
          'and(...) takes conditions without at(...), serve(...), ofGroups(...) and because(...): call those at the end',
        )
    }
    const properties = [this, ...others].flatMap(({ condition }) => condition.properties ?? [])
    return new When({ ...this.condition, properties })
  }

  /** How many of those who match get the flag, from 0 to 100, also fractions. Without it, all of them. */
  public at(percent: number): When {
    return new When({ ...this.condition, rollout_percentage: number(percent, 'at') })
  }

  /** The variant that all of them get. The service tries such conditions first. */
  public serve(variant: string): When {
    return new When({ ...this.condition, variant: text(variant, 'serve') })
  }

  /**
   * Counts the groups of that type, from 0 to 4, for a flag that counts persons or other groups. Services
   * before 2026 do not support it.
   */
  public ofGroups(typeIndex: GroupTypeIndex): When {
    return new When({ ...this.condition, group_type_index: number(typeIndex, 'ofGroups') })
  }

  /** Describes why the condition exists; the service stores the text. */
  public because(why: string): When {
    return new When({ ...this.condition, description: text(why, 'because') })
  }
}

/** The compared value or values of a property. */
type Compared = Pick<DescribedProperty, 'value' | 'values'>

/**
 * The comparison of a property, from `When.person(...)` or `When.group(...)`. Values are compared as texts,
 * so a number or boolean equals its text.
 */
export class WhenProperty {
  private readonly match: (operator: string | undefined, compared?: Compared) => When

  /** @internal */
  public constructor(key: string, type: string, make: (property: DescribedProperty) => When) {
    this.match = (operator, compared) =>
      make({ key, type, ...compared, ...(operator === undefined ? {} : { operator }) })
    Object.freeze(this)
  }

  /** Equal to one of the values. */
  public is(...values: (string | number | boolean)[]): When {
    return this.match(undefined, { values: valuesOf(values, 'is') })
  }

  /** Equal to none of the values. */
  public isNot(...values: (string | number | boolean)[]): When {
    return this.match('is_not', { values: valuesOf(values, 'isNot') })
  }

  /** Contains the text, in any letter case. */
  public contains(part: string): When {
    return this.match('icontains', { value: text(part, 'contains') })
  }

  /** Does not contain the text, in any letter case. */
  public notContains(part: string): When {
    return this.match('not_icontains', { value: text(part, 'notContains') })
  }

  /** Matches a regular expression: text, or a `RegExp` without flags. */
  public regex(pattern: string | RegExp): When {
    return this.match('regex', { value: patternText(pattern, 'regex') })
  }

  /** Does not match a regular expression: text, or a `RegExp` without flags. */
  public notRegex(pattern: string | RegExp): When {
    return this.match('not_regex', { value: patternText(pattern, 'notRegex') })
  }

  /** Greater than the value. */
  public gt(value: number | string): When {
    return this.match('gt', { value: valueText(value, 'gt') })
  }

  /** Greater than the value, or equal to it. */
  public gte(value: number | string): When {
    return this.match('gte', { value: valueText(value, 'gte') })
  }

  /** Less than the value. */
  public lt(value: number | string): When {
    return this.match('lt', { value: valueText(value, 'lt') })
  }

  /** Less than the value, or equal to it. */
  public lte(value: number | string): When {
    return this.match('lte', { value: valueText(value, 'lte') })
  }

  /** Has any value. */
  public isSet(): When {
    return this.match('is_set')
  }

  /** Has no value. */
  public isNotSet(): When {
    return this.match('is_not_set')
  }

  /** Before the moment: a date, ISO text, or text relative to now, such as "-7d". */
  public before(date: string | Date): When {
    return this.match('is_date_before', { value: dateText(date, 'before') })
  }

  /** After the moment: a date, ISO text, or text relative to now, such as "-7d". */
  public after(date: string | Date): When {
    return this.match('is_date_after', { value: dateText(date, 'after') })
  }

  /**
   * Any other operator, by the service's name: `operator('semver_gte', '2.1.0')`. Operators for several
   * values take a list.
   */
  public operator(name: Operator, value?: string | readonly string[]): When {
    const operator = text(name, 'operator')
    if (value === undefined) return this.match(operator)
    const isList = Array.isArray(value) || markedForm(value) === 'list'
    return this.match(
      operator,
      isList ? { values: Object.freeze([...texts(value, 'operator')]) } : { value: text(value, 'operator') },
    )
  }
}

/** The required value of another flag, from `When.flag(...)`. */
export class WhenFlag {
  private readonly match: (value: boolean | string) => When

  /** @internal */
  public constructor(key: string, make: (property: DescribedProperty) => When) {
    this.match = value => make({ key, type: 'flag', value, operator: 'flag_evaluates_to' })
    Object.freeze(this)
  }

  /** People for whom the flag is on, with any variant. */
  public isOn(): When {
    return this.match(true)
  }

  /** People for whom the flag is off. */
  public isOff(): When {
    return this.match(false)
  }

  /** People who get that variant. */
  public serves(variant: string): When {
    return this.match(text(variant, 'serves'))
  }
}

const byHand = 'pass it to the generated construct: flag.resource.putRelease(...)'

const condition: Reader<When> = made('condition', 'a condition created by When', byHand)

export const conditions: Reader<readonly When[]> = listOf(condition, 'a list of conditions', byHand)

/** The values one by one; a spread list that is known later is a single value for all of them. */
function valuesOf(values: readonly unknown[], name: string): readonly string[] {
  if (markedForm(values) === 'list') return Object.freeze(texts(values, name))
  return Object.freeze(values.map(value => valueText(value, name)))
}

/** A value that is known now counts as its text. */
function valueText(value: unknown, name: string): string {
  const isNumber = typeof value === 'number' && !isMarkedNumber(value)
  if (isNumber) return String(number(value, name))
  return typeof value === 'boolean' ? String(value) : text(value, name)
}

function patternText(pattern: unknown, name: string): string {
  if (!(pattern instanceof RegExp)) return text(pattern, name)
  if (pattern.flags === '') return pattern.source
  throw new Error(
    `the service accepts only regular expressions without flags: ${pattern} has "${pattern.flags}"`,
  )
}

function dateText(date: unknown, name: string): string {
  if (!(date instanceof Date)) return text(date, name)
  if (Number.isNaN(date.getTime())) throw notA('a date', 'Invalid Date', name)
  return date.toISOString()
}

/**
 * A cohort, by its id: the service's interface does not list cohorts, so Vexil cannot find them by name.
 *
 * ```ts
 * const testers = Cohort.fromId(12, 'beta testers')
 * const release = [When.cohort(testers).at(50), When.notInCohort(testers).at(5)]
 * ```
 */
export class Cohort {
  /** The id of the cohort, the last part of its page's address; text if it is known only in a plan. */
  public readonly id: number | string
  /** Its name for people. */
  public readonly name: string | undefined

  /** A cohort by its id. The name is only for readers of the code, and is never sent. */
  public static fromId(id: number | string, name?: string): Cohort {
    return new Cohort(
      idOf(id, 'the id of a cohort'),
      name === undefined ? name : knownText(name, 'the name of a cohort'),
    )
  }

  private constructor(id: number | string, name: string | undefined) {
    this.id = id
    this.name = name
    Object.freeze(this)
  }
}

const cohort: Reader<Cohort> = made('id', 'a cohort; write Cohort.fromId(id, name) or its id')

/** A cohort's id, from the cohort or from the id itself. */
const cohortId: Reader<number | string> = (value, name) => {
  const isId = typeof value !== 'object' || value === null || markedForm(value) !== undefined
  return isId ? idOf(value, name) : cohort(value, name).id
}

/** A number stays a number; the service also accepts its text. */
function idOf(value: unknown, name: string): number | string {
  const id = typeof value === 'number' && !isReference(value) ? number(value, name) : text(value, name)
  if (isReference(id) || /^\d+$/.test(String(id))) return id
  const why =
    'the interface of the service does not list cohorts, so Vexil cannot find a cohort by its name; the address of its page contains the id'
  throw new Error(`${notA('the id of a cohort', id, name).message}: ${why}`)
}
