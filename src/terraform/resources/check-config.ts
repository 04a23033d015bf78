import type { AttributePath } from '../../cty/attribute-path.ts'
import { isWhollyKnown } from '../../cty/marks.ts'
import { Unknown } from '../../cty/unknown.ts'
import { isListValue, type ObjectValue, type Value } from '../../cty/value.ts'
import { memberOf } from '../../cty/walk-type.ts'
import { extrasOf } from '../../derive/terraform-extras.ts'
import type { Field } from '../../model/field.ts'
import { isTooLong } from '../../model/is-too-long.ts'
import { isJsonArray, isJsonObject, type Json } from '../../model/json.ts'
import { type DeclarableKind, managedFields } from '../../model/kind.ts'
import { sentence } from '../../model/sentence.ts'
import { readStrictJson } from '../../model/strict-json.ts'
import { unlessLive } from '../../model/unless-live.ts'
import { isUuid } from '../../model/uuid.ts'
import { checkFiltersText } from '../../targeting/check-filters-text.ts'
import { checkFilters, type FilterProblem, toleranceOf } from '../../targeting/index.ts'
import { type Diagnostic, type Diagnostics, errorDiagnostic } from '../diagnostic.ts'
import { checkExtras } from './check-extras.ts'
import { checkManifest } from './check-manifest.ts'
import { givenTyped, typedFilters, typedPath } from './typed-filters.ts'

/** Everything that is wrong with a configuration, as far as it is known. */
export function checkConfig(kind: DeclarableKind, config: ObjectValue): Diagnostics {
  return [
    ...managedFields(kind).flatMap(name => checkField(kind, name, memberOf(config, name))),
    ...checkExtras(kind, config),
    ...checkManifest(kind, config),
    ...('release' in extrasOf(kind) ? checkTyped(config) : []),
  ]
}

function checkField(kind: DeclarableKind, name: string, value: Value): Diagnostics {
  const field = kind.fields[name]
  if (!field || value === null || !isWhollyKnown(value)) return []
  switch (field.type) {
    case 'string':
      return typeof value === 'string' ? checkText(field, name, value) : []
    case 'json':
      return typeof value === 'string' ? checkJson(field, name, value) : []
    case 'set':
      return checkLabels(field, name, value)
    default:
      return []
  }
}

function checkText(field: Field & { type: 'string' }, name: string, value: string): Diagnostics {
  if (field.required && value.trim() === '')
    return [errorDiagnostic(`\`${name}\` is empty`, field.doc, [name])]
  if (field.oneOf && !field.oneOf.includes(value)) {
    const choices = field.oneOf.map(one => `"${one}"`).join(', ')
    return [errorDiagnostic(`"${value}" is not a \`${name}\``, `Take one of ${choices}.`, [name])]
  }
  if (field.format === 'uuid' && !isUuid(value)) {
    const detail = `It is ${JSON.stringify(value)}; an id looks like 01900000-0000-0000-0000-0000000000aa.`
    return [errorDiagnostic(`\`${name}\` is not a UUID`, detail, [name])]
  }
  if (isTooLong(field, value)) {
    const detail = `It has ${[...value.trim()].length} characters; the service takes ${field.maxLength}.`
    return [errorDiagnostic(`\`${name}\` is too long`, detail, [name])]
  }
  return []
}

