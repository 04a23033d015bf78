import { BigNum, numberFrom } from '../../hcl/json.ts'

import {
  canonicalText,
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
  pickMembers,
} from './json.ts'

/** The parts of a value, and when two such values are the same. */
export interface Spelled {
  /** The form in which two are compared. */
  readonly canonical: (value: Json) => Json
  /** The members that have rules of their own; all others are plain JSON. */
  readonly members?: Readonly<Record<string, Spelled>>
  /** Members with one common meaning: all of them are taken from the model, or none. */
  readonly together?: readonly (readonly string[])[]
  /** The rule of every member, whatever its name. */
  readonly everyMember?: Spelled
  /** For a list: the rule of its elements, and their identities, the most reliable first. */
  readonly elements?: {
    readonly of: Spelled
    readonly pair: (list: readonly Json[], models: readonly Json[]) => ReadonlyMap<number, number>
  }
  /** The order of the list has no meaning, if its canonical form shows that. */
  readonly isSet?: true
  /** For a value that is written as text: how to respell its content. */
  readonly respell?: (value: Json, model: Json) => Json
}

/** Any JSON: the same if the values are equal. */
export const plainJson: Spelled = { canonical: value => value }

/**
 * A value in the spelling of `model`, wherever that does not change its canonical form: the order of members,
 * the spelling of numbers, and members without meaning. So only real differences remain between the two.
 * Numbers of the model may keep their written form.
 */
export function keepSpelling(value: Json, model: Json, spelled: Spelled = plainJson): Json {
  const isSame = (one: Json, other: Json) =>
    isSameJson(spelled.canonical(asRead(one)), spelled.canonical(asRead(other)))
  if (isSame(value, model)) return model
  const kept = keptInside(value, model, spelled, isSame)
  return isSame(kept, value) ? kept : value
}

function keptInside(
  value: Json,
  model: Json,
  spelled: Spelled,
  isSame: (one: Json, other: Json) => boolean,
): Json {
  const { elements, isSet, respell } = spelled
  if (respell) return respell(value, model)
  if (isJsonObject(value) && isJsonObject(model)) return keptMembers(value, model, spelled, isSame)
  if (!isJsonArray(value) || !isJsonArray(model)) return value
  if (isSet) return keptSet(value, model)
  const partners = elements ? elements.pair(value.map(asRead), model.map(asRead)) : undefined
  return value.map((element, at) => {
    const partner = model[partners ? (partners.get(at) ?? -1) : at]
    return partner === undefined ? element : keepSpelling(element, partner, elements?.of)
  })
}

function keptMembers(
  value: JsonObject,
  model: JsonObject,
  { members = {}, everyMember, together = [] }: Spelled,
  isSame: (one: Json, other: Json) => boolean,
): JsonObject {
  const units = [
    ...together,
    ...Object.keys(model)
      .filter(name => !together.some(names => names.includes(name)))
      .map(name => [name]),
  ]
  let kept = value
  for (const names of units) {
    const modelled = pickMembers(model, (_, name) => names.includes(name))
    const inside = mapOf(modelled, (member, name) =>
      Object.hasOwn(kept, name)
        ? keepSpelling(kept[name] as Json, member, Object.hasOwn(members, name) ? members[name] : everyMember)
        : member,
    )
    kept = [modelled, inside].map(each => ({ ...kept, ...each })).find(each => isSame(each, value)) ?? kept
  }
  // In the order of the model; additional members come last.
  const order = pickMembers(model, (_, name) => Object.hasOwn(kept, name))
  return { ...order, ...kept }
}

function mapOf(object: JsonObject, form: (member: Json, name: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, member]) => [name, form(member, name)]))
}

/** Elements in the order of the model; additional ones come last. */
function keptSet(list: readonly Json[], models: readonly Json[]): Json {
  const textOf = (element: Json) => canonicalText(asRead(element))
  const [there, modelled] = [new Set(list.map(textOf)), new Set(models.map(textOf))]
  return [
    ...models.filter(model => there.has(textOf(model))),
    ...list.filter(element => !modelled.has(textOf(element))),
  ]
}

/** The same with numbers as they are compared, in any spelling. */
function asRead(value: Json): Json {
  if (value instanceof BigNum) return numberFrom(value.text)
  if (isJsonArray(value)) return value.map(asRead)
  if (!isJsonObject(value)) return value
  return mapOf(value, asRead)
}
