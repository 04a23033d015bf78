import { EVENT_ID, type Event, getScalarValue } from 'js-yaml'
import { pointerOf, segmentsOf } from '../../model/json/pointer.ts'
import { offsetOf } from './inspect-events.ts'

/** The events of a key and of its value, by their numbers. An element of a sequence is its own key. */
interface Entry {
  readonly key: number
  readonly value: number
}

/**
 * Finds the place in a text of the value at a JSON pointer. Nothing is computed before the first request; then
 * the members of each node on the path are indexed once, so that finding every flag of a file costs one pass.
 */
export class Positions {
  readonly #text: string
  readonly #events: readonly Event[]
  readonly #members = new Map<number, ReadonlyMap<string, Entry>>()
  #anchors: ReadonlyMap<string, readonly number[]> | undefined

  constructor(text: string, events: readonly Event[]) {
    this.#text = text
    this.#events = events
  }

  /** True for a text that could not be read at all. */
  get isEmpty(): boolean {
    return this.#events.length === 0
  }

  /** The offsets of the keys of the first two levels, by pointer: the sections of a file and the objects in them. */
  outline(): ReadonlyMap<string, number> {
    const offsets = new Map<string, number>()
    const root = { key: 1, value: 1 }
    for (const [section, entry] of this.#membersOf(this.#follow(root.value))) {
      offsets.set(pointerOf(section), this.#start(entry.key, entry))
      for (const [name, member] of this.#membersOf(this.#follow(entry.value))) {
        offsets.set(pointerOf(section, name), this.#start(member.key, member))
      }
    }
    return offsets
  }

  /** The offset of the key or the value at a pointer; of the closest parent when nothing is written there. */
  offsetOf(pointer: string, at: 'key' | 'value'): number {
    let entry: Entry = { key: 1, value: 1 }
    for (const segment of segmentsOf(pointer)) {
      const next = this.#find(entry.value, segment)
      if (!next) return this.#start(entry.key, entry)
      entry = next
    }
    return this.#start(at === 'key' ? entry.key : entry.value, entry)
  }

  /** The text of the scalar at a pointer; undefined if the value is no scalar, or there is none. */
  textAt(pointer: string): string | undefined {
    let node = 1
    for (const segment of segmentsOf(pointer)) {
      const next = this.#find(node, segment)
      if (!next) return undefined
      node = next.value
    }
    const event = this.#events[this.#follow(node)]
    return event?.type === EVENT_ID.SCALAR && event.valueStart >= 0
      ? getScalarValue(this.#text, event)
      : undefined
  }

  /** An empty value has no text of its own: its place is that of its key. */
  #start(index: number, entry: Entry): number {
    const own = this.#events[index]
    const key = this.#events[entry.key]
    return (own && offsetOf(own)) ?? (key && offsetOf(key)) ?? 0
  }

  #find(node: number, segment: string): Entry | undefined {
    const index = this.#follow(node)
    const members = this.#membersOf(index)
    return members.get(segment) ?? this.#findMerged(members.get('<<'), segment)
  }

  #findMerged(merge: Entry | undefined, segment: string): Entry | undefined {
    if (!merge) return undefined
    const source = this.#follow(merge.value)
    if (this.#events[source]?.type !== EVENT_ID.SEQUENCE) return this.#find(source, segment)
    for (const { value } of this.#membersOf(source).values()) {
      const found = this.#find(value, segment)
      if (found) return found
    }
    return undefined
  }

  /** The node that an alias refers to; any other node is itself. */
  #follow(index: number): number {
    const event = this.#events[index]
    if (event?.type !== EVENT_ID.ALIAS) return index
    const name = this.#text.slice(event.anchorStart, event.anchorEnd)
    this.#anchors ??= indexAnchors(this.#text, this.#events)
    return lastBefore(this.#anchors.get(name) ?? [], index) ?? index
  }

  #membersOf(index: number): ReadonlyMap<string, Entry> {
    const known = this.#members.get(index)
    if (known) return known
    const members = indexMembers(this.#text, this.#events, index)
    this.#members.set(index, members)
    return members
  }
}

function indexMembers(text: string, events: readonly Event[], index: number): Map<string, Entry> {
  const members = new Map<string, Entry>()
  const container = events[index]
  if (container?.type !== EVENT_ID.MAPPING && container?.type !== EVENT_ID.SEQUENCE) return members
  const isSequence = container.type === EVENT_ID.SEQUENCE
  let key: number | undefined
  let depth = 0
  for (let at = index + 1; at < events.length; at += 1) {
    const event = events[at]
    if (!event) break
    if (event.type === EVENT_ID.POP) {
      if (depth === 0) break
      depth -= 1
      continue
    }
    if (depth === 0) {
      if (isSequence) members.set(String(members.size), { key: at, value: at })
      else if (key === undefined) key = at
      else {
        const name = events[key]
        if (name?.type === EVENT_ID.SCALAR) members.set(getScalarValue(text, name), { key, value: at })
        key = undefined
      }
    }
    if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) depth += 1
  }
  return members
}

/** The last of ascending numbers that is below a given one: a name may be used as often as there are aliases. */
function lastBefore(ascending: readonly number[], limit: number): number | undefined {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? limit) < limit) low = middle + 1
    else high = middle
  }
  return ascending[low - 1]
}

function indexAnchors(text: string, events: readonly Event[]): Map<string, number[]> {
  const anchors = new Map<string, number[]>()
  for (const [index, event] of events.entries()) {
    if (event.type === EVENT_ID.ALIAS || !('anchorStart' in event) || event.anchorStart < 0) continue
    const name = text.slice(event.anchorStart, event.anchorEnd)
    const known = anchors.get(name)
    if (known) known.push(index)
    else anchors.set(name, [index])
  }
  return anchors
}
