import { roleKind } from '../../kinds/index.ts'
import { jsonAnswer } from '../http/answer.ts'
import { notFound, serverError } from '../http/refusal.ts'
import type { Handlers } from '../resource/call.ts'
import { pageAnswer, windowOf } from '../resource/page.ts'
import { roleRecord } from './role-record.ts'

/** The roles of an organization, which the public service answers and the document leaves out. */
export const roleRoutes: Handlers = {
  [roleKind.lifecycle.list]: call => {
    const { store, quirks, organization, url } = call
    // Before roles were listed like everything else, any query was refused.
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
