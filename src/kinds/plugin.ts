import { offByDefault, trimmedText } from '../model/canonical.ts'
import { defineKind } from '../model/kind.ts'
import { paging } from './answers.ts'

const plugins = '/api/organizations/{parent_lookup_organization_id}/plugins'
const plugin = `${plugins}/{id}` as const

export const pluginKind = defineKind({
  name: 'plugin',
  title: 'plugin',
  section: 'plugins',
  doc: 'Code that the service runs on events, installed for an organization.',
  scope: 'organization',
  parameters: { id: 'integer' },
  identity: { by: 'field', field: 'name', unique: false },
  fields: {
    id:                { type: 'integer', access: 'read', doc: 'The id in paths.' },
    plugin_type:       { type: 'string',  access: 'managed', nullable: true, initial: 'custom', oneOf: ['local', 'custom', 'repository', 'source'], doc: 'Where the code comes from.' },
    name:              { type: 'string',  access: 'managed', required: true, nullable: true, canonical: trimmedText, doc: 'The name; the service does not keep it unique.' },
    description:       { type: 'string',  access: 'managed', nullable: true, redactedAs: 'descriptions', canonical: trimmedText, doc: 'What the plugin does.' },
    url:               { type: 'string',  access: 'read', doc: 'Where the code was fetched from.' },
    icon:              { type: 'string',  access: 'managed', nullable: true, canonical: trimmedText, doc: 'The address of a picture.' },
    config_schema:     { type: 'json', orArray: true, access: 'managed', nullable: true, redactedAs: 'values', doc: 'The settings that the plugin needs.' },
    tag:               { type: 'string',  access: 'managed', nullable: true, canonical: trimmedText, doc: 'The installed version.' },
    latest_tag:        { type: 'string',  access: 'read', doc: 'The newest known version.' },
    is_global:         { type: 'boolean', access: 'managed', canonical: offByDefault, sendOnChangeOnly: true, doc: 'Whether every organization can use it.' },
    organization_id:   { type: 'string',  access: 'read', format: 'uuid', doc: 'The organization that owns the plugin.' },
    organization_name: { type: 'string',  access: 'read', doc: 'The name of that organization.' },
    capabilities:      { type: 'json', access: 'writable', nullable: true, doc: 'What the code can do. The service computes this after loading the code.' },
    metrics:           { type: 'json', access: 'writable', nullable: true, doc: 'What the code measures. The service computes this after loading the code.' },
    public_jobs:       { type: 'json', access: 'managed', nullable: true, redactedAs: 'values', doc: 'Jobs that people can start.' },
  },
  endpoints: {
    list:            { method: 'GET',    path: plugins, query: paging, answer: 'page', status: 200, doc: 'List plugins.' },
    create:          { method: 'POST',   path: plugins, body: 'writable', answer: 'record', status: 201, doc: 'Install a plugin.' },
    read:            { method: 'GET',    path: plugin, answer: 'record', status: 200, doc: 'Read a plugin.' },
    update:          { method: 'PATCH',  path: plugin, body: 'writable', answer: 'record', status: 200, doc: 'Change the fields in the body.' },
    delete:          { method: 'DELETE', path: plugin, answer: 'empty', status: 204, doc: 'Delete a plugin permanently.' },
    checkForUpdates: { method: 'GET',    path: `${plugin}/check_for_updates`, answer: 'record', status: 200, scopedKeys: false, doc: 'Check for a newer version.', source: false },
    source:          { method: 'GET',    path: `${plugin}/source`, answer: 'record', status: 200, scopedKeys: false, doc: 'Read the source files.', source: { doc: 'The source files of a plugin.' } },
    updateSource:    { method: 'PATCH',  path: `${plugin}/update_source`, body: 'writable', answer: 'record', status: 200, scopedKeys: false, doc: 'Change source files.' },
    upgrade:         { method: 'POST',   path: `${plugin}/upgrade`, body: 'writable', answer: 'record', status: 200, scopedKeys: false, doc: 'Install the newest version.' },
    activity:        { method: 'GET',    path: `${plugins}/activity`, answer: 'shape', status: 200, scopedKeys: false, doc: 'The activity trail of plugins.' },
    repository:      { method: 'GET',    path: `${plugins}/repository`, answer: 'shape', status: 200, scopedKeys: false, doc: 'Plugins that can be installed.' },
    unused:          { method: 'GET',    path: `${plugins}/unused`, answer: 'shape', status: 200, scopedKeys: false, doc: 'Plugins that no configuration uses.', source: { name: 'unused_plugins' } },
  },
  lifecycle: {
    list: 'list', read: 'read', create: 'create', update: 'update',
    mayBeGone: 'plugins_route',
    remove: { by: 'delete', endpoint: 'delete' },
    activity: { scope: 'Plugin', all: 'activity' },
    files: {
      read: 'source', write: 'updateSource',
      manifest: { file: 'plugin.json', members: { name: 'name', config_schema: 'config' } },
    },
  },
  example: {
    label: 'geoip', identity: 'geoip',
    fields: { plugin_type: 'source', description: 'Adds the country of an event' },
    files: {
      'plugin.json': '{"name":"geoip"}',
      'index.ts': 'export function processEvent(event) { return event }',
    },
  },
})
