import type { Query } from '../model/endpoint.ts'
import { defineKind } from '../model/kind.ts'
import { paging } from './answers.ts'

const events = '/api/projects/{project_id}/events'

const format = {
  format: { type: 'string', oneOf: ['csv', 'json'], doc: 'The encoding of the answer.' },
} as const satisfies Query

export const event = defineKind({
  name: 'event',
  title: 'recorded event',
  section: 'events',
  doc: 'Something that happened. Recorded by the service; read only.',
  scope: 'project',
  keyScope: 'query',
  fields: {
    id:             { type: 'string', access: 'read', doc: 'The id in paths.' },
    distinct_id:    { type: 'string', access: 'read', doc: 'Who it happened to.' },
    properties:     { type: 'string', access: 'read', doc: 'What is known about it.' },
    event:          { type: 'string', access: 'read', doc: 'The name of the event.' },
    timestamp:      { type: 'string', access: 'read', doc: 'When it happened.' },
    person:         { type: 'string', access: 'read', doc: 'The person behind the distinct id.' },
    elements:       { type: 'string', access: 'read', doc: 'The page elements involved.' },
    elements_chain: { type: 'string', access: 'read', doc: 'The same, as one text.' },
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
    values: { method: 'GET', path: `${events}/values`, query: format, answer: 'shape', status: 200, doc: 'The values that a property was seen with.', source: { asks: ['query = { key = "country" }'] } },
  },
})
