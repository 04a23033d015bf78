import { isJsonArray, isJsonObject } from '../../src/model/text/json.ts'
import type { Service } from './service.ts'

/**
 * Somebody gives a role a flag in the product, at a level where the service has levels, or takes it away (`undefined`), by
 * whichever route the service has for it.
 */
export async function giveRole(
  { get, send }: Pick<Service, 'get' | 'send'>,
  flag: number,
  role: string,
  level: string | undefined = 'editor',
): Promise<void> {
  const path = `/api/projects/1/feature_flags/${flag}`
  const list = await get(`${path}/role_access/`).catch(() => undefined)
  if (list === undefined) await send('PUT', `${path}/access_controls/`, { role, access_level: level })
  else await send('POST', `${path}/role_access/`, { role_id: role })
}

export async function takeRole(
  { get, send }: Pick<Service, 'get' | 'send'>,
  flag: number,
  role: string,
): Promise<void> {
  const path = `/api/projects/1/feature_flags/${flag}`
  const list = await get(`${path}/role_access/`).catch(() => undefined)
  if (list === undefined) {
    await send('PUT', `${path}/access_controls/`, { role, access_level: null })
    return
  }
  const rows = isJsonObject(list) && isJsonArray(list.results) ? list.results : []
  const row = rows.find(each => isJsonObject(each) && isJsonObject(each.role) && each.role.id === role)
  await send('DELETE', `${path}/role_access/${isJsonObject(row) ? row.id : ''}/`)
}
