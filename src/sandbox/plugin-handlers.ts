import type { Kinds } from '../kinds/index.ts'
import type { Json, JsonObject } from '../model/json.ts'
import { activityAnswer, recordActivity } from './activity.ts'
import { type Answer, emptyAnswer, jsonAnswer } from './answer.ts'
import type { Call, KindHandlers } from './call.ts'
import { pageAnswer, windowOf } from './page.ts'
import { catalogue, catalogued } from './plugin-catalogue.ts'
import { createPlugin, updatePlugin, updateSource } from './plugin-life.ts'
import { forbidden, invalid, notFound, serverError } from './refusal.ts'
import { integerId } from './row-id.ts'
import type { PluginRow } from './rows.ts'

const levels = ['none', 'config', 'install', 'root'] as const

export const pluginHandlers: KindHandlers<'plugin'> = {
  list: listPlugins,
  create: call => {
    requireLevel(call, 'is_global' in call.body ? 'root' : 'install')
    return jsonAnswer(pluginRecord(call, createPlugin(call)), 201)
  },
  read: call => jsonAnswer(pluginRecord(call, findPlugin(call))),
  update: call => {
    // Naming it is enough, whatever its value.
    requireLevel(call, 'is_global' in call.body ? 'root' : 'install')
    return jsonAnswer(pluginRecord(call, updatePlugin(call, findOwnPlugin(call))))
  },
  delete: deletePlugin,
  checkForUpdates,
  source: call => sourceAnswer(call, findPlugin(call)),
  updateSource: call => {
    requireLevel(call, 'install')
    return sourceAnswer(call, updateSource(call, findOwnPlugin(call)))
  },
  upgrade: call => {
    requireLevel(call, 'install')
    return jsonAnswer(pluginRecord(call, upgrade(call, findOwnPlugin(call))))
  },
  activity: call => {
    requireLevel(call, 'config')
    return activityAnswer(call, 'Plugin', call.organization.id)
  },
  repository: call => {
    requireLevel(call, 'config')
    const plugins = catalogue.map(({ name, url, description, icon }) => ({ name, url, description, icon }))
    return jsonAnswer(plugins.map(plugin => ({ ...plugin, verified: false, maintainer: 'community' })))
  },
  unused: call => {
    requireLevel(call, 'config')
    const unused = [...call.store.plugins.all()].filter(plugin => !plugin.in_use)
    return jsonAnswer(unused.map(plugin => plugin.id))
  },
}

function listPlugins(call: Call): Answer {
  const { store, organization } = call
  requireLevel(call, 'config')
  const own = store.pluginsOfOrganization.all(organization.id)
  const shared = store.globalPlugins.all('all').filter(row => row.organization_id !== organization.id)
  const window = windowOf(call)
  const rows = [...own, ...shared].slice(window.offset, window.offset + window.limit)
  return pageAnswer(
    call,
    window,
    own.length + shared.length,
    rows.map(row => pluginRecord(call, row)),
  )
}

function deletePlugin(call: Call<'parent_lookup_organization_id' | 'id'>): Answer {
  requireLevel(call, 'install')
  const plugin = findOwnPlugin(call)
  if (plugin.is_global)
    throw invalid(null, 'This plugin is marked as global! Make it local before uninstallation.')
  call.store.plugins.remove(plugin.id)
  recordActivity(call, {
    scope: 'Plugin',
    owner: plugin.organization_id,
    item_id: plugin.id,
    name: plugin.name ?? '',
    activity: 'deleted',
  })
  return emptyAnswer(204)
}

function checkForUpdates(call: Call<'parent_lookup_organization_id' | 'id'>): Answer {
  const plugin = findPlugin(call)
  const own = call.quirks.action_answers === 'own'
  // There is nowhere to look for newer code of a plugin that was typed in.
  if (own && plugin.plugin_type === 'source') throw serverError()
  const latest = catalogued(plugin.url)?.latest_tag ?? plugin.latest_tag ?? plugin.tag
  const checked =
    latest === plugin.latest_tag ? plugin : call.store.plugins.put({ ...plugin, latest_tag: latest })
  const record = pluginRecord(call, checked)
  return jsonAnswer(own ? { plugin: record } : record)
}

function upgrade(call: Call, plugin: PluginRow): PluginRow {
  if (plugin.plugin_type === 'source' || plugin.plugin_type === 'local') return plugin
  const latest = catalogued(plugin.url)?.latest_tag ?? plugin.latest_tag ?? plugin.tag
  return call.store.plugins.put({ ...plugin, tag: latest, latest_tag: latest })
}

function sourceAnswer(call: Call, plugin: PluginRow): Answer {
  return jsonAnswer(call.quirks.plugin_source === 'files' ? plugin.source : pluginRecord(call, plugin))
}

function pluginRecord({ store }: Call, row: PluginRow): JsonObject {
  return {
    id: row.id,
    plugin_type: row.plugin_type,
    name: row.name,
    description: row.description,
    // What follows the question mark may be a token.
    url: row.url?.split('?')[0] ?? null,
    icon: row.icon,
    config_schema: row.config_schema,
    tag: row.tag,
    latest_tag: row.latest_tag,
    is_global: row.is_global,
    organization_id: row.organization_id,
    organization_name: store.organizations.get(row.organization_id)?.name ?? null,
    capabilities: row.capabilities,
    metrics: row.metrics,
    public_jobs: row.public_jobs,
  } satisfies Readonly<Record<keyof Kinds['plugin']['fields'], Json>>
}

/** A plugin that the organization sees: its own, or a global one. */
function findPlugin(call: Call<'parent_lookup_organization_id' | 'id'>): PluginRow {
  requireLevel(call, 'config')
  const plugin = call.store.plugins.get(integerId(call.params.id) ?? -1)
  if (!plugin || (plugin.organization_id !== call.organization.id && !plugin.is_global)) throw notFound()
  return plugin
}

/** A plugin that the organization may change. */
function findOwnPlugin(call: Call<'parent_lookup_organization_id' | 'id'>): PluginRow {
  const plugin = findPlugin(call)
  if (plugin.organization_id !== call.organization.id) throw forbidden()
  return plugin
}

function requireLevel({ quirks }: Call, needed: (typeof levels)[number]): void {
  if (levels.indexOf(quirks.plugins_access_level) < levels.indexOf(needed))
    throw forbidden('Your organization has insufficient plugin access level.')
}
