import { pluginKind } from '../../kinds/index.ts'
import { isJsonArray, isJsonObject, type Json } from '../../model/json/json.ts'
import { readJson } from '../../model/json/json-text.ts'
import { forbidden, invalid, serverError } from '../http/refusal.ts'
import type { Call } from '../resource/call.ts'
import type { Resource } from '../resource/resource.ts'
import type { PluginRow } from '../store/rows.ts'
import { catalogued } from './plugin-catalogue.ts'

/** The file of a plugin that describes it. */
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
  worldProblems({ url }, pointer, { once }) {
    once('', 'plugin url', url, `${pointer}/url`)
  },
  filesWritten({ body }, before) {
    const described = body[manifest]
    return typeof described === 'string' ? readManifest(described, before) : {}
  },
  show: {
    // What follows the question mark may be a token.
    url: (_, { url }) => url?.split('?')[0] ?? null,
    organization_name: ({ store }, row) => store.organizations.get(row.organization_id)?.name ?? null,
  },
}

/** The address is no documented request field, but the public service reads it from the body all the same. */
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
