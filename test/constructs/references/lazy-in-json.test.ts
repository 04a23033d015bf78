import { Lazy, type TerraformStack, TerraformVariable, Token } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { Flag, type FlagProps, Plugin } from '../../../src/constructs/own-constructs.ts'
import { desiredOf, problemsOf } from '../../stack/load.ts'
import { aStack, flagAttributes, synthesized } from '../a-stack.ts'

/** What is produced, and what it is then; a reference as the value of what it refers to. */
interface Produced {
  readonly title: string
  readonly produce: (stack: TerraformStack) => unknown
  readonly value: unknown
}

const variable = (stack: TerraformStack, value: unknown) =>
  new TerraformVariable(stack, 'v', { default: value })
const constant = (value: unknown): Produced => ({
  title: `${typeof value} ${JSON.stringify(value)}`,
  produce: () => value,
  value,
})

const texts: readonly Produced[] = [
  ...['1.10', 'true', 'null', '', 'qx', 'st"r', 'a\\b\n\b', '{"a":1}', '$', '%', 'é}{'].map(constant),
  // As everywhere, what is produced is a template.
  { title: 'a doubled sign', produce: () => 'a $${b} %%{c}', value: 'a ${b} %{c}' },
  { title: 'a reference', produce: stack => variable(stack, 'x"y').stringValue, value: 'x"y' },
  {
    title: 'a reference in the middle',
    produce: stack => `"${variable(stack, '\\').stringValue}$\n`,
    value: '"\\$\n',
  },
  { title: 'an expression as text', produce: () => '${lower("A}")}', value: 'a}' },
  {
    title: 'an attribute',
    produce: stack => new Plugin(stack, 'P', { name: 'geo "ip"', source: { 'index.ts': 'x' } }).resource.name,
    value: 'geo "ip"',
  },
]
const numbers: readonly Produced[] = [
  ...[12, 0, -1.5, 1e21].map(constant),
  { title: 'a reference', produce: stack => variable(stack, 7.5).numberValue, value: 7.5 },
]
const lists: readonly Produced[] = [
  ...[[], ['12', 'true', 'a"b']].map(constant),
  { title: 'a reference', produce: stack => variable(stack, ['1', 'b']).listValue, value: ['1', 'b'] },
  { title: 'with a reference', produce: stack => ['1', variable(stack, '2').stringValue], value: ['1', '2'] },
]
const others: readonly Produced[] = [
  ...[true, false, null, { a: 1, 'b"': ['1', { c: null }] }, [[1], '1']].map(constant),
  {
    title: 'with references',
    produce: stack => ({ a: variable(stack, '2').stringValue, b: [Token.asAny('${var.v}')], c: '3' }),
    value: { a: '2', b: ['2'], c: '3' },
  },
]

type Make = (produce: () => unknown) => unknown

/** Each kind of what the engine asks for when it synthesizes, with what it can produce. */
const kinds: readonly (readonly [name: string, make: Make, produced: readonly Produced[]])[] = [
  ['stringValue', produce => Lazy.stringValue({ produce: () => String(produce()) }), texts],
  ['numberValue', produce => Lazy.numberValue({ produce: () => Number(produce()) }), numbers],
  [
    'listValue',
    // What is made in the test is a list.
    produce => Lazy.listValue({ produce: () => produce() as string[] }),
    lists,
  ],
  ['anyValue', produce => Lazy.anyValue({ produce }), [...texts, ...numbers, ...lists, ...others]],
]

type Properties = Omit<FlagProps, 'key'>

/** Where it can stand, and how it is given there where it is known. */
const places: Readonly<Record<string, (value: unknown, isKnown: boolean) => Properties>> = {
  // A text that is JSON counts as that JSON where it is all of a payload, unless it is a reference.
  'a whole payload': (value, isKnown) => ({ payload: isKnown ? JSON.stringify(value) : value }),
  'a member of a payload': value => ({ payload: { a: value, b: 'c' } }),
  'an element of a list': value => ({ payload: ['a', [value]] }),
  'a member of filters': value => ({ filters: { groups: [], payloads: { true: { a: value } } } }),
}

describe.each(kinds)('what a Lazy produces in JSON: %s', (_, make, all) => {
  it.each(Object.entries(places))('is what it is when it is given as it is: %s', async (_, properties) => {
    for (const { title, produce, value } of all) {
      const late = await checkout(stack => {
        const produced = produce(stack)
        return properties(
          make(() => produced),
          false,
        )
      })
      expect(late, title).toEqual(await checkout(() => properties(value, true)))
    }
  })
})

