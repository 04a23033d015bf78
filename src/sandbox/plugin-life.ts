import type { Kinds } from '../kinds/index.ts'
import type { WriteOf } from '../model/field.ts'
import { isJsonArray, isJsonObject, type Json } from '../model/json.ts'
import { readJson } from '../model/json-text.ts'
import { fieldChanges, recordActivity } from './activity.ts'
import type { Call } from './call.ts'
import { catalogued } from './plugin-catalogue.ts'
import { invalid, serverError } from './refusal.ts'
import type { PluginRow } from './rows.ts'

type PluginBody = WriteOf<Kinds['plugin']['fields']>

/** The files that a plugin may be sent; the one that describes it names it too. */
const manifest = 'plugin.json'

/** Installs a plugin from the request's body. */
export function createPlugin(call: Call): PluginRow {
  const { store, organization, quirks } = call
  const body = sentBody(call)
  const url = requestedUrl(call, body)
  const fromCatalogue = catalogued(url)
  const plugin = store.plugins.put({
    ...blankPlugin(organization.id),
    ...sentFields(body),
    ...(fromCatalogue ?? {}),
    id: store.nextId(store.plugins),
    plugin_type:
      quirks.plugin_without_url === 'error' ? resultingType(body, url) : (body.plugin_type ?? 'custom'),
    url,
  })
  recordActivity(call, { ...happeningTo(plugin), activity: 'created' })
  return plugin
}

/** Stores every writable field as it was sent. */
export function updatePlugin(call: Call, before: PluginRow): PluginRow {
  const written = sentFields(sentBody(call))
  const changes = fieldChanges('Plugin', before, written)
  if (changes.length === 0) return before
  const after = call.store.plugins.put({ ...before, ...written })
  recordActivity(call, { ...happeningTo(after), activity: 'updated', changes })
  return after
}

/** Changes the files that the body names: null deletes one, and those it does not name stay. */
export function updateSource(call: Call, before: PluginRow): PluginRow {
  const files = new Map(Object.entries(before.source))
  for (const [name, content] of Object.entries(call.body)) {
    if (content === null) files.delete(name)
    else if (typeof content === 'string') files.set(name, content)
    else throw invalid(name, 'Not a valid string.')
  }
  const source = Object.fromEntries(files)
  const described = call.body[manifest]
  const written = { source, ...(typeof described === 'string' ? readManifest(described, before) : {}) }
  const changes = fieldChanges('PluginSourceFile', before, written)
  if (changes.length === 0) return before
  const after = call.store.plugins.put({ ...before, ...written })
  recordActivity(call, { ...happeningTo(after), activity: 'updated', changes })
  return after
}

/** A plugin as it is before a request says anything of it. */
export function blankPlugin(organization: string): PluginRow {
  return {
    id: 0,
    organization_id: organization,
    plugin_type: 'custom',
    name: null,
    description: null,
    url: null,
    icon: null,
    config_schema: {},
    tag: null,
    latest_tag: null,
    is_global: false,
    capabilities: {},
    metrics: {},
    public_jobs: {},
    source: {},
    in_use: false,
  }
}

function sentBody({ body }: Call): PluginBody {
  // The body was checked against the schema that comes from the same fields.
  return body as PluginBody
}

function sentFields(body: PluginBody): Partial<PluginRow> {
  const {
    plugin_type,
    name,
    description,
    icon,
    config_schema,
    tag,
    is_global,
    capabilities,
    metrics,
    public_jobs,
  } = body
  const fields = {
    plugin_type,
    name,
    description,
    icon,
    config_schema,
    tag,
    capabilities,
    metrics,
    public_jobs,
  }
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(given),
    ...(is_global === undefined ? {} : { is_global: is_global ?? false }),
  }
}

/** The address is no documented request field, but the public service reads it from the body all the same. */
function requestedUrl({ store, body, quirks }: Call, { plugin_type }: PluginBody): string | null {
  if (plugin_type === 'source') return null
  if (typeof body.url !== 'string' || body.url === '') {
    if (quirks.plugin_without_url === 'error') throw serverError()
    return null
  }
  if (store.pluginByUrl.get(body.url)) throw invalid(null, 'Plugin from this URL already installed!')
  return body.url
}

function resultingType({ plugin_type }: PluginBody, url: string | null): PluginRow['plugin_type'] {
  if (url === null) return plugin_type ?? 'custom'
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

function happeningTo(plugin: PluginRow) {
  return {
    scope: 'Plugin',
    owner: plugin.organization_id,
    item_id: plugin.id,
    name: plugin.name ?? '',
  } as const
}
