import { declarableKind } from '../../kinds/index.ts'
import { canonicalValue } from '../../model/json/canonical.ts'
import { canonicalText, type Json, type JsonObject } from '../../model/json/json.ts'
import { targetingField } from '../../model/kind.ts'
import { mostCommon } from '../../model/most-common.ts'
import type { Naming } from '../../targeting/short/naming.ts'
import { sharedShort } from '../../targeting/short/shared-short.ts'
import { fieldOrder } from '../field-order.ts'

/** What a declaration of an object has to say in one environment. */
export interface MembersIn {
  /** Undefined in a repository without environments. */
  readonly environment: string | undefined
  /** What cohorts and types of groups are called there; undefined where nothing has a name. */
  readonly naming: Naming | undefined
  readonly members: JsonObject
  /** Members that it does not have to name: what they are there, for where others do. */
  readonly unnamed: JsonObject
}

/**
 * One declaration of an object for the environments that have it: shared is what most of them say, or the last of them
 * where equally many do; the others override it.
 *
 * | a member                            | so it is written                                        |
 * |-------------------------------------|---------------------------------------------------------|
 * | of all, or with a default elsewhere | once, and as an override where it is another            |
 * | that some cannot name               | as an override in each of those that do                 |
 * | filters                             | in the short form where all have one, or else in full   |
 */
export function mergeEnvironments(kindName: string, all: readonly MembersIn[], isRaw: boolean): JsonObject {
  const targeting = targetingField(declarableKind(kindName))
  const merging: Merging = { shared: {}, overrides: all.map(() => ({})) }
  for (const name of memberNames(kindName, all)) {
    if (name === targeting && !isRaw && mergeShortForms(name, all, merging)) continue
    mergeMember(kindName, name, all, merging)
  }
  const environments = all.flatMap(({ environment }, index) => {
    const override = merging.overrides[index] ?? {}
    return environment === undefined || Object.keys(override).length === 0 ? [] : [[environment, override]]
  })
  return environments.length === 0
    ? merging.shared
    : { ...merging.shared, environments: Object.fromEntries(environments) }
}

/** The names of all members, in the order in which one declaration would have them. */
function memberNames(kindName: string, all: readonly MembersIn[]): string[] {
  const known = ['id', ...fieldOrder(declarableKind(kindName))]
  const rank = (name: string) => (known.includes(name) ? known.indexOf(name) : known.length)
  const names = new Set(all.flatMap(({ members }) => Object.keys(members)))
  return [...names].sort((left, right) => rank(left) - rank(right))
}

interface Merging {
  readonly shared: Record<string, Json>
  readonly overrides: readonly Record<string, Json>[]
}

/** Whether the filters of all of them were written in the short form. */
function mergeShortForms(name: string, all: readonly MembersIn[], { shared, overrides }: Merging): boolean {
  const filters = all.map(({ members }) => members[name])
  const namings = all.map(({ naming }) => naming)
  const given = filters.filter(each => each !== undefined)
  // A service that shows no filters of a flag is none that is known.
  if (given.length < all.length) return false
  const found = sharedShort(given, namings)
  if (!found) return false
  Object.assign(shared, found.shared)
  for (const [index, override] of found.overrides.entries()) Object.assign(overrides[index] ?? {}, override)
  return true
}

function mergeMember(
  kindName: string,
  name: string,
  all: readonly MembersIn[],
  { shared, overrides }: Merging,
): void {
  const field = declarableKind(kindName).fields[name]
  const values = all.map(({ members, unnamed }) => members[name] ?? unnamed[name])
  const texts = values.map(value =>
    value === undefined ? '' : canonicalText(field ? canonicalValue(field, value) : value),
  )
  const [most = 0] = values.includes(undefined) ? [] : mostCommon(texts)
  const isShareable = !values.includes(undefined)
  const named = all.findIndex(
    ({ members }, index) => members[name] !== undefined && texts[index] === texts[most],
  )
  const value = isShareable ? all[named]?.members[name] : undefined
  if (value !== undefined) shared[name] = value
  for (const [index, { members }] of all.entries()) {
    const own = value === undefined ? members[name] : values[index]
    const override = overrides[index]
    if (override && own !== undefined && (value === undefined || texts[index] !== texts[most]))
      override[name] = own
  }
}
