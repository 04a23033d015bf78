import type { Field } from '../../model/field.ts'
import { sortedUnique } from '../../model/json/canonical.ts'
import { isJsonArray, type Json, type JsonObject } from '../../model/json/json.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { worldKinds } from '../../schema/input/world-schema.ts'
import { noteActivity } from '../resource/activity.ts'
import { blankRow } from '../resource/blank-row.ts'
import type { Resource } from '../resource/resource.ts'
import { resourceOf } from '../served-kinds.ts'
import type { ResourceRow, RowId } from '../store/rows.ts'
import { isDeleted } from '../store/table.ts'
import { normalTime } from '../time.ts'
import type { ObjectSeeding, Seeding } from './seeding.ts'
import type { WorldOrganization, WorldProject } from './world-file.ts'

/** The objects of a kind that a part of a world has. */
export function objectsIn(
  part: WorldOrganization | WorldProject,
  { section }: DeclarableKind,
): readonly JsonObject[] {
  // The types of the parts name the sections that there are today; the schema has one for each kind.
  return (part as unknown as Readonly<Record<string, readonly JsonObject[] | undefined>>)[section] ?? []
}

/** Ids that a part of a world chooses must not be handed out to what stands before them. */
export function reserveObjectIds(
  { store }: Seeding,
  scope: DeclarableKind['scope'],
  part: WorldOrganization | WorldProject,
): void {
  for (const kind of worldKinds(scope))
    for (const { id } of objectsIn(part, kind))
      if (typeof id === 'number') store.reserveId(store.tableOf(kind).rows, id)
}

/** Makes the objects of a project or, without one, of an organization. */
export function seedObjects(seeding: ObjectSeeding, part: WorldOrganization | WorldProject): void {
  const authors = new Map<Json | undefined, number>(
    [...seeding.store.users.all()].map(user => [user.email, user.id]),
  )
  const owner = seeding.store.owner?.id ?? null
  for (const kind of worldKinds(seeding.project ? 'project' : 'organization')) {
    const resource = resourceOf(kind)
    // Worlds can be large, and most of their objects have one author.
    const blanks = new Map<number | null, ResourceRow>()
    for (const object of objectsIn(part, kind)) {
      const author = authors.get(object.created_by) ?? owner
      const blank = blanks.get(author) ?? blankObject(seeding, resource, author)
      blanks.set(author, blank)
      seedObject(seeding, resource, object, blank)
    }
  }
}

function blankObject(seeding: ObjectSeeding, resource: Resource, author: number | null): ResourceRow {
  const { store, now, organization, project } = seeding
  return blankRow<ResourceRow>(resource, store, (project ?? organization).id, { now, author })
}

function seedObject(
  seeding: ObjectSeeding,
  resource: Resource,
  object: JsonObject,
  blank: ResourceRow,
): void {
  const { store, now } = seeding
  const { kind } = resource
  const { rows } = store.tableOf(kind)
  const id = object.id === undefined ? newId(seeding, kind) : givenId(object.id)
  const row = { ...blank, ...givenColumns(kind, object, blank), id }
  const made = rows.put(resource.seeded?.(seeding, row, object) ?? row)
  const { owner: caller } = store
  // What is soft-deleted is in no list; its deletion is in the log, as that of any other.
  if (caller && isDeleted(kind, made))
    noteActivity({ store, now: Date.parse(now), caller }, kind, made, 'deleted')
}

function newId({ store, uuid }: Seeding, kind: DeclarableKind): RowId {
  return kind.parameters?.id === 'integer' ? store.nextId(store.tableOf(kind).rows) : uuid().toLowerCase()
}

function givenId(id: Json): RowId {
  return typeof id === 'number' ? id : String(id).toLowerCase()
}

/** The columns that a world says: null only where the service holds it. Who created an object is said otherwise. */
function givenColumns(kind: DeclarableKind, object: JsonObject, blank: ResourceRow): JsonObject {
  const columns = Object.entries(object).flatMap(([name, value]) => {
    const field = kind.fields[name]
    if (!field && !(name in blank)) return []
    if (field?.stamp === 'author' || (value === null && !field?.nullable)) return []
    const held = field ? heldForm(field, value) : value
    return held === undefined ? [] : [[name, held] as const]
  })
  return Object.fromEntries(columns)
}

/** Times and sets are kept in one form, however they are said; undefined for a time that is none. */
function heldForm(field: Field, value: Json): Json | undefined {
  if (field.type === 'set' && isJsonArray(value)) return (field.canonical ?? sortedUnique)(value.map(String))
  const isTime = field.type === 'string' && field.format === 'date-time'
  return isTime && typeof value === 'string' ? normalTime(value) : value
}
