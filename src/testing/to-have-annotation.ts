import type { Annotation } from '../stack/index.ts'
import { requireTimes, shown, type Verdict, withArticle } from './block-expectation.ts'
import { type Asymmetric, isAsymmetric } from './expected/asymmetric.ts'
import { type BlockOptions, readOptions } from './expected/options.ts'
import { requireKnown } from './require-known.ts'
import type { Subject } from './subject.ts'
import { chooseStacks, synthesize } from './synthesize.ts'

export type AnnotationLevel = Annotation['level']

/** Text that is to be in it, a pattern, or a matcher. */
export type ExpectedText = string | RegExp | Asymmetric

export interface AnnotationOptions extends BlockOptions {
  /** The path of the construct, or of one around it: `production/Checkout`; or a pattern of paths. */
  readonly at?: ExpectedText
}

/**
 * Whether constructs have an annotation of a level. Errors, which make a synthesis fail, are annotations here, so that
 * policies can be tested.
 */
export function haveAnnotation(
  subject: Subject,
  level: AnnotationLevel | undefined,
  message: ExpectedText | undefined,
  options: AnnotationOptions,
): Verdict {
  const { at, times, stack } = readOptions(options, ['at', 'times', 'stack'])
  requireKnown([level, message], 'annotation')
  requireTimes(times)
  if (level !== undefined && !levels.includes(level))
    throw new Error(`an annotation is one of ${levels.join(', ')}, not ${shown(level)}`)
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
      ? { pass: true, message: () => lines(`expected no ${wanted}, and there is one`, found) }
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

/** Each once: aspects say the same again each time that an app is synthesized. */
function annotationsOf(subject: Subject, stack: string | undefined): readonly Annotation[] {
  const { stacks, remove } = synthesize(subject, { despiteErrors: true })
  try {
    if (stacks.some(({ annotations }) => annotations === undefined)) {
      throw new Error(
        'the text of a stack has no annotations: give the stack, its app, or the folder of an app with its manifest.json',
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
  throw new TypeError(`${shown(expected)} is no text, pattern or matcher`)
}

function otherLines(head: string, others: readonly Annotation[]): string {
  return lines(
    `${head}; ${others.length === 0 ? 'there is no annotation at all' : 'there are others'}`,
    others,
  )
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
