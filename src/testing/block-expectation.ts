import {
  brokenMarkIn,
  isMarkedNumber,
  markedForm,
  markedNumberIn,
  propertyOf,
} from '../constructs/engine/engine-marks.ts'
import { textOfLiteral } from '../hcl/literal-template.ts'
import type { Json } from '../model/text/json.ts'
import { meantHint } from '../model/text/names.ts'
import type { TerraformAttribute, TerraformAttributes } from '../schema/terraform/terraform-attribute.ts'
import { isOurType } from '../schema/terraform/terraform-names.ts'
import { terraformSchema } from '../schema/terraform/terraform-schema.ts'
import {
  type Asymmetric,
  asymmetricText,
  capturing,
  containerSample,
  type Difference,
  differencesIn,
  type Equals,
  InAnyOrder,
  isAsymmetric,
  requireUsable,
  withSample,
} from './expected.ts'
import type { StackBlock } from './synthesize.ts'

/** The result of a matcher for the test framework. */
export interface Verdict {
  readonly pass: boolean
  readonly message: () => string
}

/** What a test expects of the blocks of one type. */
export interface BlockExpectation {
  /** The blocks of that type. */
  readonly blocks: readonly StackBlock[]
  /** Their name in messages: `vexil_feature_flag`. */
  readonly called: string
  /** What exists instead if there is none: `only vexil_plugin`. */
  readonly otherwise: () => string
  /** Under the names that a stack has. */
  readonly expected: object
  /** How many have to be as expected; at least one if undefined. */
  readonly times?: number | undefined
  /** Attributes whose values no message shows. */
  readonly sensitive?: ReadonlySet<string>
}

/**
 * Whether this number of blocks is as expected. A failure names the nearest block and what it lacks, or
 * those that are too many.
 */
export function expectBlocks(expectation: BlockExpectation, equals: Equals): Verdict {
  const { blocks, called, expected, times } = expectation
  requireKnown(expected, 'attributes')
  requireUsable(expected)
  requireTimes(times)
  const candidates = blocks.map(block => {
    let differences: readonly Difference[] = []
    capturing(expected, () => {
      differences = differencesIn(block.attributes, expected, equals)
      return differences.length === 0
    })
    return { block, differences }
  })
  const found = candidates.filter(({ differences }) => differences.length === 0).map(({ block }) => block)
  if (times === undefined && found.length > 0) {
    return { pass: true, message: () => `expected no ${called} like ${listed(found)}, but the stack has it` }
  }
  const count = `${found.length} ${called}`
  if (found.length === times) {
    return {
      pass: true,
      message: () => `expected another number, but the stack has ${count}: ${listed(found)}`,
    }
  }
  if (times !== undefined && found.length > times) {
    return {
      pass: false,
      message: () => `expected ${times} ${called} like this, got ${found.length}: ${listed(found)}`,
    }
  }
  const others = candidates.filter(({ differences }) => differences.length > 0)
  return { pass: false, message: () => missing(expectation, found, others) }
}

export function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}

/** Checks how often something is expected. */
export function requireTimes(times: number | undefined): void {
  if (times === undefined || (Number.isInteger(times) && times >= 0)) return
  throw new Error(`times must be a whole number, not ${shown(times)}`)
}

interface Candidate {
  readonly block: StackBlock
  readonly differences: readonly Difference[]
}

function missing(
  { blocks, called, otherwise, expected, times, sensitive = new Set() }: BlockExpectation,
  found: readonly StackBlock[],
  others: readonly Candidate[],
): string {
  const wanted = times === undefined ? withArticle(called) : `${times} ${called}`
  if (blocks.length === 0) return `expected ${wanted}, but the stack has ${otherwise()}`
  const [nearest] = [...others].sort(
    (left, right) =>
      left.differences.length - right.differences.length ||
      // People name first what distinguishes one block from another.
      firstDifference(right, expected) - firstDifference(left, expected),
  )
  const got =
    times === undefined ? '' : ` got ${found.length}${found.length > 0 ? `, ${listed(found)}` : ''};`
  if (nearest === undefined) return `expected ${wanted},${got} the stack has no others`
  return [
    `expected ${wanted} with these attributes;${got} of ${blocks.length}, ${nearest.block.address} is the closest:`,
    ...nearest.differences.slice(0, mostLines).map(each => differenceLine(each, nearest.block, sensitive)),
    ...(nearest.differences.length > mostLines
      ? [`  and ${nearest.differences.length - mostLines} more`]
      : []),
  ].join('\n')
}

/** Which of the expected attributes is the first that differs. */
function firstDifference({ differences: [first] }: Candidate, expected: object): number {
  const [, name = ''] = first?.pointer.split('/') ?? []
  return Object.keys(expected).indexOf(name)
}

const mostLines = 6

