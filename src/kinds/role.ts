import type { Structure } from '../model/field.ts'
import { trimmedText } from '../model/json/canonical.ts'
import { defineKind } from '../model/kind.ts'
import { paging, userSummary } from './answers.ts'

const roles = '/api/organizations/{parent_lookup_organization_id}/roles'

/** A role as records nest it. */
export const role = {
  name: 'role',
  fields: {
    id:                         { type: 'string',  access: 'read', format: 'uuid', doc: 'The id of the role.' },
    name:                       { type: 'string',  access: 'read', canonical: trimmedText, doc: 'The name of the role.' },
    feature_flags_access_level: { type: 'integer', access: 'read', doc: 'What the role may do with every flag: 21 view, 37 edit.' },
    created_at:                 { type: 'string',  access: 'read', format: 'date-time', doc: 'When the role was created.' },
    created_by:                 { type: 'structure', of: userSummary, access: 'read', doc: 'Who created the role.' },
    members:                    { type: 'string',  access: 'read', doc: 'Who has the role.' },
    associated_flags:           { type: 'string',  access: 'read', doc: 'The flags that the role was granted.' },
  },
} as const satisfies Structure

/** The roles of an organization, which the interface document only nests in grants. [service-behaviour 3] [service-today 5] */
export const roleKind = defineKind({
  name: 'role',
  title: 'role',
  section: 'roles',
  doc: 'A group of people of an organization, which can be granted flags. Looked up by its name, never declared.',
  scope: 'organization',
  keyScope: 'organization',
  identity: { by: 'field', field: 'name', unique: true, caseless: true },
  fields: role.fields,
  endpoints: {
    list: { method: 'GET', path: roles, query: paging, answer: 'page', status: 200, newer: true, doc: 'List the roles of an organization, on services that have the list.' },
    read: { method: 'GET', path: `${roles}/{id}`, answer: 'record', status: 200, newer: true, doc: 'Read a role, on such services.' },
  },
  lifecycle: { list: 'list', listTakesNoQuery: true, read: 'read', mayBeGone: 'roles_route' },
  onlyRead: true,
  example: { label: 'support', identity: 'support' },
})
