import type { Handlers } from './call.ts'
import { definitionHandlers } from './definition-handlers.ts'
import { eventHandlers } from './event-handlers.ts'
import { flagHandlers } from './flag-handlers.ts'
import { grantHandlers } from './grant-handlers.ts'
import { pluginHandlers } from './plugin-handlers.ts'

/** Every endpoint of the interface, answered. */
export const handlers: Handlers = {
  feature_flag: flagHandlers,
  feature_flag_role_access: grantHandlers,
  plugin: pluginHandlers,
  event_definition: definitionHandlers,
  event: eventHandlers,
}
