import {
  brokenMarkIn,
  isMarkedNumber,
  markedForm,
  markedNumberIn,
} from '../constructs/engine/engine-marks.ts'
import { textOfLiteral } from '../hcl/literal-template.ts'
import type { Json } from '../model/json/json.ts'
import { meantHint } from '../model/text/did-you-mean.ts'
import {
  asymmetricText,
  capturing,
  containerSample,
  type Difference,
  differencesIn,
  type Equals,
  isAsymmetric,
  requireUsable,
} from './expected.ts'
import type { StackBlock } from './stack-blocks.ts'

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
    return { pass: true, message: () => `expected no ${called} like ${listed(found)}, and there it is` }
  }
  const count = `${found.length} ${called}`
  if (found.length === times) {
    return {
      pass: true,
      message: () => `expected another number of them, and there are ${count}: ${listed(found)}`,
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
  throw new Error(`times is how many there have to be: a whole number, not ${shown(times)}`)
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
  if (nearest === undefined) return `expected ${wanted},${got} there are no others`
  return [
    `expected ${wanted} with these attributes;${got} of ${blocks.length}, ${nearest.block.address} comes nearest:`,
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
    return `  ${pointer}: expected something else than what is there, which is sensitive`
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
 * Refuses a value that is known only once a plan is made: a test compares with what was synthesized, which
 * has an expression in its place.
 */
export function requireKnown(value: unknown, name: string, around: readonly object[] = []): void {
  if (isKnownLater(value)) {
    throw new TypeError(
      `"${name}" is known only once a plan is made; expect what a stack has in its place, as '\${var.name}', ` +
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
