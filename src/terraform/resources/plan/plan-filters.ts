import { memberOf, type ObjectValue, Unknown, unknown } from '../../../hcl/values.ts'

import { type DeclarableKind, targetingField } from '../../../model/kind.ts'
import {
  givenTyped,
  targetingText,
  typedFiltersText,
} from '../../../schema/terraform/targeting-attributes.ts'
import { typedAttributes } from '../../../targeting/typed-form.ts'
import { type Diagnostic, DiagnosticError, errorDiagnostic } from '../../diagnostic.ts'
import { isSameMeaning, jsonIn } from '../field-value.ts'
import { undeclaredElsewhere } from '../managed-elsewhere.ts'
import { typedPlanned } from './plan-typed.ts'

/**
 * What `filters` and the typed attributes beside it will be. Where typed attributes say who gets a flag, `filters` is
 * null: they may be given as sensitive, which no provider is told, and what is computed is shown. A configuration that has
 * both comes from `ignore_changes`, which puts what is there into it.
 *
 * | the configuration has          | the state has       | `filters` as planned                                  |
 * |--------------------------------|---------------------|-------------------------------------------------------|
 * | typed attributes               | whatever            | null                                                  |
 * | some that may still be null    | whatever            | unknown: only with all of them null it is computed    |
 * | none, nor `filters`            | typed attributes    | unknown: what is live, which nothing says any more    |
 * | both, saying the same          | whatever            | what it has                                           |
 * | both, saying other things      | whatever            | what is there; refused where nothing is               |
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

/** What a plan leaves as it is though the configuration looks otherwise. */
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
  // What is there may be more than the attributes can say; then they stay as they are.
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
  const summary = `the flag keeps its ${named(before)}; nothing is sent`
  const detail =
    'What the configuration does not name is left alone. To release to everybody, set `rollout_percentage = 100`; to turn the flag off, set `active = false`.'
  return [warning(first, summary, detail)]
}

/** Without the attribute that limits a flag the others release it to everybody, also where that one is ignored. */
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
  const detail = `Neither ${named(whoAttributes.slice(0, 1))} nor ${named(whoAttributes.slice(1))} says who gets it. Where everybody is meant, write \`rollout_percentage = 100\`.`
  return [warning(first, `without \`${first}\` everybody gets the flag`, detail)]
}

/** The typed attributes that say who gets a flag; the others say what. */
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
    'They belong to other parts of the product, and what is not declared of them is left alone: leaving them out removes nothing.'
  return [warning(field, `${named(kept)} stay as they are in the service`, detail)]
}

const ignoredText = (field: string) => `since \`${field}\` is in \`ignore_changes\``
const whatToIgnore = (field: string) =>
  `Both say who gets the flag. To leave that to others, ignore ${named(typedAttributes.slice(0, -1))} and ${named(typedAttributes.slice(-1))}; to have it changed, take \`${field}\` out of \`ignore_changes\`.`

function warning(attribute: string, summary: string, detail: string): Diagnostic {
  return { severity: 'warning', summary, detail, attribute: [attribute] }
}

function named(names: readonly string[]): string {
  return names.map(name => `\`${name}\``).join(', ')
}
