import type { LiveOnly } from '../core/desired.ts'
import { meantHint } from '../model/did-you-mean.ts'
import { isTooLong } from '../model/is-too-long.ts'
import { isJsonArray, isJsonObject, type JsonObject } from '../model/json.ts'
import { hasTargeting } from '../model/kind.ts'
import { pointerOf, segmentsOf } from '../model/pointer.ts'
import type { Problem } from '../model/problem.ts'
import { unlessLive } from '../model/unless-live.ts'
import { checkFilters } from '../targeting/check-filters.ts'
import { type Tolerance, toleranceOf } from '../targeting/tolerance.ts'
import type { Layer, ObjectDeclaration } from './declaration.ts'
import { type DeclarationFile, isFilledIn, quoteWritten } from './declaration-file.ts'
import { ignorePointer } from './ignore-path.ts'
import { redact } from './interpolate.ts'
import type { ParsedYaml } from './parse.ts'
import { listNames, quote, withArticle } from './quote.ts'

/** What is wrong with one declaration in itself, whichever environment it is read for. */
export function checkObject(declaration: ObjectDeclaration): Problem[] {
  const report = reporter(declaration)
  const layers = [declaration.base, ...declaration.environments.values()]
  return [
    ...checkIdentity(declaration, report),
    ...layers.flatMap(layer => [
      ...checkSkip(layer, report),
      ...checkIgnore(declaration, layer, report),
      ...checkLabels(declaration, layer, report),
      ...checkFilterValue(declaration, layer, report),
    ]),
    ...checkExposure(declaration, report),
  ]
}

type Mistake = Pick<Problem, 'code' | 'message' | 'hint'> & { readonly severity?: Problem['severity'] }
type Report = (pointer: string, mistake: Mistake, at?: 'key' | 'value') => Problem

function reporter({ file, address }: ObjectDeclaration): Report {
  return (pointer, mistake, at = 'value') => ({
    severity: 'error',
    ...mistake,
    source: file.parsed.locate(pointer, at),
    address,
  })
}

/** [service-behaviour 2.1] */
function checkIdentity({ kind, identity, base }: ObjectDeclaration, report: Report): Problem[] {
  const at = (mistake: Mistake) => [report(base.pointer, mistake, 'key')]
  const noun = kind.identity.by === 'field' ? kind.identity.field : 'name'
  if (identity === '')
    return at({
      code: 'empty-name',
      message: `the ${noun} is empty`,
      hint: `write the ${noun} before the ":"`,
    })
  const field = kind.fields[noun]
  if (field && isTooLong(field, identity))
    return at({
      code: 'name-too-long',
      message: `the ${noun} has ${[...identity].length} characters`,
      hint: `the service takes ${field.maxLength} at most`,
    })
  if (kind.name === 'feature_flag' && !/^[a-zA-Z0-9_-]+$/.test(identity))
    return at({
      code: 'key-characters',
      severity: 'warning',
      message: 'newer services refuse this key',
      hint: 'use letters, digits, "-" and "_" only',
    })
  return []
}

function checkSkip(layer: Layer, report: Report): Problem[] {
  const others = Object.keys(layer.members).filter(name => name !== 'skip')
  if (!layer.skip || others.length === 0) return []
  const mistake = {
    code: 'skip-with-fields',
    message: `"skip: true" leaves the object alone, so ${listNames(others.map(quote), 'and')} would mean nothing`,
    hint: 'remove one or the other',
  }
  return [report(`${layer.pointer}/skip`, mistake, 'key')]
}

function checkIgnore({ kind, file }: ObjectDeclaration, layer: Layer, report: Report): Problem[] {
  const names = Object.keys(kind.fields).filter(name => kind.fields[name]?.access === 'managed')
  return (layer.ignore ?? []).flatMap((path, index) => {
    const field = segmentsOf(ignorePointer(path))[0] ?? ''
    if (names.includes(field)) return []
    const pointer = `${layer.pointer}/ignore/${index}`
    const shown = isFilledIn(file, pointer) ? quoteWritten(file, pointer) : quote(field)
    return [
      report(pointer, {
        code: 'unknown-field',
        message: `${shown} is not a field of ${withArticle(kind.title)}`,
        hint: meantHint(field, names, `there are: ${listNames(names, 'and')}`),
      }),
    ]
  })
}

/** [service-behaviour 2.6] */
function checkLabels({ kind }: ObjectDeclaration, layer: Layer, report: Report): Problem[] {
  return Object.entries(layer.fields).flatMap(([name, value]) => {
    const field = kind.fields[name]
    if (field?.type !== 'set' || !isJsonArray(value)) return []
    return value.flatMap((label, index) => {
      if (typeof label !== 'string' || !isTooLong(field, label)) return []
      const hint = `the service takes ${field.maxLength} at most`
      const mistake = {
        code: 'label-too-long',
        message: `this label has ${[...label].length} characters`,
        hint,
      }
      return [report(layer.pointer + pointerOf(name, index), mistake)]
    })
  })
}

