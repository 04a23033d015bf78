import {
  givenElements,
  isListValue,
  isObjectValue,
  isWhollyKnown,
  memberOf,
  type ObjectValue,
  showPath,
  Unknown,
  type Value,
} from '../../hcl/values.ts'
import { declarableKind } from '../../kinds/index.ts'
import type { Profile, Services } from '../../model/connection.ts'
import {
  type DeclarableKind,
  type IdentifiedKind,
  identityField,
  isTargeting,
  managedFields,
  targetingField,
} from '../../model/kind.ts'
import { unlessLive, unlessLiveText } from '../../model/problem.ts'
import { destroyWays } from '../../model/removal.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { readJsonIfAny } from '../../model/text/json-text.ts'
import { messageOf } from '../../model/text/message-of.ts'
import { getAt, pointerOf, segmentsOf } from '../../model/text/pointer.ts'
import { sentence } from '../../model/text/text-layout.ts'
import { checkAllowed, type ObjectProblem, type ProblemOf } from '../../rules/check-field.ts'
import {
  checkManifest,
  checkObject,
  checkOffered,
  checkSourceNames,
  checkTargeting,
} from '../../rules/check-object.ts'
import { checkTogether, knownFilters, type PartlyKnown } from '../../rules/contradictions.ts'
import {
  emptyConditions,
  givenTyped,
  targetingText,
  typedFilters,
} from '../../schema/terraform/terraform-attribute.ts'
import { parentNameAttribute } from '../../schema/terraform/terraform-data-sources.ts'
import { parentAttribute } from '../../schema/terraform/terraform-names.ts'
import { extrasOf, resourceBlock } from '../../schema/terraform/terraform-schema.ts'
import { givenTwice } from '../../targeting/codec.ts'
import { isHeld } from '../../targeting/index.ts'
import { quoted } from '../../targeting/value-words.ts'
import {
  checkOwnerId,
  checkRequired,
  type Diagnostic,
  type Diagnostics,
  errorDiagnostic,
  type ProposedChange,
} from '../provider.ts'
import { declaredJson, jsonIn } from './field-value.ts'
import { partlyKnown, partlyKnownFilters, typedAttributePath } from './plan-filters.ts'
import { textsOf } from './propose.ts'
import { ownerAttribute, whereParentIdsAre } from './resource-context.ts'

/** All problems in the known part of a configuration, for the possible services. */
export function checkConfig(kind: DeclarableKind, config: ObjectValue, services: Services): Diagnostics {
  return [
    ...checkRequired(resourceBlock(kind), config),
    ...managedFields(kind).flatMap(name => checkAttribute(kind, name, memberOf(config, name), services)),
    ...checkAttributesTogether(kind, config),
    ...checkFieldsOffered(kind, config, services),
    ...checkExtras(kind, config),
    ...manifestWarnings(kind, config),
    ...('release' in extrasOf(kind) ? checkTyped(kind, config, services) : []),
  ]
}

function checkAttribute(kind: DeclarableKind, name: string, value: Value, services: Services): Diagnostics {
  if (value === null) return []
  const given = isListValue(value) ? givenElements(value) : value
  let json: PartlyKnown
  try {
    json = isWhollyKnown(given) ? declaredJson(kind, name, given) : partlyKnown(given)
  } catch (error) {
    const why = messageOf(error)
    return [errorDiagnostic(`\`${name}\` cannot be sent`, sentence(why), [name])]
  }
  const spelling = typeof value === 'string' ? { text: value } : undefined
  const broken = checkObject(kind, { [name]: json }, () => spelling, services)
  // The character rules of newer services are reported only in YAML.
  const problems = broken.filter(({ rule }) => rule !== 'characters')
  // One problem per text or set is enough.
  const shown = problems.some(({ rule }) => rule === 'targeting') ? problems : problems.slice(0, 1)
  return shown.map(problem => diagnosticOf(problem, value))
}

/** Reports attributes that contradict each other. Unknown values are accepted. */
function checkAttributesTogether(kind: DeclarableKind, config: ObjectValue): Diagnostics {
  const names = (kind.contradictions ?? []).flatMap(({ fields }) => Object.keys(fields))
  const given = names.flatMap(name => {
    const value = memberOf(config, name)
    return value === null ? [] : [[name, partlyKnown(value)] as const]
  })
  return checkTogether(kind, Object.fromEntries(given)).map(({ field, message, hint = '' }) =>
    errorDiagnostic(message, sentence(hint), [field]),
  )
}

/**
 * Reports fields that the service lacks, if the configuration names the service; otherwise the plan refuses
 * them. The plan reports fields that only older services had.
 */
