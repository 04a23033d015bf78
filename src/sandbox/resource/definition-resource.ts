import { eventDefinition } from '../../kinds/index.ts'
import { type Json, type JsonObject, pickMembers } from '../../model/json/json.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import { invalid, notFound, serverError } from '../http/answer.ts'
import { inContainer } from '../store/collection.ts'
import type { DefinitionRow } from '../store/rows.ts'
import type { ProjectCall, Resource } from './resource.ts'
import { keptText } from './write-row.ts'

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
