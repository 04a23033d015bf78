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

/** What a value consists of, and when two such values are the same. */
export interface Spelled {
  /** The form in which two are compared, each by itself. */
  readonly canonical: (value: Json) => Json
  /** The members that have rules of their own; all others are plain JSON. */
  readonly members?: Readonly<Record<string, Spelled>>
  /** Members that say one thing together, so that they are taken from the model together or not at all. */
  readonly together?: readonly (readonly string[])[]
  /** What each member is, whatever it is called. */
  readonly everyMember?: Spelled
  /** Of a list: what its elements are, and what tells them apart, the surest first. */
  readonly elements?: {
    readonly of: Spelled
    readonly pair: (list: readonly Json[], models: readonly Json[]) => ReadonlyMap<number, number>
  }
  /** The order of the list means nothing, where its canonical form says so. */
  readonly isSet?: true
  /** For a value that is written as text: how to respell what it holds. */
  readonly respell?: (value: Json, model: Json) => Json
}

/** Any JSON: the same where it says the same. */
export const plainJson: Spelled = { canonical: value => value }

/**
 * A value in the spelling of `model`, wherever that leaves its canonical form as it is: the order of members, how a
 * number is written, and members that say nothing. So what differs between the two is what one means and the other
 * does not. Numbers of the model may be as somebody wrote them.
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
  // In the order of the model, and what it has not behind that.
  const order = pickMembers(model, (_, name) => Object.hasOwn(kept, name))
  return { ...order, ...kept }
}

function mapOf(object: JsonObject, form: (member: Json, name: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, member]) => [name, form(member, name)]))
}

/** Elements in the order of the model, and those behind it that the model has not. */
function keptSet(list: readonly Json[], models: readonly Json[]): Json {
  const textOf = (element: Json) => canonicalText(asRead(element))
  const [there, modelled] = [new Set(list.map(textOf)), new Set(models.map(textOf))]
  return [
    ...models.filter(model => there.has(textOf(model))),
    ...list.filter(element => !modelled.has(textOf(element))),
  ]
}

/** The same with numbers as they are compared, whoever wrote them how. */
function asRead(value: Json): Json {
  if (value instanceof BigNum) return numberFrom(value.text)
  if (isJsonArray(value)) return value.map(asRead)
  if (!isJsonObject(value)) return value
  return mapOf(value, asRead)
}
