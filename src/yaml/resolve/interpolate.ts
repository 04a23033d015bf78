import type { Problem } from '../../model/problem.ts'
import { isJsonArray, isJsonObject, type Json } from '../../model/text/json.ts'
import { pointerOf } from '../../model/text/pointer.ts'
import { quote } from '../check/problem-order.ts'
import type { ParsedYaml } from '../read/parse-yaml.ts'

export type Variables = Readonly<Record<string, string | undefined>>

export interface Interpolated {
  readonly value: Json
  readonly failures: readonly InterpolationFailure[]
  /** Values from the environment, and the placeholder of each in messages. */
  readonly secrets: ReadonlyMap<string, string>
}

export interface InterpolationFailure {
  readonly pointer: string
  readonly code: 'unset-variable' | 'bad-reference' | 'key-variable'
  readonly message: string
  readonly hint: string
}

/**
 * Replaces `${env:NAME}` in texts by values of environment variables; `$${` means `${`. Anything else in
 * braces stays, so that templates in payloads need no escaping. Keys are never changed. The value of a
 * variable in `keyNames` is a key of the service. This value is refused under every name, because a plan
 * would show it.
 */
export function interpolate(
  value: Json,
  variables: Variables,
  keyNames: readonly string[] = [],
): Interpolated {
  const failures: InterpolationFailure[] = []
  const secrets = new Map<string, string>()
  const filled = mapTexts(value, (text, path) => {
    if (!text.includes('${')) return text
    return text.replace(reference, (whole, written: string | undefined) => {
      if (whole === '$${') return '${'
      const name = written?.trim() ?? ''
      const set = written === undefined ? undefined : variables[name]
      if (set && isKey(name, variables, keyNames)) {
        failures.push({ pointer: pointerOf(...path), ...keyFailure(name) })
        return whole
      }
      if (set === undefined) {
        failures.push(failureAt(pointerOf(...path), whole, name))
        return whole
      }
      if (set !== '') secrets.set(set, `\${env:${name}}`)
      return set
    })
  })
  return { value: filled, failures, secrets }
}

type Path = readonly (string | number)[]

/** The value with mapped texts; the same object if no text changes. */
function mapTexts(value: Json, map: (text: string, path: Path) => string, path: Path = []): Json {
  if (typeof value === 'string') return map(value, path)
  if (!isJsonArray(value) && !isJsonObject(value)) return value
  const entries = Object.entries<Json>(value)
  const mapped = entries.map(([name, member]) => [name, mapTexts(member, map, [...path, name])] as const)
  if (mapped.every(([, member], index) => member === entries[index]?.[1])) return value
  return isJsonArray(value) ? mapped.map(([, member]) => member) : Object.fromEntries(mapped)
}

/** The problem for a failure, in the file that contains the text. */
export function failureProblem(
  { pointer, code, message, hint }: InterpolationFailure,
  { locate }: Pick<ParsedYaml, 'locate'>,
): Problem {
  return { code, severity: 'error', message, hint, source: locate(pointer) }
}

/** Replaces values of environment variables in a message by their placeholders. */
export function redact(message: string, secrets: ReadonlyMap<string, string>): string {
  const longestFirst = [...secrets].sort(([left], [right]) => right.length - left.length)
  return longestFirst.reduce((text, [secret, name]) => text.replaceAll(secret, () => name), message)
}

/** Escapes a text so that it contains no references. */
export function escapeReferences(text: string): string {
  // In a plain replacement text, a dollar sign would have a special meaning.
  return text.replaceAll('${', () => '$${')
}

/** Escapes the texts of a value so that they contain no references. */
export function escapeReferencesIn(value: Json): Json {
  return mapTexts(value, escapeReferences)
}

/** The references in a value, each as often as it occurs. */
export function referencesIn(value: Json): string[] {
  if (typeof value === 'string') return (value.match(reference) ?? []).filter(found => found !== '$${')
  return isJsonArray(value) || isJsonObject(value) ? Object.values(value).flatMap(referencesIn) : []
}

const reference = /\$\$\{|\$\{env:([^}]*)\}?/g
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/

function isKey(name: string, variables: Variables, keyNames: readonly string[]): boolean {
  return keyNames.some(keyName => keyName === name || variables[keyName]?.trim() === variables[name]?.trim())
}

function keyFailure(name: string): Omit<InterpolationFailure, 'pointer'> {
  return {
    code: 'key-variable',
    message: `the environment variable ${name} contains the key of the service`,
    hint: 'a declaration must not contain the key; remove it, or use another variable',
  }
}

function failureAt(pointer: string, whole: string, name: string): InterpolationFailure {
  if (variableName.test(name) && whole.endsWith('}')) {
    return {
      pointer,
      code: 'unset-variable',
      message: `the environment variable ${name} is not set`,
      hint: `set ${name}, or write "$\${env:${name}}" for literal text`,
    }
  }
  return {
    pointer,
    code: 'bad-reference',
    message: `${quote(whole)} does not name an environment variable`,
    hint: `write "$\{env:NAME}", or "$$\{" for a literal "$\{"`,
  }
}
