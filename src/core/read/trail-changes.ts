import { isJsonArray, isJsonNumber, isJsonObject, type Json } from '../../model/json/json.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { existsField } from '../../model/safety/live-edit-policy.ts'
import type { ObjectTrail, TrailChange, TrailEvent, TrailUser } from '../live-edits/authors.ts'

/**
 * Keeps of the rows of a trail, which come the newest first, the newest one for each field of each object. Values of all
 * rows of a large project would not fit; those of its objects do.
 *
 * | a row                                               | tells of                                   |
 * |-----------------------------------------------------|--------------------------------------------|
 * | names a field that was changed                      | that field                                 |
 * | names the field that deletes softly                 | `exists`                                   |
 * | is called `deleted` or `restored`                   | `exists`                                   |
 * | is called `created`                                 | `exists`, and who made the object          |
 * | has no time that can be read, or no id              | nothing                                    |
 *
 * [service-behaviour 7] Names of fields, of users and values are whatever the service has written.
 */
export class TrailChanges {
  readonly #kind: DeclarableKind
  readonly #objects = new Map<string, { changes: Map<string, TrailChange>; created?: TrailEvent }>()
  #oldest = Number.POSITIVE_INFINITY

  constructor(kind: DeclarableKind) {
    this.#kind = kind
  }

  /** By id. */
  get objects(): ReadonlyMap<string, ObjectTrail> {
    return this.#objects
  }

  /** When the oldest row was written that was seen, in milliseconds since 1970; infinity before there was one. */
  get oldest(): number {
    return this.#oldest
  }

  add(rows: readonly Json[]): void {
    for (const row of rows) {
      const { item_id: id, activity, detail, created_at: createdAt, user } = isJsonObject(row) ? row : {}
      const at = typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN
      if (Number.isNaN(at)) continue
      this.#oldest = Math.min(this.#oldest, at)
      if (typeof id !== 'string' && !isJsonNumber(id)) continue
      const { changes, trigger } = isJsonObject(detail) ? detail : {}
      const event: TrailEvent = { at, ...userOf(user), ...triggerOf(trigger) }
      const object = this.#object(String(id))
      const note = (field: string, after: Json) => {
        if (!object.changes.has(field)) object.changes.set(field, { ...event, after })
      }
      const { softDelete } = this.#kind.lifecycle
      for (const change of isJsonArray(changes) ? changes : []) {
        // A value that became none has no `after` in some rows.
        const { field, after = null } = isJsonObject(change) ? change : {}
        if (typeof field !== 'string') continue
        if (field === softDelete?.field) note(existsField, after !== softDelete.is)
        else note(field, after)
      }
      if (activity === 'deleted') note(existsField, false)
      if (activity === 'restored' || activity === 'created') note(existsField, true)
      if (activity === 'created') object.created ??= event
    }
  }

  #object(id: string) {
    const object = this.#objects.get(id) ?? { changes: new Map<string, TrailChange>() }
    this.#objects.set(id, object)
    return object
  }
}

function userOf(user: Json | undefined): { readonly user?: TrailUser } {
  if (!isJsonObject(user)) return {}
  const { first_name: firstName, email, is_system: isSystem } = user
  const told: TrailUser = {
    ...(isName(firstName) ? { firstName } : {}),
    ...(isName(email) ? { email } : {}),
    ...(isSystem === true ? { isSystem } : {}),
  }
  return Object.keys(told).length === 0 ? {} : { user: told }
}

function isName(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function triggerOf(trigger: Json | undefined): { readonly trigger?: string } {
  const job = isJsonObject(trigger) ? trigger.job_type : undefined
  return isName(job) ? { trigger: job.replaceAll('_', ' ') } : {}
}