function checkFilterValue(declaration: ObjectDeclaration, layer: Layer, report: Report): Problem[] {
  const { file, kind } = declaration
  const { filters } = layer.fields
  if (!hasTargeting(kind) || !isJsonObject(filters)) return []
  const found = filterMistakes(declaration, layer).map(({ problem, tolerance }) =>
    tolerance === undefined ? problem : unlessLive(problem),
  )
  return [...found, ...checkBlanks(file, filters, `${layer.pointer}/filters`, report)]
}

/** A mistake in filters, and what has to be live for it to be none. */
interface FilterMistake {
  readonly problem: Problem
  readonly pointer: string
  readonly tolerance: Tolerance | undefined
}

function filterMistakes(declaration: ObjectDeclaration, layer: Layer): FilterMistake[] {
  const { file, kind } = declaration
  if (!hasTargeting(kind)) return []
  const report = reporter(declaration)
  const written = (pointer: string) => file.parsed.textAt(`${layer.pointer}/filters${pointer}`)
  return checkFilters(layer.fields.filters ?? null, written).map(found => {
    const { pointer: inside, code, severity, message, hint } = found
    const pointer = `${layer.pointer}/filters${inside}`
    const at = code.endsWith('-member') ? 'key' : 'value'
    const place = { pointer: inside, tolerance: toleranceOf(found) }
    // These words were made for the value itself, which must not be shown.
    if (isFilledIn(file, pointer)) {
      const mistake = { code, severity, message: 'what the environment fills in here does not fit' }
      return { problem: report(pointer, mistake, at), ...place }
    }
    const mistake = { code, severity, message: redact(message, file.secrets) }
    const whole = hint === undefined ? mistake : { ...mistake, hint: redact(hint, file.secrets) }
    return { problem: report(pointer, whole, at), ...place }
  })
}

/** What of the filters of a layer is right only where the live flag is like it already. */
export function liveOnlyFilters(declaration: ObjectDeclaration, layer: Layer): LiveOnly[] {
  return filterMistakes(declaration, layer).flatMap(({ problem, pointer, tolerance }) =>
    tolerance === undefined ? [] : [{ problem, requires: { is: 'filters', pointer, tolerance } }],
  )
}

/** What says nothing releases to everybody: `rollout_percentage:` with the number forgotten would be 100%. */
function checkBlanks(
  { parsed }: DeclarationFile,
  filters: JsonObject,
  at: string,
  report: Report,
): Problem[] {
  const conditions = isJsonArray(filters.groups) ? filters.groups : []
  const pointers = [
    ...blanksIn(filters, ['groups'], at),
    ...conditions.flatMap((condition, index) =>
      isJsonObject(condition)
        ? blanksIn(condition, ['properties', 'rollout_percentage'], `${at}/groups/${index}`)
        : [],
    ),
  ]
  return pointers
    .filter(pointer => isWrittenAsNothing(parsed, pointer))
    .map(pointer =>
      report(pointer, {
        code: 'empty-value',
        message: `${quote(segmentsOf(pointer).at(-1))} is empty, which would mean everybody`,
        hint: 'fill it in, or write null to mean that',
      }),
    )
}

function blanksIn(value: JsonObject, names: readonly string[], at: string): string[] {
  return names.filter(name => value[name] === null).map(name => `${at}/${name}`)
}

/** Whether nothing at all stands behind a key: it is then found where the key is. */
function isWrittenAsNothing({ locate }: ParsedYaml, pointer: string): boolean {
  const [key, value] = [locate(pointer, 'key'), locate(pointer, 'value')]
  return key.line === value.line && key.column === value.column
}

/** A flag that the service creates is on, and for everybody, unless it is told otherwise. */
function checkExposure({ kind, base }: ObjectDeclaration, report: Report): Problem[] {
  const { ensure = 'present' } = base.members
  if (kind.name !== 'feature_flag' || ensure !== 'present' || base.id !== undefined) return []
  const missing = ['active', 'filters'].filter(name => !(name in base.fields))
  if (missing.length === 0 || base.fields.active === false) return []
  const mistake: Mistake = {
    code: 'open-by-default',
    severity: 'warning',
    message: `${listNames(missing.map(quote), 'and')} ${missing.length > 1 ? 'are' : 'is'} not declared`,
    hint: 'if the service has to create this flag, it will be on, and for everybody without "filters"',
  }
  return [report(base.pointer, mistake, 'key')]
}