function checkFieldsOffered(kind: DeclarableKind, config: ObjectValue, services: Services): Diagnostics {
  const given = managedFields(kind).flatMap(name => {
    const value = memberOf(config, name)
    return value === null || isTargeting(kind, name) ? [] : [[name, partlyKnown(value)] as const]
  })
  return checkOffered(kind, Object.fromEntries(given), services)
    .filter(({ severity }) => severity === 'error')
    .map(({ field, message, hint }) => errorDiagnostic(message, sentence(hint), [field]))
}

function diagnosticOf(problem: ObjectProblem, value: Value): Diagnostic {
  if (problem.rule === 'targeting') {
    const filters = typeof value === 'string' ? readJsonIfAny(value) : undefined
    return targetingDiagnostic(softened(problem), filters)
  }
  const { rule, field, severity, message: summary } = problem
  const hint = rule === 'type' ? 'write it with jsonencode({ ... })' : problem.hint
  return { severity, summary, ...(hint === undefined ? {} : { detail: sentence(hint) }), attribute: [field] }
}

function checkTyped(kind: DeclarableKind, config: ObjectValue, services: Services): Diagnostics {
  const field = targetingField(kind)
  const given = givenTyped(config)
  const [first] = given
  if (field === undefined || first === undefined) return []
  if (isGiven(memberOf(config, field)) && given.some(name => isGiven(memberOf(config, name)))) {
    const detail = `They are two forms of the same setting. Set \`${field}\` or the typed attributes, not both.`
    return [errorDiagnostic(`\`${first}\` and \`${field}\` are both set`, detail, [first])]
  }
  const twice = givenTwice('filters', name => isGiven(memberOf(config, name)))
  if (twice) {
    const [long, short] = twice
    const detail = `\`${short}\` is short for one condition that everybody meets. Set only one of them.`
    return [errorDiagnostic(`\`${long}\` and \`${short}\` are both set`, detail, [short])]
  }
  return [...warnOfEmpty(config), ...checkProperties(config), ...checkTypedFilters(kind, config, services)]
}

/** Terraform drops unknown names inside an attribute, so the attribute is empty after a typing mistake. */
function warnOfEmpty(config: ObjectValue): Diagnostics {
  return emptyConditions(config).map(({ path, message }) => ({
    severity: 'warning',
    summary: message,
    detail: `Is a name in it misspelt? Terraform drops unknown names without a message. To release to everybody, write \`rollout_percentage = 100\` into it; this also ends this warning.`,
    attribute: path,
  }))
}

/** A value that is unknown now may become null. */
function isGiven(value: Value): boolean {
  return value !== null && !(value instanceof Unknown)
}

function checkTypedFilters(kind: DeclarableKind, config: ObjectValue, services: Services): Diagnostics {
  const filters = partlyKnownFilters(config)
  const [known, given] = [knownFilters(filters), givenTyped(config)]
  return checkTargeting(targetingField(kind) ?? '', filters, undefined, services).map(problem =>
    targetingDiagnostic(softened(problem), known, given),
  )
}

function checkProperties(config: ObjectValue): Diagnostics {
  const release = memberOf(config, 'release')
  if (!isListValue(release)) return []
  return release.flatMap((condition, index) => {
    const properties = memberOf(condition, 'properties')
    const hasBoth = (each: Value) => isGiven(memberOf(each, 'value')) && isGiven(memberOf(each, 'values'))
    const at = isListValue(properties) ? properties.findIndex(hasBoth) : -1
    if (!isListValue(properties) || at < 0) return []
    const key = memberOf(properties[at] ?? null, 'key')
    const which = typeof key === 'string' ? `the property ${JSON.stringify(key)}` : 'a property'
    const where = showPath(['release', index, 'properties', at])
    return [
      errorDiagnostic(`${which} has both \`value\` and \`values\``, `At ${where}. Set only one of them.`, [
        'release',
        index,
      ]),
    ]
  })
}

/** A live object may already have this problem. Only the plan knows, and reports an error or nothing. */
function softened(problem: ProblemOf<'targeting'>): ProblemOf<'targeting'> {
  return problem.requires ? unlessLive(problem) : problem
}

/** A problem in filters, at the typed attributes that express them, or at the JSON. */
function targetingDiagnostic(
  problem: ProblemOf<'targeting'>,
  filters: Json | undefined,
  given: readonly string[] = [],
): Diagnostic {
  const { severity, message: summary, hint, field, inside } = withoutCompared(problem, filters)
  const isTyped = given.length > 0 && isJsonObject(filters)
  const { path, words } = isTyped
    ? typedAttributePath(inside, { filters, given })
    : { path: [field], words: inside }
  const where = words === '' ? '' : `At ${words}. `
  const detail = `${where}${hint ? sentence(hint) : ''}`.trim()
  return { severity, summary, ...(detail ? { detail } : {}), attribute: path }
}

