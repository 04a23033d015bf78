import { oncePer } from '../../../model/runtime/once-per.ts'
import { comparedTexts, saysTruth } from '../../operators.ts'
import type { Asked } from './asked.ts'
import { byDate, readDates } from './date-ranges.ts'
import { areAllMet, areNoneLeft, areNoneMet } from './known-values.ts'
import { bySize, readSizes, type Sizes } from './number-ranges.ts'
import { excludeParts, impliesParts, readParts } from './part-texts.ts'
import { areApart, isInside } from './ranges.ts'
import { areVersionsWithin, byVersion, readVersions } from './version-ranges.ts'

/**
 * Whether everybody who meets `inner` meets `outer`, both about the same value. Never wrong when it says yes. Lists of
 * `exact` and `is_not` among themselves are compared elsewhere.
 *
 * | `inner`, `outer`                               | implied where                                              |
 * |------------------------------------------------|------------------------------------------------------------|
 * | `inner` leaves few values: `exact`,            | each of them meets `outer`                                 |
 * | `is_not_set`, a pattern of whole texts         |                                                            |
 * | `outer` leaves few values out: `is_set`,       | none of them meets `inner`                                 |
 * | `is_not`                                       |                                                            |
 * | sizes, dates, versions                         | the range of `inner` lies in that of `outer`; of sizes, in the order of |
 * |                                                | numbers, and also of texts where services compare these    |
 * | parts of texts, and patterns that are such     | each part of `inner` has one of `outer` in it, or the      |
 * |                                                | other way round where they are not wanted                  |
 */
export function isImplied(outer: Asked, inner: Asked): boolean {
  const [one, other] = [readingOf(inner), readingOf(outer)]
  if (one.sizes && other.sizes) return isOfSizes(one.sizes, other.sizes, isInside)
  if (one.dates && other.dates) return isInside(one.dates, other.dates, byDate)
  if (one.versions && other.versions) return areVersionsWithin(one.versions, other.versions)
  if (one.parts && other.parts && impliesParts(one.parts, other.parts)) return true
  if (inner.operator === 'exact' && outer.operator === 'is_not') return haveNoneInCommon(inner, outer)
  return areAllMet(outer, inner) || areNoneLeft(outer, inner)
}

/** Whether nobody meets both, which are about the same value. Never wrong when it says yes. */
export function isContradiction(left: Asked, right: Asked): boolean {
  const [one, other] = [readingOf(left), readingOf(right)]
  if (one.sizes && other.sizes) return isOfSizes(one.sizes, other.sizes, areApart)
  if (one.dates && other.dates) return areApart(one.dates, other.dates, byDate)
  if (one.versions && other.versions) return areApart(one.versions, other.versions, byVersion)
  if (one.parts && other.parts && excludeParts(one.parts, other.parts)) return true
  return areNoneMet(left, right) || areNoneMet(right, left) || excludes(left, right) || excludes(right, left)
}

/** What a property asks for, by each order that values can be in. */
const readingOf = oncePer((asked: Asked) => ({
  sizes: readSizes(asked),
  dates: readDates(asked),
  versions: readVersions(asked),
  parts: readParts(asked),
}))

/** Of texts beside numbers both have to be so: nobody knows which of the two a property is. */
function isOfSizes(one: Sizes, other: Sizes, relation: typeof isInside): boolean {
  if ((one.numbers === undefined) !== (other.numbers === undefined)) return false
  const ofNumbers = !one.numbers || !other.numbers || relation(one.numbers, other.numbers, bySize)
  return ofNumbers && (!one.texts || !other.texts || relation(one.texts, other.texts, bySize))
}

/** Lists of values, as a whole. */
function excludes(one: Asked, other: Asked): boolean {
  if (one.operator !== 'exact') return false
  if (other.operator === 'exact') return haveNoneInCommon(one, other)
  if (other.operator !== 'is_not' || sayTruth(one, other)) return false
  const excluded = new Set(comparedTexts(other.value))
  return comparedTexts(one.value).every(text => excluded.has(text))
}

function haveNoneInCommon(one: Asked, other: Asked): boolean {
  if (sayTruth(one, other)) return false
  const others = new Set(comparedTexts(other.value))
  return comparedTexts(one.value).every(text => !others.has(text))
}

function sayTruth(one: Asked, other: Asked): boolean {
  return one.rules.truth_values === 'truth' && (saysTruth(one.value) || saysTruth(other.value))
}
