import { BigFloat } from './number.ts'
import { attributeType, elementType, isSameType, type PrimitiveType, Refusal, type Type } from './type.ts'
import {
  compareTexts,
  type FlagReference,
  findSensitive,
  isListValue,
  isObjectValue,
  isSameValue,
  isWhollyKnown,
  revealed,
  Sensitive,
  setOrder,
  Unknown,
  type Value,
  valueText,
} from './value.ts'

/** A value with its type: the result of an expression. The plain value contains marks and unknown parts. */
export interface Typed {
  readonly type: Type
  readonly plain: Value
}

/** A list, a set or a tuple as its elements. */
export interface Sequence {
  readonly is: 'list' | 'set' | 'tuple'
  /** The type of the elements; each element of a tuple has its own. */
  readonly of: Type
  readonly elements: readonly Typed[]
}

/** A map or an object as its members. */
export interface Members {
  readonly is: 'map' | 'object'
  readonly of: Type
  /** Sorted by name, in Terraform's order. */
  readonly members: ReadonlyMap<string, Typed>
}

/** Null, which has any type. */
export const nothing: Typed = { type: 'dynamic', plain: null }

export function typed(type: Type, plain: Value): Typed {
  return { type, plain }
}

export function ofText(plain: string): Typed {
  return { type: 'string', plain }
}

export function ofBool(plain: boolean): Typed {
  return { type: 'bool', plain }
}

export function ofNumber(plain: BigFloat): Typed {
  return { type: 'number', plain }
}

export function unknownOf(type: Type, origin: string, flag?: FlagReference): Typed {
  return { type, plain: new Unknown(origin, flag) }
}

export function tuple(elements: readonly Typed[]): Typed {
  return { type: ['tuple', elements.map(({ type }) => type)], plain: elements.map(({ plain }) => plain) }
}

export function list(elements: readonly Typed[], of: Type): Typed {
  return { type: ['list', of], plain: elements.map(({ plain }) => plain) }
}

/** A set of values of one type, sorted if the type has an order. One marked value marks the whole set. */
export function set(elements: readonly Typed[], of: Type): Typed {
  const plains = elements.map(({ plain }) => plain)
  const mark = findSensitive(plains)
  const shown = mark ? plains.map(revealed) : plains
  const sorted = withoutRepeats(shown, of, signed).sort(setOrder(of))
  return { type: ['set', of], plain: mark ? new Sensitive(sorted, mark.origin) : sorted }
}

export function object(members: Iterable<readonly [string, Typed]>): Typed {
  const types: Record<string, Type> = {}
  const plains: Record<string, Value> = {}
  for (const [name, { type, plain }] of sortedByName(members)) {
    put(types, name, type)
    put(plains, name, plain)
  }
  return { type: ['object', types], plain: plains }
}

export function map(members: Iterable<readonly [string, Typed]>, of: Type): Typed {
  const plains: Record<string, Value> = {}
  for (const [name, { plain }] of sortedByName(members)) put(plains, name, plain)
  return { type: ['map', of], plain: plains }
}

/** The elements of a list, a set or a tuple; undefined for everything else. */
export function sequenceOf({ type, plain }: Typed): Sequence | undefined {
  if (typeof type === 'string' || !isListValue(plain)) return undefined
  switch (type[0]) {
    case 'tuple': {
      const elements = plain.map((element, index) => typed(type[1][index] ?? 'dynamic', element))
      return { is: 'tuple', of: 'dynamic', elements }
    }
    case 'list':
    case 'set':
      return { is: type[0], of: type[1], elements: plain.map(element => typed(type[1], element)) }
    default:
      return undefined
  }
}

/** The members of a map or an object; undefined for everything else. */
export function membersOf({ type, plain }: Typed): Members | undefined {
  if (typeof type === 'string' || !isObjectValue(plain)) return undefined
  if (type[0] !== 'map' && type[0] !== 'object') return undefined
  const members = Object.entries(plain).map(([name, member]) => {
    const of = type[0] === 'object' ? attributeType(type, name) : elementType(type)
    return [name, typed(of, member)] as const
  })
  return {
    is: type[0],
    of: elementType(type),
    members: new Map(sortedByName(members)),
  }
}

