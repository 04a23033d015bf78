/** A type in its JSON form. `dynamic` (written as `any`): the value may be anything, such as null. */
export type Type = PrimitiveType | 'dynamic' | CollectionType | TupleType | ObjectType
export type PrimitiveType = 'string' | 'number' | 'bool'
export type CollectionType = readonly ['list' | 'set' | 'map', Type]
export type TupleType = readonly ['tuple', readonly Type[]]
/** The optional third part names attributes that may be missing. These are then null. */
export type ObjectType =
  | readonly ['object', AttributeTypes]
  | readonly ['object', AttributeTypes, readonly string[]]
interface AttributeTypes {
  readonly [attribute: string]: Type
}
export type StructuredType = Exclude<Type, string>

export function isSameType(left: Type, right: Type): boolean {
  if (typeof left === 'string' || typeof right === 'string') return left === right
  if (left[0] === 'tuple' || right[0] === 'tuple')
    return left[0] === 'tuple' && right[0] === 'tuple' && areSame(left[1], right[1])
  if (left[0] === 'object' || right[0] === 'object') {
    if (left[0] !== 'object' || right[0] !== 'object' || !hasSameNames(left, right)) return false
    const names = Object.keys(left[1])
    return areSame(
      names.map(name => attributeType(left, name)),
      names.map(name => attributeType(right, name)),
    )
  }
  return left[0] === right[0] && isSameType(left[1], right[1])
}

/** The type of the resulting values. Optional attributes matter only for the input values. */
export function withoutOptional(type: Type): Type {
  if (typeof type === 'string') return type
  switch (type[0]) {
    case 'tuple':
      return ['tuple', type[1].map(withoutOptional)]
    case 'object': {
      const attributes = Object.entries(type[1]).map(([name, of]) => [name, withoutOptional(of)] as const)
      return ['object', Object.fromEntries(attributes)]
    }
    default:
      return [type[0], withoutOptional(type[1])]
  }
}

/** The element type of a list, a set or a map; tuples and objects have a type for each element. */
export function elementType(type: Type): Type {
  return typeof type === 'string' || type[0] === 'tuple' || type[0] === 'object' ? 'dynamic' : type[1]
}

/** The type of an attribute; `dynamic` if the object has no such attribute. */
export function attributeType([, attributes]: ObjectType, name: string): Type {
  return (Object.hasOwn(attributes, name) ? attributes[name] : undefined) ?? 'dynamic'
}

function hasSameNames([, left]: ObjectType, [, right]: ObjectType): boolean {
  const names = Object.keys(left)
  return names.length === Object.keys(right).length && names.every(name => Object.hasOwn(right, name))
}

export function typeJson(type: Type): string {
  return JSON.stringify(type)
}

/** A type in Terraform's language. */
export function typeText(type: Type): string {
  if (typeof type === 'string') return type === 'dynamic' ? 'any' : type
  switch (type[0]) {
    case 'tuple':
      return `tuple([${type[1].map(typeText).join(', ')}])`
    case 'object': {
      const attributes = Object.entries(type[1]).map(([name, of]) => `${name}=${typeText(of)}`)
      return `object({${attributes.join(', ')}})`
    }
    default:
      return `${type[0]}(${typeText(type[1])})`
  }
}

function areSame(left: readonly Type[], right: readonly Type[]): boolean {
  return (
    left.length === right.length && left.every((type, index) => isSameType(type, right[index] ?? 'dynamic'))
  )
}

/**
 * The common type to which values of several types are converted. Undefined if there is none.
 *
 * | types                                       | common type                |
 * |---------------------------------------------|----------------------------|
 * | the same                                    | that                       |
 * | null beside others                          | that of the others         |
 * | texts, numbers and bools, a text among them | text                       |
 * | objects of the same members                 | an object of those         |
 * | other objects, or objects and maps          | a map                      |
 * | tuples of the same length                   | a tuple                    |
 * | other tuples, or tuples and lists           | a list                     |
 * | sets                                        | a set                      |
 * | sets beside lists or tuples                 | the first list or set that |
 * |                                             | the others may become      |
 */
export function unify(types: readonly Type[]): Type | undefined {
  const [first, ...others] = types
  if (first === undefined) return 'dynamic'
  if (others.every(type => isSameType(type, first))) return first
  // Null has any type, and fits every other type.
  if (types.includes('dynamic')) return unify(types.filter(type => type !== 'dynamic'))
  const structured = types.filter(type => typeof type !== 'string')
  if (structured.length === 0) return types.includes('string') ? 'string' : undefined
  if (structured.length !== types.length) return undefined
  const words = new Set(structured.map(([word]) => word))
  return words.has('map') || words.has('object')
    ? unifyNamed(structured, words)
    : unifyOrdered(structured, words)
}

