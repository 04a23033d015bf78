import { EVENT_ID, type Event, getScalarValue } from 'js-yaml'
import { offsetOf } from './event-offset.ts'
import { mostProblems } from './inspect-events.ts'

/** A key that stands in one mapping more than once. */
export interface DuplicateKey {
  readonly key: string
  readonly offset: number
  /** Where it stood before. */
  readonly first: number
}

/** The repeated keys of a text. Only run when there is one: remembering each key costs more than reading them. */
export function findDuplicateKeys(text: string, events: readonly Event[]): DuplicateKey[] {
  const duplicates: DuplicateKey[] = []
  const frames: (Frame | undefined)[] = []
  for (const event of events) {
    if (duplicates.length === mostProblems) break
    if (event.type === EVENT_ID.POP) {
      frames.pop()
      continue
    }
    const frame = frames.at(-1)
    if (frame) {
      if (frame.expectsKey && event.type === EVENT_ID.SCALAR) {
        const key = getScalarValue(text, event)
        const offset = offsetOf(event) ?? 0
        const first = frame.keys.get(key)
        if (first === undefined) frame.keys.set(key, offset)
        else duplicates.push({ key, offset, first })
      }
      frame.expectsKey = !frame.expectsKey
    }
    if (event.type === EVENT_ID.MAPPING) frames.push({ keys: new Map(), expectsKey: true })
    if (event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.DOCUMENT) frames.push(undefined)
  }
  return duplicates
}

interface Frame {
  readonly keys: Map<string, number>
  expectsKey: boolean
}
