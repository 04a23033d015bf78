import {
  type AttributePath,
  isListValue,
  isObjectValue,
  isWhollyKnown,
  knownJson,
  type ListValue,
  mapMembers,
  memberOf,
  type ObjectValue,
  showPath,
  Unknown,
  unknown,
  type Value,
} from '../../hcl/values.ts'
import { type DeclarableKind, targetingField } from '../../model/kind.ts'
import {
  canonicalText,
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
} from '../../model/text/json.ts'
import { type PartlyKnown, unknownHere } from '../../rules/contradictions.ts'
import {
  givenTyped,
  targetingText,
  typedFilters,
  typedFiltersText,
} from '../../schema/terraform/terraform-attribute.ts'
import { withGroupTypesAs } from '../../targeting/canonical-filters.ts'
import { decodeFilters, encodeFilters, isSameTyped, keepTyped, withShort } from '../../targeting/codec.ts'
import { filterParts } from '../../targeting/filter-parts.ts'
import { canonicalFilters } from '../../targeting/index.ts'
import {
  partOf,
  rowsOf,
  type TypedAttribute,
  type TypedPartName,
  typedAttributes,
  typedPath,
  variantKeysIn,
} from '../../targeting/typed-form.ts'
import { type Diagnostic, DiagnosticError, errorDiagnostic } from '../provider.ts'
import { isSameMeaning, jsonIn } from './field-value.ts'
import { undeclaredElsewhere } from './resource-context.ts'

/**
 * Plans `filters` and the typed attributes next to it. If typed attributes define who gets a flag, `filters`
 * is null: Terraform shows computed values, and a provider does not know which attributes are sensitive. A
 * configuration with both comes from `ignore_changes`, which copies the live values into it.
 *
 * | the configuration has       | the state has    | `filters` as planned                               |
 * |-----------------------------|------------------|----------------------------------------------------|
 * | typed attributes            | whatever         | null                                               |
 * | some that may still be null | whatever         | unknown: only with all of them null it is computed |
 * | none, nor `filters`         | typed attributes | unknown: the live value, no longer configured      |
 * | both, with the same meaning | whatever         | the configured value                               |
 * | both, with other meanings   | whatever         | the live value; refused if there is none           |
 */
export function filtersPlanned(
  kind: DeclarableKind,
  config: ObjectValue,
  prior: ObjectValue | null,
): ObjectValue {
  const field = targetingField(kind)
  if (field === undefined) return {}
  const given = givenTyped(config)
  if (memberOf(config, field) !== null)
    return prior && given.length > 0 ? ignoredPlanned(kind, field, config, prior) : {}
  if (given.length === 0) return prior && givenTyped(prior).length > 0 ? { [field]: unknown } : {}
  const typed = prior ? typedPlanned(config, prior) : {}
  const isMaybeNothing = given.every(name => memberOf(config, name) instanceof Unknown)
  return { ...typed, [field]: isMaybeNothing ? unknown : null }
}

/** Warns of live values that a plan keeps although the configuration differs. */
export function filtersWarnings(
  kind: DeclarableKind,
  prior: ObjectValue,
  config: ObjectValue,
  planned: ObjectValue,
): Diagnostic[] {
  const field = targetingField(kind)
  if (field === undefined) return []
  return [
    ...ignoredWarning(kind, field, config, planned),
    ...takenOutWarning(field, prior, config),
    ...everybodyWarning(kind, field, prior, config),
    ...managedElsewhereWarning(kind, field, prior, planned),
  ]
}

function ignoredPlanned(
  kind: DeclarableKind,
  field: string,
  config: ObjectValue,
  prior: ObjectValue,
): ObjectValue {
  const was = targetingText(field, prior)
  const text = typedFiltersText(config)
  if (text instanceof Unknown || text === undefined || isSameMeaning(kind, field, text, was))
    return typedPlanned(config, prior)
  const given = givenTyped(config)
  const kept = given.filter(name => memberOf(prior, name) !== null)
  const planned = Object.fromEntries(kept.map(name => [name, memberOf(prior, name)]))
  const other = [...given, ...givenTyped(prior)].filter(name => !kept.includes(name))
  const [first] = other
  // If the attributes cannot express the live filters, the filters stay unchanged.
  if (first === undefined) return planned
  const whole = typedFiltersText({ ...config, ...planned })
  if (isSameMeaning(kind, field, whole ?? null, was)) return planned
  throw new DiagnosticError(
    errorDiagnostic(`\`${first}\` cannot be planned, ${ignoredText(field)}`, whatToIgnore(field), [first]),
  )
}

