import { defineKind } from '../model/kind.ts'
import { paging } from './answers.ts'
import { featureFlag } from './feature-flag.ts'
import { role } from './role.ts'

const grants = '/api/projects/{project_id}/feature_flags/{parent_lookup_feature_flag_id}/role_access'
const grant = `${grants}/{id}` as const
const controls =
  '/api/projects/{project_id}/feature_flags/{parent_lookup_feature_flag_id}/access_controls'

export const roleAccess = defineKind({
  name: 'feature_flag_role_access',
  title: 'grant',
  section: 'feature_flag_role_access',
  doc: 'A role\'s permission to edit one flag; on newer services, what the role may do with it. It is created and removed; only its level changes.',
  scope: 'project',
  keyScope: featureFlag.name,
  parameters: { id: 'integer' },
  identity: { by: 'parent', structure: 'role', member: 'id', sentAs: 'role_id' },
  fields: {
    id:           { type: 'integer', access: 'read', doc: 'The id in paths.' },
    feature_flag: { type: 'structure', of: { name: 'feature_flag', fields: featureFlag.fields }, access: 'read', doc: 'The flag that may be edited.' },
    role:         { type: 'structure', of: role, access: 'read', doc: 'The role that may edit it.' },
    role_id:      { type: 'string', access: 'managed', required: true, format: 'uuid', doc: 'The role to grant; the only request field.' },
    // The grant of older services lets the role edit the flag [service-behaviour 2.2], which is this level [service-today 5].
    access_level: { type: 'string', access: 'managed', newer: true, oneOf: ['none', 'viewer', 'editor', 'manager'], assumed: 'editor', doc: 'What the role may do with the flag, on services that have levels: `none` hides it. `editor`, which is what a grant means elsewhere, when left out.' },
    added_at:     { type: 'string', access: 'read', format: 'date-time', shown: true, stamp: 'created', doc: 'When the role was granted.' },
    updated_at:   { type: 'string', access: 'read', format: 'date-time', stamp: 'changed', doc: 'When the grant was last touched.' },
  },
  endpoints: {
    list:   { method: 'GET',    path: grants, query: paging, answer: 'page', status: 200, doc: 'List the grants of a flag.', source: { doc: 'The roles that may edit a flag.' } },
    create: { method: 'POST',   path: grants, body: ['role_id'], answer: 'record', status: 201, doc: 'Grant a role.' },
    read:   { method: 'GET',    path: grant, answer: 'record', status: 200, doc: 'Read a grant.' },
    delete: { method: 'DELETE', path: grant, answer: 'empty', status: 204, doc: 'Take a grant back.' },
    accessControls:    { method: 'GET', path: controls, answer: 'unstated', status: 200, newer: true, keyScope: 'access_control', doc: 'List what roles and people may do with a flag, on newer services.', source: false },
    setAccessControl:  { method: 'PUT', path: controls, body: 'unstated', answer: 'unstated', status: 'unstated', newer: true, keyScope: 'access_control', doc: 'Say what a role may do with a flag, on newer services; a level of null takes it back.' },
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
