import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluate } from '../../../src/hcl/language/evaluate.ts'
import { parseExpression, parseTemplate } from '../../../src/hcl/language/parse-expression.ts'
import { parseExactJson } from '../../../src/hcl/values/convert.ts'
import { add, BigFloat, compare, multiply, parseNumber, subtract } from '../../../src/hcl/values/number.ts'
import { invalid, Refusal } from '../../../src/hcl/values/type.ts'
import { concealed, list, ofText, type Typed, unknownOf } from '../../../src/hcl/values/typed.ts'
import { isListValue, isObjectValue, Sensitive, type Value } from '../../../src/hcl/values/value.ts'
import { anyText } from '../../support/any-text.ts'
import { rounds } from '../../support/rounds.ts'
import { arbitraryExpression } from './arbitrary-expression.ts'

const later = unknownOf('string', 'vexil_feature_flag.x.id')
const names: Readonly<Record<string, Typed>> = {
  secret: concealed(ofText('hunter2'), 'var.secret'),
  later,
  list: list([ofText('a'), later], 'string'),
}

const scope = {
  find([root = '']: readonly string[]) {
    const value = names[root]
    if (value === undefined) throw invalid(`nothing is called ${root}`)
    return { value, taken: 1 }
  },
}

/** A value, or the refusal to give one: anything else would be a crash. */
function outcome(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

const pieces = fc.constantFrom(
  ...[
    '${',
    '}',
    '%{',
    '$${',
    '"',
    '\\',
    '\\u00',
    '(',
    ')',
    '[',
    ']',
    '{',
    '=',
    ',',
    '.',
    '...',
    '?',
    ':',
    '!',
  ],
  ...[
    '-',
    '+',
    '*',
    '/',
    '%',
    '==',
    '&&',
    'for',
    'true',
    'null',
    'each',
    'a-b',
    '1',
    '1e9',
    '0.5',
    ' ',
    '\n',
  ],
  ...['#', '/*', '//', 'jsonencode', 'secret', 'later', 'list', '😀', '\u0000', 'max'],
)
const nearlyExpressions = fc.array(pieces, { maxLength: 30 }).map(all => all.join(''))
const withNames = arbitraryExpression.map(text =>
  text.replace(/"a"|\b1\d\b/g, found => (found.startsWith('"') ? 'secret' : 'later')),
)

describe('any text', () => {
  it('is read, or refused', () => {
    fc.assert(
      fc.property(fc.oneof(nearlyExpressions, fc.string(), anyText()), text => {
        for (const read of [parseTemplate, parseExpression]) outcome(() => read(text))
      }),
    )
  })

  it('is worked out, or refused', () => {
    fc.assert(
      fc.property(fc.oneof(nearlyExpressions, withNames), text => {
        outcome(() => evaluate(parseTemplate(`\${${text}}`), scope))
      }),
    )
  })

  it.each([
    ['parentheses', '('.repeat(50_000)],
    ['signs', '!'.repeat(50_000)],
    ['interpolations', '"${'.repeat(50_000)],
    ['conditions', 'true ? '.repeat(50_000)],
    ['lists', '['.repeat(50_000)],
    ['objects', '{a='.repeat(50_000)],
  ])('of endless %s is refused', (_, text) => {
    expect(outcome(() => parseExpression(text))).toMatchObject({ message: 'an expression of so many levels' })
  })

  it('of many operands in a row is worked out', () => {
    const row = (length: number) => new Array(length).fill('1').join(' + ')
    expect(String(evaluate(parseExpression(row(1000)), scope).plain)).toBe('1000')
    expect(outcome(() => parseExpression(row(100_000)))).toMatchObject({
      message: 'an expression of so many operands',
    })
  })

  it.each([1000, 1_000_000])('of JSON that is nested %i times is refused', depth => {
    expect(() => parseExactJson('['.repeat(depth) + ']'.repeat(depth))).toThrow(SyntaxError)
  })

  it('never tells what is sensitive, whatever is done with it', () => {
    fc.assert(
      fc.property(withNames, text => {
        const made = outcome(() => evaluate(parseTemplate(`\${${text}}`), scope))
        if (made instanceof Refusal) expect(`${made.message} ${made.remedy}`).not.toContain('hunter2')
        else expect(visibleText((made as Typed).plain)).not.toContain('hunter2')
      }),
      {
        numRuns: rounds(),
        examples: [
          ['(true ? { for x in [secret] : x => upper(x)... } : { for x in [secret] : x => x })[""]'],
        ],
      },
    )
  })
})

describe('numbers', () => {
  const decimals = fc
    .tuple(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.integer({ min: 0, max: 30 }))
    .map(([digits, places]) => decimalText(digits, places))

  it('are written as they are read', () => {
    fc.assert(
      fc.property(decimals, text => {
        const again = parseNumber(parseNumber(text)?.text ?? '')
        expect(again && compare(again, parseNumber(text) as BigFloat)).toBe(0)
        expect(parseNumber(text)?.text).toBe(plain(text))
      }),
    )
  })

  it('are added, subtracted and multiplied exactly as long as they are whole', () => {
    const whole = fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n })
    fc.assert(
      fc.property(whole, whole, (left, right) => {
        const [one, other] = [new BigFloat(left, 0, 512), new BigFloat(right, 0, 512)]
        expect(add(one, other).text).toBe(String(left + right))
        expect(subtract(one, other).text).toBe(String(left - right))
        // Terraform 1.11 keeps the sign of a zero too.
        const isMinusZero = left * right === 0n && left < 0n !== right < 0n
        expect(multiply(one, other).text).toBe(isMinusZero ? '-0' : String(left * right))
      }),
    )
  })
})

function decimalText(digits: bigint, places: number): string {
  const text = (digits < 0n ? -digits : digits).toString().padStart(places + 1, '0')
  const sign = digits < 0n ? '-' : ''
  return places === 0 ? sign + text : `${sign}${text.slice(0, -places)}.${text.slice(-places)}`
}

function plain(text: string): string {
  const trimmed = text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text
  return /^-?0$/.test(trimmed) ? '0' : trimmed
}

/** All that a value says without its marks being lifted. */
function visibleText(value: Value): string {
  if (typeof value === 'string') return value
  if (value instanceof Sensitive) return ''
  if (isListValue(value)) return value.map(visibleText).join(' ')
  if (!isObjectValue(value)) return ''
  return Object.entries(value)
    .map(([name, each]) => `${name} ${visibleText(each)}`)
    .join(' ')
}