describe('what a Lazy produces within a text of JSON', () => {
  it.each(texts)('is the text that it is there: $title', async ({ produce, value }) => {
    const properties = (text: string): Properties => ({
      payload: { [`k ${text}`]: `pre-${text} "$${text}\n` },
    })
    const late = await checkout(stack => {
      const produced = produce(stack)
      return properties(Lazy.stringValue({ produce: () => String(produced) }))
    })
    expect(late).toEqual(await checkout(() => properties(String(value))))
  })

  it.each(texts)('is the text that it is as a value of filters: $title', async ({ produce, value }) => {
    const properties = (text: string): Properties => ({
      filters: { groups: [{ properties: [{ key: 'p', type: 'person', value: [text, `=${text}`] }] }] },
    })
    const late = await checkout(stack => {
      const produced = produce(stack)
      return properties(Lazy.stringValue({ produce: () => String(produced) }))
    })
    expect(late).toEqual(await checkout(() => properties(String(value))))
  })

  it.each([
    ...texts,
    { title: 'a number', produce: (stack: TerraformStack) => variable(stack, 7.5).stringValue, value: '7.5' },
    {
      title: 'a truth value',
      produce: (stack: TerraformStack) => variable(stack, true).stringValue,
      value: 'true',
    },
  ])('is a text as the whole name of a member: $title', async ({ produce, value }) => {
    const properties = (text: string): Properties => ({ payload: { [text]: { [text]: 1 } } })
    const late = await checkout(stack => {
      const produced = produce(stack)
      return properties(Lazy.stringValue({ produce: () => String(produced) }))
    })
    expect(late).toEqual(await checkout(() => properties(String(value))))
  })

  it('is text once it is synthesized, and nothing for Terraform to work out', () => {
    const late = Lazy.stringValue({ produce: () => '1.10' })
    expect(flagAttributes({ active: true, release: [], payload: { a: late, b: `v${late}` } }).payload).toBe(
      '{"a":"1.10","b":"v1.10"}',
    )
  })

  it('is produced when the stack is synthesized, and again when it is once more', () => {
    let produced = 'made'
    const stack = aStack()
    const payload = [Lazy.stringValue({ produce: () => produced })]
    new Flag(stack, 'X', { key: 'x', active: true, release: [], payload })
    produced = 'changed'
    expect(payloadIn(stack)).toBe('["changed"]')
    produced = 'again'
    expect(payloadIn(stack)).toBe('["again"]')
  })
})

describe('nothing that a Lazy produces', () => {
  const nothing = Lazy.anyValue({ produce: () => undefined })

  it('is left out as all of an argument', () => {
    const flag = flagAttributes({ active: true, release: [], payload: nothing })
    expect(flag).not.toHaveProperty('payload')
  })

  it('is refused where JSON has to have something, with the place', () => {
    expect(() => flagAttributes({ active: true, release: [], payload: { a: [nothing] } })).toThrow(
      'nothing at "a.0" cannot be written as JSON',
    )
  })
})

describe('null in the middle of a text of JSON', () => {
  it('is refused, as in every text of Terraform', async () => {
    const problems = await problemsOf(stack => {
      const text = new TerraformVariable(stack, 'v', { type: 'string' })
      text.addOverride('default', null)
      const payload = { whole: text.stringValue, part: `pre-${text.stringValue}` }
      new Flag(stack, 'X', { key: 'x', active: true, release: [], payload })
    })
    expect(problems).toEqual([
      'vexil_feature_flag.x.payload: function jsonencode(): null cannot be filled into a text',
    ])
  })
})

/** What is declared of a flag with these properties. */
async function checkout(propertiesIn: (stack: TerraformStack) => Properties) {
  const desired = await desiredOf(stack => {
    const properties = propertiesIn(stack)
    const release = properties.filters === undefined ? { release: [] } : {}
    new Flag(stack, 'Checkout', { key: 'checkout', active: true, ...release, ...properties })
  })
  return desired.find(({ kind }) => kind === 'feature_flag')
}

function payloadIn(stack: TerraformStack): unknown {
  return synthesized(stack).resource.vexil_feature_flag.x.payload
}
