import { definitionResource } from '../resource/definition-resource.ts'
import { blankRow } from '../resource/write-row.ts'
import type { WorldEvent } from '../seed/world-file.ts'
import { inContainer } from '../store/collection.ts'
import type { EventRow, ProjectRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { isoTime, normalTime } from '../time.ts'

interface Arrival {
  readonly store: Store
  /** The time of arrival, for events without a time. */
  readonly now: string
  readonly uuid: () => string
}

/**
 * Ingests one event. The first event of a name creates its definition, and each one updates the time at which
 * the name was last seen.
 */
export function ingestEvent(arrival: Arrival, file: WorldEvent, project: ProjectRow): EventRow {
  const event = putEvent(arrival, file, normalTime(file.timestamp ?? arrival.now) ?? arrival.now, project)
  see(arrival, event)
  return event
}

/** Ingests the events of a world file; those without a time are spread over the day before it. */
export function seedEvents(arrival: Arrival, events: readonly WorldEvent[], project: ProjectRow): void {
  const end = Date.parse(arrival.now)
  // For many events with one name, only the first and the newest change its definition.
  const newest = new Map<string, EventRow>()
  for (const [index, file] of events.entries()) {
    const spread = isoTime(end - Math.round(((events.length - index) / events.length) * 86_400_000))
    const timestamp = file.timestamp === undefined ? spread : normalTime(file.timestamp)
    const event = putEvent(arrival, file, timestamp ?? arrival.now, project)
    const before = newest.get(event.event)
    if (!before) see(arrival, event)
    if (!before || Date.parse(before.timestamp) < Date.parse(event.timestamp)) newest.set(event.event, event)
  }
  for (const event of newest.values()) see(arrival, event)
}

function putEvent(
  { store, uuid }: Arrival,
  file: WorldEvent,
  timestamp: string,
  project: ProjectRow,
): EventRow {
  return store.events.put({
    id: (file.id ?? uuid()).toLowerCase(),
    project_id: project.id,
    event: file.event,
    distinct_id: file.distinct_id,
    timestamp,
    properties: file.properties ?? {},
    elements_chain: file.elements_chain ?? '',
  })
}

function see({ store, now, uuid }: Arrival, event: EventRow): void {
  const known = store.definitionByName.get(inContainer(event.project_id, event.event))
  if (known) {
    const last = known.last_seen_at ?? null
    if (last === null || Date.parse(last) < Date.parse(event.timestamp))
      store.definitions.put({ ...known, last_seen_at: event.timestamp })
    return
  }
  const blank = blankRow(definitionResource, store, event.project_id, { now, author: null })
  store.definitions.put({ ...blank, id: uuid(), name: event.event, last_seen_at: event.timestamp })
}
