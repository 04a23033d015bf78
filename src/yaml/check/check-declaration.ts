import type { LiveOnly } from '../../core/desired.ts'
import { ignoredPlaces } from '../../core/diff.ts'
import type { Services } from '../../model/connection.ts'
import { managedFields, targetingField } from '../../model/kind.ts'
import { type Problem, unlessLive } from '../../model/problem.ts'
import { isJsonArray, isJsonObject, type Json, pickMembers } from '../../model/text/json.ts'
import { listNames, meantHint } from '../../model/text/names.ts'
import { pointerOf, segmentsOf } from '../../model/text/pointer.ts'
import { checkField, type ObjectProblem } from '../../rules/check-field.ts'
import { checkObject, checkOpen } from '../../rules/check-object.ts'
import type { SchemaProblem } from '../../schema/validate-against.ts'
import { elementsOf, hasNull, shortMembers } from '../../targeting/short/short-form.ts'
import {
  type DeclarationFile,
  ignorePointer,
  isFilledIn,
  type Layer,
  type ObjectDeclaration,
  quoteWritten,
  type SharedPlace,
} from '../declaration.ts'
import type { ParsedYaml } from '../read/parse-yaml.ts'
import { redact } from '../resolve/interpolate.ts'
import { fieldPointer, placeInFile, sharedPlace, shortPlace } from '../resolve/layers.ts'
import { once, quote, withArticle } from './problem-order.ts'
import { valueProblem } from './schema-problem.ts'

/** The possible services of an environment, or of all environments if no name is given. */
export type ServicesIn = (environment?: string) => Services

export interface CheckOptions {
  readonly servicesIn: ServicesIn
  /** Whether a problem of an audience is already reported in the audience. */
  readonly isReported: (place: SharedPlace, problem: Pick<ObjectProblem, 'code' | 'message'>) => boolean
}

/** Problems of one declaration, without others, in any environment. */
export function checkDeclaration(declaration: ObjectDeclaration, options: CheckOptions): Problem[] {
  const report = reporter(declaration)
  const { base, environments } = declaration
  const inLayer = (layer: Layer, environment?: string) =>
    checkSkip(layer, report).concat(
      checkIgnore(declaration, layer, report),
      checkFields(declaration, layer, report, options, environment),
    )
  const found = checkIdentity(declaration, report).concat(inLayer(base))
  for (const [environment, layer] of environments) found.push(...inLayer(layer, environment))
  return once(found.concat(checkOpenness(declaration, report)))
}

/** Problems of the condition that an audience forms. */
export function checkShared(declaration: ObjectDeclaration, options: CheckOptions): Problem[] {
  const report = reporter(declaration)
  const layers = [[undefined, declaration.base] as const, ...declaration.environments]
  return once(
    layers.flatMap(([environment, layer]) => checkFields(declaration, layer, report, options, environment)),
  )
}

type WordedProblem = Pick<Problem, 'code' | 'message' | 'hint' | 'hidden'> & {
  readonly severity?: Problem['severity']
}
type Report = (pointer: string, problem: WordedProblem, at?: 'key' | 'value') => Problem

export function reporter({ file, address }: { file: DeclarationFile; address?: string }): Report {
  return (pointer, problem, at = 'value') => ({
    severity: 'error',
    ...problem,
    source: file.parsed.locate(pointer, at),
    ...(address === undefined ? {} : { address }),
  })
}

/** Problems of the name before the colon. */
function checkIdentity({ kind, identity, base }: ObjectDeclaration, report: Report): Problem[] {
  if (kind.identity.by !== 'field') return []
  const { field } = kind.identity
  const [problem] = checkField(kind, field, identity)
  if (!problem) return []
  const hint = problem.rule === 'empty' ? `write the ${field} before the ":"` : problem.hint
  return [report(base.pointer, { ...wordedOf(problem), hint }, 'key')]
}

