import { sortedUnique } from '../../model/canonical.ts'
import { byFileField, fieldOfFile, fileOfField, memberOfTag, membersElsewhere } from '../../model/field.ts'
import { type DeclarableKind, isTargeting } from '../../model/kind.ts'
import {
  formMembers,
  isEmptyJson,
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
  pickMembers,
} from '../../model/text/json.ts'
import { conflict, type Merged, mergeFilters, type Three } from '../../targeting/compare/merge-filters.ts'
import type { Desired } from '../desired.ts'
import {
  declaredFields,
  fieldDigests,
  type Ignoring,
  ignoredIn,
  shortDigest,
  undeclaredMembers,
  withoutIgnored,
} from '../diff.ts'
import { canonicalField, type Live } from '../live.ts'
import type { BaseField, ThreeDigests } from './verdict.ts'

/**
 * The form used to compare base, declared and live: the canonical one, with these exceptions.
 *
 * | in a field                             | is                                                |
 * |----------------------------------------|---------------------------------------------------|
 * | the ownership tag                      | removed from all three: it only marks the owner   |
 * | default tags                           | added to the declared value, if tags are declared |
 * | an ignored path                        | removed from all three                            |
 * | an undeclared member that others write | removed from live                                 |
 *
 * A field with a value from the environment has no stored digest, and so no base.
 * The identity of an object is not a field here.
 */
export function declaredFieldDigests(
  kind: DeclarableKind,
  desired: Desired,
  ownershipTag?: string,
): Record<string, string> {
  const { fields, fromEnvironment } = desired
  return fieldDigests(
    formMembers(declaredFields(kind, desired, undefined), (value, name) =>
      name in fields && !fromEnvironment?.includes(name)
        ? formOf(kind, desired, name, value, ownershipTag)
        : undefined,
    ),
  )
}

/** The same for source files, each as a field. Null means that a file is declared absent. */
export function declaredFileDigests({ files, fromEnvironment = [] }: Desired): Record<string, string> {
  const declared = byFileField(files)
  return fieldDigests(pickMembers(declared, (_, field) => !fromEnvironment.includes(field)))
}

export interface ComparedObject {
  readonly kind: DeclarableKind
  readonly desired: Desired
  readonly live: Live
  readonly ownershipTag?: string
  /** For fields that are no longer declared: the values in which the ignored places are found. */
  readonly placesIn?: JsonObject
}

/** The digests of one declared field. A live value that a later run may have written counts as the base. */
export function threeOf(compared: ComparedObject, field: string, base: BaseField | undefined): ThreeDigests {
  const { kind, desired, live, ownershipTag } = compared
  const file = fileOfField(field)
  if (file !== undefined) return threeOfFile(compared, file, base)
  const { placesIn: fields = desired.fields } = compared
  const ignoring = { ignore: desired.ignore, fields }
  const digest = (value: Json) => shortDigest(formOf(kind, ignoring, field, value, ownershipTag))
  const declared = digest(declaredFields(kind, desired, undefined)[field] ?? null)
  const value = live.record[field] ?? null
  const own = digest(withoutUndeclared(kind, desired, field, live))
  const isKept = !desired.fromEnvironment?.includes(field)
  const known = base && isKept ? inFormOf(base, ignoredIn(desired, field), digest) : undefined
  // The base may include members that are no longer declared.
  const isWholeKnown = known !== undefined && known.digest === digest(value)
  const now = isWholeKnown ? known.digest : own
  return { base: known?.maybe?.includes(now) ? now : known?.digest, declared, live: now }
}

/** A source file is compared unchanged, byte by byte. */
function threeOfFile(
  { desired, live }: ComparedObject,
  name: string,
  base: BaseField | undefined,
): ThreeDigests {
  const now = shortDigest(live.files?.[name] ?? null)
  const known = desired.fromEnvironment?.includes(fieldOfFile(name)) ? undefined : base
  return {
    base: known?.maybe?.includes(now) ? now : known?.digest,
    declared: shortDigest(desired.files?.[name] ?? null),
    live: now,
  }
}

/** A live value without the members that others write and that are not declared. */
function withoutUndeclared(kind: DeclarableKind, { fields }: Desired, name: string, live: Live): Json {
  const [declared, value = null] = [fields[name], live.record[name]]
  const elsewhere = undeclaredMembers(kind, name, fields, live)
  if (elsewhere.length === 0 || !isJsonObject(value) || !isJsonObject(declared)) return value
  return pickMembers(value, (_, member) => member in declared || !elsewhere.includes(member))
}

