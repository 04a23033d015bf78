import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  compiled,
  decodeMessage,
  encodeMessage,
  type Field,
  type FieldType,
} from '../../../src/terraform/serve/codec.ts'
import { type MessageName, messages } from '../../../src/terraform/serve/messages.ts'
import { rounds } from '../../support/rounds.ts'

// The names of a literal's own keys.
const names = Object.keys(messages) as MessageName[]

/** Any message as it is read back: whatever a field may hold, a few levels deep. */
function aMessage(name: MessageName, depth = 2): Arbitrary<Record<string, unknown>> {
  const { fields } = compiled.get(name)!
  return fc.record(Object.fromEntries(fields.map(field => [field.name, aField(field, depth)])), {
    noNullPrototype: true,
  })
}

function aField({ type, label }: Field, depth: number): Arbitrary<unknown> {
  const tooDeep = type.is === 'message' && depth === 0
  if (label === 'repeated') return tooDeep ? fc.constant([]) : fc.array(aValue(type, depth), { maxLength: 2 })
  if (label === 'map') {
    return tooDeep
      ? fc.constant({})
      : fc.dictionary(fc.string(), aValue(type, depth), { maxKeys: 2, noNullPrototype: true })
  }
  if (tooDeep) return fc.constant(undefined)
  return type.is === 'message' || label === 'optional'
    ? fc.option(aValue(type, depth), { nil: undefined })
    : aValue(type, depth)
}

function aValue(type: FieldType, depth: number): Arbitrary<unknown> {
  if (type.is === 'message') return aMessage(type.message, depth - 1)
  if (type.is === 'enum') return fc.constantFrom(...type.members)
  const whole = fc
    .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    .map(value => (Number.isSafeInteger(Number(value)) ? Number(value) : value))
  return {
    string: fc.string({ unit: 'grapheme' }),
    bytes: fc.uint8Array({ maxLength: 300 }),
    bool: fc.boolean(),
    uint32: fc.nat(2 ** 32 - 1),
    int64: fc.oneof(whole, fc.integer()),
  }[type.scalar]
}

describe('the codec of messages', () => {
  it.each(names)('reads back any %s that it wrote', name => {
    fc.assert(
      fc.property(aMessage(name), message => {
        const read = decodeMessage(name, encodeMessage(name, message))
        expect(hexed(read)).toEqual(hexed(message))
      }),
      { numRuns: rounds(20) },
    )
  })

  it.each([
    ['a text', 'FunctionName', { name: 'ab' }, '0a026162'],
    ['nothing for zeros', 'FunctionError', { text: '' }, ''],
    ['a zero that is told from nothing', 'FunctionError', { function_argument: 0 }, '1000'],
    ['a member of a oneof', 'Step', { element_key_int: 0 }, '1800'],
    ['an enum by its number', 'Diagnostic', { severity: 'warning' }, '0802'],
    ['a number of several bytes', 'Schema', { version: 300 }, '08ac02'],
    ['a negative number in ten bytes', 'Schema', { version: -1 }, '08ffffffffffffffffff01'],
    ['the largest number', 'Schema', { version: 2n ** 63n - 1n }, '08ffffffffffffffff7f'],
    ['a message inside, empty', 'Schema', { block: {} }, '1200'],
    ['a map as entries', 'RawState', { flatmap: { a: '1' } }, '12060a0161120131'],
    [
      'validation of the provider under number 2',
      'ValidateProviderConfigResponse',
      { diagnostics: [{}] },
      '1200',
    ],
  ] as const)('writes %s', (_, name, message, hex) => {
    expect(encodeMessage(name, message).toString('hex')).toBe(hex)
  })

  it('passes over fields that a newer side sends, of every width', () => {
    const unknown = ['f80301', `f903${'00'.repeat(8)}`, 'fa0302ffff', `fd03${'00'.repeat(4)}`].join('')
    const bytes = Buffer.from(`${unknown}0a026162${unknown}`, 'hex')
    expect(decodeMessage('FunctionName', bytes)).toEqual({ name: 'ab' })
  })

  it('reads an enum of a later day as its zero', () => {
    expect(decodeMessage('Diagnostic', Buffer.from('0863', 'hex'))).toEqual({
      severity: 'invalid',
      summary: '',
      detail: '',
      attribute: undefined,
    })
  })

  it('keeps an entry of a map whose key is "__proto__"', () => {
    const written = encodeMessage('RawState', { flatmap: JSON.parse('{"__proto__":"x"}') })
    const { flatmap } = decodeMessage('RawState', written)
    expect(Object.entries(flatmap)).toEqual([['__proto__', 'x']])
  })

  it.each([
    ['in the middle of a text', 'FunctionName', '0a05616263', 'a message ends in the middle of a field'],
    ['in the middle of a number', 'Schema', '08ff', 'a message ends in the middle of a number'],
    ['with a number where text belongs', 'FunctionName', '0801', 'a message has a number instead of bytes'],
    ['with text where a number belongs', 'Schema', '0a0161', 'a message has bytes instead of a number'],
    [
      'with a group',
      'Schema',
      '0b',
      'a message contains a field of wire type 3, which this protocol does not use',
    ],
  ] as const)('refuses a message that ends or is wrong: %s', (_, name, hex, reason) => {
    expect(() => decodeMessage(name, Buffer.from(hex, 'hex'))).toThrow(reason)
  })
})

describe('the tables of messages', () => {
  it.each(names)('give each field of %s a number of its own', name => {
    const numbers = compiled.get(name)!.fields.map(({ number }) => number)
    expect([...new Set(numbers)]).toEqual(numbers)
  })
})

/** Bytes as text: those of a Buffer and those of an array are the same. */
function hexed(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (Array.isArray(value)) return value.map(hexed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hexed(member)]))
}
