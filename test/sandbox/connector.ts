import { userSummary } from '../../src/kinds/answers.ts'
import { defineKind } from '../../src/model/kind.ts'

const connectors = '/api/organizations/{parent_lookup_organization_id}/connectors'
const oneConnector = `${connectors}/{id}` as const

/** A kind of an organization: its ids are UUIDs, its names are not unique, it has files and is removed for good. */
// biome-ignore format: a table
export const connector = defineKind({
  name: 'connector',
  title: 'connector',
  section: 'connectors',
  doc: 'Where events are sent.',
  scope: 'organization',
  identity: { by: 'field', field: 'name', unique: false },
  fields: {
    id:       { type: 'string', access: 'read', format: 'uuid', doc: 'The id in paths.' },
    name:     { type: 'string', access: 'managed', required: true, doc: 'The name of the variant for people.' },
    settings: { type: 'json', access: 'managed', nullable: true, initial: null, doc: 'How it is set up.' },
    port:     { type: 'integer', access: 'managed', doc: 'The port.' },
    owner:    { type: 'structure', of: userSummary, access: 'read', stamp: 'author', doc: 'Who made it.' },
    changed:  { type: 'string', access: 'read', format: 'date-time', stamp: 'changed', doc: 'When it was last changed.' },
  },
  endpoints: {
    list:       { method: 'GET',    path: connectors, answer: 'page', status: 200, doc: 'List connectors.' },
    create:     { method: 'POST',   path: connectors, body: 'writable', answer: 'record', status: 200, doc: 'Make one.' },
    log:        { method: 'GET',    path: `${connectors}/log`, answer: 'shape', status: 200, doc: 'What happened.' },
    read:       { method: 'GET',    path: oneConnector, answer: 'record', status: 200, doc: 'Read one.' },
    update:     { method: 'PATCH',  path: oneConnector, body: ['settings', 'port'], answer: 'record', status: 200, doc: 'Change one.' },
    delete:     { method: 'DELETE', path: oneConnector, answer: 'empty', status: 202, doc: 'Remove one.' },
    files:      { method: 'GET',    path: `${oneConnector}/files`, answer: 'shape', status: 200, doc: 'Its files.' },
    writeFiles: { method: 'PATCH',  path: `${oneConnector}/files`, body: 'unstated', answer: 'shape', status: 200, doc: 'Change its files.' },
  },
  lifecycle: {
    list: 'list', read: 'read', create: 'create', update: 'update',
    remove: { by: 'delete', endpoint: 'delete' },
    activity: { scope: 'Connector', all: 'log' },
    files: { read: 'files', write: 'writeFiles' },
  },
})
