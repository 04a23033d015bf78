import { trimmedText } from '../model/canonical.ts'
import type { Structure } from '../model/field.ts'
import { defineKind } from '../model/kind.ts'
import { paging, userSummary } from './answers.ts'
import { featureFlag } from './feature-flag.ts'

const roles = '/api/organizations/{parent_lookup_organization_id}/roles'

/** A role, as other records contain it. */
export const role = {
  name: 'role',
  fields: {
    id:                         { type: 'string',  access: 'read', format: 'uuid', doc: 'The id of the role.' },
    name:                       { type: 'string',  access: 'read', canonical: trimmedText, doc: 'The name of the role.' },
    feature_flags_access_level: { type: 'integer', access: 'read', doc: 'What the role may do with every flag: 21 view, 37 edit.' },
    created_at:                 { type: 'string',  access: 'read', format: 'date-time', doc: 'When the role was created.' },
    created_by:                 { type: 'structure', of: userSummary, access: 'read', doc: 'Who created the role.' },
    members:                    { type: 'string',  access: 'read', doc: 'Who has the role.' },
    associated_flags:           { type: 'string',  access: 'read', doc: 'The flags with a grant for the role.' },
  },
} as const satisfies Structure

/**
 * The roles of an organization. The interface document shows roles only inside grants. [service-behaviour 3]
 * [service-today 5]
 */
export const roleKind = defineKind({
  name: 'role',
  title: 'role',
  section: 'roles',
  doc: 'A group of people in an organization that can get grants. Vexil looks a role up by name and never creates it.',
  scope: 'organization',
  keyScope: 'organization',
  identity: { by: 'field', field: 'name', unique: true, caseless: true },
  fields: role.fields,
  endpoints: {
    list: { method: 'GET', path: roles, query: paging, answer: 'page', status: 200, newer: true, doc: 'List the roles of an organization, on services that have the list.' },
    read: { method: 'GET', path: `${roles}/{id}`, answer: 'record', status: 200, newer: true, doc: 'Read a role, on services that have the list.' },
  },
  lifecycle: { list: 'list', listTakesNoQuery: true, read: 'read', mayBeGone: 'roles_route' },
  onlyRead: true,
  example: { label: 'support', identity: 'support' },
})

const grants = '/api/projects/{project_id}/feature_flags/{parent_lookup_feature_flag_id}/role_access'
const grant = `${grants}/{id}` as const
const controls =
  '/api/projects/{project_id}/feature_flags/{parent_lookup_feature_flag_id}/access_controls'

export const roleAccess = defineKind({
  name: 'feature_flag_role_access',
  title: 'grant',
  section: 'feature_flag_role_access',
  doc: "A role's permission to edit one flag; on newer services, what the role may do with the flag. Only its level can be changed.",
  scope: 'project',
  keyScope: featureFlag.name,
  parameters: { id: 'integer' },
  identity: { by: 'parent', structure: 'role', member: 'id', sentAs: 'role_id' },
  fields: {
    id:           { type: 'integer', access: 'read', doc: 'The id in paths.' },
    feature_flag: { type: 'structure', of: { name: 'feature_flag', fields: featureFlag.fields }, access: 'read', doc: 'The flag that may be edited.' },
    role:         { type: 'structure', of: role, access: 'read', doc: 'The role that may edit it.' },
    role_id:      { type: 'string', access: 'managed', required: true, format: 'uuid', doc: 'The role to grant; the only request field.' },
    // A grant of an older service lets the role edit the flag [service-behaviour 2.2]. That equals this level
    // [service-today 5].
    access_level: { type: 'string', access: 'managed', newer: true, oneOf: ['none', 'viewer', 'editor', 'manager'], assumed: 'editor', doc: 'What the role may do with the flag, on services with levels; `none` hides the flag. Default: `editor`, which equals a grant on other services.' },
    added_at:     { type: 'string', access: 'read', format: 'date-time', shown: true, stamp: 'created', doc: 'When the role was granted.' },
    updated_at:   { type: 'string', access: 'read', format: 'date-time', stamp: 'changed', doc: 'When the grant was last changed.' },
  },
  endpoints: {
    list:   { method: 'GET',    path: grants, query: paging, answer: 'page', status: 200, doc: 'List the grants of a flag.', source: { doc: 'The roles that may edit a flag.' } },
    create: { method: 'POST',   path: grants, body: ['role_id'], answer: 'record', status: 201, doc: 'Grant a role.' },
    read:   { method: 'GET',    path: grant, answer: 'record', status: 200, doc: 'Read a grant.' },
    delete: { method: 'DELETE', path: grant, answer: 'empty', status: 204, doc: 'Revoke a grant.' },
    accessControls:    { method: 'GET', path: controls, answer: 'unstated', status: 200, newer: true, keyScope: 'access_control', doc: 'List what roles and people may do with a flag, on newer services.', source: false },
    setAccessControl:  { method: 'PUT', path: controls, body: 'unstated', answer: 'unstated', status: 'unstated', newer: true, keyScope: 'access_control', doc: 'Set what a role may do with a flag, on newer services; a level of null removes the permission.' },
  },
  lifecycle: {
    list: 'list', listTakesNoQuery: true, read: 'read', create: 'create',
    remove: { by: 'delete', endpoint: 'delete' },
    levels: {
      behaviour: 'grants_route', is: 'access_controls',
      list: 'accessControls', rows: 'access_controls', put: 'setAccessControl',
      subject: 'role', field: 'access_level',
      members: { access_level: 'access_level', added_at: 'created_at', updated_at: 'updated_at' },
    },
    parent: { kind: 'feature_flag', parameter: 'parent_lookup_feature_flag_id' },
  },
  example: { label: 'support', identity: '01900000-0000-0000-0000-0000000000aa' },
})