/** Checks the attributes that Terraform adds to the fields of a kind. Unknown values are accepted. */
function checkExtras(kind: DeclarableKind, config: ObjectValue): Diagnostics {
  return [
    ...checkOwner(kind, memberOf(config, ownerAttribute(kind))),
    ...checkParent(kind, config),
    ...checkSource(memberOf(config, 'source')),
    ...checkDestroy(memberOf(config, 'on_destroy')),
    ...checkAllow(kind, memberOf(config, 'allow')),
  ]
}

function checkOwner(kind: DeclarableKind, value: Value): Diagnostics {
  const name = ownerAttribute(kind)
  if (typeof value !== 'string' || value.trim() !== '') return checkOwnerId(kind.scope, name, value)
  const detail = `Remove it, or set it to null, to use the provider's ${kind.scope}.`
  return [errorDiagnostic(`\`${name}\` is empty`, detail, [name])]
}

function checkParent(kind: DeclarableKind, config: ObjectValue): Diagnostics {
  const { parent } = kind.lifecycle
  const name = parentAttribute(kind)
  if (!parent || name === undefined) return []
  return checkId(declarableKind(parent.kind), { name, config, detail: whereParentIdsAre(kind) })
}

function checkSource(value: Value): Diagnostics {
  if (!isObjectValue(value)) return []
  return checkSourceNames(Object.keys(value)).map(({ message, hint }) =>
    errorDiagnostic(message, hint === undefined ? undefined : sentence(hint), ['source']),
  )
}

function checkDestroy(value: Value): Diagnostics {
  if (typeof value !== 'string' || destroyWays.some(way => way === value)) return []
  const choices = destroyWays.map(way => `"${way}"`).join(', ')
  return [
    errorDiagnostic(`"${value}" is not a value of on_destroy`, `Use one of ${choices}.`, ['on_destroy']),
  ]
}

function checkAllow(kind: DeclarableKind, value: Value): Diagnostics {
  return checkAllowed(textsOf(value), kind).map(({ message, hint }) =>
    errorDiagnostic(message, sentence(hint), ['allow']),
  )
}

/** Checks the id or name of one object, without any request. */
export function checkNamed(kind: IdentifiedKind, config: ObjectValue): Diagnostics {
  return checkEither(kind, config, ['id', identityField(kind)])
}

/** The same check for the parent object, such as the flag of grants. Kinds without a parent are accepted. */
export function checkBelow(kind: IdentifiedKind, config: ObjectValue): Diagnostics {
  const { parent } = kind.lifecycle
  const names = [parentAttribute(kind), parentNameAttribute(kind)].filter(name => name !== undefined)
  return parent ? checkEither(declarableKind(parent.kind), config, names) : []
}

/** Checks an id against the format of the kind's ids. Unknown values are accepted. */
function checkId(
  { parameters, title }: IdentifiedKind,
  { name, config, detail }: { readonly name: string; readonly config: ObjectValue; readonly detail?: string },
): Diagnostics {
  const value = memberOf(config, name)
  if (parameters?.id !== 'integer' || typeof value !== 'string' || /^\d+$/.test(value)) return []
  return [errorDiagnostic(`${JSON.stringify(value)} is not an id of a ${title}`, detail, [name])]
}

function checkEither(kind: IdentifiedKind, config: ObjectValue, names: readonly string[]): Diagnostics {
  const [byId = ''] = names
  if (names.some(name => memberOf(config, name) !== null)) return checkId(kind, { name: byId, config })
  return [notNamed(names, byId)]
}

