import { JsonTextError, readStrictJson } from '../../hcl/strict-json.ts'
import {
  convert,
  impliedTyped,
  invalid,
  isObjectValue,
  memberOf,
  type ObjectValue,
  Refusal,
  Unknown,
  unknown,
  type Value,
} from '../../hcl/values.ts'
import { featureFlag } from '../../kinds/index.ts'
import { isProfileSetting, profileWords, type Services, servicesOf } from '../../model/connection.ts'
import { targetingField } from '../../model/kind.ts'
import { canonicalText, isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { didYouMean } from '../../model/text/names.ts'
import {
  checkFilters,
  type EvaluatedFlag,
  type EvaluationOnServices,
  evaluateOnServices,
  exposureOf,
  type Subject,
} from '../../targeting/index.ts'
import { typedAttributes } from '../../targeting/typed-form.ts'
import {
  givenTyped,
  looksMadeUp,
  requireNames,
  type TerraformAttribute,
  targetingText,
  typeOfAttribute,
} from './terraform-attribute.ts'
import { typeName } from './terraform-names.ts'
import { type FunctionName, resourceBlock } from './terraform-schema.ts'

/** Thrown by a function for an invalid argument. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError'
  /** The position of the argument, from 0. */
  readonly argument: number

  constructor(argument: number, reason: string, remedy?: string) {
    super(remedy === undefined ? reason : `${reason}; ${remedy}`)
    this.argument = argument
  }
}

/**
 * Calls a provider function with arguments of the right types. It computes the result from the filters,
 * without any request. Throws an `ArgumentError`.
 */
export function callProviderFunction(name: FunctionName, given: readonly Value[]): Value {
  return bodies[name](...given)
}

const bodies: Readonly<Record<FunctionName, (...given: readonly Value[]) => Value>> = {
  filters: flag => filtersOfFlag(flag ?? null),
  rollout: filters => rollout(filtersAt(0, filters ?? null)),
  variants: filters => variants(filtersAt(0, filters ?? null)),
  evaluate: (key, filters, distinctId, properties, ...profiles) =>
    evaluate(
      { key: String(key), filters: filtersAt(1, filters ?? null) },
      { distinctId: String(distinctId), properties: objectAt(3, properties) },
      servicesAt(4, profiles),
    ),
}

/** A flag without declared filters gets its filters when it is created. */
function filtersOfFlag(flag: Value): Value {
  if (flag instanceof Unknown) return unknown
  const names: readonly string[] = [...typedAttributes, targeting]
  if (!isObjectValue(flag) || !names.some(name => name in flag))
    throw new ArgumentError(0, `the argument is not a flag; pass \`${typeName(featureFlag.name)}.NAME\``)
  const [typed, own] = [givenTyped(flag)[0], memberOf(flag, targeting)]
  const saysMore = own !== null && !(own instanceof Unknown) && !looksMadeUp(own)
  if (typed !== undefined && saysMore)
    throw new ArgumentError(
      0,
      `the flag has both \`${targeting}\` and \`${typed}\`: its state contains an edit from the product that the attributes cannot express; apply the flag first, or declare everything in \`${targeting}\``,
    )
  const text = targetingText(targeting, declared(flag))
  if (typeof text === 'string' || text === null || text instanceof Unknown) return text
  throw new ArgumentError(0, `the flag's \`${targeting}\` is not a string; write it with jsonencode({ ... })`)
}

/** Rethrows a problem of the flag as a problem of the argument. */
function declared(flag: ObjectValue): ObjectValue {
  try {
    return asDeclared(flag)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new ArgumentError(0, error.message, error.remedy)
  }
}

const targeting = targetingField(featureFlag) ?? ''

function rollout(filters: JsonObject): Value {
  const { maxPercent, everyone, conditions } = exposureOf({ filters, active: true })
  return {
    max_percentage: maxPercent,
    everyone,
    conditions: conditions.map(({ people, percent, index }) => ({
      people,
      percentage: percent,
      variant: forcedVariant(filters, index),
    })),
  }
}

function forcedVariant({ groups }: JsonObject, index: number): string | null {
  const condition = Array.isArray(groups) ? groups[index] : undefined
  const variant = isJsonObject(condition) ? condition.variant : undefined
  return typeof variant === 'string' && variant !== '' ? variant : null
}

