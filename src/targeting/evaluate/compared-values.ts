import { BigNum, doubleOf } from '../../hcl/json.ts'
import { canonicalText, isJsonArray, isJsonNumber, isJsonObject, type Json } from '../../model/text/json.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import { quoted } from '../value-words.ts'

/** A property of the subject, and the value of a condition to compare it with. */
export interface Compared {
  readonly key: string
  readonly known: Json
  readonly value: Json
  /** Milliseconds since 1970. */
  readonly now: number
  readonly rules: EvaluationRules
  /** The offset of the project's time zone from UTC; undefined if unknown. */
  readonly zoneOffsetMinutes: number | undefined
}

/**
 * Whether a condition matches, or why only the service can decide: it has more facts about the person, or the
 * operator, pattern or date cannot be evaluated here.
 */
export type Match = boolean | Undecided

export interface Undecided {
  readonly undecided: string
}

export function undecided(why: string): Undecided {
  return { undecided: why }
}

export function isUndecided(match: Match | object): match is Undecided {
  return typeof match === 'object' && 'undecided' in match
}

export function opposite(match: Match): Match {
  return isUndecided(match) ? match : !match
}

/** The first entry that fails or is undecided decides; the others do not matter. */
export function inTurn<Entry>(entries: readonly Entry[], match: (entry: Entry) => Match): Match {
  for (const entry of entries) {
    const one = match(entry)
    if (one !== true) return one
  }
  return true
}

/** The first entry that fails decides, even if others are undecided; otherwise the first undecided one. */
export function allOf<Entry>(entries: readonly Entry[], match: (entry: Entry) => Match): Match {
  let all: Match = true
  for (const entry of entries) {
    const one = match(entry)
    if (one === false) return false
    if (all === true) all = one
  }
  return all
}

/** A value in the form for comparison and search: a text unchanged, everything else as JSON. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : canonicalText(value)
}

/** The texts that `exact` and `is_not` compare: one for each value, in lower case. */
export function comparedTexts(value: Json | undefined): string[] {
  return (isJsonArray(value) ? value : [value ?? null]).map(comparedText)
}

/** The text of a value in lower case; a list as its JSON. */
export function comparedText(value: Json): string {
  return textOf(value).toLowerCase()
}

/** Whether a property is one of the values. */
export function isEqual(value: Json, known: Json, rules: EvaluationRules): Match {
  const { truth_values, letter_case } = rules
  const values = isJsonArray(value) ? value : [value]
  if (rules.values === 'go') return values.some(each => isSameInGo(each, known))
  if (values.length === 0 ? truth_values !== 'text' : truth_values.startsWith('truth') && isTruthText(value))
    return isTrue(value) === isTrue(known)
  const asks = rules.whole_numbers === 'asked'
  if (asks && isJsonNumber(known) && isTruthText(value)) return false
  if (asks && hasWholeNumber(known)) return undecided('only the service compares whole numbers')
  const textFor = (each: Json) =>
    letter_case === 'no_marks' ? searchedText(textOf(each), rules) : comparedText(each)
  const text = textFor(known)
  const found = values.findIndex(each => textFor(each) === text)
  const isAsked = asks && values.slice(0, found < 0 ? values.length : found + 1).some(hasWholeNumber)
  return isAsked ? undecided('only the service compares whole numbers') : found >= 0
}

/** Go compares types too: programs usually pass whole numbers as `int`, but filters contain `float64`. */
function isSameInGo(value: Json, known: Json): boolean {
  if (!isJsonNumber(known)) return value === known && (typeof known !== 'object' || known === null)
  const isFloat = !Number.isInteger(doubleOf(known)) || String(known).includes('.')
  return isFloat && isJsonNumber(value) && doubleOf(value) === doubleOf(known)
}

function hasWholeNumber(value: Json): boolean {
  if (isJsonNumber(value)) return Number.isInteger(doubleOf(value))
  if (isJsonArray(value)) return value.some(hasWholeNumber)
  return isJsonObject(value) && Object.values(value).some(each => each !== undefined && hasWholeNumber(each))
}

/** Whether a text contains a part. For operators that accept lists, any part of the list may match. */
export function hasPart(
  where: 'includes' | 'startsWith' | 'endsWith',
  value: Json,
  known: Json,
  rules: EvaluationRules,
): boolean {
  return searchedText(known, rules)[where](searchedText(value, rules))
}

/** The searched text and the text to search in, with letters normalized. */
export function searchedText(
  value: Json,
  { letter_case, values }: Pick<EvaluationRules, 'letter_case' | 'values'>,
): string {
  const text = textBy(value, { values })
  switch (letter_case) {
    case 'ascii':
      return text.replace(/[A-Z]/g, letter => letter.toLowerCase())
    case 'no_marks':
      return text
        .normalize('NFD')
        .replace(/\p{M}+/gu, '')
        .toUpperCase()
        .toLowerCase()
    default:
      return text.toLowerCase()
  }
}

