import { placeOf, requireKey } from '../http/admission.ts'
import { type Answer, jsonAnswer } from '../http/answer.ts'
import { methodNotAllowed, notFound, serverError } from '../http/refusal.ts'
import type { Service } from '../http/service.ts'
import { envelope, windowOf } from '../resource/page.ts'
import { roleRecord } from './role-record.ts'

const path = /^\/api\/organizations\/([^/]+)\/roles\/?$/

/** The list of an organization's roles, which the public service has and the document leaves out. */
export function rolesAnswer({ store, quirks, runtime, apiKey }: Service, request: Request, url: URL): Answer {
  const [, organizationId] = path.exec(url.pathname) ?? []
  if (organizationId === undefined || !quirks.roles_route) throw notFound('Endpoint not found.')
  requireKey(request.headers, apiKey)
  if (request.method !== 'GET') throw methodNotAllowed(request.method, ['GET'])
  const { organization } = placeOf(store, { parent_lookup_organization_id: organizationId })
  const caller = store.owner
  if (!caller || url.search !== '') throw serverError()
  const now = runtime.now()
  const call = {
    store,
    quirks,
    now,
    random: () => runtime.random(),
    caller,
    params: {},
    url,
    body: {},
    organization,
  }
  const window = windowOf(call)
  const roles = store.rolesOfOrganization.all(organization.id)
  const results = roles.slice(0, window.limit).map(role => roleRecord(call, role))
  return jsonAnswer({ ...envelope(call, window, roles.length), results })
}
