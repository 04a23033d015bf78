import fc from 'fast-check'

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** A type as it is written, and values that mostly fit it. */
interface Typed {
  readonly text: string
  readonly value: fc.Arbitrary<Json>
}

const scalars = {
  string: fc.constantFrom<Json[]>('x', '', '1', 'true', '1.50', 1, 2.5, true, 'é'),
  number: fc.constantFrom<Json[]>(1, '2', 3.5, '1e3', 0, -1),
  bool: fc.constantFrom<Json[]>(true, false, 'true', '0'),
  any: fc.constantFrom<Json[]>('x', 1, true),
}

const primitive: fc.Arbitrary<Typed> = fc
  .constantFrom('string', 'number', 'bool', 'any')
  .map(text => ({ text, value: text === 'any' ? scalars.any : orStray(scalars[text]) }))

/** Variables as their blocks are written, in JSON: types of all forms with defaults that mostly fit them. */
export const arbitraryVariable: fc.Arbitrary<string> = fc
  .tuple(typedOf(3), fc.boolean())
  .chain(([{ text, value }, isNullable]) =>
    value.map(written =>
      JSON.stringify({ type: text, default: written, ...(isNullable ? {} : { nullable: false }) }),
    ),
  )

/**
 * Variables of a module with what they are called with, as JSON: `{"variable": {...}, "given": "[sensitive(1), null]"}`. Some
 * are sensitive as a whole, some are given values of which parts are, and some are left out.
 */
export const arbitraryInput: fc.Arbitrary<string> = fc
  .record({
    typed: typedOf(3),
    isNullable: fc.boolean(),
    isSensitive: fc.boolean(),
    hasDefault: fc.boolean(),
    isGiven: fc.boolean(),
    // Which values are wrapped, in the order in which they are written.
    wrapped: fc.infiniteStream(fc.constantFrom(true, false, false)),
  })
  .chain(({ typed: { text, value }, isNullable, isSensitive, hasDefault, isGiven, wrapped }) =>
    fc.tuple(value, value).map(([fallback, given]) =>
      JSON.stringify({
        variable: {
          type: text,
          ...(hasDefault || !isGiven ? { default: fallback } : {}),
          ...(isNullable ? {} : { nullable: false }),
          ...(isSensitive ? { sensitive: true } : {}),
        },
        ...(isGiven ? { given: expressionOf(given, wrapped[Symbol.iterator]()) } : {}),
      }),
    ),
  )

function expressionOf(value: Json, wrapped: Iterator<boolean>): string {
  const isWrapped = wrapped.next().value === true
  const inner = (each: Json) => expressionOf(each, wrapped)
  const text = Array.isArray(value)
    ? `[${value.map(inner).join(', ')}]`
    : typeof value === 'object' && value !== null
      ? `{ ${Object.entries(value)
          .map(([name, member]) => `${JSON.stringify(name)} = ${inner(member)}`)
          .join(', ')} }`
      : JSON.stringify(value)
  return isWrapped ? `sensitive(${text})` : text
}

function typedOf(depth: number): fc.Arbitrary<Typed> {
  if (depth === 0) return primitive
  const inner = typedOf(depth - 1)
  return fc.oneof(
    primitive,
    fc.tuple(fc.constantFrom('list', 'set'), inner).map(([is, { text, value }]) => ({
      text: `${is}(${text})`,
      value: orStray(fc.array(value, { maxLength: 3 })),
    })),
    inner.map(({ text, value }) => ({
      text: `map(${text})`,
      value: orStray(fc.dictionary(fc.constantFrom('k', 'a', 'é', 'x y', '1'), value, { maxKeys: 3 })),
    })),
    fc.array(inner, { maxLength: 2 }).map(all => ({
      text: `tuple([${all.map(({ text }) => text).join(', ')}])`,
      value: orStray(fc.tuple(...all.map(({ value }) => value))),
    })),
    { weight: 3, arbitrary: fc.array(member(inner), { maxLength: 3 }).map(objectOf) },
  )
}

/** Now and then null, or something of another type. */
function orStray(value: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  const stray = fc.constantFrom<Json[]>(null, null, [], {}, 'x', 1, ['a', 1], { a: 1 }, { a: 'q', z: 1 })
  return fc.oneof({ weight: 14, arbitrary: value }, { weight: 1, arbitrary: stray })
}

interface Member {
  readonly typed: Typed
  readonly presence: 'required' | 'optional' | 'with a default'
  readonly fallback: Json
  readonly isLeftOut: boolean
}

function member(inner: fc.Arbitrary<Typed>): fc.Arbitrary<Member> {
  return inner.chain(typed =>
    fc.record({
      typed: fc.constant(typed),
      presence: fc.constantFrom('required', 'optional', 'with a default'),
      fallback: typed.value,
      isLeftOut: fc.boolean(),
    }),
  )
}

function objectOf(members: readonly Member[]): Typed {
  const named = members.map((each, index) => [['a', 'b', 'c'][index] ?? 'd', each] as const)
  const types = named.map(([name, { typed, presence, fallback }]) => {
    if (presence === 'required') return `${name} = ${typed.text}`
    const more = presence === 'optional' ? '' : `, ${JSON.stringify(fallback)}`
    return `${name} = optional(${typed.text}${more})`
  })
  const given = named.filter(([, { presence, isLeftOut }]) => presence === 'required' || !isLeftOut)
  return {
    text: `object({ ${types.join(', ')} })`,
    value: orStray(fc.record(Object.fromEntries(given.map(([name, { typed }]) => [name, typed.value])))),
  }
}
