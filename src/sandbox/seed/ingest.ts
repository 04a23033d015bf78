import type { WorldEvent } from '../../schema/input/world-schema.ts'
import { definitionResource } from '../resource/definition-resource.ts'
import type { Seeding } from '../resource/resource.ts'
import { blankRow } from '../resource/write-row.ts'
import { inContainer } from '../store/collection.ts'
import { type EventRow, type ProjectRow, uuidFrom } from '../store/rows.ts'
import { isoTime, normalTime } from '../time.ts'

/**
 * Ingests one event. The first event of a name creates its definition, and each one updates the time at which
 * the name was last seen.
 */
export function ingestEvent(seeding: Seeding, file: WorldEvent, project: ProjectRow): EventRow {
  const event = putEvent(seeding, file, normalTime(file.timestamp ?? '') ?? isoTime(seeding.now), project)
  see(seeding, event)
  return event
}

/** Ingests the events of a world file; those without a time are spread over the day before it. */
export function seedEvents(seeding: Seeding, events: readonly WorldEvent[], project: ProjectRow): void {
  // For many events with one name, only the first and the newest change its definition.
  const newest = new Map<string, EventRow>()
  for (const [index, file] of events.entries()) {
    const spread = isoTime(seeding.now - Math.round(((events.length - index) / events.length) * 86_400_000))
    const timestamp = file.timestamp === undefined ? spread : normalTime(file.timestamp)
    const event = putEvent(seeding, file, timestamp ?? isoTime(seeding.now), project)
    const before = newest.get(event.event)
    if (!before) see(seeding, event)
    if (!before || Date.parse(before.timestamp) < Date.parse(event.timestamp)) newest.set(event.event, event)
  }
  for (const event of newest.values()) see(seeding, event)
}

function putEvent(
  { store, random }: Seeding,
  file: WorldEvent,
  timestamp: string,
  project: ProjectRow,
): EventRow {
  return store.events.put({
    id: (file.id ?? uuidFrom(random)).toLowerCase(),
    project_id: project.id,
    event: file.event,
    distinct_id: file.distinct_id,
    timestamp,
    properties: file.properties ?? {},
    elements_chain: file.elements_chain ?? '',
  })
}

function see({ store, now, random }: Seeding, event: EventRow): void {
  const known = store.definitionByName.get(inContainer(event.project_id, event.event))
  if (known) {
    const last = known.last_seen_at ?? null
    if (last === null || Date.parse(last) < Date.parse(event.timestamp))
      store.definitions.put({ ...known, last_seen_at: event.timestamp })
    return
  }
  const blank = blankRow(definitionResource, store, event.project_id, {
    now: isoTime(now),
    author: null,
  })
  store.definitions.put({ ...blank, id: uuidFrom(random), name: event.event, last_seen_at: event.timestamp })
}
