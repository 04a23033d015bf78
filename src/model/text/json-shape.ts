/**
 * The shape of foreign documents, for the parts that Vexil reads. A reader that treats a member with another
 * shape as missing would lose data without an error.
 */

/** Describes the problem of a JSON value at a place; undefined if there is none. */
export type Shape = (json: unknown, at: string) => string | undefined

export const text: Shape = (json, at) => (typeof json === 'string' ? undefined : isNot('a text', json, at))
export const anything: Shape = () => undefined

/** May be absent or null, because Go omits empty values. */
export const maybe =
  (shape: Shape): Shape =>
  (json, at) =>
    json === undefined || json === null ? undefined : shape(json, at)

/** May be absent, but not null. */
export const ifThere =
  (shape: Shape): Shape =>
  (json, at) =>
    json === undefined ? undefined : shape(json, at)

export const list =
  (of: Shape): Shape =>
  (json, at) =>
    Array.isArray(json)
      ? first(json.map((each, index) => of(each, `${at}[${index}]`)))
      : isNot('a list', json, at)

export const map =
  (of: Shape): Shape =>
  (json, at) =>
    isMembers(json)
      ? first(Object.entries(json).map(([name, each]) => of(each, `${at}.${name}`)))
      : isNot('an object', json, at)

export const members =
  (shapes: Readonly<Record<string, Shape>>): Shape =>
  (json, at) =>
    isMembers(json)
      ? first(
          Object.entries(shapes).map(([name, shape]) =>
            shape(json[name], at === '' ? name : `${at}.${name}`),
          ),
        )
      : isNot('an object', json, at)

/** One of several texts. */
export const oneOf =
  (...texts: readonly string[]): Shape =>
  (json, at) =>
    typeof json !== 'string' || texts.includes(json)
      ? text(json, at)
      : `${at} is ${JSON.stringify(json)} and not ${texts.map(each => JSON.stringify(each)).join(' or ')}`

function isNot(expected: string, json: unknown, at: string): string {
  if (json === undefined) return `${at} is missing`
  return `${at === '' ? 'it' : at} is ${nounOf(json)} and not ${expected}`
}

/** The type of a JSON value as a noun: `a list`, `an object`. */
export function nounOf(json: unknown): string {
  if (json === null) return 'null'
  if (Array.isArray(json)) return 'a list'
  if (typeof json === 'string') return 'a text'
  if (typeof json === 'boolean') return 'true or false'
  return isMembers(json) ? 'an object' : 'a number'
}

/** A number with all its digits is an instance of a class. */
function isMembers(json: unknown): json is Readonly<Record<string, unknown>> {
  if (typeof json !== 'object' || json === null) return false
  const prototype: unknown = Object.getPrototypeOf(json)
  return prototype === Object.prototype || prototype === null
}

function first(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find(problem => problem !== undefined)
}

/** Whether a text is a UUID of any version, in upper or lower case. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}