function ignoredWarning(
  kind: DeclarableKind,
  field: string,
  config: ObjectValue,
  planned: ObjectValue,
): Diagnostic[] {
  if (memberOf(config, field) === null) return []
  const alone = (name: string, values: ObjectValue) =>
    typedFiltersText({ [name]: memberOf(values, name) }) ?? null
  const [first] = givenTyped(config).filter(name => {
    const [given, kept] = [alone(name, config), alone(name, planned)]
    return !(given instanceof Unknown) && !isSameMeaning(kind, field, given, kept)
  })
  if (first === undefined) return []
  return [warning(first, `\`${first}\` is not changed, ${ignoredText(field)}`, whatToIgnore(field))]
}

function takenOutWarning(field: string, prior: ObjectValue, config: ObjectValue): Diagnostic[] {
  const before = givenTyped(prior)
  const [first] = before
  if (first === undefined || givenTyped(config).length > 0 || memberOf(config, field) !== null) return []
  const summary = `the flag keeps its ${named(before)}; the plan sends nothing`
  const detail =
    'Attributes that the configuration does not set stay unchanged. To release to everybody, set `rollout_percentage = 100`; to turn the flag off, set `active = false`.'
  return [warning(first, summary, detail)]
}

/** Without the limiting attribute, even an ignored one, the others release the flag to everybody. */
function everybodyWarning(
  kind: DeclarableKind,
  field: string,
  prior: ObjectValue,
  config: ObjectValue,
): Diagnostic[] {
  const limits = (values: ObjectValue) => whoAttributes.filter(name => memberOf(values, name) !== null)
  const [first] = limits(prior)
  const isElsewhere = memberOf(config, field) !== null || givenTyped(config).length === 0
  if (first === undefined || isElsewhere || limits(config).length > 0) return []
  const unlimited = typedFiltersText({
    ...prior,
    ...Object.fromEntries(whoAttributes.map(name => [name, null])),
  })
  const hadEverybody = isSameMeaning(kind, field, typedFiltersText(prior) ?? null, unlimited ?? null)
  if (hadEverybody) return []
  const detail = `Neither ${named(whoAttributes.slice(0, 1))} nor ${named(whoAttributes.slice(1))} limits who gets it. To release to everybody, write \`rollout_percentage = 100\`.`
  return [warning(first, `without \`${first}\` everybody gets the flag`, detail)]
}

/** The typed attributes that define who gets the flag; the others define what they get. */
const whoAttributes = ['release', 'rollout_percentage']

function managedElsewhereWarning(
  kind: DeclarableKind,
  field: string,
  prior: ObjectValue,
  planned: ObjectValue,
): Diagnostic[] {
  const [was, becomes] = [targetingText(field, prior), targetingText(field, planned)]
  if (typeof becomes !== 'string' || becomes === was) return []
  const kept = undeclaredElsewhere(kind, field, jsonIn(was), jsonIn(becomes))
  if (kept.length === 0) return []
  const detail =
    'They belong to other parts of the product, and undeclared parts stay unchanged: omitting them removes nothing.'
  return [warning(field, `${named(kept)} stay unchanged in the service`, detail)]
}

const ignoredText = (field: string) => `because \`${field}\` is in \`ignore_changes\``
const whatToIgnore = (field: string) =>
  `Both define who gets the flag. To let people change that in the product, ignore ${named(typedAttributes.slice(0, -1))} and ${named(typedAttributes.slice(-1))}. To change it here, remove \`${field}\` from \`ignore_changes\`.`

function warning(attribute: string, summary: string, detail: string): Diagnostic {
  return { severity: 'warning', summary, detail, attribute: [attribute] }
}

function named(names: readonly string[]): string {
  return names.map(name => `\`${name}\``).join(', ')
}

