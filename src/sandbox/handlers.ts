import { event, eventDefinition, featureFlag, kinds, pluginKind, roleAccess } from '../kinds/index.ts'
import { isDeclarable, type Kind } from '../model/kind.ts'
import type { Answer } from './answer.ts'
import type { ProjectCall } from './call.ts'
import { eventHandlers } from './event-handlers.ts'
import { definitionResource } from './routes/definition-resource.ts'
import { flagResource } from './routes/flag-resource.ts'
import { flagRoutes } from './routes/flag-routes.ts'
import { grantResource } from './routes/grant-resource.ts'
import { pluginActions } from './routes/plugin-actions.ts'
import { pluginResource } from './routes/plugin-resource.ts'
import { serveKind } from './server/serve-kind.ts'

/** Handlers by endpoint. A project is there whenever the path names one, and only such handlers ask for it. */
type Handlers = Readonly<Record<string, (call: ProjectCall) => Answer>>

/** What is special about kinds; any other is served from its literal alone. */
const special: Readonly<Record<string, Handlers>> = {
  [featureFlag.name]: { ...serveKind(flagResource), ...flagRoutes },
  [roleAccess.name]: serveKind(grantResource),
  [pluginKind.name]: { ...serveKind(pluginResource), ...pluginActions },
  [eventDefinition.name]: serveKind(definitionResource),
  [event.name]: eventHandlers,
}

/** Every endpoint of the interface, answered: by kind, and by the name of the endpoint. */
export const handlers: Readonly<Record<string, Handlers>> = Object.fromEntries(
  Object.values<Kind>(kinds).map(kind => [
    kind.name,
    special[kind.name] ?? (isDeclarable(kind) ? serveKind({ kind }) : {}),
  ]),
)
