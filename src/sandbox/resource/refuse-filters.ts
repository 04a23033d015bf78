import { oncePer } from '../../model/runtime.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { readJsonIfAny, writeJson } from '../../model/text/json-text.ts'
import {
  compilePattern,
  flagNames,
  isFlagId,
  isUnsettledOperator,
  KnownFlags,
  knownOperators,
  readDate,
  withRelease,
} from '../../targeting/index.ts'
import { invalid, serverError } from '../http/messages.ts'
import type { Quirks } from '../quirks.ts'
import type { CohortRow, FlagRow } from '../rows.ts'
import { inContainer, type Store } from '../store.ts'
import { mapProperties, reservedVersion } from './flag-record.ts'
import type { ProjectCall } from './resource.ts'

const propertyTypes = [
  ...['event', 'person', 'cohort', 'element', 'group'],
  ...['session', 'recording', 'static-cohort', 'flag'],
]
const textOperators = ['regex', 'not_regex', 'icontains', 'not_icontains', 'gt', 'gte', 'lt', 'lte']
const maxValues = 1000

/**
 * The service's own checks of the filters of a flag, in its order and with its codes; it does not check
 * percentages. The reconciler has separate checks, so that neither can hide a bug of the other. Dates and
 * patterns are parsed in one place, which is compared with recorded answers of the service's parsers.
 */
export function checkFlagFilters(call: ProjectCall, filters: JsonObject, creating: boolean): void {
  const groups = objectsIn(filters, 'groups')
  const multivariate = isJsonObject(filters.multivariate) ? filters.multivariate : {}
  const variants = objectsIn(multivariate, 'variants')
  const isNewer = call.quirks.filter_rules === '2026'
  if (isNewer) checkNewerFilters(filters, variants, call.quirks)
  const above = filters.aggregation_group_type_index ?? null
  for (const group of groups) {
    const aggregation = isNewer ? (group.aggregation_group_type_index ?? above) : above
    for (const property of objectsIn(group, 'properties'))
      checkProperty(call, property, aggregation, creating)
  }
  checkVariants(call, groups, variants, creating)
  checkPayloads(filters.payloads ?? {}, variants)
}

function checkProperty(call: ProjectCall, property: JsonObject, aggregation: Json, creating: boolean): void {
  const { type = 'event', operator = 'exact', value } = property
  if (!propertyTypes.includes(String(type)))
    throw unexpected(call, `"${String(type)}" is not a property type.`)
  if (aggregation === null) {
    if (type !== 'person' && type !== 'cohort' && !(type === 'flag' && knowsFlags(call)))
      throw invalid('filters', `Filters are not valid (can only use ${usableTypes(call)} properties)`)
    if (type === 'flag') {
      checkDependency(call, property)
      if (call.quirks.filter_rules === '2026' && operator !== 'flag_evaluates_to')
        throw invalid('filters', "Flag properties must use the 'flag_evaluates_to' operator")
    }
  } else if (type !== 'group' || (property.group_type_index ?? null) !== aggregation)
    throw invalid('filters', 'Filters are not valid (can only use group properties)')
  if (operator === 'is_set' || operator === 'is_not_set') return
  if (value === undefined) throw unexpected(call, 'A property filter needs a value.')
  if (type === 'cohort') checkCohort(call, value)
  if (isJsonArray(value) && value.length > maxValues)
    throw invalid('filters', `Property group expressions of ${maxValues} or more values are not supported`)
  checkValue(call, String(operator), value, creating)
}

/** Services before 2025 do not support conditions on other flags. */
function knowsFlags({ quirks }: ProjectCall): boolean {
  return quirks.flag_dependencies !== 'refused'
}

function usableTypes(call: ProjectCall): string {
  return knowsFlags(call) ? 'person, cohort, and flag' : 'person and cohort'
}

function checkValue(call: ProjectCall, operator: string, value: Json, creating: boolean): void {
  if (textOperators.includes(operator) && typeof value !== 'string')
    throw invalid(
      'filters',
      `Invalid value for operator ${operator}: ${JSON.stringify(value)}`,
      'invalid_value',
    )
  const isDate = operator === 'is_date_before' || operator === 'is_date_after'
  const date = isDate && typeof value === 'string' ? readDate(value, call.now) : { why: 'it is not text' }
  if (isDate && 'why' in date)
    throw invalid('filters', `Invalid date value: ${JSON.stringify(value)} (${date.why})`, 'invalid_date')
  if (creating && operator.endsWith('regex') && compilePattern(String(value)).kind === 'invalid')
    throw invalid(null, "Can't evaluate flag - please check release conditions")
}