/**
 * The part of live filters that the typed attributes cannot express, in the shape of the live filters. Both
 * are compared in canonical form.
 *
 * | in the live filters                           | result                        |
 * |-----------------------------------------------|-------------------------------|
 * | the same in the same place                    | nothing, `{}` in a list       |
 * | other, or only there                          | that                          |
 * | only in the attributes                        | null, nothing in a list       |
 * | a default that differs from the attributes    | as the service shows it       |
 * | a text that the attributes hold anywhere      | nothing                       |
 *
 * The last row protects sensitive values: a provider does not know which values are sensitive, and Terraform
 * shows `filters`.
 */
function undeclaredFilters(live: JsonObject, own: JsonObject): JsonObject {
  const canonical = canonicalFilters(own)
  const texts = new Set(textsIn(canonical))
  const difference = differenceOf({ live: canonicalFilters(live), own: canonical, shown: live }, texts)
  return isJsonObject(difference) ? difference : {}
}

/** Both values in canonical form, and the live value as the service shows it. */
interface Compared {
  readonly live: Json
  readonly own: Json
  readonly shown: Json | undefined
}

/** Undefined if there is no difference. */
function differenceOf(compared: Compared, texts: ReadonlySet<string>): Json | undefined {
  const { live, own, shown = null } = compared
  if (isSameJson(live, own)) return undefined
  if (isJsonArray(live)) return listDifference(live, compared, texts)
  if (isJsonObject(live)) return objectDifference(live, compared, texts)
  // The canonical form omits a live value that is a default: 100 %, or the operator `exact`.
  if (live === null) return isAmong(texts, shown) ? null : shown
  return isAmong(texts, live) ? undefined : live
}

function objectDifference(
  live: JsonObject,
  { own, shown }: Compared,
  texts: ReadonlySet<string>,
): JsonObject {
  const [whole, ours] = [isJsonObject(shown) ? shown : {}, isJsonObject(own) ? own : {}]
  const names = [...new Set([...Object.keys(live), ...Object.keys(ours)])]
  return Object.fromEntries(
    names.flatMap((name): [string, Json][] => {
      // In a payload, the name is the key of its variant.
      if (texts.has(name) && !memberNames.has(name)) return []
      const members = { live: live[name] ?? null, own: ours[name] ?? null, shown: whole[name] }
      const difference = differenceOf(members, texts)
      return difference === undefined ? [] : [[name, difference]]
    }),
  )
}

function listDifference(live: readonly Json[], { own, shown }: Compared, texts: ReadonlySet<string>): Json {
  const ours = isJsonArray(own) ? own : []
  const whole = isJsonArray(shown) && shown.length === live.length ? shown : []
  return live.flatMap((element, index): Json[] => {
    const elements = { live: element, own: ours[index] ?? null, shown: whole[index] }
    const difference = differenceOf(elements, texts)
    if (difference !== undefined) return [difference]
    return isJsonObject(element) ? [{}] : []
  })
}

function isAmong(texts: ReadonlySet<string>, value: Json): boolean {
  return typeof value === 'string' && texts.has(value)
}

function textsIn(json: Json): string[] {
  if (isJsonArray(json)) return json.flatMap(textsIn)
  if (isJsonObject(json)) return Object.values(json).flatMap(textsIn)
  return typeof json === 'string' && json !== '' ? [json] : []
}

const memberNames = new Set(Object.values(filterParts).flatMap(({ members }) => Object.keys(members)))

/**
 * The typed attributes of a plan. An attribute keeps its value from the state if the configuration means the
 * same, so the plan shows only real changes of who gets the flag. For each attribute, even inside elements,
 * Terraform accepts the configured value or the value at the same place in the state.
 */
export function typedPlanned(config: ObjectValue, prior: ObjectValue): ObjectValue {
  const given = typedAttributes.filter(name => memberOf(config, name) !== null)
  const planned = partPlanned('filters', config, prior)
  return Object.fromEntries(given.map(name => [name, memberOf(planned, name)]))
}

function partPlanned(part: TypedPartName, config: ObjectValue, prior: ObjectValue): ObjectValue {
  const planned = rowsOf(part).map(
    ([name, attribute]) => [name, attributePlanned(part, name, attribute, config, prior)] as const,
  )
  return { ...config, ...Object.fromEntries(planned) }
}