function checkFields(
  declaration: ObjectDeclaration,
  layer: Layer,
  report: Report,
  { servicesIn, isReported }: CheckOptions,
  environment: string | undefined,
): Problem[] {
  // The expansion of an invalid short form differs from the intended value.
  const blanks = checkBlanks(declaration, layer).map(({ pointer, ...blank }) => report(pointer, blank))
  const inShort = shortProblems(declaration, layer, report, blanks)
  const isBroken = inShort.length > 0 || layer.expanded?.isBroken === true
  const fields = isBroken ? without(layer, layer.expanded?.field) : layer
  const inFields = fieldProblems(declaration, fields, servicesIn(environment)).flatMap(
    ({ problem, shared, worded, requires }) =>
      shared && isReported(shared, problem) ? [] : [requires ? unlessLive(worded) : worded],
  )
  return inShort.concat(inFields, blanks)
}

function shortProblems(
  { file }: ObjectDeclaration,
  { expanded }: Layer,
  report: Report,
  blanks: readonly Problem[],
): Problem[] {
  const isBlank = ({ source }: Problem) => blanks.some(blank => isSamePlace(blank.source, source))
  return (expanded?.problems ?? [])
    .map(problem => {
      const at = problem.code.endsWith('-member') ? 'key' : 'value'
      return report(problem.pointer, shownProblem(file, problem, problem.pointer), at)
    })
    .filter(problem => !isBlank(problem))
}

function isSamePlace(one: Problem['source'], other: Problem['source']): boolean {
  return one !== undefined && one.line === other?.line && one.column === other.column
}

function without(layer: Layer, field: string | undefined): Layer {
  return { ...layer, fields: pickMembers(layer.fields, (_, name) => name !== field) }
}

/** Values of a layer that are valid only if the live object has them already. */
export function liveOnlyIn(declaration: ObjectDeclaration, layer: Layer): LiveOnly[] {
  return fieldProblems(declaration, layer).flatMap(({ worded, requires }) =>
    requires ? [{ problem: worded, requires }] : [],
  )
}

function fieldProblems(declaration: ObjectDeclaration, layer: Layer, services?: Services) {
  const { kind, file } = declaration
  const spelling = (name: string) => ({
    written: (inside: string) => {
      const shared = sharedPlace(layer, pointerOf(name) + inside)
      return shared
        ? shared.file.parsed.textAt(shared.pointer)
        : file.parsed.textAt(placeInFile(layer, pointerOf(name) + inside))
    },
  })
  return checkObject(kind, layer.fields, spelling, services).flatMap(problem => {
    // In the short form, a payload is any JSON value, so a text needs no check.
    if (layer.expanded && problem.rule === 'targeting' && problem.code === 'payload-text') return []
    const pointer = placeInFile(layer, problem.pointer)
    const shared = sharedPlace(layer, problem.pointer)
    const worded = wordedAt(declaration, problem, pointer, shared)
    return worded ? [{ problem, pointer, shared, worded, requires: problem.requires }] : []
  })
}

/** The problems that belong to an audience's own properties, as keys of `placeKey`. */
export function ownProblems(declaration: ObjectDeclaration, servicesIn: ServicesIn): string[] {
  const layers = [[undefined, declaration.base] as const, ...declaration.environments]
  return layers.flatMap(([environment, layer]) =>
    layer.expanded?.isBroken
      ? []
      : fieldProblems(declaration, layer, servicesIn(environment)).flatMap(({ problem, shared, pointer }) =>
          shared ? [] : [placeKey({ file: declaration.file, pointer }, problem)],
        ),
  )
}

/** Identifies a problem and its place in a file. */
export function placeKey(
  { file, pointer }: Pick<SharedPlace, 'file' | 'pointer'>,
  { code, message }: Pick<ObjectProblem, 'code' | 'message'>,
): string {
  return JSON.stringify([file.parsed.file, pointer, code, message])
}

