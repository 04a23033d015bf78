import { pluginKind } from '../../kinds/index.ts'
import { isJsonArray, isJsonObject, type Json } from '../../model/text/json.ts'
import { readJson } from '../../model/text/json-text.ts'
import { forbidden, invalid, jsonAnswer, serverError } from '../http/messages.ts'
import type { PluginRow } from '../rows.ts'
import type { Call, Handlers, Resource } from './resource.ts'
import { findToDo, recordAnswer, showRecord } from './serve-kind.ts'

const manifest = 'plugin.json'

/** Plugins: of an organization or shared by all, some of them from a catalogue. */
export const pluginResource: Resource<PluginRow> = {
  kind: pluginKind,
  first: [
    ...['plugin_type', 'name', 'description', 'icon', 'config_schema', 'tag'],
    ...['capabilities', 'metrics', 'public_jobs'],
  ],
  columns: { url: null, in_use: false },
  keepsTextsAsSent: true,
  sees: ({ organization }, row) => row.organization_id === organization.id || row.is_global,
  allow({ organization }, operation, row) {
    if (operation === 'read' || operation === 'readFiles') return
    if (row.organization_id !== organization.id) throw forbidden()
    if (operation === 'remove' && row.is_global)
      throw invalid(null, 'This plugin is marked as global! Make it local before uninstallation.')
  },
  listed({ store, organization }, all) {
    const shared = store.globalPlugins.all('all').filter(row => row.organization_id !== organization.id)
    return [...all(), ...shared]
  },
  created(call, row) {
    const url = requestedUrl(call, row)
    const type = call.quirks.plugin_without_url === 'error' ? resultingType(row, url) : row.plugin_type
    return { ...row, ...catalogued(url), plugin_type: type ?? 'custom', url }
  },
  filesWritten({ body }, before) {
    const described = body[manifest]
    return typeof described === 'string' ? readManifest(described, before) : {}
  },
  show: {
    // The part after the question mark may be a token.
    url: (_, { url }) => url?.split('?')[0] ?? null,
    organization_name: ({ store }, row) => store.organizations.get(row.organization_id)?.name ?? null,
  },
}

/** The document has no address in requests, but the public service still reads it from the body. */
function requestedUrl({ store, body, quirks }: Call, { plugin_type }: PluginRow): string | null {
  if (plugin_type === 'source') return null
  if (typeof body.url !== 'string' || body.url === '') {
    if (quirks.plugin_without_url === 'error') throw serverError()
    return null
  }
  if (store.pluginByUrl.get(body.url)) throw invalid(null, 'Plugin from this URL already installed!')
  return body.url
}

function resultingType({ plugin_type }: PluginRow, url: string | null): PluginRow['plugin_type'] {
  if (url === null) return plugin_type
  if (url.startsWith('file:')) return 'local'
  return plugin_type === 'repository' ? 'repository' : 'custom'
}

function readManifest(text: string, before: PluginRow): Partial<PluginRow> {
  let described: Json
  try {
    described = readJson(text)
  } catch {
    throw serverError()
  }
  if (!isJsonObject(described)) throw serverError()
  const { name, config } = described
  return {
    name: typeof name === 'string' ? name : before.name,
    config_schema: isJsonObject(config) || isJsonArray(config) ? config : before.config_schema,
  }
}

/** The operations for plugins beside those for every kind. */
export const pluginActions: Handlers = {
  checkForUpdates(call) {
    const plugin = findToDo(pluginResource, call, 'read')
    const own = call.quirks.action_answers === 'own'
    // A plugin whose code was typed in has no source of updates.
    if (own && plugin.plugin_type === 'source') throw serverError()
    const latest = latestTag(plugin)
    const checked =
      latest === plugin.latest_tag ? plugin : call.store.plugins.put({ ...plugin, latest_tag: latest })
    const record = showRecord(pluginResource, call, checked)
    return jsonAnswer(own ? { plugin: record } : record)
  },
  upgrade(call) {
    const plugin = findToDo(pluginResource, call, 'writeFiles')
    if (plugin.plugin_type === 'source' || plugin.plugin_type === 'local')
      return recordAnswer(pluginResource, call, plugin)
    const latest = latestTag(plugin)
    const upgraded = call.store.plugins.put({ ...plugin, tag: latest, latest_tag: latest })
    return recordAnswer(pluginResource, call, upgraded)
  },
  repository() {
    const plugins = catalogue.map(({ name, url, description, icon }) => ({ name, url, description, icon }))
    return jsonAnswer(plugins.map(plugin => ({ ...plugin, verified: false, maintainer: 'community' })))
  },
  unused(call) {
    const unused = [...call.store.plugins.all()].filter(plugin => !plugin.in_use)
    return jsonAnswer(unused.map(plugin => plugin.id))
  },
}

function latestTag({ url, latest_tag, tag }: PluginRow): string | null {
  return catalogued(url)?.latest_tag ?? latest_tag ?? tag
}

/** The plugins that can be installed from an address, with the content of their downloads. The addresses do not exist. */
const catalogue = [
  {
    name: 'Country of an event',
    url: 'https://plugins.example.com/geo',
    description: 'Adds the country that an event came from.',
    icon: 'https://plugins.example.com/geo/logo.png',
    tag: '1.2.0',
    latest_tag: '1.3.0',
    config_schema: {},
  },
  {
    name: 'Nightly export',
    url: 'https://plugins.example.com/export',
    description: 'Sends every event to a bucket.',
    icon: 'https://plugins.example.com/export/logo.png',
    tag: '0.9.1',
    latest_tag: '0.9.1',
    config_schema: { bucket: { name: 'Bucket', type: 'string', required: true } },
  },
  {
    name: 'Query string filter',
    url: 'https://plugins.example.com/query-filter',
    description: 'Leaves parts of addresses out of events.',
    icon: 'https://plugins.example.com/query-filter/logo.png',
    tag: '2.0.0',
    latest_tag: '2.0.4',
    config_schema: { names: { name: 'Parameters to leave out', type: 'string' } },
  },
] as const

function catalogued(url: string | null) {
  return catalogue.find(plugin => plugin.url === url)
}
