import { BigFloat } from '../../../../cty/big-float.ts'
import { convert, textOf } from '../../../../cty/convert.ts'
import { elsewhere, invalid, unsupported } from '../../../../cty/invalid-value.ts'
import { list, nothing, ofText, sequenceOf, type Typed } from '../../../../cty/typed.ts'
import type { Value } from '../../../../cty/value.ts'
import { requireLength } from '../../work-limits.ts'
import { jsonOf } from '../encoding/json-functions.ts'
import { type FunctionRows, textAt } from '../function-row.ts'
import { floatText, generalText, isOfWhole, type Verb, wholeText } from './format-number.ts'
import { characters } from './text-functions.ts'

export const formatFunctions: FunctionRows = {
  format: {
    least: 1,
    most: Number.POSITIVE_INFINITY,
    gives: 'string',
    takesNull: true,
    apply: given => {
      const values = given.slice(1)
      requireNoNull(values)
      return ofText(format(textAt(given, 0), values))
    },
  },
  formatlist: {
    least: 1,
    most: Number.POSITIVE_INFINITY,
    gives: ['list', 'string'],
    takesNull: true,
    apply: given => {
      const values = given.slice(1)
      requireNoNull(values)
      return formatList(textAt(given, 0), values)
    },
  },
}

/** What Terraform makes of a null whose type nobody says is not known before the apply. */
function requireNoNull(values: readonly Typed[]): void {
  if (values.some(({ plain }) => plain === null)) throw unsupported('a value that is null', elsewhere)
}

// An index stands behind width and precision, where Go itself has it before them.
const verbs = /%(?:%|([-+ 0#]*)([1-9]\d*)?(?:\.(\d*))?(?:\[([1-9]\d*)\])?([a-zA-Z])|)/g

/** Fills the places of a pattern, each with the next value or with the one that it names. */
function format(pattern: string, given: readonly Typed[]): string {
  let [next, highest] = [0, 0]
  const text = pattern.replace(
    verbs,
    (
      whole,
      flags = '',
      width = '',
      precision: string | undefined,
      index: string | undefined,
      letter = '',
    ) => {
      if (whole === '%%') return '%'
      if (whole === '%') throw invalid('a "%" begins no verb', 'write %% for the sign itself')
      const at = index === undefined ? next : Number(index) - 1
      const value = given[at]
      if (value === undefined) throw invalid(`there is no argument for ${JSON.stringify(whole)}`)
      next = at + 1
      highest = Math.max(highest, next)
      requireLength(Number(width))
      return formatOne(
        {
          flags,
          width: Number(width),
          precision: precision === undefined ? undefined : Number(precision),
          letter,
        },
        value,
      )
    },
  )
  if (highest < given.length)
    throw invalid(`there are ${given.length} arguments and only ${highest} places for them`)
  return text.normalize('NFC')
}

function formatList(pattern: string, given: readonly Typed[]): Typed {
  const lists = given.map(sequenceOf)
  const lengths = new Set(lists.flatMap(sequence => sequence?.elements.length ?? []))
  if (lengths.size > 1) throw invalid('its lists are not of one length')
  const [length = 1] = lengths
  const rows = Array.from({ length }, (_, row) =>
    format(
      pattern,
      given.map((value, index) => {
        const sequence = lists[index]
        return sequence ? (sequence.elements[row] ?? nothing) : value
      }),
    ),
  )
  return list(rows.map(ofText), 'string')
}

function formatOne(verb: Verb, value: Typed): string {
  const { letter } = verb
  if (letter === 'v') return padded(verb, anyText(verb, value.plain))
  if (value.plain === null) throw invalid(`"%${letter}" has nothing to write: the value is null`)
  switch (letter) {
    case 's':
      return padded(verb, cut(verb, primitiveText(value.plain)))
    case 'q':
      return padded(verb, jsonOf(cut(verb, primitiveText(value.plain))))
    case 't':
      return String(convert(value, 'bool').plain)
    case 'e':
    case 'E':
    case 'f':
    case 'g':
    case 'G':
      return floatText(verb, numberOf(value, letter))
    default:
      if (isOfWhole(letter)) return wholeText(verb, numberOf(value, letter))
      throw invalid(`there is no verb "%${letter}"`)
  }
}

function anyText({ flags }: Verb, value: Value): string {
  if (flags.includes('#')) return jsonOf(value)
  if (typeof value === 'string') return value
  return value instanceof BigFloat ? generalText(value) : jsonOf(value)
}

function numberOf(value: Typed, letter: string): BigFloat {
  const { plain: number } = convert(value, 'number')
  if (!(number instanceof BigFloat)) throw invalid(`"%${letter}" needs a number`)
  return number
}

function primitiveText(value: Value): string {
  const text = textOf(value)
  if (text === undefined) throw invalid('"%s" and "%q" need a text, a number or a bool')
  return text
}

/** A precision of zero cuts nothing off. */
function cut({ precision = 0 }: Verb, text: string): string {
  return precision === 0 ? text : characters(text).slice(0, precision).join('')
}

function padded({ flags, width }: Verb, text: string): string {
  const missing = Math.max(0, width - (width === 0 ? 0 : characters(text).length))
  const room = (flags.includes('0') ? '0' : ' ').repeat(missing)
  return flags.includes('-') ? text + room : room + text
}
