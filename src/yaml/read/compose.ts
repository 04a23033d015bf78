import {
  type AliasEvent,
  EVENT_ID,
  type Event,
  getScalarValue,
  type MappingEvent,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
  YAMLException,
} from 'js-yaml'
import { deepest } from '../../hcl/json.ts'
import type { Json } from '../../model/text/json.ts'
import { didYouMean } from '../../model/text/names.ts'
import { pointerOf, segmentsOf } from '../../model/text/pointer.ts'
import { lineStartsOf, positionAt } from '../../model/text/text-position.ts'
import { quote } from '../check/problem-order.ts'
import { inspectKey, readScalar, type ScalarProblem } from './read-scalar.ts'

/** Text that is not YAML, or not usable data. */
export interface ParseProblem extends ScalarProblem {
  readonly offset: number
}

/** A value of a text, with its position. An alias has the value and the members of its anchor. */
export interface Node {
  readonly value: Json
  /** The start of its text, with its anchor, tag and quotes; an empty value has the position of its key. */
  readonly start: number
  /** The members of a map, including those of merge keys. */
  readonly members?: ReadonlyMap<string, Member>
  readonly elements?: readonly Node[]
  /** Undefined for a map, a list, or a value without text. */
  readonly scalar?: ScalarEvent
  /** Its size, counted through aliases. */
  readonly nodes: number
  /** The number of nested lists and maps; 0 for a scalar. */
  readonly height: number
}

interface Member {
  /** The start of its key. */
  readonly key: number
  readonly node: Node
}

export interface Composed {
  /** Undefined if the text is unusable; null if it is empty. */
  readonly value: Json | undefined
  readonly problems: readonly ParseProblem[]
  /** Undefined for an unreadable text. */
  readonly root: Node | undefined
}

/** How many nodes the aliases of one file may expand to: 10,000 flags that share an audience of a hundred nodes. */
const mostAliasedNodes = 1_000_000

/** The most problems that are listed for one file: further ones usually have the same cause. */
const mostProblems = 100

/** The library counts the document and a scalar as levels too. */
const maxDepth = deepest + 2

/**
 * Parses a text with the library. Reports dangerous content (alias bombs, cycles, keys with a special meaning
 * for JavaScript objects) and values that JSON cannot represent, and builds a value without them.
 */
export function compose(text: string): Composed {
  let events: readonly Event[]
  try {
    events = parseEvents(text, { maxDepth })
  } catch (error) {
    return { value: undefined, problems: [syntaxProblem(error, text)], root: undefined }
  }
  const composer = new Composer(text, events)
  const root = composer.compose()
  const { problems } = composer
  const isUsable = problems.every(({ severity }) => severity !== 'error')
  return isUsable
    ? { value: root?.value ?? null, problems, root }
    : { value: undefined, problems, root: undefined }
}

class Composer {
  readonly problems: ParseProblem[] = []
  readonly #text: string
  readonly #events: readonly Event[]
  readonly #anchors = new Map<string, Node | 'open'>()
  #at = 0
  #errors = 0
  #written = 0
  #depth = 0
  /** The start of the last node. */
  #offset = 0

  constructor(text: string, events: readonly Event[]) {
    this.#text = text
    this.#events = events
  }

  compose(): Node | undefined {
    try {
      this.#at = 1
      const root = this.#isEnd() ? undefined : this.#node(undefined)
      const more = this.#events
        .slice(this.#at)
        .find(({ type }) => type > EVENT_ID.DOCUMENT && type !== EVENT_ID.POP)
      if (more) this.#stop('several-documents', startOf(more))
      return root
    } catch (error) {
      if (error instanceof Hopeless) return undefined
      throw error
    }
  }

  #isEnd(): boolean {
    return (this.#events[this.#at]?.type ?? EVENT_ID.POP) === EVENT_ID.POP
  }

  /** `member`: the key of the innermost map around the node. */
  #node(member: string | undefined): Node {
    // Events are balanced, and the last one is the end of a document.
    const event = this.#next() as AliasEvent | ScalarEvent | SequenceEvent | MappingEvent
    if (event.type === EVENT_ID.ALIAS) return this.#alias(event)
    const start = this.#offset
    const tag = this.#tag(event)
    const anchor = this.#anchor(event)
    if (anchor !== undefined) this.#anchors.set(anchor, 'open')
    const node =
      event.type === EVENT_ID.SCALAR
        ? this.#scalar(event, tag, member)
        : event.type === EVENT_ID.MAPPING
          ? this.#mapping(start)
          : this.#sequence(start, member)
    if (anchor !== undefined) this.#anchors.set(anchor, node)
    return node
  }