function listed(blocks: readonly StackBlock[]): string {
  const addresses = blocks.slice(0, mostLines).map(({ address }) => address)
  const more = blocks.length - addresses.length
  return `${addresses.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function differenceLine(
  { pointer, expected, actual }: Difference,
  { attributes }: StackBlock,
  sensitive: ReadonlySet<string>,
): string {
  const [, first = ''] = pointer.split('/')
  if (sensitive.has(first))
    return `  ${pointer}: expected another value than the current one, which is sensitive`
  const wanted = `  ${pointer}: expected ${shown(expected)}, got ${shown(actual)}`
  const snake = first.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  const isSpelledOtherwise = actual === undefined && snake !== first && snake in attributes
  return isSpelledOtherwise ? `${wanted}; a synthesized stack spells it "${snake}"` : wanted
}

/** A value in a message, cut if it is long. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return short(JSON.stringify(textOfLiteral(value)))
  if (isAsymmetric(value)) return short(asymmetricText(value))
  if (value instanceof RegExp) return String(value)
  // A value that cannot be JSON is shown as its own text.
  return short(JSON.stringify(value as Json) ?? String(value))
}

function short(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

const longest = 200

/**
 * Refuses a value that is known only in a plan: a test compares with what was synthesized, which
 * has an expression in its place.
 */
export function requireKnown(value: unknown, name: string, around: readonly object[] = []): void {
  if (isKnownLater(value)) {
    throw new TypeError(
      `"${name}" is known only in a plan; expect what a stack has in its place, as '\${var.name}', ` +
        'or a value that is known now',
    )
  }
  if (isAsymmetric(value)) {
    requireKnown(containerSample(value), name, around)
    return
  }
  if (typeof value !== 'object' || value === null || around.includes(value)) return
  for (const [key, member] of Object.entries(value)) {
    requireKnown(key, name)
    requireKnown(member, Array.isArray(value) ? `${name}[${key}]` : `${name}.${key}`, [...around, value])
  }
}

/** Whether it is or contains an expression, which an engine writes instead of a value. */
export function isKnownLater(value: unknown): boolean {
  if (typeof value === 'string')
    return brokenMarkIn(value) !== undefined || markedNumberIn(value) !== undefined
  return markedForm(value) !== undefined || (typeof value === 'number' && isMarkedNumber(value))
}

/** The stack of an app to check, and how often something has to be there. */
export interface BlockOptions {
  /** How many there have to be: no more and no fewer. At least one if undefined. */
  readonly times?: number
  /** The name of one stack; all stacks if undefined. */
  readonly stack?: string
}

/** Reads them; an unknown option is refused, since it would silently have no effect. */
export function blockOptions(options: BlockOptions): BlockOptions {
  return readOptions(options, ['times', 'stack'])
}

/** Options with only these names. */
export function readOptions<Options extends object>(
  options: Options,
  names: readonly (keyof Options & string)[],
): Options {
  requireKnown(options, 'options')
  const unknown = Object.keys(options).find(name => !(names as readonly string[]).includes(name))
  if (unknown === undefined) return options
  throw new Error(
    `there is no option "${unknown}"; ${meantHint(unknown, names, `there are ${names.join(', ')}`)}`,
  )
}

/** The members of an object of a stack, under the names in a stack; undefined allows any members. */
type Members = ReadonlyMap<string, Shape> | undefined

/** The values of an attribute: an object, or a list of objects; elements whose order has no meaning. */
type Shape = Members | InAnyOrder['of']

/**
 * What a test expects of a block, under the names in a synthesized stack: `rolloutPercentage` is
 * `rollout_percentage`. Throws if a block of this type has no such attribute: a misspelled one never exists,
 * so a test of its absence could not fail. Names of other providers' types are not checked.
 *
 * @param type As in addresses: `vexil_feature_flag`, `data.vexil_feature_flag`, `provider.vexil`.
 */
export function asSynthesized(type: string, expected: Readonly<Record<string, unknown>>): object {
  const members = membersOf(type)
  const named = members === undefined ? expected : translated(expected, members, { type, path: '' })
  // An object stays one.
  return named as object
}

/** The same of a block with these members, whose values are not changed. */
export function namedAmong(
  names: readonly string[],
  expected: Readonly<Record<string, unknown>>,
  type: string,
): object {
  // An object stays one.
  return translated(expected, new Map(names.map(name => [name, undefined])), { type, path: '' }) as object
}

/** The attributes of a type whose values no message may show. */
export function sensitiveIn(type: string): ReadonlySet<string> {
  const attributes = type === 'provider.vexil' ? terraformSchema().provider.attributes : {}
  return new Set(Object.entries(attributes).flatMap(([name, { sensitive }]) => (sensitive ? [name] : [])))
}

/** The place of a name, for the error. */
interface Place {
  readonly type: string
  readonly path: string
  /** Within a matcher of the test framework, which compares lists itself. */
  readonly isInMatcher?: true
}

function translated(expected: unknown, members: Shape, place: Place): unknown {
  if (members === undefined || typeof expected !== 'object' || expected === null) return expected
  if (typeof members === 'string')
    return Array.isArray(expected) && !place.isInMatcher ? new InAnyOrder(expected, members) : expected
  if (isAsymmetric(expected)) return translatedMatcher(expected, members, place)
  if (Array.isArray(expected)) {
    return expected.map((each, at) => translated(each, members, { ...place, path: `${place.path}[${at}]` }))
  }
  requirePlain(expected, place)
  const named = new Map<string, unknown>()
  for (const [given, value] of Object.entries(expected)) {
    const name = nameIn(members, given, place)
    if (named.has(name))
      throw new Error(`${where(place)}"${given}" and "${name}" are the same attribute; expect it once`)
    const path = place.path === '' ? given : `${place.path}.${given}`
    named.set(name, translated(value, members.get(name), { ...place, path }))
  }
  return Object.fromEntries(named)
}

/** Values that have members have them under the names of a stack. */
function translatedMatcher(matcher: Asymmetric, members: ReadonlyMap<string, Shape>, place: Place): unknown {
  const sample = containerSample(matcher)
  return sample === undefined
    ? matcher
    : withSample(matcher, translated(sample, members, { ...place, isInMatcher: true }))
}

/** What a construct is made with can be an object of a class, such as a `When`; a stack has something else in its place. */
function requirePlain(expected: object, place: Place): void {
  const prototype: object | null = Object.getPrototypeOf(expected)
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return
  const { name } = expected.constructor
  throw new Error(
    `${where(place)}a stack does not contain a ${name}; expect its result, such as { rolloutPercentage: 5 }`,
  )
}

function nameIn(members: ReadonlyMap<string, unknown>, given: string, place: Place): string {
  if (members.has(given)) return given
  const names = [...members.keys()]
  const found = names.find(name => propertyOf(name) === given)
  if (found !== undefined) return found
  const otherwise = instead.get(given)
  // A misspelled name gets its hint in the same case of letters.
  const known = given.includes('_') ? names : names.map(propertyOf)
  const hint = otherwise ?? meantHint(given, known, `there are ${[...known].sort().join(', ')}`)
  throw new Error(`${where(place)}"${given}" is not an attribute of ${place.type}; ${hint}`)
}

function where({ path }: Place): string {
  return path === '' ? '' : `${path}: `
}

/** Properties of our constructs that do not become attributes. */
const instead: ReadonlyMap<string, string> = new Map([
  ['protect', 'a stack contains it as lifecycle: { preventDestroy: true }'],
  ['editors', 'each editor is a grant'],
  ['logicalId', 'it is the name in the address'],
])

function membersOf(type: string): Members {
  const { resources, dataSources, provider } = terraformSchema()
  if (type === 'provider.vexil') return membersIn(provider.attributes, providerArguments)
  const name = type.replace(/^data\./, '')
  if (!isOurType(name)) return undefined
  const blocks = name === type ? resources : dataSources
  const block = blocks[name]
  if (block) return membersIn(block.attributes, metaArguments)
  const prefix = type.slice(0, type.length - name.length)
  const known = Object.keys(blocks).map(each => `${prefix}${each}`)
  throw new Error(`there is no ${type}; ${meantHint(type, known, `there are ${known.sort().join(', ')}`)}`)
}

function membersIn(attributes: TerraformAttributes, more: Members): Members {
  const own = Object.entries(attributes).map(
    ([name, attribute]) => [name, shapeOf(attribute, name, attributes)] as const,
  )
  return new Map([...own, ...(more ?? [])])
}

function shapeOf(attribute: TerraformAttribute, name: string, beside: TerraformAttributes): Shape {
  if ('list' in attribute) return membersIn(attribute.list, undefined)
  // Whether the values of a condition's property have an order depends on its operator.
  if (name === 'values' && 'operator' in beside) return 'values'
  return typeof attribute.type !== 'string' && attribute.type[0] === 'set' ? 'set' : undefined
}

/** What Terraform accepts in the blocks of every type. */
const metaArguments: Members = new Map([
  ['count', undefined],
  ['depends_on', undefined],
  ['for_each', undefined],
  ['provider', undefined],
  ['connection', undefined],
  ['provisioner', undefined],
  [
    'lifecycle',
    new Map(
      [
        'create_before_destroy',
        'prevent_destroy',
        'ignore_changes',
        'replace_triggered_by',
        'precondition',
        'postcondition',
      ].map(name => [name, undefined]),
    ),
  ],
])

const providerArguments: Members = new Map([['alias', undefined]])
