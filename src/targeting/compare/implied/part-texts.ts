import { isJsonArray } from '../../../model/json/json.ts'
import type { EvaluationRules } from '../../../services/engines.ts'
import { searchedText } from '../../operators.ts'
import type { Asked } from './asked.ts'
import { type Character, readPlainPattern } from './plain-pattern.ts'

/** Texts of which a property has to have any, or none. */
export interface PartTexts {
  readonly parts: readonly Part[]
  /** Which letters are the same in either case: those that `icontains` takes so, or none. */
  readonly foldsCase: boolean
  readonly isWanted: boolean
}

interface Part {
  readonly text: readonly Character[]
  readonly atStart: boolean
  /** Whether the text has to end there. With `before_break`, a line break may follow, as after Python's `$`. */
  readonly atEnd: false | 'before_break' | true
}

/** Undefined of other operators, and of patterns that say more than such texts. */
export function readParts({ operator, value, rules }: Asked): PartTexts | undefined {
  const isWanted = !operator.startsWith('not_')
  switch (operator.replace(/^not_/, '')) {
    case 'regex':
      return typeof value === 'string' ? readPattern(value, isWanted, rules) : undefined
    case 'icontains':
      return searched([searchedText(value, rules)], isWanted, {})
    case 'icontains_multi':
      return searched(
        (isJsonArray(value) ? value : [value]).map(part => searchedText(part, rules)),
        isWanted,
        {},
      )
    case 'starts_with':
      return searched([searchedText(value, rules)], isWanted, { atStart: true })
    case 'ends_with':
      return searched([searchedText(value, rules)], isWanted, { atEnd: true })
    default:
      return undefined
  }
}

function searched(
  texts: readonly string[],
  isWanted: boolean,
  edges: { readonly atStart?: true; readonly atEnd?: true },
): PartTexts {
  const parts = texts.map(text => ({ text: [...text], atStart: false, atEnd: false as const, ...edges }))
  return { parts, foldsCase: true, isWanted }
}

function readPattern(
  pattern: string,
  isWanted: boolean,
  { pattern_dialect }: EvaluationRules,
): PartTexts | undefined {
  const end = pattern_dialect === 'python' ? ('before_break' as const) : true
  const parts = readPlainPattern(pattern)?.map((part): Part => ({ ...part, atEnd: part.atEnd && end }))
  return parts && { parts, foldsCase: false, isWanted }
}

/** Whether who has what `inner` asks for has what `outer` does. */
export function impliesParts(inner: PartTexts, outer: PartTexts): boolean {
  if (inner.isWanted !== outer.isWanted) return false
  return inner.isWanted ? isNarrower(inner, outer) : isNarrower(outer, inner)
}

/** Whether nobody has what both ask for. */
export function excludeParts(one: PartTexts, other: PartTexts): boolean {
  if (one.isWanted === other.isWanted) return false
  return one.isWanted ? isNarrower(one, other) : isNarrower(other, one)
}

/** Whether each text with a part of `inner` has one of `outer`. */
function isNarrower(inner: PartTexts, outer: PartTexts): boolean {
  if (inner.foldsCase && !outer.foldsCase) return false
  // A plain pattern is ASCII, of which lower case is the same wherever a letter stands.
  const parts = outer.foldsCase && !inner.foldsCase ? inner.parts.map(inLowerCase) : inner.parts
  return parts.every(part => outer.parts.some(other => hasPart(part, other)))
}

function hasPart(part: Part, { text, atStart, atEnd }: Part): boolean {
  if (text.length === 0 && !(atStart && atEnd)) return true
  if ((atStart && !part.atStart) || (atEnd && !part.atEnd)) return false
  if (atEnd === true && part.atEnd !== true) return false
  const last = part.text.length - text.length
  if (last < 0 || (atStart && atEnd && last > 0)) return false
  if (atStart) return standsAt(0, text, part.text)
  if (atEnd) return standsAt(last, text, part.text)
  return part.text.some((_, at) => at <= last && standsAt(at, text, part.text))
}

function standsAt(start: number, text: readonly Character[], within: readonly Character[]): boolean {
  return text.every((character, at) => {
    const other = within[start + at]
    return character === undefined ? other !== '\n' : character === other
  })
}

function inLowerCase(part: Part): Part {
  return { ...part, text: part.text.map(character => character?.toLowerCase()) }
}
