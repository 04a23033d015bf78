import { propertyOf } from '../constructs/engine/names.ts'
import { meantHint } from '../model/text/did-you-mean.ts'
import type { TerraformAttribute, TerraformAttributes } from '../schema/terraform/terraform-attribute.ts'
import { isOurType } from '../schema/terraform/terraform-names.ts'
import { terraformSchema } from '../schema/terraform/terraform-schema.ts'
import { type Asymmetric, containerSample, InAnyOrder, isAsymmetric, withSample } from './expected.ts'

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
      throw new Error(`${where(place)}"${given}" and "${name}" are one attribute; expect it once`)
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
    `${where(place)}a ${name} is not in a stack; expect what it becomes, such as { rolloutPercentage: 5 }`,
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
  throw new Error(`${where(place)}"${given}" is no attribute of ${place.type}; ${hint}`)
}

function where({ path }: Place): string {
  return path === '' ? '' : `${path}: `
}

/** Properties of our constructs that do not become attributes. */
const instead: ReadonlyMap<string, string> = new Map([
  ['protect', 'a stack has it as lifecycle: { preventDestroy: true }'],
  ['editors', 'each of them is a grant'],
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
