import type { LiveOnly } from '../../core/desired.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, pickMembers } from '../../model/json/json.ts'
import { pointerOf, segmentsOf } from '../../model/json/pointer.ts'
import { managedFields, targetingField } from '../../model/kind.ts'
import { type Problem, unlessLive } from '../../model/problem.ts'
import type { Services } from '../../model/profile.ts'
import { meantHint } from '../../model/text/did-you-mean.ts'
import { checkField } from '../../rules/check-field.ts'
import { checkObject } from '../../rules/check-object.ts'
import { checkOpen } from '../../rules/check-open.ts'
import type { ObjectProblem } from '../../rules/object-problem.ts'
import type { SchemaProblem } from '../../schema/validate-against.ts'
import { elementsOf, hasNull, shortMembers } from '../../targeting/short/short-form.ts'
import { ignorePointer, type Layer, type ObjectDeclaration } from '../declaration.ts'
import { type DeclarationFile, isFilledIn, quoteWritten } from '../declaration-file.ts'
import type { ParsedYaml } from '../parse/parse-yaml.ts'
import { listNames, quote, withArticle } from '../parse/quote.ts'
import { redact } from '../resolve/interpolate.ts'
import { fieldPointer, placeInFile } from '../resolve/short-layers.ts'
import { valueProblem } from './schema-problem.ts'

/** The services that an environment may have; without its name, those of all environments. */
export type ServicesIn = (environment?: string) => Services

/** What is wrong with one declaration in itself, whichever environment it is read for. */
export function checkDeclaration(declaration: ObjectDeclaration, servicesIn: ServicesIn): Problem[] {
  const report = reporter(declaration)
  const { base, environments } = declaration
  const layers = [[undefined, base] as const, ...environments]
  return [
    ...checkIdentity(declaration, report),
    ...layers.flatMap(([environment, layer]) => [
      ...checkSkip(layer, report),
      ...checkIgnore(declaration, layer, report),
      ...checkFields(declaration, layer, report, servicesIn(environment)),
    ]),
    ...checkOpenness(declaration, report),
  ]
}

type ToldProblem = Pick<Problem, 'code' | 'message' | 'hint'> & { readonly severity?: Problem['severity'] }
type Report = (pointer: string, problem: ToldProblem, at?: 'key' | 'value') => Problem

function reporter({ file, address }: ObjectDeclaration): Report {
  return (pointer, problem, at = 'value') => ({
    severity: 'error',
    ...problem,
    source: file.parsed.locate(pointer, at),
    address,
  })
}

/** What is wrong with the name that stands before the colon. */
function checkIdentity({ kind, identity, base }: ObjectDeclaration, report: Report): Problem[] {
  if (kind.identity.by !== 'field') return []
  const { field } = kind.identity
  const [problem] = checkField(kind, field, identity)
  if (!problem) return []
  const hint = problem.rule === 'empty' ? `write the ${field} before the ":"` : problem.hint
  return [report(base.pointer, { ...toldOf(problem), hint }, 'key')]
}

/** What is wrong with the fields of a layer. */
function checkFields(
  declaration: ObjectDeclaration,
  layer: Layer,
  report: Report,
  services: Services,
): Problem[] {
  // What a wrong short form amounts to is not what was meant.
  const blanks = checkBlanks(declaration, layer, report)
  const inShort = shortProblems(declaration, layer, report, blanks)
  const fields = inShort.length > 0 ? without(layer, layer.expanded?.field) : layer
  return [
    ...inShort,
    ...fieldProblems(declaration, fields, services).map(({ told, requires }) =>
      requires ? unlessLive(told) : told,
    ),
    ...blanks,
  ]
}

/** What is wrong with who gets a flag as it is said in the short form. */
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

/** What of a layer is right only where the live object is like it already. */
export function liveOnlyIn(declaration: ObjectDeclaration, layer: Layer): LiveOnly[] {
  return fieldProblems(declaration, layer).flatMap(({ told, requires }) =>
    requires ? [{ problem: told, requires }] : [],
  )
}

function fieldProblems(declaration: ObjectDeclaration, layer: Layer, services?: Services) {
  const { kind, file } = declaration
  const spelling = (name: string) => ({
    written: (inside: string) => file.parsed.textAt(placeInFile(layer, pointerOf(name) + inside)),
  })
  return checkObject(kind, layer.fields, spelling, services).flatMap(problem => {
    const pointer = placeInFile(layer, problem.pointer)
    const told = toldAt(declaration, problem, pointer)
    return told ? [{ told, requires: problem.requires }] : []
  })
}

function toldAt(
  declaration: ObjectDeclaration,
  problem: ObjectProblem,
  pointer: string,
): Problem | undefined {
  const { file, address } = declaration
  const report = reporter(declaration)
  if (problem.rule === 'targeting') {
    const at = problem.code.endsWith('-member') ? 'key' : 'value'
    return report(pointer, shownProblem(file, problem, pointer), at)
  }
  // What the environment does not have is told already.
  if (file.unfilled.has(pointer)) return undefined
  const inSchema = schemaProblemOf(problem, pointer)
  return inSchema ? { ...valueProblem(inSchema, file.parsed), address } : report(pointer, toldOf(problem))
}