/** A value as text, in the format of the engine; most write JSON. */
export function textBy(value: Json, { values }: Pick<EvaluationRules, 'values'>): string {
  if (values === 'javascript') return isJsonNumber(value) ? textOf(value) : String(value)
  return values === 'go' && value === null ? '<nil>' : textOf(value)
}

/** Whether a value is true, false, their text, or a list of only those. Includes the empty list. */
export function isTruthText(value: Json): boolean {
  if (isJsonArray(value)) return value.every(isTruthText)
  return typeof value === 'boolean' || (typeof value === 'string' && /^(true|false)$/i.test(value))
}

export function isTrue(value: Json): boolean {
  if (isJsonArray(value)) return value.every(isTrue)
  return value === true || (typeof value === 'string' && value.toLowerCase() === 'true')
}

type Holds = (left: number | string, right: number | string) => boolean

/**
 * Whether a property is more, or less, than a value.
 *
 * | `number_comparison` | numbers are compared                           | everything else                               |
 * |---------------------|------------------------------------------------|-----------------------------------------------|
 * | `numbers`           | both read as one                               | never                                         |
 * | `finite`            | the same, except infinity                      | never; undecided if the value is no number    |
 * | `read`              | both read as one                               | as texts                                      |
 * | `mixed`             | the value reads as one, the property is one    | texts and numbers as texts; the rest never    |
 * | `loose`             | the same, and true is 1, false 0               | texts and numbers as texts; the rest never    |
 * | `lenient`           | as `mixed`                                       | as texts                                      |
 * | `parsed`            | both begin like one: `18 years` is 18          | as texts                                      |
 * | `typed`             | both are one                                   | undecided                                     |
 */
export function order({ key, known, value, rules }: Compared, holds: Holds): Match {
  const byText = () => holds(textBy(known, rules), textBy(value, rules))
  switch (rules.number_comparison) {
    case 'numbers':
    case 'read': {
      const [left, right] = [numberOf(known), numberOf(value)]
      if (left !== undefined && right !== undefined) return holds(left, right)
      return rules.number_comparison === 'read' && byText()
    }
    case 'finite': {
      const [left, right] = [known, value].map(side => finiteOf(numberOf(side)))
      if (right === undefined) return undecided('the value of the condition is not a number')
      return left !== undefined && holds(left, right)
    }
    case 'parsed': {
      const [left, right] = [known, value].map(side =>
        finiteOf(doubleOf(side) ?? Number.parseFloat(textOf(side))),
      )
      return left !== undefined && right !== undefined ? holds(left, right) : byText()
    }
    case 'typed': {
      const [left, right] = [doubleOf(known), doubleOf(value)]
      return left !== undefined && right !== undefined
        ? holds(left, right)
        : undecided('only the service compares values that are not JSON numbers')
    }
    case 'lenient':
      return isOrdered(known) && isOrdered(value) ? mixedOrder(key, known, value, holds) : byText()
    case 'loose':
      return mixedOrder(key, typeof known === 'boolean' ? Number(known) : known, value, holds)
    case 'mixed':
      return mixedOrder(key, known, value, holds)
    default:
      return rules.number_comparison satisfies never
  }
}

function finiteOf(number: number | undefined): number | undefined {
  return Number.isFinite(number) ? number : undefined
}

/** Between two numbers, both included. Bounds that are not numbers, or in the wrong order, match nobody. */
export function isBetween(known: Json | undefined, value: Json, isWanted: boolean): Match {
  const bounds = isJsonArray(value) && value.length === 2 ? value.map(numberOf) : []
  const [low, high] = bounds
  if (low === undefined || high === undefined || !(low <= high)) return false
  if (known === undefined) return !isWanted
  const number = numberOf(known)
  if (number === undefined || Number.isNaN(number))
    return isWanted
      ? false
      : undecided('services differ: a value that is not a number may count as outside the range')
  return (number >= low && number <= high) === isWanted
}

/** A number, or a text that Rust parses as one: without blanks, but also `inf` and `nan`. */
export function numberOf(value: Json): number | undefined {
  if (typeof value !== 'string') return doubleOf(value)
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value)) return Number(value)
  const [, sign, word] = /^([+-]?)(inf|infinity|nan)$/i.exec(value) ?? []
  if (word === undefined) return undefined
  return /nan/i.test(word) ? Number.NaN : Number(`${sign}Infinity`)
}

