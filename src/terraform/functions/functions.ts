import type { Value } from '../../cty/value.ts'
import { mapMembers } from '../../cty/walk-type.ts'
import { canonicalText, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { JsonTextError, readStrictJson } from '../../model/json/strict-json.ts'
import {
  type FunctionName,
  type FunctionSignature,
  functionSignatures,
} from '../../schema/terraform/terraform-functions.ts'
import { checkFilters, evaluateFlag, exposureOf } from '../../targeting/index.ts'
import { ArgumentError, type ProviderFunction } from '../provider.ts'

/** The functions of the provider: what filters mean, worked out here and asked of nobody. */
export function providerFunctions(): Readonly<Record<string, ProviderFunction>> {
  return mapMembers<FunctionSignature, ProviderFunction>(
    functionSignatures,
    ({ summary, description, parameters, returns }, name) => ({
      summary,
      description,
      parameters,
      result: returns,
      // The names are those of the signatures themselves.
      call: given => bodies[name as FunctionName](...given),
    }),
  )
}

const bodies: Readonly<Record<FunctionName, (...given: readonly Value[]) => Value>> = {
  rollout: filters => rollout(filtersAt(0, filters ?? null)),
  variants: filters => variants(filtersAt(0, filters ?? null)),
  evaluate: (key, filters, distinctId, properties) =>
    evaluate(String(key), filtersAt(1, filters ?? null), String(distinctId), objectAt(3, properties ?? null)),
}

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

function evaluate(key: string, filters: JsonObject, distinctId: string, properties: JsonObject): Value {
  const at = (now: number) => evaluateFlag({ key, filters }, { distinctId, properties }, { now })
  const [early, { value, reason, payload, undecided }] = [at(0), at(farFuture)]
  if (early.value !== value || early.undecided !== undecided) {
    throw new ArgumentError(
      1,
      'they have a date that counts from now, and a function must answer the same every time',
    )
  }
  return {
    enabled: value !== false,
    variant: typeof value === 'string' ? value : null,
    reason,
    payload: payload === undefined ? null : canonicalText(payload),
    undecided: undecided !== undefined,
    undecided_reason: undecided ?? null,
  }
}

/**
 * A time by which every date that counts from now has moved past any that people write, on the last day of a year:
 * dates that take their month and day from today are then as late as they get, and in 1970-01-01 as early.
 */
const farFuture = Date.UTC(2300, 11, 31)

/** Filters with a percentage that is no number mean nothing: the service refuses them. */
function filtersAt(argument: number, text: Value): JsonObject {
  const filters = objectAt(argument, text)
  const problem = checkFilters(filters).find(({ code }) => code === 'percentage-type')
  if (!problem) return filters
  const hint = problem.hint === undefined ? '' : `; ${problem.hint}`
  throw new ArgumentError(argument, `at ${problem.pointer}: ${problem.message}${hint}`)
}

function objectAt(argument: number, text: Value): JsonObject {
  if (text === null) return {}
  try {
    const value = readStrictJson(String(text))
    if (isJsonObject(value)) return value
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error
    throw new ArgumentError(argument, error.message)
  }
  throw new ArgumentError(argument, 'it is not a JSON object; write it with jsonencode({ ... })')
}
