import { canonicalValue } from '../model/canonical.ts'
import { type Contradiction, type DeclarableKind, switchField, targetingField } from '../model/kind.ts'
import { oncePer } from '../model/runtime.ts'
import { isJsonObject, isSameJson, type Json, type JsonObject } from '../model/text/json.ts'
import { getAt, pointerOf } from '../model/text/pointer.ts'
import type { FilterProblem } from '../targeting/check/filter-problem.ts'
import { readRelease } from '../targeting/release.ts'
import type { ObjectProblem } from './check-field.ts'

/** Values of an object that must not be combined in an object of its kind. Unknown values count as valid. */
export function contradictionsIn(
  { contradictions = [], fields }: DeclarableKind,
  object: { readonly [field: string]: PartlyKnown },
): readonly Contradiction[] {
  if (contradictions.length === 0) return contradictions
  const has = (name: string, value: Json) => {
    const field = fields[name]
    const held: PartlyKnown = object[name] ?? null
    return field && isKnown(held) && isSameJson(canonicalValue(field, held), canonicalValue(field, value))
  }
  return contradictions.filter(({ fields: together }) =>
    Object.entries(together).every(([name, value]) => has(name, value)),
  )
}

/** The contradictions of declared values that are all known. */
export function checkTogether(
  kind: DeclarableKind,
  object: { readonly [field: string]: PartlyKnown },
): ObjectProblem[] {
  const isDeclared = (names: readonly string[]) => names.every(name => name in object)
  if (!contradictingNames(kind).some(isDeclared)) return []
  const declared = contradictionsIn(kind, object).filter(({ fields }) => isDeclared(Object.keys(fields)))
  return declared.map(({ fields, doc, remedy }) => {
    const [name = '', ...others] = Object.keys(fields)
    return {
      pointer: pointerOf(name),
      field: name,
      rule: 'together',
      severity: 'error',
      code: 'contradiction',
      message: `"${name}" cannot be combined with ${others.map(other => `"${other}"`).join(' and ')}: ${doc}`,
      hint: remedy,
    }
  })
}

const contradictingNames = oncePer(({ contradictions = [] }: DeclarableKind) =>
  contradictions.map(({ fields }) => Object.keys(fields)),
)

/**
 * Conditions for 0% that the service opens to everybody when it creates such an object. A later change may have
 * made a live one like this, so it is only a warning. A plan that would create it is blocked. [service-today 2]
 */
export function checkOpened(
  kind: DeclarableKind,
  object: { readonly [field: string]: PartlyKnown },
): ObjectProblem[] {
  const name = targetingField(kind) ?? ''
  const { openedBy } = kind.fields[name] ?? {}
  const filters = object[name]
  if (openedBy === undefined || object[openedBy] !== true || !isJsonObject(filters) || !isKnown(filters))
    return []
  const { conditions } = readRelease(filters)
  if (conditions.length > 0 && conditions.every(({ percent }) => percent > 0)) return []
  const off = switchField(kind)
  return [
    {
      pointer: pointerOf(name),
      field: name,
      rule: 'together',
      severity: 'warning',
      code: 'opened-when-created',
      message: `with "${openedBy}" the service turns 0% into 100% when it creates this ${kind.title}`,
      hint: `declare 100%${off === undefined ? '' : `, with \`${off}: false\` if nobody should get it`}`,
    },
  ]
}

/** Placeholder for a value that is known later: a variable, an id of another object, a reference. */
export const unknownHere: unique symbol = Symbol('not known here')

/** A declared value, with placeholders. A list or an object may be known even if parts of it are not. */
export type PartlyKnown =
  | Json
  | typeof unknownHere
  | readonly PartlyKnown[]
  | { readonly [member: string]: PartlyKnown }

/** Whether all parts are known, so that it is JSON. */
export function isKnown(value: PartlyKnown): value is Json {
  if (value === unknownHere) return false
  if (Array.isArray(value)) return value.every(isKnown)
  if (!isJsonObject(value)) return true
  for (const name in value) if (!isKnown(value[name] ?? null)) return false
  return true
}

/** A list with a harmless value for each unknown element. */
export function knownList(list: readonly PartlyKnown[]): Json {
  return list.map(element => (isKnown(element) ? element : 'unknown'))
}

/** Filters with null for each unknown part. */
export function knownFilters(filters: PartlyKnown): JsonObject {
  const known = knownValue(filters)
  return isJsonObject(known) ? known : {}
}

function knownValue(value: PartlyKnown): Json {
  if (value === unknownHere) return null
  if (Array.isArray(value)) return value.map(knownValue)
  // A value that is neither JSON nor a placeholder has members.
  return isKnown(value) ? value : mapMembers(value as Members, knownValue)
}

interface Members {
  readonly [name: string]: PartlyKnown
}

function mapMembers(members: Members, form: (member: PartlyKnown) => Json): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, form(member)]))
}

/** Whether an error at a place of `knownFilters` remains, whatever the unknown parts will be. */
export function surenessIn(
  filters: PartlyKnown,
): (error: Pick<FilterProblem, 'code' | 'pointer'>) => boolean {
  const unknown = unknownPlaces(filters)
  const isUnknown = (place: string) => unknown.some(each => place === each || place.startsWith(`${each}/`))
  const areKeysKnown = !unknown.some(each => /^\/multivariate(\/variants(\/\d+(\/key)?)?)?$/.test(each))
  return ({ code, pointer }) => {
    // The key of a payload is known even if its value is not.
    if (code !== 'payload-without-variant' && isUnknown(pointer)) return false
    if (aboutVariantKeys.includes(code) && !areKeysKnown) return false
    const [condition = ''] = /^\/groups\/\d+/.exec(pointer) ?? []
    if (aboutGroupTypes.includes(code) && !isGroupTypeKnown(condition)) return false
    const [property = ''] = /^\/groups\/\d+\/properties\/\d+/.exec(pointer) ?? []
    // These two members decide which values are valid.
    return (
      property === '' || !pointer.endsWith('/value') || !decisive.some(name => isUnknown(property + name))
    )
  }

  function isGroupTypeKnown(condition: string): boolean {
    const own = `${condition}${groupType}`
    if (unknown.includes(own)) return false
    return !unknown.includes(groupType) || (getAt(knownFilters(filters), own) ?? null) !== null
  }
}

const decisive = ['/operator', '/type']
const groupType = '/aggregation_group_type_index'
const aboutVariantKeys = ['unknown-variant', 'payload-without-variant']
const aboutGroupTypes = ['property-type', 'group-type-index']

function unknownPlaces(value: PartlyKnown, pointer = ''): string[] {
  if (value === unknownHere) return [pointer]
  if (isKnown(value)) return []
  return Object.entries(value as Members).flatMap(([name, member]) =>
    unknownPlaces(member, pointer + pointerOf(name)),
  )
}
