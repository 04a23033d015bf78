import { tagSet, trimmedText } from '../../../src/model/canonical.ts'
import { defineKind } from '../../../src/model/kind.ts'

const views = '/api/projects/{project_id}/saved_views'
const view = `${views}/{id}` as const

/** A kind that no file of ours knows. Its `filters` and its `payload` are only called as those of a flag. */
export const savedView = defineKind({
  name: 'saved_view',
  title: 'view',
  longTitle: 'saved view',
  section: 'saved_views',
  doc: 'A table of events that people come back to.',
  scope: 'project',
  parameters: { id: 'integer' },
  identity: { by: 'field', field: 'slug', unique: true },
  fields: {
    id: { type: 'integer', access: 'read', doc: 'The id in paths.' },
    slug: {
      type: 'string',
      access: 'managed',
      required: true,
      canonical: trimmedText,
      doc: 'What links name it by.',
    },
    columns: { type: 'list', of: 'string', access: 'managed', doc: 'What is shown of a row.' },
    payload: { type: 'string', access: 'managed', doc: 'What is handed on with a row.' },
    filters: { type: 'json', access: 'managed', doc: 'Which rows are shown.' },
    tags: { type: 'set', access: 'managed', canonical: tagSet, doc: 'Labels.' },
    deleted: { type: 'boolean', access: 'writable', doc: 'The soft-delete marker.' },
    created_at: {
      type: 'string',
      access: 'read',
      format: 'date-time',
      shown: true,
      stamp: 'created',
      doc: 'When it was saved.',
    },
  },
  endpoints: {
    list: { method: 'GET', path: views, answer: 'page', status: 200, doc: 'List saved views.' },
    create: {
      method: 'POST',
      path: views,
      body: 'writable',
      answer: 'record',
      status: 201,
      doc: 'Save a view.',
    },
    read: { method: 'GET', path: view, answer: 'record', status: 200, doc: 'Read a saved view.' },
    update: {
      method: 'PATCH',
      path: view,
      body: 'writable',
      answer: 'record',
      status: 200,
      doc: 'Change the fields in the body.',
    },
    activity: {
      method: 'GET',
      path: `${views}/activity`,
      answer: 'shape',
      status: 200,
      doc: 'What happened to saved views.',
    },
  },
  lifecycle: {
    list: 'list',
    read: 'read',
    create: 'create',
    update: 'update',
    remove: { by: 'update', body: { deleted: true } },
    softDelete: { field: 'deleted', is: true, restore: { deleted: false }, trail: 'activity' },
    activity: { scope: 'SavedView', all: 'activity' },
    ownedBy: 'tags',
  },
})
