import { membersElsewhere } from '../../model/field.ts'
import {
  canonicalText,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  pickMembers,
} from '../../model/json/json.ts'
import { type DeclarableKind, targetingField } from '../../model/kind.ts'
import { canonicalFilters } from '../../targeting/index.ts'
import { expandFilters } from '../../targeting/short/expand-short.ts'
import { inLists, rewriteShort } from '../../targeting/short/shared-short.ts'
import type { ShortContext } from '../../targeting/short/short-context.ts'
import { type ShortForm, shortMembers } from '../../targeting/short/short-form.ts'
import { shortOf } from '../../targeting/short/write-short.ts'
import { shortIn } from '../declaration.ts'
import { escapeReferencesIn, interpolate, type Variables } from '../resolve/interpolate.ts'
import { namingIn } from '../resolve/names.ts'
import type { Environment } from '../settings.ts'
import { tidyFilters } from '../write/declaration-of.ts'

/** The meaning of texts and names of a file in its environment. */
export interface Reading {
  readonly environment: Environment
  /** Names of audiences, cohorts and group types. */
  readonly context: ShortContext
  readonly variables: Variables
}

/**
 * The members that declare who gets a flag, changed to other filters: the best spelling first.
 *
 * | the declaration has | and the filters | result                                                     |
 * |---------------------|-----------------|------------------------------------------------------------|
 * | `filters`           |                 | as `filters`                                               |
 * | the short form      | have one        | the short form, with its names; or lists, to set the order |
 * | the short form      | have none       | `filters`, in place of it                                  |
 */
export function pulledFilters(
  kind: DeclarableKind,
  written: JsonObject,
  live: Json,
  reading: Reading,
): readonly JsonObject[] {
  const field = targetingField(kind) ?? ''
  const others = pickMembers(written, (_, name) => name !== field && !shortMembers.includes(name))
  const declared = written[field]
  const elsewhere = membersElsewhere(kind.fields[field], live)
  const names = isJsonObject(declared) ? Object.keys(declared) : []
  const filters = tidyFilters(
    live,
    elsewhere.filter(name => !names.includes(name)),
  )
  const short = shortIn(kind, written)
  if (!short) {
    const means: Means = each => isSame(interpolate(each, reading.variables).value, filters)
    return [{ ...others, [field]: keepWritten(escapeReferencesIn(filters), declared, means) }]
  }
  const rewritten = pulledShort(short, filters, reading)
  return rewritten
    ? [rewritten, inLists(rewritten)].map(each => ({ ...others, ...each }))
    : [{ ...others, [field]: escapeReferencesIn(filters) }]
}

function pulledShort(written: ShortForm, filters: Json, reading: Reading): ShortForm | undefined {
  const { context, variables, environment } = reading
  const read = (short: Json) => {
    const { value, failures } = interpolate(short, variables)
    const meant = isJsonObject(value) ? expandFilters(value, context) : undefined
    return meant && !meant.isBroken && failures.length === 0 ? meant.filters : undefined
  }
  const means: Means = each => {
    const meant = read(each)
    return meant !== undefined && isSame(meant, filters)
  }
  const naming = namingIn(environment)
  const plain = rewriteShort(filters, { written, before: read(written) ?? null, naming })
  if (!plain) return undefined
  const wanted = escapeReferencesIn(plain)
  if (!isJsonObject(wanted) || !means(wanted)) return undefined
  const kept = keepWritten(withAudiences(wanted, written, filters, { context, means }), written, means)
  return isJsonObject(kept) ? kept : wanted
}

interface Naming {
  readonly context: ShortContext
  readonly means: Means
}

