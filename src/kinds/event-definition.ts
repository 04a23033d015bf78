import { offByDefault, tagSet, trimmedText } from '../model/json/canonical.ts'
import { defineKind } from '../model/kind.ts'
import { valuesOf } from '../services/index.ts'
import { paging, userSummary } from './answers.ts'

const definitions = '/api/projects/{project_id}/event_definitions'
const definition = `${definitions}/{id}` as const

export const eventDefinition = defineKind({
  name: 'event_definition',
  title: 'event',
  longTitle: 'event definition',
  section: 'event_definitions',
  doc: 'A named type of event. The service makes one when it first sees such an event.',
  scope: 'project',
  identity: { by: 'field', field: 'name', unique: true },
  fields: {
    id:                 { type: 'string',  access: 'read', format: 'uuid', doc: 'The id in paths.' },
    name:               { type: 'string',  access: 'managed', required: true, maxLength: 400, canonical: trimmedText, doc: 'The name under which events are recorded.' },
    created_at:         { type: 'string',  access: 'writable', format: 'date-time', shown: true, stamp: 'created', doc: 'When the definition was made.' },
    last_seen_at:       { type: 'string',  access: 'writable', format: 'date-time', doc: 'When such an event was last seen.' },
    last_updated_at:    { type: 'string',  access: 'read', format: 'date-time', stamp: 'changed', initial: null, doc: 'When the definition was last changed.' },
    tags:               { type: 'set', access: 'managed', maxLength: 255, canonical: tagSet, doc: 'Tags; kept trimmed and in lower case.' },
    is_action:          { type: 'string',  access: 'read', doc: 'Whether it is an action rather than an event.' },
    action_id:          { type: 'integer', access: 'read', doc: 'The id of the action, when it is one.' },
    is_calculating:     { type: 'boolean', access: 'read', doc: 'Whether the action is being computed.' },
    last_calculated_at: { type: 'string',  access: 'read', format: 'date-time', doc: 'When the action was last computed.' },
    created_by:         { type: 'structure', of: userSummary, access: 'read', doc: 'Who created the action.' },
    post_to_chat:       { type: 'boolean', access: 'managed', canonical: offByDefault, spelling: valuesOf('post_to_chat_name'), doc: 'Whether such events are posted to a chat tool.' },
  },
  endpoints: {
    list:   { method: 'GET',    path: definitions, query: paging, answer: 'page', status: 200, doc: 'List event definitions.' },
    read:   { method: 'GET',    path: definition, answer: 'record', status: 200, doc: 'Read an event definition.', source: { wants: 'THIS.last_seen_at' } },
    update: { method: 'PATCH',  path: definition, body: ['name', 'created_at', 'last_seen_at', 'tags', 'post_to_chat'], answer: 'record', status: 200, doc: 'Change the fields in the body.' },
    delete: { method: 'DELETE', path: definition, answer: 'unstated', status: 'unstated', doc: 'Delete a definition until such an event is seen again.' },
  },
  lifecycle: {
    list: 'list', read: 'read', update: 'update',
    remove: { by: 'delete', endpoint: 'delete' },
    ownedBy: 'tags',
    verifyByRead: true,
    cannotCreate: 'the service makes it when it first sees such an event',
  },
  tells: [
    { member: 'post_to_slack', behaviour: 'post_to_chat_name', is: 'post_to_slack' },
    { member: 'post_to_chat', behaviour: 'post_to_chat_name', is: 'post_to_chat' },
  ],
  example: {
    label: 'checkout_paid', identity: 'checkout_paid',
    fields: { tags: ['payments'] },
    comment: 'Taken over once the service has seen such an event; nothing creates one.',
  },
})