/** A property that is text is compared as text even if it looks like a number, as in the SDKs. */
function mixedOrder(key: string, known: Json, value: Json, holds: Holds): Match {
  if (!isOrdered(known) || !isOrdered(value)) return false
  const number = looseNumberOf(value)
  const own = doubleOf(known)
  if (number === undefined || own === undefined) return holds(textOf(known), textOf(value))
  // Services read the value as a double. Some read the property with all its digits.
  if (known instanceof BigNum && own === number)
    return undecided(`the property ${quoted(key)} is a number with too many digits to compare`)
  return holds(own, number)
}

function isOrdered(value: Json): boolean {
  return typeof value === 'string' || isJsonNumber(value)
}

/** A number, or a text that looks like one. */
export function looseNumberOf(value: Json): number | undefined {
  if (isJsonNumber(value)) return doubleOf(value)
  if (typeof value !== 'string' || !/^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$/.test(value))
    return undefined
  return Number(value)
}

export type VersionOperator =
  | `semver_${'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'}`
  | `semver_${'tilde' | 'caret' | 'wildcard'}`

export function isVersionOperator(operator: string): operator is VersionOperator {
  return operator.startsWith('semver_')
}

/** The reader of versions: the service, or one of the SDKs. */
export type VersionReader = 'known' | 'node' | 'python' | 'rust' | 'java'

/**
 * Compares versions.
 *
 * | reader           | `1.02`, `1.2`       | `1.2.3-beta`                 | `1.2.3+5`       | what is no version     |
 * |------------------|---------------------|------------------------------|-----------------|------------------------|
 * | the service      | 1.2.0               | before 1.2.3                 | undecided       | matches nobody         |
 * | SDKs             | no version; 1.2.0   | 1.2.3                        | 1.2.3           | undecided: they ask    |
 *
 * In ranges the service accepts a version with a suffix only if the range names that very version with one,
 * like Cargo. A wildcard without a star is a caret there, and a patch in `python` and `java`. `node` looks at
 * its first two numbers; `rust` does not accept it. `java` accepts leading zeros.
 */
export function matchVersion(
  operator: VersionOperator,
  value: Json,
  known: Json,
  reader: VersionReader,
): Match {
  return reader === 'known'
    ? matchInService(operator, textOf(value), textOf(known))
    : matchInSdk(operator, textOf(value), textOf(known), reader)
}

/** Whether the service accepts a text as a version, or as a version pattern if `isPattern`. */
export function isVersion(text: string, isPattern: boolean): boolean {
  const [plain = ''] = text.split('+')
  return readVersion(plain) !== undefined || (isPattern && wildcard.test(plain.replace(/^v/, '').trim()))
}

/** `1.2.*`: only stars may follow the first star. */
const wildcard = /^(?=(?:[^.]*\.){0,2}[^.]*$)(\d+\.)*[*xX](\.[*xX])*$/

interface Version {
  readonly core: Core
  /** The part after the hyphen, split at dots; empty for a release. */
  readonly suffix: readonly string[]
}

type Core = readonly [number, number, number]

function matchInService(operator: VersionOperator, value: string, known: string): Match {
  if (`${value}${known}`.includes('+')) return undecided('only the service compares versions with a build')
  const version = readVersion(known)
  if (!version) return false
  if (operator === 'semver_wildcard') return matchWildcard(value, version)
  const wanted = readVersion(value)
  if (!wanted) return false
  if (operator === 'semver_tilde' || operator === 'semver_caret')
    return isInRange(operator, wanted, version) && isAdmitted(wanted, version)
  return holds(operator, compareVersions(version, wanted))
}

const orders: Readonly<Record<string, (order: number) => boolean>> = {
  semver_eq: order => order === 0,
  semver_neq: order => order !== 0,
  semver_gt: order => order > 0,
  semver_gte: order => order >= 0,
  semver_lt: order => order < 0,
  semver_lte: order => order <= 0,
}

function holds(operator: VersionOperator, order: number): boolean {
  return orders[operator]?.(order) ?? false
}

/** A version as the service reads it: `v` in front, fewer than three numbers, leading zeros allowed. */
function readVersion(text: string): Version | undefined {
  const [, core = '', suffix] = /^v?\s*(\d+(?:\.\d+){0,2})(?:-([0-9A-Za-z.-]+))?\s*$/.exec(text) ?? []
  if (core === '') return undefined
  const parts = suffix?.split('.') ?? []
  if (parts.some(part => part === '' || /^0\d+$/.test(part))) return undefined
  return { core: coreOf(core.split('.').map(Number)), suffix: parts }
}

function coreOf([major = 0, minor = 0, patch = 0]: readonly number[]): Core {
  return [major, minor, patch]
}

function compareVersions(left: Version, right: Version): number {
  return compareCores(left.core, right.core) || compareSuffixes(left.suffix, right.suffix)
}

function compareCores(left: Core, right: Core): number {
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2]
}