  #next(): Event | undefined {
    const event = this.#events[this.#at]
    this.#at += 1
    this.#written += 1
    this.#offset = (event && startOf(event)) ?? this.#offset
    return event
  }

  #alias(event: AliasEvent): Node {
    const name = this.#text.slice(event.anchorStart, event.anchorEnd)
    const start = this.#offset
    const anchor = this.#anchors.get(name)
    if (anchor === undefined) {
      const meant = didYouMean(name, [...this.#anchors.keys()])
      this.#report(
        'unknown-alias',
        `there is no anchor ${quote(name)} above`,
        meant && `did you mean "*${meant}"?`,
      )
    } else if (anchor === 'open') {
      this.#report('recursive-alias', `"*${name}" is inside the value that it names`)
    } else {
      if (this.#depth + anchor.height > deepest) this.#stop('too-deep')
      return { ...anchor, start }
    }
    return { value: null, start, nodes: 1, height: 0 }
  }

  #scalar(event: ScalarEvent, tag: string | undefined, member: string | undefined): Node {
    const { value, problem } = readScalar(this.#text, event, tag, member)
    if (problem) this.#find(problem)
    const scalar = event.valueStart < 0 ? {} : { scalar: event }
    return { value, start: this.#offset, ...scalar, nodes: 1, height: 0 }
  }

  #sequence(start: number, member: string | undefined): Node {
    const elements: Node[] = []
    const size = this.#inside(() => {
      const node = this.#node(member)
      elements.push(node)
      return node
    })
    return { value: elements.map(({ value }) => value), start, elements, ...size }
  }

  #mapping(start: number): Node {
    const value: Record<string, Json> = {}
    const members = new Map<string, Member>()
    const merged = new Set<string>()
    const put = (name: string, member: Member) => {
      members.set(name, member)
      value[name] = member.node.value
    }
    const size = this.#inside(() => {
      const key = this.#key()
      const at = this.#offset
      const node = this.#node(key?.name)
      if (!key) return node
      if (key.isMerge) {
        for (const [name, member] of this.#sources(node, at))
          if (!members.has(name)) {
            merged.add(name)
            put(name, member)
          }
      } else {
        const first = members.get(key.name)
        if (first && !merged.delete(key.name)) this.#duplicate(key.name, at, first.key)
        put(key.name, { key: at, node })
      }
      return node
    })
    return { value, start, members, ...size }
  }

  /** The members of the maps that a merge key refers to. */
  #sources(node: Node, at: number): Iterable<readonly [string, Member]> {
    const sources = node.elements ?? [node]
    if (sources.some(({ members }) => !members)) {
      const hint = '"<<" needs an alias of a map, or a list of such aliases'
      this.#find({ code: 'yaml-syntax', severity: 'error', message: '"<<" can only merge maps', hint }, at)
      return []
    }
    return sources.flatMap(({ members = new Map<string, Member>() }) => [...members])
  }

  /** Undefined if the key is not text. */
  #key(): { readonly name: string; readonly isMerge: boolean } | undefined {
    const event = this.#events[this.#at]
    if (event?.type !== EVENT_ID.SCALAR) {
      if (event) this.#offset = startOf(event) ?? this.#offset
      if (event?.type === EVENT_ID.ALIAS)
        this.#report('complex-key', 'an alias cannot be a key', 'write the key itself')
      else
        this.#report('complex-key', 'a key must be text', 'quote the key, if the brackets belong to its text')
      this.#node(undefined)
      return undefined
    }
    this.#next()
    const tag = this.#tag(event)
    const name = event.valueStart < 0 ? '' : getScalarValue(this.#text, event)
    const problem = inspectKey(name, event)
    if (problem) this.#find(problem)
    const anchor = this.#anchor(event)
    if (anchor !== undefined)
      this.#anchors.set(anchor, { value: name, start: this.#offset, scalar: event, nodes: 1, height: 0 })
    return { name, isMerge: name === '<<' && tag === undefined && event.style === SCALAR_STYLE.PLAIN }
  }

  /** Reads the content of a map or a list, and counts it. */
  #inside(read: () => Node): Pick<Node, 'nodes' | 'height'> {
    let [nodes, height] = [1, 0]
    this.#depth += 1
    while (!this.#isEnd()) {
      const node = read()
      nodes += node.nodes
      height = Math.max(height, node.height)
      // Only aliased nodes count, not written ones: only a file of many megabytes could write that many.
      if (nodes - this.#written > mostAliasedNodes) this.#stop('alias-bomb')
    }
    this.#at += 1
    this.#depth -= 1
    return { nodes, height: height + 1 }
  }

  #tag(event: ScalarEvent | SequenceEvent | MappingEvent): string | undefined {
    if (event.tagStart < 0) return undefined
    const tag = this.#text.slice(event.tagStart, event.tagEnd)
    if (jsonTags[event.type].includes(tag)) return tag
    this.#report(
      'unknown-tag',
      `the tag ${quote(tag)} has no JSON equivalent`,
      'remove the tag and write text',
    )
    return '!'
  }

  #anchor(event: ScalarEvent | SequenceEvent | MappingEvent): string | undefined {
    return event.anchorStart < 0 ? undefined : this.#text.slice(event.anchorStart, event.anchorEnd)
  }

  #duplicate(key: string, at: number, first: number): void {
    const { line } = positionAt(lineStartsOf(this.#text), first)
    const message = `the key ${quote(key)} is used twice; the first one is on line ${line}`
    this.#report('duplicate-key', message, 'remove one of them', at)
  }

  /** Stops, because further checks would cost too much, or only repeat the same problem. */
  #stop(code: keyof typeof hopeless, offset = this.#offset): never {
    const [message, hint] = hopeless[code]
    this.#report(code, message, hint, offset)
    throw new Hopeless()
  }

  #report(code: string, message: string, hint?: string, offset = this.#offset): void {
    this.#find({ code, severity: 'error', message, ...(hint === undefined ? {} : { hint }) }, offset)
  }

  /** Many warnings must not hide dangerous content: past the limit, only errors are kept. */
  #find(problem: ScalarProblem, offset = this.#offset): void {
    const isError = problem.severity === 'error'
    if (isError || this.problems.length < mostProblems) this.problems.push({ ...problem, offset })
    if (isError) this.#errors += 1
    if (this.#errors >= mostProblems) throw new Hopeless()
  }
}