function checkJson(field: Field & { type: 'json' }, name: string, text: string): Diagnostics {
  let value: Json
  try {
    value = readStrictJson(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it cannot be read'
    return [errorDiagnostic(`\`${name}\` cannot be sent`, sentence(why), [name])]
  }
  const isFitting = isJsonObject(value) || (isJsonArray(value) && field.orArray)
  if (value !== null && !isFitting) {
    const detail = `Write it with \`jsonencode({ ... })\`${field.orArray ? ' or `jsonencode([ ... ])`' : ''}.`
    return [errorDiagnostic(`\`${name}\` is not an object`, detail, [name])]
  }
  if (name !== 'filters') return []
  return checkFiltersText(value, text).map(problem =>
    filterDiagnostic(told(problem), [name], problem.pointer),
  )
}

function checkLabels(field: Field, name: string, value: Value): Diagnostics {
  const labels = isListValue(value) ? value.filter(label => typeof label === 'string') : []
  if (labels.some(label => label.trim() === ''))
    return [errorDiagnostic(`a label in \`${name}\` is empty`, undefined, [name])]
  if (!labels.some(label => isTooLong(field, label))) return []
  return [
    errorDiagnostic(
      `a label in \`${name}\` is too long`,
      `The service takes ${field.maxLength} characters.`,
      [name],
    ),
  ]
}

function checkTyped(config: ObjectValue): Diagnostics {
  const given = givenTyped(config)
  const [first] = given
  if (first === undefined) return []
  // What is not known yet may turn out to be null.
  const isGiven = (name: string) => {
    const value = memberOf(config, name)
    return value !== null && !(value instanceof Unknown)
  }
  if (isGiven('filters') && given.some(isGiven)) {
    const detail = 'They say the same in two ways. Give `filters`, or the typed attributes.'
    return [errorDiagnostic(`\`${first}\` and \`filters\` are both given`, detail, [first])]
  }
  return [...checkProperties(config), ...checkTypedFilters(config)]
}

function checkTypedFilters(config: ObjectValue): Diagnostics {
  const isKnown = (name: string) => isWhollyKnown(memberOf(config, name))
  const isWhole = givenTyped(config).every(isKnown)
  const filters = typedFilters(isWhole ? config : withoutUnknown(config))
  return checkFilters(filters)
    .filter(
      problem =>
        isWhole || (problem.severity === 'error' && !dependsOnVariants(problem, isKnown('variants'))),
    )
    .map(problem => {
      const { path, rest } = typedPath(problem.pointer, filters)
      return filterDiagnostic(told(problem), path, rest)
    })
}

/** Whether a mistake may be none once the variants are known. */
function dependsOnVariants({ code, pointer }: FilterProblem, areKnown: boolean): boolean {
  return (
    !areKnown &&
    (code === 'unknown-variant' || pointer.startsWith('/payloads') || pointer.startsWith('/multivariate'))
  )
}

/** What is not known yet counts as harmless: a condition that everybody matches, no variants. */
function withoutUnknown(config: ObjectValue): ObjectValue {
  const release = memberOf(config, 'release')
  const [variants, payload] = [memberOf(config, 'variants'), memberOf(config, 'payload')]
  const conditions = isListValue(release)
    ? release.map(condition => (isWhollyKnown(condition) ? condition : {}))
    : null
  return {
    release: conditions,
    variants: isWhollyKnown(variants) ? variants : null,
    payload: isWhollyKnown(payload) ? payload : null,
    group_type_index: memberOf(config, 'group_type_index'),
  }
}

function checkProperties(config: ObjectValue): Diagnostics {
  const release = memberOf(config, 'release')
  if (!isListValue(release)) return []
  return release.flatMap((condition, index) => {
    const properties = memberOf(condition, 'properties')
    const both = isListValue(properties)
      ? properties.find(each => memberOf(each, 'value') !== null && memberOf(each, 'values') !== null)
      : undefined
    if (both === undefined) return []
    const key = JSON.stringify(memberOf(both, 'key'))
    return [
      errorDiagnostic(`the property ${key} has \`value\` and \`values\``, 'Give one of them.', [
        'release',
        index,
      ]),
    ]
  })
}

/** What breaks a rule may be live like this, which only the plan knows: there it is an error or nothing. */
function told(problem: FilterProblem): FilterProblem {
  return toleranceOf(problem) ? unlessLive(problem) : problem
}

export function filterDiagnostic(
  problem: FilterProblem,
  attribute: AttributePath,
  place: string,
): Diagnostic {
  const where = place === '' ? '' : `At ${place}. `
  const detail = `${where}${problem.hint ? sentence(problem.hint) : ''}`.trim()
  return { severity: problem.severity, summary: problem.message, ...(detail ? { detail } : {}), attribute }
}
