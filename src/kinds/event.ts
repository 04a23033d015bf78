import { offByDefault, tagSet, trimmedText } from '../model/canonical.ts'
import type { Query } from '../model/endpoint.ts'
import { defineKind } from '../model/kind.ts'
import { valuesOf } from '../services/differences.ts'
import { paging, userSummary } from './answers.ts'

const definitions = '/api/projects/{project_id}/event_definitions'
const definition = `${definitions}/{id}` as const

export const eventDefinition = defineKind({
  name: 'event_definition',
  title: 'event',
  longTitle: 'event definition',
  section: 'event_definitions',
  doc: 'A named type of event. The service creates the definition when it first sees such an event.',
  scope: 'project',
  identity: { by: 'field', field: 'name', unique: true },
  fields: {
    id:                 { type: 'string',  access: 'read', format: 'uuid', doc: 'The id in paths.' },
    name:               { type: 'string',  access: 'managed', required: true, maxLength: 400, canonical: trimmedText, doc: 'The name under which events are recorded.' },
    created_at:         { type: 'string',  access: 'writable', format: 'date-time', shown: true, stamp: 'created', doc: 'When the definition was created.' },
    last_seen_at:       { type: 'string',  access: 'writable', format: 'date-time', doc: 'When the service last saw such an event.' },
    last_updated_at:    { type: 'string',  access: 'read', format: 'date-time', stamp: 'changed', initial: null, doc: 'When the definition was last changed.' },
    tags:               { type: 'set', access: 'managed', maxLength: 255, canonical: tagSet, doc: 'Tags. The service trims them and stores them in lower case.' },
    is_action:          { type: 'string',  access: 'read', doc: 'Whether it is an action rather than an event.' },
    action_id:          { type: 'integer', access: 'read', doc: 'The id of the action, if it is an action.' },
    is_calculating:     { type: 'boolean', access: 'read', doc: 'Whether the action is being computed.' },
    last_calculated_at: { type: 'string',  access: 'read', format: 'date-time', doc: 'When the action was last computed.' },
    created_by:         { type: 'structure', of: userSummary, access: 'read', doc: 'Who created the action.' },
    post_to_chat:       { type: 'boolean', access: 'managed', canonical: offByDefault, spelling: valuesOf('post_to_chat_name'), doc: 'Whether such events are posted to a chat tool.' },
  },
  endpoints: {
    list:   { method: 'GET',    path: definitions, query: paging, answer: 'page', status: 200, doc: 'List event definitions.' },
    read:   { method: 'GET',    path: definition, answer: 'record', status: 200, doc: 'Read an event definition.', source: { wants: 'THIS.last_seen_at' } },
    update: { method: 'PATCH',  path: definition, body: ['name', 'created_at', 'last_seen_at', 'tags', 'post_to_chat'], answer: 'record', status: 200, doc: 'Change the fields in the body.' },
    delete: { method: 'DELETE', path: definition, answer: 'unstated', status: 'unstated', doc: 'Delete a definition until the service sees such an event again.' },
  },
  lifecycle: {
    list: 'list', read: 'read', update: 'update',
    remove: { by: 'delete', endpoint: 'delete' },
    ownedBy: 'tags',
    verifyByRead: true,
    cannotCreate: 'the service creates it when it first sees such an event',
  },
  tells: [
    { member: 'post_to_slack', behaviour: 'post_to_chat_name', is: 'post_to_slack' },
    { member: 'post_to_chat', behaviour: 'post_to_chat_name', is: 'post_to_chat' },
  ],
  example: {
    label: 'checkout_paid', identity: 'checkout_paid',
    fields: { tags: ['payments'] },
    comment: 'Adopted after the service has seen such an event. Vexil never creates a definition.',
  },
})

const events = '/api/projects/{project_id}/events'

const format = {
  format: { type: 'string', oneOf: ['csv', 'json'], doc: 'The format of the answer.' },
} as const satisfies Query

export const event = defineKind({
  name: 'event',
  title: 'recorded event',
  section: 'events',
  doc: 'A recorded event; read only.',
  scope: 'project',
  keyScope: 'query',
  fields: {
    id:             { type: 'string', access: 'read', doc: 'The id in paths.' },
    distinct_id:    { type: 'string', access: 'read', doc: 'The distinct id of the person.' },
    properties:     { type: 'string', access: 'read', doc: 'Properties of the event.' },
    event:          { type: 'string', access: 'read', doc: 'The name of the event.' },
    timestamp:      { type: 'string', access: 'read', doc: 'When it happened.' },
    person:         { type: 'string', access: 'read', doc: 'The person with the distinct id.' },
    elements:       { type: 'string', access: 'read', doc: 'The page elements involved.' },
    elements_chain: { type: 'string', access: 'read', doc: 'The page elements, as one text.' },
  },
  endpoints: {
    list: {
      method: 'GET', path: events, answer: 'page', status: 200, doc: 'List events, newest first.',
      source: {
        doc: 'Recorded events, newest first.',
        asks: ['event = "checkout_paid"', 'limit = 10'],
        wants: '[for event in THIS.events : event.timestamp]',
      },
      query: {
        after:       { type: 'string',  doc: 'Only return events with a timestamp after this time.' },
        before:      { type: 'string',  doc: 'Only return events with a timestamp before this time.' },
        distinct_id: { type: 'integer', doc: 'Filter by distinct id.' },
        event:       { type: 'string',  doc: 'Filter by event name.' },
        ...format,
        ...paging,
        person_id:   { type: 'integer', doc: 'Filter by person id.' },
        properties:  { type: 'array',   doc: 'Filter by event property, person property, cohort, groups and more.' },
        select:      { type: 'array',   doc: 'Experimental: JSON-serialized array of query-language expressions to return.' },
        where:       { type: 'array',   doc: 'Experimental: JSON-serialized array of query-language expressions that must pass.' },
      },
    },
    read:   { method: 'GET', path: `${events}/{id}`, query: format, answer: 'record', status: 200, doc: 'Read an event.' },
    values: { method: 'GET', path: `${events}/values`, query: format, answer: 'shape', status: 200, doc: 'The values that a property has had.', source: { asks: ['query = { key = "country" }'] } },
  },
})