export function wordedAt(
  declaration: ObjectDeclaration,
  problem: ObjectProblem,
  pointer: string,
  shared?: SharedPlace,
): Problem | undefined {
  const { file, address } = declaration
  const report = reporter(declaration)
  if (problem.rule === 'targeting') {
    const at = problem.code.endsWith('-member') ? 'key' : 'value'
    // A problem of an audience is reported in the file of the audience, which decides what is hidden.
    const place = shared ?? { file, pointer }
    return report(pointer, shownProblem(place.file, problem, place.pointer), shared ? 'value' : at)
  }
  // The missing environment variable is already reported.
  if (file.unfilled.has(pointer)) return undefined
  const inSchema = schemaProblemOf(problem, pointer)
  return inSchema ? { ...valueProblem(inSchema, file.parsed), address } : report(pointer, wordedOf(problem))
}

export function shownProblem(file: DeclarationFile, problem: WordedProblem, pointer: string): WordedProblem {
  const { code, severity, message, hint, hidden } = problem
  // This message contains the value, which must not be shown.
  if (isFilledIn(file, pointer))
    return { code, severity, message: 'the value that the environment provides here is invalid' }
  const shown = {
    ...{ code, severity, message: redact(message, file.secrets) },
    ...(hidden === undefined ? {} : { hidden: redact(hidden, file.secrets) }),
  }
  return hint === undefined ? shown : { ...shown, hint: redact(hint, file.secrets) }
}

/** The problem in the form of schema problems, which the settings and the rest of a file use. */
function schemaProblemOf(problem: ObjectProblem, pointer: string): SchemaProblem | undefined {
  const shown = { pointer, message: problem.message }
  switch (problem.rule) {
    case 'type':
      return { ...shown, keyword: 'type', params: { type: problem.types } }
    case 'choice':
      return { ...shown, keyword: 'enum', params: { allowedValues: problem.choices } }
    case 'empty':
      return { ...shown, keyword: 'minLength', params: {} }
    case 'uuid':
      return { ...shown, keyword: 'format', params: { format: 'uuid' } }
    default:
      return undefined
  }
}

function wordedOf({ code, severity, message, hint }: ObjectProblem): WordedProblem {
  return { code, severity, message, ...(hint === undefined ? {} : { hint }) }
}

function checkSkip(layer: Layer, report: Report): Problem[] {
  if (!layer.skip) return []
  const others = Object.keys(layer.members).filter(name => name !== 'skip')
  if (others.length === 0) return []
  const problem = {
    code: 'skip-with-fields',
    message: `"skip: true" skips the whole object, so ${listNames(others.map(quote), 'and')} would have no effect`,
    hint: 'remove "skip" or the others',
  }
  return [report(`${layer.pointer}/skip`, problem, 'key')]
}

function checkIgnore({ kind, file, base }: ObjectDeclaration, layer: Layer, report: Report): Problem[] {
  if (!layer.ignore) return []
  const names = managedFields(kind)
  const ignore = layer.ignore.map(path => fieldPointer(layer.expanded ? layer : base, ignorePointer(path)))
  return layer.ignore.flatMap((path, index) => {
    const field = segmentsOf(ignore[index] ?? '')[0] ?? ''
    const pointer = `${layer.pointer}/ignore/${index}`
    if (names.includes(field)) {
      const fields = { [field]: (layer.fields[field] === undefined ? base : layer).fields[field] ?? null }
      const places = ignoredPlaces(kind, { ignore, fields }, field, fields[field] ?? null)
      const found = places.find(place => pointerOf(field) + place.pointer === ignore[index])?.found
      if (found?.is !== 'unclear') return []
      const message = `${quote(path)} cannot be found in the live value: ${found.reason}`
      const hint =
        'its changes will be blocked: ignore one of its members, or make it different from the other elements'
      return [report(pointer, { code: 'unclear-place', severity: 'warning', message, hint })]
    }
    const isFilled = isFilledIn(file, pointer)
    if (shortMembers.includes(field) && (layer.expanded ?? base.expanded)) {
      const shown = isFilled ? quoteWritten(file, pointer) : quote(path)
      const message = `${shown} matches nothing that this flag declares, or several parts`
      return [
        report(pointer, {
          code: 'unknown-place',
          message,
          hint: 'name a condition, a variant, or a member of one',
        }),
      ]
    }
    const shown = isFilled ? quoteWritten(file, pointer) : quote(field)
    return [
      report(pointer, {
        code: 'unknown-field',
        message: `${shown} is not a field of ${withArticle(kind.title)}`,
        hint: meantHint(field, names, `there are: ${listNames(names, 'and')}`),
      }),
    ]
  })
}

