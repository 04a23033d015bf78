import { Unknown } from '../../../cty/unknown.ts'
import type { ObjectValue } from '../../../cty/value.ts'
import { memberOf } from '../../../cty/walk-type.ts'
import { type DeclarableKind, targetingField } from '../../../model/kind.ts'
import { typedAttributes } from '../../../targeting/codec/typed-form.ts'
import { type Diagnostic, DiagnosticError, errorDiagnostic } from '../../diagnostic.ts'
import { isSameMeaning, jsonIn, spelledAs } from '../field-value.ts'
import { undeclaredElsewhere } from '../managed-elsewhere.ts'
import { typedPlanned } from './plan-typed.ts'
import { givenTyped, typedFiltersText } from './typed-filters.ts'

/**
 * What `filters` and the typed attributes beside it will be. A configuration that has both comes from
 * `ignore_changes`, which puts what is there into it.
 *
 * | the configuration has     | planned                                                              |
 * |---------------------------|----------------------------------------------------------------------|
 * | typed attributes          | the filters they amount to, spelled as what is there where it says so |
 * | both, saying the same     | what it has                                                          |
 * | both, saying other things | what is there; refused where nothing is                              |
 */
export function filtersPlanned(
  kind: DeclarableKind,
  config: ObjectValue,
  prior: ObjectValue | null,
): ObjectValue {
  const field = targetingField(kind)
  const text = typedFiltersText(config)
  if (field === undefined || text === undefined) return {}
  const was = memberOf(prior ?? undefined, field)
  const typed = prior ? typedPlanned(config, prior) : {}
  if (memberOf(config, field) !== null) return prior ? ignoredPlanned(kind, field, config, prior) : {}
  if (typeof was !== 'string' || typeof text !== 'string') return { ...typed, [field]: text }
  const isSame = isSameMeaning(kind, field, text, was)
  return { ...typed, [field]: isSame ? was : spelledAs(kind, field, jsonIn(text), was) }
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
    ...managedElsewhereWarning(kind, field, prior, planned),
  ]
}

function ignoredPlanned(
  kind: DeclarableKind,
  field: string,
  config: ObjectValue,
  prior: ObjectValue,
): ObjectValue {
  const was = memberOf(prior, field)
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
    'What the configuration does not name is left alone. To release to everybody, set `release = [{}]`; to turn the flag off, set `active = false`.'
  return [warning(first, summary, detail)]
}

function managedElsewhereWarning(
  kind: DeclarableKind,
  field: string,
  prior: ObjectValue,
  planned: ObjectValue,
): Diagnostic[] {
  const [was, becomes] = [memberOf(prior, field), memberOf(planned, field)]
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
