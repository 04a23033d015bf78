import { roleAccess } from '../kinds/index.ts'
import type { Json, JsonObject } from '../model/text/json.ts'
import { didYouMean, meantHint } from '../model/text/names.ts'
import { parentAttribute, typeName } from '../schema/terraform/terraform-names.ts'
import type { Annotation } from '../stack/index.ts'
import {
  asSynthesized,
  type BlockOptions,
  blockOptions,
  expectBlocks,
  isKnownLater,
  namedAmong,
  readOptions,
  requireKnown,
  requireTimes,
  sensitiveIn,
  shown,
  type Verdict,
  withArticle,
} from './block-expectation.ts'
import { type Asymmetric, type Equals, isAsymmetric, type MatcherContext } from './expected.ts'
import {
  blocksOf,
  chooseStacks,
  type ResourceType,
  resourceTypeName,
  type StackBlock,
  type Subject,
  synthesize,
} from './synthesize.ts'

/** Attributes under their names in constructs or in Terraform. */
export type Attributes = Readonly<Record<string, unknown>>

/** The stack has such a resource; with `{ times }`, so many. */
export function toHaveResource(
  this: MatcherContext,
  subject: Subject,
  type: ResourceType,
  attributes: Attributes = {},
  options: BlockOptions = {},
): Verdict {
  requireKnown(type, 'type')
  return haveBlocks(subject, resourceTypeName(type), attributes, options, this.equals)
}

/** The stack has no such resource. */
export function toHaveNoResource(
  this: MatcherContext,
  subject: Subject,
  type: ResourceType,
  attributes: Attributes = {},
  options: Omit<BlockOptions, 'times'> = {},
): Verdict {
  return none(toHaveResource.call(this, subject, type, attributes, readOptions(options, ['stack'])))
}

/** The stack has so many of such resources, no more and no fewer. */
export function toHaveResourceCount(
  this: MatcherContext,
  subject: Subject,
  type: ResourceType,
  count: number,
  attributes: Attributes = {},
  options: Omit<BlockOptions, 'times'> = {},
): Verdict {
  if (count === undefined) throw new TypeError('the count is missing: toHaveResourceCount(type, count)')
  const { stack } = readOptions(options, ['stack'])
  return toHaveResource.call(this, subject, type, attributes, { stack, times: count })
}

/** The stack looks something up: a data source, by its class or its type, with or without `data.`. */
export function toHaveDataSource(
  this: MatcherContext,
  subject: Subject,
  type: ResourceType,
  attributes: Attributes = {},
  options: BlockOptions = {},
): Verdict {
  requireKnown(type, 'type')
  const name = resourceTypeName(type)
  if (typeof type !== 'string' && !name.startsWith('data.'))
    throw new Error(`${name} is a resource; use toHaveResource`)
  const data = name.startsWith('data.') ? name : `data.${name}`
  return haveBlocks(subject, data, attributes, options, this.equals)
}

/** The stack configures a provider, by its class or its name. */
export function toHaveProvider(
  this: MatcherContext,
  subject: Subject,
  provider: ResourceType,
  attributes: Attributes = {},
  options: BlockOptions = {},
): Verdict {
  requireKnown(provider, 'provider')
  return haveBlocks(subject, `provider.${resourceTypeName(provider)}`, attributes, options, this.equals)
}

/** What is expected not to be there. */
function none({ pass, message }: Verdict): Verdict {
  return { pass: !pass, message }
}

function haveBlocks(
  subject: Subject,
  type: string,
  attributes: Attributes,
  options: BlockOptions,
  equals: Equals,
): Verdict {
  const { times, stack } = blockOptions(options)
  requireKnown(attributes, 'attributes')
  const expected = asSynthesized(type, attributes)
  const all = blocksOf(subject, stack)
  return expectBlocks(
    {
      blocks: all.filter(block => block.type === type),
      called: type,
      otherwise: () => typesIn([...new Set(all.map(block => block.type))].filter(isLike(type)), type),
      expected,
      times,
      sensitive: sensitiveIn(type),
    },
    equals,
  )
}

/** Separates resources and data sources from providers and outputs. */
function isLike(type: string): (other: string) => boolean {
  const isProvider = type.startsWith('provider.')
  return other => other !== 'output' && other.startsWith('provider.') === isProvider
}

function typesIn(types: readonly string[], wanted: string): string {
  if (types.length === 0) return wanted.startsWith('provider.') ? 'no providers' : 'no resources'
  const near = didYouMean(wanted, types)
  return near === undefined ? `only ${[...types].sort().join(', ')}` : `none; did you mean "${near}"?`
}

/** The members of an output, under the names of constructs or of Terraform. */
export type OutputAttributes = Readonly<Record<string, unknown>>

