import { parse, stringify } from 'lossless-json'
import {
  BigNum,
  deepest,
  isDeeperThan,
  isTextTooDeep,
  mayHoldBigNumber,
  numberAsWritten,
  numberFrom,
  tooDeep,
} from '../../hcl/json.ts'
import { oncePer } from '../runtime.ts'
import {
  canonicalText,
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
  pickMembers,
} from './json.ts'
import { messageOf } from './message-of.ts'

/** The JSON has too many nested levels. Later code that visits values relies on this limit. */
export class DeepJsonError extends SyntaxError {
  override readonly name = 'DeepJsonError'

  constructor() {
    super(tooDeep)
  }
}

/**
 * Parses JSON without rounding. A number that does not fit a double becomes a `BigNum`, because a rounded id
 * would be another person's id. If a member is repeated, the last one counts, as with `JSON.parse`. Throws a
 * SyntaxError on invalid JSON, and its subclass `DeepJsonError` on too many nested levels.
 */
export function readJson(text: string): Json {
  // The exact parser is slower, and few texts have such a number.
  if (!mayHoldBigNumber.test(text)) return readPlainNumbers(text)
  if (isTextTooDeep(text)) throw new DeepJsonError()
  // With this number reader the library creates only JSON.
  return parse(text, null, {
    parseNumber: number => readNumber(number),
    onDuplicateKey: ({ newValue }) => newValue,
  }) as Json
}

/** The platform's parser has no depth limit, so the depth is checked afterwards, also for invalid JSON. */
function readPlainNumbers(text: string): Json {
  try {
    const value = JSON.parse(text) as Json
    if (!isDeeperThan(value, deepest)) return value
  } catch (error) {
    if (!isTextTooDeep(text)) throw error
  }
  throw new DeepJsonError()
}

/** Like `readJson`, but undefined for invalid JSON or too many nested levels. */
export function readJsonIfAny(text: string): Json | undefined {
  try {
    return readJson(text)
  } catch {
    return undefined
  }
}

/** Reads JSON for display: every number keeps its text, even `1.10` and `-0`. */
export function readJsonAsWritten(text: string): Json {
  if (isTextTooDeep(text)) throw new DeepJsonError()
  const parseNumber = (number: string) => readNumber(number, numberAsWritten)
  return parse(text, null, { parseNumber, onDuplicateKey: ({ newValue }) => newValue }) as Json
}

/** JSON text in which every number has all its digits. */
export function writeJson(value: unknown, indent?: number): string {
  if (!holdsBigNumber(value)) return JSON.stringify(value, null, indent)
  // Only a value that is not JSON has no text.
  return stringify(value, null, indent, bigNumbers) ?? 'null'
}

/** JSON text, stored for a value that is written several times. Nobody may change the value. */
export const writeJsonOnce = oncePer((value: object): string => writeJson(value))

const bigNumbers = [{ test: (value: unknown) => value instanceof BigNum, stringify: String }]

function readNumber(text: string, read = numberFrom): number | BigNum {
  try {
    return read(text)
  } catch (error) {
    throw new SyntaxError(messageOf(error), {
      cause: error,
    })
  }
}

function holdsBigNumber(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (isJsonArray(value)) return value.some(holdsBigNumber)
  return value instanceof BigNum || (isJsonObject(value) && Object.values(value).some(holdsBigNumber))
}

/** The parts of a value, and when two such values are equal. */
export interface Spelled {
  /** The form for comparisons. */
  readonly canonical: (value: Json) => Json
  /** The members with rules of their own. All others are plain JSON. */
  readonly members?: Readonly<Record<string, Spelled>>
  /** Members with a common meaning. Either all of them are taken from the model, or none. */
  readonly together?: readonly (readonly string[])[]
  /** The rule for every member, whatever its name. */
  readonly everyMember?: Spelled
  /** For a list: the rule of its elements, and their identities, most reliable first. */
  readonly elements?: {
    readonly of: Spelled
    readonly pair: (list: readonly Json[], models: readonly Json[]) => ReadonlyMap<number, number>
  }
  /** The order of the list has no meaning if the canonical form ignores it. */
  readonly isSet?: true
  /** For a value that is written as text: gives its content the model's spelling. */
  readonly respell?: (value: Json, model: Json) => Json
}

/** Any JSON. Two values are equal if their JSON is equal. */
export const plainJson: Spelled = { canonical: value => value }

/**
 * Gives a value the spelling of `model` where that does not change its canonical form: the order of members,
 * the spelling of numbers, and members without meaning. So only real differences remain. Numbers of the model
 * may keep their written form.
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
  // In the order of the model. Additional members come last.
  const order = pickMembers(model, (_, name) => Object.hasOwn(kept, name))
  return { ...order, ...kept }
}

function mapOf(object: JsonObject, form: (member: Json, name: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, member]) => [name, form(member, name)]))
}

/** Elements in the order of the model. Additional elements come last. */
function keptSet(list: readonly Json[], models: readonly Json[]): Json {
  const textOf = (element: Json) => canonicalText(asRead(element))
  const [there, modelled] = [new Set(list.map(textOf)), new Set(models.map(textOf))]
  return [
    ...models.filter(model => there.has(textOf(model))),
    ...list.filter(element => !modelled.has(textOf(element))),
  ]
}

/** A value in which numbers are comparable, whatever their spelling. */
function asRead(value: Json): Json {
  if (value instanceof BigNum) return numberFrom(value.text)
  if (isJsonArray(value)) return value.map(asRead)
  if (!isJsonObject(value)) return value
  return mapOf(value, asRead)
}