/** The problem if no attribute that identifies an object is set. */
export function notNamed(names: readonly string[], attribute: string): Diagnostic {
  const summary = `neither ${names.map(name => `\`${name}\``).join(' nor ')} is set`
  return errorDiagnostic(summary, 'Set one of them.', [attribute])
}

/** Warns if a plugin's configured name or settings differ from its own manifest file. */
function manifestWarnings(kind: DeclarableKind, config: ObjectValue): Diagnostics {
  const unless = sentence(unlessLiveText)
  return manifestProblems(kind, config).map(
    ({ detail, ...problem }): Diagnostic => ({
      ...problem,
      severity: 'warning',
      detail: detail === undefined ? unless : `${detail} ${unless}`,
    }),
  )
}

/** The same problems as errors, for a plan that writes the file. */
function manifestProblems(kind: DeclarableKind, config: ObjectValue): Diagnostics {
  if (kind.lifecycle.files?.manifest === undefined) return []
  const files = memberOf(config, 'source')
  return checkManifest(kind, knownFields(kind, config), isObjectValue(files) ? files : undefined).map(
    problem => diagnosticOf(problem, null),
  )
}

function knownFields(kind: DeclarableKind, config: ObjectValue): JsonObject {
  return Object.fromEntries(
    managedFields(kind).flatMap((name): [string, Json][] => {
      const given = memberOf(config, name)
      if (given === null || !isWhollyKnown(given)) return []
      try {
        return [[name, declaredJson(kind, name, given)]]
      } catch {
        // A text that cannot be sent has its own error.
        return []
      }
    }),
  )
}

/**
 * Rules that the plan breaks but the state does not. No live object has the problem yet, so these are errors;
 * validation could only warn.
 */
export function newProblems(
  kind: DeclarableKind,
  { prior, config }: ProposedChange,
  planned: ObjectValue,
  profile: Profile | undefined,
): readonly Diagnostic[] {
  return [
    ...newTargetingProblems(kind, config, prior, planned, profile),
    ...(writesManifest(kind, prior, planned) ? manifestProblems(kind, config) : []),
  ]
}

function newTargetingProblems(
  kind: DeclarableKind,
  config: ObjectValue,
  prior: ObjectValue | null,
  planned: ObjectValue,
  profile: Profile | undefined,
): Diagnostic[] {
  const name = targetingField(kind)
  if (name === undefined) return []
  const [text, before] = [targetingText(name, planned), prior && targetingText(name, prior)]
  // An unchanged value breaks no additional rule.
  const becomes = text === before ? null : jsonIn(text)
  if (becomes === null) return []
  const was = jsonIn(before)
  const given = givenTyped(config)
  // Problems of a payload are visible only in its original text.
  const filters = given.length > 0 ? typedFilters(config) : becomes
  const services = profile && [profile]
  return checkTargeting(name, filters, undefined, services).flatMap(problem => {
    const { requires, code, severity } = problem
    // Validation did not know the service.
    const isIgnored = code === 'ignored-negation' && severity === 'error'
    if (requires?.is !== 'filters' ? !isIgnored : was !== null && isHeld(becomes, was, requires)) return []
    return [targetingDiagnostic(problem, filters, given)]
  })
}

/** A manifest that is already live needs no check. */
function writesManifest(
  { lifecycle }: DeclarableKind,
  prior: ObjectValue | null,
  planned: ObjectValue,
): boolean {
  const name = lifecycle.files?.manifest?.file ?? ''
  const textIn = (values: ObjectValue | null) => memberOf(memberOf(values ?? undefined, 'source'), name)
  return textIn(planned) !== textIn(prior)
}

/**
 * Removes compared values from a problem of filters. They may be sensitive, and Terraform does not report to
 * a provider which values are. If they are not, Terraform quotes the lines of the configuration itself.
 */
function withoutCompared(problem: ProblemOf<'targeting'>, filters: Json | undefined): ProblemOf<'targeting'> {
  const texts = comparedAt(problem.inside, filters)
  if (texts.length === 0) return problem
  const { message, hint, hidden } = problem
  if (hidden !== undefined) return { ...problem, message: hidden }
  return {
    ...problem,
    message: withoutTexts(message, texts),
    ...(hint === undefined ? {} : { hint: withoutTexts(hint, texts) }),
  }
}

/** The texts that a property compares with. The longest comes first, so that no text hides inside another. */
function comparedAt(inside: string, filters: Json | undefined): readonly string[] {
  const segments = segmentsOf(inside)
  const depth = segments.indexOf('properties') + 2
  if (depth < 2 || filters === undefined) return []
  const value = getAt(filters, pointerOf(...segments.slice(0, depth), 'value'))
  const all = (isJsonArray(value) ? value : [value]).flatMap(each =>
    typeof each === 'string' && each !== '' && !isTruthWord(each) ? [each] : [],
  )
  return all.sort((one, other) => other.length - one.length)
}

/** `true` and `false` are not secrets, so a message may contain them. */
function isTruthWord(text: string): boolean {
  return text === 'true' || text === 'false'
}

/** Replaces quoted texts in a message. Also replaces quoted parts of them, as in the error of a pattern. */
function withoutTexts(message: string, texts: readonly string[]): string {
  const whole = texts.reduce<string>((shown, text) => shown.replaceAll(quoted(text), 'the value'), message)
  if (whole === message) return message
  return whole.replace(/(["'])(.+?)\1/g, (found, _, part: string) =>
    texts.some(text => text.includes(part)) ? 'a part of it' : found,
  )
}
