import { readStrictJson } from '../hcl/strict-json.ts'
import { canonicalValue } from '../model/canonical.ts'
import { profiles, type Services } from '../model/connection.ts'
import {
  type DeclarableKind,
  isTargeting,
  managedFields,
  type Scope,
  switchField,
  targetingField,
} from '../model/kind.ts'
import { isJsonObject, isSameJson, type Json, type JsonObject } from '../model/text/json.ts'
import { numbersAsWritten, respelledNumbers } from '../model/text/json-numbers.ts'
import { isUuid } from '../model/text/json-shape.ts'
import { messageOf } from '../model/text/message-of.ts'
import { listNames } from '../model/text/names.ts'
import { pointerOf, segmentsOf } from '../model/text/pointer.ts'
import { profilesWith } from '../services/differences.ts'
import { enginesOf } from '../services/engines.ts'
import { checkFilters } from '../targeting/check/check-filters.ts'
import { toleranceOf } from '../targeting/check/filter-mistakes.ts'
import { type FilterProblem, filterWarning, type Written } from '../targeting/check/filter-problem.ts'
import { countedMembers } from '../targeting/filter-parts.ts'
import { checkField, type ObjectProblem, type ProblemOf, type Requirement } from './check-field.ts'
import {
  checkOpened,
  checkTogether,
  isKnown,
  knownFilters,
  knownList,
  type PartlyKnown,
  surenessIn,
} from './contradictions.ts'

/**
 * The rules that the fields of an object break, in the order of the kind's fields. `object` has the declared
 * fields by their wire names, including the identity if that should be checked.
 */
export function checkObject(
  kind: DeclarableKind,
  object: { readonly [field: string]: PartlyKnown },
  spelling: (field: string) => Spelling | undefined = () => undefined,
  services?: Services,
): ObjectProblem[] {
  const broken: ObjectProblem[] = []
  for (const name of managedFields(kind)) {
    const value = object[name]
    if (value === undefined) continue
    const isWhole = isKnown(value)
    broken.push(...(isWhole ? checkField(kind, name, value) : checkKnown(kind, name, value)))
    broken.push(...checkPassedOver(kind, name, value, services))
    if (!isTargeting(kind, name) || !isJsonObject(value)) continue
    const check = isWhole ? checkKnownTargeting : checkTargeting
    broken.push(...check(name, value, spelling(name), services))
  }
  return broken.concat(checkTogether(kind, object), checkOpened(kind, object))
}

/** A value that some engines treat differently. */
function checkPassedOver(
  { fields }: DeclarableKind,
  name: string,
  value: PartlyKnown,
  services: Services = profiles,
): ObjectProblem[] {
  const passed = fields[name]?.passedOver
  if (passed?.value !== value) return []
  const engines = services.flatMap(profile => enginesOf(profile, { sdks: services.sdks }))
  const names = engines.filter(({ rules }) => rules[passed.rule] === 'ignored').map(engine => engine.name)
  if (names.length === 0) return []
  return [
    {
      pointer: pointerOf(name),
      field: name,
      rule: 'engines',
      severity: 'warning',
      code: 'engines-differ',
      message: `"${name}" has no effect in ${listNames([...new Set(names)], 'and')}: they ${passed.instead}`,
      hint: 'have the flag evaluated by the service',
    },
  ]
}

/** For a partly known value, only the elements of a list are checked, and whether an object is one. */
function checkKnown(kind: DeclarableKind, name: string, value: PartlyKnown): ObjectProblem[] {
  if (Array.isArray(value)) return checkField(kind, name, knownList(value))
  return isJsonObject(value) ? checkField(kind, name, {}) : []
}

/**
 * Compares the file that describes a plugin with its declared fields; `files` has all of its files by name.
 * The service prefers the file to the request. So if the names in the declaration and in the file differ,
 * each apply would change the object. [service-behaviour 4]
 */
