import { declarableKind, type userSummary } from '../../kinds/index.ts'
import type { Field } from '../../model/field.ts'
import { isJsonArray, type Json, type JsonArray, type JsonObject } from '../../model/json/json.ts'
import { type DeclarableKind, isSentIdentity } from '../../model/kind.ts'
import type { ResourceRow, UserRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { Call, Shown } from './resource.ts'
import { emptyValue } from './write-row.ts'

/** An object in an answer: every field of the document, in the order of the literal. */
export function showRecord<R extends ResourceRow>(resource: Shown<R>, call: Call, row: R): JsonObject {
  const { kind, show, shape } = resource
  const record = Object.fromEntries(
    Object.entries(kind.fields)
      .filter(([name, { newer }]) => !newer && !isSentIdentity(kind, name))
      .map(([name, field]) => {
        const hook = show?.[name]
        return [name, hook ? hook(call, row) : shownValue(call, kind, row, name, field)]
      }),
  )
  return shape ? shape(call, record, row) : record
}

function shownValue(call: Call, kind: DeclarableKind, row: ResourceRow, name: string, field: Field): Json {
  const kept = row[name]
  // Rows that are older than the field have no such column.
  if (kept === undefined && field.type !== 'structure') return emptyValue(field)
  switch (field.type) {
    case 'set':
      return field.of === 'integer' || !isJsonArray(kept) ? (kept ?? []) : shownTags(call, kept)
    case 'structure': {
      // The column of a stamp holds the id of a user.
      if (field.stamp === 'author') return userRecord(call.store, (kept ?? null) as number | null)
      const { parent } = kind.lifecycle
      return parent?.kind === field.of.name ? parentRecord(call, kind, row) : (kept ?? null)
    }
    default:
      return kept ?? null
  }
}

/** The columns of the parent object. */
function parentRecord({ store }: Call, kind: DeclarableKind, row: ResourceRow): Json {
  const parentKind = declarableKind(kind.lifecycle.parent?.kind ?? '')
  const parent = store.tableOf(parentKind).rows.get(store.tableOf(kind).containerOf(row))
  return parent
    ? Object.fromEntries(Object.keys(parentKind.fields).map(name => [name, parent[name] ?? null]))
    : null
}

/** Tags in no reliable order; a plan without tagging shows none. */
function shownTags({ quirks, random }: Call, tags: JsonArray): JsonArray {
  if (quirks.tags === 'dropped') return []
  return quirks.tag_order === 'sorted' ? tags : shuffled(tags, random)
}

function shuffled(tags: JsonArray, random: () => number): JsonArray {
  const result = [...tags]
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    const [a, b] = [result[last], result[other]]
    if (a !== undefined && b !== undefined) [result[last], result[other]] = [b, a]
  }
  return result
}

/** The summary of the person in a `created_by`; null if the person does not exist any more. */
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
