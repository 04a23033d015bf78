import {
  type AliasEvent,
  EVENT_ID,
  type Event,
  getScalarValue,
  type MappingEvent,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml'
import { deepest } from '../../hcl/json.ts'
import { didYouMean } from '../../model/text/did-you-mean.ts'
import { quote } from '../check/problem-order.ts'
import { inspectKey, inspectScalar, isTypedKey, type ScalarProblem } from './inspect-scalar.ts'

/** Something that is valid YAML, but no usable data. */
export interface ParseProblem extends ScalarProblem {
  readonly offset: number
}

export interface Inspection {
  readonly problems: readonly ParseProblem[]
  /** Plain keys that people mean as text and YAML would turn into a number, a boolean or null. */
  readonly typedKeys: ReadonlySet<Event>
}

/** How many nodes the aliases of one file may expand to: 10,000 flags that share an audience of a hundred nodes. */
const mostAliasedNodes = 1_000_000

/** How many problems of one file are listed: further ones are usually the same problem. */
export const mostProblems = 100

const jsonTags = new Set(['!', '!!str', '!!int', '!!float', '!!bool', '!!null', '!!map', '!!seq'])

/**
 * Checks the events of a text, before any value is built from them, for dangerous content (bombs of
 * aliases, cycles, keys with a special meaning for JavaScript objects) and for values that JSON cannot hold.
 */
export function inspectEvents(text: string, events: readonly Event[]): Inspection {
  const inspector = new Inspector(text)
  for (const event of events) {
    inspector.take(event)
    if (inspector.isHopeless || inspector.hasTooMany) break
  }
  return inspector
}

/** The size of a node, counted through aliases. */
interface Size {
  readonly nodes: number
  /** Levels of lists and maps; none for a scalar. */
  readonly height: number
}

/** A list or a map that is still open; its height is that of its content so far. */
interface Frame {
  readonly isMapping: boolean
  readonly anchor: string | undefined
  /** The last key, or that of the innermost map around a sequence. */
  member: string | undefined
  expectsKey: boolean
  nodes: number
  height: number
}

class Inspector implements Inspection {
  readonly problems: ParseProblem[] = []
  readonly typedKeys = new Set<Event>()
  /** True when further checks would cost too much or only repeat the same problem. */
  isHopeless = false

  readonly #text: string
  readonly #frames: Frame[] = []
  readonly #anchors = new Map<string, Size | 'open'>()
  #documents = 0
  #errors = 0
  #written = 0
  #offset = 0

  constructor(text: string) {
    this.#text = text
  }

  get hasTooMany(): boolean {
    return this.#errors >= mostProblems
  }

  take(event: Event): void {
    switch (event.type) {
      case EVENT_ID.POP:
        this.#close()
        break
      case EVENT_ID.DOCUMENT:
        this.#documents += 1
        this.#open(false, undefined)
        break
      default:
        this.#node(event)
    }
  }

  #node(event: AliasEvent | ScalarEvent | SequenceEvent | MappingEvent): void {
    const isKey = this.#nextIsKey()
    this.#offset = offsetOf(event) ?? this.#offset
    this.#written += 1
    if (this.#documents > 1) this.#give('several-documents')
    else if (event.type === EVENT_ID.ALIAS) this.#alias(event, isKey)
    else {
      this.#tag(event)
      if (event.type === EVENT_ID.SCALAR) this.#scalar(event, isKey)
      else this.#collection(event, isKey)
    }
  }

  #alias(event: AliasEvent, isKey: boolean): void {
    const name = this.#text.slice(event.anchorStart, event.anchorEnd)
    const size = this.#anchors.get(name)
    if (isKey) this.#report('complex-key', 'a key cannot be an alias', 'write the key out')
    if (size === undefined) {
      const meant = didYouMean(name, [...this.#anchors.keys()])
      this.#report(
        'unknown-alias',
        `no anchor above is called ${quote(name)}`,
        meant && `did you mean "*${meant}"?`,
      )
    } else if (size === 'open') {
      this.#report('recursive-alias', `"*${name}" stands inside the very value that it names`)
    } else this.#count(size)
  }

  #tag(event: ScalarEvent | SequenceEvent | MappingEvent): void {
    const tag = tagOf(this.#text, event)
    if (tag === undefined || jsonTags.has(tag)) return
    this.#report(
      'unknown-tag',
      `${quote(tag)} is not data that JSON can hold`,
      'leave the tag out and write text',
    )
  }

  #scalar(event: ScalarEvent, isKey: boolean): void {
    const tag = tagOf(this.#text, event)
    const problem = isKey
      ? this.#key(event, tag)
      : inspectScalar(this.#text, event, tag, this.#frames.at(-1)?.member)
    if (problem) this.#find(problem)
    const size = { nodes: 1, height: 0 }
    const anchor = anchorOf(this.#text, event)
    if (anchor !== undefined) this.#anchors.set(anchor, size)
    this.#count(size)
  }

  #key(event: ScalarEvent, tag: string | undefined): ScalarProblem | undefined {
    const key = event.valueStart < 0 ? '' : getScalarValue(this.#text, event)
    const frame = this.#frames.at(-1)
    if (frame) frame.member = key
    if (tag === undefined && isTypedKey(key, event)) this.typedKeys.add(event)
    return inspectKey(key, event)
  }

  #collection(event: SequenceEvent | MappingEvent, isKey: boolean): void {
    if (isKey)
      this.#report('complex-key', 'a key must be text', 'quote it, if the brackets belong to the text')
    const anchor = anchorOf(this.#text, event)
    if (anchor !== undefined) this.#anchors.set(anchor, 'open')
    this.#open(event.type === EVENT_ID.MAPPING, anchor)
  }

  #open(isMapping: boolean, anchor: string | undefined): void {
    const { member } = this.#frames.at(-1) ?? {}
    this.#frames.push({ isMapping, anchor, member, expectsKey: isMapping, nodes: 1, height: 0 })
  }

  #close(): void {
    const frame = this.#frames.pop()
    if (!frame) return
    const size = { nodes: frame.nodes, height: frame.height + 1 }
    if (frame.anchor !== undefined) this.#anchors.set(frame.anchor, size)
    this.#count(size)
  }

  /** Counts a finished node into its parent. */
  #count({ nodes, height }: Size): void {
    const frame = this.#frames.at(-1)
    if (!frame) return
    frame.nodes += nodes
    frame.height = Math.max(frame.height, height)
    // Written nodes are not counted, only aliased ones: only a file of many megabytes could write that many.
    if (frame.nodes - this.#written > mostAliasedNodes) this.#give('alias-bomb')
    // The document is the first frame, and no level.
    else if (this.#frames.length - 1 + height > deepest) this.#give('too-deep')
  }

  #nextIsKey(): boolean {
    const frame = this.#frames.at(-1)
    if (!frame?.isMapping) return false
    frame.expectsKey = !frame.expectsKey
    return !frame.expectsKey
  }

  #give(code: keyof typeof hopeless): void {
    const [message, hint] = hopeless[code]
    if (!this.isHopeless) this.#report(code, message, hint)
    this.isHopeless = true
  }

  #report(code: string, message: string, hint?: string): void {
    this.#find({ code, severity: 'error', message, ...(hint === undefined ? {} : { hint }) })
  }

  /** Many warnings must not end the search for dangerous content; past the limit only errors are kept. */
  #find(problem: ScalarProblem): void {
    const isError = problem.severity === 'error'
    if (isError) this.#errors += 1
    if (isError || this.problems.length < mostProblems)
      this.problems.push({ ...problem, offset: this.#offset })
  }
}