export function checkManifest(
  kind: DeclarableKind,
  fields: JsonObject,
  files: Readonly<Record<string, unknown>> | undefined,
): (ObjectProblem & { readonly requires: Requirement })[] {
  const manifest = kind.lifecycle.files?.manifest
  const text = manifest && files?.[manifest.file]
  if (!manifest || typeof text !== 'string') return []
  const { file, members } = manifest
  const base = { severity: 'error', code: 'manifest', requires: { is: 'file', name: file } } as const
  const described = readObject(text)
  if ('why' in described) {
    const { why } = described
    const at = { pointer: pointerOf('source', file), field: 'source' }
    return [{ ...base, ...at, rule: 'manifest-text', message: `${file} cannot be read: ${why}` }]
  }
  return Object.entries(members).flatMap(([field, member]) => {
    const [given, taken] = [fields[field] ?? null, described.members[member] ?? null]
    if (given === null || taken === null || isSameJson(given, taken)) return []
    const message = `its ${field} differs from the "${member}" of ${file}, ${JSON.stringify(taken)}`
    const hint = 'the service uses the value in the file: write the same value in both'
    return [{ ...base, rule: 'manifest', pointer: pointerOf(field), field, message, hint }]
  })
}

function readObject(text: string): { readonly members: JsonObject } | { readonly why: string } {
  let value: Json
  try {
    value = readStrictJson(text)
  } catch (error) {
    return { why: messageOf(error) }
  }
  return isJsonObject(value) ? { members: value } : { why: 'it is not an object' }
}

/** A declared field that services lack: they would drop or refuse its value. */
export type LackingField = Remark & { readonly field: string }

/** The result of a check that is not about a field. */
interface Remark {
  readonly severity: 'error' | 'warning'
  readonly message: string
  readonly hint: string
}

/**
 * The declared fields that are missing in services that may be written to.
 *
 * | the field                       | all of them lack it | some of them do     |
 * |---------------------------------|---------------------|---------------------|
 * | equals its default              | nothing             | nothing             |
 * | came with a newer service       | an error            | a warning           |
 * | holds a level                   | a warning           | a warning           |
 * | was in older services only      | a warning           | nothing             |
 *
 * Levels do not depend on the profile: only the answers of a service show whether it has them.
 */
export function checkOffered(
  kind: DeclarableKind,
  object: { readonly [field: string]: PartlyKnown },
  services: Services,
): LackingField[] {
  return Object.entries(object).flatMap(([name, value]): LackingField[] => {
    const { offered, isNewer, isLevel } = offerOf(kind, name)
    if (!offered || isIdle(kind, name, value)) return []
    const lacking = services.filter(profile => !profilesWith(offered.behaviour, offered.is).includes(profile))
    const isEverywhere = lacking.length === services.length
    if (lacking.length === 0 || !(isNewer || isEverywhere)) return []
    const where = isEverywhere ? 'the service' : `the service with ${profilesText(lacking)}`
    return [
      {
        field: name,
        severity: isNewer && isEverywhere && !isLevel ? 'error' : 'warning',
        message: isNewer ? `${where} has no "${name}"` : `${where} no longer has "${name}"`,
        hint: isEverywhere ? 'remove it for that service' : "set the service's version in `profile`",
      },
    ]
  })
}

function offerOf({ fields, lifecycle: { levels } }: DeclarableKind, name: string) {
  const isLevel = levels?.field === name
  const { offered, newer = false } = fields[name] ?? {}
  return { offered: isLevel ? levels : offered, isNewer: newer, isLevel }
}

/** Whether a value has no effect; a level always has one. */
function isIdle({ fields, lifecycle }: DeclarableKind, name: string, value: PartlyKnown): boolean {
  const field = fields[name]
  if (!field || lifecycle.levels?.field === name || !isKnown(value)) return false
  return isSameJson(canonicalValue(field, value), canonicalValue(field, null))
}

function profilesText(profiles: Services): string {
  return `${profiles.length === 1 ? 'profile' : 'profiles'} ${profiles.join(' and ')}`
}

/**
 * The service creates an object switched on and for everybody, unless the request says something else.
 * `object` has the declared fields, with any values.
 */
export function checkOpen(
  kind: DeclarableKind,
  object: Readonly<Record<string, unknown>>,
): ProblemOf<'open'>[] {
  const turnsOff = switchField(kind)
  const targeting = targetingField(kind)
  if (targeting === undefined || (turnsOff !== undefined && object[turnsOff] === false)) return []
  if (targeting in object && (turnsOff === undefined || turnsOff in object)) return []
  const missing = [turnsOff, targeting].flatMap(name => (name === undefined || name in object ? [] : [name]))
  const quoted = missing.map(name => `"${name}"`).join(' and ')
  return [
    {
      pointer: '',
      field: targeting,
      rule: 'open',
      missing,
      severity: 'warning',
      code: 'open-by-default',
      message: `${quoted} ${missing.length > 1 ? 'are' : 'is'} not declared`,
      hint: `if the service has to create this ${kind.title}, it will be on, and for everybody without "${targeting}"`,
    },
  ]
}