/** Thrown when the rest of a text is not read. */
class Hopeless extends Error {
  override readonly name = 'Hopeless'
}

const hopeless = {
  'several-documents': [
    'a file can contain only one document',
    'move the part after "---" into another file',
  ],
  'alias-bomb': ['aliases expand to more than a million values here', 'use fewer aliases, or split the file'],
  'too-deep': [`values are nested more than ${deepest} levels deep`, 'use fewer levels'],
} as const

const jsonTags: Readonly<Record<(ScalarEvent | SequenceEvent | MappingEvent)['type'], readonly string[]>> = {
  [EVENT_ID.SCALAR]: ['!', '!!str', '!!int', '!!float', '!!bool', '!!null'],
  [EVENT_ID.MAPPING]: ['!', '!!map'],
  [EVENT_ID.SEQUENCE]: ['!', '!!seq'],
}

/** The start of a node, including its anchor, tag and quotes; undefined for a node without text. */
function startOf(event: Event): number | undefined {
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1
  if (event.type === EVENT_ID.SCALAR) {
    const isQuoted = event.style === SCALAR_STYLE.DOUBLE_QUOTED || event.style === SCALAR_STYLE.SINGLE_QUOTED
    return earliest(event.tagStart, event.anchorStart - 1, event.valueStart - (isQuoted ? 1 : 0))
  }
  return 'start' in event ? earliest(event.tagStart, event.anchorStart - 1, event.start) : undefined
}

