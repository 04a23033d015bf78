import type { Json } from '../../../model/json/json.ts'
import { textOf } from '../../evaluate/operators/texts.ts'
import {
  type Core,
  compareVersions,
  endOf,
  readVersion,
  starredNumbers,
  type Version,
} from '../../evaluate/operators/versions.ts'
import type { Asked } from './asked.ts'
import { isInside, type Range, type Relation, rangeBy, type Scale } from './ranges.ts'

/** The versions that a condition selects: where it names none with a suffix, releases alone. */
export interface Versions extends Range<Version> {
  readonly areReleases: boolean
}

/** Whether the one are all among the other ones. */
export function areVersionsWithin(inner: Versions, outer: Versions): boolean {
  return (inner.areReleases || !outer.areReleases) && isInside(inner, outer, byVersion)
}

export const byVersion: Scale<Version> = {
  isLess: (left, right) => compareVersions(left, right) < 0,
  isAtMost: (left, right) => compareVersions(left, right) <= 0,
}

/**
 * As the service reads versions; undefined of other operators, and of versions that it or an SDK reads differently.
 *
 * | written          | selects                           |
 * |------------------|-----------------------------------|
 * | `semver_tilde`   | releases from it to the next minor  |
 * | `semver_caret`   | releases from it to the next that may break |
 * | `semver_wildcard`| releases that begin like it       |
 */
export function readVersions({ operator, value, rules }: Asked): Versions | undefined {
  if (!operator.startsWith('semver_') || rules.later_operators !== 'known') return undefined
  if (operator === 'semver_wildcard') return readStarred(value)
  const at = textOf(value).includes('+') ? undefined : readVersion(textOf(value))
  if (!at) return undefined
  const isRelease = at.suffix.length === 0
  switch (operator) {
    case 'semver_eq':
      return { ...rangeBy('eq', at), areReleases: isRelease }
    case 'semver_neq':
      return { ...rangeBy('eq', at), isOutside: true, areReleases: false }
    case 'semver_tilde':
    case 'semver_caret':
      return isRelease ? releases(at.core, endOf(operator, at.core)) : undefined
    default:
      return { ...rangeBy(operator.slice('semver_'.length) as Relation, at), areReleases: false }
  }
}

function readStarred(value: Json): Versions | undefined {
  const numbers = starredNumbers(textOf(value))
  if (!numbers) return undefined
  const [major = 0, minor = 0, patch = 0] = numbers
  switch (numbers.length) {
    case 0:
      return { areReleases: true }
    case 1:
      return releases([major, 0, 0], [major + 1, 0, 0])
    default:
      return releases(
        [major, minor, patch],
        numbers.length === 2 ? [major, minor + 1, 0] : [major, minor, patch + 1],
      )
  }
}

function releases(from: Core, end: Core): Versions {
  const edge = (core: Core, isIncluded: boolean) => ({ at: { core, suffix: [] }, isIncluded })
  return { low: edge(from, true), high: edge(end, false), areReleases: true }
}