/**
 * The stack has an output with this logical id, the one that it was made with at the top of a stack:
 * `{ value, description, sensitive }`.
 */
export function toHaveOutput(
  this: MatcherContext,
  subject: Subject,
  name: string,
  attributes: OutputAttributes = {},
  options: BlockOptions = {},
): Verdict {
  requireKnown(name, 'name')
  requireKnown(attributes, 'attributes')
  const { times, stack } = blockOptions(options)
  const expected = namedAmong(members, attributes, 'an output')
  const outputs = blocksOf(subject, stack).filter(({ type }) => type === 'output')
  const blocks = outputs.filter(({ path }) => path === `output.${name}`)
  const sensitive = blocks.some(block => block.attributes.sensitive === true) ? ['value'] : []
  const names = outputs.map(({ path }) => path.slice('output.'.length)).sort()
  return expectBlocks(
    {
      blocks,
      called: `output "${name}"`,
      otherwise: () =>
        names.length === 0
          ? 'no outputs'
          : `none; ${meantHint(name, names, `there are ${names.join(', ')}`)}`,
      expected,
      times,
      sensitive: new Set(sensitive),
    },
    this.equals,
  )
}

const members = ['value', 'description', 'sensitive', 'depends_on', 'precondition', 'ephemeral']

/** A flag by its key, or an object with one: a `Flag` of a stack. */
export type ExpectedFlag = string | { readonly key: string } | Asymmetric
/** A role by its id, or an object with one: a `Role` of a stack. A looked-up role has a name: `{ name }`. */
export type ExpectedRole = string | { readonly id: string } | { readonly name: string } | Asymmetric

export interface GrantOptions extends BlockOptions {
  /** What the role may do, on services that have levels. */
  readonly accessLevel?: unknown
}

/** The stack allows a role to edit a flag, or gives it a level there. Flags by key, roles by id. */
export function toHaveGrant(
  this: MatcherContext,
  subject: Subject,
  flag: ExpectedFlag,
  role: ExpectedRole,
  options: GrantOptions = {},
): Verdict {
  const { times, stack, accessLevel } = readOptions(options, ['times', 'stack', 'accessLevel'])
  const expected = {
    flag: memberOf(flag, 'key', 'flag'),
    ...expectedRole(role),
    ...(accessLevel === undefined ? {} : { access_level: accessLevel }),
  }
  const grants = grantsIn(blocksOf(subject, stack))
  return expectBlocks(
    { blocks: grants, called: 'grant', otherwise: () => 'no grants', expected, times },
    this.equals,
  )
}

/** By its name if its id is that of a role which a plan looks up. */
function expectedRole(role: ExpectedRole): object {
  if (typeof role === 'object' && !isAsymmetric(role) && 'name' in role && typeof role.name === 'string') {
    const id = 'id' in role ? role.id : undefined
    if (id === undefined || isKnownLater(id)) return { role_name: memberOf(role, 'name', 'role') }
  }
  return { role: memberOf(role, 'id', 'role') }
}

/** The expected value, as it is or from a construct. */
function memberOf(given: unknown, member: 'key' | 'id' | 'name', name: string): unknown {
  const isHolder = typeof given === 'object' && given !== null && !isAsymmetric(given)
  const expected: unknown = isHolder ? Reflect.get(given, member) : given
  requireKnown(expected, name)
  if (typeof expected === 'string' || isAsymmetric(expected)) return expected
  throw new TypeError(`"${name}" is not a ${name}: pass its ${member}, or an object with "${member}"`)
}

const grantType = typeName(roleAccess.name)

/** Each grant, with the key of its flag in place of the reference to it, and the name of a role that is looked up. */
function grantsIn(blocks: readonly StackBlock[]): readonly StackBlock[] {
  return blocks
    .filter(({ type }) => type === grantType)
    .map(block => {
      const { role_id: role, access_level } = block.attributes
      const attributes: JsonObject = {
        flag: namedBy(block, blocks, block.attributes[parentAttribute(roleAccess) ?? ''], 'key'),
        ...(role === undefined ? {} : { role, role_name: namedBy(block, blocks, role, 'name') }),
        ...(access_level === undefined ? {} : { access_level }),
      }
      return { ...block, attributes }
    })
}

/** The value of this name at the other end of a reference to an id; the id if it is no reference. */
function namedBy(
  { stack }: StackBlock,
  blocks: readonly StackBlock[],
  id: Json | undefined,
  name: string,
): Json {
  const [, address] = /^\$\{([\w.-]+)(?:\[[^\]]*\])?\.id\}$/.exec(String(id)) ?? []
  const found = blocks.find(block => block.path === address && block.stack === stack)
  return found?.attributes[name] ?? id ?? null
}