/** Conditions with the audiences that they are written with, if they still begin with the audiences' properties. */
function withAudiences(
  wanted: ShortForm,
  written: ShortForm,
  filters: Json,
  { context, means }: Naming,
): Json {
  const { release = null } = wanted
  const { release: before = null } = written
  if (!isJsonObject(release) || !isJsonObject(before)) return wanted
  const conditions = isJsonObject(filters) && isJsonArray(filters.groups) ? filters.groups : []
  let kept: ShortForm = wanted
  for (const [index, [name, condition]] of Object.entries(release).entries()) {
    const was = before[name]
    if (!isJsonObject(condition) || !isJsonObject(was) || typeof was.audience !== 'string') continue
    const { properties: _, ...rest } = condition
    const count = context.audience(was.audience)?.properties.length ?? 0
    const own = ownProperties(conditions[index] ?? null, count)
    const spellings = [was.properties, own].map(
      (properties): JsonObject => ({
        audience: was.audience ?? null,
        ...(properties === undefined ? {} : { properties }),
        ...rest,
      }),
    )
    const around = kept
    const put = (each: JsonObject) => ({
      ...around,
      release: { ...release, ...objectIn(around.release), [name]: each },
    })
    const fitting = spellings.map(put).find(means)
    kept = fitting ?? kept
  }
  return kept
}

function objectIn(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** The further properties of a condition, after the first ones. */
function ownProperties(condition: Json, first: number): Json | undefined {
  if (!isJsonObject(condition) || condition.properties === undefined || !isJsonArray(condition.properties))
    return undefined
  const properties = condition.properties.slice(first)
  if (properties.length === 0) return undefined
  const short = shortOf({ groups: [{ ...condition, properties }] }, { names: ['own'] })
  const release = objectIn(short?.release)
  return objectIn(release.own).properties
}

function isSame(left: Json, right: Json): boolean {
  return canonicalText(canonicalFilters(left)) === canonicalText(canonicalFilters(right))
}

/** Whether a written value has the wanted meaning. */
type Means = (written: Json) => boolean

/**
 * A written value, changed to mean something else. It keeps as much of its spelling as possible, including
 * names and references. `wanted` has the new meaning; parts that are not kept come from it. Members stay in
 * the order of the file if that is allowed.
 */
export function keepWritten(wanted: Json, written: Json | undefined, means: Means): Json {
  if (written === undefined) return wanted
  if (means(written)) return written
  if (isJsonObject(wanted) && isJsonObject(written)) return keepMembers(wanted, written, means)
  if (isJsonArray(wanted) && isJsonArray(written)) return keepElements(wanted, written, means)
  return wanted
}

function keepMembers(wanted: JsonObject, written: JsonObject, means: Means): JsonObject {
  const both = Object.keys(written).filter(name => Object.hasOwn(wanted, name))
  const first = Object.fromEntries(both.map(name => [name, wanted[name] ?? null]))
  const isInOrder =
    Object.keys(wanted)
      .filter(name => both.includes(name))
      .join('\n') === both.join('\n')
  const inOrder = isInOrder ? wanted : { ...first, ...wanted }
  let kept = means(inOrder) ? inOrder : wanted
  for (const name of both) {
    const around = kept
    const member = keepWritten(kept[name] ?? null, written[name], each => means({ ...around, [name]: each }))
    kept = { ...kept, [name]: member }
  }
  // Members without effect, such as an operator that is the default.
  for (const [name, member] of Object.entries(written)) {
    const more = { ...kept, [name]: member }
    if (!Object.hasOwn(kept, name) && means(more)) kept = more
  }
  return kept
}

function keepElements(wanted: readonly Json[], written: readonly Json[], means: Means): Json {
  let kept = wanted
  for (const index of wanted.keys()) {
    const put = (element: Json) => kept.map((other, at) => (at === index ? element : other))
    const own = written[index]
    const others = kept.length * written.length > mostCompared ? [] : written.filter(each => each !== own)
    const same = [...(own === undefined ? [] : [own]), ...others].find(each => means(put(each)))
    const element = same ?? keepWritten(kept[index] ?? null, own, each => means(put(each)))
    kept = put(element)
  }
  return kept
}

/** Up to this number of pairs, elements are compared at any places; longer lists place by place. */
const mostCompared = 400
