import { featureFlag, pluginKind, roleAccess, roleKind } from '../../kinds/index.ts'
import type { Route } from '../../schema/routes.ts'
import type { Quirks } from '../behaviour/quirks.ts'

const stateOperations = ['enable', 'disable', 'archive', 'unarchive']

/** Whether a service that behaves so has a route of the interface at all: one that has not never looks at the key. */
export function hasRoute(
  {
    grants_route,
    plugins_route,
    roles_route,
    local_evaluation,
    change_request,
    flag_state_operations,
  }: Quirks,
  { kind, endpoint }: Pick<Route, 'kind' | 'endpoint'>,
): boolean {
  switch (kind) {
    case roleAccess.name: {
      const { list, put } = roleAccess.lifecycle.levels
      const hasLevels = endpoint === list || endpoint === put
      return grants_route === 'both' || (grants_route === 'access_controls') === hasLevels
    }
    case pluginKind.name:
      return plugins_route === 'served'
    case roleKind.name:
      return roles_route
    case featureFlag.name:
      if (endpoint === 'changeRequest') return change_request !== 'none'
      if (stateOperations.includes(endpoint)) return flag_state_operations
      return endpoint !== 'localEvaluation' || local_evaluation === 'served'
    default:
      return true
  }
}
