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

/** JSON with too many levels of nesting; code that walks through values later relies on this limit. */
export class DeepJsonError extends SyntaxError {
  override readonly name = 'DeepJsonError'

  constructor() {
    super(tooDeep)
  }
}

/**
 * Parses JSON without rounding: a number that does not fit a double is a `BigNum`, since a rounded id would
 * be sent back as another person's. If a member is there twice, the last one counts, as with `JSON.parse`.
 * Throws a SyntaxError on invalid JSON, and a `DeepJsonError`, which is one, on text with too much nesting.
 */
export function readJson(text: string): Json {
  // The exact parser is slower, and hardly any text has such a number.
  if (!mayHoldBigNumber.test(text)) return readPlainNumbers(text)
  if (isTextTooDeep(text)) throw new DeepJsonError()
  // With this reader of numbers the library creates only JSON.
  return parse(text, null, {
    parseNumber: number => readNumber(number),
    onDuplicateKey: ({ newValue }) => newValue,
  }) as Json
}

/** The platform's parser has no depth limit, so depth is checked afterwards, for invalid JSON too. */
function readPlainNumbers(text: string): Json {
  try {
    const value = JSON.parse(text) as Json
    if (!isDeeperThan(value, deepest)) return value
  } catch (error) {
    if (!isTextTooDeep(text)) throw error
  }
  throw new DeepJsonError()
}

/** The same; undefined for invalid JSON, or too much nesting. */
export function readJsonIfAny(text: string): Json | undefined {
  try {
    return readJson(text)
  } catch {
    return undefined
  }
}

/** The same for display only: every number as written in the text, `1.10` and `-0` too. */
export function readJsonAsWritten(text: string): Json {
  if (isTextTooDeep(text)) throw new DeepJsonError()
  const parseNumber = (number: string) => readNumber(number, numberAsWritten)
  return parse(text, null, { parseNumber, onDuplicateKey: ({ newValue }) => newValue }) as Json
}

/** JSON text in which every number has all its digits. */
export function writeJson(value: unknown, indent?: number): string {
  if (!holdsBigNumber(value)) return JSON.stringify(value, null, indent)
  // Only a value without JSON has no text, and a kept number has one.
  return stringify(value, null, indent, bigNumbers) ?? 'null'
}

/** The same for a value that is written several times: nobody may change it. */
export const writeJsonOnce = oncePer((value: object): string => writeJson(value))

const bigNumbers = [{ test: (value: unknown) => value instanceof BigNum, stringify: String }]

function readNumber(text: string, read = numberFrom): number | BigNum {
  try {
    return read(text)
  } catch (error) {
    throw new SyntaxError(error instanceof Error ? error.message : 'a number cannot be read', {
      cause: error,
    })
  }
}

function holdsBigNumber(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (isJsonArray(value)) return value.some(holdsBigNumber)
  return value instanceof BigNum || (isJsonObject(value) && Object.values(value).some(holdsBigNumber))
}

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