export type AnnotationLevel = Annotation['level']

/** Text that is to be in it, a pattern, or a matcher. */
export type ExpectedText = string | RegExp | Asymmetric

export interface AnnotationOptions extends BlockOptions {
  /** The path of the construct, or of one around it: `production/Checkout`; or a pattern of paths. */
  readonly at?: ExpectedText
}

/** A construct has an annotation; errors of policies are some. */
export function toHaveAnnotation(
  this: MatcherContext,
  subject: Subject,
  level: AnnotationLevel,
  message?: ExpectedText,
  options: AnnotationOptions = {},
): Verdict {
  if (level === undefined)
    throw new TypeError('the level of the annotation is missing: error, warning or info')
  return haveAnnotation(subject, level, message, options)
}

/** No construct has such an annotation; without a level, none at all. */
export function toHaveNoAnnotation(
  this: MatcherContext,
  subject: Subject,
  level?: AnnotationLevel,
  message?: ExpectedText,
  options: Omit<AnnotationOptions, 'times'> = {},
): Verdict {
  return none(haveAnnotation(subject, level, message, readOptions(options, ['at', 'stack'])))
}

/** Errors, which make a synthesis fail, are annotations here, so that policies can be tested. */
function haveAnnotation(
  subject: Subject,
  level: AnnotationLevel | undefined,
  message: ExpectedText | undefined,
  options: AnnotationOptions,
): Verdict {
  const { at, times, stack } = readOptions(options, ['at', 'times', 'stack'])
  requireKnown([level, message], 'annotation')
  requireTimes(times)
  if (level !== undefined && !levels.includes(level))
    throw new Error(`the level of an annotation is one of ${levels.join(', ')}, not ${shown(level)}`)
  const all = annotationsOf(subject, stack)
  const found = all.filter(
    each =>
      (level === undefined || each.level === level) &&
      (message === undefined || isText(each.message, message)) &&
      (at === undefined || isAt(each.constructPath, at)),
  )
  const wanted = [
    level ?? 'annotation',
    ...(message === undefined ? [] : [`with ${shown(message)}`]),
    ...(at === undefined ? [] : [`at ${shown(at)}`]),
  ].join(' ')
  if (times === undefined) {
    return found.length > 0
      ? { pass: true, message: () => lines(`expected no ${wanted}, but there is one`, found) }
      : { pass: false, message: () => otherLines(`expected ${withArticle(wanted)}`, all) }
  }
  const isSoMany = found.length === times
  const number = isSoMany ? 'another number of' : times
  return {
    pass: isSoMany,
    message: () => lines(`expected ${number} annotations: ${wanted}; got ${found.length}`, found),
  }
}

const levels: readonly AnnotationLevel[] = ['error', 'warning', 'info']

/** Each once: aspects add the same again each time that an app is synthesized. */
function annotationsOf(subject: Subject, stack: string | undefined): readonly Annotation[] {
  const { stacks, remove } = synthesize(subject, { despiteErrors: true })
  try {
    if (stacks.some(({ annotations }) => annotations === undefined)) {
      throw new Error(
        'the text of a stack has no annotations: pass the stack, its app, or the folder of an app with its manifest.json',
      )
    }
    const all = chooseStacks(stacks, stack).flatMap(({ annotations = [] }) => annotations)
    return [...new Map(all.map(each => [lineOf(each), each])).values()]
  } finally {
    remove()
  }
}

function isText(actual: string, expected: ExpectedText): boolean {
  if (typeof expected === 'string') return actual.includes(expected)
  return expected instanceof RegExp ? new RegExp(expected).test(actual) : matches(actual, expected)
}

function isAt(path: string, at: ExpectedText): boolean {
  if (typeof at === 'string') return path === at || path.startsWith(`${at}/`)
  return at instanceof RegExp ? new RegExp(at).test(path) : matches(path, at)
}

function matches(actual: string, expected: unknown): boolean {
  if (isAsymmetric(expected)) return expected.asymmetricMatch(actual)
  throw new TypeError(`${shown(expected)} is not a text, pattern or matcher`)
}

function otherLines(head: string, others: readonly Annotation[]): string {
  return lines(`${head}; ${others.length === 0 ? 'there are no annotations' : 'there are others'}`, others)
}

function lines(head: string, annotations: readonly Annotation[]): string {
  if (annotations.length === 0) return head
  const first = annotations.slice(0, mostLines).map(each => `  ${lineOf(each)}`)
  const more = annotations.length - first.length
  return [`${head}:`, ...first, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n')
}

const mostLines = 6

function lineOf({ level, message, constructPath }: Annotation): string {
  return `[${constructPath}] ${level}: ${message}`
}