function checkCohort({ store, project }: ProjectCall, value: Json): void {
  const cohort = store.cohorts.get(Number(value))
  if (cohort?.project_id !== project.id)
    throw invalid(
      'filters',
      `Cohort with id ${JSON.stringify(value)} does not exist`,
      'cohort_does_not_exist',
    )
  if (isBehavioral(store, cohort))
    throw invalid(
      'filters',
      `Cohort '${cohort.name}' with behavioral filters cannot be used in feature flags.`,
      'behavioral_cohort_found',
    )
}

/** Whether a cohort, or one that it names, depends on behaviour. Conditions refuse such cohorts. */
function isBehavioral(store: Store, cohort: CohortRow, seen = new Set([cohort.id])): boolean {
  const isSo = (entry: unknown): boolean => {
    if (!isJsonObject(entry)) return false
    if (entry.type === 'behavioral') return true
    if (Array.isArray(entry.values)) return entry.values.some(isSo)
    const other = entry.type === 'cohort' ? store.cohorts.get(Number(entry.value)) : undefined
    if (!other || seen.has(other.id)) return false
    seen.add(other.id)
    return isBehavioral(store, other, seen)
  }
  return isSo(cohort.properties)
}

function checkVariants(
  { quirks }: ProjectCall,
  groups: readonly JsonObject[],
  variants: readonly JsonObject[],
  creating: boolean,
): void {
  for (const { variant = null } of groups)
    if (variant !== null && !variants.some(({ key }) => key === variant))
      throw invalid(
        'filters',
        'Filters are not valid (variant override does not exist in multivariate variants)',
      )
  if (variants.length === 0 || (!creating && quirks.variant_sum === 'on_create')) return
  const sum = variants.reduce((total, variant) => total + Number(variant.rollout_percentage ?? 0), 0)
  // Thirds are written with many decimals, whose sum is not exactly 100.
  if (Math.abs(sum - 100) > 1e-9)
    throw invalid(null, 'Invalid variant definitions: Variant rollout percentages must sum to 100.')
}

function checkPayloads(payloads: Json, variants: readonly JsonObject[]): void {
  if (!isJsonObject(payloads)) throw invalid('filters', 'Payloads must be passed as a dictionary')
  for (const [name, payload] of Object.entries(payloads)) {
    if (variants.length === 0 && name !== 'true')
      throw invalid('filters', "Payload keys must be 'true' for boolean flags")
    if (variants.length > 0 && !variants.some(({ key }) => key === name))
      throw invalid('filters', 'Payload keys must match a variant key for multivariate flags')
    if (typeof payload === 'string' && readJsonIfAny(payload) === undefined)
      throw invalid('filters', `Payload value for "${name}" is not valid JSON`)
  }
}

function objectsIn(value: JsonObject, name: string): readonly JsonObject[] {
  const list = value[name] ?? []
  if (!isJsonArray(list)) throw invalid('filters', `Expected "${name}" to be a list.`)
  if (list.every(isJsonObject)) return list
  throw invalid('filters', `Expected the elements of "${name}" to be dictionaries.`)
}

/** The public service fails on these, with a 500. */
function unexpected({ quirks }: ProjectCall, detail: string): Error {
  return quirks.bad_property === 'error' ? serverError() : invalid('filters', detail)
}

const maxBytes = 512 * 1024

