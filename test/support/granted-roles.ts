import { isJsonArray, isJsonObject } from '../../src/model/text/json.ts'
import type { Service } from './service.ts'

/** The ids of the roles that hold a grant on a flag, by the route that the service has for them. */
export async function grantedRoles(
  service: Pick<Service, 'get'>,
  flag: number | string,
): Promise<readonly string[]> {
  return Object.keys(await grantedLevels(service, flag))
}

/** What each role may do with a flag, by its id; on a service without levels they have none. */
export async function grantedLevels(
  service: Pick<Service, 'get'>,
  flag: number | string,
): Promise<Readonly<Record<string, string | undefined>>> {
  const path = `/api/projects/1/feature_flags/${flag}`
  const grants = await service.get(`${path}/role_access/`).catch(() => undefined)
  if (isJsonObject(grants) && isJsonArray(grants.results))
    return Object.fromEntries(
      grants.results.flatMap(row =>
        isJsonObject(row) && isJsonObject(row.role) ? [[String(row.role.id), undefined]] : [],
      ),
    )
  const answer = await service.get(`${path}/access_controls/`)
  const rows = isJsonObject(answer) && isJsonArray(answer.access_controls) ? answer.access_controls : []
  return Object.fromEntries(
    rows.flatMap(row =>
      isJsonObject(row) && typeof row.role === 'string' ? [[row.role, String(row.access_level)]] : [],
    ),
  )
}