/** A base with today's ignored places; undefined if they differ and its value is not available. */
function inFormOf(
  base: BaseField,
  ignored: readonly string[],
  digest: (value: Json) => string,
): BaseField | undefined {
  const { ignore = [], value } = base
  if (ignored.length + ignore.length === 0) return base
  if (value === undefined) return JSON.stringify(ignore) === JSON.stringify(ignored) ? base : undefined
  const now = digest(value)
  return now === base.digest ? base : { digest: now }
}

function formOf(
  kind: DeclarableKind,
  desired: Ignoring,
  name: string,
  value: Json,
  ownershipTag: string | undefined,
): Json {
  const canonical = canonicalField(
    kind,
    name,
    desired.ignore ? withoutIgnored(kind, desired, name, value) : value,
  )
  if (name !== kind.lifecycle.ownedBy || ownershipTag === undefined || !isJsonArray(canonical))
    return canonical
  // Tags are kept trimmed and in lower case.
  const tag = ownershipTag.trim().toLowerCase()
  return canonical.filter(each => each !== tag)
}

/** The values of a field that was changed on both sides; the base is undefined if its commit is missing. */
export interface ThreeValues extends Pick<Three<Json>, 'declared' | 'live'> {
  readonly base: Json | undefined
}

/**
 * Merges a field that was changed in the repository and in the product. In case of doubt, it is a conflict.
 *
 * | field              | is merged                          |
 * |--------------------|------------------------------------|
 * | release conditions | by `mergeFilters`                  |
 * | tags               | element by element, by `mergeTags` |
 * | any other          | never                              |
 *
 * Other sets are not merged: the result may be empty, which may mean everything. Undeclared members that
 * other parts of the product write keep their live values.
 */
export function mergeField(
  kind: DeclarableKind,
  field: string,
  { base, declared, live }: ThreeValues,
  ownershipTag?: string,
): Merged<Json> {
  const isTags = field === kind.lifecycle.ownedBy
  if (!isTags && !isTargeting(kind, field))
    return conflict(`${field} was changed in the repository and in the product`)
  if (base === undefined)
    return conflict(
      `${field} was changed in the repository and in the product, and its earlier value is not available`,
    )
  if (isTags) {
    const [was, ours, theirs] = [base, declared, live].map(value => tagsIn(kind, field, value))
    if (!was || !ours || !theirs) return conflict(`the ${field} of one side cannot be read`)
    return { is: 'merged', value: mergeTags({ base: was, declared: ours, live: theirs }, ownershipTag) }
  }
  const elsewhere = [base, declared, live].flatMap(value => membersElsewhere(kind.fields[field], value))
  const withElsewhere = (value: Json) => withLiveMembers(elsewhere, value, { declared, live })
  return mergeFilters({ base: withElsewhere(base), declared: withElsewhere(declared), live })
}

/**
 * Merges tags in canonical form: the declared tags, plus those added in the product, minus those removed
 * there. This never conflicts. Tags that Vexil adds take no part: the ownership tag, and declared tags with
 * one value for each prefix (`owner:payments`).
 */
export function mergeTags({ base, declared, live }: Three<readonly string[]>, ownershipTag?: string): Json {
  const own = ownershipTag?.trim().toLowerCase()
  const named = new Set(declared.map(tag => memberOfTag(tag)?.member))
  const takesPart = (tag: string) => {
    const member = memberOfTag(tag)?.member
    return tag !== own && (member === undefined || !named.has(member))
  }
  const added = live.filter(tag => takesPart(tag) && !base.includes(tag))
  const removed = base.filter(tag => takesPart(tag) && !live.includes(tag))
  return sortedUnique([...declared.filter(tag => !removed.includes(tag)), ...added])
}

function tagsIn(kind: DeclarableKind, field: string, value: Json): readonly string[] | undefined {
  const tags = canonicalField(kind, field, value)
  if (isEmptyJson(tags)) return []
  if (!isJsonArray(tags)) return undefined
  const texts = tags.filter(tag => typeof tag === 'string')
  return texts.length === tags.length ? texts : undefined
}

function withLiveMembers(
  names: readonly string[],
  value: Json,
  { declared, live }: Pick<ThreeValues, 'declared' | 'live'>,
): Json {
  if (!isJsonObject(value) || !isJsonObject(declared) || !isJsonObject(live)) return value
  const own = names.filter(
    name => isEmptyJson(declared[name]) || isSameJson(declared[name] ?? null, live[name] ?? null),
  )
  const theirs = pickMembers(live, (_, name) => own.includes(name))
  return { ...pickMembers(value, (_, name) => !own.includes(name)), ...theirs }
}