/** An empty id counts as absent, and `@current` is the id that belongs to the key. */
export function checkOwner(scope: Scope, id: string): Remark | undefined {
  if (id === '' || id === '@current') return undefined
  const message = `${JSON.stringify(id)} is not an id of ${scope === 'project' ? 'a project' : 'an organization'}`
  if (scope === 'organization')
    return isUuid(id) ? undefined : { severity: 'error', message, hint: 'the id must be a UUID' }
  if (/^\d+$/.test(id)) return undefined
  if (/[^\w.~-]/.test(id)) return { severity: 'error', message, hint: 'the id must be a number' }
  // The interface document only requires text, but every known service uses numbers.
  return { severity: 'warning', message, hint: 'on every known service the id is a number' }
}

/** The problem of the name of a source file: in the service, files have names but no folders. */
export interface SourceProblem {
  readonly message: string
  readonly hint?: string
}

/** Code cannot find a file whose name contains a folder. `files` are the file names of one object. */
export function checkSourceNames(files: readonly string[]): SourceProblem[] {
  return files.flatMap((file): SourceProblem[] => {
    if (file.trim() === '') return [{ message: 'a file in `source` has no name' }]
    if (!/[\\/]/.test(file)) return []
    return [
      {
        message: `${JSON.stringify(file)} is not a valid file name for a plugin`,
        hint: 'write only the name of the file: the service supports neither folders nor files outside the plugin',
      },
    ]
  })
}

/** The value in the source: its JSON text, or the texts of its scalars. */
type Spelling = { readonly text: string } | { readonly written: Written }

/**
 * The rules of targeting that the value of a field breaks. The service applies some of them only to new
 * values. Unknown parts count as valid, and warnings that depend on them are omitted. `services` are those
 * that may be written to; all if unknown.
 */
export function checkTargeting(
  name: string,
  value: PartlyKnown,
  spelling?: Spelling,
  services?: Services,
): ProblemOf<'targeting'>[] {
  return isKnown(value)
    ? checkKnownTargeting(name, value, spelling, services)
    : brokenAt(name, surelyIn(value))
}

function checkKnownTargeting(
  name: string,
  value: Json,
  spelling?: Spelling,
  services?: Services,
): ProblemOf<'targeting'>[] {
  return brokenAt(name, problemsIn(value, spelling, services))
}

function brokenAt(name: string, found: readonly FilterProblem[]): ProblemOf<'targeting'>[] {
  return found.map(({ pointer, ...rest }) => {
    const tolerance = toleranceOf({ pointer, ...rest })
    return {
      ...rest,
      pointer: pointerOf(name) + pointer,
      field: name,
      rule: 'targeting',
      inside: pointer,
      ...(tolerance === undefined ? {} : { requires: { is: 'filters', pointer, tolerance } }),
    }
  })
}

function problemsIn(
  value: Json,
  spelling: Spelling | undefined,
  services: Services | undefined,
): FilterProblem[] {
  if (spelling === undefined) return checkFilters(value, undefined, services)
  return 'text' in spelling
    ? checkFiltersText(value, spelling.text, services)
    : checkFilters(value, spelling.written, services)
}

/** Problems that do not depend on the unknown parts. */
function surelyIn(value: PartlyKnown): FilterProblem[] {
  const isSure = surenessIn(value)
  return checkFilters(knownFilters(value)).filter(each => each.severity === 'error' && isSure(each))
}

/** Problems of filters from a JSON text, including numbers that reading would change. */
function checkFiltersText(filters: Json, text: string, services?: Services): FilterProblem[] {
  const written = numbersAsWritten(text)
  const problems = checkFilters(filters, pointer => written.get(pointer), services)
  const broken = new Set(problems.map(({ pointer }) => pointer))
  const respelled = respelledNumbers(text).filter(
    ({ pointer }) => !broken.has(pointer) && !countedMembers.has(segmentsOf(pointer).at(-1) ?? ''),
  )
  return [
    ...problems,
    ...respelled.map(({ pointer, written: source, read }) =>
      filterWarning(
        pointer,
        'respelled-number',
        `${source} is read as the number ${read}`,
        `write "${source}" in quotes if text is intended, or else ${read}`,
      ),
    ),
  ]
}
