import { templatePieces } from '../../hcl/literal-template.ts'

/**
 * The marks of both engines for a value that is known only at plan time.
 *
 * | instead of      | mark                                                  |
 * |-----------------|-------------------------------------------------------|
 * | a text          | `${TfToken[...]}`, alone or in the middle of another  |
 * | a list          | a list of one text, `#{TfToken[...]}`                 |
 * | a map           | a map of one name, `&{TfToken[...]}`                  |
 * | a number        | an absurdly small one, between -1e298 and -1e289      |
 */

/** Whether a number is a mark, also one that was negated, multiplied, or has overflowed. */
export function isMarkedNumber(value: number): boolean {
  return Math.abs(value) > largestNumber
}

/** A number that counts as a mark. */
export const markedNumber = -1e290

/** The remains of such a number in a text that was built too early. */
export function markedNumberIn(text: string): string | undefined {
  return text.includes('e+') ? /-?\d(?:\.\d+)?e\+(?:2[89]\d|30\d)(?!\d)/.exec(text)?.[0] : undefined
}

export function hasMark(text: string): boolean {
  return anyMark.test(text)
}

/**
 * The remains of a mark whose text was changed: in another case, with other characters, percent-encoded, or
 * cut off at either end. Undefined if there are none; a whole mark counts too.
 */
export function brokenMarkIn(text: string): string | undefined {
  const found = changedMark.exec(text) ?? cutMark.exec(text)
  return (found ?? (text.includes('%') ? changedMark.exec(percentDecoded(text)) : null))?.[0]
}

/** A sign in a text of a synthesized stack that the engine lost a value, and what to write instead. */
export interface LostPart {
  readonly message: string
  readonly remedy: string
}

/** A sign of a lost value that no text has by intention. */
export function lostPartOf(text: string): LostPart | undefined {
  const number = markedNumberIn(text)
  if (number !== undefined) {
    return {
      message: `it contains ${number}, a placeholder for a number that is known later, which became text too early`,
      remedy: 'write Token.asString(number) in a text, or Token.asAny(list) in a function',
    }
  }
  if (brokenMarkIn(text) !== undefined) {
    return {
      message: 'it contains a mark ${TfToken[...]} that the engine should have replaced',
      remedy: 'use the value without changing its text, or build the text with Fn.format',
    }
  }
  const unresolved = unresolvedIn(text)
  return unresolved === undefined
    ? undefined
    : { message: `it contains ${unresolved}, which JSON.stringify writes for a reference`, remedy: asJson }
}

/** What the engines and our own references write into `JSON.stringify`. */
export function unresolvedIn(text: string): string | undefined {
  return /<unresolved-\w+>/.exec(text)?.[0]
}

export const asJson = 'write Fn.jsonencode(...)'

/**
 * A list such as `["a", ]` in a function or, from cdktn, `["a", null]`: the engines write this for a list with
 * an undefined element, without all that comes after it.
 */
export function lostElementsOf(text: string): LostPart | undefined {
  const expressions = templatePieces(text).filter((_, index) => index % 2 === 1)
  const isLost = expressions.some(expression =>
    /\[, |, (?:null)?\]/.test(expression.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')),
  )
  if (!isLost) return undefined
  return {
    message:
      'a list in a function ends in null or nothing, which CDKTF and CDK Terrain write for an undefined element and all after it',
    remedy: 'remove undefined elements before the call',
  }
}

/** The engine's form of a value that is known later; undefined for other values. */
export function markedForm(value: unknown): MarkedForm | undefined {
  if (typeof value === 'string') return wholeText.test(value) ? 'text' : undefined
  if (typeof value === 'number') return topBits(value) === numberBits ? 'number' : undefined
  if (typeof value !== 'object' || value === null) return undefined
  if ('resolve' in value && typeof value.resolve === 'function') return 'any'
  const [only, ...others] = Array.isArray(value) ? (value as readonly unknown[]) : Object.keys(value)
  if (others.length > 0) return undefined
  if (!Array.isArray(value)) return typeof only === 'string' && wholeMap.test(only) ? 'map' : undefined
  const isMark = typeof only === 'number' ? topBits(only) === listBits : isListMark(only)
  return isMark ? 'list' : undefined
}

/** The type of a mark: any, or a text, a number, a list or a map. */
export type MarkedForm = 'any' | 'text' | 'number' | 'list' | 'map'

/** Whether a value is the only element of an engine's mark for a list. */
function isListMark(value: unknown): boolean {
  return typeof value === 'string' && wholeList.test(value)
}

/** The pieces of a text in order: marks at odd indexes, written text at even ones. */
export function splitMarks(text: string): readonly string[] {
  return text.split(textMark)
}

export function replaceMarks(text: string, by: string): string {
  return text.split(anyMark).join(by)
}

/** The largest number that anybody intends. */
const largestNumber = 1e280
/** The first two bytes of a mark for a number, and of a mark for a list of numbers. */
const numberBits = 0xfdff
const listBits = 0xfbff
const mark = String.raw`\{TfToken\[[\w:.-]+\]\}`
const wholeText = new RegExp(`^\\$${mark}$`)
const wholeList = new RegExp(`^#${mark}$`)
const wholeMap = new RegExp(`^&${mark}$`)
const anyMark = new RegExp(`[$#&]${mark}`)
const textMark = new RegExp(`(\\$${mark})`)
const changedMark = /tftoken[\W_].{0,12}/i
/** The end of a text that was cut inside a mark, and the remains of a mark without its beginning. */
const cutMark = /[$#&]\{Tf(?:T(?:o(?:k(?:en?)?)?)?)?$|\bTOKEN\.\d+\]\}/

function topBits(value: number): number {
  const bytes = new DataView(new ArrayBuffer(8))
  bytes.setFloat64(0, value)
  return bytes.getUint16(0)
}

function percentDecoded(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** The property for a field, or for an attribute of the typed form, named as the engines' generator does. */
export function propertyOf(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The id of a grant of our constructs inside its flag; Vexil reads the role's name from it. */
export function grantName(role: string): string {
  return `${lead}${role}`
}

/** The role's name in the path of a grant's construct; undefined if another construct created the grant. */
export function roleInPath(path: string): string | undefined {
  const last = path.slice(path.lastIndexOf('/') + 1)
  return last.startsWith(lead) ? last.slice(lead.length) : undefined
}

const lead = 'Grant '
