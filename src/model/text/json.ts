import {
  BigNum,
  canonicalDecimal,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonArray,
  type JsonObject,
} from '../../hcl/json.ts'

export { isJsonArray, isJsonObject, type Json, type JsonArray, type JsonObject }

/** A number in either of its forms. */
export function isJsonNumber(value: unknown): value is number | BigNum {
  return typeof value === 'number' || value instanceof BigNum
}

/**
 * The canonical text of a value: members sorted by code unit, no white space. Two values are equal exactly if
 * their canonical texts are. Fingerprints hash this text, so its form never changes within a plan format.
 */
export function canonicalText(value: Json): string {
  // The platform writes a whole value faster than this code can join its parts.
  const sorted = inOrder(value)
  return sorted === undefined ? writtenOut(value) : JSON.stringify(sorted)
}

/** With sorted members everywhere. Undefined if the platform would write a part differently. */
function inOrder(value: Json): Json | undefined {
  if (typeof value === 'number') return isLarge(value) ? undefined : value
  if (typeof value !== 'object' || value === null) return value
  if (isJsonArray(value)) {
    const elements: Json[] = []
    for (const each of value) {
      const element = inOrder(each)
      if (element === undefined) return undefined
      elements.push(element)
    }
    return elements
  }
  if (!isJsonObject(value)) return undefined
  const members: Record<string, Json> = {}
  for (const name of Object.keys(value).sort()) {
    if (isMisplaced(name)) return undefined
    const member = inOrder(value[name] as Json)
    if (member === undefined) return undefined
    members[name] = member
  }
  return members
}

/** Whether an object moves a member: integer names come first, and `__proto__` is not a member. */
function isMisplaced(name: string): boolean {
  const code = name.charCodeAt(0)
  return (code >= 0x30 && code <= 0x39) || name === '__proto__'
}

/** The canonical text, joined from its parts. It works for any value. */
function writtenOut(value: Json): string {
  if (isJsonArray(value)) return `[${value.map(writtenOut).join(',')}]`
  if (value instanceof BigNum) return value.text
  // A program may pass a large number that is not a BigNum. Its text equals that of the BigNum.
  if (isLarge(value)) return canonicalDecimal(String(value))
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .map(name => `${JSON.stringify(name)}:${writtenOut(value[name] as Json)}`)
  return `{${members.join(',')}}`
}

function isLarge(value: Json): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value)
}

/** Compares JSON values. The order of members does not matter, but the order of elements does. */
export function isSameJson(left: Json, right: Json): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (isJsonArray(left)) return isJsonArray(right) && areSameElements(left, right)
  if (left instanceof BigNum) return right instanceof BigNum && left.text === right.text
  return isJsonObject(right) && isJsonObject(left) && areSameMembers(left, right)
}

// Every declared value is compared with every live value, mostly by code that is not optimized yet. A loop
// over an index allocates nothing, but `every` and `for of` allocate an object for each element.
function areSameElements(left: JsonArray, right: JsonArray): boolean {
  if (left.length !== right.length) return false
  for (let index = 0; index < left.length; index++) {
    if (!isSameJson(left[index] as Json, right[index] as Json)) return false
  }
  return true
}

function areSameMembers(left: JsonObject, right: JsonObject): boolean {
  let surplus = 0
  for (const _name in right) surplus++
  for (const name in left) {
    if (!Object.hasOwn(right, name) || !isSameJson(left[name] as Json, right[name] as Json)) return false
    surplus--
  }
  return surplus === 0
}

/** Whether a value is null, `{}` or `[]`. The service and people use all three for "nothing here". */
export function isEmptyJson(value: Json | undefined): boolean {
  if (value === null || value === undefined) return true
  if (isJsonArray(value)) return value.length === 0
  return isJsonObject(value) && Object.keys(value).length === 0
}

/** The members of `value` that `keep` accepts, in their order. */
export function pickMembers(value: JsonObject, keep: (member: Json, name: string) => boolean): JsonObject {
  const kept: Record<string, Json> = {}
  for (const name of Object.keys(value)) {
    const member = value[name] as Json
    if (keep(member, name)) setMember(kept, name, member)
  }
  return kept
}

/** The members of `value` converted by `form`, in their order, without those that become undefined. */
export function formMembers(
  value: JsonObject,
  form: (member: Json, name: string) => Json | undefined,
): JsonObject {
  const formed: Record<string, Json> = {}
  for (const name of Object.keys(value)) {
    const member = form(value[name] as Json, name)
    if (member !== undefined) setMember(formed, name, member)
  }
  return formed
}

function setMember(members: Record<string, Json>, name: string, member: Json): void {
  // An assignment would change the prototype.
  if (name === '__proto__') Object.defineProperty(members, name, { ...writable, value: member })
  else members[name] = member
}

const writable = { configurable: true, enumerable: true, writable: true }
