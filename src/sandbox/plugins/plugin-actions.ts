import type { pluginKind } from '../../kinds/index.ts'
import { jsonAnswer } from '../http/answer.ts'
import { serverError } from '../http/refusal.ts'
import type { Actions } from '../resource/call.ts'
import { findToDo, recordAnswer } from '../resource/serve-kind.ts'
import { showRecord } from '../resource/show-record.ts'
import type { PluginRow } from '../store/rows.ts'
import { catalogue, catalogued } from './plugin-catalogue.ts'
import { pluginResource } from './plugin-resource.ts'

/** What can be done with plugins beside what can be done with every kind. */
export const pluginActions: Actions<typeof pluginKind> = {
  checkForUpdates(call) {
    const plugin = findToDo(pluginResource, call, 'read')
    const own = call.quirks.action_answers === 'own'
    // There is nowhere to look for newer code of a plugin that was typed in.
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
