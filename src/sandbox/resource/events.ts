import { eventDefinition } from '../../kinds/index.ts'
import { type Json, type JsonObject, pickMembers } from '../../model/text/json.ts'
import { compareTexts } from '../../model/text/names.ts'
import type { WorldEvent } from '../../schema/world-schema.ts'
import { invalid, notFound, serverError } from '../http/messages.ts'
import { type DefinitionRow, type EventRow, isoTime, normalTime, type ProjectRow, uuidFrom } from '../rows.ts'
import { inContainer } from '../store.ts'
import type { ProjectCall, Resource, Seeding } from './resource.ts'
import { blankRow, keptText } from './write-row.ts'

/** The first event of a name creates its definition, and each one updates when it was last seen. */
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

/** Event definitions: created when an event is first seen, changed only as the organization's plan allows. */
export const definitionResource: Resource<DefinitionRow, ProjectCall> = {
  kind: eventDefinition,
  first: ['tags', 'post_to_chat'],
  missing: ({ quirks }) => (quirks.definition_unknown === 'error' ? serverError() : notFound()),
  listed({ url: { searchParams: query }, quirks }, all) {
    const isNewer = quirks.definition_query === '2026'
    if (isNewer) checkQuery(query)
    const names = isNewer ? query.get('names')?.split(',') : undefined
    const isWhole = ['search', 'event_type', 'ordering'].every(name => !query.get(name))
    if (isWhole && !names) return undefined
    return filtered(names ? all().filter(({ name }) => names.includes(name)) : all(), query)
  },
  sent,
  keep: { name: keptName },
  echoed: (call, row) => ({ ...row, post_to_chat: spelledPostToChat(call) ?? row.post_to_chat }),
  show: { is_action: () => 'false' },
  shape({ quirks }, record) {
    const { last_updated_at = null, post_to_chat = null, ...others } = record
    const { is_action = null, action_id = null, is_calculating = null, ...more } = others
    const { last_calculated_at = null, created_by = null, ...own } = more
    const common = { ...own, [quirks.post_to_chat_name]: post_to_chat ?? false }
    // Plain events on the wire lack the members of actions, although the document lists them.
    if (quirks.shapes === 'real') return { ...common, is_action: false, updated_at: last_updated_at }
    return {
      ...common,
      last_updated_at,
      is_action,
      action_id,
      is_calculating,
      last_calculated_at,
      created_by,
    }
  },
}

/** Newer services refuse values that others ignore. [service-today 7] */
function checkQuery(query: URLSearchParams): void {
  for (const name of ['limit', 'offset'])
    if (!/^\d*$/.test(query.get(name) ?? '')) throw invalid(name, 'A valid integer is required.')
  const types = ['', 'all', 'event', 'event_custom', 'event_posthog']
  if (!types.includes(query.get('event_type') ?? ''))
    throw invalid('event_type', 'Not a valid choice.', 'invalid_choice')
}

/** The filters that the public service has and the document omits. */
function filtered(rows: readonly DefinitionRow[], query: URLSearchParams): readonly DefinitionRow[] {
  const words = (query.get('search') ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
  const type = query.get('event_type')
  const found = rows.filter(({ name }) => {
    if (type === 'event_custom' && name.startsWith('$')) return false
    if (type === 'event_posthog' && !name.startsWith('$')) return false
    return words.every(word => name.toLowerCase().includes(word))
  })
  const ordering = query.get('ordering')
  if (ordering === 'last_seen_at') return found.reverse()
  if (ordering !== 'name' && ordering !== '-name') return found
  const byName = found.sort((left, right) => compareTexts(left.name, right.name))
  return ordering === 'name' ? byName : byName.reverse()
}

/** Some services store only the tags, and some drop `post_to_chat`. */
function sent(call: ProjectCall): JsonObject {
  const { body, quirks } = call
  const { [quirks.post_to_chat_name]: _spelled, post_to_chat: _other, ...named } = body
  const postToChat = spelledPostToChat(call)
  return {
    ...pickMembers(named, (_, name) => quirks.definition_fields !== 'tags' || name === 'tags'),
    ...(postToChat === undefined || quirks.post_to_chat !== 'kept' ? {} : { post_to_chat: postToChat }),
  }
}

/** The member with two spellings in services. */
function spelledPostToChat({ body, quirks }: ProjectCall): boolean | undefined {
  const value = body[quirks.post_to_chat_name]
  if (value !== undefined && typeof value !== 'boolean')
    throw invalid(quirks.post_to_chat_name, 'Must be a valid boolean.')
  return value
}

function keptName({ store, project }: ProjectCall, value: Json, before: DefinitionRow): string {
  const name = keptText('name', eventDefinition.fields.name, String(value ?? ''))
  const holder = store.definitionByName.get(inContainer(project.id, name))
  if (holder && holder.id !== before.id)
    throw invalid('name', 'Event definition with this name already exists.', 'unique')
  return name
}
