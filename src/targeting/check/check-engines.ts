import { doubleOf } from '../../hcl/json.ts'
import type { Profile, Services } from '../../model/connection.ts'
import { standIn } from '../../model/field.ts'
import { isJsonArray, isJsonNumber, isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { pointerOf } from '../../model/text/pointer.ts'
import { agreements, agreeOn } from '../../services/agreements.ts'
import {
  type Engine,
  type Engines,
  type EvaluationRules,
  enginesOf,
  readNotInAsIn,
} from '../../services/engines.ts'

import { isJsonText, payloadText } from '../canonical-filters.ts'
import { describeProperty } from '../describe-condition.ts'
import { isUndecided, numberOf } from '../evaluate/compared-values.ts'
import { readIso } from '../evaluate/dates.ts'
import { judges } from '../evaluate/evaluate-flag.ts'
import { percentages } from '../filter-parts.ts'
import { isExclusion, isOperatorName, isTruthText, matchProperty, operatorOf } from '../operators.ts'
import { isReaching, readRelease } from '../release.ts'
import { valueText } from '../value-words.ts'
import { mostValues } from './check-property.ts'
import { type FilterProblem, filterError, filterWarning, withoutValue } from './filter-problem.ts'

/**
 * Values on which the service and SDKs with local evaluation disagree: one person may get two values. Likely
 * values of a property are tried; the first difference is reported. If this service is only `possible`, a
 * value that is compared with a number counts as one: engines always differ on texts with numbers, and nearly
 * every flag would get a warning. The same applies to the behaviour of unnamed SDKs.
 */
export function checkEngines(
  filters: JsonObject,
  profile: Profile,
  services: Services = [profile],
): FilterProblem[] {
  const { sdks } = services
  const how = sdks ? 'named' : services.length === 1 ? 'certain' : 'possible'
  const engines = enginesOf(profile, { sdks })
  const groups = isJsonArray(filters.groups) ? filters.groups : []
  const readAsMember = ({ cohort_operators }: EvaluationRules) => cohort_operators === 'ignored'
  const including = sdks ? whoDoes(engines, readAsMember) : readNotInAsIn
  const found: FilterProblem[] = []
  if (engines.length > 1 && how !== 'possible')
    found.push(...checkLoad(filters, engines, how), ...checkShares(filters, engines))
  const places = groups.flatMap((condition, index) => propertiesAt(condition, index))
  if (including.length > 0) for (const place of places) found.push(...checkExclusion(place, including))
  if (engines.length < 2) return found
  found.push(...checkPayloads(filters))
  for (const place of places) found.push(...checkProperty(place, engines, how))
  return [...found, ...checkOrder(filters, engines), ...checkJudges(filters, engines)]
}

/**
 * Whether the conditions of filters have no mistakes and mean the same to every service and SDK. Most do. This look
 * spares most flags the checks one by one, which take a fifth of a plan.
 */
export function arePlain({ groups = null, payloads = null, ...others }: JsonObject): boolean {
  for (const name in others) if (name !== 'multivariate') return false
  if (payloads !== null && !(isJsonObject(payloads) && Object.values(payloads).every(isPlainPayload)))
    return false
  return groups === null || (isJsonArray(groups) && groups.every(isPlainCondition))
}

function isPlainCondition(condition: Json): boolean {
  if (!isJsonObject(condition)) return false
  const { properties = null, rollout_percentage: percent = null, ...others } = condition
  for (const _ in others) return false
  return (
    (percent === null ||
      (typeof percent === 'number' && percent >= percentages.from && percent <= percentages.to)) &&
    (properties === null || (isJsonArray(properties) && properties.every(isPlainProperty)))
  )
}

/** An object or a list. */
function isPlainPayload(payload: Json): boolean {
  return typeof payload === 'string'
    ? /^[[{]/.test(payload)
    : !isJsonNumber(payload) && typeof payload === 'object'
}

function isPlainProperty(property: Json): boolean {
  if (!isJsonObject(property)) return false
  const { key, type, operator: _, value = null, ...others } = property
  for (const _ in others) return false
  if (type !== 'person' || typeof key !== 'string' || key === '') return false
  if (isJsonArray(value) && value.length > mostValues) return false
  const name = operatorOf(property)
  return typeof name === 'string' && isOperatorName(name) && isReadTheSame(name, value)
}

interface PropertyPlace {
  readonly property: JsonObject
  readonly condition: number
  readonly at: number
}

function propertiesAt(condition: Json, index: number): PropertyPlace[] {
  if (!isJsonObject(condition) || !isJsonArray(condition.properties)) return []
  return condition.properties.flatMap((property, at) =>
    isJsonObject(property) ? [{ property, condition: index, at }] : [],
  )
}

function pointerTo({ condition, at }: PropertyPlace): string {
  return pointerOf('groups', condition, 'properties', at)
}

/** Values that stop an SDK when it loads the flag: then the SDK loses all flags. */
function checkLoad(filters: JsonObject, engines: Engines, how: How): FilterProblem[] {
  const names = whoDoes(engines, ({ load }) => load !== undefined)
  if (names.length === 0) return []
  const [broken] = sharesIn(filters).filter(([, share]) => !Number.isInteger(share))
  if (!broken) return []
  const message = `with ${broken[1]}% ${listed(names)} cannot load any flag`
  const make = how === 'named' ? filterError : filterWarning
  return [make(broken[0], 'sdk-stops', message, agreeOn('load'))]
}

/** The percentages of conditions and variants, with their positions. */
function sharesIn({ groups, multivariate }: JsonObject): readonly (readonly [string, number])[] {
  const variants = isJsonObject(multivariate) ? multivariate.variants : undefined
  return [['groups', groups] as const, ['multivariate/variants', variants] as const].flatMap(
    ([place, list]) =>
      (isJsonArray(list) ? list : []).flatMap((each, at) => {
        const share = isJsonObject(each) ? doubleOf(each.rollout_percentage) : undefined
        return share === undefined ? [] : [[`/${place}/${at}/rollout_percentage`, share] as const]
      }),
  )
}

/** Payloads that some libraries lose or read as another value. Messages never repeat the content of a payload. */
function checkPayloads({ payloads }: JsonObject): FilterProblem[] {
  return Object.entries(isJsonObject(payloads) ? payloads : {}).flatMap(([name, payload]) => {
    const how = isPlainPayload(payload) ? undefined : misread(JSON.parse(payloadText(payload)))
    if (how === undefined) return []
    const hint = 'write an object around the value (docs/who-evaluates.md#libraries)'
    const hidden = `some libraries misread the payload of ${JSON.stringify(name)}`
    const message = `the payload of ${JSON.stringify(name)} is ${how}`
    return [{ ...filterWarning(pointerOf('payloads', name), code, message, hint), hidden }]
  })
}

function misread(value: unknown): string | undefined {
  if (value === 0 || value === false || value === '')
    return '0, false or an empty text, which some libraries read as no payload'
  return typeof value === 'string' && isJsonText(value)
    ? 'a text that is JSON itself, which some libraries read as that JSON'
    : undefined
}

/** Percentages that an SDK ignores. */
function checkShares(filters: JsonObject, engines: Engines): FilterProblem[] {
  const names = whoDoes(engines, ({ percentages }) => percentages === 'alone')
  if (names.length === 0) return []
  const { conditions } = readRelease(filters)
  const ignored = conditions.filter(({ properties, percent }) => percent < 100 && properties?.length)
  return ignored.map(({ index, percent }) => {
    const message = `${listed(names)} gives the flag to everyone in condition ${index + 1}, not to ${percent}%`
    return filterWarning(pointerOf('groups', index), code, message, agreeOn('percentages'))
  })
}

/** The first disagreement of engines in a flag, and their number: mostly one remedy fixes all of them. */
export function withoutRepeats(problems: readonly FilterProblem[]): FilterProblem[] {
  const [first, ...others] = problems.filter(each => each.code === code)
  if (!first || others.length === 0) return [...problems]
  const count = others.length === 1 ? 'another part' : `${others.length} other parts`
  const more = `; engines also differ in ${count} of this flag`
  const summed = {
    ...first,
    message: first.message + more,
    ...(first.hidden === undefined ? {} : { hidden: first.hidden + more }),
  }
  return problems.flatMap(each => (each === first ? [summed] : each.code === code ? [] : [each]))
}

/** New disagreements between engines in filters, one line each, with the condition. */
export function newDisagreements(
  before: Json,
  after: Json,
  services: Services,
  hidesValues = false,
): string[] {
  const found = (filters: Json) =>
    isJsonObject(filters) ? services.flatMap(profile => checkEngines(filters, profile, services)) : []
  const known = new Set(found(before).map(({ message }) => message))
  const added = found(after).filter(({ message }) => !known.has(message))
  return withoutRepeats(added).map(({ pointer, message, hidden = message }) => {
    const [, index] = /^\/groups\/(\d+)\/properties/.exec(pointer) ?? []
    return `engines differ${index === undefined ? '' : ` on condition ${Number(index) + 1}`}: ${hidesValues ? hidden : message}`
  })
}

/** How certain it is which service and which SDKs evaluate the flag. */
type How = 'named' | 'certain' | 'possible'

const code = 'engines-differ'

/** People whom the service excludes from a cohort, but some SDKs include. */
function checkExclusion(place: PropertyPlace, including: readonly string[]): FilterProblem[] {
  if (!isExclusion(place.property)) return []
  const message = `"${describeProperty(place.property)}" is inverted by ${listed(including)}: they give the flag to that cohort`
  return [filterWarning(pointerTo(place), code, message, agreeOn('cohort_operators'))]
}

function checkProperty(place: PropertyPlace, engines: Engines, how: How): FilterProblem[] {
  const { property } = place
  if (property.type === 'cohort' || property.type === 'flag') return []
  const operator = operatorOf(property)
  if (typeof operator !== 'string' || typeof property.key !== 'string') return []
  const { key, value = null } = property
  if (how !== 'named' && isReadTheSame(operator, value)) return []
  const [service, ...others] = engines
  const isNumber = how === 'possible' && isNumberOperator(operator) && numberOf(value) !== undefined
  for (const known of likelyValues(operator, value, how)) {
    if (isNumber && typeof known === 'string') continue
    const says = ({ rules }: Pick<Engine, 'rules'>, zone?: number) =>
      matchProperty(property, {
        properties: { [key]: known },
        isComplete: false,
        now: 0,
        rules,
        ...(zone === undefined ? {} : { zoneOffsetMinutes: zone }),
      })
    const answers = says(service, somewhere)
    if (isUndecided(answers)) continue
    const [other, ...more] = others.filter(each => says(each) === !answers)
    if (!other) continue
    const names = [other, ...more].map(({ name }) => name)
    const rule = ruleNames.find(name => {
      const rules = { ...service.rules, [name]: other.rules[name] }
      return says({ rules }) === !answers
    })
    const [yes, no] = answers ? [[service.name], names] : [names, [service.name]]
    const messageFor = (what: Json, value: string) =>
      `"${describeProperty(what)}" matches ${value} in ${listed(yes)}, but not in ${listed(no)}`
    return [
      {
        ...filterWarning(
          pointerTo(place),
          code,
          messageFor(property, valueText(known)),
          rule === undefined ? 'have the flag evaluated by the service' : agreeOn(rule),
        ),
        hidden: messageFor(withoutValue(property), standIn()),
      },
    ]
  }
  return []
}

/** The rules that may decide about one property. */
const ruleNames = Object.keys(agreements) as readonly (keyof typeof agreements)[]

/** The time zone of a project, which dates without a zone are in, may differ from UTC. */
const somewhere = 60

/**
 * Likely values of a property: the value that it is compared with, and similar values. If no SDK is named,
 * the type and letter case stay: only Go compares them, and every flag would get a warning.
 */
export function likelyValues(operator: string, value: Json, how: How = 'certain'): readonly Json[] {
  const values = (isJsonArray(value) ? value : [value]).slice(0, 20)
  const texts = values.map(one => (typeof one === 'string' ? one : JSON.stringify(one)))
  if (operator.startsWith('semver_'))
    return texts.flatMap(text => {
      const version = text.replaceAll('*', '0')
      return [version, version.replace(/\d+$/, '99'), `${version}-beta`]
    })
  if (operator.startsWith('is_date_')) return texts.flatMap(text => [text, ...shortlyBefore(text)])
  if (operator === 'is_set' || operator === 'is_not_set') return []
  const isEquality = operator === 'exact' || operator === 'is_not'
  const isPlain = isEquality && how !== 'named'
  const numbers = values.filter(one => !isPlain || isJsonNumber(one)).flatMap(one => numberOf(one) ?? [])
  const varied = isPlain ? texts.filter(text => !/^[\x00-\x7f]*$/.test(text)) : texts
  return [
    ...values,
    ...varied.flatMap(text => [text, text.toUpperCase(), text.toLowerCase(), withoutMarks(text)]),
    ...numbers.flatMap(number => [number, number + 1, number - 1]),
    // Texts in another order than the numbers in them.
    ...numbers.flatMap(number => [`1${'0'.repeat(String(Math.trunc(number)).length)}`, '9']),
    ...(isEquality ? ['yes', 'no'] : []),
    ...(isEquality && !(isPlain && !values.some(one => typeof one === 'boolean')) ? [true, false] : []),
  ]
}

function withoutMarks(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '')
}

/** Half an hour before a date in UTC. */
function shortlyBefore(text: string): readonly string[] {
  const read = readIso(text)
  if (!read) return []
  return [new Date(('at' in read ? read.at : read.shown) - 30 * 60_000).toISOString()]
}

function isNumberOperator(operator: string): boolean {
  return /^[gl]te?$/.test(operator)
}

/** Conditions that force a variant but come after others, if some engines try them first. */
function checkOrder(filters: JsonObject, engines: Engines): FilterProblem[] {
  const names = forcesVariants(filters) ? whoDiffer(engines, 'condition_order') : []
  if (names.length === 0) return []
  const { conditions, variants } = readRelease(filters)
  const first = conditions.find(one => isReaching(one) && one.variant === undefined)
  if (!first) return []
  const late = conditions.filter(
    one => one.index > first.index && isReaching(one) && variants.some(({ key }) => key === one.variant),
  )
  return late.map(({ index }) => {
    const message = `condition ${index + 1} forces a variant and comes after condition ${first.index + 1}: ${listed(names)} try it first`
    return filterWarning(pointerOf('groups', index), code, message, agreeOn('condition_order'))
  })
}

function forcesVariants({ groups = [] }: JsonObject): boolean {
  return isJsonArray(groups) && groups.some(condition => isJsonObject(condition) && condition.variant)
}

/** Members that some engines ignore. */
function checkJudges(filters: JsonObject, engines: Engines): FilterProblem[] {
  if (!Object.keys(judges).some(name => name in filters)) return []
  const { others } = readRelease(filters)
  return Object.entries(judges).flatMap(([name, rule]) => {
    const names = others.includes(name) ? whoDiffer(engines, rule) : []
    if (names.length === 0) return []
    const message = `"${name}" has no effect in ${listed(names)}`
    return [filterWarning(pointerOf(name), code, message, agreeOn(rule))]
  })
}

function whoDoes([, ...others]: Engines, isSo: (rules: EvaluationRules) => boolean): readonly string[] {
  return others.filter(({ rules }) => isSo(rules)).map(({ name }) => name)
}

function whoDiffer([service, ...others]: Engines, rule: keyof EvaluationRules): readonly string[] {
  return others.filter(({ rules }) => rules[rule] !== service.rules[rule]).map(({ name }) => name)
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/**
 * Whether all engines surely agree on values similar to that of a property, without asking them. Most
 * properties pass; asking each engine about each likely value takes longer than all other checks.
 *
 * | operators                                  | same result, if the value is      | because engines differ only in |
 * |--------------------------------------------|-----------------------------------|--------------------------------|
 * | `is_set`, `is_not_set`                     | anything                          | nothing                        |
 * | `exact`, `is_not`                          | ASCII, and no number, null, nor true, false or a list of them | `truth_values`, `null_properties`, `whole_numbers`, and the letter case in Go, which counts if Go is named |
 * | `icontains` and the other parts of texts   | a text in ASCII                   | `letter_case`, `values`        |
 * | the others                                 | unknown: ask                      |                                |
 */
export function isReadTheSame(operator: string, value: Json): boolean {
  switch (operator) {
    case 'is_set':
    case 'is_not_set':
      return true
    case 'exact':
    case 'is_not':
      return (
        !hasNull(value) && !isTruthText(value) && (isJsonArray(value) ? value : [value]).every(isPlainText)
      )
    case 'icontains':
    case 'not_icontains':
    case 'icontains_multi':
    case 'not_icontains_multi':
    case 'starts_with':
    case 'not_starts_with':
    case 'ends_with':
    case 'not_ends_with':
      return typeof value === 'string' && isAscii(value)
    default:
      return false
  }
}

function hasNull(value: Json): boolean {
  return value === null || (isJsonArray(value) && value.includes(null))
}

function isPlainText(value: Json): boolean {
  return typeof value === 'string' && isAscii(value)
}

function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text)
}
