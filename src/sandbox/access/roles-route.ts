import { rolesScope } from '../../kinds/key-scopes.ts'
import { ownerOf, requireKey, requireScope } from '../http/admission.ts'
import { type Answer, jsonAnswer } from '../http/answer.ts'
import { methodNotAllowed, notFound, serverError } from '../http/refusal.ts'
import { callFor, type Service } from '../http/service.ts'
import { envelope, windowOf } from '../resource/page.ts'
import { roleRecord } from './role-record.ts'

const path = /^\/api\/organizations\/([^/]+)\/roles\/?$/

/** The list of an organization's roles, which the public service has and the document leaves out. */
export function rolesAnswer(service: Service, request: Request, url: URL): Answer {
  const { store, quirks, apiKey } = service
  const [, organizationId] = path.exec(url.pathname) ?? []
  if (organizationId === undefined || !quirks.roles_route) throw notFound('Endpoint not found.')
  requireKey(request.headers, apiKey)
  requireScope(service, rolesScope)
  if (request.method !== 'GET') throw methodNotAllowed(request.method, ['GET'])
  const { organization } = ownerOf(store, { parent_lookup_organization_id: organizationId })
  // Before roles were listed like everything else, any query was refused.
  if (url.search !== '' && quirks.grants_route === 'role_access') throw serverError()
  const call = callFor(service, { organization }, url)
  const window = windowOf(call)
  const roles = store.rolesOfOrganization.all(organization.id)
  const results = roles.slice(window.offset, window.offset + window.limit).map(role => roleRecord(call, role))
  return jsonAnswer({ ...envelope(call, window, roles.length), results })
}
