import { isJsonArray, isJsonObject, type Json } from './json.ts'

/** The value at a JSON pointer (RFC 6901), or undefined if there is none. */
export function getAt(value: Json, pointer: string): Json | undefined {
  return segmentsOf(pointer).reduce<Json | undefined>((at, segment) => {
    if (isJsonArray(at)) return at[Number(segment)]
    return isJsonObject(at) && Object.hasOwn(at, segment) ? at[segment] : undefined
  }, value)
}

/**
 * A copy of `value` with another value at the pointer; undefined removes the value there. If the parent does
 * not exist, the copy equals `value`.
 */
export function setAt(value: Json, pointer: string, replacement: Json | undefined): Json {
  return setSegments(value, segmentsOf(pointer), replacement)
}

export function pointerOf(...segments: readonly (string | number)[]): string {
  let pointer = ''
  for (let at = 0; at < segments.length; at++) pointer += `/${escaped(String(segments[at]))}`
  return pointer
}

export function pointerInto(pointer: string, segment: string | number): string {
  return `${pointer}/${typeof segment === 'number' ? segment : escaped(segment)}`
}

function escaped(segment: string): string {
  return segment.includes('~') || segment.includes('/')
    ? segment.replaceAll('~', '~0').replaceAll('/', '~1')
    : segment
}

/** The segments of a pointer, unescaped. */
export function segmentsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map(segment => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function setSegments(value: Json, segments: readonly string[], replacement: Json | undefined): Json {
  const [segment, ...rest] = segments
  if (segment === undefined) return replacement ?? null
  if (isJsonArray(value)) return setElement(value, Number(segment), rest, replacement)
  if (!isJsonObject(value)) return value
  if (rest.length > 0) {
    const member = value[segment]
    return member === undefined ? value : { ...value, [segment]: setSegments(member, rest, replacement) }
  }
  const { [segment]: _replaced, ...others } = value
  return replacement === undefined ? others : { ...others, [segment]: replacement }
}

function setElement(
  elements: readonly Json[],
  index: number,
  rest: readonly string[],
  replacement: Json | undefined,
): Json {
  if (!Number.isInteger(index) || index < 0 || index > elements.length) return elements
  const element = elements[index]
  if (rest.length > 0) {
    return element === undefined ? elements : elements.with(index, setSegments(element, rest, replacement))
  }
  if (replacement === undefined) return elements.toSpliced(index, 1)
  return element === undefined ? [...elements, replacement] : elements.with(index, replacement)
}
