import { doubleOf } from '../../hcl/json.ts'
import { isJsonArray, isJsonNumber, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { pointerOf } from '../../model/json/pointer.ts'
import { Suggestions } from '../../model/text/did-you-mean.ts'
import { listSome } from '../../model/text/list-names.ts'
import { isJsonText } from '../canonical-filters.ts'
import { quoted } from '../describe/value-words.ts'
import { keysIn } from '../release.ts'
import {
  checkMembers,
  checkRollout,
  type FilterProblem,
  filterError,
  filterWarning,
  isGiven,
  keyProblems,
  pointerTo,
  shapeProblem,
  type Written,
} from './filter-problem.ts'

/** Problems in `multivariate`. */
export function checkMultivariate(multivariate: Json | undefined, written: Written): FilterProblem[] {
  const pointer = '/multivariate'
  if (!isGiven(multivariate)) return []
  if (!isJsonObject(multivariate)) return [shapeProblem(pointer, 'multivariate', 'an object')]
  const slips = checkMembers(multivariate, 'multivariate', pointer)
  const { variants } = multivariate
  const at = pointerTo(pointer, 'variants')
  if (variants === undefined && !slips.some(({ severity }) => severity === 'error'))
    return [
      ...slips,
      filterError(at, 'missing-variants', '"multivariate" needs "variants"', 'list them there'),
    ]
  if (!isGiven(variants)) return slips
  if (!isJsonArray(variants)) return [...slips, shapeProblem(at, 'variants', 'a list')]
  return [
    ...slips,
    ...variants.flatMap((variant, index) => checkVariant(variant, pointerTo(at, index), written)),
    ...duplicates(variants, at),
    ...checkSum(variants, at),
  ]
}

/** Problems in `payloads`. What a payload holds is never repeated. */
export function checkPayloads(filters: JsonObject, written: Written): FilterProblem[] {
  const pointer = '/payloads'
  const { payloads } = filters
  if (!isGiven(payloads)) return []
  if (!isJsonObject(payloads)) return [shapeProblem(pointer, 'payloads', 'an object')]
  const variants = variantNames(filters, written)
  return Object.entries(payloads).flatMap(([key, payload]) => {
    const at = pointerTo(pointer, key)
    return [...checkPayloadKey(key, variants, at), ...checkPayloadText(key, payload, at)]
  })
}

/** The variants, collected once for everything that names one. */
export interface VariantNames {
  readonly known: ReadonlySet<string>
  /** Lists the variants; of many only the first. */
  readonly listed: string
}

export function variantNames(filters: JsonObject, written: Written): VariantNames {
  // A key that should be text, as it was meant: naming such a variant is no second problem.
  const keys = keysIn(filters, (key, index) =>
    isJsonNumber(key) || typeof key === 'boolean'
      ? [written(pointerOf('multivariate', 'variants', index, 'key')) ?? String(key)]
      : [],
  )
  const more = keys.length > mostListed ? ` and ${keys.length - mostListed} more` : ''
  const listed = `the variants are ${keys.slice(0, mostListed).map(quoted).join(', ')}${more}`
  return { known: new Set(keys), listed }
}

const mostListed = 20

function checkVariant(variant: Json, pointer: string, written: Written): FilterProblem[] {
  if (!isJsonObject(variant)) return [shapeProblem(pointer, 'a variant', 'an object')]
  return [
    ...checkMembers(variant, 'variant', pointer),
    ...keyProblems(variant.key, 'a variant', 'what code receives', pointer, written),
    ...checkRollout(variant.rollout_percentage, pointerTo(pointer, 'rollout_percentage')),
  ]
}

function duplicates(variants: readonly Json[], pointer: string): FilterProblem[] {
  const seen = new Set<string>()
  return variants.flatMap((variant, index) => {
    const key = isJsonObject(variant) ? variant.key : undefined
    if (typeof key !== 'string' || !seen.has(key)) {
      if (typeof key === 'string') seen.add(key)
      return []
    }
    return [
      filterError(
        pointerTo(pointerTo(pointer, index), 'key'),
        'duplicate-variant',
        `there is another variant ${quoted(key)}`,
      ),
    ]
  })
}

function checkSum(variants: readonly Json[], pointer: string): FilterProblem[] {
  const weights = variants.map(variant =>
    isJsonObject(variant) ? doubleOf(variant.rollout_percentage) : undefined,
  )
  const numbers = weights.filter(weight => weight !== undefined)
  // A sum over what cannot be read would only repeat that problem in other words.
  if (numbers.length < weights.length) return []
  const sum = numbers.reduce((total, weight) => total + weight, 0)
  if (isWhole(sum)) return []
  const shown = Number(sum.toPrecision(12))
  return [filterError(pointer, 'variant-sum', `the variants add up to ${shown}%`, 'they must add up to 100%')]
}

/** Whether shares add up to 100, with the precision that the service requires. */
export function isWhole(sum: number): boolean {
  return Math.abs(sum - 100) <= 1e-9
}

function checkPayloadKey(key: string, { known, listed }: VariantNames, pointer: string): FilterProblem[] {
  if (known.size === 0 ? key === 'true' : known.has(key)) return []
  if (known.size === 0) {
    const message = `there is a payload for ${quoted(key)}, but the flag has no variants`
    return [
      filterError(pointer, 'payload-without-variant', message, 'the payload of such a flag is called "true"'),
    ]
  }
  return [
    filterError(
      pointer,
      'payload-without-variant',
      `there is a payload for ${quoted(key)}, which is no variant`,
      listed,
    ),
  ]
}

function checkPayloadText(key: string, payload: Json, pointer: string): FilterProblem[] {
  if (typeof payload !== 'string' || isJsonText(payload)) return []
  const name = `the payload of ${quoted(key)}`
  if (/^\s*[[{]/.test(payload))
    return [filterError(pointer, 'payload-json', `${name} is not JSON`, 'mend it, or write it as a value')]
  return [
    filterWarning(
      pointer,
      'payload-text',
      `${name} is not JSON and is sent as a JSON string`,
      'put it in JSON quotes to say so',
    ),
  ]
}

/** A name in `sensitive` that no payload has: its place in the list, and what to do about it. */
export interface StrangeName {
  readonly index: number
  readonly name: string
  readonly hint: string
}

/** The names in `sensitive` that match no payload of the filters. Such a slip would show a secret. */
export function strangeNames(names: readonly string[], payloads: object = {}): readonly StrangeName[] {
  const known = Object.keys(payloads)
  const suggestions = new Suggestions(known)
  const listed = known.length === 0 ? 'it has no payloads' : `there are: ${listSome(known, 'and')}`
  return names.flatMap((name, index) =>
    known.includes(name) ? [] : [{ index, name, hint: suggestions.hint(name, listed) }],
  )
}