/** Values that the service would assume for a new object. An object with an id already exists. */
function checkOpenness({ kind, base }: ObjectDeclaration, report: Report): Problem[] {
  const { ensure = 'present' } = base.members
  if (ensure !== 'present' || base.id !== undefined) return []
  return checkOpen(kind, base.fields).map(problem => report(base.pointer, wordedOf(problem), 'key'))
}

interface Blank {
  readonly pointer: string
  readonly code: string
  readonly message: string
  readonly hint: string
}

/** An empty value may release to everybody: `rollout_percentage:` without its number would mean 100%. */
function checkBlanks({ kind, file }: ObjectDeclaration, layer: Layer): Blank[] {
  const name = targetingField(kind)
  if (name === undefined) return []
  const inFilters = blanksInFilters(layer.members[name], layer.pointer, name)
  const inShort = blanksInShort(layer)
  if (inFilters.length + inShort.length === 0) return []
  const worded = (pointers: readonly string[], hint: string) =>
    pointers
      .filter(pointer => isWrittenAsNothing(file.parsed, pointer))
      .map(pointer => ({
        pointer,
        code: 'empty-value',
        message: `${quote(segmentsOf(pointer).at(-1))} is empty, which would mean everybody`,
        hint,
      }))
  return [
    ...worded(inFilters, 'fill it in, or write null for everybody'),
    ...worded(inShort, 'fill it in; in an override, null removes the shared value'),
  ]
}

function blanksInFilters(filters: Json | undefined, layer: string, field: string): string[] {
  const groups = isJsonObject(filters) ? filters.groups : undefined
  if (groups === null) return [`${layer}${pointerOf(field)}/groups`]
  if (groups === undefined || !isJsonArray(groups) || !groups.some(hasBlank)) return []
  const at = `${layer}${pointerOf(field)}/groups`
  return groups.flatMap((condition, index) => blankIn(condition).map(name => `${at}/${index}/${name}`))
}

function hasBlank(condition: Json): boolean {
  return isJsonObject(condition) && (condition.properties === null || condition.rollout_percentage === null)
}

function blankIn(condition: Json): string[] {
  if (!isJsonObject(condition)) return []
  return ['properties', 'rollout_percentage'].filter(name => condition[name] === null)
}

/** Payloads may contain anything. */
function blanksInShort(layer: Layer): string[] {
  const { short } = layer
  if (short === undefined || !hasNull(short)) return []
  const blanks = nullsIn(
    pickMembers(short, (_, name) => name !== 'payloads'),
    '',
  )
  return blanks.map(inside => shortPlace(layer, inside))
}

function nullsIn(value: Json, pointer: string): string[] {
  if (value === null) return [pointer]
  if (typeof value !== 'object') return []
  // A null in a list is not a forgotten value: it has no key.
  return elementsOf(value)
    .filter(([step, element]) => typeof step === 'string' || element !== null)
    .flatMap(([step, element]) => nullsIn(element, pointer + pointerOf(step)))
}

/** Whether a key has no value: then the value has the position of the key. */
export function isWrittenAsNothing({ locate }: ParsedYaml, pointer: string): boolean {
  const [key, value] = [locate(pointer, 'key'), locate(pointer, 'value')]
  return key.line === value.line && key.column === value.column
}
