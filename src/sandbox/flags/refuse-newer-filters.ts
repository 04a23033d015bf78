import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { writeJson } from '../../model/json/json-text.ts'
import { compilePattern, isUnsettledOperator, knownOperators } from '../../targeting/index.ts'
import type { Quirks } from '../behaviour/quirks.ts'
import { invalid } from '../http/refusal.ts'
import { reservedVersion } from './rules-version.ts'

const maxBytes = 512 * 1024

/** What filters are refused for since 2026, beside what they were refused for before. [service-today 2, 3] */
export function checkNewerFilters(filters: JsonObject, quirks: Quirks): void {
  if (filters.version !== undefined) throw reservedVersion()
  if (Buffer.byteLength(writeJson(filters)) > maxBytes) throw invalid('filters', 'Filters are too large.')
  for (const group of elements(filters.groups)) {
    checkPercentage(group)
    for (const property of elements(group.properties)) checkProperty(property, quirks)
  }
  const variants = isJsonObject(filters.multivariate) ? filters.multivariate.variants : []
  for (const variant of elements(variants)) {
    checkPercentage(variant)
    if (!/^[\w./-]+$/.test(String(variant.key ?? '')))
      throw invalid('filters', `"${String(variant.key)}" is not a key of a variant.`)
  }
}

function checkPercentage({ rollout_percentage: percentage = null }: JsonObject): void {
  if (percentage === null) return
  const number = Number(percentage)
  if (typeof percentage === 'string' || typeof percentage === 'boolean' || !(number >= 0 && number <= 100))
    throw invalid('filters', `Rollout percentage ${writeJson(percentage)} is not between 0 and 100.`)
}

function checkProperty(
  { key, type, operator = 'exact', value }: JsonObject,
  { unsettled_operators }: Quirks,
): void {
  if (key === undefined || type === undefined) throw invalid('filters', 'A property needs a key and a type.')
  const name = String(operator)
  const isRefused = unsettled_operators === 'refused' && isUnsettledOperator(name)
  if (isRefused) throw invalid('filters', `"${name}" is not for flags.`, 'unsupported_operator')
  const isMisplaced = (name === 'in' || name === 'not_in') && type !== 'cohort'
  if (operator !== null && (isMisplaced || !Object.hasOwn(knownOperators, name)))
    throw invalid('filters', `"${name}" is not an operator of a ${String(type)}.`, 'invalid_operator')
  const isPattern = name.endsWith('regex')
  if (isPattern && compilePattern(String(value)).kind === 'invalid')
    throw invalid('filters', 'A pattern does not compile.')
}

function elements(list: Json | undefined): readonly JsonObject[] {
  return isJsonArray(list) ? list.filter(isJsonObject) : []
}