/** One element of a list, a set or a tuple; undefined if there is none. */
export function elementIn({ type, plain }: Typed, index: number): Typed | undefined {
  if (typeof type === 'string' || !isListValue(plain) || plain[index] === undefined) return undefined
  return typed(type[0] === 'tuple' ? (type[1][index] ?? 'dynamic') : elementType(type), plain[index])
}

/** One member of a map or an object; undefined if there is no such member. */
export function memberIn({ type, plain }: Typed, name: string): Typed | undefined {
  if (typeof type === 'string' || !isObjectValue(plain) || !Object.hasOwn(plain, name)) return undefined
  return typed(type[0] === 'object' ? attributeType(type, name) : elementType(type), plain[name] ?? null)
}

/** Equality as in Terraform: values of different types are never equal, but null equals null. */
export function isSame(left: Typed, right: Typed): boolean {
  if (left.plain === null || right.plain === null) return left.plain === right.plain
  return isSameType(left.type, right.type) && isSameValue(left.type, left.plain, right.plain)
}

/** Removes duplicates from values of one type; the first one stays. Unknown values may still differ. */
export function withoutRepeats(elements: readonly Value[], of: Type, identify = valueText): Value[] {
  const seen = new Set<string>()
  return elements.filter(element => {
    if (!isWhollyKnown(element)) return true
    const identity = identify(of, element)
    const isNew = !seen.has(identity)
    seen.add(identity)
    return isNew
  })
}

/** A set distinguishes zero from zero with a sign, although they are equal. */
function signed(of: Type, value: Value): string {
  return value instanceof BigFloat && value.isNegativeZero ? '-0' : valueText(of, value)
}

/** Describes a value without showing it. */
export function nounOf({ type, plain }: Typed): string {
  if (plain === null) return 'null'
  if (typeof type !== 'string') return `${type[0] === 'object' ? 'an' : 'a'} ${type[0]}`
  return nouns[type]
}

const nouns: Readonly<Record<PrimitiveType | 'dynamic', string>> = {
  string: 'a text',
  number: 'a number',
  bool: 'a bool',
  dynamic: 'a value',
}

/** Sets a member, even "__proto__", which an assignment would not create. */
function put<Member>(members: Record<string, Member>, name: string, value: Member): void {
  if (name !== '__proto__') members[name] = value
  else Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true })
}

function sortedByName<Member>(
  members: Iterable<readonly [string, Member]>,
): readonly (readonly [string, Member])[] {
  const all = Array.from(members)
  // Most are already in order, like their sources.
  const isSorted = all.every(
    ([name], index) => index === 0 || compareTexts(all[index - 1]?.[0] ?? '', name) <= 0,
  )
  return isSorted ? all : all.sort(([left], [right]) => compareTexts(left, right))
}

/** If a value is marked, the result is marked too, and errors do not show the values. */
export function unmarked(values: readonly Typed[], work: (values: readonly Typed[]) => Typed): Typed {
  const marked = values.map(({ plain }) => findSensitive(plain)).find(mark => mark !== undefined)
  if (!marked) return work(values)
  try {
    return concealed(work(values.map(withoutMarks)), marked.origin)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(error.is, misfit(marked))
  }
}

/** The message for an invalid sensitive value. It does not show the value. */
export function misfit({ origin }: Sensitive): string {
  return `what ${origin} holds, which is sensitive, does not fit here`
}

/** The value, marked as a whole. */
export function concealed({ type, plain }: Typed, origin: string): Typed {
  return { type, plain: new Sensitive(revealed(plain), origin) }
}

export function withoutMarks({ type, plain }: Typed): Typed {
  return typed(type, revealed(plain))
}

/** Whether a value is null, even if it is marked. */
export function isNull({ plain }: Typed): boolean {
  return plain === null || (plain instanceof Sensitive && plain.value === null)
}