function shownProblem(file: DeclarationFile, problem: ToldProblem, pointer: string): ToldProblem {
  const { code, severity, message, hint } = problem
  // These words were made for the value itself, which must not be shown.
  if (isFilledIn(file, pointer))
    return { code, severity, message: 'what the environment fills in here does not fit' }
  const shown = { code, severity, message: redact(message, file.secrets) }
  return hint === undefined ? shown : { ...shown, hint: redact(hint, file.secrets) }
}

/** The same in the words of schemas, in which the settings and the rest of a file are told. */
function schemaProblemOf(problem: ObjectProblem, pointer: string): SchemaProblem | undefined {
  const told = { pointer, message: problem.message }
  switch (problem.rule) {
    case 'type':
      return { ...told, keyword: 'type', params: { type: problem.types } }
    case 'choice':
      return { ...told, keyword: 'enum', params: { allowedValues: problem.choices } }
    case 'empty':
      return { ...told, keyword: 'minLength', params: {} }
    case 'uuid':
      return { ...told, keyword: 'format', params: { format: 'uuid' } }
    default:
      return undefined
  }
}

function toldOf({ code, severity, message, hint }: ObjectProblem): ToldProblem {
  return { code, severity, message, ...(hint === undefined ? {} : { hint }) }
}

function checkSkip(layer: Layer, report: Report): Problem[] {
  if (!layer.skip) return []
  const others = Object.keys(layer.members).filter(name => name !== 'skip')
  if (others.length === 0) return []
  const problem = {
    code: 'skip-with-fields',
    message: `"skip: true" leaves the object alone, so ${listNames(others.map(quote), 'and')} would mean nothing`,
    hint: 'remove one or the other',
  }
  return [report(`${layer.pointer}/skip`, problem, 'key')]
}

function checkIgnore({ kind, file, base }: ObjectDeclaration, layer: Layer, report: Report): Problem[] {
  if (!layer.ignore) return []
  const names = managedFields(kind)
  return layer.ignore.flatMap((path, index) => {
    const pointed = fieldPointer(layer.expanded ? layer : base, ignorePointer(path))
    const field = segmentsOf(pointed)[0] ?? ''
    if (names.includes(field)) return []
    const pointer = `${layer.pointer}/ignore/${index}`
    const isFilled = isFilledIn(file, pointer)
    if (shortMembers.includes(field) && (layer.expanded ?? base.expanded)) {
      const shown = isFilled ? quoteWritten(file, pointer) : quote(path)
      const message = `${shown} leads to nothing that this flag declares, or to several things`
      return [
        report(pointer, {
          code: 'unknown-place',
          message,
          hint: 'name a condition, a variant or a member of it',
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

/** What says nothing releases to everybody: `rollout_percentage:` with the number forgotten would be 100%. */
function checkBlanks({ kind, file }: ObjectDeclaration, layer: Layer, report: Report): Problem[] {
  const name = targetingField(kind)
  if (name === undefined) return []
  const told = (pointers: readonly string[], hint: string) =>
    pointers
      .filter(pointer => isWrittenAsNothing(file.parsed, pointer))
      .map(pointer =>
        report(pointer, {
          code: 'empty-value',
          message: `${quote(segmentsOf(pointer).at(-1))} is empty, which would mean everybody`,
          hint,
        }),
      )
  const inFilters = blanksInFilters(layer.members[name], layer.pointer + pointerOf(name))
  return [
    ...told(inFilters, 'fill it in, or write null to mean that'),
    ...told(blanksInShort(layer), 'fill it in; in an override, null removes what is shared'),
  ]
}

function blanksInFilters(filters: Json | undefined, at: string): string[] {
  if (!isJsonObject(filters)) return []
  const conditions = isJsonArray(filters.groups) ? filters.groups : []
  return [
    ...blanksIn(filters, ['groups'], at),
    ...conditions.flatMap((condition, index) =>
      isJsonObject(condition)
        ? blanksIn(condition, ['properties', 'rollout_percentage'], `${at}/groups/${index}`)
        : [],
    ),
  ]
}

/** Payloads may hold what they like. */
function blanksInShort({ short, pointer }: Layer): string[] {
  if (short === undefined || !hasNull(short)) return []
  return nullsIn(
    pickMembers(short, (_, name) => name !== 'payloads'),
    pointer,
  )
}

function nullsIn(value: Json, pointer: string): string[] {
  if (value === null) return [pointer]
  if (typeof value !== 'object') return []
  // An element of a list has no key that it could be left behind.
  return elementsOf(value)
    .filter(([step, element]) => typeof step === 'string' || element !== null)
    .flatMap(([step, element]) => nullsIn(element, pointer + pointerOf(step)))
}

function blanksIn(value: JsonObject, names: readonly string[], at: string): string[] {
  return names.filter(name => value[name] === null).map(name => `${at}/${name}`)
}

/** Whether nothing at all stands behind a key: it is then found where the key is. */
function isWrittenAsNothing({ locate }: ParsedYaml, pointer: string): boolean {
  const [key, value] = [locate(pointer, 'key'), locate(pointer, 'value')]
  return key.line === value.line && key.column === value.column
}

/** What a new object is without a word. One that is named by its id is there. */
function checkOpenness({ kind, base }: ObjectDeclaration, report: Report): Problem[] {
  const { ensure = 'present' } = base.members
  if (ensure !== 'present' || base.id !== undefined) return []
  return checkOpen(kind, base.fields).map(problem => report(base.pointer, toldOf(problem), 'key'))
}
