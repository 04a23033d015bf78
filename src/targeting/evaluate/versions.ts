import type { Json } from '../../model/json/json.ts'
import { quoted } from '../describe/value-words.ts'
import { textOf } from './compared-values.ts'
import { type Match, undecided } from './match.ts'

export type VersionOperator =
  | `semver_${'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'}`
  | `semver_${'tilde' | 'caret' | 'wildcard'}`

export function isVersionOperator(operator: string): operator is VersionOperator {
  return operator.startsWith('semver_')
}

/** Who reads the versions: the service, or one of the SDKs. */
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

/** Whether the service reads a text as a version, or as a pattern of versions if wildcards are allowed. */
export function isVersion(text: string, isPattern: boolean): boolean {
  const [plain = ''] = text.split('+')
  return readVersion(plain) !== undefined || (isPattern && wildcard.test(plain.replace(/^v/, '').trim()))
}

/** `1.2.*`: nothing but stars may follow the first one. */
const wildcard = /^(?=(?:[^.]*\.){0,2}[^.]*$)(\d+\.)*[*xX](\.[*xX])*$/

interface Version {
  readonly core: Core
  /** The part after the hyphen, split at dots; empty in a release. */
  readonly suffix: readonly string[]
}

type Core = readonly [number, number, number]

function matchInService(operator: VersionOperator, value: string, known: string): Match {
  if (`${value}${known}`.includes('+')) return undecided('versions with a build are left to the service')
  const version = readVersion(known)
  if (!version) return false
  if (operator === 'semver_wildcard') return matchWildcard(value, version)
  const wanted = readVersion(value)
  if (!wanted) return false
  if (operator === 'semver_tilde' || operator === 'semver_caret')
    return isInRange(operator, wanted, version) && isAdmitted(wanted, version)
  return holds(operator, compareVersions(version, wanted))
}

/** The operators that compare an order with none. */
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

/** Without a suffix is later than with one; numbers come before words, and shorter before longer. */
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

/** `1.2.*`: the numbers before the first star; nothing but stars may follow it. */
function matchWildcard(value: string, version: Version): Match {
  const pattern = value.replace(/^v/, '').trim()
  if (!/[*xX]/.test(pattern) || /^[*xX]\./.test(pattern)) {
    const from = /^\d+\.\d+\.\d+/.test(pattern) ? readVersion(pattern) : undefined
    if (!from) return undecided(`the pattern of versions ${quoted(value)} is left to the service`)
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
  if (!version) return undecided('the property is no version')
  const range =
    operator === 'semver_wildcard' ? wildcardRange(value, reader) : rangeOf(operator, value, reader)
  if (!range) return undecided(`${quoted(value)} is no version`)
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

/** The three numbers of a version as SDKs read it; missing ones are 0. */
function readCore(text: string, reader: VersionReader): Core | undefined {
  const [core = ''] = text.trim().replace(/^[vV]/, '').split(/[-+]/)
  const parts = core.split('.').slice(0, 3)
  if (parts[0] === '' || !parts.every(part => part === '' || isPlainNumber(part, reader))) return undefined
  return coreOf(parts.map(Number))
}

function isPlainNumber(part: string, reader: VersionReader): boolean {
  return reader === 'java' ? /^\d+$/.test(part) : /^(0|[1-9]\d*)$/.test(part)
}
