import { respelled } from '../../hcl/json.ts'

import {
  canonicalText,
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../model/text/json.ts'
import { meantHint } from '../../model/text/names.ts'
import { quoted } from '../describe.ts'
import { isVersion, numberOf } from '../evaluate/compared-values.ts'
import { readDate } from '../evaluate/dates.ts'
import { compilePattern } from '../evaluate/patterns.ts'
import { groupTypes, propertyTypes } from '../filter-parts.ts'
import {
  belongsTo,
  isLaterOperator,
  isOperatorName,
  knownOperators,
  type LaterOperator,
  laterOperators,
  type OperatorName,
  type OperatorValue,
  operatorOf,
  operators,
  operatorsOf,
} from '../operators.ts'
import {
  checkMembers,
  type FilterProblem,
  filterError,
  filterWarning,
  isGiven,
  keyProblems,
  pointerTo,
  shapeProblem,
  type Written,
} from './filter-problem.ts'

/** The most values that the service accepts in one property. */
export const mostValues = 1000

/** Problems in one property of a condition. `groupType` is the type of group that the flag is released to, if any. */
export function checkProperty(
  property: Json,
  groupType: Json,
  pointer: string,
  written: Written = () => undefined,
): FilterProblem[] {
  if (!isJsonObject(property)) return [shapeProblem(pointer, 'a property', 'an object')]
  return checkMembers(property, 'property', pointer).concat(
    keyProblems(property.key, 'a property', 'the name of the property', pointer, written),
    checkType(property, groupType, pointer),
    isGiven(property.negation) && typeof property.negation !== 'boolean'
      ? shapeProblem(pointerTo(pointer, 'negation'), 'negation', 'true or false')
      : [],
    checkOperator(property, pointer, written),
  )
}

/** Problems of a group type, in any part of the filters. */
export function checkGroupType(
  value: JsonObject,
  name: 'aggregation_group_type_index' | 'group_type_index',
  pointer: string,
): FilterProblem[] {
  const index = value[name]
  if (!isGiven(index)) return []
  if (
    typeof index === 'number' &&
    Number.isInteger(index) &&
    index >= groupTypes.from &&
    index <= groupTypes.to
  )
    return []
  const message = `${name} must be an integer from ${groupTypes.from} to ${groupTypes.to}`
  const hint = name === 'group_type_index' ? undefined : 'remove it to release to persons'
  return [filterError(pointerTo(pointer, name), 'group-type-index', message, hint)]
}

function checkType(property: JsonObject, groupType: Json, pointer: string): FilterProblem[] {
  const at = pointerTo(pointer, 'type')
  const { type, group_type_index: index } = property
  if (isGiven(groupType)) {
    if (type !== 'group')
      return [
        filterError(
          at,
          'property-type',
          `${typePhrase(type)} in a flag that is released to groups`,
          'use type: group',
        ),
      ]
    if (index === groupType) return []
    const message = "group_type_index differs from the flag's aggregation_group_type_index"
    return [
      filterError(
        pointerTo(pointer, 'group_type_index'),
        'group-type-index',
        message,
        `use ${JSON.stringify(groupType)}`,
      ),
    ]
  }
  if (type === 'person' || type === 'cohort' || type === 'flag')
    return checkGroupType(property, 'group_type_index', pointer)
  const hint = type === 'group' ? 'set aggregation_group_type_index to release to groups' : suggestType(type)
  return [filterError(at, 'property-type', `${typePhrase(type)} in a flag that is released to persons`, hint)]
}

function typePhrase(type: Json | undefined): string {
  if (!isGiven(type)) return 'a property without a type (the service treats it as an event property)'
  return `a property of type ${typeof type === 'string' ? quoted(type) : JSON.stringify(type)}`
}

function suggestType(type: Json | undefined): string {
  const hint = 'use type: person or type: cohort'
  return typeof type === 'string' ? meantHint(type, Object.keys(propertyTypes), hint) : hint
}

function checkOperator(property: JsonObject, pointer: string, written: Written): FilterProblem[] {
  const operator = operatorOf(property)
  const at = pointerTo(pointer, 'operator')
  if (typeof operator !== 'string') return [shapeProblem(at, 'an operator', 'text')]
  if (!Object.hasOwn(knownOperators, operator)) {
    const listed = `the operators are ${Object.keys(knownOperators).join(', ')}`
    const hint = meantHint(operator, Object.keys(knownOperators), listed)
    return [filterError(at, 'unknown-operator', `${quoted(operator)} is not an operator`, hint)]
  }
  if (property.type !== 'flag' && !belongsTo(property.type, operator))
    return [
      filterError(at, 'operator-type', wrongOperator(property, operator), rightOperator(property, operator)),
    ]
  if (property.type === 'cohort') return checkCohort(property, pointer)
  if (property.type === 'flag') return checkFlag(operator, property.value, pointer)
  const value = pointerTo(pointer, 'value')
  return isOperatorName(operator) || isLaterOperator(operator)
    ? checkValue(property.value, operator, value, written)
    : []
}

function wrongOperator({ type }: JsonObject, operator: string): string {
  const others = Object.keys(operatorsOf).filter(each => belongsTo(each, operator))
  return `${quoted(operator)} compares ${others.map(each => `${each}s`).join(' and ')}, but the type of this property is ${quoted(String(type))}`
}

/** The correct operator for a wrong one, by the type of the property. */
function rightOperator({ type, key, value }: JsonObject, operator: string): string {
  if (type === 'cohort') return 'use in or not_in'
  const isList = isJsonArray(value) && value.every(each => typeof each === 'string')
  const shown = isList ? `[${value.join(', ')}]` : canonicalText(value ?? null)
  if (operator === 'in') return `remove the operator, or write ${String(key)}: ${shown} in the short form`
  if (operator === 'not_in')
    return `use is_not, or write ${String(key)}: { is_not: ${shown} } in the short form`
  return 'write type: flag, with the key of the other flag'
}

function checkCohort({ value }: JsonObject, pointer: string): FilterProblem[] {
  const isId = (typeof value === 'string' || isJsonNumber(value)) && /^\d+$/.test(String(value))
  return isId
    ? []
    : [filterError(pointerTo(pointer, 'value'), 'cohort-id', 'the value of a cohort must be its numeric id')]
}

function checkFlag(operator: string, value: Json | undefined, pointer: string): FilterProblem[] {
  const at = pointerTo(pointer, 'value')
  if (operator !== 'flag_evaluates_to') {
    const message = `the operator ${quoted(operator)} does not compare flags`
    return [filterError(pointerTo(pointer, 'operator'), 'flag-operator', message, 'use flag_evaluates_to')]
  }
  if (typeof value !== 'boolean' && (typeof value !== 'string' || value === ''))
    return [filterError(at, 'flag-value', 'the value of a flag must be true, false or the key of a variant')]
  if (value !== 'true' && value !== 'false') return []
  const hint = `write ${value} without quotes to test whether the flag is ${value === 'true' ? 'on' : 'off'}`
  return [
    filterWarning(at, 'flag-value-text', `${quoted(value)} is compared with the keys of variants`, hint),
  ]
}

/** Nobody matches a text that is not a version. The service checks versions with a build. */
function checkVersion(value: Json, operator: string, pointer: string, written: Written): FilterProblem[] {
  const spelled = checkSpelledVersion(value, operator, pointer, written)
  if (spelled.length > 0) return spelled
  const text = typeof value === 'string' ? value : canonicalText(value)
  if (isVersion(text, operator === 'semver_wildcard')) return []
  const message = `${quoted(text)} is not a version, so nobody matches`
  return [
    filterWarning(
      pointer,
      'version',
      message,
      'write a version such as "1.2.3", or "1.2.*" for semver_wildcard',
    ),
  ]
}

/** A version written as a number loses digits: 2.10 would be sent as 2.1. */
function checkSpelledVersion(
  value: Json,
  operator: string,
  pointer: string,
  written: Written,
): FilterProblem[] {
  if (isJsonArray(value))
    return value.flatMap((one, index) =>
      checkSpelledVersion(one, operator, pointerTo(pointer, index), written),
    )
  if (!isJsonNumber(value)) return []
  const source = written(pointer)
  const read = source === undefined ? undefined : respelled(source, value)
  if (source === undefined || read === undefined) return []
  const message = `the version ${source} is read as the number ${read}`
  const hint = `the operator "${operator}" takes text: write "${source}" in quotes`
  return [filterError(pointer, 'version-not-text', message, hint)]
}

function checkValue(
  value: Json | undefined,
  name: OperatorName | LaterOperator,
  pointer: string,
  written: Written,
): FilterProblem[] {
  const takes: OperatorValue = isOperatorName(name) ? operators[name].value : laterOperators[name].value
  if (takes === 'none') return []
  if (value === undefined || value === null)
    return [filterError(pointer, 'missing-value', `the operator "${name}" needs a "value"`)]
  switch (takes) {
    case 'any':
      return checkValues(value, name, pointer)
    case 'text':
      return typeof value === 'string' ? [] : [notText(value, name, pointer, written)]
    case 'pattern':
      return typeof value === 'string'
        ? checkPattern(value, pointer)
        : [notText(value, name, pointer, written)]
    case 'date':
      return checkDate(value, pointer)
    case 'range':
      return checkRange(value, name, pointer)
    case 'version':
      return checkVersion(value, name, pointer, written)
    default:
      return takes satisfies never
  }
}

function checkValues(value: Json, name: string, pointer: string): FilterProblem[] {
  if (isJsonObject(value))
    return [filterError(pointer, 'value-type', `the operator "${name}" compares texts, not objects`)]
  if (!isJsonArray(value)) return []
  if (value.length === 0)
    return [
      filterWarning(
        pointer,
        'no-values',
        name.includes('not') ? 'an empty list excludes nobody' : 'an empty list matches nobody',
      ),
    ]
  if (value.length <= mostValues) return []
  return [
    filterError(
      pointer,
      'too-many-values',
      `${value.length} values are too many; the service accepts at most ${mostValues}`,
      'use a cohort',
    ),
  ]
}

/** Nobody matches bounds that are not numbers or in the wrong order. */
function checkRange(value: Json, name: string, pointer: string): FilterProblem[] {
  const bounds = isJsonArray(value) ? value.map(numberOf) : []
  const [low, high] = bounds
  if (bounds.length === 2 && low !== undefined && high !== undefined && low <= high) return []
  const message = `the operator "${name}" needs a list of two numbers, the lower one first`
  return [filterError(pointer, 'range', message, 'write a list such as ["1", "10"]')]
}

function notText(value: Json, name: string, pointer: string, written: Written): FilterProblem {
  const hint = isJsonArray(value)
    ? 'write a single text'
    : `write the value in quotes: ${JSON.stringify(written(pointer) ?? canonicalText(value))}`
  return filterError(pointer, 'value-not-text', `the value of the operator "${name}" must be text`, hint)
}

function checkPattern(text: string, pointer: string): FilterProblem[] {
  const pattern = compilePattern(text)
  if (pattern.kind === 'ready') return []
  if (pattern.kind === 'invalid')
    return [
      filterError(
        pointer,
        'pattern',
        `${quoted(text)} is not a regular expression: ${pattern.why}`,
        'it would never match',
      ),
    ]
  // The service accepts the pattern, but other engines may not.
  return [
    filterWarning(
      pointer,
      'pattern-portability',
      `SDKs read the pattern ${quoted(text)} differently: ${pattern.why}`,
    ),
  ]
}

function checkDate(value: Json, pointer: string): FilterProblem[] {
  const hint =
    'write a date as 2024-01-31 or 2024-01-31T12:00:00Z, or relative to now, such as -7d (h, d, w, m, y)'
  if (typeof value !== 'string')
    return [filterError(pointer, 'date', 'the value is not a date: it is not text', hint)]
  const reading = readDate(value, 0)
  if ('why' in reading)
    return [filterError(pointer, 'date', `${quoted(value)} is not a date: ${reading.why}`, hint)]
  if (!reading.isPartial) return []
  const message = `${quoted(value)} means another date every day: the service takes the missing parts from the current date`
  return [filterWarning(pointer, 'date-partial', message, hint)]
}
