import { isJsonArray, isJsonObject } from '../../src/model/json/json.ts'
import type { Service } from './service.ts'

/** The ids of the roles that hold a grant on a flag, by the route that the service has for them. */
export async function grantedRoles(
  service: Pick<Service, 'get'>,
  flag: number | string,
): Promise<readonly string[]> {
  const path = `/api/projects/1/feature_flags/${flag}`
  const grants = await service.get(`${path}/role_access/`).catch(() => undefined)
  if (isJsonObject(grants) && isJsonArray(grants.results))
    return grants.results.flatMap(row =>
      isJsonObject(row) && isJsonObject(row.role) ? [String(row.role.id)] : [],
    )
  const answer = await service.get(`${path}/access_controls/`)
  const rows = isJsonObject(answer) && isJsonArray(answer.access_controls) ? answer.access_controls : []
  return rows.flatMap(row => (isJsonObject(row) && typeof row.role === 'string' ? [row.role] : []))
}