function earliest(...offsets: readonly number[]): number | undefined {
  const known = offsets.filter(offset => offset >= 0)
  return known.length > 0 ? Math.min(...known) : undefined
}

function syntaxProblem(error: unknown, text: string): ParseProblem {
  const reason = error instanceof YAMLException ? error.reason : String(error)
  const offset = error instanceof YAMLException ? (error.mark?.position ?? 0) : 0
  const hint = syntaxHints.find(([pattern]) => pattern.test(reason))?.[1]
  return {
    code: 'yaml-syntax',
    severity: 'error',
    message: reason.startsWith('nesting exceeded') ? hopeless['too-deep'][0] : `invalid YAML: ${reason}`,
    ...(hint === undefined ? {} : { hint }),
    offset: Math.min(offset, text.length),
  }
}

/** The most frequent mistake for each message of the library. */
const syntaxHints: readonly (readonly [RegExp, string])[] = [
  [/^nesting exceeded/, 'use fewer levels'],
  [/tab character/, 'indent with spaces, not tabs'],
  [/bad indentation|multiline key/, 'align the line with the lines around it; quote text that contains ": "'],
  [/end of the stream or a document separator/, 'quote text that starts with a special character'],
  [/unexpected end of the stream within a (double|single) quoted/, 'close the quotation marks'],
  [/deficient indentation/, 'indent this line further, or close the bracket above it'],
  [
    /missed comma|within a flow collection/,
    'close the bracket, add the comma, or quote text that contains brackets',
  ],
  [/non-printable|null byte/, 'remove the control character, or write it as an escape in double quotes'],
]

/** The offsets of the keys of the first two levels, by pointer: the sections of a file and the objects in them. */
export function outlineOf(root: Node | undefined): ReadonlyMap<string, number> {
  const offsets = new Map<string, number>()
  for (const [section, { key, node }] of membersOf(root)) {
    offsets.set(pointerOf(section), key)
    for (const [name, member] of membersOf(node)) offsets.set(pointerOf(section, name), member.key)
  }
  return offsets
}

function membersOf({ members, elements = [] }: Partial<Node> = {}): Iterable<readonly [string, Member]> {
  return members ?? elements.map((node, index) => [String(index), { key: node.start, node }] as const)
}

/** The offset of the key or the value at a pointer; of the nearest parent if nothing is written there. */
export function offsetAt(root: Node, pointer: string, at: 'key' | 'value'): number {
  let member: Member = { key: root.start, node: root }
  for (const segment of segmentsOf(pointer)) {
    const next = memberOf(member.node, segment)
    if (!next) return member.key
    member = next
  }
  return at === 'key' ? member.key : member.node.start
}

/** The text of the scalar at a pointer; undefined if the value is not a scalar, or does not exist. */
export function textAt(root: Node, text: string, pointer: string): string | undefined {
  let node: Node | undefined = root
  for (const segment of segmentsOf(pointer)) node = node && memberOf(node, segment)?.node
  return node?.scalar && getScalarValue(text, node.scalar)
}

/** An element of a list is its own key. */
function memberOf({ members, elements }: Node, segment: string): Member | undefined {
  const element = elements?.[Number(segment)]
  return element ? { key: element.start, node: element } : members?.get(segment)
}