function unifyNamed(types: readonly StructuredType[], words: ReadonlySet<string>): Type | undefined {
  const objects = types.filter(type => type[0] === 'object')
  const [first] = objects
  if (first && objects.length === types.length && objects.every(type => hasSameNames(type, first))) {
    const attributes: [string, Type][] = []
    for (const name of Object.keys(first[1])) {
      const type = unify(objects.map(each => attributeType(each, name)))
      // Objects with the same members do not become a map if one member has no common type.
      if (type === undefined) return undefined
      attributes.push([name, type])
    }
    return ['object', Object.fromEntries(attributes)]
  }
  if ([...words].some(word => word !== 'map' && word !== 'object')) return undefined
  return collected('map', types)
}

function unifyOrdered(types: readonly StructuredType[], words: ReadonlySet<string>): Type | undefined {
  const tuples = types.filter(type => type[0] === 'tuple')
  const [first] = tuples
  if (
    first &&
    tuples.length === types.length &&
    tuples.every(([, elements]) => elements.length === first[1].length)
  ) {
    const elements = first[1].map((_, index) => unify(tuples.map(([, each]) => each[index] ?? 'dynamic')))
    const known = elements.filter(type => type !== undefined)
    return known.length === elements.length ? ['tuple', known] : undefined
  }
  if (!words.has('set')) return collected('list', types)
  return words.size === 1 ? collected('set', types) : oneOf(types)
}

/** A type that all others can become. Lists come before sets, and types with texts are preferred. */
function oneOf(types: readonly StructuredType[]): Type | undefined {
  const ranked = [...types].sort((left, right) => rankOf(left) - rankOf(right))
  return ranked.find(wanted => types.every(type => mayBecome(type, wanted)))
}

function rankOf([is, of]: StructuredType): number {
  return (is === 'list' ? 0 : is === 'tuple' ? 2 : 4) + (of === 'string' ? 0 : 1)
}

function collected(is: CollectionType[0], types: readonly StructuredType[]): Type | undefined {
  const of = unify(types.flatMap(innerTypes))
  return of === undefined ? undefined : [is, of]
}

/**
 * Whether values of one type may become values of another, judging only by the types. A text may be a number,
 * and later turn out not to be one.
 */
function mayBecome(given: Type, wanted: Type): boolean {
  if (given === 'dynamic' || wanted === 'dynamic' || isSameType(given, wanted)) return true
  if (typeof given === 'string' || typeof wanted === 'string')
    return typeof given === typeof wanted && (given === 'string' || wanted === 'string')
  switch (wanted[0]) {
    case 'list':
    case 'set':
      return isOrdered(given) && innerTypes(given).every(type => mayBecome(type, wanted[1]))
    case 'map':
      return !isOrdered(given) && innerTypes(given).every(type => mayBecome(type, wanted[1]))
    case 'tuple':
      return (
        given[0] === 'tuple' &&
        given[1].length === wanted[1].length &&
        given[1].every((type, index) => mayBecome(type, wanted[1][index] ?? 'dynamic'))
      )
    case 'object':
      return Object.entries(wanted[1]).every(([name, type]) => {
        if (given[0] === 'map') return mayBecome(given[1], type)
        return given[0] === 'object' && Object.hasOwn(given[1], name)
          ? mayBecome(given[1][name] ?? 'dynamic', type)
          : false
      })
  }
}

/** The types of the parts of a value. */
export function innerTypes(type: StructuredType): readonly Type[] {
  switch (type[0]) {
    case 'tuple':
      return type[1]
    case 'object':
      return Object.values(type[1])
    default:
      return [type[1]]
  }
}

function isOrdered([is]: StructuredType): boolean {
  return is === 'list' || is === 'set' || is === 'tuple'
}

/**
 * An expression that cannot be evaluated: one line, lower case, with the remedy. `invalid` also fails in
 * Terraform, and `try` and `can` may catch it there. Terraform refuses `undeclared` names before it evaluates
 * anything, so `try` and `can` do not help. `unsupported` is not implemented here. A `consequence` follows
 * from another refusal that is already reported.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly is: 'invalid' | 'undeclared' | 'unsupported' | 'consequence'
  readonly remedy: string | undefined
  /** The innermost enclosing function call. */
  readonly inFunction: string | undefined

  constructor(is: Refusal['is'], message: string, remedy?: string, inFunction?: string) {
    super(message)
    this.is = is
    this.remedy = remedy
    this.inFunction = inFunction
  }
}

export function invalid(message: string, remedy?: string): Refusal {
  return new Refusal('invalid', message, remedy)
}

export function undeclared(message: string, remedy?: string): Refusal {
  return new Refusal('undeclared', message, remedy)
}

export function unsupported(message: string, remedy: string): Refusal {
  return new Refusal('unsupported', message, remedy)
}

/** OpenTofu accepts this. If either may run the configuration, `try` must not hide the refusal. */
export function invalidToTerraform(engine: string | undefined, message: string, remedy = elsewhere): Refusal {
  return new Refusal(engine === 'Terraform' ? 'invalid' : 'unsupported', message, remedy)
}

/** The refusal of an expression that depends on a refused value. */
export function consequence(): Refusal {
  return new Refusal('consequence', 'it follows from something that is refused')
}

/** The remedy for expressions that only Terraform can evaluate. */
export const elsewhere = 'compute it in TypeScript, or run this stack with Terraform'