/** Reasons for refusing filters since 2026, in addition to the earlier ones. [service-today 2, 3] */
function checkNewerFilters(filters: JsonObject, variants: readonly JsonObject[], quirks: Quirks): void {
  if (filters.version !== undefined) throw reservedVersion()
  if (Buffer.byteLength(writeJson(filters)) > maxBytes) throw invalid('filters', 'Filters are too large.')
  for (const group of objectsIn(filters, 'groups')) {
    checkPercentage(group)
    for (const property of objectsIn(group, 'properties')) checkNewerProperty(property, quirks)
  }
  for (const variant of variants) {
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

function checkNewerProperty(
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

/** The flags that conditions of a project's flags may name. */
export function knownFlags({ store, project }: Pick<ProjectCall, 'store' | 'project'>): KnownFlags {
  return knownIn(store.liveFlags.all(project.id))
}

const knownIn = oncePer((flags: readonly FlagRow[]) => new KnownFlags(flags.map(readFlag)))

/** A flag with its parsed filters. */
export const readFlag = oncePer((flag: FlagRow) => withRelease(flag))

/** Refuses a condition that names a flag in an unsupported form, or a missing flag. */
function checkDependency(call: ProjectCall, { key = null, operator }: JsonObject): void {
  if (operator !== 'flag_evaluates_to')
    throw invalid('filters', "Flag properties must use the 'flag_evaluates_to' operator")
  const named = typeof key === 'string' ? flagNamed(call, key) : undefined
  if (named && call.quirks.filter_rules === '2026' && !named.active)
    throw invalid('filters', `Flag dependency references a flag that is disabled: ${named.key}`)
  if (named && (named.filters.version ?? 1) !== 1)
    throw invalid(
      'filters',
      `Flag dependency references a flag whose configuration version is not supported: ${named.id}`,
      'unsupported_dependency_config_version',
    )
  if (named) return
  const isKeyRefused = !takesKeys(call) && !isFlagId(String(key))
  throw invalid(
    'filters',
    isKeyRefused
      ? `Flag dependencies must reference flag IDs (integers), not flag keys. Invalid reference: '${String(key)}'`
      : `Flag dependency references non-existent flag ${JSON.stringify(key)}`,
  )
}

/** Refuses filters that would make a flag wait for itself, through any number of others. */
export function checkCircle(call: ProjectCall, flag: FlagRow, filters: JsonObject): void {
  const cameFrom = new Map<number, FlagRow>()
  const waiting: FlagRow[] = []
  const goOn = (from: FlagRow, names: readonly string[]) => {
    for (const name of names) {
      // Others may still name this key, since an older flag had it.
      const next = flagNamed(call, name) ?? (takesKeys(call) && name === flag.key ? flag : undefined)
      if (!next || cameFrom.has(next.id)) continue
      cameFrom.set(next.id, from)
      waiting.push(next)
    }
  }
  goOn(flag, flagNames(filters))
  for (const next of waiting) {
    if (next.id !== flag.id) goOn(next, flagNames(next.filters))
    else throw invalid('filters', circleText(flag, cameFrom))
  }
}

/** Refuses to remove a flag, or to switch it off, while active flags wait for it. */
export function refuseWhileNeeded(call: ProjectCall, flag: FlagRow, action: 'disable' | 'delete'): void {
  if (call.quirks.flag_dependencies === 'refused') return
  const waiting = flagsWaitingFor(call, flag).filter(({ active }) => active)
  if (waiting.length === 0) return
  const shown = waiting.slice(0, 5).map(({ key, id }) => `${key} (ID: ${id})`)
  const rest = waiting.length > shown.length ? [`and ${waiting.length - shown.length} more`] : []
  throw invalid(
    null,
    `Cannot ${action} this feature flag because other flags depend on it: ${[...shown, ...rest].join(', ')}.`,
  )
}

/** Refuses to switch on a flag that waits for one that is off. [service-today 3] */
export function refuseWithoutNeeded(call: ProjectCall, flag: FlagRow): void {
  if (call.quirks.filter_rules === '2024') return
  const off = flagNames(flag.filters).find(name => flagNamed(call, name)?.active === false)
  if (off !== undefined)
    throw invalid(null, `Cannot enable this feature flag because a flag it depends on is disabled: ${off}.`)
}

/**
 * Filters for local evaluation: flags are named by their keys, each with the flags that have to be evaluated
 * first, in order. There are none for a missing one, or one that waits for the flag itself.
 */
export function withDependencyChains(flags: KnownFlags, asking: string, filters: JsonObject): JsonObject {
  return mapProperties(filters, property => {
    if (property.type !== 'flag' || typeof property.key !== 'string') return property
    const other = flags.find(property.key)
    const isOpen = other !== undefined && !flags.isCircular(asking, other)
    const chain = isOpen ? flags.inOrder([property.key]).map(({ key }) => key) : []
    return { ...property, key: other?.key ?? property.key, dependency_chain: chain }
  })
}

function flagsWaitingFor(call: ProjectCall, flag: FlagRow): FlagRow[] {
  const { store, project } = call
  const names = [String(flag.id), flag.key].filter(name => flagNamed(call, name)?.id === flag.id)
  const waiting = new Set(names.flatMap(name => store.flagsNaming.all(inContainer(project.id, name))))
  return [...waiting].filter(({ id }) => id !== flag.id).sort((left, right) => left.id - right.id)
}

function flagNamed(call: ProjectCall, name: string): FlagRow | undefined {
  const { store, project } = call
  const byId = isFlagId(name) ? store.flags.get(Number(name)) : undefined
  if (byId?.project_id === project.id && !byId.deleted) return byId
  return takesKeys(call) ? store.liveFlag(project.id, name) : undefined
}

function circleText(flag: FlagRow, cameFrom: ReadonlyMap<number, FlagRow>): string {
  const way = [flag.key]
  for (let at = cameFrom.get(flag.id); at && at.id !== flag.id; at = cameFrom.get(at.id)) way.unshift(at.key)
  if (way.length === 1) return `Feature flag '${flag.key}' cannot depend on itself`
  return `Circular dependency detected: ${[flag.key, ...way].join(' → ')}`
}

function takesKeys({ quirks }: ProjectCall): boolean {
  return quirks.flag_dependencies === 'id_or_key'
}
