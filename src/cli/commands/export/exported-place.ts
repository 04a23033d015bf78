import type { Exportable } from '../../../core/exportable.ts'
import { namingIn, resolveRole } from '../../../yaml/index.ts'
import type { LiveIn } from '../../../yaml/write/export.ts'
import type { ExportedGrant, ExportedObject } from '../../../yaml/write/exported-object.ts'
import type { WrittenRepository } from '../../repository/repository.ts'

/** What is exported of one place. */
export interface ExportedPlace {
  /** The repository as it is read for this place. */
  readonly repository: WrittenRepository
  /** Its name, where several are exported. */
  readonly environment?: string
  readonly live: readonly Exportable[]
  /** Those too that are kept out of it, since they hold a key. */
  readonly chosen: readonly Exportable[]
  /** Everything that was read: an object that shares its name with one that is not exported is told apart by its id. */
  readonly all: readonly Exportable[]
}

/** A place as it is written, beside others. */
export function liveIn(
  { repository, environment, live, all }: ExportedPlace,
  places: readonly ExportedPlace[],
): LiveIn {
  const isAlone = places.length === 1
  // What is written of one place alone is declared for all environments; of several, an object is limited to those that have it.
  const others = isAlone ? repository.environments : places.map(place => place.repository)
  const naming = namingIn(repository, { others, isForAll: isAlone })
  return {
    ...(naming ? { naming } : {}),
    ...(environment === undefined ? {} : { environment }),
    objects: live.map(object => toExported(object, repository)),
    live: all,
  }
}

/** A place as it is written into its repository: without what is declared there already. */
export function freshIn(place: ExportedPlace, places: readonly ExportedPlace[]): LiveIn {
  const { repository, environment } = place
  const { objects, ...whole } = liveIn(place, places)
  const fresh = objects.filter(object => !repository.names.has(object, environment))
  return { ...whole, objects: fresh.map(object => withoutDeclaredGrants(object, repository)) }
}

/** Roles are written by the name that the settings give them; the others by their UUID, which is always right. */
function toExported({ grants, ...object }: Exportable, { roles }: WrittenRepository): ExportedObject {
  const names = new Map(Object.entries(roles).map(([name, id]) => [id.toLowerCase(), name]))
  return {
    ...object,
    ...(grants ? { grants: grants.map(grant => exportedGrant(grant, names)) } : {}),
  }
}

function exportedGrant(
  { id, level }: NonNullable<Exportable['grants']>[number],
  names: ReadonlyMap<string, string>,
): ExportedGrant {
  return { role: names.get(id.toLowerCase()) ?? id, ...(level === undefined ? {} : { level }) }
}

/** A grant that is declared on its own stays there: the list of a flag is not declared to be without it. */
function withoutDeclaredGrants(object: ExportedObject, { names, roles }: WrittenRepository): ExportedObject {
  if (!object.grants) return object
  const idOf = (role: string) => resolveRole(role, { roles })?.id ?? role
  const declared = new Set(names.rolesOf(object.identity).map(idOf))
  return { ...object, grants: object.grants.filter(({ role }) => !declared.has(idOf(role))) }
}