function variants({ multivariate }: JsonObject): Value {
  const all = isJsonObject(multivariate) && Array.isArray(multivariate.variants) ? multivariate.variants : []
  return Object.fromEntries(
    all.flatMap((variant: Json) =>
      isJsonObject(variant) &&
      typeof variant.key === 'string' &&
      typeof variant.rollout_percentage === 'number'
        ? [[variant.key, variant.rollout_percentage]]
        : [],
    ),
  )
}

function evaluate(flag: EvaluatedFlag, subject: Subject, services: Services): Value {
  const at = (now: number) => evaluateOnServices(flag, subject, { now }, services)
  const [early, late] = [at(0), at(farFuture)]
  const answers = [early, late].map(each => JSON.stringify([each.value, each.undecided, each.others]))
  if (answers[0] !== answers[1]) {
    throw new ArgumentError(
      1,
      'the filters contain a date relative to now, and a function must always return the same result',
    )
  }
  const { value, reason, payload } = late
  const undecided = late.undecided ?? disagreement(late)
  return {
    enabled: value !== false,
    variant: typeof value === 'string' ? value : null,
    reason,
    payload: payload === undefined ? null : canonicalText(payload),
    undecided: undecided !== undefined,
    undecided_reason: undecided ?? null,
  }
}

/** The results of all engines if they differ. A value that only some engines give is not reliable. */
function disagreement({ by, value, others }: EvaluationOnServices): string | undefined {
  if (others.length === 0) return undefined
  const values = [{ by, value }, ...others].map(each => `${each.value ?? 'undecided'} by ${each.by}`)
  return `engines give different values: ${values.join(', ')}`
}

function servicesAt(argument: number, given: readonly Value[]): Services {
  const [name = 'auto', more] = given
  if (more !== undefined) throw new ArgumentError(argument + 1, 'pass only one profile')
  if (!isProfileSetting(name)) throw new ArgumentError(argument, `this is not a profile; use ${profileWords}`)
  return servicesOf([name])
}

/**
 * A time after every date that people write relative to now, on the last day of a year. Dates that take month
 * and day from today are as late as possible then, and as early as possible on 1970-01-01.
 */
const farFuture = Date.UTC(2300, 11, 31)

/** Filters with an invalid part have no meaning, because the service refuses them. */
function filtersAt(argument: number, text: Value): JsonObject {
  const filters = objectAt(argument, text)
  const problem = checkFilters(filters).find(({ code }) => malformed.has(code))
  if (!problem) return filters
  throw new ArgumentError(argument, `at ${problem.pointer}: ${problem.message}`, problem.hint)
}

const malformed: ReadonlySet<string> = new Set([
  'wrong-shape',
  'percentage-type',
  'missing-key',
  'key-not-text',
  'misspelt-member',
])

function objectAt(argument: number, text: Value): JsonObject {
  try {
    const value = readStrictJson(String(text))
    if (isJsonObject(value)) return value
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error
    throw new ArgumentError(argument, error.message)
  }
  throw new ArgumentError(argument, 'the argument is not a JSON object; write it with jsonencode({ ... })')
}

/**
 * Converts a user's object to the form of a flag's resource, so that typed attributes have the resource's
 * types. Throws a `Refusal` for a value that the resource refuses. Without this check the result would be a
 * flag that reaches nobody.
 */
function asDeclared(flag: ObjectValue): ObjectValue {
  const { attributes } = resourceBlock(featureFlag)
  for (const name of Object.keys(flag)) {
    const meant = name in attributes ? undefined : didYouMean(name, typedAttributes)
    if (meant !== undefined) throw invalid(`a flag has no \`${name}\``, `did you mean \`${meant}\`?`)
  }
  const typed = givenTyped(flag).map(name => [name, inside(name, () => read(name, flag, attributes[name]))])
  return { ...flag, ...Object.fromEntries(typed) }
}

function read(name: string, flag: ObjectValue, attribute: TerraformAttribute | undefined): Value {
  const value = memberOf(flag, name)
  if (!attribute) return value
  const type = typeOfAttribute(attribute)
  requireNames(value, type, name)
  return convert(impliedTyped(value), type).plain
}

function inside(name: string, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refusal) throw invalid(`its \`${name}\`: ${error.message}`, error.remedy)
    throw error
  }
}
