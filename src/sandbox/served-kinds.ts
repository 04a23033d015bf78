import {
  event,
  eventDefinition,
  featureFlag,
  kinds,
  pluginKind,
  roleAccess,
  roleKind,
} from '../kinds/index.ts'
import { type DeclarableKind, isDeclarable, type Kind } from '../model/kind.ts'
import { jsonAnswer, notFound, serverError } from './http/messages.ts'
import { eventHandlers } from './resource/event-handlers.ts'
import { definitionResource } from './resource/events.ts'
import { accessControls, flagResource, grantResource, roleRecord } from './resource/flag-resource.ts'
import { flagRoutes } from './resource/flag-routes.ts'
import { pluginActions, pluginResource } from './resource/plugin-resource.ts'
import type { Handlers, Resource } from './resource/resource.ts'
import { pageAnswer, serveKind, windowOf } from './resource/serve-kind.ts'

/** The roles of an organization, which the public service returns and the document omits. */
const roleRoutes: Handlers = {
  [roleKind.lifecycle.list]: call => {
    const { store, quirks, organization, url } = call
    // Before roles were listed like everything else, the service refused any query.
    if (url.search !== '' && quirks.grants_route === 'role_access') throw serverError()
    const window = windowOf(call)
    const roles = store.rolesOfOrganization.all(organization.id)
    const shown = roles.slice(window.offset, window.offset + window.limit).map(role => roleRecord(call, role))
    return pageAnswer(call, window, roles.length, shown)
  },
  [roleKind.lifecycle.read]: call => {
    const row = call.store.roles.get((call.params.id ?? '').toLowerCase())
    if (row?.organization_id !== call.organization.id) throw notFound()
    return jsonAnswer(roleRecord(call, row))
  },
}

/** The special rules of kinds. Any other kind is served from its literal alone. */
const resources: Readonly<Record<string, Resource>> = {
  [featureFlag.name]: flagResource,
  [roleAccess.name]: grantResource,
  [pluginKind.name]: pluginResource,
  [eventDefinition.name]: definitionResource,
}

/** The operations for objects of a kind beside its lifecycle. */
const actions: Readonly<Record<string, Handlers>> = {
  [featureFlag.name]: flagRoutes,
  [roleAccess.name]: accessControls,
  [pluginKind.name]: pluginActions,
  [event.name]: eventHandlers,
  [roleKind.name]: roleRoutes,
}

export function resourceOf(kind: DeclarableKind): Resource {
  return resources[kind.name] ?? { kind }
}

/** The handler of every endpoint of the interface: by kind, and by the name of the endpoint. */
export const handlers: Readonly<Record<string, Handlers>> = Object.fromEntries(
  Object.values<Kind>(kinds).map(kind => [
    kind.name,
    { ...(isDeclarable(kind) ? serveKind(resourceOf(kind)) : {}), ...actions[kind.name] },
  ]),
)