/** No suffix is the latest, numbers come before words, and shorter before longer. */
function compareSuffixes(left: readonly string[], right: readonly string[]): number {
  if (left.length === 0 || right.length === 0) return right.length - left.length
  for (const [index, one] of left.entries()) {
    const other = right[index]
    if (other === undefined) return 1
    if (one === other) continue
    const [isNumber, isOther] = [one, other].map(part => /^\d+$/.test(part))
    if (isNumber && isOther) return Number(one) - Number(other)
    if (isNumber !== isOther) return isNumber ? -1 : 1
    return one < other ? -1 : 1
  }
  return left.length - right.length
}

function isInRange(operator: 'semver_tilde' | 'semver_caret', from: Version, version: Version): boolean {
  return compareVersions(version, from) >= 0 && compareCores(version.core, endOf(operator, from.core)) < 0
}

function endOf(operator: 'semver_tilde' | 'semver_caret', [major, minor, patch]: Core): Core {
  if (operator === 'semver_tilde') return [major, minor + 1, 0]
  if (major > 0) return [major + 1, 0, 0]
  return minor > 0 ? [0, minor + 1, 0] : [0, 0, patch + 1]
}

function isAdmitted(from: Version, version: Version): boolean {
  return (
    version.suffix.length === 0 || (from.suffix.length > 0 && compareCores(from.core, version.core) === 0)
  )
}

/** Matches `1.2.*`: the numbers before the first star; only stars may follow it. */
function matchWildcard(value: string, version: Version): Match {
  const pattern = value.replace(/^v/, '').trim()
  if (!/[*xX]/.test(pattern) || /^[*xX]\./.test(pattern)) {
    const from = /^\d+\.\d+\.\d+/.test(pattern) ? readVersion(pattern) : undefined
    if (!from) return undecided(`only the service evaluates the version pattern ${quoted(value)}`)
    return isInRange('semver_caret', from, version) && isAdmitted(from, version)
  }
  if (!wildcard.test(pattern)) return false
  return (
    version.suffix.length === 0 && numbersOf(pattern).every((number, index) => number === version.core[index])
  )
}

function numbersOf(pattern: string): readonly number[] {
  return pattern
    .split('.')
    .filter(part => /^\d+$/.test(part))
    .map(Number)
}

function matchInSdk(
  operator: VersionOperator,
  value: string,
  known: string,
  reader: Exclude<VersionReader, 'known'>,
): Match {
  const version = readCore(known, reader)
  if (!version) return undecided('the property is not a version')
  const range =
    operator === 'semver_wildcard' ? wildcardRange(value, reader) : rangeOf(operator, value, reader)
  if (!range) return undecided(`${quoted(value)} is not a version`)
  const [from, end] = range
  const order = compareCores(version, from)
  return end ? order >= 0 && compareCores(version, end) < 0 : holds(operator, order)
}

function rangeOf(
  operator: VersionOperator,
  value: string,
  reader: VersionReader,
): readonly [Core, Core?] | undefined {
  const from = readCore(value, reader)
  if (!from) return undefined
  return operator === 'semver_tilde' || operator === 'semver_caret' ? [from, endOf(operator, from)] : [from]
}

function wildcardRange(
  value: string,
  reader: Exclude<VersionReader, 'known'>,
): readonly [Core, Core] | undefined {
  const text = value.trim().replace(/^[vV]/, '')
  if (reader === 'rust' && !/^\d+(\.\d+)?\.\*$/.test(text)) return undefined
  const cleaned =
    reader === 'node'
      ? text.replace(/\.\*$/, '').replace(/\*$/, '')
      : text
          .replaceAll('*', '')
          .replace(/\.+$/, '')
          .replace(/\.{2,}/g, '.')
          .replace(/^\./, '')
  const parts = cleaned.split('.').slice(0, reader === 'node' ? 2 : 3)
  if (!parts.every(part => isPlainNumber(part, reader))) return undefined
  const from = coreOf(parts.map(Number))
  const end = from.map((number, index) => (index === parts.length - 1 ? number + 1 : number))
  return [from, coreOf(end)]
}

/** The three numbers of a version as SDKs parse it; missing numbers are 0. */
function readCore(text: string, reader: VersionReader): Core | undefined {
  const [core = ''] = text.trim().replace(/^[vV]/, '').split(/[-+]/)
  const parts = core.split('.').slice(0, 3)
  if (parts[0] === '' || !parts.every(part => part === '' || isPlainNumber(part, reader))) return undefined
  return coreOf(parts.map(Number))
}

function isPlainNumber(part: string, reader: VersionReader): boolean {
  return reader === 'java' ? /^\d+$/.test(part) : /^(0|[1-9]\d*)$/.test(part)
}
