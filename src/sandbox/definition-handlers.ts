import { eventDefinition, type Kinds } from '../kinds/index.ts'
import type { WriteOf } from '../model/field.ts'
import { isJsonArray, type Json, type JsonObject } from '../model/json.ts'
import { type Answer, emptyAnswer, jsonAnswer } from './answer.ts'
import type { KindHandlers, ProjectCall } from './call.ts'
import { keptTags, shownTags } from './labels.ts'
import { pageAnswer, windowOf } from './page.ts'
import { invalid, notFound, paymentRequired, serverError } from './refusal.ts'
import type { DefinitionRow } from './rows.ts'
import { inProject } from './store.ts'
import { isoTime, normalTime } from './time.ts'

type DefinitionBody = WriteOf<Kinds['event_definition']['fields']>
type DefinitionCall = ProjectCall<'project_id' | 'id'>
type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }

export const definitionHandlers: KindHandlers<'event_definition'> = {
  list: listDefinitions,
  read: call => jsonAnswer(definitionRecord(call, findDefinition(call))),
  update: updateDefinition,
  delete: call => {
    call.store.definitions.remove(findDefinition(call).id)
    const { definition_delete_status: status, definition_delete_body: body } = call.quirks
    const hasBody = body === 'json' && status !== '204'
    return hasBody ? jsonAnswer({ success: true }, Number(status)) : emptyAnswer(Number(status))
  },
}

function listDefinitions(call: ProjectCall): Answer {
  const { store, project, url } = call
  const window = windowOf(call)
  const filters = ['search', 'event_type', 'ordering'].filter(name => url.searchParams.get(name))
  if (filters.length === 0) {
    const rows = store.definitionsBySight.first(project.id, window.offset, window.limit)
    const total = store.definitionsBySight.count(project.id)
    return pageAnswer(
      call,
      window,
      total,
      rows.map(row => definitionRecord(call, row)),
    )
  }
  const found = filtered(store.definitionsBySight.all(project.id), url.searchParams)
  const rows = found.slice(window.offset, window.offset + window.limit)
  return pageAnswer(
    call,
    window,
    found.length,
    rows.map(row => definitionRecord(call, row)),
  )
}

/** The filters that the public service has and the document leaves out. */
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
  switch (query.get('ordering')) {
    case 'name':
      return found.sort((left, right) => (left.name < right.name ? -1 : 1))
    case '-name':
      return found.sort((left, right) => (left.name < right.name ? 1 : -1))
    case 'last_seen_at':
      return found.reverse()
    default:
      return found
  }
}

function updateDefinition(call: DefinitionCall): Answer {
  const { store, quirks, now } = call
  const before = findDefinition(call)
  if (quirks.definitions === 'payment_required')
    throw paymentRequired('This feature is part of a plan that your organization does not have.')
  const written = writtenFields(call, before)
  // The time moves even when nothing else does.
  const after = store.definitions.put({ ...before, ...written, last_updated_at: isoTime(now) })
  const echoed = sentBody(call).post_to_chat
  return jsonAnswer(definitionRecord(call, { ...after, post_to_chat: echoed ?? after.post_to_chat }))
}

function writtenFields(call: DefinitionCall, before: DefinitionRow): Partial<DefinitionRow> {
  const { quirks } = call
  const body = sentBody(call)
  const fields: Mutable<Partial<DefinitionRow>> = {}
  if (isJsonArray(body.tags))
    fields.tags = keptTags(call, eventDefinition.fields.tags, body.tags, before.tags)
  if (body.post_to_chat !== undefined && quirks.post_to_chat === 'kept')
    fields.post_to_chat = body.post_to_chat
  if (quirks.definition_fields === 'tags') return fields
  if (body.name !== undefined) fields.name = keptName(call, before, body.name ?? '')
  if (body.created_at !== undefined) fields.created_at = keptTime('created_at', body.created_at)
  if (body.last_seen_at !== undefined) fields.last_seen_at = keptTime('last_seen_at', body.last_seen_at)
  return fields
}

/** The body under the document's names, whichever way the wire spells them. */
function sentBody({ body, quirks }: ProjectCall): DefinitionBody {
  const { [quirks.post_to_chat_name]: postToChat, ...others } = body
  if (postToChat !== undefined && typeof postToChat !== 'boolean')
    throw invalid(quirks.post_to_chat_name, 'Must be a valid boolean.')
  const { post_to_chat: _otherSpelling, ...known } = others
  // The body was checked against the schema that comes from the same fields.
  return { ...known, ...(postToChat === undefined ? {} : { post_to_chat: postToChat }) } as DefinitionBody
}

function keptName({ store, project }: ProjectCall, before: DefinitionRow, text: string): string {
  const name = text.trim()
  if (name === '') throw invalid('name', 'This field may not be blank.', 'blank')
  const { maxLength } = eventDefinition.fields.name
  if ([...name].length > maxLength)
    throw invalid('name', `Ensure this field has no more than ${maxLength} characters.`, 'max_length')
  const holder = store.definitionByName.get(inProject(project.id, name))
  if (holder && holder.id !== before.id)
    throw invalid('name', 'Event definition with this name already exists.', 'unique')
  return name
}

function keptTime(attr: string, text: string | null): string | null {
  if (text === null) return null
  const time = normalTime(text)
  if (time === undefined) throw invalid(attr, 'Datetime has wrong format.')
  return time
}

function definitionRecord(call: ProjectCall, row: DefinitionRow): JsonObject {
  const { quirks } = call
  const common = {
    id: row.id,
    name: row.name,
    created_at: row.created_at,
    last_seen_at: row.last_seen_at,
    tags: shownTags(call, row.tags),
    [quirks.post_to_chat_name]: row.post_to_chat ?? false,
  }
  // What belongs to actions is missing from plain events on the wire, while the document lists it.
  if (quirks.shapes === 'real') return { ...common, is_action: false, updated_at: row.last_updated_at }
  const actions = {
    last_updated_at: row.last_updated_at,
    is_action: 'false',
    action_id: null,
    is_calculating: false,
    last_calculated_at: null,
    created_by: null,
  } satisfies Partial<Readonly<Record<keyof Kinds['event_definition']['fields'], Json>>>
  return { ...common, ...actions }
}

function findDefinition(call: DefinitionCall): DefinitionRow {
  const definition = call.store.definitions.get(call.params.id.toLowerCase())
  if (definition?.project_id === call.project.id) return definition
  throw call.quirks.definition_unknown === 'error' ? serverError() : notFound()
}
