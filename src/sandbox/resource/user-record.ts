import type { userSummary } from '../../kinds/index.ts'
import type { Json, JsonObject } from '../../model/json/json.ts'
import type { UserRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'

/** The summary of the person behind a `created_by`; null once there is none. */
export function userRecord(store: Store, id: number | null): JsonObject | null {
  const user = id === null ? undefined : store.users.get(id)
  return user ? summaryOf(user) : null
}

function summaryOf(user: UserRow): JsonObject {
  return {
    id: user.id,
    uuid: user.uuid,
    distinct_id: user.distinct_id,
    first_name: user.first_name,
    email: user.email,
    is_email_verified: user.is_email_verified,
  } satisfies Readonly<Record<keyof typeof userSummary.fields, Json>>
}