const hopeless = {
  'several-documents': ['a file holds one document only', 'move what follows "---" into a file of its own'],
  'alias-bomb': ['aliases unfold into more than a million values here', 'repeat less, or split the file'],
  'too-deep': [`values are nested more than ${deepest} levels deep`, 'flatten them'],
} as const

function tagOf(text: string, event: ScalarEvent | SequenceEvent | MappingEvent): string | undefined {
  return event.tagStart < 0 ? undefined : text.slice(event.tagStart, event.tagEnd)
}

function anchorOf(text: string, event: ScalarEvent | SequenceEvent | MappingEvent): string | undefined {
  return event.anchorStart < 0 ? undefined : text.slice(event.anchorStart, event.anchorEnd)
}

/** The start of a node in the text, its anchor, tag and quotes included; undefined for a node without any text. */
export function offsetOf(event: Event): number | undefined {
  switch (event.type) {
    case EVENT_ID.ALIAS:
      return event.anchorStart - 1
    case EVENT_ID.SCALAR: {
      const isQuoted =
        event.style === SCALAR_STYLE.DOUBLE_QUOTED || event.style === SCALAR_STYLE.SINGLE_QUOTED
      return earliest(event.tagStart, event.anchorStart - 1, event.valueStart - (isQuoted ? 1 : 0))
    }
    case EVENT_ID.MAPPING:
    case EVENT_ID.SEQUENCE:
      return earliest(event.tagStart, event.anchorStart - 1, event.start)
    default:
      return undefined
  }
}

function earliest(...offsets: readonly number[]): number | undefined {
  const known = offsets.filter(offset => offset >= 0)
  return known.length > 0 ? Math.min(...known) : undefined
}