function attributePlanned(
  part: TypedPartName,
  name: string,
  attribute: TypedAttribute,
  config: ObjectValue,
  prior: ObjectValue,
): Value {
  const [given, was] = [memberOf(config, name), memberOf(prior, name)]
  if (given === null || was === null) return given
  // A list of parts means the same anywhere. Any other attribute only with the others of its part.
  const of = partOf(attribute)
  const beside = of ? {} : Object.fromEntries(rowsOf(part).map(([each]) => [each, memberOf(config, each)]))
  const [one, other] = [
    { ...beside, [name]: given },
    { ...beside, [name]: was },
  ]
  if (isWhollyKnown(one) && isSameTyped(part, jsonOf(one), jsonOf(other))) return was
  return of && isListValue(given) && isListValue(was) ? elementsPlanned(of, given, was) : given
}

function elementsPlanned(part: TypedPartName, given: ListValue, was: ListValue): Value {
  return given.map((element, index) => {
    const before = was[index] ?? null
    return isObjectValue(element) && isObjectValue(before) ? partPlanned(part, element, before) : element
  })
}

function jsonOf(values: ObjectValue): JsonObject {
  return mapMembers(values, knownJson)
}

/** The known part of the filters that typed attributes express, for the rules of declared objects. */
export function partlyKnownFilters(config: ObjectValue): PartlyKnown {
  const attributes = typedAttributes.map(name => [name, partlyKnown(memberOf(config, name))])
  // A value that is not JSON is passed on unchanged.
  return encodeFilters(Object.fromEntries(attributes) as JsonObject)
}

export function partlyKnown(value: Value): PartlyKnown {
  if (value instanceof Unknown) return unknownHere
  if (isListValue(value)) return value.map(partlyKnown)
  return isObjectValue(value) ? mapMembers(value, partlyKnown) : knownJson(value)
}

/** The known part of the filters that typed attributes express, and the names of these attributes. */
export interface Typed {
  readonly filters: JsonObject
  readonly given: readonly string[]
}

/**
 * The position of a filter part in the configuration, as a path and in words. Terraform underlines at most an
 * element of a list, or only the attribute if the list comes from elsewhere.
 */
export function typedAttributePath(
  pointer: string,
  { filters, given }: Typed,
): { readonly path: AttributePath; readonly words: string } {
  const place = typedPath(pointer, variantKeysIn(filters), given)
  const [attribute, index] = place
  return typeof index === 'number'
    ? { path: [attribute, index], words: showPath(place) }
    : { path: [attribute], words: '' }
}

/**
 * Live filters as typed attributes, if the state uses some. Then drift appears at the configured attribute,
 * and `ignore_changes` can name it. Values with the same meaning keep their spelling. If the attributes
 * cannot express the live filters, they stay unchanged, and `field` contains the rest so that drift is
 * visible.
 */
export function typedState(field: string, state: ObjectValue, live: Json): ObjectValue {
  const was = pickTyped(state)
  if (!isJsonObject(live)) return { [field]: canonicalText(live) }
  // Newer services store the group type in each condition. A state does so only if its configuration does.
  const decoded = decodeFilters(withGroupTypesAs(live, encodeFilters(was)))
  // Filters without conditions equal a condition that everybody matches, which a state may not contain.
  const isReleased = was.release !== null || was.rollout_percentage !== null
  const release = decoded.release ?? (isReleased ? (everybody.release ?? null) : null)
  const typed: ObjectValue = keepTyped(withShort({ ...decoded, release }, was), was)
  if (isSameFilters(typedFilters(typed), live)) return { ...typed, [field]: null }
  return { [field]: canonicalText(undeclaredFilters(live, encodeFilters(was))) }
}

const everybody = decodeFilters({ groups: [{}] })

function pickTyped(state: ObjectValue): JsonObject {
  return Object.fromEntries(typedAttributes.map(name => [name, knownJson(memberOf(state, name))]))
}

function isSameFilters(one: JsonObject, other: JsonObject): boolean {
  return isSameJson(canonicalFilters(one), canonicalFilters(other))
}
