import { sortedUnique } from '../../model/json/canonical.ts'
import {
  canonicalText,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../model/json/json.ts'
import { keepSpelling, type Spelled } from '../../model/json/keep-spelling.ts'
import { partnersOf } from '../compare/align.ts'
import { respelledPayload } from '../compare/keep-filters.ts'
import { keyOf } from '../compare/spelling.ts'
import { canonicalFilters } from '../filters.ts'
import { encodeFilters } from './codec.ts'
import { partOf, rowsOf, type TypedAttribute, type TypedPartName, typedForm } from './typed-form.ts'

/**
 * The typed form in the spelling of another one, wherever parts of both mean the same: `type` and `operator` said or
 * left out, one value or a list of one, a payload's own order. So what a reader is shown between the two is what was
 * changed.
 */
export function keepTyped(typed: JsonObject, model: JsonObject): JsonObject {
  const kept = keepSpelling(typed, model, spelled('filters'))
  return isJsonObject(kept) ? kept : typed
}

/** The typed form with a share of everybody in place of its conditions, where they are no more and the other one says it so. */
export function withShort(typed: JsonObject, model: JsonObject): JsonObject {
  const { release = null, rollout_percentage: was = null } = model
  if (release !== null || was === null || !isJsonArray(typed.release)) return typed
  const [condition = { rollout_percentage: 0 }] = typed.release
  const percent = isJsonObject(condition) ? (condition.rollout_percentage ?? 100) : null
  const short = { ...typed, release: null, rollout_percentage: percent }
  return isSameTyped('filters', short, typed) ? short : typed
}

/** Two attributes of a part that say the same in two ways, where what is given has both; the longer one first. */
export function saidTwice(
  part: TypedPartName,
  isGiven: (name: string) => boolean,
): readonly [string, string] | undefined {
  for (const [name, { shortFor }] of rowsOf(part))
    if (shortFor !== undefined && isGiven(shortFor) && isGiven(name)) return [shortFor, name]
  return undefined
}

/** Whether two parts of the typed form amount to the same, each by itself. */
export function isSameTyped(part: TypedPartName, one: JsonObject, other: JsonObject): boolean {
  return canonicalText(canonicalPart(part, one)) === canonicalText(canonicalPart(part, other))
}

function spelled(part: TypedPartName): Spelled {
  return {
    canonical: typed => (isJsonObject(typed) ? canonicalPart(part, typed) : typed),
    members: Object.fromEntries(
      rowsOf(part).map(([name, attribute]) => [name, spelledAttribute(part, name, attribute)]),
    ),
    together: inOnePlace(part),
  }
}

function spelledAttribute(part: TypedPartName, name: string, attribute: TypedAttribute): Spelled {
  const alone = (value: Json) => canonicalPart(part, { [name]: value })
  const of = partOf(attribute)
  if (of) return { canonical: alone, elements: { of: spelled(of), pair: pairedBy(of) } }
  switch (attribute.is) {
    // Whether their order means anything is for the part to say.
    case 'texts':
      return { canonical: sortedUnique, isSet: true }
    case 'json':
      return { canonical: value => canonicalFilters({ payloads: { value } }), respell: respelledPayload }
    case 'truth':
      return { canonical: alone }
    default:
      return { canonical: value => value }
  }
}

function pairedBy(part: TypedPartName) {
  const keys = [(each: Json) => canonicalText(isJsonObject(each) ? canonicalPart(part, each) : each)]
  const isNamed = rowsOf(part).some(([name]) => name === 'key')
  return (list: readonly Json[], models: readonly Json[]) =>
    partnersOf(list, models, isNamed ? [...keys, keyOf] : keys)
}

/** Attributes that stand in one place on the wire, of which one at most says anything. */
function inOnePlace(part: TypedPartName): readonly (readonly string[])[] {
  const places = new Set(rowsOf(part).map(([, { at }]) => at.join('/')))
  const unitAt = (place: string) =>
    rowsOf(part).flatMap(([name, { at }]) => (at.join('/') === place ? [name] : []))
  return [...places].map(unitAt).filter(names => names.length > 1)
}

function canonicalPart(part: TypedPartName, typed: JsonObject): Json {
  const outer = outerOf(part)
  return outer ? canonicalPart(outer.part, { [outer.name]: [typed] }) : canonicalFilters(encodeFilters(typed))
}

/** The attribute that has a list of such parts. */
function outerOf(part: TypedPartName): { readonly part: TypedPartName; readonly name: string } | undefined {
  for (const outer of Object.keys(typedForm) as TypedPartName[]) {
    const [name] = rowsOf(outer).find(([, attribute]) => partOf(attribute) === part) ?? []
    if (name !== undefined) return { part: outer, name }
  }
  return undefined
}
